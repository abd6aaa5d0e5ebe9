"""The best window that strips can show: branch and bound over the stops, reel by reel, so nothing is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from .law import REELS, ROWS, Reading, Strip, line_law

Rows = tuple[int, ...]  # the rows of a line on the first reels
Run = tuple[str, ...]  # the symbols of a line on the first reels


@dataclass(frozen=True)
class BestWindow:
    """A window of the highest value.

    Attributes:
        value: line pays plus what its marks are worth, at line bet 1.
        stops: five, reel 1 to 5.
        window: five reels of three symbols, top to bottom, after the expansion.
        line_pays: the lines' part of the value.
        mark: sum of the marks of the stops.
    """

    value: int
    stops: tuple[int, ...]
    window: tuple[Run, ...]
    line_pays: int
    mark: int


@dataclass(frozen=True)
class _Stop:
    stop: int
    shown: Run
    mark: int


def best_window(
    strips: Sequence[Strip],
    lines: Sequence[Sequence[int]],
    reading: Reading,
    marks: Sequence[Sequence[int]],
    worth: Callable[[int], int],
    expanding: str | None = None,
) -> BestWindow:
    """The window with the most line pays plus worth of its marks; of equal ones the first that the search meets.

    A branch is given up only when the sum of two bounds is no higher than the best window so far: each line's best
    continuation with the symbols of the later reels, and the best worth that their marks can add up to.

    Args:
        strips: five strips.
        lines: patterns of five rows, 1 = top.
        reading: how a line is read, from the left.
        marks: for every stop a number; the numbers of the five stops are added up.
        worth: value of such a sum, in coins at line bet 1; far below zero for sums that are not wanted.
        expanding: a symbol that turns all of reel 3 into itself wherever it stops there.

    Returns:
        the window; with value -1 and no stops when no window is worth 0 or more.
    """
    stops = [_distinct_stops(strips[reel], marks[reel], expanding if reel == 2 else None) for reel in range(REELS)]
    symbols = [{symbol: 1 for stop in reel for symbol in stop.shown} for reel in stops]
    # Lines with the same rows so far are one branch, counted as often as they are.
    rows_so_far = [Counter(tuple(line[:reels]) for line in lines) for reels in range(REELS + 1)]
    later_marks = [{0}]
    for reel in reversed(stops):
        later_marks.insert(0, {stop.mark + later for stop in reel for later in later_marks[0]})

    @cache
    def line_bound(run: Run) -> int:
        return max(line_law([*({symbol: 1} for symbol in run), *symbols[len(run) :]], reading))

    @cache
    def worth_bound(reels: int, mark: int) -> int:
        return max(worth(mark + later) for later in later_marks[reels])

    best = BestWindow(-1, (), (), 0, 0)

    def search(chosen: tuple[_Stop, ...], runs: dict[Rows, Run], mark: int) -> None:
        nonlocal best
        reels = len(chosen) + 1
        branches = []
        for stop in stops[reels - 1]:
            longer = {rows: (*runs[rows[:-1]], stop.shown[rows[-1] - 1]) for rows in rows_so_far[reels]}
            pays = sum(times * line_bound(longer[rows]) for rows, times in rows_so_far[reels].items())
            value = pays + worth_bound(reels, mark + stop.mark)
            if value > best.value:
                branches.append((value, pays, stop, longer))
        branches.sort(key=lambda branch: (-branch[0], branch[2].stop))
        for value, pays, stop, longer in branches:
            if value <= best.value:
                break
            path = (*chosen, stop)
            if reels == REELS:
                window = tuple(step.shown for step in path)
                best = BestWindow(value, tuple(step.stop for step in path), window, pays, mark + stop.mark)
            else:
                search(path, longer, mark + stop.mark)

    search((), {(): ()}, 0)
    return best


def _distinct_stops(strip: Strip, marks: Sequence[int], expanding: str | None) -> list[_Stop]:
    """The first stop of each kind: stops that show the same and have the same mark are worth the same."""
    kinds: dict[tuple[Run, int], _Stop] = {}
    for stop, mark in enumerate(marks):
        shown = tuple(strip[(stop + row) % len(strip)] for row in range(ROWS))
        if expanding is not None and expanding in shown:
            shown = (expanding,) * ROWS
        kinds.setdefault((shown, mark), _Stop(stop, shown, mark))
    return list(kinds.values())
