# Small and big integers, the hardware divider with both signs, shifts.
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


print([collatz(n) for n in (7, 27)])
print(-7 // 2, -7 % 2, 7 // -2, 7 % -2, divmod(-123456789, 1000))
big = 0x123456789ABCDEF0123456789
print(big * big, big // 12345, big >> 33, big << 7, -big % 1000007)
print(pow(3, 200, 1000000007), 255**9, ~big & 0xFFFF)
