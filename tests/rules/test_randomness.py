"""Statistics of what is drawn, from the generator's seeds to the stops of each game, at 99 % (CAB-52).

Everything is deterministic: the oscillator is SHA-256 of a counter. One good sample in a hundred fails a test at 99 %,
so a sample that fails is followed by a second one, and only two failures in a row count. Biased draws must fail.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from functools import cache
from hashlib import sha256
from itertools import pairwise

import pytest
from cabinet.entropy import CONDITIONED_BYTES, PROPORTION_CUTOFF, PROPORTION_WINDOW, REPETITION_CUTOFF
from cabinet.random_generator import RandomGenerator
from rules.draw import RoundStream
from rules.games import GAMES, game_module
from rules.round import play

Statistic = tuple[float, int]
"""A sum that follows the chi-square distribution when all is well, and its degrees of freedom."""

ROUNDS = 4_000
GROUPS = 5


def limit_99(freedom: int) -> float:
    """What a chi-square sum exceeds once in a hundred times (Wilson and Hilferty; 1 % low at one degree of freedom)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 2.326348 * math.sqrt(spread)) ** 3


def holds(test: Callable[[int], Statistic]) -> bool:
    """True when the statistic of sample 0 or else of sample 1 keeps to its limit."""
    return any(total <= limit_99(freedom) for total, freedom in map(test, (0, 1)))


def together(parts: Sequence[Statistic]) -> Statistic:
    """Independent statistics as one."""
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


# -- samples


class _Oscillator:
    """Raw bytes by SHA-256 of the sample's number and a counter."""

    def __init__(self, sample: int) -> None:
        self._sample = sample
        self._block = 0

    def __call__(self, count: int) -> bytes:
        assert count <= 32
        self._block += 1
        return sha256(b"oscillator %d %d" % (self._sample, self._block)).digest()[:count]


@cache
def seeds(sample: int) -> list[bytes]:
    """ROUNDS seeds as a cabinet makes them: cycles and a button in between."""
    generator = RandomGenerator(_Oscillator(sample), b"pico  id", sample, b"", 600_000)
    drawn = []
    for number in range(ROUNDS):
        for _ in range(3):
            generator.cycle()
        generator.mix(number * 2_500_011)
        drawn.append(generator.next_seed())
    return drawn


@cache
def stops(game: str, sample: int) -> list[tuple[int, ...]]:
    """The stops of the first spin of ROUNDS rounds."""
    lines = game_module(game).MAX_LINES
    drawn = []
    for seed in seeds(sample):
        event = next(event for event in play(game, 1, lines, seed) if event[0] == "spin")
        drawn.append(event[2:7])
    return drawn


@cache
def numbers(sample: int, n: int) -> list[int]:
    """Numbers below n, 40 from each of 1,000 seeds."""
    drawn = []
    for seed in seeds(sample)[:1_000]:
        stream = RoundStream(seed)
        drawn += [stream.below(n) for _ in range(40)]
    return drawn


# -- tests


def frequency(drawn: Sequence[int], n: int) -> Statistic:
    """Chi-square of how often each number came up."""
    counts = Counter(drawn)
    assert set(counts) <= set(range(n))
    expected = len(drawn) / n
    return sum((counts[number] - expected) ** 2 / expected for number in range(n)), n - 1


def runs(drawn: Sequence[int], n: int) -> Statistic:
    """Wald and Wolfowitz: how often the row changes between the lower and the upper half."""
    upper = [2 * number >= n for number in drawn]
    high = sum(upper)
    low = len(upper) - high
    found = 1 + sum(before != after for before, after in pairwise(upper))
    mean = 1 + 2 * high * low / len(upper)
    variance = (mean - 1) * (mean - 2) / (len(upper) - 1)
    return (found - mean) ** 2 / variance, 1


