"""The law of the merges of a spin and its re-spins, in integers.

The chain is followed as in `respins`, but each half board carries, instead of its chance, one chance for each number of
merges so far: a polynomial, cut where counting ends. Merges of the two half boards add up, so their polynomials
multiply, and the renewal at an empty board divides polynomials instead of numbers.

The bounds of `chain` hold for polynomials, too, by the sums of their coefficients: fewer than 2^16 pairs of a state and
a count, and a series that still adds up to at most 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..chain import BITS, ONE, ROUNDING
from .half_boards import EVEN, ODD, HalfBoards, Law

COUNTED = 8  # numbers of merges that are told apart: 0 to 7; each more is some hundred times rarer

Polynomial = list[int]  # chances of 0, 1, ... COUNTED - 1 merges, in units of 1/ONE


def merge_law(boards: HalfBoards, spins: int) -> list[Fraction]:
    """How likely a spin and its re-spins have 0, 1, ..., COUNTED - 1 merges: a lower bound of each chance.

    A bound is too low by chains that go on after so many spins and by twice ROUNDING.

    Args:
        boards: of the spin's strips and the re-spins' strips.
        spins: how many are followed.
    """
    from_start, from_empty = _empty(boards, start=True), _empty(boards, start=False)
    ended: list[Polynomial] = []
    again: list[Polynomial] = []
    for spin in range(spins):
        again.append(next(from_empty))
        sooner = [0] * COUNTED
        for end, chances in enumerate(ended):
            _add_product(sooner, chances, again[spin - end])
        ended.append([chance - (less >> BITS) for chance, less in zip(next(from_start), sooner, strict=True)])
    sums = [sum(chances) for chances in zip(*ended, strict=True)]
    return [max(Fraction(chance, ONE) - ROUNDING, Fraction(0)) for chance in sums]


def _empty(boards: HalfBoards, start: bool) -> Iterator[Polynomial]:
    """How likely the board is empty after spin 0, 1, ... of a chain that never ends, by its merges.

    Args:
        start: after a first spin; else from an empty board.
    """
    halves = [_half(boards, parity, start) for parity in (ODD, EVEN)]
    while True:
        product = [0] * COUNTED
        _add_product(product, *map(next, halves))
        yield [chance >> BITS for chance in product]


def _half(boards: HalfBoards, parity: int, start: bool) -> Iterator[Polynomial]:
    """How likely one half board is empty, by its merges; `parity` is that of its first reels."""
    law = boards.after_first_spin(parity) if start else boards.nothing(parity)
    laws = [law] + [[0] * len(law)] * (COUNTED - 1)
    while True:
        yield [law[boards.empty[parity]] for law in laws]
        moved = [boards.move(parity, law) for law in laws]
        parity = 1 - parity
        laws = [boards.land(parity, law) for law in _counted(moved, boards.merges[parity])]


def _counted(laws: Sequence[Law], merges: Sequence[int]) -> list[Law]:
    """Laws by merges so far, after those of one move."""
    return [
        [laws[count - more][place] if more <= count else 0 for place, more in enumerate(merges)]
        for count in range(COUNTED)
    ]


def _add_product(total: list[int], one: Polynomial, other: Polynomial) -> None:
    for low, chance in enumerate(one):
        if chance:
            for high in range(COUNTED - low):
                total[low + high] += chance * other[high]
