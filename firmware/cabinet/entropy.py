"""Entropy of the chip's ring oscillator: health tests of NIST SP 800-90B on the raw bytes, SHA-256 as conditioning.

`os.urandom` of MicroPython's rp2 port takes eight bits of the oscillator for each byte, about a microsecond apart, and
feeds them to an 8-bit CRC (polynomial 0xD5) that is never reset. That hides a dead oscillator: out of constant bits the
CRC makes bytes that look random. It loses nothing, though: each byte is the CRC of the byte before, plus eight bits. So
the tests are run on the bytes and on those bits too.
"""

from array import array
from hashlib import sha256

from rules.portable import micropython, ptr8, ptr32

from .hash_drbg import GeneratorFault

BATCH_BYTES = 32
CONDITIONED_BYTES = 2048
"""Raw bytes that SHA-256 makes 32 of. At 1/4 bit each they hold 512 bits, more than the 256 + 64 that SP 800-90C wants
for an output with full entropy."""

# Cutoffs of SP 800-90B, 4.4, for a min-entropy of H = 1/4 bit a byte, which is little enough to be safe to claim, and a
# false alarm once in 2**30 bytes that have just so much:
#   repetition count    1 + ceil(30 / H)
#   adaptive proportion 1 + critbinom(512, 2**-H, 1 - 2**-30), in windows of 512 bytes
REPETITION_CUTOFF = 121
PROPORTION_CUTOFF = 477
PROPORTION_WINDOW = 512

_FAULTS = ("", "repeats itself", "is out of proportion")


class HealthTest:
    """The two tests on one sequence of bytes, over any number of batches."""

    def __init__(self):
        # byte before, how often in a row; byte of the window, how often in it, bytes of the window to come
        self._state = array("i", (-1, 0, 0, 0, 0))

    def check(self, data, count):
        """Takes `count` more bytes.

        Raises:
            GeneratorFault: a test fails.
        """
        fault = _test(self._state, data, count, REPETITION_CUTOFF, PROPORTION_CUTOFF, PROPORTION_WINDOW)
        if fault:
            raise GeneratorFault("the entropy source %s" % _FAULTS[fault])


@micropython.viper
def _test(state: ptr32, data: ptr8, count: int, repetitions: int, proportion: int, window: int) -> int:
    fault = 0
    at = 0
    while at < count:
        byte = data[at]
        at += 1
        if byte == state[0]:
            state[1] += 1
            if state[1] >= repetitions:
                fault = 1
        else:
            state[0] = byte
            state[1] = 1
        if state[4] == 0:
            state[2] = byte
            state[3] = 1
            state[4] = window - 1
        else:
            state[4] -= 1
            if byte == state[2]:
                state[3] += 1
                if state[3] >= proportion:
                    fault = 2
    return fault


@micropython.viper
def _undo_crc(data: ptr8, bits: ptr8, count: int):
    """Writes the eight bits that made each byte out of the one before it: count - 1 bytes, first bit first."""
    at = 1
    while at < count:
        crc = int(data[at - 1])
        step = 0
        while step < 8:
            crc <<= 1
            if crc & 256:
                crc ^= 469  # the polynomial 0xD5 and the bit shifted out
            step += 1
        bits[at - 1] = crc ^ int(data[at])
        at += 1


class Entropy:
    """Raw bytes in small batches, tested, hashed as they come.

    Args:
        urandom: callable(n) that returns n bytes as the rp2 port's `os.urandom` makes them.
    """

    def __init__(self, urandom):
        self._urandom = urandom
        self._bits = bytearray(BATCH_BYTES - 1)
        self._bytes_test = HealthTest()
        self._bits_test = HealthTest()
        self._hash = sha256()
        self._collected = 0

    def collect(self):
        """Takes one batch; returns True when there are enough for `condition`.

        Raises:
            GeneratorFault: a health test fails.
        """
        raw = self._urandom(BATCH_BYTES)
        bits = self._bits
        self._bytes_test.check(raw, BATCH_BYTES)
        _undo_crc(raw, bits, BATCH_BYTES)
        self._bits_test.check(bits, BATCH_BYTES - 1)
        self._hash.update(raw)
        self._collected += BATCH_BYTES
        return self._collected >= CONDITIONED_BYTES

    def condition(self):
        """32 bytes with full entropy from at least CONDITIONED_BYTES raw ones; collects what is missing."""
        while self._collected < CONDITIONED_BYTES:
            self.collect()
        entropy = self._hash.digest()
        self._hash = sha256()
        self._collected = 0
        return entropy
