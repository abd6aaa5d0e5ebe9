"""The enumeration against all windows one by one, against laws of lines and marks, and compiled against plain."""

from __future__ import annotations

import itertools
import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.par import compiled
from host_tools.par.best_window import best_window
from host_tools.par.compiled import jit
from host_tools.par.enumeration import spectrum
from host_tools.par.law import REELS, ROWS, Reading, add, line_law, mean, pays_by_count, symbol_law, window_law
from host_tools.tables import game_tables
from par.test_law import pay_of, readings

Strips = Sequence[Sequence[str]]
Marks = list[list[int]]

exactly = settings(derandomize=True, deadline=None, max_examples=60)
strips_of_four = st.lists(st.lists(st.sampled_from("ABCWV-"), min_size=1, max_size=4), min_size=REELS, max_size=REELS)
few_lines = st.lists(st.tuples(*[st.integers(1, ROWS)] * REELS), max_size=4)

PLAIN = """
import pickle, sys
from host_tools.par.compiled import COMPILED
from host_tools.par.enumeration import spectrum
assert not COMPILED
pickle.dump([spectrum(*arguments).counts for arguments in pickle.load(sys.stdin.buffer)], sys.stdout.buffer)
"""


def shown(strip: Sequence[Any], stop: int) -> list[Any]:
    return [strip[(stop + row) % len(strip)] for row in range(ROWS)]


def number_of(strips: Strips, *symbols: str) -> Marks:
    """For each stop how many of the symbols it shows."""
    return [[sum(cell in symbols for cell in shown(strip, stop)) for stop in range(len(strip))] for strip in strips]


def one_by_one(
    strips: Strips,
    lines: Sequence[Sequence[int]],
    reading: Reading,
    marks: Marks,
    expanding: str | None,
    both_ways: bool,
) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    for stops in itertools.product(*(range(len(strip)) for strip in strips)):
        window = [shown(strip, stop) for strip, stop in zip(strips, stops, strict=True)]
        if expanding in window[2]:
            window[2] = [expanding] * ROWS
        pay = 0
        for line in lines:
            cells = [reel[row - 1] for reel, row in zip(window, line, strict=True)]
            pay += max(pay_of(cells, reading), pay_of(cells[::-1], reading) if both_ways else 0)
        counts[sum(reel[stop] for reel, stop in zip(marks, stops, strict=True)), pay] += 1
    return counts


def game(name: str, mode: str = "base") -> tuple[Strips, list[list[int]], Reading, Marks, str | None, bool]:
    """Arguments of `spectrum` for a game's strips."""
    tables = game_tables(name)
    pays = pays_by_count(tables["line_pays"])
    strips = tables["strips"][mode]
    expanding = None
    if name == "haunted_house":
        icons = [[sum(icon for _, icon in shown(strip, stop)) for stop in range(len(strip))] for strip in strips]
        strips = [[symbol for symbol, _ in strip] for strip in strips]
        houses = number_of(strips, tables["scatter_symbol"])
        marks = [[a + 6 * b for a, b in zip(*reel, strict=True)] for reel in zip(houses, icons, strict=True)]
        reading = Reading(pays, (tables["wild"],), tables["wild"])
    elif name == "mad_hatters":
        marks = number_of(strips, tables["scatter_symbol"])
        reading = Reading(pays, (tables["wild"],), tables["wild"], [name for name in pays if name != tables["wild"]])
        expanding = tables["wild"]
    elif name == "mad_mad_monkey":
        marks = number_of(strips, tables["scatter_symbol"])
        reading = Reading(pays, (tables["wild"],), wild_multiplier=tables["wild_multiplier"])
    else:
        marks = number_of(strips, *tables["wilds"].values())
        reading = Reading(pays, tuple(tables["wilds"].values()), wild_run=(tables["wild_run_pays_as"],))
    return strips, tables["line_patterns"], reading, marks, expanding, name == "santa_vs_rudolf"


@pytest.mark.rule("PAR-01")
@exactly
@given(
    strips_of_four,
    few_lines,
    readings(),
    st.integers(0, 9),
    st.sampled_from([None, "A", "W", "-"]),
    st.booleans(),
)
def test_spectrum_counts_every_window_once(
    strips: Strips, lines: list[list[int]], reading: Reading, seed: int, expanding: str | None, both_ways: bool
) -> None:
    draw = random.Random(seed)
    marks = [[draw.choice((0, 1, 7)) for _ in strip] for strip in strips]
    found = spectrum(strips, lines, reading, marks, expanding, both_ways)
    assert found.counts == one_by_one(strips, lines, reading, marks, expanding, both_ways)
    assert found.windows == prod(len(strip) for strip in strips)


