"""MicroPython built from one source tree: mpy-cross, the unix port for tests on the host, the rp2 port for a board.

Each result is kept in the cache under a hash of its recipe: this file, the sources, the compiler's version and, for a
board, its files. The same recipe gives the same bytes in any folder and on any day: dates come from SOURCE_DATE_EPOCH,
the version from the source, and -ffile-prefix-map takes folders out of messages and debug information.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from ..errors import BuildError
from ..paths import cache
from .source_tree import SourceTree
from .store import build_once
from .tools import Progress, compiler_version, require, run

# The day MicroPython 1.25.0 was released, 2025-04-15 00:00 UTC: the date that the REPL's banner shows.
_SOURCE_DATE_EPOCH = "1744675200"

_UNIX_SETTINGS = ("MICROPY_PY_FFI=0", "MICROPY_PY_SSL=0", "MICROPY_SSL_MBEDTLS=0", "MICROPY_PY_BTREE=0")
_UNIX_MANIFEST = 'include("$(MPY_DIR)/extmod/asyncio")\n'

# Symbols that say where things lie in flash; the build checks them against the board file.
_SYMBOLS = ("__flash_binary_end", "__etext", "__data_start__", "rp2_flash_romfs_obj", "rp2_flash_obj")


@dataclass(frozen=True)
class Firmware:
    """The rp2 port built for a board.

    Attributes:
        elf: linked program with symbols.
        bin: flash content from address 0x10000000.
        symbols: addresses of the linker's symbols that tell the flash map.
        recipe: hash of everything that the result depends on, in hex.
    """

    elf: Path
    bin: Path
    symbols: dict[str, int]
    recipe: str


def build_mpy_cross(tree: SourceTree, progress: Progress) -> Path:
    """Returns the path of mpy-cross for this MicroPython version, built when the cache does not hold it."""
    require(["make", "gcc"])

    def make(folder: Path) -> None:
        progress("building mpy-cross (about 10 s)")
        build = folder / "build"
        arguments = ["make", "-C", str(tree.path / "mpy-cross"), *_make_settings(tree, build)]
        run(arguments, "building mpy-cross", _log(folder), progress, extra=_environment(tree))
        shutil.move(build / "mpy-cross", folder)
        shutil.rmtree(build)

    return build_once(f"mpy-cross-{_host_recipe(tree)[:16]}", make, progress) / "mpy-cross"


def build_unix_port(tree: SourceTree, mpy_cross: Path, progress: Progress) -> Path:
    """Returns the path of `micropython` for the host, built when the cache does not hold it."""
    require(["make", "gcc"])

    def make(folder: Path) -> None:
        progress("building MicroPython for this machine (about 15 s)")
        build = folder / "build"
        manifest = folder / "manifest.py"
        manifest.write_text(_UNIX_MANIFEST, encoding="utf-8")
        arguments = ["make", "-C", str(tree.path / "ports" / "unix"), *_make_settings(tree, build), *_UNIX_SETTINGS]
        arguments.append(f"FROZEN_MANIFEST={manifest}")
        run(arguments, "building the unix port", _log(folder), progress, extra=_environment(tree, mpy_cross))
        shutil.move(build / "micropython", folder)
        shutil.rmtree(build)

    return build_once(f"unix-{_host_recipe(tree)[:16]}", make, progress) / "micropython"


def build_firmware(tree: SourceTree, board_dir: Path, mpy_cross: Path, progress: Progress) -> Firmware:
    """Returns the rp2 port for the board in `board_dir`, built when the cache does not hold it.

    Raises:
        ToolMissing: the cross compiler, its C library or cmake is not installed.
        BuildError: the build failed.
    """
    require(["cmake", "make", "arm-none-eabi-gcc", "arm-none-eabi-nm"])
    board_files = _board_files(board_dir)
    recipe = _hash(
        tree.sha256,
        Path(__file__).read_bytes(),
        compiler_version("arm-none-eabi-gcc"),
        *(part for path in board_files for part in (path.as_posix(), (board_dir / path).read_bytes())),
    )

    def make(folder: Path) -> None:
        progress("building MicroPython for the Pico (about 30 s)")
        # A copy, so that the result belongs to the files that were hashed even if someone edits them meanwhile.
        board, build = folder / "board", folder / "build"
        for path in board_files:
            (board / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(board_dir / path, board / path)
        flags = _prefix_flags((tree.path, "micropython"), (build, "build"), (board, "board"))
        environment = _environment(tree, mpy_cross)
        environment |= {"CFLAGS": flags, "CXXFLAGS": flags, "ASMFLAGS": flags}
        configure = ["cmake", "-S", str(tree.path / "ports" / "rp2"), "-B", str(build), "-DPICO_NO_PICOTOOL=1"]
        configure += [f"-DMICROPY_BOARD={board_dir.name.upper()}", f"-DMICROPY_BOARD_DIR={board}"]
        configure += [f"-DPython3_EXECUTABLE={sys.executable}"]
        log = _log(folder)
        run(configure, "configuring the rp2 port", log, progress, extra=environment)
        run(
            ["make", "-C", str(build), f"-j{os.cpu_count()}"], "building the rp2 port", log, progress, extra=environment
        )
        for name in ("firmware.elf", "firmware.bin"):
            shutil.move(build / name, folder)
        symbols = folder / "symbols.txt"
        run(["arm-none-eabi-nm", str(folder / "firmware.elf")], "reading symbols", symbols, progress)
        (folder / "symbols.json").write_text(json.dumps(_read_symbols(symbols)), encoding="utf-8")
        symbols.unlink()
        shutil.rmtree(build)

    path = build_once(f"firmware-{board_dir.name}-{recipe[:16]}", make, progress)
    symbols = json.loads((path / "symbols.json").read_text(encoding="utf-8"))
    return Firmware(path / "firmware.elf", path / "firmware.bin", symbols, recipe)


def _board_files(board_dir: Path) -> list[Path]:
    """The files of a board that MicroPython's build reads, relative to its folder, sorted."""
    patterns = ("mpconfigboard.*", "manifest.py", "pins.csv", "*.ld", "modules/*.py")
    return sorted(path.relative_to(board_dir) for pattern in patterns for path in board_dir.glob(pattern))


