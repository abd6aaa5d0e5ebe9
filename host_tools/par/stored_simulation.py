"""The long simulation that a PAR sheet shows: played once, stored with the hash of the tables it was played on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import FileError
from .table_hash import tables_hash

FOLDER = Path(__file__).with_name("frozen")


@dataclass(frozen=True)
class StoredSimulation:
    """What a sheet shows of a simulation; shares of the total bet.

    Attributes:
        command: that plays it again.
        tables_hash: of the tables it was played on.
        rounds: paid rounds.
        total_bet: coins that each round costs.
        value: return of complete rounds.
        error: standard error of `value`.
        sources: source -> return and its standard error.
        sigma: standard deviation of a round's win, in total bets.
        hit_frequency: share of paid spins that won.
        triggers: trigger -> how often it happened.
        histogram: lowest win of a bin in coins at line bet 1, and rounds in it.
        largest: win of a round, in coins at line bet 1.
        convergence: rounds, and the return up to there.
    """

    command: str
    tables_hash: str
    rounds: int
    total_bet: int
    value: float
    error: float
    sources: Mapping[str, tuple[float, float]]
    sigma: float
    hit_frequency: float
    triggers: Mapping[str, int]
    histogram: tuple[tuple[int, int], ...]
    largest: int
    convergence: tuple[tuple[int, float], ...]

    @property
    def sigma_error(self) -> float:
        """Standard error of `sigma`, at most: the fourth moment is taken from the upper ends of the histogram's bins.

        The variance of a sample variance is (fourth central moment - sigma^4) / rounds; wins are not below zero, so the
        moment around the mean is at most the one around 0 plus what rounds without a win have.
        """
        ends = [edge for edge, _ in self.histogram[1:]] + [self.largest]
        counts = [rounds for _, rounds in self.histogram]
        fourth = sum(
            rounds * max(min(end, self.largest) / self.total_bet, self.value) ** 4
            for end, rounds in zip(ends, counts, strict=True)
        )
        spread = max(fourth / self.rounds - self.sigma**4, 0)
        return math.sqrt(spread / self.rounds) / (2 * self.sigma) if self.sigma else 0.0


def simulation_path(game: str) -> Path:
    """The file of a game's stored simulation."""
    return FOLDER / f"{game}.simulation.json"


def read_simulation(path: Path) -> StoredSimulation | None:
    """Reads a stored simulation; None when the file does not exist.

    Raises:
        FileError: the file is none that `simulation_json` made.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return StoredSimulation(
            command=found["command"],
            tables_hash=found["tables_sha256"],
            rounds=found["rounds"],
            total_bet=found["total_bet"],
            value=found["return"],
            error=found["standard_error"],
            sources={name: (it["return"], it["standard_error"]) for name, it in found["sources"].items()},
            sigma=found["sigma"],
            hit_frequency=found["hit_frequency"],
            triggers=found["triggers"],
            histogram=tuple((bin_["from"], bin_["rounds"]) for bin_ in found["histogram"]),
            largest=found["largest_win"],
            convergence=tuple((rounds, share) for rounds, share in found["convergence"]),
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        cure = f"write it with: picocab par {path.name.split('.')[0]} --simulate 100000000"
        raise FileError(f"{path} is no stored simulation ({error!r})", cure) from error


def simulation_json(
    tables: Mapping[str, Any], rounds: int, seed: int, workers: int, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Plays a simulation to be stored: what `picocab simulate --json` prints.

    Args:
        tables: of the game.
        rounds: paid rounds.
        seed: of the simulation.
        workers: processes.
        progress: called with how many rounds were played.

    Raises:
        UsageError: fewer rounds than 1.
        ToolMissing: numpy is not installed.
    """
    from .simulate_command import as_json
    from .simulation import simulate

    return {
        "command": f"picocab simulate {tables['game']} --rounds {rounds} --seed {seed}",
        "tables_sha256": tables_hash(tables),
        **as_json(simulate(tables, rounds, seed, workers, progress)),
    }
