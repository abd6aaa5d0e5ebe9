"""Small program images for tests: a ROMFS with a program that prints its name and proves that it is whole."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping

from mpremote.romfs import VfsRomWriter

from host_tools.boards import load_board
from host_tools.toolchain.romfs import fill_partition

PARTITION_BYTES: int = load_board().FLASH_ROMFS[1]

# Prints "<name> whole" only when each file that belongs to it is the one it was built with.
_PROGRAM = """\
import hashlib
files = {files!r}
print({name!r}, "whole" if all(hashlib.sha256(open(f, "rb").read()).digest() == d for f, d in files) else "TORN")
"""


def assets(seed: int, count: int = 4, size_bytes: int = 6000) -> dict[str, bytes]:
    """Incompressible files of a few blocks."""
    return {f"a{n}.bin": random.Random(f"{seed} {n}").randbytes(size_bytes) for n in range(count)}


def program(name: str, files: Mapping[str, bytes] | None = None) -> bytes:
    """Returns the ROMFS of a program that prints `<name> whole`."""
    files = assets(1) if files is None else files
    digests = [(f"/rom/{file}", hashlib.sha256(data).digest()) for file, data in files.items()]
    romfs = VfsRomWriter()
    for file, data in files.items():
        romfs.mkfile(file, data)
    romfs.mkfile("program.py", _PROGRAM.format(files=digests, name=name).encode())
    return romfs.finalise()


def partition(romfs: bytes) -> bytes:
    """Returns the whole code partition with its trailer."""
    return fill_partition(romfs, PARTITION_BYTES)
