"""74HC595 chain: sixteen outputs written through a PIO state machine."""

import rp2

from .pio_programs import shift_outputs

_CLOCK_HZ = 2_000_000


class OutputChain:
    """Sixteen outputs behind one output-enable line that stays off until `enable()`.

    A write takes about 30 us and returns before the last of its 20 us on the wire.

    Args:
        state_machine: number of a free state machine.
        data, clock: Pins of data and clock; the latch line is the pin after the clock.
        enable_line: callable taking True to show the outputs, False to switch all of them off.
    """

    def __init__(self, state_machine, data, clock, enable_line):
        self._enable_line = enable_line
        enable_line(False)
        self._word = 0
        self._machine = rp2.StateMachine(
            state_machine, shift_outputs, freq=_CLOCK_HZ, out_base=data, sideset_base=clock
        )
        self._machine.active(1)
        self._machine.put(0, 16)

    def set(self, position, on):
        """Switches the output at `position` of the chain."""
        word = self._word | 1 << position if on else self._word & ~(1 << position)
        if word != self._word:
            self._word = word
            self._machine.put(word, 16)

    def enable(self):
        """Shows the outputs on the pins."""
        self._enable_line(True)

    def deinit(self):
        """All outputs off, by the output-enable line first."""
        self._enable_line(False)
        self._machine.active(0)
