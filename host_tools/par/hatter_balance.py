"""Makes the three hatters of Mad Hatters equally good: the choice may not move the return (math.md)."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from .designed_figures import Tables, changed, ranks
from .law import ROWS
from .strip_order import order, spacing

Levels = list[tuple[float, tuple[str, ...]]]

MODE, REEL = "free", 2  # where the chosen hatter expands (MH-05)


def gathered(tables: Tables, seed: int, neighbours: Mapping[str, Sequence[str]] | None = None) -> Tables:
    """The tables with reel 3 of the free spins in an order where each hatter stands in one run.

    Args:
        tables: of Mad Hatters.
        seed: another seed gives another order.
        neighbours: hatter -> the four symbols beside his run, two before it and two after.
    """
    counts = Counter(tables["strips"][MODE][REEL])
    beside = neighbours or dict.fromkeys(tables["hatters"], ())
    pieces = [[*some[:2], *[hatter] * counts[hatter], *some[2:]] for hatter, some in beside.items()]
    return changed(tables, {("strips", MODE, REEL): order(counts, spacing(tables, MODE, REEL), seed, pieces)})


def balanced(
    tables: Tables,
    target: Fraction,
    near: float,
    tolerance: Fraction,
    seed: int,
    measure: Callable[[Tables], Mapping[str, Fraction]],
) -> Tables | None:
    """The tables with reel 3 of the free spins in an order that makes all hatters return the same.

    An expanding hatter covers the two symbols on either side of his run, and the return depends on the order of the
    strip through these alone. So each hatter's four neighbours are chosen for one common return.

    Args:
        tables: of Mad Hatters, `gathered`.
        target: the return.
        near: how far from it the common return may be.
        tolerance: how far apart the hatters may be.
        seed: of the order of the rest of the strip.
        measure: the exact return by hatter.

    Returns:
        The tables, or None when there is no such order: then the hatters need other counts.
    """
    counts = Counter(tables["strips"][MODE][REEL])
    low = [symbol for symbol in ranks(tables) if symbol not in (tables["wild"], *tables["hatters"])]
    low.sort(key=lambda symbol: counts[symbol])

    def levels(hatter: str) -> Levels:
        return _levels(lambda some: float(measure(gathered(tables, seed, {hatter: some}))[hatter]), low)

    first, *others = map(levels, tables["hatters"])
    found: list[tuple[float, list[tuple[str, ...]]]] = []
    for level, beside in first:
        if abs(level - target) > near:
            continue
        nearest = [_nearest(other, level) for other in others]
        chosen = [beside, *(some for _, some in nearest)]
        apart = max(abs(other - level) for other, _ in nearest)
        if apart <= tolerance and not Counter(itertools.chain(*chosen)) - counts:
            found.append((apart, chosen))
    for _, chosen in sorted(found):
        design = gathered(tables, seed, dict(zip(tables["hatters"], chosen, strict=True)))
        after = measure(design).values()
        if max(after) - min(after) <= tolerance:
            return design
    return None


def _levels(level: Callable[[Sequence[str]], float], symbols: Sequence[str]) -> Levels:
    """The level of every choice of four neighbours, lowest first; each neighbour adds its own part to it."""
    places = 2 * (ROWS - 1)
    plain = (symbols[-1],) * places
    start = level(plain)
    parts = [
        {symbol: level((*plain[:place], symbol, *plain[place + 1 :])) - start for symbol in symbols}
        for place in range(places)
    ]
    return sorted(
        (start + sum(part[symbol] for part, symbol in zip(parts, some, strict=True)), some)
        for some in itertools.product(symbols, repeat=places)
    )


def _nearest(levels: Levels, level: float) -> tuple[float, tuple[str, ...]]:
    at = bisect_left(levels, (level,))
    return min(levels[max(0, at - 1) : at + 1], key=lambda other: abs(other[0] - level))
