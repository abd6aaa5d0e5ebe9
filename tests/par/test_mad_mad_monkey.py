"""The exact figures of Mad Mad Monkey against complete enumeration with the reference, on small tables."""

from __future__ import annotations

import itertools
import re
import time
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from reference import tables as t

from host_tools.errors import UsageError
from host_tools.par import mad_mad_monkey
from host_tools.par.figures import EXACT, total
from host_tools.reference import mad_mad_monkey as reference
from host_tools.reference.common import FreeSpins, Tables
from host_tools.tables import game_tables
from par.complete_rounds import SpinLaw, most, round_moments

LINES = [[2, 2, 1, 2, 2], [1, 1, 1, 1, 1], [3, 3, 3, 3, 3], [1, 2, 3, 2, 1], [3, 2, 2, 2, 3]]
LIMIT, AWARD = 7, 2


def small(**changed: object) -> Tables:
    """Four to six stops a reel, stacks of Monkeys, two free spins a trigger, at most seven in a round."""
    settings: dict[str, object] = {
        "line_patterns": LINES,
        "max_lines": len(LINES),
        "strips": {
            "base": [
                t.words("Banana Logo Mango K Papaya"),
                t.words("Monkey Monkey Banana Logo Mango"),
                t.words("Logo Monkey Banana K"),
                t.words("Mango Monkey Monkey Monkey Logo K"),
                t.words("Banana Mango K Papaya"),
            ],
            "free": [
                t.words("Banana Banana Logo Mango K Banana"),
                t.words("Monkey Monkey Monkey Banana Mango"),
                t.words("Logo Monkey Banana Banana Mango K"),
                t.words("Monkey Mango Banana K"),
                t.words("Banana Banana Mango Logo K Mango"),
            ],
        },
        "free_spins": AWARD,
        "free_spins_limit": LIMIT,
    }
    return t.mad_mad_monkey(**(settings | changed))


SMALL = small()


class Outcome(NamedTuple):
    """What a stopped window gives at line bet 1, multipliers included."""

    lines: int
    scatter: int
    triggers: bool


def played(tables: Tables, stops: Iterable[int], mode: int, lines: int) -> Outcome:
    """One spin of the reference."""
    round_, _ = t.scripted_round(tables, stops, lines=lines)
    free_spins = FreeSpins(round_)
    win = reference.spin(round_, mode, free_spins)
    scatter = sum(int(event[3]) for event in t.named(round_.events, "scatter"))
    return Outcome(win - scatter, scatter, free_spins.awarded > 0)


@cache
def outcomes(mode: int, lines: int = 0) -> Counter[Outcome]:
    """All windows of SMALL."""
    windows = itertools.product(*(range(len(strip)) for strip in SMALL["strips"][SMALL["modes"][mode]]))
    return Counter(played(SMALL, stops, mode, lines or SMALL["max_lines"]) for stops in windows)


def average(counts: Counter[Outcome], what: str) -> Fraction:
    return Fraction(sum(int(getattr(outcome, what)) * n for outcome, n in counts.items()), counts.total())


def spin_law(counts: Counter[Outcome]) -> SpinLaw:
    law: Counter[tuple[int, bool]] = Counter()
    for outcome, windows in counts.items():
        law[outcome.lines + outcome.scatter, outcome.triggers] += windows
    return law


def named(tables: Tables, lines: int | None = None) -> dict[str, Fraction]:
    return {source.name: source.value for source in mad_mad_monkey.sources(tables, lines)}


def generations(paid: Fraction, again: Fraction, award: int) -> Fraction:
    """Mean free spins, one generation of retriggers after the other, as far as a double can tell."""
    spins = generation = paid * award
    while generation > spins / 10**20:
        generation *= again * award
        spins += generation
    return spins


# Sources


@pytest.mark.rule("PAR-01")
@pytest.mark.rule("MM-07")
def test_sources_are_those_of_all_windows_with_all_retriggers() -> None:
    base, free = outcomes(reference.BASE), outcomes(reference.FREE)
    found = named(SMALL)
    assert found["lines"] == average(base, "lines") / 5
    assert found["scatter"] == average(base, "scatter") / 5
    spins = generations(average(base, "triggers"), average(free, "triggers"), AWARD)
    for name in ("lines", "scatter"):
        assert found[f"free_spins.{name}"] > 0
        assert float(found[f"free_spins.{name}"]) == pytest.approx(float(spins * average(free, name) / 5), rel=1e-15)
    assert spins > average(base, "triggers") * AWARD * Fraction(11, 10)


