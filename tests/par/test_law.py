"""Laws of lines and windows against all tuples of symbols, one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import tables as t

from host_tools.par.law import Reading, add, line_law, mean, pays_by_count, symbol_law, window_law
from host_tools.reference import mad_hatters

SYMBOLS = "ABCWV-"  # W and V can be wild, - never pays
exactly = settings(derandomize=True, deadline=None, max_examples=100)

strips = st.lists(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=4), min_size=5, max_size=5)
pay_rows = st.lists(st.integers(0, 30), min_size=4, max_size=4).map(lambda pays: (0, 0, *pays))


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Any reading that a game could have, monotone pays or not."""
    pays = {symbol: draw(pay_rows) for symbol in "ABCWV"}
    wilds = frozenset(draw(st.sets(st.sampled_from("WV"))))
    own = draw(st.sampled_from([None, *sorted(wilds)]))
    wild_run = draw(st.lists(st.sampled_from("ABCV"), unique=True)) if wilds else []
    return Reading(pays, wilds, own, tuple(wild_run), draw(st.sampled_from([1, 2, 3])))


def leading(cells: Sequence[str], accepted: str) -> int:
    return len(list(itertools.takewhile(lambda symbol: symbol in accepted, cells)))


def pay_of(cells: Sequence[str], reading: Reading) -> int:
    """What five symbols pay, straight from the rules of reading."""
    wilds = "".join(reading.wilds)
    wild_count = leading(cells, wilds)
    candidates = [0]
    for symbol in cells[wild_count : wild_count + 1]:
        count = leading(cells, wilds + symbol)
        factor = reading.wild_multiplier if any(cell in wilds for cell in cells[:count]) else 1
        candidates.append(reading.pays.get(symbol, [0] * 6)[count] * factor)
    if wild_count:
        candidates += [reading.pays[symbol][wild_count] * reading.wild_multiplier for symbol in reading.wild_run]
        if reading.own is not None:
            own_count = leading(cells, reading.own)
            candidates.append(reading.pays[reading.own][own_count] * reading.wild_multiplier)
    return max(candidates)


@pytest.mark.rule("PAR-01")
@exactly
@given(strips, readings())
def test_line_law_counts_every_line_once(strips: list[list[str]], reading: Reading) -> None:
    counted = Counter(pay_of(cells, reading) for cells in itertools.product(*strips))
    assert {
        pay: weight for pay, weight in line_law([symbol_law(s) for s in strips], reading).items() if weight
    } == counted


@exactly
@given(strips, readings(), st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_line_law_knows_counts_of_symbols_only(strips: list[list[str]], reading: Reading, turns: list[int]) -> None:
    turned = [
        strip[turn % len(strip) :] + strip[: turn % len(strip)] for strip, turn in zip(strips, turns, strict=True)
    ]
    mixed = [sorted(strip) for strip in strips]
    law = line_law([symbol_law(strip) for strip in strips], reading)
    assert line_law([symbol_law(strip) for strip in turned], reading) == law
    assert line_law([symbol_law(strip) for strip in mixed], reading) == law


@exactly
@given(strips, readings(), st.integers(1, 5), st.integers(2, 7))
def test_line_law_scales_with_the_weights_of_a_reel(
    strips: list[list[str]], reading: Reading, reel: int, factor: int
) -> None:
    laws = [symbol_law(strip) for strip in strips]
    once = line_law(laws, reading)
    laws[reel - 1] = Counter({symbol: factor * weight for symbol, weight in laws[reel - 1].items()})
    assert line_law(laws, reading) == {pay: factor * weight for pay, weight in once.items()}


def test_line_law_ignores_symbols_without_positions() -> None:
    reading = Reading({"A": (0, 0, 0, 5, 10, 20)})
    assert line_law([{"A": 2, "B": 0}] * 5, reading) == {20: 32}


@pytest.mark.parametrize("hatter", [None, "James"])
def test_line_law_reads_lines_as_the_reference_does(hatter: str | None) -> None:
    tables = t.mad_hatters()
    pays = pays_by_count(tables["line_pays"])
    reading = Reading(
        pays,
        wilds={"Hat"} if hatter is None else {"Hat", hatter},
        own="Hat",
        wild_run=[symbol for symbol in pays if symbol != "Hat"],
    )
    seen = set()
    for cells in itertools.product(("Hat", "James", "Teapot", "Teacup", "Bunny"), repeat=5):
        expected = max(
            (found.coins // found.multiplier for found in mad_hatters.line_readings(tables, list(cells), hatter)),
            default=0,
        )
        assert line_law([{symbol: 1} for symbol in cells], reading) == {expected: 1}, cells
        seen.add(expected)
    assert len(seen) > 10


def brute_windows(strip: Sequence[str], symbol: str) -> Counter[int]:
    ring = [*strip, *strip, *strip]
    return Counter(ring[stop : stop + 3].count(symbol) for stop in range(len(strip)))


@exactly
@given(strips)
def test_sum_of_window_laws_counts_every_window_once(strips: list[list[str]]) -> None:
    laws = [window_law(strip, lambda window: window.count("A")) for strip in strips]
    assert laws == [brute_windows(strip, "A") for strip in strips]
    shown = ([[*strip, *strip, *strip][stop : stop + 3].count("A") for stop in range(len(strip))] for strip in strips)
    assert add(laws) == Counter(sum(counts) for counts in itertools.product(*shown))


@exactly
@given(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=12), st.integers(0, 11))
def test_window_law_does_not_depend_on_where_the_strip_starts(strip: list[str], turn: int) -> None:
    turn %= len(strip)

    def measure(window: Sequence[str]) -> int:
        return sum((row + 1) * (symbol == "A") for row, symbol in enumerate(window))

    assert window_law(strip[turn:] + strip[:turn], measure) == window_law(strip, measure)


def test_window_law_gives_windows_top_to_bottom() -> None:
    seen = []
    window_law(["a", "b", "c", "d"], lambda window: seen.append("".join(window)) or 0)
    assert seen == ["abc", "bcd", "cda", "dab"]


def test_mean_and_pays_by_count_keep_the_numbers_exact() -> None:
    assert mean({0: 1, 7: 2}) == mean({0: 3, 7: 6})
    assert mean({0: 1, 7: 2}) * 3 == 14
    assert add([]) == {0: 1}
    assert pays_by_count({"A": {"2": 1, "5": 9}}) == {"A": (0, 0, 1, 0, 0, 9)}
