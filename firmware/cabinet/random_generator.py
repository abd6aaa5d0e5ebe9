"""The random generator: one seed a round, cycling in between (CAB-50, CAB-51)."""

from .entropy import Entropy
from .hash_drbg import GeneratorFault, HashDrbg, known_answer_test

SEED_BYTES = 16
CYCLE_MS = 200
"""How often `cycle` should be called: a new seed of its own every 12.8 s."""

_EVENT_BYTES = 30  # ten times of three bytes


class RandomGenerator:
    """Hash_DRBG over the chip's ring oscillator. What it draws for a round is the round's seed, which is recorded; its
    own state is never saved.

    Every start takes 4,096 raw bytes, conditioned to 512 bits, as entropy; these are nonce enough already (SP 800-90A,
    8.6.7), the rest is for the case that the oscillator is worse than its tests can tell: with a counter of boots no
    two starts are alike.

    Args:
        urandom: callable(n) that returns n raw random bytes; see cabinet.entropy.
        unique_id: the chip's id, bytes.
        boot_counter: starts of this cabinet so far, below 2**30.
        last_round: the record of the last round, bytes.
        boot_us: microseconds since power-on.

    Raises:
        GeneratorFault: the known-answer test or a health test fails: there is no generator.
    """

    def __init__(self, urandom, unique_id, boot_counter, last_round, boot_us):
        known_answer_test()
        self._events = bytearray(_EVENT_BYTES)
        self._at = 0
        self._mixed = False
        self._failed = False
        self._entropy = Entropy(urandom)
        entropy = self._entropy.condition() + self._entropy.condition()
        nonce = boot_counter.to_bytes(4, "big") + boot_us.to_bytes(4, "big")
        self._drbg = HashDrbg(entropy, nonce, unique_id + last_round)

    def mix(self, ticks):
        """Mixes the time of a button or coin into the next draw: its lowest 24 bits. Allocates nothing."""
        events = self._events
        at = self._at
        events[at] ^= ticks & 255
        events[at + 1] ^= ticks >> 8 & 255
        events[at + 2] ^= ticks >> 16 & 255
        at += 3
        self._at = at if at < _EVENT_BYTES else 0
        self._mixed = True

    def cycle(self):
        """Draws and drops; every 64th time it takes a new seed from the raw bytes collected meanwhile.

        Raises:
            GeneratorFault: a health test fails; no seed is given from then on.
        """
        try:
            enough = self._entropy.collect()
        except GeneratorFault:
            self._failed = True
            raise
        if enough:
            self._drbg.reseed(self._entropy.condition(), self._additional())
        else:
            self._drbg.generate(SEED_BYTES, self._additional())

    def next_seed(self):
        """The next round's 16-byte seed.

        Raises:
            GeneratorFault: a health test has failed, or nobody calls `cycle`.
        """
        if self._failed:
            raise GeneratorFault("the entropy source has failed")
        return self._drbg.generate(SEED_BYTES, self._additional())

    def _additional(self):
        """The times, when some were mixed in since the last draw."""
        if not self._mixed:
            return None
        self._mixed = False
        return self._events