def _read_symbols(nm_output: Path) -> dict[str, int]:
    fields = [line.split() for line in nm_output.read_text(encoding="utf-8").splitlines()]
    found = {field[2]: int(field[0], 16) for field in fields if len(field) == 3 and field[2] in _SYMBOLS}
    missing = [name for name in _SYMBOLS if name not in found]
    if missing:
        raise BuildError(f"the firmware has no symbol {missing[0]}", "use the pinned MicroPython")
    return found


def _make_settings(tree: SourceTree, build: Path) -> list[str]:
    flags = _prefix_flags((tree.path, "micropython"), (build, "build"))
    return [f"BUILD={build}", f"CFLAGS_EXTRA={flags}", f"PYTHON={sys.executable}", f"-j{os.cpu_count()}"]


def _prefix_flags(*names: tuple[Path, str]) -> str:
    """Compiler flags that write names for folders; the second form is what gcc hands on to the assembler."""
    flags = ("-ffile-prefix-map", "-fdebug-prefix-map")
    return " ".join(f"{flag}={path}={name}" for path, name in names for flag in flags)


def _environment(tree: SourceTree, mpy_cross: Path | None = None) -> dict[str, str]:
    environment = {
        "SOURCE_DATE_EPOCH": _SOURCE_DATE_EPOCH,
        "MICROPY_GIT_TAG": f"v{tree.version}",
        "MICROPY_GIT_HASH": "",
        "PYTHONDONTWRITEBYTECODE": "1",  # the tree is shared by builds and must stay as it was unpacked
        "PYTHONHASHSEED": "0",
    }
    if mpy_cross:
        environment["MICROPY_MPYCROSS"] = str(mpy_cross)
    return environment


def _host_recipe(tree: SourceTree) -> str:
    return _hash(tree.sha256, Path(__file__).read_bytes(), compiler_version("gcc"), platform.machine())


def _hash(*parts: str | bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part.encode() if isinstance(part, str) else part).digest())
    return whole.hexdigest()


def _log(folder: Path) -> Path:
    """The log beside a result that is being made; kept when the build fails, begun anew by the next one."""
    if " " in str(cache()):
        raise BuildError(f"MicroPython's makefiles cannot build in {cache()}", "set XDG_CACHE_HOME without a space")
    return folder.with_suffix(".log")
