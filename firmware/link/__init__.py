"""The service link: framed messages with fixed numbers over any stream of bytes (see README.md). Imports nothing of
ours; the same source runs on the cabinet and on a computer."""
