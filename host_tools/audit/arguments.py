"""Arguments of the auditor's commands, apart from the commands so that `picocab --help` loads nothing else."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path


def add_tables_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `picocab tables`."""
    _add_game(parser)
    parser.add_argument("--json", action="store_true", help="print them as one JSON object")


def add_play_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `picocab play`."""
    _add_game(parser)
    parser.add_argument("--seed", type=_seed, required=True, metavar="HEX", help="16 bytes as 32 hex digits")
    parser.add_argument("--line-bet", type=int, default=1, metavar="N", help="coins per line (default: %(default)s)")
    parser.add_argument("--lines", type=int, metavar="N", help="enabled lines (default: all)")
    parser.add_argument(
        "--choices", type=_choices, default=(), metavar="N,N,...", help="the options that the player chooses, in order"
    )
    parser.add_argument(
        "--gamble-limit", type=int, default=0, metavar="COINS", help="gamble wins below this (default: never)"
    )
    parser.add_argument(
        "--max-award", type=int, default=0, metavar="COINS", help="cut the round's win to this (default: no maximum)"
    )
    parser.add_argument(
        "--rules-version", type=int, metavar="N", help="of the record that is played; another one than ours is refused"
    )
    parser.add_argument(
        "--implementation", choices=("core", "reference"), default="core", help="who plays (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print the events as a JSON list")


def add_seeds_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `picocab seeds`."""
    _add_game(parser)
    parser.add_argument("event", nargs="?", metavar="EVENT", help="what the rounds reach")
    parser.add_argument("--list", action="store_true", help="list the game's events instead")
    parser.add_argument("--count", type=_positive, default=1, metavar="N", help="seeds to find (default: %(default)s)")
    parser.add_argument(
        "--from",
        dest="start",
        type=_seed,
        default=bytes(16),
        metavar="HEX",
        help="the first seed to look at; they count up (default: all zeros)",
    )
    parser.add_argument(
        "--tries", type=_positive, default=200_000, metavar="N", help="seeds to look at (default: %(default)s)"
    )
    parser.add_argument(
        "--times",
        type=_positive,
        default=100,
        metavar="N",
        help="a big_win is so many total bets (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the rounds as a JSON list of their inputs")


def add_verify_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `picocab verify`."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game's name (default: all four)")
    parser.add_argument("--rounds", type=_positive, required=True, metavar="N", help="rounds of each game")
    parser.add_argument(
        "--micropython",
        default="auto",
        metavar="PATH",
        help='MicroPython\'s unix port; "auto" builds it, "none" leaves it out (default: %(default)s)',
    )
    parser.add_argument(
        "--micropython-rounds", type=_positive, metavar="N", help="rounds of each game on it (default: a tenth)"
    )
    parser.add_argument(
        "--port", help="also on the MicroPython board at this port: /dev/tty..., COMn, socket://host:port"
    )
    parser.add_argument(
        "--board-rounds", type=_positive, metavar="N", help="rounds of each game on the board (default: at most 200)"
    )
    parser.add_argument(
        "--copy", action="store_true", help="play these rules on the board, even when it has rules of its own"
    )
    parser.add_argument(
        "--tables",
        type=Path,
        metavar="FILE",
        help="tables for the reference, as `picocab tables GAME --json` wrote them (default: today's)",
    )
    parser.add_argument(
        "--workers",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes (default: one a core, here %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the counts as one JSON object")


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="mad_hatters, mad_mad_monkey, santa_vs_rudolf or haunted_house")


def _seed(text: str) -> bytes:
    if not re.fullmatch("[0-9a-fA-F]{32}", text):
        raise argparse.ArgumentTypeError(f"a seed is 32 hex digits, not {text!r}")
    return bytes.fromhex(text)


def _choices(text: str) -> tuple[int, ...]:
    if not re.fullmatch("([0-9]+(,[0-9]+)*)?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"choices are numbers with commas between, such as 0,2,1, not {text!r}")
    return tuple(map(int, text.split(","))) if text else ()


def _positive(text: str) -> int:
    if not re.fullmatch("0*[1-9][0-9]*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text)
