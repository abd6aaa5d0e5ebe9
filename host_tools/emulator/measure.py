"""How fast the emulator is on this machine."""

from __future__ import annotations

import time
from typing import NamedTuple

from .pico import Pico
from .rp2040py_compat import Core


class Figures(NamedTuple):
    """What `measure` found.

    Attributes:
        emulated_mhz: system clock cycles in a second of one CPU core, for a tight MicroPython loop, sleep excluded.
        boot_to_console_ms: emulated time from power-on to the console on the bus.
        boot_wall_s: wall time from a flash image to the console on the bus.
    """

    emulated_mhz: float
    boot_to_console_ms: float
    boot_wall_s: float


def measure(flash: bytes, *, core: Core = "fast", loop_rounds: int = 1_000_000) -> Figures:
    """Boots `flash` and runs an empty loop of `loop_rounds` on one CPU core.

    Raises:
        EmulatorError: the image does not boot to a REPL.
    """
    begin = time.perf_counter()
    pico = Pico(flash, core=core)
    pico.console.wait_connected()
    boot_wall_s = time.perf_counter() - begin
    boot_ms = pico.now_us / 1000
    pico.console.exec(f"def loop():\n    for i in range({loop_rounds}): pass")
    busy_ns = pico.now_ns - pico.idle_ns
    begin = time.process_time()  # not wall time: other work on this machine must not count
    pico.console.exec("loop()", 600e6)
    cpu_s = time.process_time() - begin
    busy_ns = pico.now_ns - pico.idle_ns - busy_ns
    return Figures(busy_ns / 8 / cpu_s / 1e6, boot_ms, boot_wall_s)
