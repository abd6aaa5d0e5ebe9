"""UF2 files as the RP2040's boot loader takes them: 512-byte blocks, each with 256 bytes of flash.

Source: Microsoft's UF2 specification and the RP2040 datasheet, section 2.8.4.2 (page-aligned 256-byte payloads, family
ID 0xe48bff56).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import ImageError

FAMILY = 0xE48BFF56
FLASH_BASE = 0x10000000  # address of the first byte of flash
FLASH_BYTES = 2 * 1024 * 1024
PAGE_BYTES = 256

_BLOCK_BYTES = 512
_HEADER = struct.Struct("<8I")
_MAGIC_0, _MAGIC_1, _MAGIC_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_FLAG_NOT_FLASH, _FLAG_FAMILY = 0x0001, 0x2000
_CURE = "make it again with picocab build"

# Pages of flash by their offset from `FLASH_BASE`; each holds `PAGE_BYTES`.
Pages = dict[int, bytes]


def pages_of(data: bytes, offset: int) -> Pages:
    """Cuts data that lies at `offset` of flash (a multiple of `PAGE_BYTES`) into pages; the last is filled with 0xFF.

    Raises:
        ImageError: the data does not lie inside flash.
    """
    if offset % PAGE_BYTES or offset < 0 or offset + len(data) > FLASH_BYTES:
        raise ImageError(f"{len(data)} bytes at 0x{offset:x} do not lie inside {FLASH_BYTES} bytes of flash")
    starts = range(0, len(data), PAGE_BYTES)
    return {offset + start: data[start : start + PAGE_BYTES].ljust(PAGE_BYTES, b"\xff") for start in starts}


def encode(pages: Mapping[int, bytes]) -> bytes:
    """Returns the UF2 file that writes these pages, lowest first."""
    blocks = bytearray()
    for number, offset in enumerate(sorted(pages)):
        header = (_MAGIC_0, _MAGIC_1, _FLAG_FAMILY, FLASH_BASE + offset, PAGE_BYTES, number, len(pages), FAMILY)
        blocks += _HEADER.pack(*header) + pages[offset].ljust(_BLOCK_BYTES - _HEADER.size - 4, b"\0")
        blocks += struct.pack("<I", _MAGIC_END)
    return bytes(blocks)


def decode(data: bytes, name: str) -> Pages:
    """Returns the pages of a UF2 file.

    Args:
        name: what to call the file in messages.

    Raises:
        ImageError: it is no UF2, is torn, is for another chip, or holds pages outside flash or twice.
    """
    if not data or len(data) % _BLOCK_BYTES:
        raise ImageError(f"{name} is torn or no UF2: {len(data)} bytes are no whole number of 512-byte blocks", _CURE)
    pages: Pages = {}
    count = len(data) // _BLOCK_BYTES
    for number in range(count):
        block = data[number * _BLOCK_BYTES : (number + 1) * _BLOCK_BYTES]
        magic_0, magic_1, flags, address, size, block_number, block_count, family = _HEADER.unpack_from(block)
        (magic_end,) = struct.unpack_from("<I", block, _BLOCK_BYTES - 4)
        if (magic_0, magic_1, magic_end) != (_MAGIC_0, _MAGIC_1, _MAGIC_END):
            raise ImageError(f"{name} is corrupt or no UF2: wrong magic number in block {number}", _CURE)
        if not flags & _FLAG_FAMILY or family != FAMILY or flags & _FLAG_NOT_FLASH:
            raise ImageError(f"{name} is not for the RP2040 (block {number} has family 0x{family:08x})", _CURE)
        if (block_number, block_count) != (number, count):
            raise ImageError(
                f"{name} is torn: block {number} of {count} says that it is {block_number} of {block_count}", _CURE
            )
        offset = address - FLASH_BASE
        if size != PAGE_BYTES or offset % PAGE_BYTES or not 0 <= offset < FLASH_BYTES:
            raise ImageError(f"{name} writes {size} bytes at 0x{address:08x}, not a page of flash", _CURE)
        if offset in pages:
            raise ImageError(f"{name} writes the page at 0x{address:08x} twice", _CURE)
        pages[offset] = block[_HEADER.size : _HEADER.size + PAGE_BYTES]
    return pages


def read(path: Path) -> Pages:
    """Returns the pages of a UF2 file, as `decode`.

    Raises:
        ImageError: also when the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImageError(f"cannot read {path} ({error.strerror})", _CURE) from error
    return decode(data, str(path))


def combine(parts: Iterable[Mapping[int, bytes]]) -> Pages:
    """Returns the pages of all parts.

    Raises:
        ImageError: two parts write the same 4096-byte sector, so that the later one would erase the earlier one.
    """
    whole: Pages = {}
    owners: dict[int, int] = {}
    for number, part in enumerate(parts):
        for offset in part:
            sector = offset & ~0xFFF
            if owners.setdefault(sector, number) != number:
                raise ImageError(
                    f"two images overlap at 0x{FLASH_BASE + sector:08x}", "check the flash map in board.py"
                )
        whole |= part
    return whole


def flash_bytes(paths: Iterable[Path]) -> bytes:
    """Returns all of flash (`FLASH_BYTES`) as it is after loading these UF2 files into an erased chip.

    Raises:
        ImageError: a file is not what it should be, or two of them overlap.
    """
    flash = bytearray(b"\xff" * FLASH_BYTES)
    for offset, page in combine(read(path) for path in paths).items():
        flash[offset : offset + PAGE_BYTES] = page
    return bytes(flash)
