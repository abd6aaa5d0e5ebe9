# Sleeping in several lengths; the tick counters agree.
import time

before = time.ticks_us()
for us in (10, 50, 300):
    time.sleep_us(us)
time.sleep_ms(2)
took = time.ticks_diff(time.ticks_us(), before)
print(took // 100, time.ticks_diff(time.ticks_add(5, -10), 5))
