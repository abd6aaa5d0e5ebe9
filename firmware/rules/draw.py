"""The random stream of one round (G-07): every draw comes from the round's 128-bit seed and a counter, nothing else."""

from hashlib import sha256

SEED_BYTES = 16


class RoundStream:
    """Uniform draws from SHA-256(seed, counter), read as big-endian 16-bit pieces.

    Block k of the stream is SHA-256(seed || k), k as four big-endian bytes from 0; its 32 bytes are sixteen pieces,
    used in order. A draw below n takes the next piece and rejects it while it is not below the largest multiple of n
    that fits in 65,536, so every result is equally likely (no modulo bias, CAB-52).

    Args:
        seed: 16 bytes.

    Raises:
        ValueError: the seed is something else.
    """

    def __init__(self, seed):
        if not isinstance(seed, (bytes, bytearray)) or len(seed) != SEED_BYTES:
            raise ValueError("a round's seed is 16 bytes")
        self._input = bytearray(seed + b"\0\0\0\0")
        self._block = b""
        self._used = 32
        self._counter = 0

    def _next_block(self):
        source = self._input
        counter = self._counter
        source[16] = counter >> 24 & 255
        source[17] = counter >> 16 & 255
        source[18] = counter >> 8 & 255
        source[19] = counter & 255
        self._counter = counter + 1
        self._block = sha256(source).digest()
        self._used = 0

    def below(self, n):
        """A uniform integer in 0 .. n - 1, for 1 <= n <= 65,536.

        Raises:
            ValueError: n is outside that range.
        """
        if not 1 <= n <= 65536:
            raise ValueError("a draw is below 1 to 65536")
        limit = 65536 - 65536 % n
        while True:
            if self._used == 32:
                self._next_block()
            used = self._used
            self._used = used + 2
            piece = self._block[used] << 8 | self._block[used + 1]
            if piece < limit:
                return piece % n

    def weighted(self, weights):
        """The position of an entry, each as likely as its weight."""
        number = self.below(sum(weights))
        position = 0
        for weight in weights:
            if number < weight:
                break
            number -= weight
            position += 1
        return position

    def shuffle(self, things, wanted):
        """Puts `wanted` things, drawn without replacement, at the front of a list or bytearray, in place."""
        count = len(things)
        for i in range(wanted):
            j = i + self.below(count - i)
            things[i], things[j] = things[j], things[i]
