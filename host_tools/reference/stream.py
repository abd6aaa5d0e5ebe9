"""The random stream of a round: SHA-256 of the seed and a counter, cut into 16-bit pieces (G-07)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

SEED_BYTES = 16
PIECE_VALUES = 65536


class Stream:
    """All draws of one round, made from its seed alone."""

    def __init__(self, seed: bytes) -> None:
        self._pieces = _pieces(seed)

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1, each with the same probability; 1 <= n <= 65,536."""
        assert 1 <= n <= PIECE_VALUES, f"below({n}) is outside 1 to {PIECE_VALUES}"
        fair = PIECE_VALUES - PIECE_VALUES % n
        piece = next(self._pieces)
        while piece >= fair:
            piece = next(self._pieces)
        return piece % n


def _pieces(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
        for start in range(0, len(digest), 2):
            yield int.from_bytes(digest[start : start + 2], "big")
        block += 1
