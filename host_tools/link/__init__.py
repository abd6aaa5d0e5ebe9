"""The host's end of the service link: the firmware's own framing and messages, over serial ports and emulated lines."""