@pytest.mark.rule("PAR-04")
@pytest.mark.parametrize("lines", [1, 4])
def test_return_is_the_same_for_every_number_of_lines(lines: int) -> None:
    assert named(SMALL, lines) == named(SMALL)
    assert average(outcomes(reference.BASE, lines), "lines") / lines == named(SMALL)["lines"]
    assert mad_mad_monkey.limit_source(SMALL, lines) == mad_mad_monkey.limit_source(SMALL)


@pytest.mark.rule("PAR-01")
@pytest.mark.rule("G-12")
def test_sources_and_limit_make_the_mean_of_complete_rounds() -> None:
    certain, mean, _ = round_moments(
        spin_law(outcomes(reference.BASE)), spin_law(outcomes(reference.FREE)), [(AWARD, 1)], LIMIT
    )
    limit = mad_mad_monkey.limit_source(SMALL)
    assert certain == 1
    assert limit.value < 0
    assert total([*mad_mad_monkey.sources(SMALL), limit]) == mean / 5
    assert (limit.name, limit.kind, limit.error) == ("limits", EXACT, 0)


def test_sources_are_all_exact() -> None:
    assert {(source.kind, source.error) for source in mad_mad_monkey.sources(SMALL)} == {(EXACT, 0)}


@pytest.mark.parametrize("lines", [0, 6])
def test_sources_refuse_what_the_game_has_not(lines: int) -> None:
    with pytest.raises(UsageError):
        mad_mad_monkey.sources(SMALL, lines)
    with pytest.raises(UsageError):
        mad_mad_monkey.limit_source(SMALL, lines)


def test_sources_of_the_game_take_under_50_ms() -> None:
    tables = game_tables("mad_mad_monkey")
    took = []
    for _ in range(8):
        start = time.process_time()
        mad_mad_monkey.sources(tables)
        took.append(time.process_time() - start)
    assert min(took) < 0.050


# Traps, on strips of three: each window shows the whole strip. No line pays where reels 1 and 2 share no symbol.

THREE_LOGOS = "Logo Logo Logo K Mango / A K K Mango K / Q J Mango Papaya Papaya"
TWO_LOGOS = "Logo Logo K K Mango / A K Mango Mango K / Q J Papaya Papaya Papaya"
BANANAS = "Banana Monkey Monkey Banana K / Banana Monkey Monkey Banana K / Banana Monkey Monkey Banana K"


def certain(base: str, free: str, **changed: object) -> Tables:
    return small(strips={"base": t.strips(base), "free": t.strips(free)}, **changed)


@pytest.mark.rule("MM-06")
def test_scatters_are_not_tripled() -> None:
    found = named(certain(THREE_LOGOS, TWO_LOGOS))
    assert found["scatter"] == 4
    assert found["free_spins.scatter"] == AWARD * 1


@pytest.mark.rule("MM-02")
@pytest.mark.rule("MM-06")
def test_lines_are_tripled_on_the_strips_of_free_spins_and_doubled_once() -> None:
    found = named(certain(THREE_LOGOS, BANANAS))
    assert found["free_spins.lines"] == AWARD * 3 * 2 * 100
    assert found["lines"] == 0
    assert named(certain(BANANAS, TWO_LOGOS))["lines"] == 2 * 100


@pytest.mark.rule("MM-07")
def test_free_spins_retrigger_on_their_own_strips() -> None:
    """Logos in half of the windows of reels 1 and 2, in all of reel 3: a quarter of the free spins wins two more."""
    half = [t.words("Logo K K K K K"), t.words("Logo Mango Mango Mango Mango Mango"), t.words("Logo A A")]
    strips = {"base": t.strips(THREE_LOGOS), "free": [*half, t.words("J J J"), t.words("Q Q Q")]}
    found = {trigger.name: trigger.probability for trigger in mad_mad_monkey.triggers(small(strips=strips))}
    assert found == {"free_spins": 1, "free_spins.retrigger": Fraction(2, 1 - Fraction(1, 4) * 2) * Fraction(1, 4)}


