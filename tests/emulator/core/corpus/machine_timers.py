# Timer interrupts while the program sleeps and while it works.
import time
from machine import Timer

ticks = []
fast_ticks = [0]


def fast_tick(timer):
    fast_ticks[0] += 1


slow = Timer(period=2, mode=Timer.PERIODIC, callback=lambda timer: ticks.append(1))
fast = Timer(freq=1000, mode=Timer.PERIODIC, callback=fast_tick)
time.sleep_ms(5)
for i in range(300):
    pass
time.sleep_us(3500)
slow.deinit()
fast.deinit()
print(len(ticks), fast_ticks[0])
