# A page and a block of raw flash; polling of the busy chip is skipped in both cores alike.
import time

import rp2

flash = rp2.Flash(start=0x180000 - 0x60000, len=4096)
before = time.ticks_us()
flash.writeblocks(0, bytes(range(256)) * 2, 0)
after = bytearray(8)
flash.readblocks(0, after, 250)
print(bytes(after), time.ticks_diff(time.ticks_us(), before) > 1000)
