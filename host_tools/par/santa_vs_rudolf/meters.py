"""The race of the two meters in one free spin with its re-spins: a law instead of a simulation.

A chain of re-spins is followed as in `respins`, but each half board carries with its chance a polynomial that counts
Rudolfs that left, Santas that left, and merges. Counts of the two half boards add up, so their polynomials multiply,
and the renewal at an empty board divides polynomials instead of numbers.

Floating point, with a bound of its error. Everything but the renewal adds and multiplies numbers that are not negative,
so relative errors add up along the spins: `Race.error` counts the longest sum of each step. The renewal subtracts, but
its inverse is one minus the law of the first return to an empty board, so it enlarges an error twice at most, and what
happens between two empty boards by the mean time between them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..chain import ONE
from .half_boards import EVEN, ODD, REELS_OF, HalfBoards
from .respins import SPINS_TO_CLEAR

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Complexes = NDArray[np.complex128]

MERGES = 4  # counted one by one; this and more are one

_ROUNDING = 2.0**-53  # the largest relative error of one operation
# The error of one product by Fourier transforms of 2,560 terms, as a sum over its terms, is below this many roundings:
# fewer than 64 in the root of the sum of squares, and 64 is the root of 4,096.
_TRANSFORM = 1 << 12


@dataclass(frozen=True)
class Race:
    """What a free spin with its re-spins does to meters of `length` spaces.

    Attributes:
        quiet: (length, length, MERGES + 1): at [i, j, m] the chance that i Rudolfs and j Santas leave and m merges
            happen; the last m stands for itself and all above.
        rudolf: (length, length): at [a, b] the chance that Rudolfs fill a + 1 spaces before Santas fill b + 1.
        santa: the other way round.
        error: a bound of the summed errors of `quiet`, and of the error of each of the others.
    """

    quiet: Floats
    rudolf: Floats
    santa: Floats
    error: float


def race(tables: Mapping[str, Any], boards: HalfBoards, ends: Sequence[int]) -> Race:
    """Work out the race in the chains of a spin and its re-spins.

    Args:
        boards: of the spin's strips and the re-spins' strips.
        ends: how likely such a chain ends with each spin, as `respins` found it, in units of 1/ONE. Chains are followed
            for that many spins.
    """
    length = tables["meter_length"]
    product = _Product(length)
    counted = _CountedBoards(boards, length)
    started, restarted = (counted.chain(product, len(ends), start) for start in (True, False))
    ended = _ended(product, started, restarted)
    quiet = ended.sum(axis=0)

    # Laws of what has left in chains that go on, summed over the spins: after them, and in the midst of their moves,
    # when Rudolfs have been counted and Santas have not.
    gone = product.transforms(ended.sum(axis=3)[:-1])[::-1]

    def going_on(unstopped: Floats, from_empty: Floats) -> Floats:
        stopped = product.counts((gone * product.transforms(from_empty.cumsum(axis=0))).sum(axis=0))
        law: Floats = unstopped.sum(axis=0) - stopped
        return law

    after = going_on(started.after[:-1], restarted.after[:-1])
    midst = going_on(started.midst[1:], restarted.midst[1:])
    rudolf = _below(after) - _below(midst)
    santa = 1 - rudolf - _below(quiet.sum(axis=2))
    return Race(quiet, rudolf, santa, _error(boards, counted, ends))


def _ended(product: _Product, started: _Chain, restarted: _Chain) -> Floats:
    """The laws of chains that end with each spin: what is empty after it, less what was empty before."""
    import numpy as np

    from_empty = product.transforms(restarted.empty)
    ended = np.zeros_like(started.empty)
    transforms = np.zeros_like(from_empty)
    for spin in range(len(ended)):
        sooner = np.einsum("kxyz,kxyz->xyz", transforms[:spin], from_empty[spin:0:-1])
        ended[spin] = started.empty[spin] - product.counts(sooner)
        transforms[spin] = product.transform(ended[spin])
    return ended


def _below(law: Floats) -> Floats:
    below: Floats = law.cumsum(axis=0).cumsum(axis=1)
    return below


def _error(boards: HalfBoards, counted: _CountedBoards, ends: Sequence[int]) -> float:
    quiet, all_ = boards.quiet
    between = SPINS_TO_CLEAR * (all_ / quiet) ** SPINS_TO_CLEAR  # mean spins between two empty boards, at most
    # Two half boards, each of which is on either parity of reels for half of the spins.
    one_spin = 2 * (len(ends) * counted.operations + 2 * counted.sums) + _TRANSFORM
    return (ONE - sum(ends)) / ONE + len(ends) * one_spin * _ROUNDING * (2 + between)


@dataclass(frozen=True)
class _Chain:
    """A chain that never ends, spin 0 and its re-spins: laws of counts.

    Attributes:
        empty: (spins, length, length, MERGES + 1): with an empty board after the spin.
        midst: (spins, length, length): Rudolfs that left up to this spin's move, Santas up to the one before.
        after: (spins, length, length): both up to this spin's move.
    """

    empty: Floats
    midst: Floats
    after: Floats


class _Product:
    """Products of laws of counts: (Rudolfs, Santas) below `length`, or those and merges up to MERGES or more."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._shape = (2 * length, 2 * length, 2 * (MERGES + 1))

    def transform(self, law: Floats) -> Complexes:
        import numpy as np

        return np.fft.rfftn(law, self._shape[: law.ndim], axes=tuple(range(law.ndim)))

    def transforms(self, laws: Floats) -> Complexes:
        """The transform of each of several laws."""
        import numpy as np

        axes = tuple(range(1, laws.ndim))
        return np.fft.rfftn(laws, self._shape[: laws.ndim - 1], axes=axes)

    def counts(self, transform: Complexes) -> Floats:
        """The law that has this transform, cut to the counts that matter."""
        import numpy as np

        law = np.fft.irfftn(transform, self._shape[: transform.ndim], axes=tuple(range(transform.ndim)))
        law = law[: self._length, : self._length]
        if law.ndim == 2:
            return law
        law[:, :, MERGES] = law[:, :, MERGES:].sum(axis=2)
        return law[:, :, : MERGES + 1]

    def __call__(self, one: Floats, other: Floats) -> Floats:
        return self.counts(self.transform(one) * self.transform(other))


