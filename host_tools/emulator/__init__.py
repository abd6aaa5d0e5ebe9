"""The emulated Pico and the cabinet around it."""
