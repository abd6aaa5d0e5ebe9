"""`picocab seeds`: rounds that reach an event."""

from __future__ import annotations

import pytest

from host_tools.tables import GAMES

from .command import Picocab, refused

# Event names of `play` that a round must show to have reached the event.
REACHED = {
    ("mad_hatters", "free_spins"): {"award", "feature_end"},
    ("mad_hatters", "cuckoo"): {"cuckoo"},
    ("mad_mad_monkey", "retrigger"): {"award"},
    ("mad_mad_monkey", "gamble"): {"choice"},
    ("mad_mad_monkey", "clamp"): {"clamp"},
    ("santa_vs_rudolf", "merge"): {"merge"},
    ("santa_vs_rudolf", "gifts"): {"gift", "gifts_win"},
    ("santa_vs_rudolf", "rudolf_spins"): {"rudolf_spins"},
    ("haunted_house", "full_moon"): {"full_moon"},
    ("haunted_house", "retrigger"): {"number_trail", "award"},
}


@pytest.mark.parametrize(("game", "event"), REACHED)
def test_printed_command_plays_a_round_with_the_event(picocab: Picocab, game: str, event: str) -> None:
    command, win = picocab("seeds", game, event).out.split("  # round win ")
    events = picocab(command + " --json").json
    assert REACHED[game, event] <= {it["event"] for it in events}
    assert events[-1]["coins"] == int(win)
    if event == "retrigger":
        assert len([it for it in events if it["event"] == "award"]) > 1


def test_count_and_start_walk_through_the_same_seeds(picocab: Picocab) -> None:
    found = [it["seed"] for it in picocab("seeds", "haunted_house", "free_spins", "--count", 3, "--json").json]
    assert found == sorted(set(found))
    later = f"{int(found[0], 16) + 1:032x}"
    again = picocab("seeds", "haunted_house", "free_spins", "--count", 2, "--from", later, "--json").json
    assert [it["seed"] for it in again] == found[1:]


def test_big_win_is_as_big_as_asked(picocab: Picocab) -> None:
    (found,) = picocab("seeds", "mad_mad_monkey", "big_win", "--times", 20, "--json").json
    assert found["round_win"] >= 20 * found["line_bet"] * found["lines"]
    before = int(found["seed"], 16)
    result = picocab("seeds", "mad_mad_monkey", "big_win", "--times", 20, "--tries", before)
    assert f"0 of 1 seeds found for big_win among {before:,}: look at more" in refused(result, 1)


def test_what_was_found_is_printed_before_the_search_gives_up(picocab: Picocab) -> None:
    result = picocab("seeds", "mad_hatters", "win", "--count", 50, "--tries", 50)
    assert "of 50 seeds found for win" in refused(result, 1)
    found = result.out.count("picocab play mad_hatters")
    assert 0 < found < 50
    assert f"picocab: {found} of 50" in result.err


@pytest.mark.parametrize("game", GAMES)
def test_list_names_every_event(picocab: Picocab, game: str) -> None:
    listed = [line.split()[0] for line in picocab("seeds", game, "--list").out.splitlines()]
    assert {"win", "no_win", "big_win", "clamp", "free_spins"} <= set(listed)
    line = refused(picocab("seeds", game, "nonsense"))
    assert f"{game} has no event 'nonsense': events: {', '.join(listed)}" in line


def test_missing_event_unknown_game_and_last_seed_are_refused(picocab: Picocab) -> None:
    assert "no event is named: events: " in refused(picocab("seeds", "mad_hatters"))
    assert "no game is called 'chess'" in refused(picocab("seeds", "chess", "win"))
    result = picocab("seeds", "mad_hatters", "win", "--from", "f" * 32)
    assert "the seeds would pass the last one" in refused(result)
    assert picocab("seeds", "mad_hatters", "win", "--count", 0).code == 2
