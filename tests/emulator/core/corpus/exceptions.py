# Raising, unwinding, finally, context managers.
class Trouble(Exception):
    pass


class Guard:
    def __enter__(self):
        print("in")
        return self

    def __exit__(self, kind, value, trace):
        print("out", kind is not None)
        return isinstance(value, Trouble)


def fail(depth):
    try:
        if depth == 0:
            raise Trouble("deep")
        fail(depth - 1)
    finally:
        print("finally", depth)


with Guard():
    fail(3)
for action in (lambda: 1 // 0, lambda: [][1], lambda: {}["k"], lambda: int("x")):
    try:
        action()
    except (ZeroDivisionError, LookupError, ValueError) as error:
        print(type(error).__name__, error)
