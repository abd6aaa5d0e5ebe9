"""Properties of the rules core that must hold for any input."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Generator
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from rules import choice
from rules.games import GAMES, game_module, haunted_house, mad_hatters, mad_mad_monkey, santa_vs_rudolf
from rules.lines import WIN, Reading, line_table, pay_table
from rules.round import play
from rules.spinner import Bet, Spinner

Event = tuple[Any, ...]
Win = tuple[int, ...]

READINGS: dict[str, list[Reading]] = {
    "mad_hatters": [mad_hatters._BASE_READING, *(mad_hatters.reading(0, hatter) for hatter in mad_hatters.HATTERS)],
    "mad_mad_monkey": [mad_mad_monkey._READING],
    "santa_vs_rudolf": [santa_vs_rudolf._READING],
    "haunted_house": list(haunted_house._READINGS),
}

games = st.sampled_from(GAMES)
seeds = st.binary(min_size=16, max_size=16)
fast = settings(max_examples=100, deadline=None, derandomize=True)


def line_wins(reading: Reading, window: bytes, lines: bytes, count: int) -> list[Win]:
    """The paying lines: (line, symbol, count, direction, multiplier, pay)."""
    results = array("i", [0] * (WIN * count))
    found = reading.wins(window, lines, count, results)
    return [tuple(results[WIN * at : WIN * at + WIN]) for at in range(found)]


@st.composite
def windows(draw: Callable[..., Any]) -> tuple[str, Reading, bytes]:
    """A game, one of its readings and a window of few different symbols, so that lines pay."""
    game = draw(games)
    count = len(game_module(game).SYMBOLS)
    few = draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=5))
    window = bytes(draw(st.lists(st.sampled_from(few), min_size=15, max_size=15)))
    return game, draw(st.sampled_from(READINGS[game])), window


# -- lines

TINY_LINES = line_table("22222 12321 31213")
TINY_PAYS = pay_table("abcd", "a 2:3 3:10 4:40 5:100 \n b 2:1 3:4 4:9 5:30 \n c 3:2 4:5 5:20")
TINY_READINGS = [
    Reading(TINY_PAYS),
    Reading(TINY_PAYS, wilds=(0,), own=0),
    Reading(TINY_PAYS, wilds=(0,), wild_multiplier=2),
    Reading(TINY_PAYS, wilds=(3,), wild_run=(0,), both_ways=True),
]


class _Given:
    """A stream of given stops."""

    def __init__(self) -> None:
        self.stops: list[int] = []

    def below(self, n: int) -> int:
        """The next stop."""
        assert 0 <= self.stops[0] < n
        return self.stops.pop(0)


def all_wins(strips: list[bytes], reading: Reading) -> int:
    """Line wins of all windows that the strips can show, added up."""
    stream = _Given()
    spinner = Spinner(stream, Bet(1, 3), TINY_LINES)
    total = 0
    for stops in itertools.product(*(range(len(strip)) for strip in strips)):
        stream.stops = list(stops)
        spinner.draw(strips)
        for _ in spinner.line_wins(reading):
            pass
        total += spinner.win
    return total


tiny_strip = st.lists(st.integers(0, 3), min_size=3, max_size=4).map(bytes)


@pytest.mark.rule("G-10")
@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    strips=st.lists(tiny_strip, min_size=5, max_size=5),
    turns=st.lists(st.integers(0, 3), min_size=5, max_size=5),
    reading=st.sampled_from(TINY_READINGS),
)
def test_rotated_strips_return_the_same(strips: list[bytes], turns: list[int], reading: Reading) -> None:
    rotated = [
        strip[turn % len(strip) :] + strip[: turn % len(strip)] for strip, turn in zip(strips, turns, strict=True)
    ]
    assert all_wins(rotated, reading) == all_wins(strips, reading)


@pytest.mark.rule("SR-01")
@fast
@given(window=st.lists(st.sampled_from([0, 4, 8, 9, 10, 11, 12, 13]), min_size=15, max_size=15).map(bytes))
def test_mirrored_window_pays_the_same_both_ways(window: bytes) -> None:
    reading = santa_vs_rudolf._READING
    assert all(pattern == pattern[::-1] for pattern in santa_vs_rudolf.LINE_PATTERNS.split())
    mirrored = b"".join(window[3 * reel : 3 * reel + 3] for reel in (4, 3, 2, 1, 0))
    wins = {win[0]: win for win in line_wins(reading, window, santa_vs_rudolf.LINES, 20)}
    others = {win[0]: win for win in line_wins(reading, mirrored, santa_vs_rudolf.LINES, 20)}
    # Symbol and count may not differ either; the direction does, except where both directions tie.
    assert {line: (win[1], win[2], win[5]) for line, win in wins.items()} == {
        line: (win[1], win[2], win[5]) for line, win in others.items()
    }


@pytest.mark.rule("G-02")
@fast
@given(shown=windows())
def test_more_lines_never_pay_less(shown: tuple[str, Reading, bytes]) -> None:
    game, reading, window = shown
    module = game_module(game)
    all_lines = line_wins(reading, window, module.LINES, module.MAX_LINES)
    assert len({win[0] for win in all_lines}) == len(all_lines)
    before = 0
    for count in range(1, module.MAX_LINES + 1):
        wins = line_wins(reading, window, module.LINES, count)
        assert wins == [win for win in all_lines if win[0] < count]
        total = sum(win[5] for win in wins)
        assert total >= before
        before = total


@pytest.mark.rule("G-02")
@fast
@given(shown=windows(), cell=st.integers(0, 14))
def test_wild_in_place_of_a_symbol_never_pays_less(shown: tuple[str, Reading, bytes], cell: int) -> None:
    """Pays rise with the count, so a wild can only make a line longer or dearer."""
    game, reading, window = shown
    module = game_module(game)
    own = {"mad_hatters": 0, "mad_mad_monkey": 0, "santa_vs_rudolf": 10, "haunted_house": 10}[game]
    if game == "haunted_house":
        reading = haunted_house._READINGS[1]
    special = {"mad_hatters": {1, 2}, "mad_mad_monkey": {1}, "haunted_house": {11}}.get(game, set())
    if window[cell] in special or game == "mad_mad_monkey":
        cell = cell % 9 + 3  # Monkeys are never on reels 1 and 5
    wild = bytearray(window)
    wild[cell] = own
    assume(
        game != "mad_hatters" or 0 not in window
    )  # beside other Mad Hats a hatter may be worth more than one (MH-08)
    before = {win[0]: win[5] for win in line_wins(reading, window, module.LINES, module.MAX_LINES)}
    after = {win[0]: win[5] for win in line_wins(reading, bytes(wild), module.LINES, module.MAX_LINES)}
    assert all(after.get(line, 0) >= pay for line, pay in before.items())


# -- rounds


def copied(event: Event) -> Event:
    """An event that stays as it is: a window's bytes are overwritten by the next spin."""
    return ("window", *event[1]) if event[0] == "window" else event


