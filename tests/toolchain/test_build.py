"""The build's results belong together, fit the flash map, and come out the same wherever and whenever they are made."""

from __future__ import annotations

import filecmp
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from romfs_reader import read_back

from host_tools.boards import load_board
from host_tools.errors import BuildError
from host_tools.paths import BOARDS, ROOT, cache
from host_tools.toolchain import build as build_module
from host_tools.toolchain import source_tree as source_tree_module
from host_tools.toolchain import uf2
from host_tools.toolchain.build import BuildResult, build
from host_tools.toolchain.micropython import Firmware, build_firmware, build_mpy_cross, build_unix_port
from host_tools.toolchain.source_tree import source_tree
from host_tools.toolchain.sources import save_sources

BOARD = load_board()


def silent(line: str) -> None:
    """No progress."""


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_second_build_makes_nothing_anew(built: BuildResult) -> None:
    times = {path: path.stat().st_mtime_ns for path in built.manifest.parent.iterdir()}
    said: list[str] = []
    assert build(progress=said.append) == built
    assert not [line for line in said if line.startswith(("building", "unpacking", "fetching", "firmware"))]
    assert {path: path.stat().st_mtime_ns for path in built.manifest.parent.iterdir()} == times


def test_full_uf2_holds_firmware_and_program_where_the_flash_map_says(built: BuildResult) -> None:
    flash = uf2.flash_bytes([built.full_uf2])
    firmware, program = built.firmware_bin.read_bytes(), built.romfs.read_bytes()
    start, size = BOARD.FLASH_FIRMWARE
    assert flash[start : start + len(firmware)] == firmware
    assert len(firmware) <= size
    start, size = BOARD.FLASH_ROMFS
    assert flash[start : start + size] == program
    assert set(flash[start + size :]) == {0xFF}
    assert flash == uf2.flash_bytes([built.firmware_uf2])[:start] + program + flash[start + size :]


def test_manifest_tells_every_file_with_its_hashes(built: BuildResult, tmp_path: Path) -> None:
    manifest = json.loads(built.manifest.read_text())
    program = built.romfs.read_bytes()
    assert manifest["firmware"] == {"bytes": built.firmware_bin.stat().st_size, "sha256": sha256(built.firmware_bin)}
    assert manifest["partition"] == {"bytes": BOARD.FLASH_ROMFS[1], "sha256": sha256(built.romfs)}
    length, digest = manifest["image"]["bytes"], manifest["image"]["sha256"]
    assert program[-4096:-4052] == b"PICOCAB1" + length.to_bytes(4, "little") + bytes.fromhex(digest)
    told = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    assert told == {path: found for path, (_, found) in read_back(program, built.micropython, tmp_path).items()}
    facts = (manifest["board"], manifest["micropython"], manifest["unreleased"])
    assert facts == ("pico_cabinet", "1.25.0", built.unreleased)


def test_image_holds_every_module_compiled_and_nothing_else_of_the_firmware_folder(built: BuildResult) -> None:
    entries = json.loads(built.manifest.read_text())["files"]
    modules = [entry for entry in entries if not entry["path"].startswith("assets/")]
    assert {Path(entry["path"]).suffix for entry in modules} == {".mpy"}
    assert {"board.mpy", "program.mpy"} < {entry["path"] for entry in modules}
    assert {entry["source"]: entry["source_sha256"] for entry in modules} == {
        path.relative_to(ROOT).as_posix(): sha256(path)
        for path in [*(ROOT / "firmware").rglob("*.py"), BOARDS / "pico_cabinet" / "board.py"]
    }


def test_firmware_names_no_date_and_no_folder_of_the_build(built: BuildResult) -> None:
    firmware, elf = built.firmware_bin.read_bytes(), built.firmware_elf.read_bytes()
    assert set(re.findall(rb"20[0-9]{2}-[01][0-9]-[0-3][0-9]", firmware)) == {b"2025-04-15"}
    # The form of __DATE__, which the SDK puts into the binary's description.
    assert set(re.findall(rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 0-9]\d 20\d\d", firmware)) <= {
        b"Apr 15 2025"
    }
    for name in (str(cache()), str(ROOT), str(Path.home())):
        assert name.encode() not in elf


