"""Complete rounds by simulation: return by source, intervals, spread, triggers and a histogram of wins.

The rounds are cut into chunks with a random stream each, made from the seed and the chunk's number alone, and all
counts are integers: so a simulation has the same result whatever the number of processes or machines that share it.
All choices are made at random. The gamble of Mad Mad Monkey is not played: it is neutral.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from statistics import NormalDist
from typing import Any

from ..errors import CheckFailed, PortError, ToolMissing, UsageError
from ..tables import game_tables
from . import INSTALL
from .figures import Source, total

Client = Any
"""A `dask.distributed.Client`, which has no types."""

CHUNK_ROUNDS = 65_536  # so few that the sums of squares of a chunk fit 63 bits
TOTAL = "total"
BIN_EDGES = ("1/2", 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)  # in total bets

_JOBS_PER_WORKER = 4  # handed out at once: enough that no worker waits, few enough to stop soon

Counts = dict[str, int]


@dataclass(frozen=True)
class Simulated:
    """What was counted in simulated rounds. Coins are at line bet 1 and all lines.

    Attributes:
        game: its name.
        seed: of the simulation.
        rounds: number of paid rounds.
        total_bet: coins that each round costs.
        wins: source -> coins won, and `total`.
        squares: source -> sum of the squares of each round's coins, and `total`.
        triggers: trigger -> how often it happened; names as in the game's exact figures.
        hits: paid spins that won anything, what opened on that spin included, free spins excluded.
        edges: lowest win in coins of each bin of the histogram; the first bin holds rounds without a win, the second
            wins from 1 coin.
        histogram: rounds in each bin, by their total win.
        largest: the largest total win of a round.
        path: (rounds, coins won until then) after 1, 2, 4, ... chunks and after the last.
    """

    game: str
    seed: int
    rounds: int
    total_bet: int
    wins: Counts
    squares: Counts
    triggers: Counts
    hits: int
    edges: tuple[int, ...]
    histogram: tuple[int, ...]
    largest: int
    path: tuple[tuple[int, int], ...]

    def share(self, source: str = TOTAL) -> Fraction:
        """Mean win of a source (or `total`) as a share of the total bet."""
        return Fraction(self.wins[source], self.rounds * self.total_bet)

    def sigma(self, source: str = TOTAL) -> float:
        """Standard deviation of a source's win of a round (or of `total`), in total bets."""
        spread = self.rounds * self.squares[source] - self.wins[source] ** 2
        return math.sqrt(spread) / (self.rounds * self.total_bet)

    def standard_error(self, source: str = TOTAL) -> float:
        """Standard error of `share`."""
        return self.sigma(source) / math.sqrt(self.rounds)

    def half_width(self, confidence: float, source: str = TOTAL) -> float:
        """Half the width of the two-sided normal interval of `share`; a confidence of 0.95 is 95 %."""
        return NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_error(source)

    @property
    def hit_frequency(self) -> float:
        """Share of paid spins that won anything."""
        return self.hits / self.rounds


@dataclass
class Counted:
    """What was counted in chunks.

    Attributes:
        totals: number of each chunk -> its rounds and the coins won in them.
    """

    totals: dict[int, tuple[int, int]]
    wins: list[int]
    squares: list[int]
    triggers: list[int]
    histogram: list[int]
    hits: int
    largest: int

    @property
    def rounds(self) -> int:
        return sum(rounds for rounds, _ in self.totals.values())

    def add(self, other: Counted) -> None:
        for name in ("wins", "squares", "triggers", "histogram"):
            setattr(self, name, [a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True)])
        self.hits += other.hits
        self.largest = max(self.largest, other.largest)
        self.totals |= other.totals


