"""Small program images for tests: a ROMFS with a program that prints its name and proves that it is whole."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping

from mpremote.romfs import VfsRomWriter

from host_tools.boards import load_board
from host_tools.device.image import Image
from host_tools.toolchain.romfs import fill_partition

PARTITION_START, PARTITION_BYTES = load_board().FLASH_ROMFS

NEEDS_FLASHING = 'picocab: no valid program: flash it with "picocab flash"'

# Prints "<name> whole" only when each file that belongs to it is the one it was built with. The pause lets the host
# find the port before there is something to read.
_PROGRAM = """\
import hashlib, time
from binascii import hexlify
time.sleep_ms(100)
files = {files!r}
whole = all(hexlify(hashlib.sha256(open(f, "rb").read()).digest()).decode() == d for f, d in files)
print({name!r}, "whole" if whole else "TORN")
"""


def assets(seed: int, count: int = 4, size_bytes: int = 5000) -> dict[str, bytes]:
    """Incompressible files of a few blocks."""
    return {f"a{n}.bin": random.Random(f"{seed} {n}").randbytes(size_bytes) for n in range(count)}


def program(name: str, files: Mapping[str, bytes], then: str = "") -> bytes:
    """Returns the ROMFS of a program that prints `<name> whole` and goes on with `then`."""
    digests = [(f"/rom/{file}", hashlib.sha256(data).hexdigest()) for file, data in files.items()]
    romfs = VfsRomWriter()
    for file, data in files.items():
        romfs.mkfile(file, data)
    romfs.mkfile("program.py", (_PROGRAM.format(files=digests, name=name) + then).encode())
    return bytes(romfs.finalise())


def partition(romfs: bytes) -> bytes:
    """Returns the whole code partition with its trailer."""
    return fill_partition(romfs, PARTITION_BYTES)


def image(romfs: bytes) -> Image:
    """Returns the program image of a ROMFS."""
    return Image(partition(romfs), len(romfs), hashlib.sha256(romfs).digest())


def flash_with(bare: bytes, code: bytes) -> bytes:
    """Returns the flash of a board whose code partition holds `code`."""
    return bare[:PARTITION_START] + code + bare[PARTITION_START + len(code) :]


def code_of(flash: bytes) -> bytes:
    """Returns the code partition of a board's flash."""
    return flash[PARTITION_START : PARTITION_START + PARTITION_BYTES]
