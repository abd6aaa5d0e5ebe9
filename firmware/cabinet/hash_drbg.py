"""Hash_DRBG with SHA-256: NIST SP 800-90A revision 1, section 10.1.1, without prediction resistance.

Its 440-bit numbers are bytearrays of 55 bytes, most significant first: no large integer is made.
"""

from hashlib import sha256

from rules.portable import micropython, ptr8

STATE_BYTES = 55  # seedlen of SHA-256
LARGEST_REQUEST_BYTES = 65_536  # max_number_of_bits_per_request, 2**19
RESEED_INTERVAL = 1 << 24  # requests between two seeds; the standard allows 2**48, this stays a small integer
_HASH_BYTES = 32

# What Hash_df and the updates put before their input.
_FOR_CONSTANT = b"\x00"
_FOR_RESEED = b"\x01"
_FOR_ADDITIONAL = b"\x02"
_FOR_UPDATE = b"\x03"
_DF_BLOCK_1 = b"\x01\x00\x00\x01\xb8"  # number of the block, then the bits wanted: 440
_DF_BLOCK_2 = b"\x02\x00\x00\x01\xb8"
_ONE = b"\x01"


class GeneratorFault(Exception):
    """The generator must not be used: it gives wrong answers, its seed is used up, or its entropy has failed."""


class HashDrbg:
    """One instantiation.

    Args:
        entropy: at least 256 bits of entropy.
        nonce: 128 bits of entropy more, or a value that does not come twice.
        personalization: what tells this instantiation from others; need not be secret.
    """

    def __init__(self, entropy, nonce, personalization=b""):
        self._value = bytearray(STATE_BYTES)  # V
        self._constant = bytearray(STATE_BYTES)  # C
        self._counter = bytearray(4)  # reseed_counter
        self._seed(entropy, nonce, personalization)

    def reseed(self, entropy, additional=None):
        """Mixes at least 256 bits of fresh entropy into the state, and additional input of any length."""
        self._seed(_FOR_RESEED, self._value, entropy, additional or b"")

    def _seed(self, *material):
        self._value[:] = _derive(*material)
        self._constant[:] = _derive(_FOR_CONSTANT, self._value)
        self._requests = 1

    def generate(self, count, additional=None):
        """The next `count` random bytes.

        Args:
            additional: bytes of any length, mixed into the state first.

        Raises:
            ValueError: count is not 1 to LARGEST_REQUEST_BYTES.
            GeneratorFault: RESEED_INTERVAL requests were answered since the last seed.
        """
        if not 0 < count <= LARGEST_REQUEST_BYTES:
            raise ValueError("a request is for 1 to 65536 bytes")
        requests = self._requests
        if requests > RESEED_INTERVAL:
            raise GeneratorFault("the random generator needs a new seed")
        value = self._value
        if additional:
            _add(value, _hash(_FOR_ADDITIONAL, value, additional), _HASH_BYTES)
        random = self._stream(count)
        update = _hash(_FOR_UPDATE, value)
        _add(value, update, _HASH_BYTES)
        _add(value, self._constant, STATE_BYTES)
        counter = self._counter
        counter[0] = requests >> 24
        counter[1] = requests >> 16 & 255
        counter[2] = requests >> 8 & 255
        counter[3] = requests & 255
        _add(value, counter, 4)
        self._requests = requests + 1
        return random

    def _stream(self, count):
        """Hashgen: SHA-256 of V, V + 1, V + 2, ..."""
        if count <= _HASH_BYTES:
            return _hash(self._value)[:count]
        data = bytearray(self._value)
        random = b""
        while len(random) < count:
            random += _hash(data)
            _add(data, _ONE, 1)
        return random[:count]


def _hash(*parts):
    digest = sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def _derive(*material):
    """Hash_df: 55 bytes from material of any length."""
    return (_hash(_DF_BLOCK_1, *material) + _hash(_DF_BLOCK_2, *material))[:STATE_BYTES]