def pairs(first: Sequence[int], second: Sequence[int], n: int, m: int) -> Statistic:
    """Chi-square of pairs of numbers below n and below m, each in five groups as equal as can be."""
    counts = Counter((a * GROUPS // n, b * GROUPS // m) for a, b in zip(first, second, strict=True))
    share = Counter(a * GROUPS // n for a in range(n)), Counter(b * GROUPS // m for b in range(m))
    total = 0.0
    for a in range(GROUPS):
        for b in range(GROUPS):
            expected = len(first) * share[0][a] / n * share[1][b] / m
            total += (counts[a, b] - expected) ** 2 / expected
    return total, GROUPS * GROUPS - 1


def serial(drawn: Sequence[int], n: int) -> Statistic:
    """Each number with the next, in pairs that do not overlap."""
    half = len(drawn) // 2
    return pairs(drawn[: 2 * half : 2], drawn[1 : 2 * half : 2], n, n)


def correlation(columns: Sequence[Sequence[int]]) -> Statistic:
    """Pearson's coefficient of every two columns: r squared times the rows."""
    means = [sum(column) / len(column) for column in columns]
    total = 0.0
    freedom = 0
    for b in range(len(columns)):
        for a in range(b):
            x = [value - means[a] for value in columns[a]]
            y = [value - means[b] for value in columns[b]]
            product = sum(p * q for p, q in zip(x, y, strict=True))
            total += len(x) * product**2 / (sum(p * p for p in x) * sum(q * q for q in y))
            freedom += 1
    return total, freedom


def test_limits_are_those_of_the_tables() -> None:
    for freedom, limit in ((1, 6.635), (5, 15.086), (10, 23.209), (24, 42.980), (100, 135.807)):
        assert limit_99(freedom) == pytest.approx(limit, rel=0.01)


# -- seeds and raw words


@pytest.mark.rule("CAB-51")
@pytest.mark.rule("CAB-52")
def test_bytes_and_bits_of_seeds_are_uniform() -> None:
    def drawn(sample: int) -> bytes:
        return b"".join(seeds(sample))

    def bits(sample: int) -> Statistic:
        ones = [sum(seed[bit >> 3] >> (bit & 7) & 1 for seed in seeds(sample)) for bit in range(128)]
        return sum((2 * count - ROUNDS) ** 2 / ROUNDS for count in ones), 128

    assert holds(bits)
    assert holds(lambda sample: frequency(drawn(sample), 256))
    assert holds(lambda sample: serial(drawn(sample), 256))
    assert holds(lambda sample: runs(drawn(sample), 256))


@pytest.mark.rule("CAB-52")
def test_raw_words_are_uniform() -> None:
    def words(sample: int) -> list[int]:
        return numbers(sample, 65_536)

    assert holds(lambda sample: frequency([word >> 8 for word in words(sample)], 256))
    assert holds(lambda sample: frequency([word & 255 for word in words(sample)], 256))
    assert holds(lambda sample: runs(words(sample), 65_536))
    assert holds(lambda sample: serial(words(sample), 65_536))


# -- scaled numbers and picks


@pytest.mark.rule("CAB-52")
@pytest.mark.parametrize("n", [2, 3, 5, 13, 42, 52, 200])
def test_scaled_numbers_are_uniform(n: int) -> None:
    assert holds(lambda sample: frequency(numbers(sample, n), n))
    assert holds(lambda sample: runs(numbers(sample, n), n))
    if n >= GROUPS:
        assert holds(lambda sample: serial(numbers(sample, n), n))


@pytest.mark.rule("CAB-52")
def test_numbers_that_need_many_rejections_are_uniform() -> None:
    # Of 65,536 pieces 40,000 are taken; without rejection the lower 25,536 would come up twice as often.
    assert holds(lambda sample: frequency([number // 400 for number in numbers(sample, 40_000)], 100))


@cache
def picks(sample: int, count: int, wanted: int) -> list[tuple[int, ...]]:
    """The first `wanted` of so many things, drawn without replacement, 20 times from every seed."""
    drawn = []
    for seed in seeds(sample)[:500]:
        stream = RoundStream(seed)
        for _ in range(20):
            things = list(range(count))
            stream.shuffle(things, wanted)
            drawn.append(tuple(things[:wanted]))
    return drawn


@pytest.mark.rule("CAB-52")
def test_picks_without_replacement_are_uniform() -> None:
    # Five of fifteen cells are made wild in a Rudolf Spin: every place of the row, and the first two together.
    for place in range(5):
        assert holds(lambda sample, at=place: frequency([pick[at] for pick in picks(sample, 15, 5)], 15))
    assert holds(
        lambda sample: frequency(
            [14 * pick[0] + pick[1] - (pick[1] > pick[0]) for pick in picks(sample, 15, 2)],
            15 * 14,
        )
    )
    # Every order of four things.
    orders = {order: number for number, order in enumerate(sorted(set(picks(0, 4, 3))))}
    assert len(orders) == 24
    assert holds(lambda sample: frequency([orders[pick] for pick in picks(sample, 4, 3)], 24))


# -- stops of the games


@pytest.mark.rule("CAB-52")
@pytest.mark.parametrize("game", GAMES)
def test_stops_of_a_game_are_uniform_and_independent(game: str) -> None:
    lengths = [len(strip) for strip in game_module(game).STRIPS[0]]

    def reels(sample: int) -> list[tuple[int, ...]]:
        return list(zip(*stops(game, sample), strict=True))

    assert holds(lambda sample: together([frequency(*reel) for reel in zip(reels(sample), lengths, strict=True)]))
    assert holds(lambda sample: together([runs(*reel) for reel in zip(reels(sample), lengths, strict=True)]))
    assert holds(lambda sample: together([serial(*reel) for reel in zip(reels(sample), lengths, strict=True)]))
    assert holds(lambda sample: correlation(reels(sample)))
    # Reels that stand side by side, and the last reel with the first of the next round.
    assert holds(
        lambda sample: together(
            [pairs(reels(sample)[reel], reels(sample)[reel + 1], lengths[reel], lengths[reel + 1]) for reel in (0, 2)]
        )
    )
    assert holds(lambda sample: pairs(reels(sample)[4][:-1], reels(sample)[0][1:], lengths[4], lengths[0]))


# -- the tests see what they are for


@pytest.mark.rule("CAB-52")
def test_biased_draws_are_found() -> None:
    def modulo(sample: int) -> list[int]:
        return [word % 40_000 for word in numbers(sample, 65_536)]

    def sticky(sample: int) -> list[int]:
        drawn = numbers(sample, 42)
        return [drawn[at - at % 20] if at % 20 == 1 else number for at, number in enumerate(drawn)]

    def leaning(sample: int) -> list[list[int]]:
        first, second = numbers(sample, 42), numbers(sample + 2, 42)
        return [first, [a if at % 20 == 0 else b for at, (a, b) in enumerate(zip(first, second, strict=True))]]

    def short(sample: int) -> list[int]:
        return [min(number, 40) for number in numbers(sample, 42)]

    assert not holds(lambda sample: frequency([number // 400 for number in modulo(sample)], 100))
    assert not holds(lambda sample: frequency(short(sample), 42))
    assert not holds(lambda sample: serial(sticky(sample), 42))
    assert not holds(lambda sample: runs(sticky(sample), 42))
    assert not holds(lambda sample: correlation(leaning(sample)))
    assert not holds(lambda sample: pairs(*leaning(sample), 42, 42))


# -- the cutoffs of the health tests


@pytest.mark.rule("CAB-50")
def test_cutoffs_of_the_health_tests_are_those_of_sp_800_90b() -> None:
    entropy_bits = Decimal("0.25")  # min-entropy claimed for a raw byte
    with localcontext() as context:
        context.prec = 60
        alarm = Decimal(2) ** -30
        assert 1 + math.ceil(30 / entropy_bits) == REPETITION_CUTOFF
        p = 2**-entropy_bits
        tail = Decimal(0)
        count = PROPORTION_WINDOW + 1
        while tail <= alarm:
            count -= 1
            tail += math.comb(PROPORTION_WINDOW, count) * p**count * (1 - p) ** (PROPORTION_WINDOW - count)
        assert 1 + count == PROPORTION_CUTOFF  # count is the smallest with P(X <= count) >= 1 - alarm
        assert entropy_bits * CONDITIONED_BYTES >= 256 + 64
