"""`picocab tune`: finds designs of a game that hit its published return, and writes one into its source."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import CheckFailed, ToolMissing, UsageError
from . import INSTALL

if TYPE_CHECKING:
    from .tune import Candidate

Tables = dict[str, Any]

PARTS = ("strips", "line_pays", "scatter_pays", "cuckoo", "bonus_trail", "number_trail", "full_moon", "gifts")


def add_tune_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `picocab tune`."""
    parser.add_argument("game", metavar="GAME", help="mad_hatters, mad_mad_monkey, santa_vs_rudolf or haunted_house")
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="of the search, which santa_vs_rudolf does not need (default: %(default)s)",
    )
    parser.add_argument(
        "--keep",
        action="append",
        choices=PARTS,
        default=[],
        help="a part of the tables that the last step leaves alone; may be given again",
    )
    parser.add_argument("--reorder", action="store_true", help="put the strips in another order first")
    parser.add_argument("--count", type=int, default=5, metavar="N", help="designs to find (default: %(default)s)")
    parser.add_argument("--design", type=int, default=1, metavar="N", help="the design to show (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the tables of the design as one JSON object")
    parser.add_argument("--write", action="store_true", help="write the design into the game's source")


def tune(args: argparse.Namespace) -> int:
    """Runs `picocab tune`; returns the exit code.

    Raises:
        UsageError: there is no such game, it cannot be tuned, or there are fewer designs than the one asked for.
        CheckFailed: no design keeps to the target, or the design misses a limit; it is not written then.
        ToolMissing: a package is not installed.
        FileError: the source cannot be written.
    """
    from ..paths import FIRMWARE
    from ..tables import game_tables
    from . import tune as search
    from .figures import TARGETS

    before = game_tables(args.game)
    if args.count < 1 or not 1 <= args.design <= args.count:
        raise UsageError(f"design {args.design} of {args.count}", "give --design from 1 to --count")
    start = _reordered(before, args.seed) if args.reorder else before

    def movable(path: tuple[str | int, ...]) -> bool:
        return path[0] not in args.keep

    if args.game == "santa_vs_rudolf":
        from .santa_vs_rudolf import tuning

        found = tuning.tune(start, lambda text: print(text, file=sys.stderr), TARGETS[args.game], args.count, movable)
    else:
        found = search.tune(start, TARGETS[args.game], args.seed, most=args.count, movable=movable)
    if len(found) < args.design:
        raise CheckFailed(f"{len(found)} designs found", "keep fewer parts, or try another --seed")
    chosen = found[args.design - 1]
    path = FIRMWARE / "rules" / "games" / f"{args.game}.py"
    source = path.read_text(encoding="utf-8")
    from .design_text import rewritten

    text = rewritten(source, chosen.tables)
    try:
        wrong = _faults(chosen.tables)
    except ModuleNotFoundError as error:
        raise ToolMissing(f"{error.name} is not installed", INSTALL) from error
    if args.json:
        print(json.dumps(chosen.tables))
    else:
        name = str(path.relative_to(FIRMWARE.parent))
        print("\n".join(_report(before, found, args.design)))
        print("".join(difflib.unified_diff(source.splitlines(True), text.splitlines(True), f"a/{name}", f"b/{name}")))
    if wrong:
        raise CheckFailed("; ".join(wrong), "take another --design or --seed")
    if args.write and text != source:
        _write(path, text)
    return 0


def _reordered(tables: Tables, seed: int) -> Tables:
    from collections import Counter

    from .designed_figures import changed
    from .strip_order import order, spacing, symbols_of

    strips: dict[tuple[str | int, ...], Any] = {}
    for mode in tables["modes"]:
        for reel, strip in enumerate(tables["strips"][mode]):
            symbols = order(Counter(symbols_of(strip)), spacing(tables, mode, reel), seed + reel)
            icons = [None if isinstance(position, str) else position[1] for position in strip]
            strips["strips", mode, reel] = [
                symbol if icon is None else [symbol, icon] for symbol, icon in zip(symbols, icons, strict=True)
            ]
    return changed(tables, strips)


def _faults(tables: Tables) -> list[str]:
    from .designed_figures import limit_faults, line_count_faults
    from .sheet import game_mathematics
    from .strip_order import spacing_violations
    from .tune import returns

    game = game_mathematics(tables["game"])
    return [
        *spacing_violations(tables),
        *limit_faults(game.spread(tables).hit_frequency, game.triggers(tables)),
        *line_count_faults(tables, returns),
    ]


def _report(before: Tables, found: Sequence[Candidate], design: int) -> Iterator[str]:
    from .digits import percent
    from .figures import TARGETS, total
    from .sheet import all_sources
    from .tune import returns

    target = TARGETS[before["game"]]
    after = found[design - 1]
    yield f"{before['title']}: target {percent(target, 2)} %"
    yield ""
    for number, candidate in enumerate(found, 1):
        steps = "; ".join(step.name for step in candidate.steps) or "nothing in the last step"
        worst = max(candidate.returns.values(), key=lambda value: abs(value - target))
        yield f"design {number}: {percent(worst, 6)} %  {steps}"
    yield ""
    yield f"{'source':<30} {'before':>12}   {f'design {design}':>12}"
    old, new = all_sources(before), all_sources(after.tables)
    for one, other in zip(old, new, strict=True):
        yield f"{one.name:<30} {percent(one.value, 6):>12} % {percent(other.value, 6):>12} %"
    yield f"{'return':<30} {percent(total(old), 6):>12} % {percent(total(new), 6):>12} %"
    for choice, value in returns(before).items():
        if choice:
            yield f"{'  with ' + choice:<30} {percent(value, 6):>12} % {percent(after.returns[choice], 6):>12} %"
    yield ""


def _write(path: Path, text: str) -> None:
    """Replaces a file as a whole: it is never there in part."""
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
