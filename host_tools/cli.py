"""The command `picocab`: one sub-command a job, one exit code an error class."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from .errors import PicocabError, file_error

Command = Callable[[argparse.Namespace], int]


def _build(args: argparse.Namespace) -> int:
    from .toolchain.command import build

    return build(args)


def _flash(args: argparse.Namespace) -> int:
    from .device.command import flash

    return flash(args)


def _run(args: argparse.Namespace) -> int:
    from .play.command import run

    return run(args)


def _tables(args: argparse.Namespace) -> int:
    from .audit.command import tables

    return tables(args)


def _play(args: argparse.Namespace) -> int:
    from .audit.command import play

    return play(args)


def _seeds(args: argparse.Namespace) -> int:
    from .audit.command import seeds

    return seeds(args)


def _verify(args: argparse.Namespace) -> int:
    from .audit.command import verify

    return verify(args)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="picocab",
        description="Builds, flashes, emulates and checks the Picocab cabinet.",
        epilog="Exit codes: 0 done, 2 usage, 3 tool or package missing, 4 build failed, 5 port, 6 board, 7 image, "
        "8 deployment, 9 emulator, 10 a check found a difference, 11 file or folder.",
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    build = commands.add_parser("build", help="build MicroPython for the board, the ROMFS image and the UF2 files")
    build.add_argument("--board", default="pico_cabinet", help="folder under boards/ (default: %(default)s)")
    build.add_argument("--json", action="store_true", help="print the result as JSON")
    build.set_defaults(run=_build)

    flash = commands.add_parser("flash", help="deploy the program to a board and verify it")
    from .device.arguments import add_flash_arguments

    add_flash_arguments(flash)
    flash.set_defaults(run=_flash)

    run = commands.add_parser("run", help="run the cabinet on the emulated Pico")
    run.add_argument("--demo", action="store_true", help="play a scripted session, check it and exit")
    run.add_argument("--seed", type=int, default=1, help="seed of the emulated chip's noise (default: %(default)s)")
    run.set_defaults(run=_run)

    from .audit import arguments as audit

    tables = commands.add_parser("tables", help="every number that a game plays by")
    audit.add_tables_arguments(tables)
    tables.set_defaults(run=_tables)

    play = commands.add_parser("play", help="play one round from its seed and print its events")
    audit.add_play_arguments(play)
    play.set_defaults(run=_play)

    seeds = commands.add_parser("seeds", help="find seeds whose round reaches an event")
    audit.add_seeds_arguments(seeds)
    seeds.set_defaults(run=_seeds)

    verify = commands.add_parser("verify", help="prove that core, MicroPython, board and reference play alike")
    audit.add_verify_arguments(verify)
    verify.set_defaults(run=_verify)

    from .par import command as par
    from .par import simulate_command, tune_command

    par.add_parser(commands)
    simulate_command.add_parser(commands)
    tune = commands.add_parser("tune", help="find designs of a game that hit its published return")
    tune_command.add_tune_arguments(tune)
    tune.set_defaults(run=tune_command.tune)
    return parser


def _give_up_output() -> None:
    """What is still buffered goes nowhere: else Python fails at its last flush and changes the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; errors end in one line on standard error."""
    args = _parser().parse_args(argv)
    command: Command = args.run
    try:
        code = command(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader has seen enough, as with `| head`: no error
        _give_up_output()
        return 0
    except (PicocabError, OSError) as error:
        if args.debug:
            raise
        shown = file_error(error) if isinstance(error, OSError) else error
        print(f"picocab: {shown}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _give_up_output()
        return shown.exit_code
    except KeyboardInterrupt:
        print("picocab: interrupted", file=sys.stderr)
        return 130
