"""Hash_DRBG against NIST's vectors, its limits, and its known-answer test."""

from cabinet import hash_drbg
from cabinet.hash_drbg import LARGEST_REQUEST_BYTES, RESEED_INTERVAL, GeneratorFault, HashDrbg, known_answer_test
from hash_drbg_vectors import STATE_STEPS, VECTORS
from portable import raises, rule


def seeded():
    """A generator of any state."""
    return HashDrbg(bytes(range(32)), bytes(range(16)), b"unit test")


@rule("CAB-50")
def test_drbg_gives_the_published_answers():
    wrong = []
    for name, entropy, nonce, personalization, steps, answer in VECTORS:
        generator = HashDrbg(bytes.fromhex(entropy), bytes.fromhex(nonce), bytes.fromhex(personalization))
        given = b""
        for step in steps:
            inputs = [bytes.fromhex(text) for text in step[1:]]
            if step[0] == "reseed":
                generator.reseed(*inputs)
            else:
                given = generator.generate(len(answer) // 2, *inputs)
        if given != bytes.fromhex(answer):
            wrong.append(name)
    assert len(VECTORS) == 13
    assert wrong == []


@rule("CAB-50")
def test_drbg_has_the_published_states():
    _, entropy, nonce, personalization, steps, answer = VECTORS[4]
    generator = HashDrbg(bytes.fromhex(entropy), bytes.fromhex(nonce), bytes.fromhex(personalization))
    for name, value, constant in STATE_STEPS:
        if name == "reseed":
            generator.reseed(bytes.fromhex(steps[0][1]))
        elif name == "generate":
            generator.generate(len(answer) // 2)
        assert generator._value == bytes.fromhex(value)
        assert generator._constant == bytes.fromhex(constant)


def test_addition_is_modulo_2_to_the_440():
    numbers = [0, 1, 255, 256, 0x0102030405060708090A0B0C0D0E0F, (1 << 439) + 12345, (1 << 440) - 1]
    for number in numbers:
        for size, addend in ((55, (1 << 440) - 1), (55, 1 << 439), (32, (1 << 256) - 1), (4, 0x01FFFF80), (1, 1)):
            total = bytearray(number.to_bytes(55, "big"))
            hash_drbg._add(total, addend.to_bytes(size, "big"), size)
            assert total == ((number + addend) % (1 << 440)).to_bytes(55, "big")


def test_reseed_counter_is_added_in_four_bytes():
    # V' = V + H(3 || V) + C + reseed_counter: two counters apart, the states are as far apart.
    for counter in (1, 255, 256, 65_536, RESEED_INTERVAL):
        values = []
        for requests in (1, counter):
            generator = seeded()
            generator._requests = requests
            generator.generate(16)
            values.append(int.from_bytes(bytes(generator._value), "big"))
        assert (values[1] - values[0]) % (1 << 440) == counter - 1


def test_longer_requests_begin_with_shorter_ones():
    whole = seeded().generate(200)
    assert len(whole) == 200
    for count in (1, 16, 31, 32, 33, 64, 128, 199):
        assert seeded().generate(count) == whole[:count]


def test_a_request_is_1_to_65536_bytes():
    generator = seeded()
    assert len(generator.generate(LARGEST_REQUEST_BYTES)) == LARGEST_REQUEST_BYTES
    for count in (0, -1, LARGEST_REQUEST_BYTES + 1):
        assert "65536" in raises(ValueError, generator.generate, count)


@rule("CAB-50")
def test_drbg_wants_a_new_seed_at_the_end_of_its_interval():
    generator = seeded()
    generator._requests = RESEED_INTERVAL
    assert len(generator.generate(16)) == 16
    state = bytes(generator._value)
    assert "new seed" in raises(GeneratorFault, generator.generate, 16)
    assert generator._value == state
    generator.reseed(bytes(32))
    assert len(generator.generate(16)) == 16


def test_every_input_counts():
    generators = [
        HashDrbg(bytes(32), bytes(16)),
        HashDrbg(bytes(31) + b"\1", bytes(16)),
        HashDrbg(bytes(32), bytes(15) + b"\1"),
        HashDrbg(bytes(32), bytes(16), b"\0"),
        HashDrbg(bytes(32), bytes(16), b"\1"),
    ]
    answers = [generator.generate(16) for generator in generators]
    answers += [generator.generate(16) for generator in generators]
    for additional in (b"\0", b"\1", bytes(100)):
        answers.append(HashDrbg(bytes(32), bytes(16)).generate(16, additional))
    for entropy, additional in ((bytes(32), b""), (bytes(32), b"\1"), (bytes(31) + b"\1", b"")):
        generator = HashDrbg(bytes(32), bytes(16))
        generator.reseed(entropy, additional)
        answers.append(generator.generate(16))
    assert len(set(answers)) == len(answers) == 16


@rule("CAB-50")
def test_known_answer_test_fails_when_any_part_is_broken():
    known_answer_test()

    def no_carry(total, addend, size):
        for at in range(size):
            total[54 - at] = total[54 - at] + addend[size - 1 - at] & 255

    def derive_one_block(*material):
        return hash_drbg._hash(*material) + bytes(23)

    for name, broken in (
        ("_add", no_carry),
        ("_derive", derive_one_block),
        ("_FOR_CONSTANT", b"\x04"),
        ("_FOR_RESEED", b"\x04"),
        ("_FOR_ADDITIONAL", b"\x04"),
        ("_FOR_UPDATE", b"\x04"),
        ("_ONE", b"\x02"),
    ):
        right = getattr(hash_drbg, name)
        setattr(hash_drbg, name, broken)
        try:
            assert "known-answer test" in raises(GeneratorFault, known_answer_test)
        finally:
            setattr(hash_drbg, name, right)
    known_answer_test()
