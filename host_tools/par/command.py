"""`picocab par`: the PAR sheet of a game as text, JSON or a page, and its frozen figures."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import CheckFailed, PicocabError, ToolMissing, UsageError
from . import INSTALL

if TYPE_CHECKING:
    from .sheet import Sheet


def add_parser(commands: Any) -> None:
    """Adds the command to the parser's commands."""
    parser = commands.add_parser("par", help="the exact return of a game and its PAR sheet")
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="mad_hatters, mad_mad_monkey, santa_vs_rudolf or haunted_house (default: all four)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a game and line")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the sheet of the game as a page, with plots")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--lines", type=int, metavar="N", help="only the return by source at so many lines")
    what.add_argument("--check", action="store_true", help="recompute the return and compare it with the frozen one")
    what.add_argument("--freeze", action="store_true", help="freeze the return as it is now")
    what.add_argument(
        "--simulate", type=int, metavar="ROUNDS", help="play the simulation that the sheet shows, seed 1, and store it"
    )
    parser.set_defaults(run=par)


def par(args: argparse.Namespace) -> int:
    """Runs `picocab par`; returns the exit code.

    Raises:
        UsageError: there is no such game, it has no such number of lines, or --html without one game.
        ToolMissing: a package that the sheet needs is not installed.
        CheckFailed: a figure is not the frozen one; what moved is printed before.
        FileError: there are no frozen figures to compare with.
    """
    from ..tables import GAMES, game_tables

    games = [game_tables(args.game)] if args.game else [game_tables(game) for game in GAMES]
    if args.html and (
        not args.game or args.lines is not None or args.check or args.freeze or args.simulate is not None
    ):
        raise UsageError("--html writes the sheet of one game", "name the game, and give no other option but --json")
    try:
        if args.freeze:
            return _freeze(games)
        if args.simulate is not None:
            return _simulate(games, args.simulate)
        if args.check:
            return _check(games)
        for tables in games:
            if args.lines is not None:
                _print_lines(tables, args.lines, args.json)
            else:
                _print_sheet(tables, args.json, args.html)
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        raise ToolMissing(f"{package} is not installed", INSTALL) from error
    return 0


def _print_sheet(tables: dict[str, Any], as_json: bool, page: Path | None) -> None:
    from .compiled import note
    from .sheet import build_sheet
    from .stored_simulation import read_simulation, simulation_path

    if note():
        print(note(), file=sys.stderr, flush=True)
    sheet = build_sheet(tables, read_simulation(simulation_path(tables["game"])))
    if page:
        _write_page(sheet, page)
    if as_json:
        from .json_sheet import json_sheet

        print(json.dumps(json_sheet(sheet)))
    else:
        from .text_sheet import text_sheet

        print("\n".join(text_sheet(sheet)))


def _write_page(sheet: Sheet, page: Path) -> None:
    from .html_sheet import html_sheet

    page.write_text(html_sheet(sheet), encoding="utf-8")
    print(f"{page}: written", file=sys.stderr)


def _print_lines(tables: dict[str, Any], lines: int, as_json: bool) -> None:
    from .digits import percent
    from .figures import total
    from .json_sheet import fraction, source_json
    from .sections import readable
    from .sheet import all_sources

    sources = all_sources(tables, lines)
    if as_json:
        split = [source_json(source) for source in sources]
        print(json.dumps({"game": tables["game"], "lines": lines, "rtp": fraction(total(sources)), "split": split}))
        return
    print(f"{tables['title']} ({tables['game']}) at {lines} lines")
    for source in sources:
        print(f"{readable(source.name):<30} {percent(source.value):>20} %  {source.kind}")
    print(f"{'return':<30} {percent(total(sources)):>20} %")


def _freeze(games: list[dict[str, Any]]) -> int:
    from .frozen import write_frozen

    for tables in games:
        print(f"{write_frozen(tables['game'])}: written", file=sys.stderr)
    return 0


def _simulate(games: list[dict[str, Any]], rounds: int) -> int:
    from .stored_simulation import simulation_json, simulation_path

    for tables in games:
        note = f"{tables['game']}: playing {rounds:,} rounds"
        print(note, file=sys.stderr, flush=True)
        found = simulation_json(tables, rounds, seed=1, workers=os.cpu_count() or 1)
        path = simulation_path(tables["game"])
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{path}: written", file=sys.stderr, flush=True)
    return 0


def _check(games: list[dict[str, Any]]) -> int:
    from .frozen import check

    moved = False
    for tables in games:
        try:
            lines = check(tables["game"])
        except PicocabError as error:
            if len(games) == 1:
                raise
            lines = [f"{tables['game']}: {error}"]
        for line in lines:
            print(line, flush=True)
        moved = moved or bool(lines)
    if moved:
        raise CheckFailed("figures are not those that were frozen", "see above what moved")
    return 0
