"""Ctrl-C on the USB console as a request to stop, instead of an exception that may strike anywhere."""

import select
import sys

import micropython

_CTRL_C = 3
_BYTES_PER_TURN = 32


class BreakKey:
    """Watches the console for Ctrl-C while the program runs; what else a host sends meanwhile is thrown away.

    As an exception Ctrl-C could strike in the middle of the clean-up that makes the outputs safe, so it is switched off
    as one. What follows a Ctrl-C stays unread, for the REPL.
    """

    def __init__(self):
        micropython.kbd_intr(-1)
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def pressed(self):
        """True when a Ctrl-C was read; reads at most 32 bytes, in less than 3 ms."""
        for _ in range(_BYTES_PER_TURN):
            for _ready in self._poll.ipoll(0):
                break
            else:
                return False
            if sys.stdin.buffer.read(1)[0] == _CTRL_C:
                return True
        return False

    def deinit(self):
        """Ctrl-C is an exception again."""
        micropython.kbd_intr(_CTRL_C)
