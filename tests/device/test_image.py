"""Program images are checked before a byte is sent."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from host_tools.device.image import BLANK_BLOCK, BLOCK_BYTES, block_digest, load_image
from host_tools.errors import ImageError

from .images import PARTITION_BYTES, assets, partition, program


@pytest.fixture
def good() -> bytes:
    return partition(program("old", assets(1)))


def _load(folder: Path, data: bytes):
    path = folder / "picocab.romfs"
    path.write_bytes(data)
    return load_image(path, PARTITION_BYTES)


def test_load_image_takes_what_was_built(tmp_path: Path, good: bytes) -> None:
    image = _load(tmp_path, good)
    assert image.data == good
    assert image.blocks == PARTITION_BYTES // BLOCK_BYTES
    assert image.sha256 == hashlib.sha256(good[: image.length]).digest()
    assert image.block(image.blocks - 1).startswith(b"PICOCAB1")


def test_load_image_takes_the_built_image(romfs_image: Path) -> None:
    assert load_image(romfs_image, PARTITION_BYTES).length > 0


def test_load_image_missing_names_file_and_cure(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"none\.romfs.*No such file.*picocab build"):
        load_image(tmp_path / "none.romfs", PARTITION_BYTES)


def test_load_image_too_large(tmp_path: Path, good: bytes) -> None:
    with pytest.raises(ImageError, match="too large: 1183744 bytes, the code partition has 1179648"):
        _load(tmp_path, good + BLANK_BLOCK)


@pytest.mark.parametrize("length", [0, 1, BLOCK_BYTES, PARTITION_BYTES - BLOCK_BYTES, PARTITION_BYTES - 1])
def test_load_image_torn_anywhere(tmp_path: Path, good: bytes, length: int) -> None:
    with pytest.raises(ImageError, match=r"torn.*run picocab build"):
        _load(tmp_path, good[:length])


def test_load_image_torn_to_blank(tmp_path: Path, good: bytes) -> None:
    """A file whose end was never written, but has the right size."""
    half = len(good) // 2
    with pytest.raises(ImageError, match="no trailer"):
        _load(tmp_path, good[:half] + b"\0" * (len(good) - half))


@pytest.mark.parametrize("offset", [0, 5, 5000, 12_000])
def test_load_image_one_flipped_bit(tmp_path: Path, good: bytes, offset: int) -> None:
    bad = bytearray(good)
    bad[offset] ^= 0x10
    with pytest.raises(ImageError, match=r"SHA-256 differs.*run picocab build"):
        _load(tmp_path, bytes(bad))


@pytest.mark.parametrize("length", [0, PARTITION_BYTES - BLOCK_BYTES + 1, 0xFFFFFFFF])
def test_load_image_impossible_length(tmp_path: Path, good: bytes, length: int) -> None:
    bad = bytearray(good)
    bad[-BLOCK_BYTES + 8 : -BLOCK_BYTES + 12] = length.to_bytes(4, "little")
    with pytest.raises(ImageError, match=f"length of {length} bytes"):
        _load(tmp_path, bytes(bad))


def test_load_image_that_is_no_romfs(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="no ROMFS image"):
        _load(tmp_path, partition(b"MZ" + bytes(10_000)))


def test_block_digest_of_blank_block_is_a_dash() -> None:
    assert block_digest(BLANK_BLOCK) == "-"
    assert block_digest(bytes(BLOCK_BYTES)) == hashlib.sha256(bytes(BLOCK_BYTES)).hexdigest()[:16]
