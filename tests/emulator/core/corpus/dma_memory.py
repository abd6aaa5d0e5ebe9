# Memory to memory by DMA: byte swap, chained channels, abort, from flash.
import uctypes

import rp2

source = bytes(range(64))
target = bytearray(64)
a, b = rp2.DMA(), rp2.DMA()
a.config(read=source, write=target, count=16, ctrl=a.pack_ctrl(bswap=True), trigger=True)
while a.active():
    pass
print(bytes(target[:12]))
second = bytearray(32)
b.config(read=target, write=second, count=32, ctrl=b.pack_ctrl(size=0))
a.config(read=source, write=target, count=16, ctrl=a.pack_ctrl(chain_to=b.channel), trigger=True)
while b.active() or a.active():
    pass
print(bytes(second[:8]), a.count, b.count)
third = bytearray(16)
a.config(read=0x10000100, write=third, count=4, ctrl=a.pack_ctrl(), trigger=True)
while a.active():
    pass
print(bytes(third) == bytes(uctypes.bytearray_at(0x13000100, 16)))
print(a.unpack_ctrl(a.ctrl)["busy"], rp2.DMA.unpack_ctrl(a.pack_ctrl(treq_sel=3))["treq_sel"])
a.close()
b.close()
