"""The pieces that the return of Santa vs Rudolf is made of, each on its own: for the sheet and for the tuner."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...errors import ToolMissing, UsageError
from .. import INSTALL
from ..chain import Certified
from .gifts import gifts_mean
from .half_boards import HalfBoards
from .merges import merge_law
from .meters import race
from .respins import respins
from .rudolf_spins import rudolf_spin_mean
from .sessions import Session, session

BASE, BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN = range(5)  # modes


@dataclass(frozen=True)
class Pieces:
    """Means in coins at line bet 1, and how often.

    Attributes:
        lines: enabled lines: coins that a paid spin costs.
        paid_spin: line pay of a paid spin.
        respins: line pay of its re-spins.
        openings: free spins that open a session -> mean number of such sessions of a paid round.
        free_spin: line pay of a free spin with its re-spins.
        merges: merges in a free spin with its re-spins.
        sessions: the same keys as `openings` -> means of such a session.
        gifts: win of Santa's Gifts.
        rudolf_spins: win of all Rudolf Spins of a bonus, their cap left out.
    """

    lines: int
    paid_spin: Fraction
    respins: Certified
    openings: dict[int, Certified]
    free_spin: Certified
    merges: Certified
    sessions: dict[int, Session]
    gifts: Fraction
    rudolf_spins: Fraction

    @property
    def free_spins(self) -> Certified:
        """Free spins of a paid round if there were no limit."""
        return self._per_round({award: one.spins for award, one in self.sessions.items()})

    @property
    def cut(self) -> Certified:
        """Free spins of a paid round that the limit takes away (G-12)."""
        return self._per_round({award: one.cut for award, one in self.sessions.items()})

    @property
    def gifts_bonuses(self) -> Certified:
        """How often Santa's Gifts are played in a paid round."""
        return self._per_round({award: one.gifts for award, one in self.sessions.items()})

    @property
    def rudolf_spins_bonuses(self) -> Certified:
        """How often Rudolf Spins are played in a paid round."""
        return self._per_round({award: one.rudolf_spins for award, one in self.sessions.items()})

    def _per_round(self, values: Mapping[int, Certified]) -> Certified:
        return sum((self.openings[award] * value for award, value in values.items()), Certified.exact(0))


def pieces(tables: Mapping[str, Any], lines: int | None = None) -> Pieces:
    """Work out the pieces. Ten seconds, most of them for the race of the meters, which is kept as long as wilds do not
    move on the strips of free spins.

    Args:
        tables: of the game, by `game_tables`.
        lines: enabled lines, the first of the patterns; None is all.

    Raises:
        UsageError: the game has no such number of lines.
        ToolMissing: numpy is not installed.
        CheckFailed: chains or sessions may never end.
    """
    most = tables["max_lines"]
    if tables["lines_fixed"] and lines not in (None, most):
        raise UsageError(f"{lines} lines", f"all {most} lines are always played")
    if lines is not None and not 1 <= lines <= most:
        raise UsageError(f"{lines} lines", f"give 1 to {most} lines")
    return _pieces(json.dumps(tables, sort_keys=True), lines or tables["max_lines"])


@lru_cache(maxsize=16)
def _pieces(tables_json: str, lines: int) -> Pieces:
    tables = json.loads(tables_json)
    patterns = tables["line_patterns"][:lines]
    strips = [tables["strips"][mode] for mode in tables["modes"]]
    main = respins(tables, strips[BASE], strips[BASE_RESPIN], patterns)
    free = respins(tables, strips[FREE], strips[FREE_RESPIN], patterns)
    openings: dict[int, Certified] = {}
    for merges, spins in main.merges.items():
        award = min(merges * tables["merge_free_spins"], tables["merge_free_spins_limit"])
        openings[award] = openings.get(award, Certified.exact(0)) + spins
    return Pieces(
        lines=lines,
        paid_spin=main.spin,
        respins=main.respins,
        openings=openings,
        free_spin=Certified.exact(free.spin) + free.respins,
        merges=free.mean_merges,
        sessions=_sessions(_wilds_alone(tables), tuple(free.ends), free.mean_merges, tuple(openings)),
        gifts=gifts_mean(tables),
        rudolf_spins=tables["rudolf_spins"]["spins"] * rudolf_spin_mean(tables, patterns),
    )


def _wilds_alone(tables: Mapping[str, Any]) -> str:
    """All of the tables that sessions depend on, as JSON."""
    walking = {tables["wilds"]["rudolf"], tables["wilds"]["santa"]}
    keys = ("wilds", "free_merge_free_spins", "free_spins_limit", "meter_length")
    strips = [
        [[symbol if symbol in walking else "" for symbol in strip] for strip in tables["strips"][tables["modes"][mode]]]
        for mode in (FREE, FREE_RESPIN)
    ]
    return json.dumps({"strips": strips, **{key: tables[key] for key in keys}}, sort_keys=True)


@lru_cache(maxsize=16)
def _sessions(tables_json: str, ends: Sequence[int], merges: Certified, awards: Sequence[int]) -> dict[int, Session]:
    tables = json.loads(tables_json)
    boards = HalfBoards(tables, *tables["strips"])
    try:
        raced = race(tables, boards, ends)
    except ImportError as error:
        raise ToolMissing("numpy is not installed", INSTALL) from error
    law = merge_law(boards, len(ends))
    return {award: session(tables, award, merges, raced, law) for award in awards}