def simulate(
    tables: Mapping[str, Any],
    rounds: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    client: Client | None = None,
    hatter: str | None = None,
) -> Simulated:
    """Play complete rounds.

    Args:
        tables: of the game, by `game_tables`.
        rounds: number of paid rounds.
        seed: from 0 up; with the rounds it decides the result.
        workers: processes on this machine; 1 is this process.
        progress: called with the rounds of each chunk that was played.
        client: of a Dask cluster that plays instead, its workers with the same version of this package.
        hatter: in Mad Hatters, the one that is always chosen; else one is chosen at random each time.

    Raises:
        UsageError: fewer rounds than 1, a negative seed, no such hatter.
        ToolMissing: numpy is not installed here, or this package or numpy on a worker of the cluster.
    """
    if rounds < 1:
        raise UsageError(f"{rounds} rounds", "simulate at least 1")
    if seed < 0:
        raise UsageError(f"seed {seed}", "use one from 0 up")
    if workers < 1:
        raise UsageError(f"{workers} workers", "use at least 1")
    edges = tuple(_edges(tables["max_lines"]))
    played_by = _kernel_tables(tables, hatter)
    sizes = [min(CHUNK_ROUNDS, rounds - first) for first in range(0, rounds, CHUNK_ROUNDS)]
    jobs = [(tables["game"], edges, seed, number, size) for number, size in enumerate(sizes)]
    # The first chunk here: it compiles the kernel once, before other processes look for it in the cache.
    done = play_chunk(played_by, *jobs[0])
    chunks: Iterator[Counted]
    if client is not None:
        chunks = _on_cluster(client, played_by, jobs[1:])
    elif workers > 1 and len(jobs) > 2:
        chunks = _on_processes(workers, played_by, jobs[1:])
    else:
        chunks = (play_chunk(played_by, *job) for job in jobs[1:])
    if progress:
        progress(done.rounds)
    for chunk in chunks:
        done.add(chunk)
        if progress:
            progress(chunk.rounds)
    return _simulated(tables, seed, edges, done)


def play_chunk(played_by: Any, game: str, edges: Sequence[int], seed: int, number: int, rounds: int) -> Counted:
    """Play one chunk and return its counts; runs in workers too.

    Args:
        played_by: what the game's kernel plays by.
        game: its name.
        edges: of the histogram's bins.
        seed: of the simulation.
        number: of the chunk, from 0.
        rounds: at most CHUNK_ROUNDS.
    """
    from .simulators import random_state

    return play_rounds(played_by, game, edges, number, rounds, random_state(seed, number))


def play_rounds(
    played_by: Any, game: str, edges: Sequence[int], number: int, rounds: int, random: Any, draws: Any = None
) -> Counted:
    """Play rounds from a random state, or from recorded draws.

    Args:
        played_by: what the game's kernel plays by.
        game: its name.
        edges: of the histogram's bins.
        number: of the chunk.
        rounds: at most CHUNK_ROUNDS.
        random: the random state, moved on by the draws.
        draws: [draw, 2] recorded draws to replay instead, each its bound and its number.
    """
    import numpy as np

    from .simulators import simulator
    from .simulators.kernels import Tally

    kernel = simulator(game)
    sources = len(kernel.sources)

    def zeros(length: int) -> Any:
        return np.zeros(length, np.int64)

    tally = Tally(
        won=zeros(sources),
        wins=zeros(sources),
        squares_low=zeros(sources + 1),
        squares_high=zeros(sources + 1),
        triggers=zeros(len(kernel.triggers)),
        edges=np.array(edges, np.int64),
        histogram=zeros(len(edges) + 1),
        extremes=zeros(2),
    )
    if draws is None:
        draws = np.zeros((0, 2), np.int64)
    with np.errstate(over="ignore"):  # uncompiled, the words of the random state wrap around as they should
        kernel.play(rounds, random, draws, played_by, tally)
    hits, largest = tally.extremes.tolist()
    high, low = tally.squares_high.tolist(), tally.squares_low.tolist()
    return Counted(
        totals={number: (rounds, int(tally.wins.sum()))},
        wins=tally.wins.tolist(),
        squares=[(above << 32) + below for above, below in zip(high, low, strict=True)],
        triggers=tally.triggers.tolist(),
        histogram=tally.histogram.tolist(),
        hits=hits,
        largest=largest,
    )


def z_scores(simulated: Simulated, sources: Sequence[Source]) -> dict[str, float]:
    """How many standard errors the simulated return lies above the exact one, by source and in `total`.

    A source that never won has no spread to compare with: its score is 0 when its exact return is 0 too, else minus
    infinity. Exact figures that are no source of their own in a simulation, such as what a limit cuts off, count in the
    total.

    Raises:
        ValueError: a source of the simulation has no exact figure.
    """
    exact = {source.name: source.value for source in sources if source.name in simulated.wins}
    if missing := simulated.wins.keys() - {TOTAL} - exact.keys():
        raise ValueError(f"no exact return of {', '.join(sorted(missing))}")
    exact[TOTAL] = total(sources)
    scores = {}
    for name, value in exact.items():
        above = float(simulated.share(name) - value)
        error = simulated.standard_error(name)
        scores[name] = above / error if error else math.copysign(math.inf, above) if above else 0.0
    return scores