Round = Generator[Event, "int | None", None]


def finish(game_round: Round, choices: list[int], wander: int = 0) -> tuple[list[Event], list[int]]:
    """Plays a round to its end with these choices, then with ones worked out from `wander`; returns all of both."""
    events: list[Event] = []
    made: list[int] = []
    option: int | None = None
    while True:
        try:
            event = copied(game_round.send(option))
        except StopIteration:
            return events, made
        events.append(event)
        option = None
        if event[0] == "choice":
            options = event[2:]
            at = len(made)
            option = choices[at] if at < len(choices) else options[(wander >> 3 * at) % len(options)]
            made.append(option)


def featured_seed(game: str) -> int:
    """The number of a seed whose round has a feature."""
    module = game_module(game)
    for number in range(20_000):
        events, _ = finish(play(game, 1, module.MAX_LINES, number.to_bytes(16, "big"), 1000), [])
        if any(event[0] == "award" for event in events):
            return number
    raise AssertionError(f"no feature in {game}")


FEATURED = {game: featured_seed(game).to_bytes(16, "big") for game in GAMES}


@pytest.mark.rule("G-07")
@fast
@given(game=games, seed=seeds, wander=st.integers(0, 2**60))
def test_round_is_determined_by_its_inputs(game: str, seed: bytes, wander: int) -> None:
    module = game_module(game)
    events, choices = finish(play(game, 1, module.MAX_LINES, seed, 1000, 5000), [], wander)
    again, _ = finish(play(game, 1, module.MAX_LINES, bytearray(seed), 1000, 5000), choices)
    assert again == events
    assert all(type(number) is int for event in events for number in event[1:])


def resumes_after_every_event(game: str, line_bet: int, seed: bytes, wander: int, every: int = 1) -> None:
    lines = game_module(game).MAX_LINES
    events, choices = finish(play(game, line_bet, lines, seed, 1000), [], wander)
    for stop in range(0, len(events), every):
        interrupted = play(game, line_bet, lines, seed, 1000)
        so_far: list[int] = []
        option: int | None = None
        for event in events[: stop + 1]:
            assert copied(interrupted.send(option)) == event
            option = None
            if event[0] == "choice":
                option = choices[len(so_far)]
                so_far.append(option)
        # What is kept of an interrupted round: its inputs and the choices so far. It is played again up to here,
        # and only then the player chooses on.
        resumed, made = finish(play(game, line_bet, lines, seed, 1000), so_far, wander)
        assert (resumed, made) == (events, choices)


@pytest.mark.rule("G-07")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(game=games, seed=seeds, wander=st.integers(0, 2**60))
def test_resumed_round_equals_the_uninterrupted_one(game: str, seed: bytes, wander: int) -> None:
    line_bet = 1 + wander % game_module(game).MAX_LINE_BET
    resumes_after_every_event(game, line_bet, seed, wander)


@pytest.mark.rule("G-07")
@pytest.mark.parametrize("game", GAMES)
def test_resumed_feature_equals_the_uninterrupted_one(game: str) -> None:
    resumes_after_every_event(game, 1, FEATURED[game], 0o1234567, every=5)


