"""A spin and its re-spins up to the empty board: mean line pay and merges, certified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...errors import CheckFailed
from ..chain import BITS, ONE, ROUNDING, Certified, first_empty, folded
from ..law import Strip
from .half_boards import EVEN, ODD, REELS_OF, HalfBoards, Law
from .line_means import LineMeans

SPINS_TO_CLEAR = 5  # of re-spins on which no wild lands: a Rudolf on reel 1 is gone after five moves


@dataclass(frozen=True)
class Respins:
    """The means of one spin with all its re-spins.

    Attributes:
        spin: line pay of the spin itself, in coins at line bet 1, exact.
        respins: line pay of its re-spins, likewise.
        merges: merges on one re-spin -> mean number of such re-spins.
        ends: the chance that the chain ends with spin 0 (no re-spin), 1, 2, ..., in units of 1/ONE.
    """

    spin: Fraction
    respins: Certified
    merges: dict[int, Certified]
    ends: list[int]

    @property
    def mean_merges(self) -> Certified:
        """Mean merges of the chain."""
        low = sum((count * spins.low for count, spins in self.merges.items()), Fraction(0))
        high = sum((count * spins.high for count, spins in self.merges.items()), Fraction(0))
        return Certified(low, high)


def respins(
    tables: Mapping[str, Any],
    first: Sequence[Strip],
    again: Sequence[Strip],
    lines: Sequence[Sequence[int]],
    tolerance: Fraction = Fraction(1, 10**18),
) -> Respins:
    """Work out a spin on the strips `first` with its re-spins on the strips `again`.

    Args:
        lines: the enabled line patterns, five rows each, 1 = top.
        tolerance: spins are followed until the mean number of those left is less than this.

    Raises:
        CheckFailed: a wild lands on every re-spin, so that the chain may never end.
    """
    boards = HalfBoards(tables, first, again)
    if not boards.quiet[0]:
        raise CheckFailed("a wild lands on every re-spin: the chain does not end", "give the strips fewer wilds")
    reading = LineMeans(tables, again)
    observed = _Observed(boards, reading, lines)
    chain = zip(observed.spins(start=True), observed.spins(start=False), strict=True)
    # After this many re-spins in a row without a landing the board is empty, whatever it was before.
    cleared = Fraction(*boards.quiet) ** SPINS_TO_CLEAR
    most_to_come = SPINS_TO_CLEAR / cleared

    unstopped, from_empty = [observed.empty_after_first_spin()], [ONE]
    ends: list[int] = []
    first_empty(unstopped, from_empty, ends)
    going_on = ONE - ends[0]
    bring_from_empty: list[list[int]] = [[0] * observed.size]
    sums = [0] * observed.size
    while most_to_come * going_on >= tolerance * ONE:
        (empty, brings), (empty_again, brings_again) = next(chain)
        unstopped.append(empty)
        from_empty.append(empty_again)
        bring_from_empty.append(brings_again)
        spin = len(ends)
        for number, brought in enumerate(brings):
            sums[number] += brought - folded(ends, [row[number] for row in bring_from_empty], spin, spin)
        first_empty(unstopped, from_empty, ends)
        going_on -= ends[-1]
    rest = most_to_come * going_on / ONE

    def certified(total: int, unit: int, most: int) -> Certified:
        value = Fraction(total, ONE * unit)
        return Certified(value - ROUNDING, value + rest * most + ROUNDING)

    spin_means = LineMeans(tables, first)
    return Respins(
        Fraction(len(lines) * spin_means.coins[0], spin_means.windows),
        certified(sums[0], reading.windows, len(lines) * reading.most),
        {count: certified(sums[count], 1, 1) for count in range(1, observed.size)},
        ends,
    )


class _Observed:
    """What a chain that never ends brings on each re-spin: mean line pay, then the chance of each number of merges."""

    def __init__(self, boards: HalfBoards, means: LineMeans, lines: Sequence[Sequence[int]]) -> None:
        self._boards = boards
        self._means = means
        self.most_merges = max(boards.merges[ODD]) + max(boards.merges[EVEN])
        self.size = 1 + self.most_merges
        # Lines that cross the same rows of a half board share the law of their covered cells.
        rows = [[tuple(line[reel] for reel in reels) for line in lines] for reels in REELS_OF]
        self._pairs = Counter(zip(*rows, strict=True))
        self._masks = [
            {
                crossed: [_mask(REELS_OF[parity], crossed, board) for board in boards.covered[parity]]
                for crossed in of_line
            }
            for parity, of_line in enumerate(rows)
        ]

    def empty_after_first_spin(self) -> int:
        odd, even = (self._boards.after_first_spin(parity)[self._boards.empty[parity]] for parity in (ODD, EVEN))
        return odd * even >> BITS

    def spins(self, start: bool) -> Iterator[tuple[int, list[int]]]:
        """Yields for each re-spin the chance of an empty board after it and what it brings.

        Args:
            start: after a first spin; else from an empty board.
        """
        law = self._boards.after_first_spin if start else self._boards.nothing
        halves = [self._boards.spins(parity, law(parity)) for parity in (ODD, EVEN)]
        while True:
            moved: list[Law] = [[], []]
            empty = ONE
            for half in halves:
                parity, moved[parity], landed = next(half)
                empty = empty * landed[self._boards.empty[parity]] >> BITS
            yield empty, [self._lines(moved), *self._merges(moved)]

    def _lines(self, moved: list[Law]) -> int:
        covered = [
            {crossed: _gathered(law, masks) for crossed, masks in self._masks[parity].items()}
            for parity, law in enumerate(moved)
        ]
        coins = self._means.coins
        total = 0
        for (odd, even), times in self._pairs.items():
            for mask, weight in covered[ODD][odd].items():
                means = sum(other * coins[mask | both] for both, other in covered[EVEN][even].items())
                total += times * weight * means
        return total >> BITS

    def _merges(self, moved: list[Law]) -> list[int]:
        odd, even = (_gathered(law, self._boards.merges[parity]) for parity, law in enumerate(moved))
        chances = [0] * self.size
        for count, weight in odd.items():
            for other, other_weight in even.items():
                chances[count + other] += weight * other_weight
        return [chance >> BITS for chance in chances[1:]]


def _mask(reels: Sequence[int], rows: Sequence[int], covered: Sequence[int]) -> int:
    """The covered cells of a line, on these reels."""
    return sum(1 << reel for reel, row, mask in zip(reels, rows, covered, strict=True) if mask >> row - 1 & 1)


def _gathered(law: Law, keys: Sequence[int]) -> Counter[int]:
    result: Counter[int] = Counter()
    for key, weight in zip(keys, law, strict=True):
        if weight:
            result[key] += weight
    return result
