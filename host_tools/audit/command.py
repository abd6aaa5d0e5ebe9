"""`picocab tables`, `picocab play`, `picocab seeds`, `picocab verify`."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..device.transport import Transport
from ..errors import CheckFailed, PicocabError, ToolMissing, UsageError
from ..reference.common import Event, Tables
from ..tables import GAMES, game_tables
from .events import named, text
from .other_cores import BoardCore, UnixCore
from .rounds import (
    RULES_VERSION,
    ChoiceMissing,
    RoundInputs,
    check_rules_version,
    given_choices,
    play_on_core,
    play_reference,
)
from .seeds import goals, search
from .tables_text import tables_text
from .verify import CORE, REFERENCE, Difference, verify_here, verify_on_board


def tables(args: argparse.Namespace) -> int:
    """Runs `picocab tables`; returns the exit code.

    Raises:
        UsageError: there is no such game.
    """
    found = game_tables(args.game)
    if args.json:
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(tables_text(found)))
    return 0


def play(args: argparse.Namespace) -> int:
    """Runs `picocab play`; returns the exit code. What was played before a missing choice is printed too.

    Raises:
        UsageError: the game does not take these inputs or choices, or needs more choices.
    """
    found = game_tables(args.game)
    if args.rules_version is not None:
        check_rules_version(args.rules_version, "the record")
    lines = found["max_lines"] if args.lines is None else args.lines
    inputs = RoundInputs(args.game, args.line_bet, lines, args.seed, args.choices, args.gamble_limit, args.max_award)
    choose, check_all_asked = given_choices(inputs, found)
    events: list[Event] = []
    missing = None
    try:
        if args.implementation == "core":
            events.extend(play_on_core(inputs, choose))
        else:
            events.extend(play_reference(inputs, found, choose))
        check_all_asked()
    except ChoiceMissing as error:
        missing = error
    if args.json:
        print(json.dumps([named(found, event) for event in events]))
    else:
        print(
            f"{found['title']}: {inputs.line_bet} x {lines} lines = {inputs.line_bet * lines} coins, "
            f"seed {inputs.seed.hex()}"
        )
        for event in events:
            print(text(found, event))
    if missing:
        raise missing
    return 0


def seeds(args: argparse.Namespace) -> int:
    """Runs `picocab seeds`; returns the exit code.

    Raises:
        UsageError: there is no such game or event.
        PicocabError: fewer seeds were found than were asked for; those found are printed before.
    """
    found = game_tables(args.game)
    known = goals(found, args.times)
    if args.list:
        for name, goal in known.items():
            print(f"{name:<22} {goal.meaning}")
        return 0
    if args.event not in known:
        what = f"{args.game} has no event {args.event!r}" if args.event else "no event is named"
        raise UsageError(what, f"events: {', '.join(known)}")
    with _bar() as bar:
        task = bar.add_task(f"looking for {args.event}", total=args.tries)

        def progress(tried: int) -> None:
            bar.update(task, completed=tried)

        rounds = list(search(found, known[args.event], args.count, args.start, args.tries, progress))
    if args.json:
        print(json.dumps([{**asdict(it), "seed": it.seed.hex(), "round_win": win} for it, win in rounds], indent=1))
    else:
        for inputs, win in rounds:
            print(f"{inputs.command()}  # round win {win}")
    if len(rounds) < args.count:
        raise PicocabError(
            f"{len(rounds)} of {args.count} seeds found for {args.event} among {args.tries:,}",
            "look at more with --tries, or at others with --from",
        )
    return 0


def verify(args: argparse.Namespace) -> int:
    """Runs `picocab verify`; returns the exit code.

    Raises:
        UsageError: no such game, a path that is no MicroPython, or arguments that do not go together.
        CheckFailed: the implementations differ; the counts and the first difference are printed before.
        PicocabError: the unix port cannot be built, or the board cannot be used.
    """
    wanted = _tables_of(args)
    micropython = _micropython(args.micropython)
    report = _Report(list(wanted))
    limit = min(args.rounds, args.micropython_rounds or max(1, args.rounds // 10)) if micropython else 0
    with _bar() as bar, contextlib.ExitStack() as stack:
        board = None
        if args.port:  # before the long part: a port that cannot be used ends the command now
            board = BoardCore(stack.enter_context(Transport(args.port)), args.copy)
        elif args.board_rounds or args.copy:
            raise UsageError("--board-rounds and --copy are for a board", "name its --port")
        bars = {game: bar.add_task(game, total=args.rounds) for game in wanted}
        for game, outcome in verify_here(wanted, args.rounds, micropython, limit, args.workers):
            report.add(game, CORE, outcome.rounds)
            report.add(game, REFERENCE, outcome.rounds)
            report.add(game, UnixCore.name, outcome.other_rounds)
            report.differs(outcome.difference)
            bar.update(bars[game], advance=outcome.rounds)
            if bar.disable and report.done(game) == args.rounds:
                _tell(f"{game}: {args.rounds:,} rounds are equal")
        if board:
            _verify_board(board, wanted, min(args.rounds, args.board_rounds or 200), report, bar)
    print(json.dumps(report.as_json()) if args.json else report)
    if report.differences:
        raise CheckFailed(
            f"{len(report.differences)} differences found",
            f"replay the first: {report.differences[0].inputs.command()}",
        )
    return 0


def _verify_board(board: BoardCore, wanted: dict[str, Tables], rounds: int, report: _Report, bar: Progress) -> None:
    try:
        for game, of_game in wanted.items():
            task = bar.add_task(f"{game} on the board", total=rounds)
            board.load(game, lambda line: bar.console.print(line, markup=False, highlight=False))
            for outcome in verify_on_board(board, of_game, rounds):
                report.add(game, BoardCore.name, outcome.other_rounds)
                report.differs(outcome.difference)
                bar.update(task, advance=outcome.rounds)
    except PicocabError:
        with contextlib.suppress(PicocabError):  # what went wrong first matters more
            board.leave()
        raise
    board.leave()


class _Report:
    """Equal rounds by game and implementation, and the differences."""

    def __init__(self, games: list[str]) -> None:
        self._names = (REFERENCE, CORE, UnixCore.name, BoardCore.name)
        self._counts = {game: dict.fromkeys(self._names, 0) for game in games}
        self._started_s = time.monotonic()
        self.differences: list[Difference] = []

    def add(self, game: str, name: str, rounds: int) -> None:
        self._counts[game][name] += rounds

    def done(self, game: str) -> int:
        return self._counts[game][CORE]

    def differs(self, difference: Difference | None) -> None:
        if difference:
            self.differences.append(difference)

    def as_json(self) -> dict[str, Any]:
        return {
            "rules_version": RULES_VERSION,
            "equal_rounds": self._counts,
            "differences": [
                {**asdict(it), "inputs": it.inputs.line(), "replay": it.inputs.command()} for it in self.differences
            ],
            "seconds": round(time.monotonic() - self._started_s, 1),
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for difference in self.differences:
            yield f"{difference}\n  {difference.inputs.command()}"
        yield f"{'equal rounds':<16}" + "".join(f"{name:>21}" for name in self._names)
        for game, counts in self._counts.items():
            yield f"{game:<16}" + "".join(f"{counts[name]:>21,}" for name in self._names)
        seconds = time.monotonic() - self._started_s
        yield f"rules version {RULES_VERSION}, {len(self.differences)} differences, {seconds:.0f} s"


def _tables_of(args: argparse.Namespace) -> dict[str, Tables]:
    """The tables that the reference plays by, of each game to verify."""
    games = [args.game] if args.game else list(GAMES)
    wanted = {game: game_tables(game) for game in games}
    if args.tables:
        if not args.game:
            raise UsageError("--tables is for one game", "name it")
        wanted = {args.game: _read_tables(args.tables, args.game)}
    return wanted


def _read_tables(path: Path, game: str) -> Tables:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path} ({error.strerror})") from error
    except ValueError as error:
        raise UsageError(f"{path} is no JSON ({error})", f"write it with: picocab tables {game} --json") from error
    if not isinstance(found, dict) or found.get("game") != game:
        raise UsageError(f"{path} does not hold the tables of {game}", f"write it with: picocab tables {game} --json")
    check_rules_version(found.get("rules_version"), str(path))
    missing = game_tables(game).keys() - found.keys()
    if missing:
        raise UsageError(f"{path} has no {min(missing)}", f"write it with: picocab tables {game} --json")
    return found


def _micropython(wanted: str) -> Path | None:
    if wanted == "none":
        return None
    if wanted != "auto":
        return Path(wanted)
    from ..toolchain.micropython import build_mpy_cross, build_unix_port
    from ..toolchain.source_tree import source_tree

    try:
        tree = source_tree(_tell)
        return build_unix_port(tree, build_mpy_cross(tree, _tell), _tell)
    except ToolMissing as error:
        raise ToolMissing(error.what, f"{error.cure}, or leave MicroPython out: --micropython none") from error


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _bar() -> Progress:
    """A progress bar on standard error, shown only on a terminal; only its console may print meanwhile."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(
        *columns,
        console=console,
        disable=not console.is_terminal,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
