"""Sessions of free spins: how many spins, what their limit takes away, and which bonus ends them.

Free spins start on empty reels and their re-spins are played out, so the chains of a session are independent and alike
(SR-07, SR-08); what links them is the number of spins left and the two meters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...errors import CheckFailed
from ..chain import Certified
from .merges import COUNTED
from .meters import MERGES, Race

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NEGLIGIBLE = 1e-30  # of a chance: even a thousand of them stay below the roundings
_ROUNDING = 2.0**-53  # the largest relative error of one operation


@dataclass(frozen=True)
class Session:
    """The means of a session that starts with a given award.

    Attributes:
        spins: free spins if there were no limit.
        cut: free spins that the limit takes away (G-12), those counted in that the lost ones would have won.
        rudolf_spins: the chance that the session ends with Rudolf Spins.
        gifts: the chance that it ends with Santa's Gifts.
    """

    spins: Certified
    cut: Certified
    rudolf_spins: Certified
    gifts: Certified


def session(
    tables: Mapping[str, Any], award: int, merges: Certified, race: Race, merge_law: Sequence[Fraction]
) -> Session:
    """Work out a session.

    Args:
        award: free spins that it starts with.
        merges: mean merges of a free spin with its re-spins.
        race: what one free spin with its re-spins does to the meters.
        merge_law: how likely it has 0, 1, 2, ... merges: lower bounds.

    Raises:
        CheckFailed: free spins win so many more that without the limit a session might not end.
    """
    more = tables["free_merge_free_spins"]
    if merges.high * more >= 1:
        raise CheckFailed("a free spin wins one more or more on average", "give the free spins' strips fewer wilds")
    # The number of spins is a stopping time, so its mean is that of a branching process (T4).
    spins = Certified(award / (1 - more * merges.low), award / (1 - more * merges.high))

    # Chains that the law leaves out count as chains without merges, so less is cut off than it should be. Each merge
    # left out is worth no more than all that its free spins can win.
    left_out = merges.high - sum((count * chance for count, chance in enumerate(merge_law)), Fraction(0))
    most_left_out = spins.high * left_out * more / (1 - more * merges.high)
    lost, rounding = _spins_cut(tables, award, merge_law[1:]), _rounding(tables)
    cut = Certified(
        lost * (1 - rounding) / (1 - more * merges.low),
        lost * (1 + rounding) / (1 - more * merges.high) + most_left_out,
    )

    error = spins.high * Fraction(2 * race.error + float(race.quiet[:, :, MERGES].sum()))
    bonuses = [
        Certified(max(chance * (1 - rounding) - error, Fraction(0)), chance * (1 + rounding) + error)
        for chance in _bonuses(tables, award, race)
    ]
    return Session(spins, cut, *bonuses)


def _rounding(tables: Mapping[str, Any]) -> Fraction:
    """The relative error of the sums below: of each spin every operation on the longest way through them."""
    limit = tables["free_spins_limit"]
    one_spin = limit + tables["meter_length"] ** 2 + 2 * max(COUNTED, MERGES + 1)
    return Fraction(limit * one_spin * _ROUNDING)


def _spins_cut(tables: Mapping[str, Any], award: int, merging: Sequence[Fraction]) -> Fraction:
    """Mean free spins that merges award past the limit, those not counted in that the lost ones would have won.

    Args:
        merging: the chances of 1, 2, ... merges; other chains have none.
    """
    more, limit = tables["free_merge_free_spins"], tables["free_spins_limit"]
    chances = [float(1 - sum(merging)), *map(float, merging)]
    cut = [float(max(award - limit, 0))]
    left = {min(award, limit): 1.0}
    for played in range(1, limit + 1):
        longer: dict[int, float] = {}
        for spins, weight in left.items():
            for count, chance in enumerate(chances):
                room = limit - (played - 1) - spins
                granted = min(more * count, room)
                if granted < more * count:
                    cut.append(weight * chance * (more * count - granted))
                longer[spins - 1 + granted] = longer.get(spins - 1 + granted, 0.0) + weight * chance
        longer.pop(0, None)
        left = longer
    return Fraction(math.fsum(cut))


def _bonuses(tables: Mapping[str, Any], award: int, race: Race) -> tuple[Fraction, Fraction]:
    """The chances that the session ends with Rudolf Spins, with Santa's Gifts."""
    import numpy as np

    more, limit, length = tables["free_merge_free_spins"], tables["free_spins_limit"], tables["meter_length"]
    steps = [_steps(race.quiet[:, :, count]) for count in range(MERGES + 1)]
    # How likely the next chain fills a meter, by the spaces that are filled already.
    fills = [chances[::-1, ::-1].reshape(-1) for chances in (race.rudolf, race.santa)]
    won = [0.0, 0.0]
    left = np.zeros((limit + 1, length * length))  # free spins left, spaces filled, while both meters have room
    left[min(award, limit), 0] = 1.0
    for played in range(1, limit + 1):
        room = limit - played  # the most that can be left after this spin
        left[0] = 0.0
        left[left.sum(axis=1) < _NEGLIGIBLE] = 0.0
        reached = np.flatnonzero(left.any(axis=1))
        if not reached.size:
            break
        playing = left[1 : reached[-1] + 1]
        won = [sum_ + float((playing @ chances).sum()) for sum_, chances in zip(won, fills, strict=True)]
        left = np.zeros((limit + 1, length * length))
        for count, step in enumerate(steps):
            granted = playing @ step  # its row is what was left after the spin was taken
            inside = max(0, min(len(granted), room - more * count))
            left[more * count : more * count + inside] += granted[:inside]
            left[room] += granted[inside:].sum(axis=0)
    return Fraction(won[0]), Fraction(won[1])


def _steps(quiet: Floats) -> Floats:
    """The matrix that adds counts of this law to the spaces filled; what fills a meter drops out."""
    import numpy as np

    length = len(quiet)
    steps = np.zeros((length, length, length, length))
    for rudolfs in range(length):
        for santas in range(length):
            steps[rudolfs, santas, rudolfs:, santas:] = quiet[: length - rudolfs, : length - santas]
    return steps.reshape(length * length, length * length)
