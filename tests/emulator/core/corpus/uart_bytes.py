# UART with interrupts and buffers; nothing is connected to its receiver.
import time
from machine import UART, Pin

uart = UART(0, 115200, tx=Pin(0), rx=Pin(1))
before = time.ticks_us()
uart.write(b"picocab" * 6)
uart.flush()
print(time.ticks_diff(time.ticks_us(), before) // 100, uart.any(), uart.txdone())
uart.deinit()
