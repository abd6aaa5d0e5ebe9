"""The gamble is neutral: by dynamic programming, and against the reference card by card."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest
from reference import tables as t

from host_tools.par import gamble
from host_tools.reference import mad_mad_monkey as reference
from host_tools.tables import game_tables

GAME = game_tables("mad_mad_monkey")
OPTIONS = {
    "red": reference.RED,
    "black": reference.BLACK,
    "clubs": reference.CLUBS,
    "diamonds": reference.DIAMONDS,
    "hearts": reference.HEARTS,
    "spades": reference.SPADES,
}


def other(gambles: int, **factors: int) -> dict[str, Any]:
    """The game's tables with so many gambles and other factors."""
    return GAME | {"gambles": gambles, "gamble": GAME["gamble"] | factors}


@pytest.mark.rule("MM-10")
@pytest.mark.parametrize("bet", OPTIONS)
def test_cards_pay_as_in_the_reference(bet: str) -> None:
    assert gamble.factors(GAME, bet) == [reference.gamble_factor(OPTIONS[bet], card) for card in range(52)]


def test_every_bet_of_the_game_is_counted() -> None:
    assert sorted(gamble.BETS) == sorted(OPTIONS)


@pytest.mark.rule("MM-11")
@pytest.mark.parametrize("gambles", [0, 1, 3, 5])
@pytest.mark.parametrize("limit", [0, 1, 2, 5, 63, 500, 50_000])
@pytest.mark.parametrize("stake", [0, 1, 3, 62, 499, 500, 12_345])
def test_every_policy_ends_with_the_stake_in_the_mean(stake: int, limit: int, gambles: int) -> None:
    assert gamble.mean_final_win(GAME | {"gambles": gambles}, stake, limit) == (stake, stake)


@pytest.mark.rule("MM-09", "MM-10", "MM-11")
def test_gamble_of_the_game_is_neutral() -> None:
    assert GAME["gamble"] == {"cards": 52, "colour_factor": 2, "suit_factor": 4}  # as published
    assert GAME["gambles"] > 0
    assert gamble.is_neutral(GAME)


@pytest.mark.parametrize(
    ("factor", "step", "expected"),
    [
        ("suit_factor", 1, (Fraction(8), Fraction(8) * Fraction(5, 4))),
        ("suit_factor", -1, (Fraction(8) * Fraction(3, 4), Fraction(8))),
        ("colour_factor", 1, (Fraction(8), Fraction(8) * Fraction(3, 2))),
        ("colour_factor", -1, (Fraction(8) * Fraction(1, 2), Fraction(8))),
    ],
)
def test_a_bet_that_pays_other_than_fair_is_found(factor: str, step: int, expected: tuple[Fraction, Fraction]) -> None:
    tables = other(1, **{factor: GAME["gamble"][factor] + step})
    assert gamble.mean_final_win(tables, 8, 9) == expected
    assert not gamble.is_neutral(tables)


@pytest.mark.parametrize(("stake", "limit"), [(8, 9), (8, 17), (8, 100)])
def test_the_best_policy_takes_every_gamble_below_the_limit(stake: int, limit: int) -> None:
    """With a suit that pays five times the best is to bet on it as often as it is offered."""
    win, offered = stake, 0
    while win < limit and offered < 3:
        win *= 5
        offered += 1
    assert gamble.mean_final_win(other(3, suit_factor=5), stake, limit)[1] == stake * Fraction(5, 4) ** offered


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
