"""The whole build: MicroPython for the board, the program's image, and the file that holds both."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from ..boards import DEFAULT_BOARD, load_board
from ..errors import BuildError, ImageError
from ..paths import BOARDS, BUILD, FIRMWARE, ROOT
from . import uf2
from .assets import build_assets
from .micropython import Firmware, build_firmware, build_mpy_cross, build_unix_port
from .romfs import PROGRAM, Module, build_romfs, compile_program, data_files, fill_partition
from .sizes import PackageSize, check_budget, package_sizes, size_table
from .source_tree import SourceTree, source_tree
from .store import locked
from .tools import Progress

_SECTOR_BYTES = 4096  # erase unit of the flash


@dataclass(frozen=True)
class BuildResult:
    """Where everything lies.

    Attributes:
        board: the board's name.
        firmware_uf2: MicroPython for the board, without a program.
        firmware_elf: the same with symbols, for debuggers.
        firmware_bin: the same as flash content from its first byte.
        romfs: the code partition's image, trailer included.
        full_uf2: firmware and program in one file, for drag and drop.
        manifest: JSON with every file of the image and all hashes.
        micropython: the unix port of the same MicroPython.
        mpy_cross: its compiler.
        sizes: what each package costs.
        unreleased: True when the sources were not exactly those that the project pins.
    """

    board: str
    firmware_uf2: Path
    firmware_elf: Path
    firmware_bin: Path
    romfs: Path
    full_uf2: Path
    manifest: Path
    micropython: Path
    mpy_cross: Path
    sizes: tuple[PackageSize, ...]
    unreleased: bool


def build(board: str = DEFAULT_BOARD, progress: Progress = print) -> BuildResult:
    """Builds what is not built yet and returns where it lies.

    Raises:
        UsageError: there is no such board.
        ToolMissing: a compiler or another tool is not installed.
        BuildError: a step failed, or its result breaks the flash map or the budget.
        ImageError: the program cannot be an image, or does not fit.
    """
    layout = load_board(board)
    _check_flash_map(layout)
    BUILD.mkdir(exist_ok=True)
    with locked(BUILD / ".lock", str(BUILD), progress):
        return _build(board, layout, progress)


def _build(board: str, layout: SimpleNamespace, progress: Progress) -> BuildResult:
    tree = source_tree(progress)
    mpy_cross = build_mpy_cross(tree, progress)
    micropython = build_unix_port(tree, mpy_cross, progress)
    firmware = build_firmware(tree, BOARDS / board, mpy_cross, progress)
    firmware_data = firmware.bin.read_bytes()
    _check_firmware(layout, firmware, firmware_data)

    modules = compile_program(FIRMWARE, BOARDS / board / "board.py", mpy_cross, tree.version)
    if all(module.path != PROGRAM for module in modules):
        raise ImageError(f"{FIRMWARE} has no main.py", "the program starts there")
    sizes = package_sizes(modules)
    check_budget(sizes)
    assets = BUILD / "assets"
    build_assets(assets, progress)
    files = {module.path: module.data for module in modules}
    files |= {f"assets/{path}": data for path, data in data_files(assets).items()}
    image = build_romfs(files)
    partition = fill_partition(image, layout.FLASH_ROMFS[1])

    folder = BUILD / board
    result = BuildResult(
        board=board,
        firmware_uf2=folder / "firmware.uf2",
        firmware_elf=folder / "firmware.elf",
        firmware_bin=folder / "firmware.bin",
        romfs=folder / "picocab.romfs",
        full_uf2=folder / f"picocab-{board}-full.uf2",
        manifest=folder / "manifest.json",
        micropython=BUILD / "unix" / "micropython",
        mpy_cross=BUILD / "unix" / "mpy-cross",
        sizes=tuple(sizes),
        unreleased=tree.unreleased,
    )
    firmware_pages = uf2.pages_of(firmware_data, layout.FLASH_FIRMWARE[0])
    program_pages = uf2.pages_of(partition, layout.FLASH_ROMFS[0])
    manifest = _manifest(board, tree, firmware.recipe, firmware_data, image, partition, files, modules)
    changed = [
        _write(result.firmware_bin, firmware_data),
        _write(result.firmware_uf2, uf2.encode(firmware_pages)),
        _write(result.firmware_elf, firmware.elf.read_bytes()),
        _write(result.romfs, partition),
        _write(result.full_uf2, uf2.encode(uf2.combine([firmware_pages, program_pages]))),
        _write(result.manifest, manifest),
    ]
    for program, copy in ((micropython, result.micropython), (mpy_cross, result.mpy_cross)):
        if _write(copy, program.read_bytes()):
            copy.chmod(0o755)
    if any(changed):
        for line in size_table(sizes):
            progress(line)
        progress(f"firmware {len(firmware_data)} bytes, image {len(image)} of {layout.FLASH_ROMFS[1]} bytes")
    return result


def _check_flash_map(layout: SimpleNamespace) -> None:
    """The board file's regions follow one another without a gap and fill the flash."""
    regions = ("FLASH_FIRMWARE", "FLASH_ROMFS", "FLASH_JOURNAL_A", "FLASH_JOURNAL_B", "FLASH_DATA")
    end = 0
    for name in regions:
        start, size = getattr(layout, name)
        if start != end or size <= 0 or size % _SECTOR_BYTES:
            raise BuildError(
                f"{name} of board.py starts at 0x{start:x} with {size} bytes", f"it must start at 0x{end:x}"
            )
        end = start + size
    if end != layout.FLASH_BYTES or layout.FLASH_BYTES != uf2.FLASH_BYTES:
        raise BuildError(f"the regions of board.py end at 0x{end:x}", f"they must fill 0x{uf2.FLASH_BYTES:x} bytes")


