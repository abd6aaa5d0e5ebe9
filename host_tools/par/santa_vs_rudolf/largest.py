"""The largest awards of Santa vs Rudolf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

from ..figures import Award
from ..law import REELS, ROWS, Strip, pays_by_count
from .line_means import both_ways

BASE, BASE_RESPIN, FREE, RUDOLF_SPIN = 0, 1, 2, 4  # modes
RUDOLF, SANTA = 0, 1

_Rows = tuple[int, ...]


@dataclass(frozen=True)
class BestSpin:
    """A spin of the highest line pay.

    Attributes:
        coins: at line bet 1.
        stops: five, reel 1 to 5.
        reindeer: cells with a Reindeer Wild, cell = 3 x reel + row, both from 0.
        rudolfs: cells that Rudolfs have walked to.
        santas: cells that Santas have walked to.
    """

    coins: int
    stops: tuple[int, ...]
    reindeer: tuple[int, ...] = ()
    rudolfs: tuple[int, ...] = ()
    santas: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Wilds:
    """Rows of one reel with wilds on top of the strip's symbols."""

    reindeer: _Rows = ()
    rudolfs: _Rows = ()
    santas: _Rows = ()

    @property
    def rows(self) -> _Rows:
        return (*self.reindeer, *self.rudolfs, *self.santas)


@dataclass(frozen=True)
class _Reel:
    stop: int
    shown: tuple[int, ...]  # three kinds of symbols as in `both_ways`, top to bottom, wilds in place
    wilds: _Wilds


_Room = Callable[[Sequence[_Wilds]], int | None]
"""From the wilds of the first reels, how many may stand on the other reels on one line; None: these cannot be."""


def best_spin(
    tables: Mapping[str, Any], mode: int, lines: Sequence[Sequence[int]], reindeer: int = 0, above: int = 0
) -> BestSpin | None:
    """The spin that pays most.

    Args:
        mode: whose strips are spun; wilds on them count as wilds.
        lines: enabled line patterns.
        reindeer: Reindeer Wilds on the window.
        above: only a spin that pays more than this is wanted.

    Returns:
        None when no spin pays more than `above`.
    """
    masks = [rows for rows in map(_rows, range(1 << ROWS)) if len(rows) <= reindeer]

    def room(wilds: Sequence[_Wilds]) -> int | None:
        left = reindeer - sum(len(one.reindeer) for one in wilds)
        return left if 0 <= left <= ROWS * (REELS - len(wilds)) else None

    choices = [[_Wilds(reindeer=rows) for rows in masks]] * REELS
    return _search(tables, mode, lines, choices, room, above)


def best_rudolf_spin(tables: Mapping[str, Any], lines: Sequence[Sequence[int]], above: int = 0) -> BestSpin | None:
    """The Rudolf spin that pays most, its cap left out; None when none pays more than `above`."""
    return best_spin(tables, RUDOLF_SPIN, lines, tables["rudolf_spins"]["reindeer"], above)


