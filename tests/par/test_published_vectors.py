"""The general machinery against the published figures of two games that it was not made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from host_tools.par.law import Law, Reading, add, line_law, mean, symbol_law, window_law

from . import vectors


def to(decimals: int, value: Fraction) -> str:
    """A value as it is printed."""
    return f"{float(value):.{decimals}f}"


def percent(value: Fraction, decimals: int = 3) -> str:
    return to(decimals, 100 * value)


def reading(pays: Mapping[str, Sequence[int]], wild: str) -> Reading:
    """Wilds pay as themselves or as whatever they stand for."""
    return Reading(pays, wilds={wild}, own=wild, wild_run=[symbol for symbol in pays if symbol != wild])


def scatter_mean(law: Law, pays: Mapping[int, int]) -> Fraction:
    return Fraction(sum(pays.get(count, 0) * weight for count, weight in law.items()), sum(law.values()))


LOBSTER_REELS = [{symbol: counts[reel] for symbol, counts in vectors.LOBSTERMANIA_COUNTS.items()} for reel in range(5)]
LOBSTER_READING = reading(vectors.LOBSTERMANIA_PAYS, "wild")


def spread_strip(counts: Mapping[str, int]) -> list[str]:
    """A strip of these symbols with the two scatters half a strip apart: the published figures count each once."""
    assert counts["scatter"] == 2
    others = [symbol for symbol, count in counts.items() if symbol != "scatter" for _ in range(count)]
    half = len(others) // 2
    return ["scatter", *others[:half], "scatter", *others[half:]]


def lobster_scatter() -> Fraction:
    strips = [spread_strip(counts) for counts in LOBSTER_REELS]
    law = add([window_law(strip, lambda window: window.count("scatter")) for strip in strips])
    return scatter_mean(law, vectors.LOBSTERMANIA_SCATTER_PAYS)


def lobster_bonus() -> Fraction:
    value = vectors.LOBSTERMANIA_AVERAGE_BONUS
    return mean(line_law(LOBSTER_REELS, Reading({"bonus": (0, 0, 0, value, value, value)})))


def test_lobstermania_has_its_published_cycle_and_lengths() -> None:
    assert [sum(reel.values()) for reel in LOBSTER_REELS] == [47, 46, 48, 50, 50]
    assert sum(line_law(LOBSTER_REELS, LOBSTER_READING).values()) == 259_440_000


def test_lobstermania_returns_what_its_par_sheet_says_by_source() -> None:
    lines = mean(line_law(LOBSTER_REELS, LOBSTER_READING))
    assert percent(lines) == "66.470"
    assert percent(lobster_bonus()) == "19.137"
    assert percent(lobster_scatter()) == "10.645"
    assert percent(lines + lobster_bonus() + lobster_scatter(), 4) == "96.2525"


def test_lobstermania_line_jackpot_comes_once_in_its_published_number_of_spins() -> None:
    law = line_law(LOBSTER_REELS, LOBSTER_READING)
    assert Fraction(sum(law.values()), law[10000]) == 8_107_500


ATKINS_LINE_LAW = line_law(
    [symbol_law(strip) for strip in vectors.ATKINS_STRIPS], reading(vectors.ATKINS_PAYS, "atkins")
)
ATKINS_SCALES = add([window_law(strip, lambda window: window.count("scale")) for strip in vectors.ATKINS_STRIPS])


def test_atkins_diet_has_its_published_cycle() -> None:
    assert [len(strip) for strip in vectors.ATKINS_STRIPS] == [32] * 5
    assert sum(ATKINS_LINE_LAW.values()) == sum(ATKINS_SCALES.values()) == 33_554_432


def test_atkins_diet_returns_what_was_published_by_source() -> None:
    lines = mean(ATKINS_LINE_LAW)
    scatter = scatter_mean(ATKINS_SCALES, vectors.ATKINS_SCATTER_PAYS)
    trigger = scatter_mean(ATKINS_SCALES, {3: 1, 4: 1, 5: 1})
    spins = vectors.ATKINS_FREE_SPINS / (1 - vectors.ATKINS_FREE_SPINS * trigger)
    bonus = spins * vectors.ATKINS_FREE_MULTIPLIER * (lines + scatter)
    assert percent(lines) == "63.460"
    assert percent(scatter) == "6.976"
    assert to(6, trigger) == "0.011185"
    assert to(6, spins) == "11.259335"
    assert to(6, bonus) == "23.791632"
    assert percent(trigger * bonus) == "26.610"
    assert percent(lines + scatter + trigger * bonus) == "97.046"


def test_atkins_diet_hits_as_often_as_was_published() -> None:
    assert percent(1 - Fraction(ATKINS_LINE_LAW[0], sum(ATKINS_LINE_LAW.values())), 2) == "5.45"
