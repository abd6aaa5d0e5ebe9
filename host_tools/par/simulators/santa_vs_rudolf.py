"""Santa vs Rudolf for its kernel: the windows hold the wilds that landed, walking wilds are put over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import kernels
from .arrays import Window, ints, strips_of
from .line_machine import line_machine, substituted

SOURCES = ("lines", "respins.lines", "free_spins.lines", "gifts", "rudolf_spins")
TRIGGERS = ("free_spins", "merges", "free_spins.merges", "gifts", "rudolf_spins", "bonus")
PLAY = kernels.santa_vs_rudolf


def kernel_tables(tables: Mapping[str, Any]) -> kernels.SantaVsRudolfTables:
    """What the kernel plays by."""
    wilds = tables["wilds"]

    def mark(reel: int, window: Window) -> int:
        return sum(
            (symbol == wilds["rudolf"]) + 8 * (symbol == wilds["santa"]) << row for row, symbol in enumerate(window)
        )

    machine = line_machine(len(tables["symbols"]), substituted(tables, list(wilds.values())))
    modes = [tables["strips"][mode] for mode in tables["modes"]]
    gifts, rudolf_spins = tables["gifts"], tables["rudolf_spins"]
    return kernels.SantaVsRudolfTables(
        strips=strips_of(tables, modes, [machine] * len(modes), lambda mode, reel, window: window, mark),
        wild=ints([tables["symbols"].index(wilds["merged"])]),
        awards=ints(
            [
                tables["merge_free_spins"],
                tables["merge_free_spins_limit"],
                tables["free_merge_free_spins"],
                tables["free_spins_limit"],
            ]
        ),
        meter=ints([tables["meter_length"]]),
        prizes=ints([one["prizes"] for one in gifts["sets"]]),
        max_multiplier=ints([gifts["max_multiplier"]]),
        rudolf_spins=ints([rudolf_spins["spins"], rudolf_spins["reindeer"], rudolf_spins["cap"]]),
    )
