"""The program's image: packed by mpremote's writer, read by MicroPython's."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from romfs_reader import read_back

from host_tools.errors import BuildError, ImageError, ToolMissing
from host_tools.toolchain import romfs
from host_tools.toolchain.build import BuildResult
from host_tools.toolchain.source_tree import VERSION

PARTITION_BYTES = 1_179_648


def noise(size_bytes: int) -> bytes:
    return random.Random(size_bytes).randbytes(size_bytes)


# Sizes on both sides of a page's end, names that sort differently as strings and as paths.
FILES = {f"f{size}.bin": noise(size) for size in (0, 1, 255, 256, 257, 5000)} | {
    "a/b/deep.bin": noise(300),
    "a/b.bin": noise(77),
    "a.b/x.bin": noise(12),
    "a/c/x.bin": noise(13),
    "z/only.bin": noise(40_000),
}


@pytest.mark.parametrize(
    "files", [FILES, {}, {"x": b"1"}, *({"x": noise(size)} for size in (15_800, 15_801, 16_138, 16_139, 90_001))]
)
def test_micropython_reads_every_file_on_a_page(files: Mapping[str, bytes], micropython: Path, tmp_path: Path) -> None:
    found = read_back(romfs.build_romfs(files), micropython, tmp_path)
    assert {path: digest for path, (_, digest) in found.items()} == {
        path: hashlib.sha256(data).hexdigest() for path, data in files.items()
    }
    assert {place % romfs.ALIGNMENT_BYTES for place, _ in found.values()} <= {0}


def test_same_files_give_the_same_bytes_in_any_order() -> None:
    assert romfs.build_romfs(FILES) == romfs.build_romfs(dict(reversed(FILES.items())))


def test_changed_module_leaves_the_files_before_it_in_place() -> None:
    before = romfs.build_romfs({"assets/a.bin": noise(100_000), "m.mpy": noise(500)})
    after = romfs.build_romfs({"assets/a.bin": noise(100_000), "m.mpy": noise(900)})
    assert before[16:100_000] == after[16:100_000]


@pytest.mark.parametrize("path", ["main.py", "cabinet/coins.py"])
def test_source_code_in_the_image_is_an_error(path: str) -> None:
    with pytest.raises(ImageError, match=rf"{path} is source code: .*: compile it to \.mpy"):
        romfs.build_romfs({path: b"print()"})


@pytest.mark.parametrize("path", ["", "/x", "a/../x", "./x", "a//x", "Größe.bin"])
def test_odd_path_in_the_image_is_an_error(path: str) -> None:
    with pytest.raises(ImageError, match="is no path for the image"):
        romfs.build_romfs({path: b""})


def test_partition_ends_with_the_trailer() -> None:
    image = romfs.build_romfs(FILES)
    partition = romfs.fill_partition(image, PARTITION_BYTES)
    assert len(partition) == PARTITION_BYTES
    assert partition[: len(image)] == image
    last = partition[-4096:]
    assert last[:8] == b"PICOCAB1"
    assert int.from_bytes(last[8:12], "little") == len(image)
    assert last[12:44] == hashlib.sha256(image).digest()
    assert set(last[44:] + partition[len(image) : -4096]) == {0xFF}


def test_image_that_does_not_fit_is_an_error_with_the_numbers() -> None:
    room = PARTITION_BYTES - 4096
    assert len(romfs.fill_partition(bytes(room), PARTITION_BYTES)) == PARTITION_BYTES
    with pytest.raises(ImageError, match=f"has {room + 1} bytes, the code partition has room for {room}: make"):
        romfs.fill_partition(bytes(room + 1), PARTITION_BYTES)


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    """A small program beside things that do not belong in an image."""
    folder = tmp_path / "firmware"
    (folder / "rules").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "main.py").write_text("import rules.lines\n")
    (folder / "rules" / "__init__.py").write_text("")
    (folder / "rules" / "lines.py").write_text(
        "import micropython\n\n@micropython.viper\ndef add(a: int, b: int) -> int:\n    return a + b\n"
    )
    (folder / "assets" / "logo.svg").write_text("<svg/>")
    (folder / "README.md").write_text("no part of the image")
    (tmp_path / "board.py").write_text("PIN = 3\n")
    return folder


def compile_all(firmware: Path, mpy_cross: Path, version: str = VERSION) -> list[romfs.Module]:
    return romfs.compile_program(firmware, firmware.parent / "board.py", mpy_cross, version)


def test_program_holds_compiled_modules_and_the_board(firmware: Path, built: BuildResult) -> None:
    modules = compile_all(firmware, built.mpy_cross)
    assert [module.path for module in modules] == [
        "board.mpy",
        "program.mpy",
        "rules/__init__.mpy",
        "rules/lines.mpy",
    ]
    for module in modules:
        assert module.data[:2] == b"M\x06"  # .mpy version 6
        assert module.source_sha256 == hashlib.sha256(module.source.read_bytes()).hexdigest()
    viper = next(module for module in modules if module.path == "rules/lines.mpy")
    assert viper.data[2] >> 2 & 0x2F == 4  # native code for the RP2040: MP_NATIVE_ARCH_ARMV6M = 4


def test_program_does_not_depend_on_where_it_is_compiled(firmware: Path, built: BuildResult, tmp_path: Path) -> None:
    before = [module.data for module in compile_all(firmware, built.mpy_cross)]
    elsewhere = tmp_path / "a folder with another name"
    elsewhere.mkdir()
    (firmware.parent / "board.py").rename(elsewhere / "board.py")
    moved = firmware.rename(elsewhere / "firmware")
    assert [module.data for module in compile_all(moved, built.mpy_cross)] == before


def test_missing_compiler_is_an_error(firmware: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match=r"mpy-cross is missing .*: run picocab build"):
        compile_all(firmware, tmp_path / "mpy-cross")


def test_compiler_of_another_version_is_an_error(firmware: Path, built: BuildResult) -> None:
    with pytest.raises(ToolMissing, match=r"is not mpy-cross 1\.26\.0 but MicroPython v1\.25\.0"):
        compile_all(firmware, built.mpy_cross, "1.26.0")


def test_module_that_does_not_compile_is_named_with_its_line(firmware: Path, built: BuildResult) -> None:
    (firmware / "rules" / "lines.py").write_text("a = 1\nb = = 2\n")
    with pytest.raises(BuildError, match=r"rules/lines\.py does not compile: .*line 2.*SyntaxError"):
        compile_all(firmware, built.mpy_cross)


@pytest.mark.parametrize("name", ["boot.py", "program.py", "board.py"])
def test_module_that_would_never_run_is_an_error(firmware: Path, built: BuildResult, name: str) -> None:
    (firmware / name).write_text("")
    with pytest.raises(ImageError, match=rf"{name} would never run"):
        compile_all(firmware, built.mpy_cross)
