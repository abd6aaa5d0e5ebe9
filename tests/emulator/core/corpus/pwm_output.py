# A PWM output, read back at its pin.
import time

import machine
from machine import PWM, Pin

pwm = PWM(Pin(15), freq=5000, duty_u16=16384)
high = 0
for _ in range(40):
    high += machine.mem32[0xD0000004] >> 15 & 1
    time.sleep_us(17)
print(pwm.freq(), pwm.duty_u16(), 3 < high < 20)
pwm.deinit()
