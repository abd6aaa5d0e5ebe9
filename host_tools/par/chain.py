"""Chains of spins that end at the first empty board, worked out from the same chain if it never ended.

Let a chain go on past its end: spins are drawn on an empty board as on any other. Such an unstopped chain can be much
simpler than one that stops (here it falls apart into independent halves), and stopping it is a renewal argument: from
the spin on which the board is first empty, it goes on as a chain that starts empty. So with

    u(t)  the chance that the unstopped chain is empty after spin t,
    v(t)  the same for a chain that starts empty (spin 0 has left nothing), v(0) = 1,
    f(t)  the chance that the board is empty after spin t for the first time,

    u(t) = f(0) v(t) + ... + f(t) v(0)

gives f one by one, and what spin t brings before the end is what it brings unstopped, less what it brings when the end
came at a spin k < t: the sum of f(k) times what spin t - k brings from an empty start.

Numbers are integers in units of 1/ONE = 2^-160, rounded down. In a chain of fewer than 2^12 spins with fewer than 2^16
states a law is wrong by less than 2^29 units in all, what a spin brings (less than 2^16) by 2^45, its sums over the
spins by 2^57, and what was taken away because chains had ended by 2^12 times that: f is u times a series whose terms
add up to at most 2, so the end of a chain enlarges no error. ROUNDING = 2^-80 is far above, and the bounds include it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

BITS = 160
ONE = 1 << BITS
ROUNDING = Fraction(1, 1 << 80)


@dataclass(frozen=True)
class Certified:
    """A number known to lie between two bounds."""

    low: Fraction
    high: Fraction

    @classmethod
    def exact(cls, value: Fraction | int) -> Certified:
        """A number that is known."""
        return cls(Fraction(value), Fraction(value))

    def __add__(self, other: Certified) -> Certified:
        return Certified(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Certified) -> Certified:
        """The product of two numbers that are not negative; a lower bound below 0 says no more than 0."""
        return Certified(max(self.low, Fraction(0)) * max(other.low, Fraction(0)), self.high * other.high)

    @property
    def value(self) -> Fraction:
        """The middle of the bounds."""
        return (self.low + self.high) / 2

    @property
    def error(self) -> Fraction:
        """The most that the value can be wrong by."""
        return (self.high - self.low) / 2


def first_empty(unstopped: Sequence[int], from_empty: Sequence[int], first: list[int]) -> None:
    """Append to `first` the chance of each spin that it is the first to leave the board empty.

    Args:
        unstopped: u(0), u(1), ... in units of 1/ONE.
        from_empty: v(0), v(1), ..., as long.
        first: f(0), f(1), ...; those it holds are not computed again.
    """
    for spin in range(len(first), len(unstopped)):
        first.append(unstopped[spin] - folded(first, from_empty, spin, spin))


def folded(first: Sequence[int], from_empty: Sequence[int], spin: int, ends: int) -> int:
    """What `spin` brings in chains that ended on spins 0 to `ends` - 1: the part that stopping takes away.

    Args:
        first: f(0), f(1), ... in units of 1/ONE.
        from_empty: what each spin of a chain from an empty start brings, in any unit.
    """
    return sum(first[end] * from_empty[spin - end] for end in range(ends)) >> BITS
