"""The exact figures of Haunted House against complete enumeration with the reference, on small tables."""

from __future__ import annotations

import itertools
import math
import re
import time
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from reference import tables as t

from host_tools.errors import UsageError
from host_tools.par import haunted_house
from host_tools.par.figures import EXACT, total
from host_tools.reference import haunted_house as reference
from host_tools.reference.common import FreeSpins, Tables
from host_tools.tables import game_tables
from par.complete_rounds import SpinLaw, most, round_moments

LINES = [[2, 2, 1, 2, 2], [1, 1, 1, 1, 1], [3, 3, 3, 3, 3], [1, 2, 3, 2, 1]]
LIMIT = 7
NUMBERS = {1: 3, 2: 2, 3: 1}  # of the number trail, by weight
POT_LIMIT = 40


def entries(text: str) -> list[dict[str, Any]]:
    """A segment from `multiplier feature weight` triples, parted by commas."""
    triples = (triple.split() for triple in text.split(","))
    return [{"multiplier": int(m), "feature": feature, "weight": int(weight)} for m, feature, weight in triples]


SEGMENTS = [
    entries("3 collect 1, 2 repeat 2, 5 repeat 1, 4 advance 2"),
    entries("10 collect 2, 6 repeat 1, 7 advance 1, 12 advance 1"),
    entries("20 collect 3, 15 repeat 2"),
]


def strip(text: str) -> list[tuple[str, int]]:
    """Positions parted by spaces; `Plum:2` carries an icon."""
    return [(symbol, int(icon or 0)) for symbol, _, icon in (word.partition(":") for word in text.split())]


def small(**changed: object) -> Tables:
    """Four to six stops a reel with icons up to a sum past the trail, short number trail, low limits."""
    settings: dict[str, object] = {
        "line_patterns": LINES,
        "max_lines": len(LINES),
        "strips": {
            "base": [
                strip("Cherries House Plum:1 Bell Plum"),
                strip("Cherries Plum:2 House Bell"),
                strip("House Plum Cherries:1 Bell Plum"),
                strip("Plum:1 Bell Cherries House"),
                strip("Bell Plum House Cherries:2"),
            ],
            "free": [
                strip("Pumpkin Plum House Cherries:1 Bell Pumpkin"),
                strip("Cherries Pumpkin Bell:2 Plum Pumpkin"),
                strip("Pumpkin:1 House Cherries Plum Bell"),
                strip("Plum Pumpkin Bell:3 Cherries"),
                strip("Bell Pumpkin House Plum:2 Cherries Plum"),
            ],
        },
        "number_trail": [{"spins": spins, "weight": weight} for spins, weight in NUMBERS.items()],
        "bonus_trail": [1, 2, 4, 30, None],
        "full_moon": {"segments": SEGMENTS, "cashpot_limit": POT_LIMIT},
        "free_spins_limit": LIMIT,
    }
    return t.haunted_house(**(settings | changed))


SMALL = small()


class Outcome(NamedTuple):
    """What a stopped window gives at line bet 1; `full_moon` is whether the cashpot comes on top."""

    lines: int
    scatter: int
    trail: int
    full_moon: bool
    triggers: bool


def played(tables: Tables, stops: Iterable[int], mode: int) -> Outcome:
    """One spin of the reference; Full Moon Money collects at once, the number trail shows its first number."""
    round_, _ = t.scripted_round(tables, [*stops, 0, 0])
    free_spins = FreeSpins(round_)
    reference.spin(round_, mode, free_spins)
    [(_, spin_win)] = t.named(round_.events, "spin_win")
    scatter = sum(int(event[3]) for event in t.named(round_.events, "scatter"))
    trail = sum(int(event[2]) for event in t.named(round_.events, "trail"))
    full_moon = bool(t.named(round_.events, "full_moon"))
    return Outcome(int(spin_win) - scatter, scatter, trail, full_moon, free_spins.awarded > 0)


@cache
def outcomes(mode: int) -> Counter[Outcome]:
    """All windows of SMALL."""
    windows = itertools.product(*(range(len(strip)) for strip in SMALL["strips"][SMALL["modes"][mode]]))
    return Counter(played(SMALL, stops, mode) for stops in windows)


def average(counts: Counter[Outcome], what: str) -> Fraction:
    return Fraction(sum(int(getattr(outcome, what)) * n for outcome, n in counts.items()), counts.total())


@cache
def pots(limit: int) -> dict[int, Fraction]:
    """The law of the cashpot of SEGMENTS, draw by draw."""
    law: dict[int, Fraction] = {}

    def draw(segment: int, pot: int, probability: Fraction) -> None:
        weights = sum(entry["weight"] for entry in SEGMENTS[segment])
        for entry in SEGMENTS[segment]:
            after = min(limit, pot + entry["multiplier"])
            chance = probability * entry["weight"] / weights
            if after == limit or entry["feature"] == "collect":
                law[after] = law.get(after, Fraction(0)) + chance
            else:
                draw(segment + (entry["feature"] == "advance"), after, chance)

    draw(0, 0, Fraction(1))
    assert sum(law.values()) == 1
    return law