class _CountedBoards:
    """Half boards that carry laws of counts.

    Attributes:
        operations: the longest sums of two re-spins of a half board, one on each parity of reels: that many roundings
            enter its law at most.
        sums: terms of the longest sum over a law.

    Args:
        length: spaces of a meter.
    """

    def __init__(self, boards: HalfBoards, length: int) -> None:
        import numpy as np

        self._boards = boards
        self._shape = (length, length, MERGES + 1)
        self._matrices = []
        for landing, moved, landed in zip(boards.landings, boards.moved, boards.landed, strict=True):
            matrix = np.zeros((len(landed), len(moved)))
            for start, end, stops in landing.steps:
                matrix[end, start] = stops / landing.stops
            self._matrices.append(matrix)
        self._moves = [_grouped_moves(boards, parity) for parity in (ODD, EVEN)]
        self.operations = sum(2 + int((matrix > 0).sum(axis=1).max()) for matrix in self._matrices)
        self.operations += sum(max(Counter(move.to for move in moves).values()) for moves in boards.moves)
        self.sums = (MERGES + 1) * max(len(moves) for moves in boards.moves)

    def chain(self, product: _Product, spins: int, start: bool) -> _Chain:
        """Follow both half boards from a first spin (`start`) or from an empty board."""
        import numpy as np

        length = self._shape[0]
        chain = _Chain(np.zeros((spins, *self._shape)), *(np.zeros((spins, length, length)) for _ in range(2)))
        halves = [self._half(parity, start) for parity in (ODD, EVEN)]
        for spin in range(spins):
            (empty, midst, after), (other_empty, other_midst, other_after) = (next(half) for half in halves)
            chain.empty[spin] = product(empty, other_empty)
            chain.midst[spin] = product(midst, other_midst)
            chain.after[spin] = product(after, other_after)
        return chain

    def _half(self, parity: int, start: bool) -> Iterator[tuple[Floats, Floats, Floats]]:
        import numpy as np

        first = (self._boards.after_first_spin if start else self._boards.nothing)(parity)
        law = np.zeros((len(first), *self._shape))
        law[:, 0, 0, 0] = [weight / ONE for weight in first]
        midst = after = law.sum(axis=(0, 3))
        while True:
            yield law[self._boards.empty[parity]], midst, after
            law, midst = self._move(parity, law)
            parity = 1 - parity
            after = law.sum(axis=(0, 3))
            law = self._land(parity, law)

    def _move(self, parity: int, law: Floats) -> tuple[Floats, Floats]:
        import numpy as np

        length = self._shape[0]
        merges = self._boards.merges[1 - parity]
        moved = np.zeros((len(merges), *self._shape))
        midst = np.zeros((length, length))
        for (rudolfs, santas), (places, starts, targets) in self._moves[parity].items():
            arrived = np.add.reduceat(law[places], starts, axis=0)[:, : length - rudolfs]
            midst[rudolfs:] += arrived.sum(axis=(0, 3))
            moved[targets, rudolfs:, santas:] += arrived[:, :, : length - santas]
        for place, count in enumerate(merges):
            if count:
                board = moved[place]
                board[:, :, MERGES] = board[:, :, MERGES - count :].sum(axis=2)
                board[:, :, count:MERGES] = board[:, :, : MERGES - count].copy()
                board[:, :, :count] = 0
        return moved, midst

    def _land(self, parity: int, law: Floats) -> Floats:
        import numpy as np

        places = len(law)
        before = 1
        for reel in REELS_OF[parity]:
            matrix = self._matrices[reel]
            landed, moved = matrix.shape
            law = np.matmul(matrix, law.reshape(before, moved, -1))
            places = places // moved * landed
            before *= landed
        return law.reshape(places, *self._shape)


def _grouped_moves(boards: HalfBoards, parity: int) -> dict[tuple[int, int], tuple[Any, Any, Any]]:
    """(Rudolfs, Santas) that leave -> the half boards of which they do, sorted by where the move takes them; where in
    that list each target starts; the targets."""
    import numpy as np

    groups = defaultdict(list)
    for place, move in enumerate(boards.moves[parity]):
        groups[move.rudolfs, move.santas].append((move.to, place))
    result = {}
    for counts, steps in groups.items():
        steps.sort()
        targets, starts = np.unique([to for to, _ in steps], return_index=True)
        result[counts] = np.array([place for _, place in steps]), starts, targets
    return result