def best_respin(tables: Mapping[str, Any], lines: Sequence[Sequence[int]]) -> BestSpin | None:
    """The re-spin of the main game that pays most, with all wilds that can have walked there together.

    Rudolfs land on reel 1 and Santas on reel 5, one in a window (SR-02), so each reel has one of either at most: one
    that has made as many moves as the reel is away. What a strip shows is in any row at some stop. A Rudolf and a Santa
    in the same row an even number of reels apart, the Rudolf to the right, would have met before and merged (SR-05).

    Returns:
        None when there are no re-spins or none of them pays.
    """
    rudolf, santa = tables["wilds"]["rudolf"], tables["wilds"]["santa"]
    lands_first, lands_again = (
        (rudolf in strips[0], santa in strips[-1])
        for strips in (tables["strips"][tables["modes"][mode]] for mode in (BASE, BASE_RESPIN))
    )
    if not any(lands_first):
        return None

    def room(wilds: Sequence[_Wilds]) -> int | None:
        for (reel, one), (right, other) in combinations(enumerate(wilds), 2):
            if (right - reel) % 2 == 0 and set(one.santas) & set(other.rudolfs):
                return None
        moves = [(RUDOLF, reel) for reel, one in enumerate(wilds) if one.rudolfs]
        moves += [(SANTA, REELS - 1 - reel) for reel, one in enumerate(wilds) if one.santas]
        for on_first in (count for wild, count in moves if not lands_again[wild]):
            # As many re-spins ago was the first spin.
            for wild, count in moves:
                if count > on_first or not (lands_first if count == on_first else lands_again)[wild]:
                    return None
        return REELS - len(wilds)

    lands = [any(found) for found in zip(lands_first, lands_again, strict=True)]
    none_or_row: list[_Rows] = [(), *((row,) for row in range(ROWS))]
    choices = [
        [
            _Wilds(rudolfs=rudolfs, santas=santas)
            for rudolfs, santas in product(
                none_or_row if reel > 0 and lands[RUDOLF] else [()],
                none_or_row if reel < REELS - 1 and lands[SANTA] else [()],
            )
        ]
        for reel in range(REELS)
    ]
    return _search(tables, BASE_RESPIN, lines, choices, room)


def _search(
    tables: Mapping[str, Any],
    mode: int,
    lines: Sequence[Sequence[int]],
    choices: Sequence[Iterable[_Wilds]],
    room: _Room,
    above: int = 0,
) -> BestSpin | None:
    """The spin that pays most, by branch and bound over stops and wilds: nothing is left out.

    Args:
        mode: whose strips are spun; wilds on them count as wilds.
        lines: enabled line patterns.
        choices: for each reel, the wilds that may stand on it.
        room: which choices go together.
        above: only a spin that pays more than this is wanted.
    """
    names = list(tables["line_pays"])
    pays = pays_by_count(tables["line_pays"])
    pay = both_ways(tuple(pays[name] for name in names), names.index(tables["wild_run_pays_as"]))
    nothing, wild = len(names), len(names) + 1
    kinds = {name: kind for kind, name in enumerate(names)} | dict.fromkeys(tables["wilds"].values(), wild)
    strips = [[kinds.get(symbol, nothing) for symbol in strip] for strip in tables["strips"][tables["modes"][mode]]]
    reels = [list(_reels(strip, wilds, wild)) for strip, wilds in zip(strips, choices, strict=True)]
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

    def search(chosen: tuple[_Reel, ...], runs: dict[tuple[int, ...], tuple[int, ...]]) -> None:
        nonlocal best, above
        walked = len(chosen) + 1
        so_far = [one.wilds for one in chosen]
        branches = []
        rooms = {wilds: room([*so_far, wilds]) for wilds in {reel.wilds for reel in reels[walked - 1]}}
        for reel in reels[walked - 1]:
            left = rooms[reel.wilds]
            if left is None:
                continue
            longer = {rows: (*runs[rows[:-1]], reel.shown[rows[-1] - 1]) for rows in rows_so_far[walked]}
            bound = sum(times * line_bound(longer[rows], left) for rows, times in rows_so_far[walked].items())
            if bound > above:
                branches.append((bound, reel, longer))
        branches.sort(key=lambda branch: (-branch[0], branch[1].stop, branch[1].wilds.rows))
        for bound, reel, longer in branches:
            if bound <= above:
                break
            path = (*chosen, reel)
            if walked < REELS:
                search(path, longer)
            else:
                best, above = _found(bound, path), bound

    search((), {(): ()})
    return best


def _rows(mask: int) -> _Rows:
    return tuple(row for row in range(ROWS) if mask >> row & 1)


