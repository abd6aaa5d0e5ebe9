"""Whole rounds from a seed: inputs, replay, sums, limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from host_tools.errors import UsageError
from host_tools.reference.common import Event, Tables
from host_tools.reference.play import fixed_choices, play

from . import tables as t

MAKERS: list[Callable[..., Tables]] = [t.mad_hatters, t.mad_mad_monkey, t.santa_vs_rudolf, t.haunted_house]
games = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


def last(kind: int, options: tuple[int, ...]) -> int:
    """A player who takes the last option and collects."""
    return 0 if kind == 3 else options[-1]


def seed(number: int) -> bytes:
    return number.to_bytes(16, "big")


def round_of(tables: Tables, number: int = 0, **changed: Any) -> list[Event]:
    """A round at the highest bet."""
    inputs = {
        "line_bet": tables["max_line_bet"],
        "lines": tables["max_lines"],
        "seed": seed(number),
        "choose": last,
        **changed,
    }
    return play(tables, **inputs)


def round_win(events: list[Event]) -> int:
    name, coins = events[-1]
    assert name == "round_win"
    return int(coins)


def choices_of(events: list[Event]) -> list[int]:
    return [int(event[1]) for event in t.named(events, "chosen")]


WON = {"spin_win": 1, "cuckoo_pick": 2, "gifts_win": 1, "trail": 2, "full_moon_win": 1}
"""Events that win coins, and where they hold them."""


@games
@pytest.mark.rule("G-08")
@pytest.mark.rule("G-03")
def test_round_win_is_the_sum_of_all_wins_and_comes_once(make: Callable[..., Tables]) -> None:
    tables = make()
    features = 0
    for number in range(300):
        events = round_of(tables, number)
        assert len(t.named(events, "round_win")) == 1
        assert round_win(events) == sum(int(event[WON[str(event[0])]]) for event in t.named(events, *WON))
        spin = 0
        for event in events:
            if event[0] in ("line", "scatter"):
                spin += int(event[-1])
            elif event[0] == "spin_win":
                assert event[1] == spin
                spin = 0
        features += bool(t.named(events, "feature_end"))
    assert features > 0


@games
def test_feature_end_holds_all_that_the_feature_won(make: Callable[..., Tables]) -> None:
    tables = make()
    seen = 0
    for number in range(300):
        feature = None
        for event in round_of(tables, number):
            if event[0] == "award" and feature is None:
                feature = 0
            elif event[0] == "feature_end":
                assert event[1] == feature
                feature = None
                seen += 1
            elif feature is not None and event[0] in WON:
                feature += int(event[WON[str(event[0])]])
        assert feature is None
    assert seen > 0


@games
@pytest.mark.rule("G-07")
def test_seed_and_choices_replay_the_round(make: Callable[..., Tables]) -> None:
    tables = make()
    for number in range(50):
        events = round_of(tables, number)
        assert round_of(tables, number, choose=fixed_choices(choices_of(events))) == events
    assert round_of(tables, 1) != round_of(tables, 2)


@pytest.mark.rule("G-07")
def test_choice_of_gifts_changes_no_draw() -> None:
    tables = t.santa_vs_rudolf(meter_length=1)
    spins = set()
    for number in range(400):
        first, other = (
            t.named(round_of(tables, number, choose=player), "spin", "window")
            for player in (last, lambda kind, options: options[0])
        )
        assert first == other
        spins.add(len(first))
    assert max(spins) > 20


@games
@pytest.mark.rule("G-09")
def test_round_win_is_clamped_to_the_maximum_award(make: Callable[..., Tables]) -> None:
    tables = make()
    clamped = 0
    for number in range(100):
        free = round_of(tables, number)
        events = round_of(tables, number, max_award=5)
        if round_win(free) > 5:
            assert events == [*free[:-1], ("clamp", round_win(free), 5), ("round_win", 5)]
            clamped += 1
        else:
            assert events == free
    assert clamped > 0


def winning_seed(tables: Tables, **inputs: Any) -> int:
    return next(number for number in range(1000) if round_win(round_of(tables, number, **inputs)) > 0)


@pytest.mark.rule("G-09")
@pytest.mark.rule("MM-11")
def test_gambled_win_is_clamped_again() -> None:
    tables = t.mad_mad_monkey()
    number = winning_seed(tables)
    win = round_win(round_of(tables, number))
    for bet in (1, 2):  # one of the colours is right
        events = round_of(tables, number, gamble_limit=win + 1, max_award=win, choose=fixed_choices([bet]))
        if round_win(events):
            assert events[-3][0::2] == ("gamble", 2 * win)
            assert events[-2:] == [("clamp", 2 * win, win), ("round_win", win)]
            break
    else:
        pytest.fail("neither colour won")


@pytest.mark.rule("G-09")
def test_clamped_win_is_the_stake_of_the_gamble() -> None:
    tables = t.mad_mad_monkey()
    number = next(number for number in range(1000) if round_win(round_of(tables, number)) > 7)
    win = round_win(round_of(tables, number))
    events = round_of(tables, number, gamble_limit=8, max_award=7)
    assert events[-4:] == [("clamp", win, 7), ("choice", 3, 0, 1, 2, 3, 4, 5, 6), ("chosen", 0), ("round_win", 7)]


@pytest.mark.rule("MM-09")
def test_gamble_is_off_without_a_limit_and_after_a_loss() -> None:
    tables = t.mad_mad_monkey()
    assert t.named(round_of(tables, winning_seed(tables)), "choice") == []
    losing = next(number for number in range(1000) if round_win(round_of(tables, number)) == 0)
    assert t.named(round_of(tables, losing, gamble_limit=500), "choice") == []


@games
@pytest.mark.rule("G-06")
def test_pays_grow_with_the_line_bet(make: Callable[..., Tables]) -> None:
    tables = make(max_line_bet=10)
    for number in range(50):
        one, ten = round_of(tables, number, line_bet=1), round_of(tables, number, line_bet=10)
        assert round_win(ten) == 10 * round_win(one)
        assert t.named(one, "spin", "window") == t.named(ten, "spin", "window")


@games
@pytest.mark.parametrize(
    "wrong",
    [
        {"line_bet": 0},
        {"line_bet": 11},
        {"lines": 0},
        {"lines": 51},
        {"seed": bytes(15)},
        {"seed": bytes(17)},
        {"gamble_limit": -1},
        {"max_award": -1},
    ],
)
def test_wrong_inputs_are_usage_errors(make: Callable[..., Tables], wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        round_of(make(), **wrong)


def test_fixed_lines_cannot_be_changed() -> None:
    with pytest.raises(UsageError, match="19 lines: enable 20 to 20"):
        round_of(t.santa_vs_rudolf(), lines=19)
    round_of(t.mad_hatters(), lines=1)


def test_unknown_game_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no game fruit"):
        round_of({**t.mad_hatters(), "game": "fruit"})


def test_choice_that_was_not_offered_is_a_usage_error() -> None:
    tables = t.mad_mad_monkey()
    number = winning_seed(tables)
    with pytest.raises(UsageError, match="choice 7 of kind 3 was not offered"):
        round_of(tables, number, gamble_limit=10**9, choose=fixed_choices([7]))


def test_too_few_choices_are_a_usage_error() -> None:
    tables = t.mad_mad_monkey()
    number = winning_seed(tables)
    with pytest.raises(UsageError, match="more than 0 choices"):
        round_of(tables, number, gamble_limit=10**9, choose=fixed_choices([]))


@games
def test_tables_may_come_from_json_and_events_are_a_name_and_integers(make: Callable[..., Tables]) -> None:
    tables = json.loads(json.dumps(make()))
    for number in range(50):
        events = round_of(tables, number)
        assert events == round_of(make(), number)
        for name, *numbers in events:
            assert type(name) is str
            assert all(type(one) is int for one in numbers)
