"""Where things lie: the project's root, build results, and the cache of downloads and toolchain results."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
FIRMWARE = ROOT / "firmware"
BOARDS = ROOT / "boards"


def cache() -> Path:
    """The cache folder, `$XDG_CACHE_HOME/picocab` or `~/.cache/picocab`; created when missing."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "picocab"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
