# Allocation and collection with live and dead data.
import gc

keep = []
for i in range(12):
    keep.append(bytearray(50 * i))
    [j for j in range(10)]
gc.collect()
print(len(keep), sum(map(len, keep)))
keep = keep[::3]
gc.collect()
print([len(k) for k in keep], gc.mem_free() > 100000)
