"""Exact numbers as decimal text. Counting the limit of 250 free spins gives fractions of thousands of digits, more than
`str(int)` and `int(str)` take; `decimal` has no such limit."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

PERCENT_PLACES = 12


def integer_text(value: int) -> str:
    """All digits of an integer of any size."""
    return str(Decimal(value))


def integer(text: str) -> int:
    """The integer that `integer_text` wrote."""
    return int(Decimal(text))


def fixed(value: Fraction, places: int) -> str:
    """A number rounded to so many decimal places (half to even), from the fraction itself."""
    scaled = round(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{integer_text(whole)}" + (f".{rest:0{places}d}" if places else "")


def percent(value: Fraction, places: int = PERCENT_PLACES) -> str:
    """A share as percent, without the sign %."""
    return fixed(100 * value, places)


def points(difference: Fraction, places: int = PERCENT_PLACES) -> str:
    """A difference of shares in percentage points, always with its sign."""
    text = percent(difference, places)
    return text if text.startswith("-") else f"+{text}"


def short_fraction(value: Fraction, width: int = 60) -> str:
    """A fraction on one line: whole where it fits, else the ends of both numbers and how many digits they have."""
    num, den = integer_text(value.numerator), integer_text(value.denominator)
    if len(num) + len(den) <= width:
        return f"{num} / {den}"
    return f"{_ends(num)} / {_ends(den)}  ({len(num)} and {len(den)} digits)"


def _ends(text: str, ends: int = 8) -> str:
    return text if len(text) <= 2 * ends + 3 else f"{text[:ends]}...{text[-ends:]}"
