"""A game's PAR sheet as data: what the mathematics of the game give, and the figures that follow from them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from statistics import NormalDist
from typing import Any, Protocol, cast

from .figures import CERTIFIED, EXACT, SIMULATED, TARGETS, Award, Source, Spread, Trigger, total
from .gamble import is_neutral
from .stored_simulation import StoredSimulation
from .table_hash import tables_hash

CONFIDENCES = (90, 95, 99)  # percent
SPREAD_ROUNDS = tuple(10**power for power in range(3, 9))
BAND_EDGES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)  # in total bets
_LIMIT_PLACES = 10**40

Tables = Mapping[str, Any]


class GameMathematics(Protocol):
    """What the module of each game offers."""

    def sources(self, tables: Tables, lines: int | None = None) -> list[Source]:
        """The return by source."""

    def triggers(self, tables: Tables) -> list[Trigger]:
        """How often each feature starts."""

    def spread(self, tables: Tables, hatter: str | None = None) -> Spread:
        """Hit frequency, mean, variance and the law of the paid spin; a hatter only where the tables have `hatters`."""

    def largest_award(self, tables: Tables) -> Award:
        """The most that one round can win."""

    def limit_source(self, tables: Tables, lines: int | None = None) -> Source:
        """What limits take off the return, of free spins (G-12) and bonuses; only of a game that can reach them."""

    def by_hatter(self, tables: Tables) -> Mapping[str, Fraction]:
        """The return for each choice; only of a game whose tables have `hatters`."""


@dataclass(frozen=True)
class Band:
    """Wins from `low` up to, not including, `high` total bets; the first band is no win at all.

    Attributes:
        low: in total bets.
        high: in total bets; 0 in the first band, None in the last.
        probability: that lines and scatter of a paid spin win so much.
        share: of the total bet that they return by such wins.
        simulated: share of complete rounds that win so much; None without a simulation.
    """

    low: int
    high: int | None
    probability: Fraction
    share: Fraction
    simulated: float | None

    @property
    def label(self) -> str:
        """Such as `0`, `below 1`, `2 to 5`, `from 1000`."""
        if self.high == 0:
            return "0"
        if self.low == 0:
            return f"below {self.high}"
        return f"from {self.low}" if self.high is None else f"{self.low} to {self.high}"


@dataclass(frozen=True)
class LineCount:
    """The return at a number of lines, and why it is not that of all lines.

    Attributes:
        per_line_bet: sources that win as many line bets whatever the lines, so their share of the total bet changes.
        by_line: other sources that change, as their mean is not the same on every line.
    """

    lines: int
    value: Fraction
    per_line_bet: tuple[str, ...]
    by_line: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """Return and spread when the player always chooses this."""

    name: str
    value: Fraction
    spread: Spread


@dataclass(frozen=True)
class Sheet:
    """All figures of a sheet; shares of the total bet at line bet 1 and all lines unless said otherwise.

    Where the player chooses, each choice is taken as often as the others, unless it is `by_choice`.
    """

    game: str
    title: str
    rules_version: int
    tables_hash: str
    lines: int
    target: Fraction
    sources: tuple[Source, ...]
    triggers: tuple[Trigger, ...]
    spread: Spread
    award: Award
    line_counts: tuple[LineCount, ...]  # none when the lines are fixed
    by_choice: tuple[Choice, ...]  # empty without a choice that matters
    simulation: StoredSimulation | None  # played on the same tables
    gamble_neutral: bool | None  # None without a gamble

    @property
    def value(self) -> Fraction:
        """The return."""
        return total(self.sources)

    @property
    def kind(self) -> str:
        """Of the return: that of its weakest source."""
        return weakest(source.kind for source in self.sources)

    @property
    def bands(self) -> list[Band]:
        """The histogram of wins."""
        return list(_bands(self.spread.paid_spin, self.lines, self.simulation))

    @property
    def route(self) -> str:
        """How the return is computed."""
        return "closed form" if self.kind == EXACT else "closed form and chains"

    @property
    def sigma(self) -> float:
        """Standard deviation of a complete round's win, in total bets."""
        return math.sqrt(self.spread.variance)

    @property
    def volatility_index(self) -> float:
        """Half the width of the 90 % interval of one round's win: 1.645 sigma."""
        return normal_quantile(90) * self.sigma

    def interval(self, rounds: int, confidence: int) -> tuple[float, float]:
        """Between which shares the return of so many rounds lies, by the normal law."""
        half = normal_quantile(confidence) * self.sigma / math.sqrt(rounds)
        return float(self.value) - half, float(self.value) + half