@pytest.mark.rule("G-08")
@fast
@given(game=games, seed=seeds, wander=st.integers(0, 2**60))
def test_round_win_is_all_that_was_won(game: str, seed: bytes, wander: int) -> None:
    module = game_module(game)
    events, _ = finish(play(game, 1, module.MAX_LINES, seed), [], wander)
    won = sum(
        event[-1] for event in events if event[0] in ("spin_win", "cuckoo_pick", "trail", "full_moon_win", "gifts_win")
    )
    assert events[-1] == ("round_win", won)
    assert [event[0] for event in events].count("round_win") == 1


@pytest.mark.rule("G-05")
@fast
@given(game=st.sampled_from(["mad_hatters", "santa_vs_rudolf"]), seed=seeds, line_bet=st.integers(1, 10))
def test_coins_are_proportional_to_the_line_bet(game: str, seed: bytes, line_bet: int) -> None:
    module = game_module(game)
    one, choices = finish(play(game, 1, module.MAX_LINES, seed), [])
    many, _ = finish(play(game, line_bet, module.MAX_LINES, seed), choices)
    assert many[-1][1] == line_bet * one[-1][1]
    assert [event for event in many if event[0] in ("spin", "window")] == [
        event for event in one if event[0] in ("spin", "window")
    ]


# -- bad inputs

odd = st.one_of(st.integers(), st.floats(), st.text(max_size=3), st.none(), st.binary(max_size=3), st.tuples())


def refused(*arguments: Any) -> None:
    with pytest.raises(ValueError, match=r"^[a-z][a-z0-9 ',_]+") as raised:
        play(*arguments)
    assert str(raised.value)


@fast
@example(game="mad_hatters", line_bet=1.0, seed=bytes(16))
@example(game="mad_mad_monkey", line_bet=2, seed=bytes(16))
@given(game=games, line_bet=odd, seed=seeds)
def test_bad_line_bet_is_refused(game: str, line_bet: Any, seed: bytes) -> None:
    module = game_module(game)
    if not (isinstance(line_bet, int) and 1 <= line_bet <= module.MAX_LINE_BET):
        refused(game, line_bet, module.MAX_LINES, seed)


@fast
@example(game="santa_vs_rudolf", lines=19, seed=bytes(16))
@example(game="mad_mad_monkey", lines=49.0, seed=bytes(16))
@given(game=games, lines=st.one_of(odd, st.integers(-1, 51)), seed=seeds)
def test_bad_number_of_lines_is_refused(game: str, lines: Any, seed: bytes) -> None:
    module = game_module(game)
    least = module.MAX_LINES if module.LINES_FIXED else 1
    if isinstance(lines, int) and least <= lines <= module.MAX_LINES:
        assert next(play(game, 1, lines, seed))[0] == "spin"
    else:
        refused(game, 1, lines, seed)


@fast
@example(game="mad_hatters", seed="0123456789abcdef")
@example(game="mad_hatters", seed=[0] * 16)
@given(game=games, seed=st.one_of(odd, st.binary(max_size=15), st.binary(min_size=17, max_size=40)))
def test_bad_seed_is_refused(game: str, seed: Any) -> None:
    refused(game, 1, game_module(game).MAX_LINES, seed)


@fast
@given(game=games, seed=seeds, limit=st.one_of(odd, st.integers(max_value=-1)), last=st.booleans())
def test_bad_limit_is_refused(game: str, seed: bytes, limit: Any, last: bool) -> None:
    if not (isinstance(limit, int) and limit >= 0):
        refused(game, 1, game_module(game).MAX_LINES, seed, *((0, limit) if last else (limit,)))


@fast
@given(game=st.one_of(odd, st.text()), seed=seeds)
def test_unknown_game_is_refused(game: Any, seed: bytes) -> None:
    if game not in GAMES:
        with pytest.raises(ValueError, match="game"):
            play(game, 1, 20, seed)


@fast
@given(kind=st.integers(0, 3), options=st.lists(st.integers(0, 6), min_size=1, unique=True), option=odd)
def test_choice_that_was_not_offered_is_refused(kind: int, options: list[int], option: Any) -> None:
    asked = choice.choose(kind, options)
    assert next(asked) == ("choice", kind, *options)
    if isinstance(option, int) and option in options:
        assert asked.send(option) == ("chosen", option)
    else:
        with pytest.raises(ValueError, match="none of the options"):
            asked.send(option)


@pytest.mark.parametrize("game", ["mad_hatters", "mad_mad_monkey"])
@pytest.mark.parametrize("bad", [-1, 7, None, "0", 0.0])
def test_bad_choice_ends_the_round_without_a_win(game: str, bad: Any) -> None:
    game_round = play(game, 1, game_module(game).MAX_LINES, FEATURED[game], 10**9)
    event = next(game_round)
    while event[0] != "choice":
        event = next(game_round)
    with pytest.raises(ValueError, match="none of the options"):
        game_round.send(bad)
    with pytest.raises(StopIteration):
        next(game_round)
