"""74HC595 chain: sixteen outputs written through a PIO state machine."""

import rp2

WIDTH = 16
_CLOCK_HZ = 2_000_000


# Side-set bit 0 is the clock, bit 1 the latch. The word leaves from its top bit, so bit 0 ends in the first output.
@rp2.asm_pio(
    out_init=rp2.PIO.OUT_LOW,
    sideset_init=(rp2.PIO.OUT_LOW, rp2.PIO.OUT_LOW),
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
)
def _shift():
    wrap_target()
    pull(block).side(0b00)
    set(x, WIDTH - 1).side(0b00)
    label("bit")
    out(pins, 1).side(0b00)
    jmp(x_dec, "bit").side(0b01)
    nop().side(0b00)
    nop().side(0b10)
    wrap()


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
        self._machine = rp2.StateMachine(state_machine, _shift, freq=_CLOCK_HZ, out_base=data, sideset_base=clock)
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
