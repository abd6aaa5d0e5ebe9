"""A made-up game for the tests of the sheet: small enough that every figure follows by hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from host_tools.par.figures import CERTIFIED, EXACT, SIMULATED, Award, Source, Spread, Trigger

LINES = 4


def made_up_tables(**changes: Any) -> dict[str, Any]:
    """Tables with what a sheet reads of them; the mathematics below do not look at them."""
    tables = {
        "game": "mad_mad_monkey",
        "title": "Made Up",
        "rules_version": 7,
        "lines_fixed": False,
        "max_lines": LINES,
        "strips": {"base": [["a", "b"]] * 5},
    }
    return {**tables, **changes}


class MadeUp:
    """A paid spin wins 0, 2, 4 or 400 coins in 70, 20, 9 and 1 of 100 windows; a bonus pays 1 line bet in 10 spins."""

    paid_spin = {0: 70, 2: 20, 4: 9, 400: 1}

    def __init__(self, extra: Source | None = None) -> None:
        self.extra = extra

    def sources(self, tables: Mapping[str, Any], lines: int | None = None) -> list[Source]:
        """Lines 476 / 400 of the bet; the bonus 1/10 of a line bet; 1/1000 a line comes from a feature by line."""
        count = LINES if lines is None else lines
        found = [
            Source("lines", Fraction(476, 400)),
            Source("bonus", Fraction(1, 10 * count)),
            Source("feature", Fraction(count * count, 1000)),
        ]
        return [*found, self.extra] if self.extra else found

    def triggers(self, tables: Mapping[str, Any]) -> list[Trigger]:
        """One that happens and one that never does."""
        return [Trigger("bonus", Fraction(1, 10), once=True), Trigger("free_spins.bonus", Fraction(0), CERTIFIED)]

    def spread(self, tables: Mapping[str, Any]) -> Spread:
        """A standard deviation of exactly 10 total bets."""
        return Spread(Fraction(3, 10), Fraction(100), EXACT, self.paid_spin)

    def largest_award(self, tables: Mapping[str, Any]) -> Award:
        """400 coins a line bet."""
        return Award(4000, 10, ["paid spin: stops 0 0 0 0 0", "then <nothing> more"])


CERTIFIED_EXTRA = Source("chain", Fraction(1, 8), CERTIFIED, Fraction(1, 10**12))
SIMULATED_EXTRA = Source("race", Fraction(1, 16), SIMULATED, Fraction(1, 10**6))
