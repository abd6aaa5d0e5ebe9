"""The parts of a game's tables that all kernels need, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import UsageError
from .kernels import Ints, Strips
from .line_machine import REELS

ROWS = 3
_DRAW_LIMIT = 65536  # the largest number that the kernels draw below

Window = Sequence[Any]
"""Three positions of a strip, top to bottom."""


def ints(values: Any) -> Ints:
    """The values as an array of int64."""
    return np.array(values, dtype=np.int64)


def by_count(counts: Mapping[str, int], factor: int = 1, size: int = 16) -> list[int]:
    """A table by count (count as string -> number), times a factor, as a list by count; counts from 0 to size - 1."""
    return [counts.get(str(count), 0) * factor for count in range(size)]


def weights(entries: Sequence[Mapping[str, Any]]) -> Ints:
    """The weights of a weighted draw.

    Raises:
        UsageError: their sum is 0 or too large to draw from.
    """
    found = ints([entry["weight"] for entry in entries])
    if not 0 < found.sum() <= _DRAW_LIMIT:
        raise UsageError(f"weights that sum to {found.sum()}", f"use weights with a sum of 1 to {_DRAW_LIMIT}")
    return found


def strips_of(
    tables: Mapping[str, Any],
    modes: Sequence[Sequence[Sequence[Any]]],
    machines: Sequence[list[list[int]]],
    shown: Callable[[int, int, Window], Sequence[str]],
    mark: Callable[[int, Window], int],
) -> Strips:
    """The reels of a game.

    Args:
        tables: the game's tables.
        modes: the five strips of each mode, positions as in the tables.
        machines: the line machine of each mode.
        shown: takes mode, reel (both from 0) and the stopped window of that reel; returns its symbols as evaluated.
        mark: takes the reel and its stopped window; returns the number that is added up over the reels.
    """
    ids = {symbol: number for number, symbol in enumerate(tables["symbols"])}
    longest = max(len(strip) for strips in modes for strip in strips)
    lengths = np.zeros((len(modes), REELS), np.int64)
    windows = np.zeros((len(modes), REELS, longest, ROWS), np.int64)
    marks = np.zeros((len(modes), REELS, longest), np.int64)
    for mode, strips in enumerate(modes):
        for reel, strip in enumerate(strips):
            lengths[mode, reel] = len(strip)
            for stop in range(len(strip)):
                window = [strip[(stop + row) % len(strip)] for row in range(ROWS)]
                windows[mode, reel, stop] = [ids[symbol] for symbol in shown(mode, reel, window)]
                marks[mode, reel, stop] = mark(reel, window)
    cells = [[ROWS * reel + row - 1 for reel, row in enumerate(line)] for line in tables["line_patterns"]]
    steps = np.zeros((len(modes), max(map(len, machines)), len(ids)), np.int64)
    for mode, machine in enumerate(machines):
        steps[mode, : len(machine)] = machine
    return Strips(lengths, windows, marks, ints(cells[: tables["max_lines"]]), steps)