def build_sheet(
    tables: Tables, simulation: StoredSimulation | None = None, mathematics: GameMathematics | None = None
) -> Sheet:
    """Computes a sheet.

    Args:
        tables: as `game_tables` gives them.
        simulation: to be shown; one of other tables is left out.
        mathematics: of the game; its own module unless given.
    """
    parts = mathematics or game_mathematics(tables["game"])
    sources = all_sources(tables, mathematics=parts)
    fingerprint = tables_hash(tables)
    choices = tuple(_choices(tables, parts)) if "hatters" in tables else ()
    return Sheet(
        game=tables["game"],
        title=tables["title"],
        rules_version=tables["rules_version"],
        tables_hash=fingerprint,
        lines=tables["max_lines"],
        target=TARGETS[tables["game"]],
        sources=sources,
        triggers=tuple(parts.triggers(tables)),
        spread=_mixed(choices) if choices else parts.spread(tables),
        award=parts.largest_award(tables),
        line_counts=() if tables["lines_fixed"] else tuple(_line_counts(tables, parts, sources)),
        by_choice=choices,
        simulation=simulation if simulation and simulation.tables_hash == fingerprint else None,
        gamble_neutral=is_neutral(tables) if "gamble" in tables else None,
    )


def all_sources(
    tables: Tables, lines: int | None = None, mathematics: GameMathematics | None = None
) -> tuple[Source, ...]:
    """The return by source, what limits take off included.

    Args:
        tables: as `game_tables` gives them.
        lines: enabled lines; None is all.
        mathematics: of the game; its own module unless given.
    """
    parts = mathematics or game_mathematics(tables["game"])
    found = parts.sources(tables, lines)
    if hasattr(parts, "limit_source"):
        found.append(_stated(parts.limit_source(tables, lines)))
    return tuple(found)


def _stated(limits: Source) -> Source:
    """What the limits take, known exactly as a fraction of thousands of digits: stated to forty decimal places."""
    if limits.kind != EXACT:
        return limits
    value = Fraction(round(limits.value * _LIMIT_PLACES), _LIMIT_PLACES)
    return Source(limits.name, value, CERTIFIED, Fraction(1, 2 * _LIMIT_PLACES))


def game_mathematics(game: str) -> GameMathematics:
    """The module with the mathematics of a game."""
    return cast(GameMathematics, import_module(f".{game}", __package__))


def weakest(kinds: Iterable[str]) -> str:
    """Simulated if any is, else certified if any is, else exact."""
    return max(kinds, key=(EXACT, CERTIFIED, SIMULATED).index, default=EXACT)


def uncertainty(sources: Iterable[Source]) -> tuple[Fraction, float]:
    """The sum of the bounds of the certified sources, and the standard error of the simulated ones together."""
    errors = [(source.kind, source.error) for source in sources]
    bound = sum((error for kind, error in errors if kind == CERTIFIED), Fraction(0))
    return bound, math.sqrt(sum(error**2 for kind, error in errors if kind == SIMULATED))


def normal_quantile(confidence: int) -> float:
    """How many standard deviations on either side of the mean hold so many percent of a normal law."""
    return NormalDist().inv_cdf(0.5 + confidence / 200)


def _choices(tables: Tables, parts: GameMathematics) -> Iterator[Choice]:
    for name, value in parts.by_hatter(tables).items():
        yield Choice(name, value, parts.spread(tables, name))


def _mixed(choices: Sequence[Choice]) -> Spread:
    """The spread when each choice is taken as often; the paid spin is the same for all of them."""
    mean = sum((it.value for it in choices), Fraction(0)) / len(choices)
    square = sum((it.spread.variance + it.value**2 for it in choices), Fraction(0)) / len(choices)
    counted = [it.spread.mean for it in choices if it.spread.mean is not None]
    return replace(
        choices[0].spread,
        variance=square - mean**2,
        mean=sum(counted, Fraction(0)) / len(choices) if len(counted) == len(choices) else None,
    )


def _line_counts(tables: Tables, parts: GameMathematics, all_lines: Sequence[Source]) -> Iterator[LineCount]:
    most = tables["max_lines"]
    for lines in range(1, most + 1):
        here = all_sources(tables, lines, parts)
        moved = [(ours, full) for ours, full in zip(here, all_lines, strict=True) if ours.value != full.value]
        whatever = {ours.name for ours, full in moved if ours.value * lines == full.value * most}
        yield LineCount(
            lines,
            total(here),
            per_line_bet=tuple(ours.name for ours, _ in moved if ours.name in whatever),
            by_line=tuple(ours.name for ours, _ in moved if ours.name not in whatever),
        )


def _bands(law: Mapping[int, int], lines: int, simulation: StoredSimulation | None) -> Iterator[Band]:
    """Yields the bands, up to the last that holds anything."""
    windows = sum(law.values())
    counts, coins, rounds = ([0] * (len(BAND_EDGES) + 1) for _ in range(3))
    for win, count in law.items():
        counts[_band(win, lines)] += count
        coins[_band(win, lines)] += win * count
    for lowest, count in simulation.histogram if simulation else ():
        rounds[_band(lowest, lines)] += count
    ends = [0, *BAND_EDGES[1:], None]
    last = max(at for at in range(len(counts)) if counts[at] or rounds[at])
    for at in range(last + 1):
        yield Band(
            low=(0, *BAND_EDGES)[at],
            high=ends[at],
            probability=Fraction(counts[at], windows),
            share=Fraction(coins[at], windows * lines),
            simulated=rounds[at] / simulation.rounds if simulation else None,
        )


def _band(win: int, lines: int) -> int:
    """The number of the band of a win in coins at line bet 1."""
    return bisect_right(BAND_EDGES, Fraction(win, lines)) if win else 0
