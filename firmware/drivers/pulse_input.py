"""Pulses of a coin acceptor, measured by a PIO state machine while the CPU, the panel and the flash are busy (CAB-10)."""

import rp2

from .dma_ring import DmaRing

_CLOCK_HZ = 200_000
_TICK_US = 10  # two instructions a tick
_RING_WORDS = 256


# The line idles in `wait`, at no cost. While it is low x counts down; the width is what it has lost.
@rp2.asm_pio(fifo_join=rp2.PIO.JOIN_RX)
def _measure_low():
    wrap_target()
    wait(0, pin, 0)
    mov(x, invert(null))
    label("low")
    jmp(pin, "ended")
    jmp(x_dec, "low")
    label("ended")
    mov(isr, invert(x))
    push(noblock)
    wrap()


@rp2.asm_pio(fifo_join=rp2.PIO.JOIN_RX)
def _measure_high():
    wrap_target()
    wait(1, pin, 0)
    mov(x, invert(null))
    label("high")
    jmp(pin, "on")
    jmp("ended")
    label("on")
    jmp(x_dec, "high")
    label("ended")
    mov(isr, invert(x))
    push(noblock)
    wrap()


class PulseInput:
    """Widths of pulses in order; 256 of them are kept while nobody reads.

    Widths are right to 10 us. Pulses and gaps must be longer than 50 us to be seen.

    Args:
        state_machine: number of a free state machine.
        pin: the Pin of the line.
        active_low: True when a pulse pulls the line low.
    """

    def __init__(self, state_machine, pin, active_low):
        program = _measure_low if active_low else _measure_high
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
