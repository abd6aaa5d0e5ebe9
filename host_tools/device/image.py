"""A program image as built: the ROMFS partition with its trailer, checked before a byte of it is sent.

The last block of the partition is the trailer; the board starts nothing without one that holds.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ..errors import ImageError
from ..toolchain.romfs import BLOCK_BYTES, MAGIC, TRAILER

ROMFS_MAGIC = b"\xd2\xcd\x31"
DIGEST_BYTES = 8  # enough to find changed blocks; the whole image is proven by its full SHA-256
BLANK_BLOCK = b"\xff" * BLOCK_BYTES

_BUILD_CURE = "run picocab build"


@dataclass(frozen=True)
class Image:
    """A checked program image.

    Attributes:
        data: the whole partition, a multiple of `BLOCK_BYTES`, its last block the trailer.
        length: bytes of ROMFS at the start of `data`.
        sha256: digest of these bytes.
    """

    data: bytes
    length: int
    sha256: bytes

    @property
    def blocks(self) -> int:
        """Number of blocks, the trailer included."""
        return len(self.data) // BLOCK_BYTES

    def block(self, number: int) -> bytes:
        """Returns the bytes of one block."""
        return self.data[number * BLOCK_BYTES : (number + 1) * BLOCK_BYTES]


def block_digest(block: bytes) -> str:
    """Returns the first `DIGEST_BYTES` of the SHA-256 in hex, or "-" for a blank block, as the board prints it."""
    return "-" if block == BLANK_BLOCK else hashlib.sha256(block).digest()[:DIGEST_BYTES].hex()


def load_image(path: Path, partition_bytes: int) -> Image:
    """Reads and checks a program image.

    Args:
        partition_bytes: size of the board's code partition.

    Raises:
        ImageError: the file cannot be read, has another size than the partition, or is corrupt or torn.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImageError(f"cannot read {path} ({error.strerror})", _BUILD_CURE) from error
    if len(data) > partition_bytes:
        raise ImageError(
            f"{path} is too large: {len(data)} bytes, the code partition has {partition_bytes}",
            "make the program or its assets smaller, or choose the image of this board",
        )
    if len(data) != partition_bytes or len(data) % BLOCK_BYTES:
        raise ImageError(f"{path} is torn: {len(data)} bytes instead of {partition_bytes}", _BUILD_CURE)
    magic, length, digest = TRAILER.unpack_from(data, len(data) - BLOCK_BYTES)
    if magic != MAGIC:
        raise ImageError(f"{path} is corrupt or torn: no trailer in its last block", _BUILD_CURE)
    if not 0 < length <= len(data) - BLOCK_BYTES:
        raise ImageError(f"{path} is corrupt: its trailer gives a length of {length} bytes", _BUILD_CURE)
    if hashlib.sha256(data[:length]).digest() != digest:
        raise ImageError(f"{path} is corrupt or torn: its SHA-256 differs from its trailer", _BUILD_CURE)
    if not data.startswith(ROMFS_MAGIC):
        raise ImageError(f"{path} is no ROMFS image", _BUILD_CURE)
    return Image(data, length, digest)
