"""Seeds of rounds: SHA-256 of a key and a counter. The key is made from the chip's ring oscillator at power-on."""

from hashlib import sha256

RAW_BYTES = 1024


class SeedSource:
    """Gives each round 16 bytes that no earlier round has used.

    The raw bytes of `os.urandom` on this port are a ring oscillator through a CRC and therefore weak: they are
    conditioned by SHA-256 and never used as they come.

    Args:
        entropy: callable(n) that returns n raw random bytes.
    """

    def __init__(self, entropy):
        self._key = sha256(entropy(RAW_BYTES)).digest()
        self._counter = 0

    def next_seed(self):
        """The next round's 16-byte seed."""
        self._counter += 1
        return sha256(self._key + self._counter.to_bytes(8, "big")).digest()[:16]
