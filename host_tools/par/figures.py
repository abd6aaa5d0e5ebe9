"""What a PAR sheet is made of: sources of return, triggers, the spread of a round's win, the largest award."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

EXACT = "exact"
CERTIFIED = "certified"
SIMULATED = "simulated"

# The published returns, as shares of the total bet.
TARGETS = {
    "mad_hatters": Fraction(9608, 10000),
    "mad_mad_monkey": Fraction(9540, 10000),
    "santa_vs_rudolf": Fraction(9635, 10000),
    "haunted_house": Fraction(9197, 10000),
}


@dataclass(frozen=True)
class Source:
    """One source of a game's return.

    Attributes:
        name: such as `lines`, `scatter`, `free_spins.lines`.
        value: mean win per paid round as a share of the total bet; 1 is 100 %.
        kind: EXACT, CERTIFIED or SIMULATED.
        error: 0 when exact; a bound of the distance to the true value when certified; else the standard error.
    """

    name: str
    value: Fraction
    kind: str = EXACT
    error: Fraction = Fraction(0)


@dataclass(frozen=True)
class Trigger:
    """How often something happens.

    Attributes:
        name: such as `free_spins`.
        probability: the mean number of times per paid round.
        kind: EXACT or CERTIFIED.
        once: it happens once in a round or not at all. What can happen again comes in groups, so the standard error of
            its simulated frequency does not follow from the number of times.
    """

    name: str
    probability: Fraction
    kind: str = EXACT
    once: bool = False


@dataclass(frozen=True)
class Spread:
    """How the win of a round spreads, in total bets at all lines.

    Attributes:
        hit_frequency: share of paid spins that win anything, what opens on that spin included, free spins excluded.
        variance: of the win of a complete round.
        kind: of the variance.
        paid_spin: win of lines and scatter of the paid spin in coins at line bet 1 -> number of windows; all windows.
        mean: win of a complete round from the windows of both modes, limits included; None with chains.
        error: standard error of the square root of the variance, when that is simulated.
    """

    hit_frequency: Fraction
    variance: Fraction
    kind: str
    paid_spin: dict[int, int]
    mean: Fraction | None = None
    error: float = 0.0


@dataclass(frozen=True)
class Award:
    """The largest award of a game.

    Attributes:
        coins: at the largest line bet and all lines.
        line_bet: the largest line bet.
        sequence: what happens, step by step, for a reader: stops, windows, draws.
        of: the largest what it is: a round, or the part of one that has a largest award.
        bounded: whether a complete round has a largest award.
    """

    coins: int
    line_bet: int
    sequence: Sequence[str]
    of: str = "round"
    bounded: bool = True


def total(sources: Sequence[Source]) -> Fraction:
    """The return: the sum of its sources, 1 is 100 %."""
    return sum((source.value for source in sources), Fraction(0))
