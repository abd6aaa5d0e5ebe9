"""Laws of windows and lines, as integer weights: sums of weights are products of strip lengths, so nothing is rounded.

On a cyclic strip each row of a reel has the strip's symbol frequencies (T1). So the law of a line depends on counts of
symbols only, and every line has the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

REELS = 5
ROWS = 3

Strip = Sequence[str]
Law = dict[int, int]  # a number -> its weight


@dataclass(frozen=True)
class Reading:
    """How a line is read from its first reel on; the highest reading pays.

    Attributes:
        pays: symbol -> pay per line coin by count, 0 to 5.
        wilds: symbols that stand for others in a run.
        own: the wild with pays for a leading run of itself alone.
        wild_run: symbols that a leading run of any wilds may be read as.
        wild_multiplier: factor of a win with a wild in its run, once.
    """

    pays: Mapping[str, Sequence[int]]
    wilds: Collection[str] = frozenset()
    own: str | None = None
    wild_run: Collection[str] = field(default_factory=tuple)
    wild_multiplier: int = 1


def pays_by_count(line_pays: Mapping[str, Mapping[str, int]]) -> dict[str, tuple[int, ...]]:
    """`line_pays` of a game's tables (counts are strings there) as symbol -> pays by count 0 to 5."""
    return {symbol: tuple(counts.get(str(n), 0) for n in range(REELS + 1)) for symbol, counts in line_pays.items()}


def symbol_law(strip: Strip) -> Counter[str]:
    """Symbol -> positions of the strip that hold it: the law of any one row of the reel."""
    return Counter(strip)


def window_law(strip: Sequence[Any], measure: Callable[[Sequence[Any]], int]) -> Law:
    """The law of a number read off a reel's window, such as how many scatters it shows (T2).

    Args:
        strip: the reel's strip, its positions of any type.
        measure: takes the three positions of a window, top to bottom.
    """
    length = len(strip)
    return dict(Counter(measure([strip[(stop + row) % length] for row in range(ROWS)]) for stop in range(length)))


def add(laws: Sequence[Law]) -> Law:
    """The law of the sum of independent numbers: the product of their polynomials."""

    def product(one: Law, other: Law) -> Law:
        result: Counter[int] = Counter()
        for a, weight in one.items():
            for b, other_weight in other.items():
                result[a + b] += weight * other_weight
        return dict(result)

    return reduce(product, laws, {0: 1})


def mean(law: Mapping[int, int]) -> Fraction:
    """The mean of a number."""
    return Fraction(sum(value * weight for value, weight in law.items()), sum(law.values()))


def line_law(reels: Sequence[Mapping[str, int]], reading: Reading) -> Law:
    """The law of what a line pays per line coin, multiplier of wilds included.

    Args:
        reels: five laws of the row that the line crosses, reel 1 to 5: symbol -> weight.
        reading: how the line is read.
    """
    result: Counter[int] = Counter()
    # A line that is still one run: (its symbol or None, its leading wilds, those of them that are `own`, a wild in it).
    runs: dict[tuple[str | None, int, int, bool], int] = {(None, 0, 0, False): 1}
    rest = [1] * (REELS + 1)
    for reel in reversed(range(REELS)):
        rest[reel] = rest[reel + 1] * sum(reels[reel].values())
    for reel in range(REELS):
        longer: Counter[tuple[str | None, int, int, bool]] = Counter()
        for run, weight in runs.items():
            symbol, leading, alone, wild = run
            for shown, positions in reels[reel].items():
                if not positions:
                    continue
                if shown in reading.wilds:
                    if symbol is None:
                        own = alone + 1 if shown == reading.own and alone == reel else alone
                        longer[None, leading + 1, own, True] += weight * positions
                    else:
                        longer[symbol, leading, alone, True] += weight * positions
                elif symbol in (None, shown):
                    longer[shown, leading, alone, wild] += weight * positions
                else:
                    result[best_pay(run, reel, reading)] += weight * positions * rest[reel + 1]
        runs = dict(longer)
    for run, weight in runs.items():
        result[best_pay(run, REELS, reading)] += weight
    return dict(result)


def best_pay(run: tuple[str | None, int, int, bool], count: int, reading: Reading) -> int:
    """What a run of `count` reels pays per line coin.

    Args:
        run: its symbol (None for wilds only), its leading wilds, those of them that are `own`, whether it has a wild.
        count: its length.
        reading: how the line is read.
    """
    symbol, leading, alone, wild = run
    none = (0,) * (REELS + 1)
    best = 0
    if symbol is not None:
        best = reading.pays.get(symbol, none)[count] * (reading.wild_multiplier if wild else 1)
    if leading:
        readings = [reading.pays[name][leading] for name in reading.wild_run]
        if reading.own is not None:
            readings.append(reading.pays[reading.own][alone])
        best = max(best, reading.wild_multiplier * max(readings, default=0))
    return best
