"""`picocab run`: builds, switches the virtual cabinet on, deploys, and plays: a demo or a person at the terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..paths import BUILD
from ..toolchain.build import build
from .demo import demo
from .terminal import Terminal
from .virtual_cabinet import BOOT_US, VirtualCabinet


def run(args: argparse.Namespace) -> int:
    """Runs `picocab run`; returns the exit code.

    Raises:
        PicocabError: a build step, the deployment, the emulation or a check of the demo failed.
    """
    built = build(progress=_progress)
    flash_file = BUILD / "run" / "flash.bin"
    flash = _kept_flash(flash_file, built.firmware_bin)
    _progress("switching the cabinet on" + ("" if flash else ", a new one"))
    cabinet = VirtualCabinet(built, flash, args.seed, _progress)
    cabinet.deploy()
    cabinet.save_flash(flash_file)
    ready = cabinet.wait_event("ready", BOOT_US)
    if args.demo:
        demo(cabinet, ready)
    else:
        Terminal(cabinet).run()
        cabinet.save_flash(flash_file)
    return 0


def _kept_flash(path: Path, firmware: Path) -> bytes | None:
    """The flash of the last session, unless its firmware is another than the one just built."""
    if not path.is_file():
        return None
    flash = path.read_bytes()
    built = firmware.read_bytes()
    return flash if flash[: len(built)] == built else None


def _progress(line: str) -> None:
    print(f"[run] {line}", file=sys.stderr, flush=True)