def test_unix_port_has_what_host_tests_need(built: BuildResult) -> None:
    code = """
import asyncio, deflate, framebuf, hashlib, struct, sys, uctypes, vfs
@micropython.viper
def viper(x: int) -> int:
    return x + 1
@micropython.native
def native(x):
    return x + 2
vfs.VfsRom, vfs.VfsLfs2
print(sys.implementation.version[:3], viper(1), native(1), hashlib.sha256(b"").digest()[:2])
"""
    output = subprocess.run([built.micropython, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output == "(1, 25, 0) 2 3 b'\\xe3\\xb0'\n"


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("FLASH_ROMFS", (0x61000, 1_179_648)),  # a gap
        ("FLASH_ROMFS", (0x60000, 1_179_000)),  # not whole sectors
        ("FLASH_JOURNAL_A", (0x17F000, 196_608)),  # an overlap
        ("FLASH_DATA", (0x1E0000, 126_976)),  # does not reach the end
    ],
)
def test_flash_map_with_a_gap_or_overlap_is_an_error(name: str, region: tuple[int, int]) -> None:
    with pytest.raises(BuildError, match=r"it must start at|they must fill"):
        build_module._check_flash_map(SimpleNamespace(**{**vars(BOARD), name: region}))


@pytest.fixture
def firmware(built: BuildResult) -> Firmware:
    return build_firmware(source_tree(silent), BOARDS / "pico_cabinet", built.mpy_cross, silent)


def test_board_file_that_disagrees_with_the_linked_firmware_is_an_error(firmware: Firmware) -> None:
    data = firmware.bin.read_bytes()
    build_module._check_firmware(BOARD, firmware, data)
    other = SimpleNamespace(**{**vars(BOARD), "FLASH_ROMFS": (0x60000, 1_179_648 - 4096)})
    with pytest.raises(BuildError, match=r"rp2_flash_romfs_obj has 1179648 bytes from 0x60000, board\.py 1175552 from"):
        build_module._check_firmware(other, firmware, data)


def test_firmware_larger_than_its_region_is_an_error(firmware: Firmware) -> None:
    small = SimpleNamespace(**{**vars(BOARD), "FLASH_FIRMWARE": (0, 300_000)})
    with pytest.raises(BuildError, match=r"the firmware has \d+ bytes, its region of flash 300000: freeze less"):
        build_module._check_firmware(small, firmware, firmware.bin.read_bytes())


def in_the_future(folder: Path, faketime: str) -> None:
    """Puts commands into `folder` that run make and cmake years from now."""
    for name in ("make", "cmake"):
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec {faketime} "2031-05-05 10:00:00" {shutil.which(name)} "$@"\n')
        command.chmod(0o755)


@pytest.mark.slow
def test_two_builds_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compiles everything twice: the second time from saved sources, in a folder with a longer name, and years later.

    Where faketime is not installed the day is the same; that no date gets in is then left to
    test_firmware_names_no_date_and_no_folder_of_the_build.
    """
    saved = tmp_path / "sources"
    save_sources(saved, silent)
    monkeypatch.setenv("PICOCAB_SOURCES", str(saved))
    faketime = shutil.which("faketime")
    results: list[list[str]] = []
    for name in ("a", "a-folder-with-a-longer-name"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        tree = source_tree(silent)
        mpy_cross = build_mpy_cross(tree, silent)
        micropython = build_unix_port(tree, mpy_cross, silent)
        firmware = build_firmware(tree, BOARDS / "pico_cabinet", mpy_cross, silent)
        paths = (mpy_cross, micropython, firmware.bin, firmware.elf)
        assert all(path.is_relative_to(cache()) for path in paths)
        results.append([sha256(path) for path in paths] + [firmware.recipe])
        if faketime:
            in_the_future(tmp_path, faketime)
            monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert results[0] == results[1]


@pytest.mark.slow
def test_checkout_of_the_same_version_gives_the_same_tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ours = source_tree(silent).path
    checkout = tmp_path / "micropython"
    shutil.copytree(ours, checkout)
    flash = checkout / "ports" / "rp2" / "rp2_flash.c"
    flash.write_text(flash.read_text().replace(source_tree_module._PATCHED, source_tree_module._PATCH_LINE))
    (checkout / ".git").mkdir()
    (checkout / "ports" / "unix" / "build-standard").mkdir()
    (checkout / "ports" / "unix" / "build-standard" / "old.o").touch()
    monkeypatch.setenv("MICROPY_DIR", str(checkout))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tree = source_tree(silent)
    assert (tree.version, tree.unreleased) == ("1.25.0", True)
    assert tree.path != ours

    def differences(comparison: filecmp.dircmp[str]) -> list[str]:
        here = [*comparison.left_only, *comparison.right_only, *comparison.diff_files, *comparison.funny_files]
        return here + [name for sub in comparison.subdirs.values() for name in differences(sub)]

    assert differences(filecmp.dircmp(ours, tree.path)) == []
