# Native and viper emitters, in-line assembler.
import micropython


@micropython.native
def triangle(n):
    total = 0
    for i in range(n):
        total += i
    return total


@micropython.viper
def checksum(data: ptr8, length: int) -> int:
    total = 0
    i = 0
    while i < length:
        total = (total * 31 + data[i]) & 0xFFFFFF
        i += 1
    return total


@micropython.asm_thumb
def add(r0, r1):
    add(r0, r0, r1)


print(triangle(200), checksum(bytes(range(250)), 250), add(40, 2))
