"""`picocab play`: a round from outside, and every input that is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from host_tools.audit.rounds import RULES_VERSION
from host_tools.core import rules
from host_tools.errors import UsageError
from host_tools.paths import FIRMWARE
from host_tools.tables import GAMES, game_tables

from .command import Picocab, refused

SEED = "00000000000000000000000000000136"  # Mad Hatters: three Bunnies on the paid spin
FEATURES = {
    "mad_hatters": ("free_cuckoo", "free_scatter"),
    "mad_mad_monkey": ("retrigger", "five_gambles", "gamble_lost"),
    "santa_vs_rudolf": ("gifts", "rudolf_spins"),
    "haunted_house": ("retrigger", "full_moon", "clamp"),
}
_found: dict[tuple[str, str], str] = {}

rounds = pytest.mark.parametrize(
    ("game", "event"), [(game, event) for game, names in FEATURES.items() for event in names]
)


def command_for(picocab: Picocab, game: str, event: str) -> str:
    """The command of the first round that reaches an event; searched once."""
    if (game, event) not in _found:
        _found[game, event] = picocab("seeds", game, event).out.split("#")[0]
    return _found[game, event]


def of(events: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] in names]


@rounds
def test_windows_are_what_the_strips_show_at_the_stops(picocab: Picocab, game: str, event: str) -> None:
    tables = game_tables(game)
    changing = {"mad_hat", "rudolf", "santa", "merged", "reindeer", *tables.get("hatters", ())}
    events = picocab(command_for(picocab, game, event) + " --json").json
    spins, windows = of(events, "spin"), of(events, "window")
    assert len(spins) == len(windows) > 1 or event in ("five_gambles", "gamble_lost", "full_moon")
    for spin, window in zip(spins, windows, strict=True):
        strips = tables["strips"][spin["mode"]]
        for strip, stop, reel in zip(strips, spin["stops"], window["reels"], strict=True):
            shown = [strip[(stop + row) % len(strip)] for row in range(3)]
            names = [cell if isinstance(cell, str) else cell[0] for cell in shown]
            assert all(cell == name or cell in changing for cell, name in zip(reel, names, strict=True))


@rounds
def test_amounts_add_up(picocab: Picocab, game: str, event: str) -> None:
    tables = game_tables(game)
    events = picocab(command_for(picocab, game, event) + " --json").json
    spin = total = 0
    for it in events:
        if it["event"] == "line":
            coins = tables["line_pays"][it["symbol"]][str(it["count"])]
            assert it["pay"] == coins * it["multiplier"]
        if it["event"] in ("line", "scatter"):
            spin += it["pay"]
        elif it["event"] == "spin_win":
            assert it["coins"] == spin
            spin = 0
        if it["event"] in ("spin_win", "cuckoo_pick", "gifts_win", "trail", "full_moon_win"):
            total += it["coins"]
        elif it["event"] == "clamp":
            assert it["before"] == total
            total = it["after"]
        elif it["event"] == "gamble":
            total = it["coins"]
    assert events[-1] == {"event": "round_win", "coins": total}


@rounds
def test_reference_prints_the_same(picocab: Picocab, game: str, event: str) -> None:
    command = command_for(picocab, game, event)
    for form in ("", " --json"):
        core, reference = (picocab(f"{command} --implementation {who}{form}") for who in ("core", "reference"))
        assert core == reference
        assert core.code == 0


@rounds
def test_text_has_a_line_for_each_event(picocab: Picocab, game: str, event: str) -> None:
    command = command_for(picocab, game, event)
    events = picocab(command + " --json").json
    lines = picocab(command).out.splitlines()
    assert len(lines) == 1 + len(events) + 2 * len(of(events, "window"))
    assert lines[-1] == f"round win {events[-1]['coins']}"


@rounds
def test_json_has_the_documented_keys(picocab: Picocab, game: str, event: str) -> None:
    page = (FIRMWARE / "rules" / "ROUNDS.md").read_text(encoding="utf-8")
    documented = {}
    for row in page[page.index("| event | keys |") :].splitlines()[2:]:
        if not row:
            break
        names, keys = row.strip("| ").split(" | ")
        for name in re.findall(r"`(\w+)`", names):
            documented[name] = set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", keys)))
    for it in picocab(command_for(picocab, game, event) + " --json").json:
        assert it.keys() - {"event"} == documented[it["event"]]


def test_text_names_what_is_played_and_won(picocab: Picocab) -> None:
    result = picocab("play", "mad_hatters", "--seed", SEED, "--line-bet", 2, "--lines", 5, "--choices", 2)
    assert result.code == 0
    first = result.out.splitlines()[:9]
    assert first[0] == f"Mad Hatters: 2 x 5 lines = 10 coins, seed {SEED}"
    assert first[1] == "spin: base, stops 7 22 19 6 6"
    assert first[2].split() == ["cup_cake", "bunny", "teacup", "sundae", "cup_cake"]
    assert first[5:] == [
        "  scatter: 3 bunny pay 30",
        "  spin win 30",
        "10 free spins awarded",
        "choice of a hatter: 0 john, 1 james, 2 jeff",
    ]


def test_json_of_the_question_holds_the_options(picocab: Picocab) -> None:
    result = picocab("play", "mad_hatters", "--seed", SEED, "--json")
    assert "asks for choice number 1, a hatter: 0 john, 1 james, 2 jeff" in refused(result)
    assert result.json[-1] == {"event": "choice", "kind": "hatter", "options": [0, 1, 2]}
    assert [event["event"] for event in result.json] == ["spin", "window", "scatter", "spin_win", "award", "choice"]


def test_gamble_is_asked_below_its_limit_only(picocab: Picocab) -> None:
    seed = ("--seed", "00000000000000000000000000000000")  # wins 80
    assert picocab("play", "mad_mad_monkey", *seed).code == 0
    assert picocab("play", "mad_mad_monkey", *seed, "--gamble-limit", 80).code == 0
    line = refused(picocab("play", "mad_mad_monkey", *seed, "--gamble-limit", 81))
    assert "a gamble: 0 collect, 1 red, 2 black, 3 clubs, 4 diamonds, 5 hearts, 6 spades" in line
    assert "number 1" in line


@pytest.mark.parametrize("who", ["core", "reference"])
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("--choices", "3"), "choice number 1 is 3, but the hatter offers 0 john, 1 james, 2 jeff"),
        (("--choices", "0,1"), "2 choices are given, the round asks for 1: leave out the others"),
        (("--choices", "0", "--line-bet", "0"), "line bet"),
        (("--choices", "0", "--line-bet", "11"), "line bet"),
        (("--choices", "0", "--lines", "0"), "lines"),
        (("--choices", "0", "--lines", "31"), "lines"),
        (("--choices", "0", "--gamble-limit", "-1"), "limit"),
        (("--choices", "0", "--max-award", "-1"), ""),
    ],
)
def test_wrong_input_is_refused(picocab: Picocab, who: str, changed: tuple[str, ...], message: str) -> None:
    result = picocab("play", "mad_hatters", "--seed", SEED, "--implementation", who, *changed)
    assert message in refused(result)
    assert result.out == ""


@pytest.mark.parametrize("seed", ["", "12", "g" * 32, "0" * 34, "-1"])
def test_wrong_seed_is_refused(picocab: Picocab, seed: str) -> None:
    result = picocab("play", "mad_hatters", f"--seed={seed}")
    assert result.code == 2
    assert "a seed is 32 hex digits" in result.err


@pytest.mark.parametrize("choices", ["a", "0,", ",", "0 1", "-1", "²"])
def test_choices_that_are_no_numbers_are_refused(picocab: Picocab, choices: str) -> None:
    result = picocab("play", "mad_hatters", "--seed", SEED, f"--choices={choices}")
    assert result.code == 2
    assert "choices are numbers with commas" in result.err


def test_unknown_game_is_refused(picocab: Picocab) -> None:
    assert "no game is called 'chess'" in refused(picocab("play", "chess", "--seed", SEED))


def test_record_of_other_rules_is_refused(picocab: Picocab) -> None:
    play = ("play", "mad_hatters", "--seed", SEED, "--choices", "0", "--rules-version")
    assert picocab(*play, RULES_VERSION).code == 0
    line = refused(picocab(*play, RULES_VERSION + 1))
    assert f"the record has rules version {RULES_VERSION + 1}, this picocab plays version {RULES_VERSION}" in line


@pytest.mark.parametrize("game", GAMES)
def test_core_checks_bets_before_anything_is_drawn(game: str) -> None:
    from host_tools.audit.rounds import RoundInputs, play_on_core

    module = rules("games").game_module(game)
    for line_bet, lines in ((module.MAX_LINE_BET + 1, module.MAX_LINES), (1, module.MAX_LINES + 1), (1, 0)):
        playing = play_on_core(RoundInputs(game, line_bet, lines, bytes(16)), lambda kind, options: 0)
        with pytest.raises(UsageError, match="cannot be played so"):
            next(playing)
