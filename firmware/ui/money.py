"""Money as text."""


def money(minor):
    """An amount in minor units with two decimals: 12345 is "123.45"."""
    return "%d.%02d" % (minor // 100, minor % 100)
