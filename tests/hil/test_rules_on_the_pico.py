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
import board, machine, time
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

MEASURE_RESUME = """
import board, machine, time
machine.freq(board.CPU_HZ, board.CPU_HZ)
from rules.round import play
from rules.games import game_module
lines = game_module("{game}").MAX_LINES
events = play("{game}", 1, lines, bytes.fromhex("{seed}"), 50000)
start = time.ticks_us()
option = None
spins = 0
try:
    while True:
        event = events.send(option)
        option = event[2] if event[0] == "choice" else None
        spins += event[0] == "spin"
except StopIteration:
    pass
print(spins, time.ticks_diff(time.ticks_us(), start))
"""


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
