# Soft float of the boot ROM.
import math

print(0.1 + 0.2, 1 / 3, 2**0.5, 1e10 * 3.7, -7.5 % 2)
print(math.sqrt(2), math.sin(1), math.log(10), math.floor(-2.5), int(3.99e5))
