"""Finds designs that hit a game's published return with round, monotone figures (math.md, "Hitting a return").

Coarse: single symbols of the strips are replaced until the return is near. In Mad Hatters the three hatters are then
balanced. Fine: one, two or three small steps are chosen by their exact gains. Published figures never move.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import UsageError
from .designed_figures import Path, Tables, changed, faults, figures, ranks
from .figures import total
from .mad_hatters import by_hatter
from .sheet import game_mathematics
from .strip_order import spacing, symbols_of, violations

Returns = dict[str, Fraction]  # the player's choice -> return; one entry where no choice moves it

TOLERANCE = Fraction(5, 1_000_000)  # 0.0005 percentage points (PAR-01)
APART = TOLERANCE / 5  # how far the player's choices may move the return
NEAR = 0.004  # what steps of figures can bridge without bending the design
WORTHWHILE = 0.9  # a coarse replacement leaves this part of the error at most: few changes, not many small ones
_FARTHEST = 3  # ranks between a symbol and the one that replaces it in a fine step
_ATTEMPTS = 10  # at counts that can be balanced
_DEAREST = 6.0  # cost of two steps to which a third is added


def returns(tables: Tables, lines: int | None = None) -> Returns:
    """The return of a game for each choice of the player that could move it, in closed form.

    Without what the technical limits take: they are below 1e-12, the tolerance is 5e-6.

    Args:
        tables: the design.
        lines: enabled lines; None is all.
    """
    if "hatters" in tables:
        return by_hatter(tables, lines)
    return {"": total(game_mathematics(tables["game"]).sources(tables, lines))}


def distance(found: Returns, target: Fraction) -> Fraction:
    """How far the worst choice is from the target."""
    return max(abs(value - target) for value in found.values())


def tune(
    tables: Tables,
    target: Fraction,
    seed: int,
    measure: Callable[[Tables], Returns] = returns,
    most: int = 5,
    movable: Callable[[Path], bool] = lambda path: True,
) -> list[Candidate]:
    """Designs within TOLERANCE of the target for every choice of the player, the least changed first.

    Args:
        tables: the design to start from; when it keeps to the target it comes first, unchanged.
        target: the return.
        seed: of the coarse step; another one finds other designs.
        measure: the exact return.
        most: how many designs.
        movable: which figures (by path) and strips ("strips", mode, reel, position) the fine step may change.
    """
    start = measure(tables)
    if max(start.values()) - min(start.values()) > APART:
        tables = _balanced(tables, target, seed, measure)
    elif distance(start, target) > NEAR:
        tables = coarse(tables, target, seed, measure)
    return fine(tables, target, measure, most, movable)


def _balanced(tables: Tables, target: Fraction, seed: int, measure: Callable[[Tables], Returns]) -> Tables:
    """Mad Hatters with all hatters near the target and equal.

    Raises:
        UsageError: the coarse step found no counts that can be balanced.
    """
    from .hatter_balance import MODE, REEL, balanced, gathered

    start = gathered(tables, seed)
    for attempt in range(_ATTEMPTS):
        near = coarse(
            start, target, _ATTEMPTS * seed + attempt, measure, movable=lambda path: path[:3] != ("strips", MODE, REEL)
        )
        design = balanced(near, target, NEAR, APART, seed, measure)
        if design is not None:
            return design
    raise UsageError("no order of reel 3 makes the hatters equal", "try another seed")


# Fine


@dataclass(frozen=True)
class Step:
    """One small change of a design.

    Attributes:
        name: what changes, to be read.
        changes: path -> new value.
        apart: steps with the same one exclude each other.
        gain: what it adds to the return.
        cost: how unwelcome it is.
    """

    name: str
    changes: Mapping[Path, Any]
    apart: Path
    gain: float
    cost: float


@dataclass(frozen=True)
class Candidate:
    """A design within the tolerance.

    Attributes:
        tables: the whole design.
        steps: how the fine step came to it.
        returns: by the player's choice, exact.
    """

    tables: Tables
    steps: tuple[Step, ...]
    returns: Returns


def fine(
    tables: Tables,
    target: Fraction,
    measure: Callable[[Tables], Returns] = returns,
    most: int = 5,
    movable: Callable[[Path], bool] = lambda path: True,
) -> list[Candidate]:
    """Designs within TOLERANCE of the target for every choice, by up to three steps; the least changed design first.

    A step changes a figure, or replaces one symbol on the strips of a mode. Gains of pays and prizes add up, and so do
    those of strips of different modes; what does not add up is sorted out by the exact return.

    Args:
        tables: the design to start from.
        target: the return.
        measure: the exact return.
        most: how many designs.
        movable: which figures (by path) and strips ("strips", mode, reel, position) may change.
    """
    start = measure(tables)
    steps = sorted(_steps(tables, start, measure, movable), key=lambda step: step.gain)
    gap = float(target - next(iter(start.values())))
    found: list[Candidate] = []

    def combinations() -> Iterator[tuple[Step, ...]]:
        yield ()
        yield from sorted(step_combinations(steps, gap), key=lambda some: sum(step.cost for step in some))

    for combination in combinations():
        if len(found) >= most:
            break
        design = changed(tables, {path: value for step in combination for path, value in step.changes.items()})
        if not faults(design) and distance(exact := measure(design), target) <= TOLERANCE:
            found.append(Candidate(design, combination, exact))
    return found


def _steps(
    tables: Tables, start: Returns, measure: Callable[[Tables], Returns], movable: Callable[[Path], bool]
) -> Iterator[Step]:
    """Every step, with its gain. One that moves the player's choices apart is none: they are balanced by then."""

    def gain(changes: Mapping[Path, Any]) -> float:
        now = measure(changed(tables, changes))
        gains = [now[choice] - start[choice] for choice in start]
        return math.nan if max(gains) - min(gains) > APART else float(gains[0])

    for figure in figures(tables):
        if not movable(figure.path):
            continue
        slope = None
        for value in figure.values():
            changes = {figure.path: value}
            if not figure.linear:
                found = gain(changes)
            else:
                if slope is None:
                    slope = gain(changes) / (value - figure.value)
                found = slope * (value - figure.value)
            if found and not math.isnan(found):
                name = f"{' '.join(map(str, figure.path))} {figure.value} -> {value}"
                yield Step(name, changes, figure.path, found, figure.cost + 2 * abs(math.log(value / figure.value)))
    rank = {symbol: at for at, symbol in enumerate(ranks(tables))}
    for mode, reel, at, symbol in _replacements(tables):
        path: Path = ("strips", mode, reel, at)
        if movable(path):
            before = symbols_of(tables["strips"][mode][reel])[at]
            steps = abs(rank[before] - rank[symbol])
            if steps <= _FARTHEST and not math.isnan(found := gain(_placed(tables, mode, reel, at, symbol))):
                name = f"{mode} reel {reel + 1} position {at} {before} -> {symbol}"
                yield Step(name, _placed(tables, mode, reel, at, symbol), path[:2], found, 1 + steps / 2)