@micropython.viper
def _add(total: ptr8, addend: ptr8, size: int):
    """Adds a number of `size` bytes to one of 55, modulo 2**440, in place."""
    carry = 0
    at = 54
    while at >= 0:
        size -= 1
        if size >= 0:
            carry += addend[size]
        carry += total[at]
        total[at] = carry & 255
        carry >>= 8
        at -= 1


def known_answer_test():
    """One CAVP vector through every function: instantiate, reseed and generate, each with its optional input.

    It is COUNT = 0 of drbgvectors_pr_false/Hash_DRBG.rsp, [SHA-256], 256 bits each of personalization string and
    additional input.

    Raises:
        GeneratorFault: the answer is wrong.
    """
    generator = HashDrbg(
        b"\x6c\x62\x3a\xea\x73\xbc\x8a\x59\xe2\x8c\x6c\xd9\xc7\xc7\xec\x8c"
        b"\xa2\xe7\x51\x90\xbd\x5d\xca\xe5\x97\x8c\xf0\xc1\x99\xc2\x3f\x4f",
        b"\xe5\x5d\xb0\x67\xa0\xed\x53\x7e\x66\x88\x6b\x7c\xda\x02\xf7\x72",
        b"\x1e\x59\xd7\x98\x81\x00\x83\xd1\xff\x84\x8e\x90\xb2\x5c\x99\x27"
        b"\xe3\xdf\xb5\x5a\x08\x88\xb0\x33\x95\x66\xa9\xf9\xca\x75\x42\xdc",
    )
    generator.reseed(
        b"\x9a\xb4\x01\x64\x74\x4c\x7d\x00\xc7\x8b\x41\x96\xf6\xf9\x17\xec"
        b"\x33\xd7\x00\x30\xa0\x81\x2c\xd4\x60\x6c\x5a\x25\x38\x75\x68\xa9",
        b"\x4e\x8b\xea\xd7\xcb\xba\x7a\x7b\xc9\xae\x1e\x16\x17\x22\x2c\x41"
        b"\x39\x66\x13\x47\x59\x99\x50\xe7\x22\x5d\x1e\x2f\xaa\x5d\x57\xf5",
    )
    generator.generate(
        128,
        b"\xdc\xb2\x2a\x5d\x9f\x14\x98\x58\x63\x6f\x3e\xde\x22\x53\xe4\x19"
        b"\x81\x6f\xb7\xb1\x10\x31\x94\x45\x1e\xd6\xa5\x73\xa8\xfe\x62\x71",
    )
    answer = generator.generate(
        128,
        b"\x8f\x9d\x5c\x78\xcd\xab\xc3\x2e\x71\xac\x3b\x3c\x49\x23\x9c\xad"
        b"\xdf\x96\x05\x32\x50\xf4\xfd\x92\x05\x6e\xfb\xd0\xbe\x48\x7d\x36",
    )
    if answer != (
        b"\x6e\x98\xa3\xb1\xf6\x86\xf6\xff\xa7\x93\x55\xc9\xd8\xa5\xab\x7f"
        b"\x93\x31\x21\x59\xd5\x26\x59\xa2\x29\x83\x15\xf1\x00\x07\xc7\x1a"
        b"\xda\xbc\x0b\x5c\xcb\x41\x64\xc0\x94\x9f\xbd\xb2\x21\xb4\x3a\xcd"
        b"\xb6\x2b\xed\x30\x99\x59\x6f\x2d\x7b\xd5\xd0\x04\x81\x73\xdd\x23"
        b"\x60\xa5\x43\xb2\x34\xab\x61\xa4\x41\xdd\xb9\x29\x9a\xf8\x4c\xa4"
        b"\x5c\x6e\x61\x8f\xd5\x21\x36\x6d\xbf\x50\x9d\x4e\xc0\x61\x74\xda"
        b"\x92\x43\x61\xd6\x42\xb1\x07\xe5\x56\x4a\xc1\xb3\x23\x40\xdd\x2f"
        b"\x31\x58\xbf\x4c\x00\xbc\xb4\xdc\xf1\x2c\x6d\x67\xaf\x4b\x74\xee"
    ):
        raise GeneratorFault("the random generator fails its known-answer test")
