"""The rules core on the emulated Pico: time of a spin, time to resume, RAM."""

from __future__ import annotations

from host_tools.play.virtual_cabinet import VirtualCabinet

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

MEASURE_SPINS = """
import board, gc, machine, time
machine.freq(board.CPU_HZ, board.CPU_HZ)
from rules.round import play
from rules.games import GAMES, game_module
for name in GAMES:
    lines = game_module(name).MAX_LINES
    worst = total = 0
    for number in range(40):
        events = play(name, 1, lines, number.to_bytes(16, "big"))
        start = time.ticks_us()
        for event in events:
            if event[0] == "spin_win":
                break
        elapsed = time.ticks_diff(time.ticks_us(), start)
        worst = max(worst, elapsed)
        total += elapsed
    print(name, total // 40, worst)
"""

# The choices of a resumed round are known, so it is run through without a show.
MEASURE_RESUME = """
import board, gc, machine, time
machine.freq(board.CPU_HZ, board.CPU_HZ)
from rules.round import play
from rules.games import game_module

def resume(game, seed):
    events = play(game, 1, game_module(game).MAX_LINES, bytes.fromhex(seed))
    gc.collect()
    start = time.ticks_us()
    option = None
    spins = 0
    try:
        while True:
            event = events.send(option)
            option = event[2] if event[0] == "choice" else None
            spins += event[0] == "spin"
    except StopIteration:
        print(game, spins, time.ticks_diff(time.ticks_us(), start))

for game, seed in ROUNDS:
    resume(game, seed)
"""
# Rounds of many spins, by the numbers of their seeds (see test_features.py).
LONG_ROUNDS = (
    ("mad_hatters", 310),
    ("mad_mad_monkey", 116),
    ("santa_vs_rudolf", 23953),
    ("haunted_house", 24),
)
MOST_FREE_SPINS = 250


def restarted(cabinet: VirtualCabinet) -> VirtualCabinet:
    """A soft reset at the REPL without the program: a clean heap."""
    cabinet.pico.console.start("pass")
    cabinet.pico.console.finish()
    cabinet.pico.console.send(b"\x04")
    cabinet.pico.run_for(1_500_000)
    return cabinet


def test_all_games_together_fit_their_ram(cabinet: VirtualCabinet) -> None:
    used = int(restarted(cabinet).pico.console.exec(MEASURE_RAM))
    assert 5_000 < used <= RULES_RAM_BYTES


def test_a_base_spin_of_every_game_is_in_time(cabinet: VirtualCabinet) -> None:
    printed = cabinet.pico.console.exec(MEASURE_SPINS)
    figures = {line.split()[0]: int(line.split()[1]) for line in printed.splitlines() if line}
    assert len(figures) == 4
    assert {name: us for name, us in figures.items() if us > BASE_SPIN_US} == {}


def test_resuming_a_round_is_in_time(cabinet: VirtualCabinet) -> None:
    rounds = [(game, number.to_bytes(16, "big").hex()) for game, number in LONG_ROUNDS]
    printed = cabinet.pico.console.exec(f"ROUNDS = {rounds!r}\n" + MEASURE_RESUME)
    lines = [line for line in printed.splitlines() if line]
    assert len(lines) == len(LONG_ROUNDS)
    for line in lines:
        _, spins, us = line.split()
        assert int(spins) >= 5
        assert int(us) <= 1.5 * int(spins) * BASE_SPIN_US, line
        assert int(us) / int(spins) * MOST_FREE_SPINS <= RESUME_MS * 1000, line
