"""The gamble is neutral: by dynamic programming, and against the reference card by card."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from reference import tables as t

from host_tools.par import gamble
from host_tools.reference import mad_mad_monkey as reference

OPTIONS = {
    "red": reference.RED,
    "black": reference.BLACK,
    "clubs": reference.CLUBS,
    "diamonds": reference.DIAMONDS,
    "hearts": reference.HEARTS,
    "spades": reference.SPADES,
}


@pytest.mark.rule("MM-10")
@pytest.mark.parametrize("bet", OPTIONS)
def test_cards_pay_as_in_the_reference(bet: str) -> None:
    assert gamble.factors(bet) == [reference.gamble_factor(OPTIONS[bet], card) for card in range(52)]


def test_every_bet_of_the_game_is_counted() -> None:
    assert sorted(gamble.BETS) == sorted(OPTIONS)


@pytest.mark.rule("MM-11")
@pytest.mark.parametrize("gambles", [0, 1, 3, 5])
@pytest.mark.parametrize("limit", [0, 1, 2, 5, 63, 500, 50_000])
@pytest.mark.parametrize("stake", [0, 1, 3, 62, 499, 500, 12_345])
def test_every_policy_ends_with_the_stake_in_the_mean(stake: int, limit: int, gambles: int) -> None:
    assert gamble.mean_final_win(stake, limit, gambles) == (stake, stake)


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        ("_SUIT_FACTOR", (Fraction(8), Fraction(8) * Fraction(5, 4))),
        ("_COLOUR_FACTOR", (Fraction(8), Fraction(8) * Fraction(3, 2))),
    ],
)
def test_a_bet_that_pays_one_more_is_found(
    monkeypatch: pytest.MonkeyPatch, factor: str, expected: tuple[Fraction, Fraction]
) -> None:
    monkeypatch.setattr(gamble, factor, getattr(gamble, factor) + 1)
    assert gamble.mean_final_win(8, 9, 1) == expected


@pytest.mark.parametrize(("stake", "limit"), [(8, 9), (8, 17), (8, 100)])
def test_the_best_policy_takes_every_gamble_below_the_limit(
    monkeypatch: pytest.MonkeyPatch, stake: int, limit: int
) -> None:
    """With a suit that pays five times the best is to bet on it as often as it is offered."""
    monkeypatch.setattr(gamble, "_SUIT_FACTOR", 5)
    win, offered = stake, 0
    while win < limit and offered < 3:
        win *= 5
        offered += 1
    assert gamble.mean_final_win(stake, limit, 3)[1] == stake * Fraction(5, 4) ** offered


@pytest.mark.rule("MM-09")
@pytest.mark.parametrize("limit", [7, 12, 1000])
def test_the_reference_ends_with_the_stake_in_the_mean(limit: int) -> None:
    """A player who chooses at random, but always the same at the same win; all pairs of cards."""
    stake, tables = 6, t.mad_mad_monkey(gambles=2)
    source = random.Random(limit)
    policy = {stake * factor: source.choice(list(OPTIONS.values())) for factor in (1, 2, 4)}
    total = 0
    for cards in itertools.product(range(52), repeat=2):
        round_, _ = t.scripted_round(tables, cards)
        win, made = stake, 0
        choices = []
        while made < 2 and 0 < win < limit:
            choices.append(policy[win])
            win *= reference.gamble_factor(policy[win], cards[made])
            made += 1
        round_, _ = t.scripted_round(tables, cards, choices)
        total += reference.gamble(round_, stake, limit)
    assert Fraction(total, 52**2) == stake
