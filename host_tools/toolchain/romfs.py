"""The program's image: `firmware/` compiled and packed as a ROMFS, with the trailer that proves it.

The image fills the board's code partition. Its last block, written last, holds `MAGIC`, the length of the ROMFS and its
SHA-256; the frozen `_boot.py` starts nothing without them. mpremote's own writer makes the file system.
"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mpremote.romfs import VfsRomWriter

from ..errors import BuildError, ImageError, ToolMissing
from .tools import clean_environment

MAGIC = b"PICOCAB1"
BLOCK_BYTES = 4096
TRAILER = struct.Struct("<8sI32s")

# Every file starts on a page of flash: DMA and word reads need 4 bytes, and a page is what deployment compares.
ALIGNMENT_BYTES = 256

# Level 0 keeps assertions and line numbers: what is tested is what pays money, and a fault log names its line.
OPTIMISATION = 0

# main.c starts only files called main.py, and in the frozen firmware that one starts the program: so the image calls
# the composition root otherwise.
PROGRAM = "program.mpy"
_ROOT_MODULE = "main.py"
_MAY_NOT_EXIST = ("boot.py", "program.py", "board.py")

# The file system and the one record with all contents each start with a kind (3 bytes, 1 byte) and a length. That
# is a variable-length integer of 3 bytes from 16384 to 2097151, so with at least so many bytes of content the first
# byte of it always lies at the same place.
_HEADER_BYTES = 6
_CONTENT_AT = _HEADER_BYTES + 4
_MIN_CONTENT_BYTES = 16_384
_MAX_BYTES = 2_097_151
_FILLER = b"\xff"


@dataclass(frozen=True)
class Module:
    """A compiled module.

    Attributes:
        path: where it lies in the image, such as "cabinet/coins.mpy".
        data: the .mpy file.
        source: the .py file.
        source_sha256: of that file, in hex.
    """

    path: str
    data: bytes
    source: Path
    source_sha256: str


def compile_program(firmware: Path, board_file: Path, mpy_cross: Path, version: str) -> list[Module]:
    """Compiles every module of `firmware` and the board file for the RP2040; returns them by path.

    Args:
        firmware: folder of the modules; what is not .py is left out.
        board_file: becomes `board.mpy`.
        mpy_cross: the compiler.
        version: the MicroPython version that it must have.

    Raises:
        ToolMissing: mpy-cross is missing or is of another version.
        ImageError: a module has a name that the board would never run, or hides another.
        BuildError: a module does not compile; with mpy-cross's message.
    """
    _check_compiler(mpy_cross, version)
    sources = {path.relative_to(firmware).as_posix(): path for path in sorted(firmware.rglob("*.py"))}
    for name in _MAY_NOT_EXIST:
        if name in sources:
            raise ImageError(f"{sources[name]} would never run", "use another name")
    sources["board.py"] = board_file

    def build(name: str) -> Module:
        source = sources[name]
        path = PROGRAM if name == _ROOT_MODULE else f"{name[:-3]}.mpy"
        data = _compile(mpy_cross, source, name)
        return Module(path, data, source, hashlib.sha256(source.read_bytes()).hexdigest())

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return sorted(threads.map(build, sources), key=lambda module: module.path)


def _check_compiler(mpy_cross: Path, version: str) -> None:
    try:
        answer = subprocess.run([mpy_cross, "--version"], capture_output=True, text=True, env=clean_environment())
    except OSError as error:
        raise ToolMissing(f"mpy-cross is missing ({mpy_cross}: {error.strerror})", "run picocab build") from error
    if f"MicroPython v{version} " not in answer.stdout:
        raise ToolMissing(f"{mpy_cross} is not mpy-cross {version} but {answer.stdout.strip()}", "run picocab build")


def _compile(mpy_cross: Path, source: Path, name: str) -> bytes:
    """Returns the .mpy of one source file; `name` is what tracebacks show."""
    command = [str(mpy_cross), "-march=armv6m", f"-O{OPTIMISATION}", "-s", name, "-o", "-", str(source)]
    result = subprocess.run(command, capture_output=True, env=clean_environment())
    if result.returncode:
        lines = result.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise BuildError(f"{source} does not compile: {' '.join(line.strip() for line in lines[-2:])}")
    return result.stdout


def data_files(folder: Path) -> dict[str, bytes]:
    """Returns all files of a folder by their path in it, hidden ones left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def build_romfs(files: Mapping[str, bytes]) -> bytes:
    """Packs files into a ROMFS; each file's bytes start at a multiple of `ALIGNMENT_BYTES`.

    All contents lie in one record in front of the directories, so that looking up a path skips them in one step. The
    order is that of the paths: the same files give the same bytes.

    Args:
        files: contents by path, such as "assets/logo.bin".

    Raises:
        ImageError: a path ends in .py, or is not a plain relative path.
    """
    for path in files:
        if path.endswith(".py"):
            raise ImageError(f"{path} is source code: the image holds compiled modules only", "compile it to .mpy")
        plain = PurePosixPath(path)
        if plain.as_posix() != path or path == "." or plain.is_absolute() or ".." in plain.parts or not path.isascii():
            raise ImageError(f"{path!r} is no path for the image", "rename the file")
    content = b""
    starts: dict[str, int] = {}
    for path in sorted(files):
        content += _FILLER * (-(_CONTENT_AT + len(content)) % ALIGNMENT_BYTES)
        starts[path] = len(content)
        content += files[path]
    content += _FILLER * (_MIN_CONTENT_BYTES - len(content))
    image = _pack(files, content, starts)
    if len(image) > _MAX_BYTES:
        raise ImageError(
            f"{len(image)} bytes are more than any board's flash", "make the program or its assets smaller"
        )
    if image[3] == 0x80:  # an odd total, which the writer evens out in the header, where it would move all files
        image = _pack(files, content + _FILLER, starts)
    for path, start in starts.items():
        at = _CONTENT_AT + start
        if at % ALIGNMENT_BYTES or image[at : at + len(files[path])] != files[path]:
            raise BuildError(
                f"mpremote's ROMFS writer put {path} elsewhere than expected", "install the pinned mpremote"
            )
    return image


def _pack(files: Mapping[str, bytes], content: bytes, starts: Mapping[str, int]) -> bytes:
    writer = VfsRomWriter()
    base = writer.mkdata(content)
    open_folders: list[str] = []
    # Parts, not strings: "a.b" sorts before "a/b" as a string, and a folder may be opened only once.
    for path in sorted(files, key=lambda path: PurePosixPath(path).parts):
        *folders, name = PurePosixPath(path).parts
        common = 0
        while folders[: common + 1] == open_folders[: common + 1] and common < len(folders):
            common += 1
        for _ in open_folders[common:]:
            writer.closedir()
        for folder in folders[common:]:
            writer.opendir(folder)
        open_folders = folders
        writer.mkfile(name, (len(files[path]), base + starts[path]))
    for _ in open_folders:
        writer.closedir()
    return bytes(writer.finalise())


def fill_partition(image: bytes, partition_bytes: int) -> bytes:
    """Returns the whole partition: the image, 0xFF, and the trailer in the last block.

    Raises:
        ImageError: the image does not fit.
    """
    room = partition_bytes - BLOCK_BYTES
    if len(image) > room:
        raise ImageError(
            f"the program has {len(image)} bytes, the code partition has room for {room}",
            "make the program or its assets smaller, or give the partition more of the flash map in board.py",
        )
    trailer = TRAILER.pack(MAGIC, len(image), hashlib.sha256(image).digest())
    return image.ljust(room, _FILLER) + trailer.ljust(BLOCK_BYTES, _FILLER)
