"""Every feature of every game, played to its end with the buttons on the emulated cabinet.

The round's seed is given from the console, by the program's own classes: the image has nothing that could do it.
"""

from __future__ import annotations

from itertools import count

import pytest

from host_tools.core import play_round, rules
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet

GAMES = ("mad_hatters", "mad_mad_monkey", "santa_vs_rudolf", "haunted_house")

WITH_SEED = """
import program
class OneSeed:
    def __init__(self, *_):
        pass
    def next_seed(self):
        return bytes.fromhex("{seed}")
    def mix(self, ticks):
        pass
    def cycle(self):
        pass
program.RandomGenerator = OneSeed
program.main()
"""


def select(cabinet: VirtualCabinet, game: str) -> None:
    """Chooses a game with RIGHT and START; the cabinet comes up in Mad Mad Monkey."""
    steps = (GAMES.index(game) - GAMES.index("mad_mad_monkey")) % len(GAMES)
    for _ in range(1 + steps):
        cabinet.parts.buttons["RIGHT"].click()
        cabinet.pico.run_for(300_000)
    cabinet.parts.buttons["START"].click()
    assert cabinet.wait_event("game", 2e6)["game"] == game
    cabinet.pico.run_for(300_000)


def pick(kind: int, options: tuple[int, ...]) -> int:
    """What the player of these tests takes: what is lit first, but red in the gamble."""
    return options[kind == 3]


def short_round(game: str, feature: str) -> bytes:
    """The seed of the round with the fewest spins among the first three that reach a feature."""
    module = rules("games").game_module(game)
    found: list[tuple[int, bytes]] = []
    for number in count():
        seed = number.to_bytes(16, "big")
        events = rules("round").play(game, 1, module.MAX_LINES, seed, 50_000)
        names: list[str] = []
        event = next(events)
        while event[0] != "round_win":
            names.append(event[0])
            event = events.send(pick(event[1], event[2:]) if event[0] == "choice" else None)
        if feature in names:
            found.append((names.count("spin"), seed))
        if len(found) == 3:
            break
    return min(found)[1]


@pytest.mark.parametrize(
    ("game", "feature"),
    [
        ("mad_hatters", "cuckoo"),
        ("mad_hatters", "award"),
        ("mad_mad_monkey", "award"),
        ("mad_mad_monkey", "gamble"),
        ("santa_vs_rudolf", "award"),
        ("santa_vs_rudolf", "rudolf_spins"),
        ("santa_vs_rudolf", "gifts_win"),
        ("haunted_house", "full_moon_win"),
        ("haunted_house", "number_trail"),
    ],
)
def test_feature_is_played_to_its_end_with_the_buttons(cabinet: VirtualCabinet, game: str, feature: str) -> None:
    seed = short_round(game, feature)
    cabinet.pico.console.start(WITH_SEED.format(seed=seed.hex()))
    cabinet.wait_event("ready", BOOT_US)
    select(cabinet, game)
    cabinet.parts.coin_acceptor.insert(5)
    for _ in range(5):
        cabinet.wait_event("coin", 1e6)
    cabinet.parts.buttons["START"].click()
    event = cabinet.finish_round(lambda choice: int(choice["kind"] == 3), hurry=feature != "gamble")
    module = rules("games").game_module(game)
    events = play_round(game, 1, module.MAX_LINES, seed, event["choices"], 50_000)
    names = [played[0] for played in events]
    assert event["seed"] == seed.hex()
    assert feature in names
    assert event["win"] == events[-1][1]
    assert event["credit"] == 500 - module.MAX_LINES + event["win"]
    assert cabinet.parts.panel.faults == []
    if feature == "gamble":
        assert event["gamble_in"] > 0
        assert event["stakes"] == module.MAX_LINES


@pytest.mark.rule("MM-12")
def test_gambles_do_not_count_in_coin_in(cabinet: VirtualCabinet) -> None:
    seed = bytes(16)
    cabinet.pico.console.start(WITH_SEED.format(seed=seed.hex()))
    cabinet.wait_event("ready", BOOT_US)
    cabinet.parts.coin_acceptor.insert(2)
    cabinet.wait_event("coin", 1e6)
    cabinet.wait_event("coin", 1e6)
    cabinet.parts.buttons["START"].click()
    event = cabinet.finish_round(lambda choice: 1)
    events = play_round("mad_mad_monkey", 1, 50, seed, event["choices"], 50_000)
    won = [int(str(played[1])) for played in events if played[0] == "spin_win"]
    gambles = [int(str(played[2])) for played in events if played[0] == "gamble"]
    assert gambles
    assert event["gamble_in"] == sum(won) + sum(gambles[:-1])
    assert event["gamble_out"] == sum(gambles)
    assert event["stakes"] == 50
    cabinet.pico.run_for(3e6)
    assert cabinet.parts.counters["COIN_IN"].count == 0


@pytest.mark.parametrize("game", GAMES)
def test_each_game_can_be_selected_and_played(cabinet: VirtualCabinet, game: str) -> None:
    select(cabinet, game)
    cabinet.parts.coin_acceptor.insert(3)
    for _ in range(3):
        cabinet.wait_event("coin", 1e6)
    cabinet.parts.buttons["START"].click()
    event = cabinet.finish_round()
    assert event["game"] == game
    events = play_round(game, 1, event["lines"], bytes.fromhex(event["seed"]), event["choices"], 50_000)
    assert event["win"] == events[-1][1]


BROKEN_ROUND = """
import cabinet.game
import program
played = cabinet.game.play
def broken(*arguments):
    events = played(*arguments)
    yield next(events)
    raise ValueError("the record of the round is invalid")
cabinet.game.play = broken
program.main()
"""

BANNERS = """
from ui.show import Show
from ui.labels import option_label
class Bet:
    coin_minor = 5
    line_bet = 10
class Stand:
    _bet = Bet
print(Show._words(Stand, ("cuckoo", 2, 10, 20, 30, 40, 450)))
print(Show._words(Stand, ("cuckoo_pick", 2, 4500)))
print([option_label(1, clock) for clock in range(5)])
"""


@pytest.mark.rule("G-01")
def test_a_malfunction_voids_the_round_and_stops_the_cabinet(cabinet: VirtualCabinet) -> None:
    cabinet.pico.console.start(BROKEN_ROUND)
    cabinet.wait_event("ready", BOOT_US)
    cabinet.parts.coin_acceptor.insert(1)
    cabinet.wait_event("coin", 1e6)
    cabinet.parts.buttons["START"].click()
    event = cabinet.wait_event("malfunction", 2e6)
    assert (event["voided"], event["credit"]) == (50, 100)
    stopped_us = cabinet.pico.now_us
    cabinet.pico.run_for(3e6)
    assert b"the record of the round is invalid" in cabinet.pico.console.received
    assert cabinet.events() == []
    assert cabinet.parts.safety_violations(stopped_us + 100_000) == []


@pytest.mark.rule("MH-14")
def test_cuckoo_screen_shows_the_win_and_never_the_bare_value(cabinet: VirtualCabinet) -> None:
    shown = cabinet.pico.console.exec(BANNERS).splitlines()
    assert shown == ["CUCKOO BONUS: 2 PICKS", "CLOCK 3 PAYS 225.00", "['1', '2', '3', '4', '5']"]
