"""Arguments of `picocab flash`, apart from the command so that `picocab --help` loads nothing else."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..boards import DEFAULT_BOARD


def add_flash_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `picocab flash`."""
    parser.add_argument(
        "--port",
        help="the running board: /dev/tty..., COMn, the path of a pty, socket://host:port or rfc2217://host:port; "
        "without it the only MicroPython board that is plugged in",
    )
    parser.add_argument(
        "--image", type=Path, metavar="FILE", help="program image, build/<board>/picocab.romfs if left out"
    )
    parser.add_argument(
        "--uf2", type=Path, metavar="FILE", help="copy this UF2 to the drive of a board in its boot loader"
    )
    parser.add_argument("--board", default=DEFAULT_BOARD, help="board the image is for (default: %(default)s)")
    parser.add_argument("--format-data", action="store_true", help="also empty the board's /data")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