# Triggers


@pytest.mark.rule("PAR-03")
def test_triggers_are_those_of_all_windows() -> None:
    found = {trigger.name: trigger for trigger in mad_mad_monkey.triggers(SMALL)}
    base, free = average(outcomes(reference.BASE), "triggers"), average(outcomes(reference.FREE), "triggers")
    assert found["free_spins"].probability == base
    assert found["free_spins"].kind == EXACT
    spins = generations(base, free, AWARD)
    assert float(found["free_spins.retrigger"].probability) == pytest.approx(float(spins * free), rel=1e-15)


# Spread


@pytest.mark.rule("PAR-01")
@pytest.mark.rule("G-12")
def test_spread_is_that_of_complete_rounds() -> None:
    _, mean, square = round_moments(
        spin_law(outcomes(reference.BASE)), spin_law(outcomes(reference.FREE)), [(AWARD, 1)], LIMIT
    )
    spread = mad_mad_monkey.spread(SMALL)
    assert spread.variance == (square - mean**2) / 25
    assert spread.mean == mean / 5
    assert spread.kind == EXACT


@pytest.mark.rule("PAR-03")
def test_hit_frequency_and_paid_spin_are_those_of_all_windows() -> None:
    expected: Counter[int] = Counter()
    for outcome, windows in outcomes(reference.BASE).items():
        expected[outcome.lines + outcome.scatter] += windows
    spread = mad_mad_monkey.spread(SMALL)
    assert spread.paid_spin == expected
    assert spread.hit_frequency == 1 - Fraction(expected[0], expected.total())
    assert 0 < expected[0] < expected.total()


# Largest award


def replayed(tables: Tables) -> int:
    """Plays the steps of the largest award on the reference and returns what the round wins."""
    award = mad_mad_monkey.largest_award(tables)
    draws: list[int] = []
    for step in award.sequence:
        if stops := re.search(r"stops ((?:\d+ ?)+)", step):
            several = re.match(r"free spins (\d+) to (\d+)", step)
            times = int(several[2]) - int(several[1]) + 1 if several else 1
            draws += times * [int(stop) for stop in stops[1].split()]
    round_, stream = t.scripted_round(tables, draws, line_bet=award.line_bet)
    win = reference.play_round(round_)
    stream.assert_used_up()
    assert win == award.coins
    return win


@pytest.mark.rule("PAR-05")
@pytest.mark.parametrize("limit", [1, 2, 5, 7, 10])
def test_largest_award_is_the_largest_of_all_rounds(limit: int) -> None:
    expected = most(spin_law(outcomes(reference.BASE)), spin_law(outcomes(reference.FREE)), AWARD, limit)
    assert replayed(small(free_spins_limit=limit)) == expected


@pytest.mark.rule("PAR-05")
def test_largest_award_without_a_trigger_is_the_best_paid_spin() -> None:
    tables = certain(BANANAS, TWO_LOGOS)
    assert replayed(tables) == 5 * 2 * 100
    assert "free spins" not in mad_mad_monkey.largest_award(tables).sequence[0]


@pytest.mark.rule("PAR-05")
def test_largest_award_without_a_retrigger_plays_the_spins_of_one_award() -> None:
    assert replayed(certain(THREE_LOGOS, BANANAS)) == 4 * 5 + AWARD * 5 * 600


@pytest.mark.rule("PAR-05")
def test_largest_award_with_a_best_window_that_always_triggers_plays_it_to_the_limit() -> None:
    assert replayed(certain(THREE_LOGOS, THREE_LOGOS)) == (1 + LIMIT) * 4 * 5


@pytest.mark.rule("PAR-05")
def test_largest_award_of_the_game_is_reached() -> None:
    assert replayed(game_tables("mad_mad_monkey")) > 0


@pytest.mark.rule("MM-11")
def test_largest_award_says_what_the_gamble_can_add() -> None:
    assert "gamble" in mad_mad_monkey.largest_award(SMALL).sequence[-1]