def rounds_per_s(game: str, seconds: float) -> float:
    """Complete rounds that one core plays in a second of its own time, measured for about so long.

    Raises:
        UsageError: there is no such game.
        ToolMissing: numpy is not installed.
    """
    tables = game_tables(game)
    edges = tuple(_edges(tables["max_lines"]))
    played_by = _kernel_tables(tables, None)
    play_chunk(played_by, game, edges, 0, 0, 1)  # compiles
    chunk_rounds = 256
    played = number = 0
    begun = time.process_time()  # not the wall's: other programs may share the core
    while (taken := time.process_time() - begun) < seconds or not played:
        number += 1
        play_chunk(played_by, game, edges, 0, number, chunk_rounds)
        played += chunk_rounds
        chunk_rounds = min(2 * chunk_rounds, CHUNK_ROUNDS)  # uncompiled, a whole chunk would take too long
    return played / taken


def _edges(total_bet: int) -> Iterator[int]:
    yield 1
    for edge in BIN_EDGES:
        yield math.ceil(Fraction(edge) * total_bet)


def _kernel_tables(tables: Mapping[str, Any], hatter: str | None) -> Any:
    try:
        import numpy as np  # noqa: F401
    except ImportError as error:
        raise ToolMissing("numpy is not installed", INSTALL) from error
    from .simulators import simulator

    build = simulator(tables["game"]).kernel_tables
    if "hatters" in tables:
        return build(tables, hatter)
    if hatter is not None:
        raise UsageError(f"{tables['game']} has no hatter to choose", "leave it out")
    return build(tables)


def _on_processes(workers: int, played_by: Any, jobs: Sequence[tuple[Any, ...]]) -> Iterator[Counted]:
    # Started anew instead of forked: the threads of a progress bar would not survive a fork.
    pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn"))
    try:
        yield from _as_completed(pool, played_by, jobs, _JOBS_PER_WORKER * workers)
    except BrokenExecutor as error:
        raise CheckFailed(
            "a worker process was killed", "play again, with fewer --workers if memory ran out"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def kernels_hash(folder: Path = Path(__file__).parent) -> str:
    """SHA-256 of the sources that play the rounds: a cluster whose machines differ would mix two games."""
    sources = [folder / "simulation.py", *sorted((folder / "simulators").glob("*.py"))]
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


def _on_cluster(client: Client, played_by: Any, jobs: Sequence[tuple[Any, ...]]) -> Iterator[Counted]:
    if not jobs:
        return
    try:
        others = [worker for worker, found in client.run(kernels_hash).items() if found != kernels_hash()]
    except ImportError as error:
        raise ToolMissing(f"a worker of the cluster cannot play ({error})", "install the same commit there") from error
    if others:
        raise ToolMissing(f"the worker {others[0]} plays by other sources", "install the same commit there")
    threads = max(1, sum(client.nthreads().values()))
    shared = client.scatter(played_by, broadcast=True, hash=False)
    try:
        yield from _as_completed(client.get_executor(), shared, jobs, _JOBS_PER_WORKER * threads)
    except ImportError as error:
        raise ToolMissing(f"a worker of the cluster cannot play ({error})", "install the same commit there") from error
    except (CancelledError, OSError) as error:
        raise PortError(f"the cluster was lost ({error!r})", "look at its scheduler and workers, then again") from error


def _as_completed(
    executor: Executor, played_by: Any, jobs: Sequence[tuple[Any, ...]], at_once: int
) -> Iterator[Counted]:
    """The counts of all jobs, in the order in which they are done."""
    coming = iter(jobs)
    running: set[Future[Counted]] = set()
    try:
        while True:
            for job in coming:
                running.add(executor.submit(play_chunk, played_by, *job))
                if len(running) >= at_once:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def _simulated(tables: Mapping[str, Any], seed: int, edges: tuple[int, ...], done: Counted) -> Simulated:
    from .simulators import simulator

    kernel = simulator(tables["game"])
    wins = dict(zip(kernel.sources, done.wins, strict=True))
    return Simulated(
        game=tables["game"],
        seed=seed,
        rounds=done.rounds,
        total_bet=tables["max_lines"],
        wins=wins | {TOTAL: sum(done.wins)},
        squares=dict(zip((*kernel.sources, TOTAL), done.squares, strict=True)),
        triggers=dict(zip(kernel.triggers, done.triggers, strict=True)),
        hits=done.hits,
        edges=edges,
        histogram=tuple(done.histogram),
        largest=done.largest,
        path=tuple(_path(done.totals)),
    )


def _path(totals: Mapping[int, tuple[int, int]]) -> Iterator[tuple[int, int]]:
    rounds = coins = 0
    for number in range(len(totals)):
        rounds += totals[number][0]
        coins += totals[number][1]
        chunks = number + 1
        if chunks & number == 0 or chunks == len(totals):
            yield rounds, coins
