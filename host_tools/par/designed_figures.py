"""The figures of a game that are ours to design, and what a good design keeps: order, roundness, limits."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .figures import Trigger

Tables = dict[str, Any]
Path = tuple[str | int, ...]

_MOST_CHANGE = 0.6  # a figure at most falls to 1 - this or rises to 1 + this of what it was

# PAR-03: hit frequency, and the most games per trigger.
_HITS = (Fraction(18, 100), Fraction(40, 100))
_RAREST = {"free_spins": 400, "cuckoo": 400, "trail": 400, "full_moon": 12_000, "bonus": 2_000}  # bonus: both of SR

_PUBLISHED: dict[str, frozenset[Path]] = {
    "mad_hatters": frozenset(
        {
            ("line_pays", "mad_hat", "5"),
            ("line_pays", "john", "5"),
            ("line_pays", "teapot", "5"),
            ("line_pays", "teapot", "3"),
            ("line_pays", "cup_cake", "2"),
            ("scatter_pays", "5"),
        }
    ),
    "mad_mad_monkey": frozenset(),
    "santa_vs_rudolf": frozenset(),
    "haunted_house": frozenset(),
}


def is_round(value: int) -> bool:
    """Whether a pay looks designed: any up to 20, then steps of 5, 10 or 25, 50, 250."""
    for limit, steps in ((20, (1,)), (100, (5,)), (300, (10, 25)), (1000, (50,))):
        if value <= limit:
            return any(value % step == 0 for step in steps)
    return value % 250 == 0


@dataclass(frozen=True)
class Figure:
    """A number of the tables that is ours to design.

    Attributes:
        path: keys into the tables.
        value: what it is now.
        linear: the return is linear in it (pays, prizes), not so in a weight.
        cost: how unwelcome a change is; line pays are what players and tests know by heart.
    """

    path: Path
    value: int
    linear: bool
    cost: float

    def values(self) -> list[int]:
        """What it may become: round, and not far from what it is."""
        low, high = math.ceil(self.value * (1 - _MOST_CHANGE)), math.floor(self.value * (1 + _MOST_CHANGE)) + 1
        return [
            value
            for value in range(max(1, low), high + 1)
            if value != self.value and (not self.linear or is_round(value))
        ]


def figures(tables: Tables) -> list[Figure]:
    """The designed figures of a game beside its strips."""
    published = _PUBLISHED[tables["game"]]
    found: list[Figure] = []

    def add(path: Path, cost: float, linear: bool = True) -> None:
        if path not in published:
            found.append(Figure(path, value_at(tables, path), linear, cost))

    if tables["game"] != "santa_vs_rudolf":  # its pays are all published
        for symbol, pays in tables["line_pays"].items():
            for count in pays:
                add(("line_pays", symbol, count), 3)
        for count in tables["scatter_pays"]:
            add(("scatter_pays", count), 2)
    if tables["game"] == "mad_hatters":
        values = tables["cuckoo"]["values"]
        for at in range(len(values)):
            if at < len(values) - 1:  # the largest is published
                add(("cuckoo", "values", at, "value"), 1)
            add(("cuckoo", "values", at, "weight"), 1, linear=False)
    if tables["game"] == "haunted_house":
        for at in range(len(tables["bonus_trail"]) - 2):  # the last two are published
            add(("bonus_trail", at), 1)
        for at in range(len(tables["number_trail"])):
            add(("number_trail", at, "weight"), 1, linear=False)
        for segment, entries in enumerate(tables["full_moon"]["segments"]):
            for at in range(len(entries)):
                add(("full_moon", "segments", segment, at, "multiplier"), 1)
                add(("full_moon", "segments", segment, at, "weight"), 1, linear=False)
    return found


def value_at(tables: Tables, path: Path) -> Any:
    """What stands at a path of the tables."""
    found: Any = tables
    for key in path:
        found = found[key]
    return found


def changed(tables: Tables, changes: Mapping[Path, Any]) -> Tables:
    """A copy of the tables with other values at some paths."""
    result = copy.deepcopy(tables)
    for path, value in changes.items():
        value_at(result, path[:-1])[path[-1]] = value
    return result


def faults(tables: Tables) -> list[str]:
    """What is not monotone in a design, one line each: pays by count and by rank, prizes, levels, weights of prizes."""
    found: list[str] = []

    def rising(name: str, values: Sequence[int]) -> None:
        if any(one >= other for one, other in itertools.pairwise(values)):
            found.append(f"{name} do not rise: {' '.join(map(str, values))}")

    for symbol, pays in tables["line_pays"].items():
        rising(f"pays of {symbol}", [pays[count] for count in sorted(pays)])
    for count in ("2", "3", "4", "5"):  # few symbols pay for two
        pays_of = {symbol: tables["line_pays"][symbol].get(count) for symbol in ranks(tables)}
        for better, worse in itertools.pairwise(symbol for symbol, pay in pays_of.items() if pay):
            if pays_of[better] < pays_of[worse]:
                found.append(f"{count} {better} pay less than {count} {worse}")
    if "scatter_pays" in tables:
        rising("scatter pays", [tables["scatter_pays"][count] for count in sorted(tables["scatter_pays"])])
    best = ranks(tables)[0]
    if tables.get("wild") == best:
        for symbol, pays in tables["line_pays"].items():
            found += [
                f"{count} {best} pay less than {count} {symbol}"
                for count in pays
                if tables["line_pays"][best].get(count, 0) < pays[count]
            ]
    if tables["game"] == "mad_hatters":
        entries = tables["cuckoo"]["values"]
        rising("cuckoo values", [entry["value"] for entry in entries])
        if any(one["weight"] < other["weight"] for one, other in itertools.pairwise(entries)):
            found.append("a larger cuckoo value is more likely than a smaller one")
    if tables["game"] == "haunted_house":
        rising("levels of the bonus trail", tables["bonus_trail"][:-1])
        weights = [entry["weight"] for entry in tables["number_trail"]]
        top = weights.index(max(weights))
        if weights[: top + 1] != sorted(weights[: top + 1]) or weights[top:] != sorted(weights[top:], reverse=True):
            found.append("weights of the number trail have more than one peak")
    return found


def ranks(tables: Tables) -> list[str]:
    """The symbols with line pays, best first."""
    symbols = [symbol for symbol in tables["symbols"] if symbol in tables["line_pays"]]
    return symbols[::-1] if tables["game"] == "haunted_house" else symbols


def limit_faults(hit_frequency: Fraction, triggers: Sequence[Trigger]) -> list[str]:
    """Where a design misses the limits of PAR-03, one line each."""
    found = []
    if not _HITS[0] <= hit_frequency <= _HITS[1]:
        found.append(f"hit frequency {float(hit_frequency):.2%}, not 18 % to 40 %")
    for trigger in triggers:
        games = _RAREST.get(trigger.name)
        if games and trigger.probability * games <= 1:
            found.append(f"{trigger.name} once in {games} games or less")
    return found


def line_count_faults(tables: Tables, measure: Callable[[Tables, int], Mapping[str, Fraction]]) -> list[str]:
    """Where the house does not win: the numbers of lines with a return of 100 % or more, in one line of text.

    What pays by the line bet whatever the lines is a larger share of a smaller bet, so the target at all lines does not
    tell (PAR-04).

    Args:
        tables: the design.
        measure: takes the tables and a number of lines; the return for each choice of the player, of which he may take
            the best.
    """
    most = tables["max_lines"]
    counts = [most] if tables["lines_fixed"] else range(1, most + 1)
    best = {lines: max(measure(tables, lines).values()) for lines in counts}
    beaten = [str(lines) for lines in counts if best[lines] >= 1]
    if not beaten:
        return []
    return [f"a return of 100 % or more at {', '.join(beaten)} lines, up to {float(max(best.values())):.2%}"]