def spin_law(counts: Counter[Outcome]) -> SpinLaw:
    """With the cashpot drawn."""
    law = pots(POT_LIMIT)
    scale = math.lcm(*(chance.denominator for chance in law.values()))
    result: Counter[tuple[int, bool]] = Counter()
    for outcome, windows in counts.items():
        win = outcome.lines + outcome.scatter + outcome.trail
        for pot, chance in law.items() if outcome.full_moon else [(0, Fraction(1))]:
            result[win + pot, outcome.triggers] += windows * int(chance * scale)
    return result


def named(tables: Tables) -> dict[str, Fraction]:
    return {source.name: source.value for source in haunted_house.sources(tables)}


MEAN_NUMBER = Fraction(sum(spins * weight for spins, weight in NUMBERS.items()), sum(NUMBERS.values()))


def generations(paid: Fraction, again: Fraction) -> Fraction:
    """Mean free spins, one generation of retriggers after the other, as far as a double can tell."""
    spins = generation = paid * MEAN_NUMBER
    while generation > spins / 10**20:
        generation *= again * MEAN_NUMBER
        spins += generation
    return spins


# Full Moon Money


@pytest.mark.rule("HH-10")
@pytest.mark.parametrize("limit", [1, 3, 9, 25, POT_LIMIT])
def test_cashpot_is_that_of_all_draws(limit: int) -> None:
    law = pots(limit)
    mean = sum(pot * chance for pot, chance in law.items())
    square = sum(pot * pot * chance for pot, chance in law.items())
    assert haunted_house.cashpot(SEGMENTS, limit) == (mean, square)


@pytest.mark.rule("HH-09")
def test_uncut_cashpot_repeats_and_advances() -> None:
    """5 and repeat or 10 and collect: 10 + 5 for each repeat, of which there is one in the mean."""
    top = entries("10 collect 1, 5 repeat 1")
    assert haunted_house.uncut_cashpot([top]) == 15
    assert haunted_house.uncut_cashpot([entries("2 advance 1, 4 collect 1"), top]) == 3 + Fraction(15, 2)


@pytest.mark.rule("HH-10")
def test_cashpot_with_a_high_limit_is_the_uncut_one() -> None:
    uncut = haunted_house.uncut_cashpot(SEGMENTS)
    assert 0 < uncut - haunted_house.cashpot(SEGMENTS, 500)[0] < Fraction(1, 10**9)
    assert uncut - haunted_house.cashpot(SEGMENTS, POT_LIMIT)[0] > Fraction(1, 10)


@pytest.mark.rule("HH-10")
@pytest.mark.parametrize(
    ("segments", "limit", "most_of_all"),
    [
        (SEGMENTS, POT_LIMIT, POT_LIMIT),
        ([entries("3 collect 1, 4 advance 1"), entries("7 collect 1, 5 collect 1")], 100, 11),
        ([entries("30 collect 1, 4 advance 1"), entries("7 collect 1")], 100, 30),
        ([entries("30 collect 1, 4 advance 1"), entries("7 collect 1")], 10, 10),
        ([entries("3 collect 1, 1 repeat 1, 4 advance 1"), entries("7 collect 1")], 100, 100),
    ],
)
def test_largest_cashpot_is_reached(segments: list[list[dict[str, Any]]], limit: int, most_of_all: int) -> None:
    pot, draws = haunted_house.largest_cashpot(segments, limit)
    assert pot == most_of_all
    assert cashpot_of(segments, limit, draws) == pot


def full_moon_draws(segments: list[list[dict[str, Any]]], words: str) -> list[int]:
    """The random numbers that make the draws which the text names."""
    draws = []
    segment = 0
    for multiplier, feature, times in re.findall(r"(\d+) (advance|repeat|collect)(?: x (\d+))?", words):
        before = 0
        for entry in segments[segment]:
            if (entry["multiplier"], entry["feature"]) == (int(multiplier), feature):
                break
            before += entry["weight"]
        draws += [before] * int(times or 1)
        segment += feature == "advance"
    return draws


def cashpot_of(segments: list[list[dict[str, Any]]], limit: int, words: str) -> int:
    tables = small(full_moon={"segments": segments, "cashpot_limit": limit})
    round_, stream = t.scripted_round(tables, full_moon_draws(segments, words))
    win = reference.full_moon(round_)
    stream.assert_used_up()
    return win


# Sources


