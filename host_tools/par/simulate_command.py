"""`picocab simulate`: the return and the spread of a game's wins by playing complete rounds."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import INSTALL

if TYPE_CHECKING:
    from .simulation import Client, Simulated

_CONFIDENCES = {"95": 0.95, "99.9": 0.999}
_CONNECT_S = 10


def add_parser(commands: Any) -> None:
    """Adds the command to the parser's commands."""
    parser = commands.add_parser("simulate", help="play many complete rounds and state the return with its intervals")
    parser.add_argument("game", metavar="GAME", help="mad_hatters, mad_mad_monkey, santa_vs_rudolf or haunted_house")
    parser.add_argument("--rounds", type=_positive, required=True, metavar="N", help="paid rounds to play")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="of the simulation, from 0 up (default: %(default)s)"
    )
    parser.add_argument(
        "--hatter", metavar="NAME", help="Mad Hatters: always choose this one (default: one at random each time)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=_positive,
        metavar="W",
        help="processes (default: one a core); the result does not depend on it",
    )
    where.add_argument(
        "--dask", metavar="ADDRESS", help="play on a Dask cluster, its scheduler at this address: tcp://host:port"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(run=simulate)


def simulate(args: argparse.Namespace) -> int:
    """Runs `picocab simulate`; returns the exit code.

    Raises:
        UsageError: no such game or hatter, fewer rounds than 1, a seed below 0, an address that is none.
        ToolMissing: numpy or dask is not installed, or this package is not on the cluster.
        PortError: no scheduler answers at the address.
    """
    from ..tables import game_tables
    from . import simulation
    from .compiled import note

    tables = game_tables(args.game)
    if slow := note():
        _tell(slow)
    begun = time.perf_counter()
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(connected(args.dask)) if args.dask else None
        progress = stack.enter_context(_progress(args.game, args.rounds))
        done = simulation.simulate(
            tables, args.rounds, args.seed, args.workers or os.cpu_count() or 1, progress, client, args.hatter
        )
    if args.json:
        print(json.dumps(as_json(done), indent=1))
    else:
        print("\n".join(as_text(done, tables["title"])))
        _tell(f"{done.rounds / (time.perf_counter() - begun):,.0f} rounds/s")
    return 0


def as_json(done: Simulated) -> dict[str, Any]:
    """The result as JSON-ready data; returns are shares of the total bet, wins coins at line bet 1 and all lines."""
    from .simulation import TOTAL

    def figures(source: str) -> dict[str, Any]:
        share = float(done.share(source))
        intervals = {
            f"interval_{name.replace('.', '_')}": [share - half, share + half]
            for name, confidence in _CONFIDENCES.items()
            for half in [done.half_width(confidence, source)]
        }
        return {"return": share, "standard_error": done.standard_error(source), "coins": done.wins[source], **intervals}

    return {
        "game": done.game,
        "seed": done.seed,
        "rounds": done.rounds,
        "total_bet": done.total_bet,
        **figures(TOTAL),
        "sources": {source: figures(source) for source in done.wins if source != TOTAL},
        "sigma": done.sigma(),
        "hit_frequency": done.hit_frequency,
        "triggers": done.triggers,
        "histogram": [
            {"from": edge, "rounds": rounds} for edge, rounds in zip((0, *done.edges), done.histogram, strict=True)
        ],
        "largest_win": done.largest,
        "convergence": [[rounds, coins / (rounds * done.total_bet)] for rounds, coins in done.path],
    }


def as_text(done: Simulated, title: str) -> Iterator[str]:
    """The result as lines to be read."""
    from .simulation import TOTAL

    yield f"{title}: {done.rounds:,} rounds of {done.total_bet} coins, seed {done.seed}"
    yield f"{'return':<24}{'%':>10}" + "".join(f"{f'{name} % interval':>24}" for name in _CONFIDENCES)
    for source in (TOTAL, *(name for name in done.wins if name != TOTAL)):
        share = 100 * float(done.share(source))
        row = f"{source:<24}{share:>10.4f}"
        for confidence in _CONFIDENCES.values():
            half = 100 * done.half_width(confidence, source)
            row += f"{f'{share - half:.4f} to {share + half:.4f}':>24}"
        yield row
    yield f"{'sigma':<24}{done.sigma():>10.4f}  total bets"
    yield f"{'hit frequency':<24}{100 * done.hit_frequency:>10.4f}  %"
    yield f"{'largest win':<24}{done.largest / done.total_bet:>10.1f}  total bets ({done.largest:,} coins)"
    yield f"{'trigger':<24}{'times':>12}  mean rounds between"
    for trigger, times in done.triggers.items():
        yield f"{trigger:<24}{times:>12,}  " + (f"{done.rounds / times:>19,.1f}" if times else f"{'-':>19}")
    yield f"{'wins from (total bets)':<24}{'rounds':>12}  % of rounds"
    for edge, rounds in zip((0, *done.edges), done.histogram, strict=True):
        lowest = "no win" if edge == 0 else "1 coin" if edge == 1 else f"{edge / done.total_bet:g}"
        yield f"{lowest:<24}{rounds:>12,}  {100 * rounds / done.rounds:>11.6f}"


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the Dask cluster whose scheduler is at the address.

    Raises:
        UsageError: it is no address.
        ToolMissing: dask.distributed is not installed.
        PortError: no scheduler answers there, or it has no workers.
    """
    from ..errors import PortError, ToolMissing, UsageError

    try:
        distributed: Any = import_module("dask.distributed")
    except ImportError as error:
        raise ToolMissing("dask.distributed is not installed", INSTALL) from error
    if not re.fullmatch(r"(\w+://)?\S+:\d{1,5}", address):
        raise UsageError(f"{address!r} is no address of a scheduler", "give one such as tcp://host:8786")
    try:
        client = distributed.Client(address, timeout=_CONNECT_S)
    except (OSError, ValueError) as error:
        raise PortError(f"no Dask scheduler answers at {address}", "start one with: dask scheduler") from error
    with client:
        if not client.nthreads():
            raise PortError(
                f"the Dask scheduler at {address} has no workers", f"start one with: dask worker --nthreads 1 {address}"
            )
        yield client


@contextlib.contextmanager
def _progress(game: str, rounds: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, shown only on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns,
        console=console,
        disable=not console.is_terminal,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:
        task = bar.add_task(game, total=rounds)
        yield lambda played: bar.update(task, advance=played)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _positive(text: str) -> int:
    if not re.fullmatch("[0-9]+", text, re.ASCII) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text)
