"""74HC165 chain: sixteen parallel inputs sampled by a PIO state machine, without the CPU."""

import rp2

from .dma_ring import DmaRing

WIDTH = 16
_CLOCK_HZ = 100_000
_CYCLES_PER_SAMPLE = 100
_RING_WORDS = 512  # half a second at 1 kHz: longer than the longest flash erase


# Side-set bit 0 is the clock, bit 1 the load line. A sample takes 100 cycles: 2 to load, 2 for each of 16 bits, 66 rest.
@rp2.asm_pio(
    sideset_init=(rp2.PIO.OUT_LOW, rp2.PIO.OUT_HIGH),
    in_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopush=True,
    push_thresh=WIDTH,
    fifo_join=rp2.PIO.JOIN_RX,
)
def _sample():
    wrap_target()
    set(x, WIDTH - 1).side(0b00)
    set(y, 7).side(0b10)
    label("bit")
    in_(pins, 1).side(0b10)
    jmp(x_dec, "bit").side(0b11)
    label("rest")
    jmp(y_dec, "rest").side(0b10)[7]
    nop().side(0b10)[1]
    wrap()


class InputChain:
    """Samples of the whole chain at 1 kHz, each a word of which bit 15 is the first input of the chain.

    Reading costs the CPU about 20 us a sample and never blocks; samples are kept for 512 ms.

    Args:
        state_machine: number of a free state machine.
        clock: the Pin of the clock line; the load line is the next pin.
        data: the Pin of the serial output.
        active_low: word of the inputs that are on when their level is low.
    """

    def __init__(self, state_machine, clock, data, active_low):
        self._active_low = active_low
        self._machine = rp2.StateMachine(state_machine, _sample, freq=_CLOCK_HZ, sideset_base=clock, in_base=data)
        self._ring = DmaRing(state_machine, _RING_WORDS)
        self._machine.active(1)

    def samples(self):
        """How many samples can be read; samples are spaced by exactly one millisecond."""
        return self._ring.available()

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
    return 1 << (WIDTH - 1 - position)
