"""Mad Mad Monkey for its kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import kernels
from .arrays import by_count, ints, strips_of
from .line_machine import line_machine, substituted

SOURCES = ("lines", "scatter", "free_spins.lines", "free_spins.scatter")
TRIGGERS = ("free_spins", "free_spins.retrigger")
PLAY = kernels.mad_mad_monkey


def kernel_tables(tables: Mapping[str, Any]) -> kernels.MadMadMonkeyTables:
    """What the kernel plays by."""
    monkey, logo = tables["wild"], tables["scatter_symbol"]
    monkeys = frozenset([tables["symbols"].index(monkey)])
    machines = [
        line_machine(
            len(tables["symbols"]),
            [
                reading._replace(multiplying=monkeys, multiplier=tables["wild_multiplier"])
                for reading in substituted(tables, [monkey], factor)
            ],
        )
        for factor in (1, tables["free_multiplier"])
    ]
    modes = [tables["strips"][mode] for mode in ("base", "free")]
    award = [tables["free_spins"] if logos >= tables["free_spins_from"] else 0 for logos in range(16)]
    return kernels.MadMadMonkeyTables(
        strips=strips_of(
            tables, modes, machines, lambda mode, reel, window: window, lambda reel, window: window.count(logo)
        ),
        scatter=ints(by_count(tables["scatter_pays"], tables["max_lines"])),
        award=ints(award),
        limit=ints([tables["free_spins_limit"]]),
    )