@pytest.mark.parametrize("both_ways", [False, True])
def test_spectrum_reads_the_lines_of_longer_strips(both_ways: bool) -> None:
    draw = random.Random(4)
    strips = [draw.choices("AAABBCW-", k=9 - reel) for reel in range(REELS)]
    lines = [[draw.randint(1, ROWS) for _ in range(REELS)] for _ in range(12)]
    pays = {
        "A": (0, 0, 0, 2, 10, 50),
        "B": (0, 0, 1, 4, 4, 1000),
        "C": (0, 0, 0, 7, 7, 7),
        "W": (0, 0, 3, 9, 20, 20000),
    }
    reading = Reading(pays, ("W",), "W", ("A", "B", "C"))
    arguments = strips, lines, reading, number_of(strips, "-"), "W", both_ways
    assert spectrum(*arguments).counts == one_by_one(*arguments)


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *itertools.product(["mad_mad_monkey", "haunted_house", "mad_hatters"], ["base", "free"]),
        ("santa_vs_rudolf", "base"),
    ],
)
def test_spectrum_of_a_game_has_the_laws_of_its_marks_and_lines(name: str, mode: str) -> None:
    strips, lines, reading, marks, expanding, both_ways = game(name, mode)
    found = spectrum(strips, lines, reading, marks, expanding, both_ways)
    assert found.windows == prod(len(strip) for strip in strips)

    law_of_marks: Counter[int] = Counter()
    for (mark, _), windows in found.counts.items():
        assert windows > 0
        law_of_marks[mark] += windows
    stops = [window_law(list(enumerate(reel)), lambda window, reel=reel: reel[window[0][0]]) for reel in marks]
    assert law_of_marks == add(stops)

    pays = sum(Fraction(pay * windows, found.windows) for (_, pay), windows in found.counts.items())
    if both_ways:
        assert pays == len(lines) * mean_both_ways(strips, reading)
    else:
        assert pays == sum(mean(line_law(line_rows(strips, line, expanding), reading)) for line in lines)


def line_rows(strips: Strips, line: Sequence[int], expanding: str | None) -> list[Counter[str]]:
    """The law of the row that a line crosses on each reel, reel 3 after its expansion."""
    rows = [symbol_law(strip) for strip in strips]
    windows = [shown(strips[2], stop) for stop in range(len(strips[2]))]
    rows[2] = Counter(str(expanding) if expanding in window else window[line[2] - 1] for window in windows)
    return rows


def mean_both_ways(strips: Strips, reading: Reading) -> Fraction:
    """What a line pays in the mean, tuple of symbols by tuple of symbols."""
    laws = [symbol_law(strip) for strip in strips]
    pays = 0
    for cells in itertools.product(*laws):
        pay = max(pay_of(cells, reading), pay_of(cells[::-1], reading))
        pays += pay and pay * prod(law[cell] for law, cell in zip(laws, cells, strict=True))
    return Fraction(pays, prod(len(strip) for strip in strips))


@pytest.mark.rule("PAR-05")
@pytest.mark.parametrize("name", ["mad_mad_monkey", "haunted_house", "mad_hatters"])
def test_best_window_is_the_top_of_the_spectrum(name: str) -> None:
    strips, lines, reading, marks, expanding, _ = game(name)
    found = spectrum(strips, lines, reading, marks, expanding)
    best = best_window(strips, lines, reading, marks, lambda mark: 100 * mark, expanding)
    assert best.value == max(pay + 100 * mark for mark, pay in found.counts)
    assert (best.mark, best.line_pays) in found.counts


@pytest.mark.skipif(not compiled.COMPILED, reason="numba is not installed: there is only the plain code")
def test_spectrum_is_the_same_without_numba() -> None:
    strips, lines, reading, marks, _, both_ways = game("santa_vs_rudolf")
    shorter = [strip[-24:] for strip in strips], lines, reading, [reel[-24:] for reel in marks], None, both_ways
    cases = [game("haunted_house"), game("mad_hatters"), shorter]
    result = subprocess.run(
        [sys.executable, "-c", PLAIN],
        input=pickle.dumps(cases),
        env={**os.environ, compiled.PLAIN: "1"},
        capture_output=True,
        check=True,
    )
    assert pickle.loads(result.stdout) == [spectrum(*arguments).counts for arguments in cases]


def test_note_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "COMPILED", False)
    monkeypatch.delenv(compiled.PLAIN, raising=False)
    assert "make test installs it, or: pip install -e '.[par]'" in compiled.note()
    monkeypatch.setenv(compiled.PLAIN, "1")
    assert f"{compiled.PLAIN}=1" in compiled.note()
    monkeypatch.setattr(compiled, "COMPILED", True)
    assert compiled.note() == ""


def test_function_is_compiled_where_no_cache_can_be_kept() -> None:
    """A function without a file, as in a folder that may not be written: there is nowhere to keep its machine code."""
    names: dict[str, Any] = {}
    exec("def double(x):\n    return 2 * x", names)
    assert jit(names["double"])(21) == 42
