"""One source tree to build from: MicroPython with its libraries under `lib/`, unpacked once and never built in.

`MICROPY_DIR=<checkout>` takes the user's own tree (with its submodules) instead of Debian's files.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..errors import BuildError
from .sources import MBEDTLS, MICROPYTHON, PICO_SDK, TINYUSB, SourceFile, fetch_sources
from .store import build_once
from .tools import Progress

CHECKOUT_VARIABLE = "MICROPY_DIR"
VERSION = "1.25.0"

# Where each package's files go: the folder inside the archive and the folder in the tree. "*" is the single folder
# that an upstream tarball has at its top.
_PLACES = {
    MICROPYTHON: ("*", ""),
    MBEDTLS: ("*", "lib/mbedtls"),
    PICO_SDK: ("usr/src/pico-sdk", "lib/pico-sdk"),
    TINYUSB: ("usr/src/tinyusb", "lib/tinyusb"),
}

# All that the rp2 port, the unix port and mpy-cross read. MicroPython's own copies of the SDK, TinyUSB and mbedTLS
# are empty folders in Debian's tarball and submodules in a checkout.
_WANTED = (
    *("drivers", "extmod", "mpy-cross", "ports/rp2", "ports/unix", "py", "shared", "tools"),
    *("lib/crypto-algorithms", "lib/libm", "lib/libm_dbl", "lib/littlefs", "lib/lwip", "lib/mbedtls"),
    *("lib/mbedtls_errors", "lib/micropython-lib", "lib/oofatfs", "lib/pico-sdk", "lib/re1.5", "lib/tinyusb"),
    "lib/uzlib",
)
_UNWANTED = ("lib/mbedtls/tests", "lib/mbedtls/docs", "lib/mbedtls/programs", "lib/mbedtls/framework")
_UNWANTED_NAMES = re.compile(r"build(-.*)?|\.git|__pycache__")

# MicroPython 1.25 puts the ROMFS partition below the region that rp2.Flash covers. Ours lies inside it (board.py), so
# the board header needs the last word on the base address.
_PATCH_FILE = "ports/rp2/rp2_flash.c"
_PATCH_LINE = "#define MICROPY_HW_ROMFS_BASE (MICROPY_HW_FLASH_STORAGE_BASE - MICROPY_HW_ROMFS_BYTES)\n"
_PATCHED = f"#ifndef MICROPY_HW_ROMFS_BASE\n{_PATCH_LINE}#endif\n"


@dataclass(frozen=True)
class SourceTree:
    """An unpacked tree.

    Attributes:
        path: its folder.
        version: MicroPython's version, for example "1.25.0".
        sha256: of everything it was made from, in hex.
        unreleased: True when that is not exactly what the project pins.
    """

    path: Path
    version: str
    sha256: str
    unreleased: bool


def source_tree(progress: Progress) -> SourceTree:
    """Returns the tree, made first when the cache does not hold it.

    Raises:
        ToolMissing, BuildError: the sources cannot be had, or do not fit the recipe.
    """
    checkout = os.environ.get(CHECKOUT_VARIABLE)
    if checkout:
        return _from_checkout(Path(checkout).resolve(), progress)
    files = fetch_sources(progress)
    recipe = hashlib.sha256(Path(__file__).read_bytes())
    for file in files:
        recipe.update(bytes.fromhex(file.sha256))
    key = recipe.hexdigest()

    def make(folder: Path) -> None:
        progress("unpacking the sources")
        for file in files:
            _unpack(file, folder)
        _finish(folder)

    path = build_once(f"source-{key[:16]}", make, progress)
    return SourceTree(path, _version(path), key, not all(file.pinned for file in files))


def _from_checkout(checkout: Path, progress: Progress) -> SourceTree:
    if not (checkout / "py" / "mpconfig.h").is_file():
        raise BuildError(f"{checkout} is no MicroPython checkout", f"set {CHECKOUT_VARIABLE} to one, or unset it")
    for name in ("pico-sdk/pico_sdk_init.cmake", "tinyusb/src/tusb.c", "mbedtls/library/sha256.c"):
        if not (checkout / "lib" / name).is_file():
            raise BuildError(
                f"lib/{name.split('/')[0]} is empty in {checkout}", "run make -C ports/rp2 submodules in the checkout"
            )
    paths = list(_wanted_files(checkout))
    recipe = hashlib.sha256(Path(__file__).read_bytes())
    for path in paths:
        # Times and sizes instead of contents: a tree that its user works in is asked for at every build.
        status = (checkout / path).stat()
        recipe.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    key = recipe.hexdigest()
    progress(f"warning: building from {checkout}: the result is marked unreleased")

    def make(folder: Path) -> None:
        progress("copying the sources")
        for path in paths:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / path, folder / path)
        _finish(folder)

    tree = build_once(f"source-{key[:16]}", make, progress)
    version = _version(tree)
    if version != VERSION:
        progress(f"warning: MicroPython {version} instead of {VERSION}")
    return SourceTree(tree, version, key, True)


def _is_wanted(path: PurePosixPath) -> bool:
    inside = any(path.is_relative_to(folder) for folder in _WANTED)
    return (
        inside
        and not any(path.is_relative_to(folder) for folder in _UNWANTED)
        and not any(_UNWANTED_NAMES.fullmatch(part) for part in path.parts[:-1])
    )


def _wanted_files(checkout: Path) -> Iterator[PurePosixPath]:
    for wanted in _WANTED:
        for folder, folders, names in os.walk(checkout / wanted):
            folders[:] = sorted(name for name in folders if not _UNWANTED_NAMES.fullmatch(name))
            here = PurePosixPath(Path(folder).relative_to(checkout).as_posix())
            for name in sorted(names):
                if _is_wanted(here / name) and (checkout / here / name).is_file():
                    yield here / name


def _unpack(file: SourceFile, tree: Path) -> None:
    """Writes the wanted files of an archive into the tree; only plain files, only inside it."""
    inside, target = _PLACES[file.package]
    with _open_archive(file.path) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            if inside == "*":
                path = PurePosixPath(*path.parts[1:])
            elif path.is_relative_to(inside):
                path = path.relative_to(inside)
            else:
                continue
            path = PurePosixPath(target) / path
            if not member.isfile() or ".." in path.parts or path.is_absolute() or not _is_wanted(path):
                continue
            content = archive.extractfile(member)
            assert content is not None
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_bytes(content.read())
            if member.mode & 0o100:
                (tree / path).chmod(0o755)


def _open_archive(path: Path) -> tarfile.TarFile:
    """Opens a tarball, or the tarball of files inside a Debian package (an `ar` archive)."""
    try:
        if path.suffix != ".deb":
            return tarfile.open(path)
        data = path.read_bytes()
        offset = 8  # after the magic "!<arch>\n"; then a 60-byte header before each even-aligned member
        while data.startswith(b"!<arch>\n") and offset + 60 <= len(data):
            name, size = data[offset : offset + 16].strip(), int(data[offset + 48 : offset + 58])
            offset += 60
            if name.startswith(b"data.tar"):
                return tarfile.open(fileobj=io.BytesIO(data[offset : offset + size]))
            offset += size + size % 2
    except (tarfile.TarError, OSError, ValueError) as error:
        raise BuildError(f"{path} cannot be unpacked ({error})", "delete it and build again") from error
    raise BuildError(f"{path} holds no files", "delete it and build again")


def _finish(tree: Path) -> None:
    # The rp2 port's cmake looks for this file to learn whether the submodule is there; nothing of it is used.
    readme = tree / "lib" / "micropython-lib" / "README.md"
    readme.parent.mkdir(parents=True, exist_ok=True)
    readme.touch()
    source = tree / _PATCH_FILE
    text = source.read_text(encoding="utf-8")
    if text.count(_PATCH_LINE) != 1:
        raise BuildError(f"{_PATCH_FILE} of this MicroPython has no line {_PATCH_LINE.strip()}", f"use {VERSION}")
    source.write_text(text.replace(_PATCH_LINE, _PATCHED), encoding="utf-8")


def _version(tree: Path) -> str:
    text = (tree / "py" / "mpconfig.h").read_text(encoding="utf-8")
    numbers = [re.search(rf"#define MICROPY_VERSION_{part} +\(?(\d+)", text) for part in ("MAJOR", "MINOR", "MICRO")]
    return ".".join(number[1] for number in numbers if number)
