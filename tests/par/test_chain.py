"""The renewal at an empty board against chains whose ends are known."""

from __future__ import annotations

from fractions import Fraction

from host_tools.par.chain import BITS, ONE, Certified, first_empty, folded

SPINS = 60


def board_law(busy: Fraction, fills: Fraction, clears: Fraction) -> list[int]:
    """How likely a board is empty after 0, 1, 2, ... spins that fill an empty board and clear a full one."""
    empty = []
    for _ in range(SPINS):
        empty.append(int(ONE * (1 - busy)))
        busy = busy * (1 - clears) + (1 - busy) * fills
    return empty


def test_first_empty_of_a_two_state_board_is_geometric() -> None:
    fills, clears = Fraction(1, 3), Fraction(2, 7)
    first: list[int] = []
    first_empty(board_law(Fraction(1), fills, clears), board_law(Fraction(0), fills, clears), first)
    for spin, chance in enumerate(first):
        expected = clears * (1 - clears) ** (spin - 1) if spin else 0
        assert abs(Fraction(chance, ONE) - expected) < Fraction(1, 1 << (BITS - 10))


def test_first_empty_goes_on_where_it_stopped() -> None:
    unstopped = board_law(Fraction(1, 2), Fraction(1, 5), Fraction(1, 2))
    from_empty = board_law(Fraction(0), Fraction(1, 5), Fraction(1, 2))
    at_once: list[int] = []
    first_empty(unstopped, from_empty, at_once)
    step_by_step: list[int] = []
    for spins in range(1, SPINS + 1):
        first_empty(unstopped[:spins], from_empty[:spins], step_by_step)
    assert step_by_step == at_once


def test_folded_takes_away_what_comes_after_the_end() -> None:
    # A spin on a full board brings 1. Of the unstopped chain's spins those before its first empty board remain: their
    # mean number, the first included, is 1 / clears.
    fills, clears = Fraction(1, 3), Fraction(2, 7)
    unstopped, from_empty = (board_law(Fraction(busy), fills, clears) for busy in (1, 0))
    first: list[int] = []
    first_empty(unstopped, from_empty, first)
    busy, busy_from_empty = ([ONE - empty for empty in law] for law in (unstopped, from_empty))
    total = sum(busy[spin] - folded(first, busy_from_empty, spin, spin) for spin in range(SPINS))
    left_out = (1 - clears) ** SPINS / clears
    assert abs(Fraction(total, ONE) - (1 / clears - left_out)) < Fraction(1, 1 << (BITS - 20))


def test_certified_bounds_hold_sums_and_products() -> None:
    one, other = Certified(Fraction(1), Fraction(2)), Certified(Fraction(3), Fraction(5))
    assert one + other == Certified(Fraction(4), Fraction(7))
    assert one * other == Certified(Fraction(3), Fraction(10))
    assert (one.value, one.error) == (Fraction(3, 2), Fraction(1, 2))
    assert Certified(Fraction(-1), Fraction(1)) * other == Certified(Fraction(0), Fraction(5))
    assert Certified.exact(3).error == 0
