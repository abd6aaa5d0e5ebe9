"""The random generator service and the health tests of its entropy."""

from hashlib import sha256

from cabinet import hash_drbg
from cabinet.entropy import (
    BATCH_BYTES,
    CONDITIONED_BYTES,
    PROPORTION_CUTOFF,
    PROPORTION_WINDOW,
    REPETITION_CUTOFF,
    Entropy,
    HealthTest,
)
from cabinet.hash_drbg import GeneratorFault, HashDrbg
from cabinet.random_generator import RandomGenerator
from portable import raises, rule

UNIQUE_ID = b"\xe6\x61\x24\x83\xcb\x11\x22\x33"
RECORD = bytes(range(64))


class Port:
    """os.urandom of the rp2 port over an oscillator: callable(number of the bit) giving 0 or 1."""

    def __init__(self, oscillator):
        self.oscillator = oscillator
        self.number = 0
        self.crc = 0
        self.given = b""

    def __call__(self, count):
        out = bytearray()
        for _ in range(count):
            for _ in range(8):
                out_bit = self.crc >> 7
                self.crc = (self.crc << 1 & 255 | self.oscillator(self.number)) ^ (0xD5 if out_bit else 0)
                self.number += 1
            out.append(self.crc)
        self.given += bytes(out)
        return bytes(out)


class Noise:
    """An oscillator: bits of SHA-256 of its name and a counter."""

    def __init__(self, name):
        self.name = name
        self.block = -1

    def __call__(self, number):
        if number >> 8 != self.block:
            self.block = number >> 8
            self.bits = sha256(self.name + self.block.to_bytes(4, "big")).digest()
        return self.bits[number >> 3 & 31] >> (number & 7) & 1


def generator(port=None, unique_id=UNIQUE_ID, boot_counter=7, last_round=RECORD, boot_us=600_000):
    """A random generator; every call gives the same one."""
    return RandomGenerator(port or Port(Noise(b"a")), unique_id, boot_counter, last_round, boot_us)


# -- seeds


@rule("CAB-50")
def test_generator_is_seeded_from_4096_raw_bytes_and_all_that_tells_starts_apart():
    port = Port(Noise(b"a"))
    seeds = generator(port)
    assert len(port.given) == 4096
    entropy = sha256(port.given[:2048]).digest() + sha256(port.given[2048:]).digest()
    nonce = (7).to_bytes(4, "big") + (600_000).to_bytes(4, "big")
    expected = HashDrbg(entropy, nonce, UNIQUE_ID + RECORD)
    assert [seeds.next_seed() for _ in range(5)] == [expected.generate(16) for _ in range(5)]


@rule("CAB-50")
@rule("CAB-51")
def test_no_start_repeats_the_seeds_of_another():
    # Even were the oscillator to give the same bits again, each of these alone makes other seeds.
    starts = [
        generator(),
        generator(Port(Noise(b"b"))),
        generator(unique_id=bytes(8)),
        generator(boot_counter=8),
        generator(boot_counter=(1 << 30) - 1),
        generator(last_round=b""),
        generator(boot_us=600_001),
    ]
    seeds = [start.next_seed() for start in starts for _ in range(20)]
    assert len(set(seeds)) == len(seeds)
    assert set(len(seed) for seed in seeds) == {16}


@rule("CAB-51")
def test_cycling_changes_what_is_drawn_next():
    drawn = set()
    for cycles in range(10):
        seeds = generator()
        for _ in range(cycles):
            seeds.cycle()
        drawn.add(seeds.next_seed())
    assert len(drawn) == 10


@rule("CAB-51")
def test_64_cycles_take_a_new_seed():
    port = Port(Noise(b"a"))
    seeds = generator(port)
    for _ in range(63):
        seeds.cycle()
    assert seeds._drbg._requests == 64
    seeds.cycle()
    assert seeds._drbg._requests == 1
    assert len(port.given) == 4096 + CONDITIONED_BYTES


@rule("CAB-51")
def test_until_a_new_seed_raw_bytes_change_nothing():
    seeds, other = generator(), generator()
    other._entropy._urandom = Port(Noise(b"c"))
    for _ in range(63):
        seeds.cycle()
        other.cycle()
        assert seeds.next_seed() == other.next_seed()
    seeds.cycle()
    other.cycle()
    assert seeds.next_seed() != other.next_seed()


@rule("CAB-51")
def test_each_bit_of_a_time_changes_the_next_seed():
    drawn = set()
    for bit in range(24):
        seeds = generator()
        seeds.mix(1 << bit)
        drawn.add(seeds.next_seed())
    seeds = generator()
    seeds.mix(0)
    drawn.add(seeds.next_seed())
    drawn.add(generator().next_seed())
    assert len(drawn) == 26


@rule("CAB-51")
def test_ten_times_between_two_draws_are_kept_apart():
    drawn = set()
    for number in range(10):
        seeds = generator()
        for other in range(10):
            seeds.mix(123_456 + (other == number))
        drawn.add(seeds.next_seed())
    assert len(drawn) == 10


