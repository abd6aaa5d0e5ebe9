"""Means of what a line pays both ways, with any of its five cells forced wild (T3, the overlay mask).

On a row that no wild covers a strip shows each symbol as often as it holds it, wilds that land there included (T1), and
reels are independent. So the mean depends only on which cells of the line are covered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from operator import mul
from typing import Any

from ..law import REELS, Strip, pays_by_count

Pays = tuple[tuple[int, ...], ...]  # of each symbol, by count 0 to 5


class LineMeans:
    """The mean pay of a line for each mask of covered cells, on one set of strips.

    Attributes:
        coins: 32 numerators in coins at line bet 1; bit r of the position: reel r + 1 is covered.
        windows: their denominator, the number of windows.
        most: the most that a line can pay.
    """

    def __init__(self, tables: Mapping[str, Any], strips: Sequence[Strip]) -> None:
        names = list(tables["line_pays"])
        pays = pays_by_count(tables["line_pays"])
        pay = both_ways(tuple(pays[name] for name in names), names.index(tables["wild_run_pays_as"]))
        wilds = set(tables["wilds"].values())
        # A symbol that pays nothing ends every run, like any other of its kind: one name for all of them.
        others = {symbol for strip in strips for symbol in strip} - wilds - set(names)
        self.coins = _overlays(pay, [_row_law(strip, names, wilds, others) for strip in strips])
        self.windows = 1
        for strip in strips:
            self.windows *= len(strip)
        self.most = max(pay)


def _row_law(strip: Strip, names: Sequence[str], wilds: set[str], others: set[str]) -> list[int]:
    counts = Counter(strip)
    return [
        *(counts[name] for name in names),
        sum(counts[name] for name in others),
        sum(counts[name] for name in wilds),
    ]


@cache
def both_ways(pays: Pays, sleigh: int) -> list[int]:
    """What each row of five symbols pays, read from both sides; the larger counts (SR-01).

    Args:
        pays: of each paying symbol by count.
        sleigh: the symbol that a leading run of wilds pays as.

    Returns:
        By five digits, the first reel highest: 0, 1, ... the paying symbols, then one that pays nothing, then a wild.
    """
    kinds = len(pays) + 2
    left = [_from_left(run, pays, sleigh) for run in product(range(kinds), repeat=REELS)]
    mirrored = [0] * len(left)
    for at in range(len(left)):
        digits, reverse = at, 0
        for _ in range(REELS):
            digits, digit = divmod(digits, kinds)
            reverse = reverse * kinds + digit
        mirrored[at] = left[reverse]
    return list(map(max, left, mirrored))


def _from_left(run: Sequence[int], pays: Pays, sleigh: int) -> int:
    nothing = len(pays)
    wild = nothing + 1
    first, leading, count = wild, 0, 0
    for symbol in run:
        if symbol == wild:
            leading += first == wild
        elif first == wild:
            first = symbol
        elif symbol != first:
            break
        count += 1
    best = pays[sleigh][leading]
    if first < nothing:
        best = max(best, pays[first][count])
    return best


def _overlays(pay: list[int], laws: Sequence[list[int]]) -> list[int]:
    """Sum the last reel away, then the one before it; each with its law and with a wild in its place."""
    partial = {0: pay}
    for reel in reversed(range(REELS)):
        law = laws[reel]
        kinds, stops = len(law), sum(law)
        shorter = {}
        for mask, values in partial.items():
            blocks = [values[at : at + kinds] for at in range(0, len(values), kinds)]
            shorter[mask] = [sum(map(mul, block, law)) for block in blocks]
            shorter[mask | 1 << reel] = [block[-1] * stops for block in blocks]
        partial = shorter
    return [partial[mask][0] for mask in range(1 << REELS)]