def _reels(strip: Sequence[int], choices: Iterable[_Wilds], wild: int) -> Iterator[_Reel]:
    """The first stop of each window with each choice of wilds."""
    for wilds in choices:
        found: dict[tuple[int, ...], int] = {}
        for stop in range(len(strip)):
            rows = range(ROWS)
            shown = tuple(wild if row in wilds.rows else strip[(stop + row) % len(strip)] for row in rows)
            found.setdefault(shown, stop)
        yield from (_Reel(stop, shown, wilds) for shown, stop in found.items())


def _found(coins: int, path: Sequence[_Reel]) -> BestSpin:
    def cells(name: str) -> tuple[int, ...]:
        return tuple(ROWS * reel + row for reel, one in enumerate(path) for row in getattr(one.wilds, name))

    return BestSpin(coins, tuple(one.stop for one in path), *map(cells, ("reindeer", "rudolfs", "santas")))


def largest_award(tables: Mapping[str, Any]) -> Award:
    """The largest bonus, and the best single spins: a round as a whole has no largest award.

    Re-spins go on while wilds land, each can win, and nothing limits their number; only the configurable maximum award
    (G-09) bounds a round. The best re-spin is that of the main game.
    """
    line_bet, lines = tables["max_line_bet"], tables["line_patterns"]
    settings, sets = tables["rudolf_spins"], tables["gifts"]["sets"]
    spin = best_rudolf_spin(tables, lines)
    rudolf_spins = settings["spins"] * min(spin.coins, settings["cap"]) if spin else 0
    multiplier = min(1 + len(sets), tables["gifts"]["max_multiplier"])
    gifts = sum(sum(one["prizes"]) for one in sets) * multiplier
    name = "Rudolf Spins" if rudolf_spins > gifts else "Santa's Gifts"
    capped = f", {settings['cap']} x line bet at most" if spin and spin.coins > settings["cap"] else ""
    steps = [
        f"largest bonus: {name}, {max(rudolf_spins, gifts) * line_bet} coins",
        _step(f"each of {settings['spins']} Rudolf spins{capped}", tables, RUDOLF_SPIN, spin),
        f"Santa's Gifts: the end item of each set found last, {gifts // multiplier} x {multiplier} x line bet = "
        f"{gifts * line_bet}",
        "a round has no largest award: its re-spins go on while wilds land, without a limit, and each can win",
        _step("best paid spin", tables, BASE, best_spin(tables, BASE, lines)),
        _step("best re-spin of the main game", tables, BASE_RESPIN, best_respin(tables, lines)),
        _step(f"best of at most {tables['free_spins_limit']} free spins", tables, FREE, best_spin(tables, FREE, lines)),
    ]
    return Award(max(rudolf_spins, gifts) * line_bet, line_bet, steps, of="bonus", bounded=False)


def shown(tables: Mapping[str, Any], mode: int, spin: BestSpin) -> list[str]:
    """The window of a spin, cell = 3 x reel + row: the strips' symbols with the wilds on top.

    Args:
        mode: whose strips are spun.
    """
    strips: Sequence[Strip] = tables["strips"][tables["modes"][mode]]
    cells = [
        strip[(stop + row) % len(strip)] for strip, stop in zip(strips, spin.stops, strict=True) for row in range(ROWS)
    ]
    for name, places in (("reindeer", spin.reindeer), ("rudolf", spin.rudolfs), ("santa", spin.santas)):
        for cell in places:
            cells[cell] = tables["wilds"]["merged" if name == "santa" and cell in spin.rudolfs else name]
    return cells


def _step(name: str, tables: Mapping[str, Any], mode: int, spin: BestSpin | None) -> str:
    """A spin in words; coins at the largest line bet."""
    if spin is None:
        return f"{name}: nothing pays"
    cells = shown(tables, mode, spin)
    rows = " / ".join(" ".join(cells[row::ROWS]) for row in range(ROWS))
    stops = " ".join(map(str, spin.stops))
    return f"{name}: stops {stops}, window {rows}, lines {spin.coins * tables['max_line_bet']}"