@rule("CAB-51")
def test_times_go_into_cycles_and_new_seeds_too():
    for cycles in (1, 64):
        drawn = set()
        for ticks in (1, 2):
            seeds = generator()
            for _ in range(cycles - 1):
                seeds.cycle()
            seeds.mix(ticks)
            seeds.cycle()
            drawn.add(seeds.next_seed())
        assert len(drawn) == 2


# -- health tests


def failing(oscillator):
    """What a start with this oscillator ends with, or None."""
    try:
        generator(Port(oscillator))
    except GeneratorFault as fault:
        return str(fault)
    return None


@rule("CAB-50")
def test_no_generator_without_a_living_oscillator():
    assert "repeats itself" in failing(lambda number: 0)
    assert "repeats itself" in failing(lambda number: 1)
    assert "repeats itself" in failing(lambda number: number & 1)
    assert "repeats itself" in failing(lambda number: number >> 2 & 1)
    noise = Noise(b"a")
    assert "repeats itself" in failing(lambda number: noise(number) if number < 20_000 else 1)
    # One bit in 500 is wrong: long runs are rare, but one byte makes up nearly all.
    rare = failing(lambda number: int(number % 500 == 0))
    assert "out of proportion" in rare
    assert failing(noise) is None


@rule("CAB-50")
def test_the_crc_alone_would_hide_a_dead_oscillator():
    dead = Port(lambda number: 1)
    raw = dead(4096)
    HealthTest().check(raw, 4096)  # raises nothing
    assert len(set(raw)) > 80


@rule("CAB-50")
def test_the_bytes_themselves_are_tested_too():
    # Another port may have no CRC.
    assert "repeats itself" in raises(GeneratorFault, generator, bytes)
    assert "repeats itself" in raises(GeneratorFault, generator, lambda count: b"\xaa" * count)


@rule("CAB-50")
def test_a_failed_health_test_ends_all_drawing():
    noise = Noise(b"a")
    dies_at = [1 << 30]
    seeds = generator(Port(lambda number: noise(number) if number < dies_at[0] else 0))
    for _ in range(10):
        seeds.cycle()
    seeds.next_seed()
    dies_at[0] = 0
    cycles = 0
    try:
        while cycles < 20:
            seeds.cycle()
            cycles += 1
    except GeneratorFault as fault:
        assert "repeats itself" in str(fault)
    assert cycles == REPETITION_CUTOFF // (BATCH_BYTES - 1)
    assert "has failed" in raises(GeneratorFault, seeds.next_seed)
    dies_at[0] = 1 << 30
    assert "has failed" in raises(GeneratorFault, seeds.next_seed)


@rule("CAB-50")
def test_no_generator_with_a_wrong_known_answer():
    right = hash_drbg._FOR_UPDATE
    hash_drbg._FOR_UPDATE = b"\x04"
    try:
        assert "known-answer test" in raises(GeneratorFault, generator)
    finally:
        hash_drbg._FOR_UPDATE = right


def fault_after(data, batch):
    """At which byte the health test fails, fed in batches; None for never."""
    test = HealthTest()
    for at in range(0, len(data), batch):
        part = data[at : at + batch]
        try:
            test.check(part, len(part))
        except GeneratorFault:
            return at + len(part)
    return None


def test_repetition_is_counted_to_its_cutoff_over_batches():
    for batch in (1, 31, 500):
        for start in (b"", b"\1", bytes(range(1, 100))):
            longest = start + bytes(REPETITION_CUTOFF - 1) + b"\1\2"
            assert fault_after(longest, batch) is None
            too_long = start + bytes(REPETITION_CUTOFF) + b"\1\2"
            at = fault_after(too_long, batch)
            assert at is not None and at >= len(start) + REPETITION_CUTOFF > at - batch


def window(count, byte=0):
    """A window that begins with a byte and holds it `count` times, its longest run below the repetition cutoff."""
    others = PROPORTION_WINDOW - count
    data = bytearray(bytes([byte]) * PROPORTION_WINDOW)
    for number in range(others):
        data[PROPORTION_WINDOW - 1 - number * (PROPORTION_WINDOW // (others + 1))] = 200 + number % 2
    return bytes(data)


def test_proportion_is_counted_to_its_cutoff_in_each_window():
    for batch in (1, 31, 512):
        for before in (b"", window(300, 1), window(PROPORTION_CUTOFF - 1)):
            assert fault_after(before + window(PROPORTION_CUTOFF - 1) + window(300), batch) is None
            at = fault_after(before + window(PROPORTION_CUTOFF) + window(300), batch)
            assert at is not None and len(before) + PROPORTION_CUTOFF <= at <= len(before) + PROPORTION_WINDOW + batch


def test_entropy_is_conditioned_from_no_less_than_it_needs():
    port = Port(Noise(b"a"))
    source = Entropy(port)
    assert [source.collect() for _ in range(64)] == [False] * 63 + [True]
    assert source.condition() == sha256(port.given).digest()
    assert not source.collect()
    assert source.condition() == sha256(port.given[CONDITIONED_BYTES:]).digest()
    assert len(port.given) == 2 * CONDITIONED_BYTES
