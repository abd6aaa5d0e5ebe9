# A pin that drives itself through its own interrupt handler.
import time
from machine import Pin

edges = []
pin = Pin(15, Pin.OUT, value=0)
pin.irq(lambda p: edges.append(p.value()), Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=False)
for level in (1, 0, 1, 1, 0):
    pin(level)
    time.sleep_us(200)
pin.irq(None)
print(edges, pin.value())
pin.init(Pin.IN, Pin.PULL_UP)
print(pin.value(), Pin(15, Pin.IN, Pin.PULL_DOWN).value())
