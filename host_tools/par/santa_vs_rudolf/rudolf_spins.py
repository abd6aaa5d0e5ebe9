"""Rudolf Spins: five Reindeer Wilds on a random choice of the fifteen cells, by the overlay masks (T3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from ..law import REELS, ROWS
from .line_means import LineMeans

_CELLS = REELS * ROWS


def rudolf_spin_mean(tables: Mapping[str, Any], lines: Sequence[Sequence[int]]) -> Fraction:
    """The mean win of one Rudolf spin in coins at line bet 1, its cap left out.

    A line crosses five different cells whatever its pattern, so the chance that the reindeer cover exactly a given set
    of k of them is C(10, n - k) / C(15, n), the same for every line.
    """
    reindeer = tables["rudolf_spins"]["reindeer"]
    means = LineMeans(tables, tables["strips"][tables["modes"][4]])
    total = 0
    for mask, coins in enumerate(means.coins):
        on_line = mask.bit_count()
        if on_line <= reindeer:
            total += coins * comb(_CELLS - REELS, reindeer - on_line)
    return Fraction(len(lines) * total, means.windows * comb(_CELLS, reindeer))
