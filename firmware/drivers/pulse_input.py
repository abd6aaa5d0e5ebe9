"""Pulses of a coin acceptor, measured by a PIO state machine while CPU, panel and flash are busy (CAB-10)."""

import rp2

from .dma_ring import DmaRing
from .pio_programs import measure_high_pulses, measure_low_pulses

_CLOCK_HZ = 200_000
_TICK_US = 10  # two instructions
_RING_WORDS = 256


class PulseInput:
    """Widths of pulses in order; 256 of them are kept while nobody reads.

    Widths are right to 10 us. Pulses and gaps must be longer than 50 us to be seen.

    Args:
        state_machine: number of a free state machine.
        pin: the Pin of the line.
        active_low: True when a pulse pulls the line low.
    """

    def __init__(self, state_machine, pin, active_low):
        program = measure_low_pulses if active_low else measure_high_pulses
        self._machine = rp2.StateMachine(state_machine, program, freq=_CLOCK_HZ, in_base=pin, jmp_pin=pin)
        self._ring = DmaRing(state_machine, _RING_WORDS)
        self._machine.active(1)

    def pulses(self):
        """How many finished pulses can be read."""
        return self._ring.available()

    def read_us(self):
        """The width of the oldest unread pulse in microseconds."""
        return self._ring.next() * _TICK_US

    @property
    def overruns(self):
        """Pulses whose width was lost because they were read too late; their number is known all the same."""
        return self._ring.overruns

    def deinit(self):
        """Stops measuring."""
        self._machine.active(0)
        self._ring.deinit()
