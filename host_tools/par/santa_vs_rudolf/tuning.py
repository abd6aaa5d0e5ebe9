"""Finds designs of Santa vs Rudolf that hit its published return (math.md, "Hitting a return").

All line pays are published, so what moves is the strips and the split of Santa's gifts. First pairs of wilds join the
strips of free spins until the bonuses are as frequent as PAR-03 wants. With the wilds in place, chains and sessions
stay as they are, and the return is a sum of parts that each depend on the symbols of one mode or on the gifts alone:
coarse replacements on the base re-spin strips, where most of the return is, bring it near; then up to three small steps
of different parts, whose exact gains add up, hit it. The paid spin's strips stay, and its hit frequency with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise, product
from typing import Any

from ...errors import CheckFailed
from ..designed_figures import Path, Tables, changed, is_round, ranks
from ..figures import TARGETS, total
from ..law import REELS
from ..strip_order import spacing, violations
from ..tune import TOLERANCE, Candidate, Step, step_combinations
from . import limit_source, sources
from .gifts import gifts_mean
from .line_means import LineMeans
from .pieces import BASE, BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN, Pieces, pieces
from .respins import respins
from .rudolf_spins import rudolf_spin_mean

Progress = Callable[[str], None]
Movable = Callable[[Path], bool]

RAREST = Fraction(1, 1950)  # both bonuses together, a little more than PAR-03 wants
NEAR = Fraction(5, 10_000)  # what steps of single symbols and gifts bridge
_FARTHEST = 3  # ranks between a symbol and the one that replaces it
_FEWEST = 2  # of a symbol stay on a strip
_PLACES = 14  # decimals of a gain: what is beyond comes from the bounds of chains, and would part equal gains
_FINE_MODES = (BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN)
_DEAREST_MOVE = 60  # coins that one gift gives to another


def certified_return(tables: Tables) -> tuple[Fraction, Fraction]:
    """The return at all lines, what the limit of free spins takes off included; and a bound of its error."""
    found = [*sources(tables), limit_source(tables)]
    return total(found), sum((source.error for source in found), Fraction(0))


def tune(
    tables: Tables,
    progress: Progress = lambda text: None,
    target: Fraction = TARGETS["santa_vs_rudolf"],
    most: int = 5,
    movable: Movable = lambda path: True,
) -> list[Candidate]:
    """Designs within TOLERANCE of the target, the error bound of their return counted, the least changed design first.

    Nothing is drawn at random. The steps of a candidate are all its changes.

    Args:
        tables: the design to start from; when it keeps to the target and to PAR-03 it comes first, unchanged.
        progress: told what goes on; the search takes some minutes.
        target: the return.
        most: how many designs.
        movable: which paths ("strips", mode, reel, position) and ("gifts", "sets", set, "prizes") may change.

    Raises:
        CheckFailed: chains or sessions may never end, or no strip has room for more wilds.
        ToolMissing: numpy is not installed.
    """
    taken = frequent_bonuses(tables, progress, movable)
    taken += near(_after(tables, taken), target, progress, movable)
    start = _after(tables, taken)
    value, _ = certified_return(start)
    progress(f"fine: from {_percent(value)}")
    steps = [step for mode in _FINE_MODES for step in replacements(start, mode)] + gift_moves(start)
    steps = sorted((step for step in steps if all(map(movable, step.changes))), key=lambda step: step.gain)
    gap = float(target - value)

    def cost_then_distance(some: tuple[Step, ...]) -> tuple[float, float]:
        distance = abs(gap - math.fsum(step.gain for step in some))
        return round(math.fsum(step.cost for step in some), 6), round(distance, _PLACES)

    combinations = sorted(step_combinations(steps, gap), key=cost_then_distance)
    found: list[Candidate] = []
    for combination in ((), *combinations):
        if len(found) >= most:
            break
        design = _after(start, combination)
        try:
            exact, error = certified_return(design)
        except CheckFailed:  # a Rudolf spin could pass its cap
            continue
        if abs(exact - target) + error <= TOLERANCE:
            progress(f"design {len(found) + 1}: {_percent(exact)}")
            found.append(Candidate(design, (*taken, *combination), {"": exact}))
    return found


def _after(tables: Tables, steps: Sequence[Step]) -> Tables:
    for step in steps:
        tables = changed(tables, step.changes)
    return tables


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.6f} %"


# The bonuses


def frequent_bonuses(
    tables: Tables, progress: Progress = lambda text: None, movable: Movable = lambda path: True
) -> list[Step]:
    """Pairs of wilds on the strips of free spins until both bonuses together are played as often as RAREST.

    A pair is a Rudolf on one reel and a Santa on its mirror image, so that both meters stay alike. Of the pairs that
    are enough the one with the rarest bonuses is taken: it moves the return least.

    Raises:
        CheckFailed: the strips have no room for another wild.
    """
    steps: list[Step] = []
    now, chance = tables, _bonuses(tables)
    while chance < RAREST:
        progress(f"bonuses once in {float(1 / chance):.0f} rounds")
        pairs = []
        for reel in range(REELS):
            changes = _pair(now, reel)
            if changes and all(map(movable, changes)):
                pairs.append((_bonuses(changed(now, changes)), changes, reel))
        best = max((pair[0] for pair in pairs), default=chance)
        if best <= chance:
            raise CheckFailed("no more wilds fit on the strips of free spins", "let strips change, or use longer ones")
        enough = min(best, RAREST)
        chance, changes, reel = min((pair for pair in pairs if pair[0] >= enough), key=lambda pair: pair[0])
        after = changed(now, changes)
        gain = float(certified_return(after)[0] - certified_return(now)[0])
        mode = tables["modes"][FREE]
        name = f"{mode}: one more Rudolf on reel {reel + 1} and Santa on reel {REELS - reel}"
        steps.append(Step(name, changes, ("strips", mode), gain, 2))
        now = after
    return steps


def _bonuses(tables: Tables) -> Fraction:
    """How often both bonuses together are played in a paid round, at least."""
    found = pieces(tables)
    return (found.gifts_bonuses + found.rudolf_spins_bonuses).low


def _pair(tables: Tables, reel: int) -> dict[Path, Any]:
    """A Rudolf on a reel and a Santa on its mirror image, each in place of the lowest symbol; nothing when they do not
    fit."""
    changes: dict[Path, Any] = {}
    for wild, at_reel in (("rudolf", reel), ("santa", REELS - 1 - reel)):
        after = changed(tables, changes)
        for low in reversed(ranks(tables)):
            place = _place(after, FREE, at_reel, low, tables["wilds"][wild])
            if place is not None:
                changes[place] = tables["wilds"][wild]
                break
        else:
            return {}
    return changes


# Replacements on the strips


def near(
    tables: Tables, target: Fraction, progress: Progress = lambda text: None, movable: Movable = lambda path: True
) -> list[Step]:
    """Replacements on the base re-spin strips, the best one after the other, until the return is NEAR the target."""
    taken: list[Step] = []
    gap = float(target - certified_return(tables)[0])
    while abs(gap) > NEAR:
        progress(f"coarse: {100 * gap:+.4f} points to go")
        steps = [step for step in replacements(tables, BASE_RESPIN) if all(map(movable, step.changes))]
        best = min(steps, key=lambda step: abs(gap - step.gain), default=None)
        if best is None or abs(gap - best.gain) >= abs(gap):
            break
        taken.append(best)
        tables = changed(tables, best.changes)
        gap = float(target - certified_return(tables)[0])
    return taken


def replacements(tables: Tables, mode: int) -> list[Step]:
    """A symbol by another on one strip of a mode: the exact gain of each, in place so that the most stacks stay.

    A mean line pay is linear in the symbol counts of each reel, so nine gains of a reel give those of all its pairs.
    """
    name = tables["modes"][mode]
    rank = {symbol: at for at, symbol in enumerate(ranks(tables))}
    found = pieces(tables)
    steps: list[Step] = []
    for reel, strip in enumerate(tables["strips"][name]):
        held = [symbol for symbol in rank if symbol in strip]
        reference = strip.index(held[0])
        worth = {
            symbol: _worth(changed(tables, {("strips", name, reel, reference): symbol}), mode, found) for symbol in rank
        }
        for before, symbol in product(held, rank):
            far = abs(rank[before] - rank[symbol])
            place = _place(tables, mode, reel, before, symbol) if 0 < far <= _FARTHEST else None
            if place is not None:
                gain = float(round(worth[symbol] - worth[before], _PLACES))
                title = f"{name} reel {reel + 1} position {place[-1]} {before} -> {symbol}"
                steps.append(Step(title, {place: symbol}, ("strips", name), gain, 1 + far / 2))
    return [step for step in steps if step.gain]


def _worth(tables: Tables, mode: int, found: Pieces) -> Fraction:
    """What the lines of a mode return, as a share of the total bet, while the wilds of all strips stay.

    Args:
        found: the pieces of tables with the same wilds.
    """
    patterns = tables["line_patterns"]
    strips = [tables["strips"][name] for name in tables["modes"]]
    if mode == BASE_RESPIN:
        return respins(tables, strips[BASE], strips[BASE_RESPIN], patterns).respins.value / found.lines
    if mode == FREE:
        means = LineMeans(tables, strips[FREE])
        return found.free_spins.value * Fraction(means.coins[0], means.windows)
    if mode == FREE_RESPIN:
        again = respins(tables, strips[FREE], strips[FREE_RESPIN], patterns)
        return found.free_spins.value * again.respins.value / found.lines
    spins: int = tables["rudolf_spins"]["spins"]
    return spins * found.rudolf_spins_bonuses.value * rudolf_spin_mean(tables, patterns) / found.lines


def _place(tables: Tables, mode: int, reel: int, before: str, symbol: str) -> Path | None:
    """Where a symbol replaces one of many others: the spacing kept, the strip in as few runs as can be, the first such
    place."""
    name = tables["modes"][mode]
    keep = spacing(tables, name, reel)
    strip = tables["strips"][name][reel]
    if strip.count(before) <= _FEWEST:
        return None
    best: tuple[int, int] | None = None
    for at, shown in enumerate(strip):
        if shown == before:
            after = [*strip[:at], symbol, *strip[at + 1 :]]
            runs = (sum(1 for _ in groupby(after)), at)
            if (best is None or runs < best) and not violations(after, keep):
                best = runs
    return None if best is None else ("strips", name, reel, best[1])


# The gifts


def gift_moves(tables: Tables) -> list[Step]:
    """Coins that move from one gift to one of another set, the sum of all kept (SR-12); one step for each gain.

    Prizes stay round and rise within a set and from set to set. Sets are worth differently: the first pick is never the
    end item of set 1, and the multiplier that a set finds counts for all.
    """
    found = pieces(tables)
    sets = [list(one["prizes"]) for one in tables["gifts"]["sets"]]
    slopes = [_slope(tables, number) * found.gifts_bonuses.value / found.lines for number in range(len(sets))]
    best: dict[Fraction, Step] = {}
    for giver, taker in product(range(len(sets)), repeat=2):
        for one, other, coins in product(range(3), range(3), range(5, _DEAREST_MOVE + 1, 5)):
            gain = coins * (slopes[taker] - slopes[giver])
            prizes = [list(values) for values in sets]
            prizes[giver][one] -= coins
            prizes[taker][other] += coins
            if not gain or not good_prizes(prizes):
                continue
            cost = 2 + _bend(sets[giver][one], -coins) + _bend(sets[taker][other], coins)
            changes: Mapping[Path, Any] = {
                ("gifts", "sets", number, "prizes"): prizes[number] for number in sorted((giver, taker))
            }
            name = f"gifts set {giver + 1} {sets[giver][one]} - {coins}, set {taker + 1} {sets[taker][other]} + {coins}"
            if gain not in best or cost < best[gain].cost:
                best[gain] = Step(name, changes, ("gifts",), float(gain), cost)
    return list(best.values())


def _slope(tables: Tables, number: int) -> Fraction:
    """What one more coin in a set adds to the mean win of Santa's Gifts; which of its prizes does not matter."""
    first, *rest = tables["gifts"]["sets"][number]["prizes"]
    return gifts_mean(changed(tables, {("gifts", "sets", number, "prizes"): [first + 1, *rest]})) - gifts_mean(tables)


def _bend(value: int, coins: int) -> float:
    return abs(math.log((value + coins) / value))


def good_prizes(sets: Sequence[Sequence[int]]) -> bool:
    """Whether prizes are round multiples of 5, and rise within each set and from set to set."""
    return (
        all(value > 0 and value % 5 == 0 and is_round(value) for prizes in sets for value in prizes)
        and all(lower < higher for prizes in sets for lower, higher in pairwise(prizes))
        and all(lower < higher for one, other in pairwise(sets) for lower, higher in zip(one, other, strict=True))
    )
