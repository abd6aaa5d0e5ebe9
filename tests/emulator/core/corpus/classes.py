# Inheritance, properties, operators, slots of attributes.
class Money:
    def __init__(self, minor):
        self.minor = minor

    def __add__(self, other):
        return Money(self.minor + other.minor)

    def __eq__(self, other):
        return self.minor == other.minor

    @property
    def text(self):
        return "{}.{:02d}".format(self.minor // 100, self.minor % 100)


class Credit(Money):
    limit = 500

    def __iadd__(self, other):
        self.minor = min(self.minor + other.minor, self.limit)
        return self


c = Credit(123)
c += Money(250)
print(c.text, (c + Money(1)).text, c == Money(373), getattr(c, "limit"))
c += Money(900)
print(c.text, isinstance(c, Money), hasattr(c, "nothing"))
