# Closures, generators, keyword arguments.
def counter(step):
    n = 0

    def advance(times=1, *, scale=1):
        nonlocal n
        n += step * times * scale
        return n

    return advance


def squares(limit):
    for i in range(limit):
        got = yield i * i
        if got:
            yield got


a, b = counter(2), counter(5)
print([a() for _ in range(5)], b(3, scale=2), a(times=4))
g = squares(6)
print(next(g), next(g), g.send(99), list(g))
print(sorted(["ccc", "a", "bb"], key=len), list(map(lambda x, y: x * y, (1, 2, 3), (4, 5, 6))))