def step_combinations(steps: Sequence[Step], gap: float) -> Iterator[tuple[Step, ...]]:
    """One, two or three steps whose gains add up to the gap, by sorted sums; the steps are in order of their gains."""
    gains = [step.gain for step in steps]
    tolerance = float(TOLERANCE)

    def last(start: int, rest: float) -> Iterator[Step]:
        at = bisect_left(gains, rest - tolerance, lo=start)
        while at < len(gains) and gains[at] <= rest + tolerance:
            yield steps[at]
            at += 1

    for step in last(0, gap):
        yield (step,)
    for at, one in enumerate(steps):
        for other in last(at + 1, gap - one.gain):
            if one.apart != other.apart:
                yield one, other
        for middle in range(at + 1, len(steps)):
            second = steps[middle]
            if second.apart != one.apart and one.cost + second.cost < _DEAREST:
                for third in last(middle + 1, gap - one.gain - second.gain):
                    if third.apart not in (one.apart, second.apart):
                        yield one, second, third


# Coarse


def coarse(
    tables: Tables,
    target: Fraction,
    seed: int,
    measure: Callable[[Tables], Returns] = returns,
    near: float = NEAR,
    tries: int = 400,
    movable: Callable[[Path], bool] = lambda path: True,
) -> Tables:
    """Replaces single symbols on the strips by others of ordinary rank until every choice is near the target.

    Wilds, scatters and bonus symbols stay, so triggers do too; the spacing of the strips is kept.

    Args:
        tables: the design to start from.
        target: the return.
        seed: another seed tries other replacements.
        measure: the return.
        near: where to stop.
        tries: replacements at most; the nearest design so far is returned when they are used up.
        movable: which positions ("strips", mode, reel, position) may change.
    """

    def error(found: Returns) -> float:
        # Squares: the hatters come near together, where the worst of them alone gets stuck.
        return math.fsum(float(value - target) ** 2 for value in found.values())

    rng = random.Random(seed)
    now = measure(tables)
    for _ in range(tries):
        if distance(now, target) <= near:
            break
        replacement = _random_replacement(tables, rng)
        if replacement is None or not all(map(movable, replacement)):
            continue
        design = changed(tables, replacement)
        found = measure(design)
        if error(found) < WORTHWHILE * error(now):
            tables, now = design, found
    return tables


def _random_replacement(tables: Tables, rng: random.Random) -> dict[Path, Any] | None:
    """Another symbol at a random position of the strips; None when it cannot stand there."""
    mode = rng.choice(tables["modes"])
    reel = rng.randrange(len(tables["strips"][mode]))
    at = rng.randrange(len(tables["strips"][mode][reel]))
    symbol = rng.choice(_ordinary(tables))
    return _placed(tables, mode, reel, at, symbol) if _may_replace(tables, mode, reel, at, symbol) else None


def _replacements(tables: Tables) -> Iterator[tuple[str, int, int, str]]:
    """Mode, reel, position and new symbol: for each pair of symbols on a reel the first position that allows it."""
    for mode in tables["modes"]:
        for reel, strip in enumerate(tables["strips"][mode]):
            seen = set()
            for at, before in enumerate(symbols_of(strip)):
                for symbol in _ordinary(tables):
                    if (before, symbol) not in seen and _may_replace(tables, mode, reel, at, symbol):
                        seen.add((before, symbol))
                        yield mode, reel, at, symbol


def _ordinary(tables: Tables) -> list[str]:
    return [symbol for symbol in ranks(tables) if symbol != tables.get("wild")]


def _may_replace(tables: Tables, mode: str, reel: int, at: int, symbol: str) -> bool:
    """Whether a symbol can take a position: an ordinary one for another that stays on the strip, its spacing kept."""
    symbols = symbols_of(tables["strips"][mode][reel])
    before = symbols[at]
    symbols[at] = symbol
    return (
        before != symbol
        and before in _ordinary(tables)
        and before in symbols
        and not violations(symbols, spacing(tables, mode, reel))
    )


def _placed(tables: Tables, mode: str, reel: int, at: int, symbol: str) -> dict[Path, Any]:
    """A symbol at a position; an icon there stays."""
    before = tables["strips"][mode][reel][at]
    return {("strips", mode, reel, at): symbol if isinstance(before, str) else [symbol, before[1]]}
