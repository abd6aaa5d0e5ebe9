# A state machine samples pins by its own clock; DMA writes the words into a ring in RAM.
import time
import uctypes

import rp2
from machine import Pin


@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, autopush=True, push_thresh=8, fifo_join=rp2.PIO.JOIN_RX)
def sample():
    in_(pins, 1)
    mov(y, invert(y))
    in_(y, 1)


memory = bytearray(128)
base = (uctypes.addressof(memory) + 63) & ~63
ring = memoryview(memory)[base - uctypes.addressof(memory) :][:64]
pin = Pin(15, Pin.IN, Pin.PULL_UP)
sm = rp2.StateMachine(4, sample, freq=400_000, in_base=pin)
dma = rp2.DMA()
done = []
dma.irq(lambda d: done.append(d.active()))
control = dma.pack_ctrl(size=2, inc_read=False, ring_size=6, ring_sel=True, treq_sel=12, irq_quiet=False)
dma.config(read=sm, write=base, count=25, ctrl=control, trigger=True)
sm.active(1)
time.sleep_us(700)
print(dma.count, dma.active(), dma.write - base)
time.sleep_ms(2)
print(dma.count, dma.active(), dma.write - base, done)
dma.config(count=1000, trigger=True)
time.sleep_us(100)
dma.active(0)
left = dma.count
print(dma.active(), 0 < left < 1000, bytes(ring[:8]))
sm.active(0)
dma.close()
rp2.PIO(1).remove_program()
