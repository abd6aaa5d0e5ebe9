# Two state machines: one makes pulses on a pin, the other measures and counts them; FIFO and IRQ.
import time

import rp2
from machine import Pin


@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW)
def pulses():
    pull(block)
    mov(x, osr)
    label("next")
    set(pins, 1)[9]
    set(pins, 0)[8]
    jmp(x_dec, "next")
    irq(rel(0))


@rp2.asm_pio()
def count():
    set(x, 0)
    wrap_target()
    wait(1, pin, 0)
    jmp(x_dec, "down")
    label("down")
    wait(0, pin, 0)
    wrap()


pin = Pin(15)
fired = []
out = rp2.StateMachine(0, pulses, freq=1_000_000, set_base=pin)
out.irq(lambda sm: fired.append(sm.irq().flags()))
counter = rp2.StateMachine(1, count, freq=5_000_000, in_base=pin)
counter.active(1)
out.active(1)
out.put(24)
time.sleep_ms(1)
counter.exec("mov(isr, invert(x))")
counter.exec("push()")
print((counter.get() + 1) & 0xFFFFFFFF, fired, out.tx_fifo(), counter.rx_fifo())
out.active(0)
counter.active(0)
rp2.PIO(0).remove_program()
