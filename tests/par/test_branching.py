"""Spins that win more spins: closed form, limit, against complete rounds spin by spin and against a simulation."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from host_tools.par import branching
from host_tools.par.branching import Spin
from par.complete_rounds import SpinLaw, round_moments

PAID: SpinLaw = {(0, False): 60, (2, False): 20, (9, False): 5, (3, True): 10, (12, True): 5}
FREE: SpinLaw = {(0, False): 50, (4, False): 30, (1, True): 4, (25, True): 6, (60, False): 10}
AWARDS = [((2, 1),), ((1, 3), (3, 2), (4, 1))]


def spin_of(law: SpinLaw) -> Spin:
    size = sum(law.values())

    def average(values: dict[tuple[int, bool], int]) -> Fraction:
        return Fraction(sum(values[key] * weight for key, weight in law.items()), size)

    return Spin(
        average({key: key[0] for key in law}),
        average({key: key[0] ** 2 for key in law}),
        average({key: int(key[1]) for key in law}),
        average({key: key[0] * key[1] for key in law}),
    )


PAID_SPIN, FREE_SPIN = spin_of(PAID), spin_of(FREE)


@pytest.mark.rule("G-12")
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 12])
@pytest.mark.parametrize("award", AWARDS)
def test_limited_rounds_have_the_mean_and_variance_of_all_rounds(award: branching.Award, limit: int) -> None:
    played = branching.limited(FREE_SPIN.trigger, award, limit)
    certain, mean, square = round_moments(PAID, FREE, award, limit)
    assert certain == 1
    assert branching.mean(PAID_SPIN, FREE_SPIN, played) == mean
    assert branching.variance(PAID_SPIN, FREE_SPIN, played) == square - mean**2


@pytest.mark.parametrize("award", AWARDS)
def test_unlimited_rounds_are_those_of_the_formulas(award: branching.Award) -> None:
    """T4 as it is written down for any joint law: Y = X + K copies of Y, Z = X' + K' copies of Y."""
    size = sum(weight for _, weight in award)
    awarded = Fraction(sum(spins * weight for spins, weight in award), size)
    awarded_square = Fraction(sum(spins**2 * weight for spins, weight in award), size)

    def spins(spin: Spin) -> tuple[Fraction, Fraction, Fraction]:
        mean = spin.trigger * awarded
        return mean, spin.trigger * awarded_square - mean**2, spin.mean_on_trigger * awarded - spin.mean * mean

    free_mean, free_variance, free_covariance = spins(FREE_SPIN)
    mean, variance, covariance = spins(PAID_SPIN)
    tree = FREE_SPIN.mean / (1 - free_mean)
    tree_variance = FREE_SPIN.variance + free_variance * tree**2 + 2 * free_covariance * tree
    tree_variance /= 1 - free_mean
    played = branching.unlimited(FREE_SPIN.trigger, award)
    assert branching.mean(PAID_SPIN, FREE_SPIN, played) == PAID_SPIN.mean + mean * tree
    assert branching.variance(PAID_SPIN, FREE_SPIN, played) == (
        PAID_SPIN.variance + mean * tree_variance + variance * tree**2 + 2 * covariance * tree
    )


@pytest.mark.parametrize("award", AWARDS)
def test_a_high_limit_is_as_good_as_none(award: branching.Award) -> None:
    limited, unlimited = branching.limited(FREE_SPIN.trigger, award, 300), branching.unlimited(FREE_SPIN.trigger, award)
    for limit, none in (
        (limited.mean, unlimited.mean),
        (limited.square, unlimited.square),
        (limited.tilt, unlimited.tilt),
    ):
        assert 0 < none - limit < Fraction(1, 10**12)


@pytest.mark.rule("G-12")
@pytest.mark.parametrize("award", AWARDS)
def test_cut_spins_win_the_mean_of_a_free_spin_each(award: branching.Award) -> None:
    cut = branching.cut_spins(PAID_SPIN.trigger, FREE_SPIN.trigger, award, 6)
    unlimited = branching.mean(PAID_SPIN, FREE_SPIN, branching.unlimited(FREE_SPIN.trigger, award))
    _, mean, _ = round_moments(PAID, FREE, award, 6)
    assert cut > 0
    assert unlimited - mean == cut * FREE_SPIN.mean


@pytest.mark.rule("G-12")
def test_an_award_past_the_limit_is_cut_to_it() -> None:
    assert branching.limited(Fraction(1, 3), ((10, 1),), 10) == branching.Played(
        Fraction(10), Fraction(100), Fraction(0)
    )
    assert branching.limited(Fraction(1, 3), ((15, 1),), 10).mean == 10


def test_spins_that_never_trigger_are_those_of_the_award() -> None:
    award = ((2, 1), (5, 1))
    expected = branching.Played(Fraction(7, 2), Fraction(29, 2), Fraction(7, 2) ** 2)
    assert branching.unlimited(Fraction(0), award) == expected
    assert branching.limited(Fraction(0), award, 9).mean == expected.mean
    assert branching.limited(Fraction(0), award, 9).square == expected.square


def test_a_feature_that_need_not_end_is_refused() -> None:
    with pytest.raises(ValueError, match=r"1\.000 free spins"):
        branching.unlimited(Fraction(1, 10), ((10, 1),))


def test_spins_of_windows_are_those_of_their_wins() -> None:
    # Mark 0: nothing besides; mark 1: a sure 5; mark 2: 7 +- 2, triggering.
    counts = {(0, 0): 5, (0, 2): 3, (1, 0): 2, (2, 1): 2}
    extra = {0: (Fraction(0), Fraction(0)), 1: (Fraction(5), Fraction(0)), 2: (Fraction(7), Fraction(4))}
    law = {(0, False): 5, (6, False): 3, (5, False): 2, (3 + 7 - 2, True): 1, (3 + 7 + 2, True): 1}
    found = branching.spin_of_windows(counts, lambda mark: extra[mark], lambda mark: mark == 2, multiplier=3)
    assert found == spin_of(law)


def test_sigma_is_that_of_simulated_rounds_and_not_that_of_independent_parts() -> None:
    """The known mistake: adding up the variances of paid and free spins without covariance and branching."""
    award, rounds = AWARDS[1], 60_000
    source = random.Random(20240607)

    def draw(law: SpinLaw) -> tuple[int, bool]:
        return source.choices(list(law), list(law.values()))[0]

    wins = []
    for _ in range(rounds):
        win, triggers = draw(PAID)
        left = 0
        while True:
            if triggers:
                left += source.choices([spins for spins, _ in award], [weight for _, weight in award])[0]
            if not left:
                break
            left -= 1
            more, triggers = draw(FREE)
            win += more
        wins.append(win)
    mean = sum(wins) / rounds
    variance = sum((win - mean) ** 2 for win in wins) / rounds
    fourth = sum((win - mean) ** 4 for win in wins) / rounds
    error = ((fourth - variance**2) / rounds) ** 0.5

    played = branching.unlimited(FREE_SPIN.trigger, award)
    assert abs(float(branching.mean(PAID_SPIN, FREE_SPIN, played)) - mean) < 3 * (variance / rounds) ** 0.5
    assert abs(float(branching.variance(PAID_SPIN, FREE_SPIN, played)) - variance) < 3 * error
    independent = PAID_SPIN.variance + PAID_SPIN.trigger * played.mean * FREE_SPIN.variance
    assert abs(float(independent) - variance) > 5 * error
