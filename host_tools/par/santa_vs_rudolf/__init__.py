"""Santa vs Rudolf: exact where its parts are finite, certified where they are chains; nothing of the return is
simulated, the race of the meters included.

* `line_means`: mean line pay with covered cells; `half_boards`: the walking wilds; `respins`: a spin with its re-spins;
* `meters`: what a free spin does to the meters; `sessions`: free spins, their limit and their bonus;
* `gifts`, `rudolf_spins`: the bonuses; `pieces`: all of these by themselves; `largest`: the largest awards.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...errors import CheckFailed
from ..chain import Certified
from ..figures import CERTIFIED, EXACT, SIMULATED, Source, Spread, Trigger
from ..law import Reading, pays_by_count
from ..stored_simulation import StoredSimulation, read_simulation, simulation_path
from ..table_hash import tables_hash
from .largest import best_rudolf_spin, largest_award
from .pieces import BASE, Pieces, pieces

__all__ = ["Pieces", "largest_award", "limit_source", "pieces", "sources", "spread", "triggers"]

Tables = Mapping[str, Any]


def sources(tables: Tables, lines: int | None = None) -> list[Source]:
    """The return at line bet 1 by source, without what the limit of free spins takes off.

    Args:
        tables: of the game, by `game_tables`.
        lines: enabled lines; None is all.

    Raises:
        UsageError: the game has no such number of lines.
        ToolMissing: numpy is not installed.
        CheckFailed: chains or sessions may never end, or a Rudolf spin can be clamped, which its mean leaves out.
    """
    found = pieces(tables, lines)
    cap = tables["rudolf_spins"]["cap"]
    if clamped := best_rudolf_spin(tables, tables["line_patterns"][: found.lines], above=cap):
        raise CheckFailed(
            f"a Rudolf spin can pay {clamped.coins} x line bet, over its cap of {cap}",
            "give the Rudolf strips fewer symbols that pay most",
        )
    gifts = found.gifts_bonuses * Certified.exact(found.gifts)
    rudolf_spins = found.rudolf_spins_bonuses * Certified.exact(found.rudolf_spins)
    return [
        Source("lines", found.paid_spin / found.lines, EXACT),
        _certified("respins.lines", found.respins, found.lines),
        _certified("free_spins.lines", found.free_spins * found.free_spin, found.lines),
        _certified("gifts", gifts, found.lines),
        _certified("rudolf_spins", rudolf_spins, found.lines),
    ]


def limit_source(tables: Tables, lines: int | None = None) -> Source:
    """What the technical limit of free spins takes off the lines' return (G-12); bonuses have it counted already.

    Raises:
        As `sources`, but for Rudolf spins that can be clamped.
    """
    found = pieces(tables, lines)
    lost = _certified("limits", found.cut * found.free_spin, found.lines)
    return Source(lost.name, -lost.value, lost.kind, lost.error)


def triggers(tables: Tables) -> list[Trigger]:
    """How often per paid round: sessions of free spins, the bonuses, and both bonuses together."""
    found = pieces(tables)
    sessions = sum(found.openings.values(), Certified.exact(0))
    gifts, rudolf_spins = found.gifts_bonuses, found.rudolf_spins_bonuses
    return [
        Trigger("free_spins", sessions.value, CERTIFIED),
        Trigger("gifts", gifts.value, CERTIFIED),
        Trigger("rudolf_spins", rudolf_spins.value, CERTIFIED),
        Trigger("bonus", (gifts + rudolf_spins).value, CERTIFIED),
    ]


def spread(tables: Tables, rounds: int = 1 << 20) -> Spread:
    """How the win of a round spreads: the paid spin from all its windows, the variance from a simulation.

    The variance is that of the stored simulation when it was played on these tables; else of one that is played here,
    so much shorter that `Spread.error` matters.

    Args:
        tables: of the game, by `game_tables`.
        rounds: to be simulated when no simulation of these tables is stored; seed 1.

    Raises:
        ToolMissing: numpy is not installed.
    """
    from ..enumeration import spectrum

    strips = tables["strips"][tables["modes"][BASE]]
    sleigh = tables["wild_run_pays_as"]
    reading = Reading(pays_by_count(tables["line_pays"]), wilds=set(tables["wilds"].values()), wild_run=(sleigh,))
    marks = [[0] * len(strip) for strip in strips]
    counts = spectrum(strips, tables["line_patterns"], reading, marks, both_ways=True)
    paid_spin = {pay: windows for (_, pay), windows in sorted(counts.counts.items())}
    played = read_simulation(simulation_path(tables["game"]))
    if played is None or played.tables_hash != tables_hash(tables):
        played = _played(tables, rounds)
    return Spread(
        hit_frequency=1 - Fraction(paid_spin.get(0, 0), counts.windows),
        variance=Fraction(played.sigma) ** 2,
        kind=SIMULATED,
        paid_spin=paid_spin,
        error=played.sigma_error,
    )


def _played(tables: Tables, rounds: int) -> StoredSimulation:
    from ..simulation import simulate

    done = simulate(tables, rounds, seed=1)
    return StoredSimulation(
        command=f"picocab simulate {done.game} --rounds {done.rounds} --seed {done.seed}",
        tables_hash=tables_hash(tables),
        rounds=done.rounds,
        total_bet=done.total_bet,
        value=float(done.share()),
        error=done.standard_error(),
        sources={name: (float(done.share(name)), done.standard_error(name)) for name in done.wins},
        sigma=done.sigma(),
        hit_frequency=done.hit_frequency,
        triggers=done.triggers,
        histogram=tuple(zip((0, *done.edges), done.histogram, strict=True)),
        largest=done.largest,
        convergence=tuple((played, coins / (played * done.total_bet)) for played, coins in done.path),
    )


def _certified(name: str, coins: Certified, lines: int) -> Source:
    return Source(name, coins.value / lines, CERTIFIED, coins.error / lines)
