# The ring oscillator's bits, by seed.
import binascii
import os
import random

print(binascii.hexlify(os.urandom(8)))
random.seed(5)
print([random.getrandbits(16) for _ in range(4)], random.randint(1, 6))
