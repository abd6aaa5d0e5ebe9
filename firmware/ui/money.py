"""Money as text."""

_WIDEST_MINOR = 9_999_999  # 99,999.99: what the meters' boxes hold


def money(minor):
    """An amount in minor units with two decimals: 12345 is "123.45"; from 100,000.00 on in whole units."""
    if minor > _WIDEST_MINOR:
        return "%d" % (minor // 100)
    return "%d.%02d" % (minor // 100, minor % 100)
