"""The largest awards of Santa vs Rudolf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from ..figures import Award
from ..law import REELS, ROWS, pays_by_count
from .line_means import both_ways

BASE, FREE, RUDOLF_SPIN = 0, 2, 4  # modes
_MASKS = range(1 << ROWS)


@dataclass(frozen=True)
class BestSpin:
    """A spin of the highest line pay.

    Attributes:
        coins: at line bet 1.
        stops: five, reel 1 to 5.
        cells: where Reindeer Wilds stand, cell = 3 x reel + row, both from 0.
    """

    coins: int
    stops: tuple[int, ...]
    cells: tuple[int, ...]


@dataclass(frozen=True)
class _Reel:
    stop: int
    shown: tuple[int, ...]  # three kinds of symbols as in `both_ways`, top to bottom, reindeer in place
    reindeer: tuple[int, ...]  # their rows


def best_spin(
    tables: Mapping[str, Any], mode: int, lines: Sequence[Sequence[int]], reindeer: int, above: int = 0
) -> BestSpin | None:
    """The spin that pays most, by branch and bound over stops and Reindeer Wilds: nothing is left out.

    Args:
        mode: whose strips are spun; wilds on them count as wilds.
        lines: enabled line patterns.
        reindeer: Reindeer Wilds on the window.
        above: only a spin that pays more than this is wanted.

    Returns:
        None when no spin pays more than `above`.
    """
    names = list(tables["line_pays"])
    pays = pays_by_count(tables["line_pays"])
    pay = both_ways(tuple(pays[name] for name in names), names.index(tables["wild_run_pays_as"]))
    nothing, wild = len(names), len(names) + 1
    kinds = {name: kind for kind, name in enumerate(names)} | dict.fromkeys(tables["wilds"].values(), wild)
    strips = [[kinds.get(symbol, nothing) for symbol in strip] for strip in tables["strips"][tables["modes"][mode]]]
    reels = [_reels(strip, wild) for strip in strips]
    symbols = [sorted(set(strip)) for strip in strips]
    # Lines with the same rows so far are one branch, counted as often as they are.
    rows_so_far = [Counter(tuple(line[:walked]) for line in lines) for walked in range(REELS + 1)]

    @cache
    def line_bound(run: tuple[int, ...], left: int) -> int:
        if len(run) == REELS:
            at = 0
            for kind in run:
                at = at * (wild + 1) + kind
            return pay[at]
        best = max(line_bound((*run, kind), left) for kind in symbols[len(run)])
        return max(best, line_bound((*run, wild), left - 1)) if left else best

    best: BestSpin | None = None

    def search(chosen: tuple[_Reel, ...], runs: dict[tuple[int, ...], tuple[int, ...]], left: int) -> None:
        nonlocal best, above
        walked = len(chosen) + 1
        branches = []
        for reel in reels[walked - 1]:
            rest = left - len(reel.reindeer)
            if not 0 <= rest <= ROWS * (REELS - walked):
                continue
            longer = {rows: (*runs[rows[:-1]], reel.shown[rows[-1] - 1]) for rows in rows_so_far[walked]}
            bound = sum(times * line_bound(longer[rows], rest) for rows, times in rows_so_far[walked].items())
            if bound > above:
                branches.append((bound, reel, longer, rest))
        branches.sort(key=lambda branch: (-branch[0], branch[1].stop, branch[1].reindeer))
        for bound, reel, longer, rest in branches:
            if bound <= above:
                break
            path = (*chosen, reel)
            if walked < REELS:
                search(path, longer, rest)
                continue
            cells = tuple(ROWS * at + row for at, one in enumerate(path) for row in one.reindeer)
            best, above = BestSpin(bound, tuple(one.stop for one in path), cells), bound

    search((), {(): ()}, reindeer)
    return best


def best_rudolf_spin(tables: Mapping[str, Any], lines: Sequence[Sequence[int]], above: int = 0) -> BestSpin | None:
    """The Rudolf spin that pays most, its cap left out; None when none pays more than `above`."""
    return best_spin(tables, RUDOLF_SPIN, lines, tables["rudolf_spins"]["reindeer"], above)


def _reels(strip: Sequence[int], wild: int) -> list[_Reel]:
    """The first stop of each kind, with each choice of rows for reindeer."""
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], _Reel] = {}
    for stop, mask in product(range(len(strip)), _MASKS):
        rows = tuple(row for row in range(ROWS) if mask >> row & 1)
        shown = tuple(wild if row in rows else strip[(stop + row) % len(strip)] for row in range(ROWS))
        found.setdefault((shown, rows), _Reel(stop, shown, rows))
    return list(found.values())


def largest_award(tables: Mapping[str, Any]) -> Award:
    """The largest bonus, and the most of every other part: a round as a whole has no largest award.

    Re-spins go on while wilds land, each can win, and nothing limits their number; only the configurable maximum award
    (G-09) bounds a round.
    """
    line_bet, lines = tables["max_line_bet"], tables["line_patterns"]
    rudolf, gifts = tables["rudolf_spins"], tables["gifts"]
    spin = best_rudolf_spin(tables, lines)
    rudolf_coins = rudolf["spins"] * min(spin.coins, rudolf["cap"]) if spin else 0
    prizes = sum(sum(one["prizes"]) for one in gifts["sets"])
    multiplier = min(1 + len(gifts["sets"]), gifts["max_multiplier"])
    steps = [
        "no round has a largest award: re-spins go on while wilds land, and each can win; the coins above are those of "
        "the largest bonus",
        *(
            _step(name, best_spin(tables, mode, lines, reindeer=0), line_bet)
            for name, mode in (("paid spin", BASE), ("free spin", FREE))
        ),
        f"at most {tables['free_spins_limit']} free spins in a session, each with its re-spins",
        f"Santa's Gifts: {prizes} x {multiplier} x line bet = {prizes * multiplier * line_bet} coins; "
        "the end item of every set is found last",
        _step(f"Rudolf Spins, {rudolf['spins']} times", spin, line_bet),
    ]
    return Award(max(rudolf_coins, prizes * multiplier) * line_bet, line_bet, steps)


def _step(name: str, spin: BestSpin | None, line_bet: int) -> str:
    if spin is None:
        return f"{name}: nothing pays"
    reindeer = f", reindeer in cells {' '.join(map(str, spin.cells))}" if spin.cells else ""
    return f"{name}: stops {' '.join(map(str, spin.stops))}{reindeer}: {spin.coins * line_bet} coins"