def _check_firmware(layout: SimpleNamespace, firmware: Firmware, data: bytes) -> None:
    """The linked firmware has the board file's flash map and fits into its region."""
    symbols = firmware.symbols
    room = layout.FLASH_FIRMWARE[1]
    if len(data) > room or symbols["__flash_binary_end"] - uf2.FLASH_BASE > room:
        raise BuildError(f"the firmware has {len(data)} bytes, its region of flash {room}", "freeze less into it")
    storage_start = layout.FLASH_ROMFS[0]
    expected = {
        "rp2_flash_romfs_obj": (storage_start, layout.FLASH_ROMFS[1]),
        "rp2_flash_obj": (storage_start, layout.FLASH_BYTES - storage_start),
    }
    for symbol, region in expected.items():
        # The initial value of a variable: behind the code in flash. Its fields: type, base, size.
        at = symbols[symbol] - symbols["__data_start__"] + symbols["__etext"] - uf2.FLASH_BASE
        found = struct.unpack_from("<II", data, at + 4)
        if found != region:
            raise BuildError(
                f"{symbol} has {found[1]} bytes from 0x{found[0]:x}, board.py {region[1]} from 0x{region[0]:x}",
                "make mpconfigboard.h and board.py agree",
            )


def _manifest(
    board: str,
    tree: SourceTree,
    recipe: str,
    firmware: bytes,
    image: bytes,
    partition: bytes,
    files: Mapping[str, bytes],
    modules: Sequence[Module],
) -> bytes:
    sources = {module.path: module for module in modules}
    entries = []
    for path, data in sorted(files.items()):
        entry: dict[str, object] = {"path": path, "bytes": len(data), "sha256": _sha256(data)}
        if path in sources:
            module = sources[path]
            entry |= {"source": module.source.relative_to(ROOT).as_posix(), "source_sha256": module.source_sha256}
        entries.append(entry)
    manifest = {
        "board": board,
        "micropython": tree.version,
        "unreleased": tree.unreleased,
        "recipe": recipe,
        "firmware": {"bytes": len(firmware), "sha256": _sha256(firmware)},
        "image": {"bytes": len(image), "sha256": _sha256(image)},
        "partition": {"bytes": len(partition), "sha256": _sha256(partition)},
        "files": entries,
    }
    return (json.dumps(manifest, indent=1) + "\n").encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> bool:
    """Writes a file whole or not at all, and only when its content changes; returns whether it did."""
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    return True
