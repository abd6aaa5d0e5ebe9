# SPI by FIFO and by DMA, from RAM and from flash, at both peripheral clocks.
import time

import machine
import uctypes
from machine import SPI, Pin

cs, dc = Pin(17, Pin.OUT, value=1), Pin(20, Pin.OUT, value=1)
for peripheral in (48_000_000, 125_000_000):
    machine.freq(125_000_000, peripheral)
    spi = SPI(0, baudrate=62_500_000, sck=Pin(18), mosi=Pin(19), miso=None)
    cs(0)
    dc(0)
    spi.write(b"\x2a")
    dc(1)
    spi.write(bytes(range(20)))
    cs(1)
    before = time.ticks_us()
    cs(0)
    spi.write(uctypes.bytearray_at(0x10001000, 1000))
    spi.write(bytearray(500))
    cs(1)
    print(spi, time.ticks_diff(time.ticks_us(), before) // 50)
    back = bytearray(40)
    spi.readinto(back, 7)
    print(sum(back))
machine.freq(125_000_000, 48_000_000)
