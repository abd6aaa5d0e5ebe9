"""Results in the cache, each made once: whole or not at all, whoever else is building and whenever it is killed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import ToolMissing
from ..paths import cache
from .tools import Progress


def build_once(name: str, make: Callable[[Path], None], progress: Progress) -> Path:
    """Returns the folder `name` of the toolchain cache, made by `make(folder)` when it is not there.

    The folder is made under another name and renamed when `make` has returned, so a folder that exists is complete.
    A lock keeps a second build out; the system drops the lock of a build that was killed.
    """
    root = cache() / "toolchain"
    root.mkdir(exist_ok=True)
    result = root / name
    if result.is_dir():
        return result
    with locked(root / f"{name}.lock", name, progress):
        if result.is_dir():
            return result
        work = root / f"{name}.part"
        if work.exists():
            shutil.rmtree(work)
        work.mkdir()
        try:
            make(work)
        except BaseException:
            shutil.rmtree(work)
            raise
        os.rename(work, result)
    return result


@contextmanager
def locked(path: Path, name: str, progress: Progress) -> Iterator[None]:
    """Keeps other processes out that lock the same file; waits for them, and says so.

    Args:
        path: the lock file; made when missing, left behind.
        name: what is being made, for the message.
    """
    try:
        import fcntl
    except ImportError as error:
        raise ToolMissing("MicroPython is not built on Windows", "build in WSL, or take the released UF2") from error
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(f"another build makes {name}: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        # Compilers keep the lock as well: they go on writing for a while when this process is killed.
        os.set_inheritable(file.fileno(), True)
        yield
