"""`picocab flash`: a program image to a running board, or a UF2 to the drive of a board in its boot loader."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time

from ..boards import load_board
from ..errors import UsageError
from ..paths import BUILD
from . import ports
from .deploy import deploy
from .image import load_image
from .transport import Transport
from .uf2_drive import copy_uf2


def flash(args: argparse.Namespace) -> int:
    """Runs `picocab flash`: progress goes to standard error, the report to standard output; returns the exit code.

    Raises:
        PicocabError: it did not work out; says why and what to do.
    """
    if args.uf2:
        if args.port or args.image or args.format_data:
            raise UsageError("--uf2 goes to the boot drive", "leave out --port, --image and --format-data")
        return _flash_uf2(args)
    partition_bytes = load_board(args.board).FLASH_ROMFS[1]
    image = load_image(args.image or BUILD / args.board / "picocab.romfs", partition_bytes)
    port = args.port or ports.find_port()
    with Transport(port) as transport:
        report = deploy(transport, image, args.board, _progress, args.format_data)
    if args.json:
        print(json.dumps({"port": port, "verified": True, **dataclasses.asdict(report)}))
    else:
        print(f"{port}: {report}")
    return 0


def _flash_uf2(args: argparse.Namespace) -> int:
    started_s = time.monotonic()
    copied = copy_uf2(args.uf2, ports.mount_points(), _progress)
    seconds = round(time.monotonic() - started_s, 3)
    if args.json:
        print(json.dumps({"drive": str(copied.parent), "file": copied.name, "seconds": seconds}))
    else:
        print(f"{args.uf2.name} copied to {copied.parent} in {seconds:.1f} s; the board restarts with it")
    return 0


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
