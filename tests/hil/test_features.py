"""Every feature of every game, played to its end with the buttons on the emulated cabinet.

The round's seed is given from the console, by the program's own classes: the image has nothing that could do it.
"""

from __future__ import annotations

import pytest
from programs import BROKEN_ROUND

from host_tools.audit.seeds import goals, search
from host_tools.core import play_round, rules
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet
from host_tools.tables import game_tables

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


@pytest.mark.parametrize(
    ("game", "goal", "feature"),
    [
        ("mad_hatters", "cuckoo", "cuckoo"),
        ("mad_hatters", "free_spins", "award"),
        ("mad_mad_monkey", "free_spins", "award"),
        ("mad_mad_monkey", "gamble_won", "gamble"),
        ("santa_vs_rudolf", "free_spins", "award"),
        ("santa_vs_rudolf", "rudolf_spins", "rudolf_spins"),
        ("santa_vs_rudolf", "gifts", "gifts_win"),
        ("haunted_house", "full_moon", "full_moon_win"),
        ("haunted_house", "free_spins", "number_trail"),
    ],
)
def test_feature_is_played_to_its_end_with_the_buttons(
    cabinet: VirtualCabinet, game: str, goal: str, feature: str
) -> None:
    found = search(game_tables(game), goals(game_tables(game), 100)[goal], 1, bytes(16), 50_000, lambda tried: None)
    seed = next(found)[0].seed
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
