"""`make bench`: how fast the cabinet, the core and the emulator are; a table and build/bench.json.

Emulated figures are exact and repeatable; they are lower bounds, as the emulator has no model of the XIP cache. Wall
figures depend on this machine and its load.
"""

from __future__ import annotations

import json
import sys
import time

from par_speed import figures as par_figures

from host_tools.core import rules
from host_tools.emulator.measure import measure
from host_tools.paths import BUILD
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet
from host_tools.toolchain.build import build
from host_tools.toolchain.uf2 import flash_bytes

_ON_THE_BOARD = """
import board, gc, machine, time
from machine import SPI, Pin
machine.freq(board.CPU_HZ, board.CPU_HZ)
from drivers.st7789 import St7789
from rules.games import GAMES, game_module
from rules.round import play
from ui.show import flash_view
from ui.reels import Reels
spi = SPI(board.PANEL_SPI, baudrate=board.PANEL_HZ, sck=Pin(board.PANEL_SCK), mosi=Pin(board.PANEL_MOSI))
pins = [Pin(n, Pin.OUT) for n in (board.PANEL_CS, board.PANEL_DC, board.PANEL_RST, board.PANEL_BACKLIGHT)]
reels = Reels(St7789(spi, *pins, board.PANEL_MADCTL, board.PANEL_INVERTED),
              flash_view("/rom/assets/symbols/mad_mad_monkey.bin"), (6, 68, 130, 192, 254), 26)
track = bytes(range(12))
gc.collect()
start = time.ticks_us()
for frame in range(60):
    for reel in range(5):
        reels.draw(reel, track, frame * 7 + 3)
print("frames_us", time.ticks_diff(time.ticks_us(), start))
for name in GAMES:
    lines = game_module(name).MAX_LINES
    total = 0
    for number in range(40):
        gc.collect()
        events = play(name, 1, lines, number.to_bytes(16, "big"))
        start = time.ticks_us()
        for event in events:
            if event[0] == "spin_win":
                break
        total += time.ticks_diff(time.ticks_us(), start)
    print("spin_us_" + name, total // 40)
import rp2
flash = rp2.Flash(start=board.FLASH_JOURNAL_A[0] - board.FLASH_ROMFS[0], len=4096)
flash.ioctl(6, 0)
page = bytes(256)
start = time.ticks_us()
flash.writeblocks(0, page, 0)
print("page_us", time.ticks_diff(time.ticks_us(), start))
"""
_LARGEST_BLOCK = """
import gc
gc.collect()
size = 1024
try:
    while True:
        bytearray(size)
        size += 1024
except MemoryError:
    print("largest", size - 1024)
"""


def _cabinet_figures(cabinet: VirtualCabinet) -> dict[str, float]:
    ready = cabinet.wait_event("ready", BOOT_US)
    figures: dict[str, float] = {
        "boot_to_ready_ms": round(cabinet.parts.coin_acceptor.log[-1][0] / 1000, 1),
        "heap_free_in_play": ready["heap_free"],
    }
    parts, pico = cabinet.parts, cabinet.pico
    parts.coin_acceptor.insert(10)
    pico.run_for(1.5e6)
    rest = parts.panel.picture().crop((0, 24, 320, 206)).tobytes()
    pressed_us = pico.now_us
    parts.buttons["START"].click()
    pico.run_until(lambda: parts.panel.picture().crop((0, 24, 320, 206)).tobytes() != rest, 1e6, "a movement")
    figures["start_to_movement_ms"] = round((pico.now_us - pressed_us) / 1000, 1)
    pico.run_for(200_000)
    frames, begun_us, begun = parts.panel.frames, pico.now_us, time.perf_counter()
    pico.run_for(400_000)
    figures["frames_per_s_five_reels_in_play"] = round((parts.panel.frames - frames) / 5 / 0.4, 1)
    pico.run_for(2e6)
    for _ in range(4):
        parts.buttons["START"].click()
        pico.run_for(2.7e6)
    figures["realtime_ratio_play"] = round((pico.now_us - begun_us) / 1e6 / (time.perf_counter() - begun), 2)
    printed = dict(line.split() for line in pico.console.exec(_ON_THE_BOARD).splitlines() if line)
    figures["frames_per_s_five_reels"] = round(60e6 / int(printed["frames_us"]), 1)
    for name in rules("games").GAMES:
        figures[f"base_spin_us_{name}"] = int(printed[f"spin_us_{name}"])
    figures["journal_page_us"] = int(printed["page_us"])
    figures["heap_largest_block"] = int(pico.console.exec(_LARGEST_BLOCK).split()[1])
    return figures


def main() -> int:
    """Measures all, prints the table, writes the file."""
    built = build(progress=lambda line: print(f"[bench] {line}", file=sys.stderr))
    flash = flash_bytes([built.full_uf2])
    bare = measure(flash_bytes([built.firmware_uf2]))
    stock = measure(flash_bytes([built.firmware_uf2]), core="stock", loop_rounds=5_000)
    figures: dict[str, float] = {
        "mpy_bytes": sum(size.mpy_bytes for size in built.sizes),
        "emulated_mhz": round(bare.emulated_mhz, 1),
        "emulated_mhz_stock_core": round(stock.emulated_mhz, 1),
        "boot_to_console_ms": round(bare.boot_to_console_ms, 2),
        **_cabinet_figures(VirtualCabinet(built, flash, 1, lambda line: None)),
        **par_figures(),
    }
    BUILD.mkdir(exist_ok=True)
    (BUILD / "bench.json").write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for name, value in sorted(figures.items()):
        print(f"{name:<34} {value:>12}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
