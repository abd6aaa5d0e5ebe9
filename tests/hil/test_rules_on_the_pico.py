"""The rules core on the emulated Pico: time of a spin, time to resume, RAM."""

from __future__ import annotations

import pytest

from host_tools.audit.seeds import Goal, search
from host_tools.play.virtual_cabinet import VirtualCabinet
from host_tools.tables import GAMES, game_tables

# Two thirds of the limits, as the emulator has no model of the XIP cache.
BASE_SPIN_US = 2_500 * 2 // 3
RESUME_MS = 1_000 * 2 // 3
RULES_RAM_BYTES = 24_000  # bytes are exact: no margin

MEASURE_RAM = """
import gc
import asyncio, hashlib, array
gc.collect()
before = gc.mem_free()
from rules.round import play
from rules.games import GAMES, game_module
for name in GAMES:
    game_module(name)
gc.collect()
print(before - gc.mem_free())
"""

# Rounds of one spin, all of it: draws, lines, scatter, icons.
MEASURE_SPINS = """
import board, gc, machine, time
machine.freq(board.CPU_HZ, board.CPU_HZ)
from rules.round import play
from rules.games import GAMES, game_module
for name in GAMES:
    lines = game_module(name).MAX_LINES
    total = rounds = 0
    for number in range(80):
        events = play(name, 1, lines, number.to_bytes(16, "big"))
        spins = 0
        start = time.ticks_us()
        for event in events:
            if event[0] == "choice":
                break
            spins += event[0] == "spin"
        elapsed = time.ticks_diff(time.ticks_us(), start)
        if spins == 1 and event[0] == "round_win":
            total += elapsed
            rounds += 1
    print(name, total // rounds, rounds)
"""

FIND_CHOICES = """
import board, gc, machine, time
machine.freq(board.CPU_HZ, board.CPU_HZ)
from cabinet.recall import resume
from rules.round import play
from rules.games import game_module

def started(game, seed):
    return play(game, 1, game_module(game).MAX_LINES, bytes.fromhex(seed))

def first_options(game, seed):
    events = started(game, seed)
    choices = []
    spins = 0
    option = None
    try:
        while True:
            event = events.send(option)
            option = None
            spins += event[0] == "spin"
            if event[0] == "choice":
                option = event[2]
                choices.append(option)
    except StopIteration:
        return spins, choices
"""

MEASURE_RESUME = (
    FIND_CHOICES
    + """
for game, seed in ROUNDS:
    spins, choices = first_options(game, seed)
    events = started(game, seed)
    gc.collect()
    start = time.ticks_us()
    resume(events, choices, lambda: None)
    print(game, spins, time.ticks_diff(time.ticks_us(), start))
"""
)

RESUME_UNDER_WATCHDOG = (
    FIND_CHOICES
    + """
game, seed = ROUNDS[0]
choices = first_options(game, seed)[1]
events = started(game, seed)
gc.collect()
print("started")
watchdog = machine.WDT(timeout=WATCHDOG_MS)
start = time.ticks_us()
resume(events, choices, watchdog.feed if FED else lambda: None)
machine.mem32[0x40058000 + 0x3000] = 1 << 30  # the watchdog's enable bit, cleared: the test is over
print("resumed in", time.ticks_diff(time.ticks_us(), start))
"""
)
LONG_SPINS = 8  # a round with so many has a feature, and its set-up no longer counts
MOST_FREE_SPINS = 250
WATCHDOG_MS = 8


def test_all_games_together_fit_their_ram(bare_cabinet: VirtualCabinet) -> None:
    used = int(bare_cabinet.pico.console.exec(MEASURE_RAM))
    assert 5_000 < used <= RULES_RAM_BYTES


def base_spins_us(cabinet: VirtualCabinet) -> dict[str, int]:
    """Mean time of a round of one spin, by game."""
    printed = [line.split() for line in cabinet.pico.console.exec(MEASURE_SPINS).splitlines() if line]
    assert all(int(rounds) >= 40 for _, _, rounds in printed)
    return {name: int(us) for name, us, _ in printed}


def long_rounds(game: str, wanted: int) -> list[tuple[str, str]]:
    """The game and the seeds of its first rounds of LONG_SPINS and more, the first options chosen."""
    long = Goal("many spins", lambda events: sum(event[0] == "spin" for event in events) >= LONG_SPINS)
    found = search(game_tables(game), long, wanted, bytes(16), 20_000, lambda tried: None)
    return [(game, inputs.seed.hex()) for inputs, _ in found]


def test_a_base_spin_of_every_game_is_in_time(bare_cabinet: VirtualCabinet) -> None:
    figures = base_spins_us(bare_cabinet)
    assert set(figures) == set(GAMES)
    assert {name: us for name, us in figures.items() if us > BASE_SPIN_US} == {}


def test_resuming_a_round_is_in_time(bare_cabinet: VirtualCabinet) -> None:
    base_us = base_spins_us(bare_cabinet)
    rounds = [found for game in GAMES for found in long_rounds(game, 3)]
    printed = bare_cabinet.pico.console.exec(f"ROUNDS = {rounds!r}\n" + MEASURE_RESUME)
    lines = [line for line in printed.splitlines() if line]
    assert len(lines) == len(rounds)
    for line in lines:
        game, spins, us = line.split()
        assert int(us) <= 1.5 * int(spins) * base_us[game], line
        assert int(us) / int(spins) * MOST_FREE_SPINS <= RESUME_MS * 1000, line


@pytest.mark.parametrize("game", GAMES)
def test_resuming_a_round_feeds_the_watchdog(cabinet: VirtualCabinet, game: str) -> None:
    """A watchdog of the Pico that waits for less time than the round takes: fed it does not bite, else it does."""
    script = f"ROUNDS = {long_rounds(game, 1)!r}\nWATCHDOG_MS = {WATCHDOG_MS}\nFED = {{}}\n" + RESUME_UNDER_WATCHDOG
    printed = cabinet.pico.console.exec(script.replace("{}", "True"))
    assert int(printed.split("resumed in")[1]) > 1000 * WATCHDOG_MS
    connected = cabinet.pico.console.connected
    cabinet.pico.console.start(script.replace("{}", "False"))
    cabinet.pico.run_for(2_000_000)
    assert cabinet.pico.console.connected == connected + 1  # it was reset
