"""UF2 files: what is written is what MicroPython's own tool writes, and anything broken is refused."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.errors import ImageError
from host_tools.toolchain import uf2
from host_tools.toolchain.source_tree import source_tree

DATA = random.Random("uf2").randbytes(1000)


def with_word(index: int, value: int) -> Callable[[bytes], bytes]:
    """Changes one of the eight header words of the second block."""

    def change(data: bytes) -> bytes:
        at = 512 + 4 * index
        return data[:at] + struct.pack("<I", value) + data[at + 4 :]

    return change


def test_pages_come_back_as_written() -> None:
    pages = uf2.pages_of(DATA, 0x60000)
    assert uf2.decode(uf2.encode(pages), "x.uf2") == pages
    assert b"".join(pages[offset] for offset in sorted(pages)) == DATA.ljust(1024, b"\xff")


def test_file_equals_what_micropythons_own_tool_writes(built: object, tmp_path: Path) -> None:
    data = DATA.ljust(1024, b"\xff")
    (tmp_path / "x.bin").write_bytes(data)
    tool = source_tree(lambda line: None).path / "tools" / "uf2conv.py"
    arguments = ["-b", "0x10060000", "-f", "0xe48bff56", "-c", "-o", str(tmp_path / "x.uf2"), str(tmp_path / "x.bin")]
    subprocess.run([sys.executable, "-B", str(tool), *arguments], check=True, capture_output=True)
    assert (tmp_path / "x.uf2").read_bytes() == uf2.encode(uf2.pages_of(data, 0x60000))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "is torn or no UF2: 0 bytes"),
        (lambda data: data[:-100], "is torn or no UF2: 1948 bytes"),
        (lambda data: data[:-512], "is torn: block 0 of 3 says that it is 0 of 4"),
        (lambda data: data[:512] + data[1024:], "is torn: block 0 of 3 says"),
        (lambda data: data[512:1024] + data[:512] + data[1024:], "is torn: block 0 of 4 says that it is 1 of 4"),
        (lambda data: DATA.ljust(1024), "is corrupt or no UF2: wrong magic number in block 0"),
        (lambda data: data[:-1] + b"\0", "is corrupt or no UF2: wrong magic number in block 3"),
        (with_word(0, 0), "wrong magic number in block 1"),
        (with_word(2, 0), r"is not for the RP2040 \(block 1"),
        (with_word(7, 0xE48BFF59), "block 1 has family 0xe48bff59"),
        (with_word(3, 0x10060080), "writes 256 bytes at 0x10060080, not a page"),
        (with_word(3, 0x20000000), "writes 256 bytes at 0x20000000, not a page"),
        (with_word(3, 0x10060000), "writes the page at 0x10060000 twice"),
        (with_word(4, 476), "writes 476 bytes"),
    ],
)
def test_broken_file_is_refused_with_the_cure(change: Callable[[bytes], bytes], message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.uf2"
    path.write_bytes(change(uf2.encode(uf2.pages_of(DATA, 0x60000))))
    with pytest.raises(ImageError, match=message) as caught:
        uf2.read(path)
    assert caught.value.cure == "make it again with picocab build"


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"cannot read .*No such file"):
        uf2.read(tmp_path / "none.uf2")


def test_data_outside_flash_is_refused() -> None:
    with pytest.raises(ImageError, match="do not lie inside"):
        uf2.pages_of(DATA, uf2.FLASH_BYTES - 512)


def test_images_in_one_sector_overlap() -> None:
    with pytest.raises(ImageError, match="two images overlap at 0x10060000"):
        uf2.combine([uf2.pages_of(DATA, 0x60000), uf2.pages_of(DATA, 0x60800)])


def test_flash_holds_all_files_and_is_blank_elsewhere(tmp_path: Path) -> None:
    for name, offset in (("a", 0), ("b", 0x60000)):
        (tmp_path / name).write_bytes(uf2.encode(uf2.pages_of(DATA, offset)))
    flash = uf2.flash_bytes([tmp_path / "a", tmp_path / "b"])
    assert len(flash) == 2 * 1024 * 1024
    assert flash[:1000] == flash[0x60000:][:1000] == DATA
    assert set(flash[1000:0x60000] + flash[0x60000 + 1000 :]) == {0xFF}
