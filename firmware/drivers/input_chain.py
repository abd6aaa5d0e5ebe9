"""74HC165 chain: sixteen parallel inputs sampled by a PIO state machine, without the CPU."""

import rp2

from .dma_ring import DmaRing
from .pio_programs import sample_inputs

CHAIN_WIDTH = 16
_CYCLES_PER_SAMPLE = 100  # of sample_inputs
_RING_WORDS = 512  # half a second at 1 kHz: longer than the longest flash erase


class InputChain:
    """Samples of the whole chain, each a word of which bit 15 is the first input of the chain.

    Reading costs the CPU about 20 us a sample and never blocks; 512 samples are kept.

    Args:
        state_machine: number of a free state machine.
        clock: the Pin of the clock line; the load line is the next pin.
        data: the Pin of the serial output.
        active_low: word of the inputs that are on when their level is low.
        sample_hz: samples a second, at least 20.
    """

    def __init__(self, state_machine, clock, data, active_low, sample_hz):
        self._active_low = active_low
        self._machine = rp2.StateMachine(
            state_machine, sample_inputs, freq=_CYCLES_PER_SAMPLE * sample_hz, sideset_base=clock, in_base=data
        )
        self._ring = DmaRing(state_machine, _RING_WORDS)
        self._machine.active(1)

    def samples(self):
        """How many samples can be read; they are equally spaced."""
        return self._ring.available()

    def changes(self, steady):
        """Passes over unread samples that equal `steady`; returns how many are left, from the first that differs."""
        return self._ring.skip(steady ^ self._active_low)

    def read(self):
        """The oldest unread sample with its polarity resolved: a set bit is an input that is on."""
        return self._ring.next() ^ self._active_low

    @property
    def overruns(self):
        """Samples lost because they were read too late."""
        return self._ring.overruns

    def deinit(self):
        """Stops sampling."""
        self._machine.active(0)
        self._ring.deinit()


def bit(position):
    """The mask of the input at `position` of the chain, 0 for the first."""
    return 1 << (CHAIN_WIDTH - 1 - position)
