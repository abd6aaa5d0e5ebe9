"""Spins that win more spins (T4), and the technical limit of a feature (G-12), exactly.

A paid spin that triggers is awarded a random number of free spins; each free spin may trigger again and be awarded
more. The number awarded depends on the trigger only: it is drawn apart from the win of the spin that triggers.

With i.i.d. free spins numbered in the order of play, win X_i and mean m, whether spin i is played depends on the spins
before it alone. So the number N of spins played is a stopping time, and

    Z = X_0 + m N + M,   M = the sum of X_i - m over the N spins played

gives E[Z] = E[X_0] + m E[N] (Wald), Var[M] = E[N] Var[X], Cov[X_0, M] = 0. This holds with and without the limit, which
changes the law of N only: N = min(T, limit), T being the spins that would be played without it. For the same reason the
mean win of the spins that the limit cuts off is E[(T - limit)+] m.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

Award = tuple[tuple[int, int], ...]
"""The law of the spins awarded by a trigger: (spins, weight) pairs."""


@dataclass(frozen=True)
class Spin:
    """What one spin wins by itself, without the spins it is awarded; any unit of money.

    Attributes:
        mean: of its win.
        square: mean of its win squared.
        trigger: probability that it triggers.
        mean_on_trigger: mean of its win where it triggers, 0 where it does not.
    """

    mean: Fraction
    square: Fraction
    trigger: Fraction
    mean_on_trigger: Fraction

    @property
    def variance(self) -> Fraction:
        """Of its win."""
        return self.square - self.mean**2

    @property
    def covariance(self) -> Fraction:
        """Of its win and its trigger."""
        return self.mean_on_trigger - self.mean * self.trigger


def spin_of_windows(
    counts: Mapping[tuple[int, int], int],
    worth: Callable[[int], tuple[Fraction, Fraction]],
    triggers: Callable[[int], bool],
    multiplier: int = 1,
) -> Spin:
    """The spin whose windows were counted.

    Args:
        counts: (mark, line pay) -> windows, as of `enumeration.spectrum`.
        worth: mean and variance of what a window of this mark wins besides its lines, in the unit of the line pays.
        triggers: whether a window of this mark triggers.
        multiplier: of line pays.
    """
    sums: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (mark, line_pay), windows in counts.items():
        pay = multiplier * line_pay
        for power, weight in enumerate((1, pay, pay * pay)):
            sums[mark][power] += windows * weight
    first = second = triggering = on_trigger = Fraction(0)
    for mark, (windows, pays, squares) in sums.items():
        more, variance_of_more = worth(mark)
        win = pays + windows * more
        first += win
        second += squares + 2 * more * pays + windows * (more**2 + variance_of_more)
        if triggers(mark):
            triggering += windows
            on_trigger += win
    in_all = sum(counts.values())
    return Spin(first / in_all, second / in_all, triggering / in_all, on_trigger / in_all)


@dataclass(frozen=True)
class Played:
    """The number N of free spins played after a trigger of the paid spin.

    Attributes:
        mean: E[N].
        square: E[N^2].
        tilt: E[N M] with M as above, for spins whose win has covariance 1 with their trigger: spins that win more than
            the mean come along with more spins.
    """

    mean: Fraction
    square: Fraction
    tilt: Fraction


def unlimited(trigger: Fraction, award: Award) -> Played:
    """The spins played without a limit, in closed form.

    Args:
        trigger: probability that a free spin triggers.
        award: spins awarded by a trigger, the first and the later ones.

    Raises:
        ValueError: a spin is awarded one more spin or more in the mean, so that the feature need not end.
    """
    size = sum(weight for _, weight in award)
    mean = Fraction(sum(spins * weight for spins, weight in award), size)
    square = Fraction(sum(spins**2 * weight for spins, weight in award), size)
    left = 1 - trigger * mean
    if left <= 0:
        raise ValueError(f"a free spin is awarded {float(1 - left):.3f} free spins")
    progeny_variance = (trigger * square - (trigger * mean) ** 2) / left**3  # of one spin and all that comes of it
    return Played(mean / left, mean * progeny_variance + square / left**2, (mean / left) ** 2)


@lru_cache(maxsize=64)
def limited(trigger: Fraction, award: Award, limit: int) -> Played:
    """The spins played with at most `limit` in one feature, exactly; the arguments are those of `unlimited`.

    Goes through the spins one by one with integer weights by spins left. A feature that has been awarded `limit` spins
    plays all of them, so only features that end before are followed: E[N] = limit - E[(limit - T)+], and so on.
    """
    one, of = trigger.numerator, trigger.denominator
    size = sum(weight for _, weight in award)
    alive, tilt = [0] * limit, [0] * limit  # by spins left: weight, and the sum of the wins less their mean
    for spins, weight in award:
        if spins < limit:
            alive[spins] += weight
    mean = square = tilted = 0
    for played in range(limit):
        mean = mean * of * size + (limit - played) * alive[0]
        square = square * of * size + (limit**2 - played**2) * alive[0]
        tilted = tilted * of * size + (limit - played) * tilt[0]
        next_alive, next_tilt = [], []
        for left in range(limit - played - 1):
            quiet, quiet_tilt = size * alive[left + 1], size * tilt[left + 1]
            more = more_tilt = 0
            for spins, weight in award:
                if spins <= left and alive[left + 1 - spins]:
                    more += weight * alive[left + 1 - spins]
                    more_tilt += weight * tilt[left + 1 - spins]
            next_alive.append((of - one) * quiet + one * more)
            next_tilt.append((of - one) * quiet_tilt + one * more_tilt + of * (more - quiet))
        alive, tilt = next_alive, next_tilt
    weights = size * (of * size) ** (limit - 1)
    return Played(limit - Fraction(mean, weights), limit**2 - Fraction(square, weights), -Fraction(tilted, weights))


def cut_spins(paid_trigger: Fraction, trigger: Fraction, award: Award, limit: int) -> Fraction:
    """E[(T - limit)+]: the mean number of free spins per paid round that the limit cuts off."""
    return paid_trigger * (unlimited(trigger, award).mean - limited(trigger, award, limit).mean)


def mean(paid: Spin, free: Spin, played: Played) -> Fraction:
    """The mean win of a complete round."""
    return paid.mean + paid.trigger * played.mean * free.mean


def variance(paid: Spin, free: Spin, played: Played) -> Fraction:
    """The variance of the win of a complete round, in the square of the spins' unit."""
    spins = paid.trigger * played.mean
    spins_variance = paid.trigger * played.square - spins**2
    return (
        paid.variance
        + 2 * free.mean * paid.covariance * played.mean
        + free.mean**2 * spins_variance
        + free.variance * spins
        + 2 * free.mean * free.covariance * paid.trigger * played.tilt
    )
