"""Where things lie: the project's root, build results, and the cache of downloads and toolchain results."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import FileError, file_error

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
FIRMWARE = ROOT / "firmware"
BOARDS = ROOT / "boards"


def cache() -> Path:
    """The cache folder, `$XDG_CACHE_HOME/picocab` or `~/.cache/picocab`; created when missing.

    A relative `XDG_CACHE_HOME` counts as not set, as the XDG base directory specification says.

    Raises:
        FileError: there is no home folder, or the cache cannot be created.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        folder = (base if base.is_absolute() else Path.home() / ".cache") / "picocab"
        folder.mkdir(parents=True, exist_ok=True)
    except RuntimeError as error:
        raise FileError("this user has no home folder for the cache", "set HOME or XDG_CACHE_HOME") from error
    except OSError as error:
        cure = "set XDG_CACHE_HOME to a folder that can be written"
        raise FileError(f"cannot make the cache folder: {file_error(error).what}", cure) from error
    return folder