@pytest.mark.rule("PAR-01")
@pytest.mark.rule("HH-05")
def test_sources_are_those_of_all_windows_with_all_retriggers() -> None:
    base, free = outcomes(reference.BASE), outcomes(reference.FREE)
    found = named(SMALL)
    pot = haunted_house.uncut_cashpot(SEGMENTS)
    for name, factor in {"lines": 1, "scatter": 1, "trail": 1, "full_moon": pot}.items():
        assert found[name] == average(base, name) * factor / 4 > 0
        spins = generations(average(base, "triggers"), average(free, "triggers"))
        assert found[f"free_spins.{name}"] > 0
        expected = spins * average(free, name) * factor / 4
        assert float(found[f"free_spins.{name}"]) == pytest.approx(float(expected), rel=1e-15)
    assert len(found) == 8


@pytest.mark.rule("PAR-01")
@pytest.mark.rule("G-12")
@pytest.mark.rule("HH-10")
def test_sources_and_limits_make_the_mean_of_complete_rounds() -> None:
    certain_, mean, _ = round_moments(
        spin_law(outcomes(reference.BASE)), spin_law(outcomes(reference.FREE)), list(NUMBERS.items()), LIMIT
    )
    limits = haunted_house.limit_source(SMALL)
    assert certain_ == 1
    assert limits.value < 0
    assert total([*haunted_house.sources(SMALL), limits]) == mean / 4
    assert (limits.kind, limits.error) == (EXACT, 0)


def test_sources_are_all_exact() -> None:
    assert {(source.kind, source.error) for source in haunted_house.sources(SMALL)} == {(EXACT, 0)}


@pytest.mark.parametrize("lines", [1, 5])
def test_sources_refuse_other_lines(lines: int) -> None:
    assert haunted_house.sources(SMALL, 4) == haunted_house.sources(SMALL)
    with pytest.raises(UsageError):
        haunted_house.sources(SMALL, lines)
    with pytest.raises(UsageError):
        haunted_house.limit_source(SMALL, lines)


def test_sources_of_the_game_take_under_50_ms() -> None:
    tables = game_tables("haunted_house")
    took = []
    for _ in range(8):
        start = time.process_time()
        haunted_house.sources(tables)
        took.append(time.process_time() - start)
    assert min(took) < 0.050


# Traps, on strips of three: each window shows the whole strip. No line pays where reels 1 and 2 share no symbol.

THREE_HOUSES = "House House House Bell Bell / Lemon:1 Plum Bell Plum Plum / Cherries Orange Lemon Lemon Lemon"
QUIET = "Bell:1 Grapes Bell Bell Bell / Lemon:1 Plum Lemon Plum Plum / Cherries Orange Plum Lemon Lemon"


def certain(base: str, free: str, **changed: object) -> Tables:
    return small(strips={"base": t.plain(base), "free": t.plain(free)}, **changed)


@pytest.mark.rule("HH-06")
@pytest.mark.rule("HH-11")
def test_trail_starts_at_zero_on_every_spin_and_runs_in_free_spins() -> None:
    found = named(certain(THREE_HOUSES, QUIET))
    assert found["trail"] == Fraction(1, 4)
    assert found["free_spins.trail"] == MEAN_NUMBER * Fraction(2, 4)


@pytest.mark.rule("HH-04")
def test_free_spins_are_the_mean_of_the_number_trail() -> None:
    trail = [{"spins": 1, "weight": 5}, {"spins": 15, "weight": 1}]
    found = named(certain(THREE_HOUSES, QUIET, number_trail=trail))
    assert found["free_spins.trail"] == Fraction(20, 6) * Fraction(2, 4)


@pytest.mark.rule("HH-03")
@pytest.mark.rule("HH-07")
def test_scatters_pay_by_the_total_bet_and_the_trail_by_the_line_bet() -> None:
    tables = certain(THREE_HOUSES, QUIET)
    twice = {**tables, "line_patterns": LINES * 2, "max_lines": 8}
    assert named(tables)["scatter"] == named(twice)["scatter"] == 3
    assert named(tables)["trail"] == 2 * named(twice)["trail"]


@pytest.mark.rule("HH-07")
@pytest.mark.rule("HH-08")
def test_a_sum_past_the_trail_is_full_moon_money_which_alone_pays() -> None:
    past = QUIET.replace("Grapes", "Grapes:3").replace("Orange", "Orange:3")
    found = named(certain(past, QUIET))
    assert found["trail"] == 0
    assert found["full_moon"] == haunted_house.uncut_cashpot(SEGMENTS) / 4


@pytest.mark.rule("HH-02")
def test_pumpkins_pay_by_themselves_and_for_others() -> None:
    """A Pumpkin alone on reel 1, on reel 2, or both, before symbols that pay for two or three."""
    free = "Pumpkin Pumpkin Cherries Bell Bell / Lemon Cherries Lemon Plum Plum / Orange Grapes Orange Lemon Lemon"
    found = named(certain(THREE_HOUSES, free))
    counts = outcomes_of(certain(THREE_HOUSES, free), reference.FREE)
    assert found["free_spins.lines"] == MEAN_NUMBER * average(counts, "lines") / 4 > 0


