"""The wilds on the reels as two half boards that never meet.

A Rudolf moves one reel right and a Santa one reel left on every spin, so reel plus spin number keeps its parity for
both. Wilds of different parity never share a cell: they do not merge, nor cover each other's landings. And what lands
on one parity of reels is decided by the stops of those reels alone. So, as long as spins go on whatever is on the
board, the wilds of the two parities are independent: one half board lies on reels 1, 3, 5 and then on 2, 4, and so on,
the other the other way round.

A reel of a half board holds (rudolfs, santas), each a mask of three rows. After a move the masks overlap where a Rudolf
and a Santa merged; after the landing the merged wild counts as gone (SR-05).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from ..chain import ONE
from ..law import REELS, ROWS, Strip

ODD, EVEN = 0, 1  # reels 1, 3, 5 and reels 2, 4
REELS_OF = ((0, 2, 4), (1, 3))  # numbered from 0

Content = tuple[int, int]
Law = list[int]  # of a half board, in units of 1/ONE

EMPTY: Content = (0, 0)


@dataclass(frozen=True)
class Landing:
    """The landing on one reel, as weighted steps from its content after the move to its content after the landing.

    Attributes:
        steps: (moved content, content, stops of the strip), contents by their place in `moved` and `landed`.
        stops: length of the strip.
    """

    steps: list[tuple[int, int, int]]
    stops: int


@dataclass(frozen=True)
class Move:
    """What the move makes of a half board, by its place in the law.

    Attributes:
        to: its place in the moved law of the other reels.
        rudolfs: Rudolfs that leave the reels.
        santas: Santas that leave the reels.
    """

    to: int
    rudolfs: int
    santas: int


class HalfBoards:
    """Both parities of reels: which half boards there can be, how they move and what lands on them.

    A half board has a place in a law: the places of its reels' contents, reel by reel, as the digits of a number.

    Attributes:
        moved: for each reel, its possible contents after a move.
        landed: for each reel, its possible contents after a landing.
        landings: for each reel, the landing in re-spins.
        moves: for each parity, what the move makes of each half board.
        merges: for each parity, the merges on each moved half board.
        covered: for each parity, the masks of covered rows of its reels, of each moved half board.
        empty: for each parity, the place of the empty half board.
        quiet: the chance that no wild lands in a re-spin, as a numerator and a denominator.
    """

    def __init__(self, tables: Mapping[str, Any], first: Sequence[Strip], again: Sequence[Strip]) -> None:
        rudolf, santa = tables["wilds"]["rudolf"], tables["wilds"]["santa"]
        self._first = [_landing_law(strip, rudolf, santa) for strip in first]
        laws = [_landing_law(strip, rudolf, santa) for strip in again]
        self.moved, self.landed = _contents(self._first, laws)
        self.landings = [_landing(laws[reel], self.moved[reel], self.landed[reel]) for reel in range(REELS)]
        self.quiet = (prod(law[EMPTY] for law in laws), prod(len(strip) for strip in again))
        self.moves = [self._moves(parity) for parity in (ODD, EVEN)]
        moved = [list(product(*(self.moved[reel] for reel in reels))) for reels in REELS_OF]
        self.merges = [[sum((r & s).bit_count() for r, s in board) for board in boards] for boards in moved]
        self.covered = [[tuple(r | s for r, s in board) for board in boards] for boards in moved]
        self.empty = [self._place(parity, [EMPTY] * len(REELS_OF[parity])) for parity in (ODD, EVEN)]
        self._steps = [self._flat_steps(parity) for parity in (ODD, EVEN)]

    def after_first_spin(self, parity: int) -> Law:
        """The law of a half board after the first spin, on these reels."""
        laws = [self._first[reel] for reel in REELS_OF[parity]]
        windows = prod(law.total() for law in laws)
        boards = product(*(self.landed[reel] for reel in REELS_OF[parity]))
        return [
            ONE * prod(law[content] for law, content in zip(laws, board, strict=True)) // windows for board in boards
        ]

    def nothing(self, parity: int) -> Law:
        """The law of an empty half board on these reels."""
        law = [0] * len(self.moves[parity])
        law[self.empty[parity]] = ONE
        return law

    def spins(self, parity: int, law: Law) -> Iterator[tuple[int, Law, Law]]:
        """Go on with re-spins for ever.

        Args:
            parity: of the reels that the half board is on.
            law: of the half board.

        Yields:
            For each re-spin the parity of its reels, the law of the half board after the move, and after the landing.
        """
        while True:
            moved = self.move(parity, law)
            parity = 1 - parity
            law = self.land(parity, moved)
            yield parity, moved, law

    def move(self, parity: int, law: Law) -> Law:
        """The law of a half board on reels of this parity, moved to those of the other."""
        moved = [0] * len(self.merges[1 - parity])
        for weight, move in zip(law, self.moves[parity], strict=True):
            if weight:
                moved[move.to] += weight
        return moved

    def land(self, parity: int, moved: Law) -> Law:
        """The law of a moved half board on reels of this parity, after the landing of a re-spin."""
        law = moved
        for size, steps, stops in self._steps[parity]:
            longer = [0] * size
            for start, end, weight in steps:
                longer[end] += law[start] * weight
            law = [weight // stops for weight in longer]
        return law

    def _place(self, parity: int, board: Sequence[Content], contents: Sequence[list[Content]] | None = None) -> int:
        contents = self.landed if contents is None else contents
        place = 0
        for reel, content in zip(REELS_OF[parity], board, strict=True):
            place = place * len(contents[reel]) + contents[reel].index(content)
        return place

    def _moves(self, parity: int) -> list[Move]:
        reels = REELS_OF[parity]
        moves = []
        for board in product(*(self.landed[reel] for reel in reels)):
            rudolfs = {reel + 1: r for reel, (r, _) in zip(reels, board, strict=True)}
            santas = {reel - 1: s for reel, (_, s) in zip(reels, board, strict=True)}
            moved = [(rudolfs.get(reel, 0), santas.get(reel, 0)) for reel in REELS_OF[1 - parity]]
            place = self._place(1 - parity, moved, self.moved)
            moves.append(Move(place, rudolfs.get(REELS, 0).bit_count(), santas.get(-1, 0).bit_count()))
        return moves

    def _flat_steps(self, parity: int) -> list[tuple[int, list[tuple[int, int, int]], int]]:
        """The landings of the reels one after the other, as steps between places of whole half boards."""
        reels = REELS_OF[parity]
        result = []
        for at, reel in enumerate(reels):
            before = prod(len(self.landed[other]) for other in reels[:at])
            after = prod(len(self.moved[other]) for other in reels[at + 1 :])
            moved, landed = len(self.moved[reel]), len(self.landed[reel])
            steps = [
                ((outer * moved + start) * after + inner, (outer * landed + end) * after + inner, weight)
                for outer in range(before)
                for start, end, weight in self.landings[reel].steps
                for inner in range(after)
            ]
            result.append((before * landed * after, steps, self.landings[reel].stops))
        return result


def _landing_law(strip: Strip, rudolf: str, santa: str) -> Counter[Content]:
    """The wilds that a window of the strip shows -> its stops."""
    length = len(strip)
    law: Counter[Content] = Counter()
    for stop in range(length):
        shown = [strip[(stop + row) % length] for row in range(ROWS)]
        rudolfs = sum(1 << row for row in range(ROWS) if shown[row] == rudolf)
        santas = sum(1 << row for row in range(ROWS) if shown[row] == santa)
        law[rudolfs, santas] += 1
    return law


def _landed(moved: Content, landing: Content) -> Content:
    """A reel after the landing: what lands on a walking or merged wild does not exist."""
    covered = moved[0] | moved[1]
    return moved[0] & ~moved[1] | landing[0] & ~covered, moved[1] & ~moved[0] | landing[1] & ~covered


def _contents(
    first: Sequence[Counter[Content]], again: Sequence[Counter[Content]]
) -> tuple[list[list[Content]], list[list[Content]]]:
    """What each reel can hold after a move and after a landing; some of it may be out of reach together."""
    landed = [{EMPTY, *law} for law in first]
    while True:
        moved = []
        for reel in range(REELS):
            rudolfs = {r for r, _ in landed[reel - 1]} if reel else {0}
            santas = {s for _, s in landed[reel + 1]} if reel < REELS - 1 else {0}
            moved.append(set(product(rudolfs, santas)))
        longer = [
            landed[reel] | {_landed(content, landing) for content in moved[reel] for landing in again[reel]}
            for reel in range(REELS)
        ]
        if longer == landed:
            return [sorted(contents) for contents in moved], [sorted(contents) for contents in landed]
        landed = longer


def _landing(law: Counter[Content], moved: list[Content], landed: list[Content]) -> Landing:
    steps: Counter[tuple[int, int]] = Counter()
    for start, content in enumerate(moved):
        for landing, stops in law.items():
            steps[start, landed.index(_landed(content, landing))] += stops
    return Landing([(start, end, stops) for (start, end), stops in steps.items()], law.total())
