"""Haunted House for its kernel: strip positions hold a symbol and an icon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import kernels
from .arrays import Window, by_count, ints, strips_of, weights
from .line_machine import line_machine, substituted

SOURCES = (
    "lines",
    "scatter",
    "trail",
    "full_moon",
    "free_spins.lines",
    "free_spins.scatter",
    "free_spins.trail",
    "free_spins.full_moon",
)
TRIGGERS = (
    "free_spins",
    "free_spins.retrigger",
    "trail",
    "trail.base",
    "full_moon",
    "full_moon.base",
)
PLAY = kernels.haunted_house

_FEATURES = ("collect", "repeat", "advance")
_LARGEST_SUM = 15 * 3  # every cell with the largest icon
_FULL_MOON = -1


def kernel_tables(tables: Mapping[str, Any]) -> kernels.HauntedHouseTables:
    """What the kernel plays by."""
    house = tables["scatter_symbol"]

    def mark(reel: int, window: Window) -> int:
        return sum((symbol == house) + 16 * icon for symbol, icon in window)

    machine = line_machine(len(tables["symbols"]), substituted(tables, [tables["wild"]]))
    trail = [0] + [_FULL_MOON if level is None else level for level in tables["bonus_trail"]]
    trail += [trail[-1]] * (_LARGEST_SUM + 1 - len(trail))
    segments = tables["full_moon"]["segments"]
    longest = max(map(len, segments))
    padding = {"multiplier": 0, "feature": "collect", "weight": 0}
    padded = [[*segment, *[padding] * (longest - len(segment))] for segment in segments]
    return kernels.HauntedHouseTables(
        strips=strips_of(
            tables,
            [tables["strips"][mode] for mode in ("base", "free")],
            [machine] * 2,
            lambda mode, reel, window: [symbol for symbol, _ in window],
            mark,
        ),
        scatter=ints(by_count(tables["scatter_pays"], tables["max_lines"])),
        free_spins_from=ints([tables["free_spins_from"]]),
        spins=ints([entry["spins"] for entry in tables["number_trail"]]),
        spin_weights=weights(tables["number_trail"]),
        trail=ints(trail),
        multipliers=ints([[entry["multiplier"] for entry in segment] for segment in padded]),
        features=ints([[_FEATURES.index(entry["feature"]) for entry in segment] for segment in padded]),
        weights=ints([weights(segment) for segment in padded]),
        limits=ints([tables["full_moon"]["cashpot_limit"], tables["free_spins_limit"]]),
    )
