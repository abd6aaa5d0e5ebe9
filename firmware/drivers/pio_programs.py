"""The programs of the PIO state machines, apart from their drivers because only the decorator knows their names."""
# pyright: reportUndefinedVariable=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportArgumentType=false

import rp2


@rp2.asm_pio(
    sideset_init=(rp2.PIO.OUT_LOW, rp2.PIO.OUT_HIGH),
    in_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopush=True,
    push_thresh=16,
    fifo_join=rp2.PIO.JOIN_RX,
)
def sample_inputs():
    """One sample of a 74HC165 chain in 100 cycles: 2 to load, 2 for each of 16 bits, 66 at rest.

    Side-set bit 0 is the clock, bit 1 the load line.
    """
    wrap_target()
    set(x, 15).side(0b00)
    set(y, 7).side(0b10)
    label("bit")
    in_(pins, 1).side(0b10)
    jmp(x_dec, "bit").side(0b11)
    label("rest")
    jmp(y_dec, "rest").side(0b10)[7]
    nop().side(0b10)[1]
    wrap()


@rp2.asm_pio(
    out_init=rp2.PIO.OUT_LOW,
    sideset_init=(rp2.PIO.OUT_LOW, rp2.PIO.OUT_LOW),
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
)
def shift_outputs():
    """Words for a 74HC595 chain: the top bit leaves first, so bit 0 ends in the first output.

    Side-set bit 0 is the clock, bit 1 the latch.
    """
    wrap_target()
    pull(block).side(0b00)
    set(x, 15).side(0b00)
    label("bit")
    out(pins, 1).side(0b00)
    jmp(x_dec, "bit").side(0b01)
    nop().side(0b00)
    nop().side(0b10)
    wrap()


@rp2.asm_pio(fifo_join=rp2.PIO.JOIN_RX)
def measure_low_pulses():
    """Pushes the width of each low pulse in ticks of two cycles; the line idles in `wait`, at no cost."""
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
def measure_high_pulses():
    """Pushes the width of each high pulse in ticks of two cycles."""
    wrap_target()
    wait(1, pin, 0)
    mov(x, invert(null))
    label("high")
    jmp(pin, "still")
    jmp("ended")
    label("still")
    jmp(x_dec, "high")
    label("ended")
    mov(isr, invert(x))
    push(noblock)
    wrap()
