"""Complete rounds with free spins, followed spin by spin: what T4 and the limit are checked against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

SpinLaw = Mapping[tuple[int, bool], int]
"""(Win, whether it triggers) -> weight."""


def round_moments(
    paid: SpinLaw, free: SpinLaw, award: Sequence[tuple[int, int]], limit: int
) -> tuple[Fraction, Fraction, Fraction]:
    """Total probability, mean and mean square of a round's win, followed spin by spin.

    Args:
        paid: law of the paid spin.
        free: law of each free spin.
        award: (spins, weight) that a trigger awards.
        limit: of free spins in the round; an award past it is cut to it.
    """
    size = sum(weight for _, weight in award)
    result = [Fraction(0)] * 3
    unit = Fraction(1)
    # Spins left -> weight, sum of the wins so far, sum of their squares. One spin is left: the paid one.
    states = {1: (1, 0, 0)}
    for played in range(limit + 1):
        following: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        for left, (weight, wins, squares) in states.items():
            for (more, triggers), windows in (free if played else paid).items():
                for spins, share in award if triggers else [(0, size)]:
                    # `played` and those left after this spin have been awarded so far.
                    granted = min(spins, limit - (played + left - 1))
                    times = windows * share
                    sums = following[left - 1 + granted]
                    sums[0] += times * weight
                    sums[1] += times * (wins + more * weight)
                    sums[2] += times * (squares + 2 * more * wins + more * more * weight)
        unit /= sum((free if played else paid).values()) * size
        for power, moment in enumerate(following.pop(0, [0, 0, 0])):
            result[power] += moment * unit
        states = {left: (sums[0], sums[1], sums[2]) for left, sums in following.items()}
    assert not states
    return result[0], result[1], result[2]


def most(paid: SpinLaw, free: SpinLaw, award: int, limit: int) -> int:
    """The largest win of a round when every trigger awards `award` spins, by trying all that each spin can be."""
    best = {triggers: max((win for win, it in free if it == triggers), default=None) for triggers in (False, True)}

    def feature(left: int, awarded: int) -> int:
        if not left:
            return 0
        granted = min(award, limit - awarded)
        results = []
        if best[False] is not None:
            results.append(best[False] + feature(left - 1, awarded))
        if best[True] is not None:
            results.append(best[True] + feature(left - 1 + granted, awarded + granted))
        return max(results)

    first = min(award, limit)
    return max(win + (feature(first, first) if triggers else 0) for win, triggers in paid)