def outcomes_of(tables: Tables, mode: int) -> Counter[Outcome]:
    return Counter(played(tables, stops, mode) for stops in itertools.product(range(3), repeat=5))


# Triggers


@pytest.mark.rule("PAR-03")
def test_triggers_are_those_of_all_windows() -> None:
    found = {trigger.name: trigger for trigger in haunted_house.triggers(SMALL)}
    base, free = outcomes(reference.BASE), outcomes(reference.FREE)
    assert found["free_spins"].probability == average(base, "triggers")
    spins = generations(average(base, "triggers"), average(free, "triggers"))
    paying = [
        Fraction(sum(n for outcome, n in counts.items() if outcome.trail), counts.total()) for counts in (base, free)
    ]
    full_moon = [average(counts, "full_moon") for counts in (base, free)]
    assert found["trail.base"].probability == paying[0]
    assert found["full_moon.base"].probability == full_moon[0]
    for name, (paid, more) in {
        "trail": paying,
        "full_moon": full_moon,
        "free_spins.retrigger": (Fraction(0), average(free, "triggers")),
    }.items():
        assert float(found[name].probability) == pytest.approx(float(paid + spins * more), rel=1e-15)


# Spread


@pytest.mark.rule("PAR-01")
@pytest.mark.rule("G-12")
def test_spread_is_that_of_complete_rounds() -> None:
    _, mean, square = round_moments(
        spin_law(outcomes(reference.BASE)), spin_law(outcomes(reference.FREE)), list(NUMBERS.items()), LIMIT
    )
    spread = haunted_house.spread(SMALL)
    assert spread.variance == (square - mean**2) / 16
    assert spread.mean == mean / 4
    assert spread.kind == EXACT


@pytest.mark.rule("PAR-03")
def test_hit_frequency_counts_trail_and_full_moon_too() -> None:
    base = outcomes(reference.BASE)
    spread = haunted_house.spread(SMALL)
    hits = sum(n for outcome, n in base.items() if any(outcome[:4]))
    assert spread.hit_frequency == Fraction(hits, base.total())
    assert any(outcome.trail and not outcome.lines + outcome.scatter for outcome in base)
    expected: Counter[int] = Counter()
    for outcome, windows in base.items():
        expected[outcome.lines + outcome.scatter] += windows
    assert spread.paid_spin == expected


# Largest award


def replayed(tables: Tables) -> int:
    """Plays the steps of the largest award on the reference and returns what the round wins."""
    award = haunted_house.largest_award(tables)
    segments, trail = tables["full_moon"]["segments"], tables["number_trail"]
    moon = [full_moon_draws(segments, step) for step in award.sequence if step.startswith("each Full Moon")]
    draws: list[int] = []
    for step in award.sequence:
        if stops := re.search(r"stops ((?:\d+ ?)+)", step):
            several = re.match(r"free spins (\d+) to (\d+)", step)
            spin = [int(stop) for stop in stops[1].split()]
            if "Full Moon Money" in step:
                spin += moon[0]
            if number := re.search(r"number trail (\d+)", step):
                at = [entry["spins"] for entry in trail].index(int(number[1]))
                spin.append(sum(entry["weight"] for entry in trail[:at]))
            draws += (int(several[2]) - int(several[1]) + 1 if several else 1) * spin
    round_, stream = t.scripted_round(tables, draws, line_bet=award.line_bet)
    win = reference.play_round(round_)
    stream.assert_used_up()
    assert win == award.coins
    return win


@pytest.mark.rule("PAR-05")
@pytest.mark.parametrize("limit", [1, 3, 4, 7, 9])
def test_largest_award_is_the_largest_of_all_rounds(limit: int) -> None:
    expected = most(spin_law(outcomes(reference.BASE)), spin_law(outcomes(reference.FREE)), max(NUMBERS), limit)
    assert replayed(small(free_spins_limit=limit)) == expected


@pytest.mark.rule("PAR-05")
def test_largest_award_without_a_retrigger_plays_the_longest_number() -> None:
    assert replayed(certain(THREE_HOUSES, QUIET)) == 3 * 4 + 1 + 3 * 2


@pytest.mark.rule("PAR-05")
def test_largest_award_with_a_best_window_that_always_triggers_plays_it_to_the_limit() -> None:
    assert replayed(certain(THREE_HOUSES, THREE_HOUSES)) == (1 + LIMIT) * (3 * 4 + 1)


@pytest.mark.rule("PAR-05")
def test_largest_award_of_the_game_is_reached() -> None:
    assert replayed(game_tables("haunted_house")) > 0
