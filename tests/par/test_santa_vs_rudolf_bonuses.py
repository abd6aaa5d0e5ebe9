"""Santa's Gifts and Rudolf Spins against all layouts, all patterns and all windows of the reference."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from reference import tables as t

from host_tools.par.santa_vs_rudolf.gifts import gifts_law, gifts_mean
from host_tools.par.santa_vs_rudolf.largest import best_respin, best_rudolf_spin, best_spin, shown
from host_tools.par.santa_vs_rudolf.rudolf_spins import rudolf_spin_mean
from host_tools.reference import santa_vs_rudolf as reference
from host_tools.reference.common import window_at

TABLES = t.santa_vs_rudolf()
STEP, END = 3, 4
LINES = [[1, 2, 3, 2, 1], [2, 2, 1, 3, 3], [1, 1, 1, 2, 2]]


def found_before_end(layout: tuple[int, ...], picks: tuple[int, ...], offset: int | None) -> frozenset[int]:
    """The items of a set that the player finds; an offset means the first set."""
    items = list(layout)
    if offset is not None:
        reference.spare_first_pick(items, picks[0], offset)
    order = [items[position] for position in picks]
    return frozenset(order[: order.index(END)])


@pytest.mark.rule("SR-11", "PAR-01")
def test_gifts_are_the_mean_over_all_layouts_whatever_is_picked() -> None:
    layouts = list(itertools.permutations(range(5)))
    picks = list(itertools.permutations(range(5)))
    # For each order of picks how often each collection of items is found, in a first set and in a later one.
    firsts = {
        frozenset(Counter(found_before_end(one, pick, d) for one in layouts for d in range(1, 5)).items())
        for pick in picks
    }
    later = {frozenset(Counter(found_before_end(one, pick, None) for one in layouts).items()) for pick in picks}
    assert len(firsts) == len(later) == 1

    sets = [one["prizes"] for one in TABLES["gifts"]["sets"]]
    laws = [dict(next(iter(firsts))), dict(next(iter(later))), dict(next(iter(later)))]
    expected: Counter[int] = Counter()
    for collections in itertools.product(*laws):
        weight = 1
        coins, multiplier = 0, 1
        for law, prizes, items in zip(laws, sets, collections, strict=True):
            weight *= law[items]
            coins += sum(prizes[item] for item in items if item != STEP)
            multiplier += STEP in items
        expected[coins * min(multiplier, 4)] += weight
    assert gifts_law(TABLES) == {coins: Fraction(weight, expected.total()) for coins, weight in expected.items()}
    assert gifts_mean(TABLES) == Fraction(sum(c * w for c, w in expected.items()), expected.total())


@pytest.mark.rule("SR-12")
def test_largest_gifts_are_all_prizes_times_four() -> None:
    assert max(gifts_law(TABLES)) == 3760


def test_multiplier_of_gifts_is_cut() -> None:
    gifts = {**TABLES["gifts"], "max_multiplier": 2}
    assert max(gifts_law(t.santa_vs_rudolf(gifts=gifts))) == 2 * 940


def rudolf_tables(text: str, reindeer: int) -> dict[str, object]:
    strips = [t.words(strip) for strip in text.split("/")]
    return t.santa_vs_rudolf(
        line_patterns=LINES,
        max_lines=len(LINES),
        strips={**TABLES["strips"], "rudolf_spins": strips},
        rudolf_spins={**TABLES["rudolf_spins"], "reindeer": reindeer},
    )


def all_rudolf_spins(tables: dict[str, object], reindeer: int) -> Counter[int]:
    """What each window with each pattern of reindeer pays."""
    strips = tables["strips"]["rudolf_spins"]  # type: ignore[index]
    pays: Counter[int] = Counter()
    for stops in itertools.product(*(range(len(strip)) for strip in strips)):
        for cells in itertools.combinations(range(15), reindeer):
            window = window_at(strips, stops)
            for cell in cells:
                window[cell] = "reindeer"
            pays[sum(win.pay for win in reference.line_wins(tables, window, len(LINES), 1))] += 1
    return pays


@pytest.mark.rule("SR-13", "PAR-01")
def test_rudolf_spin_is_the_mean_over_all_patterns() -> None:
    tables = rudolf_tables("A / Sleigh A / A / A Sack / K", 5)
    pays = all_rudolf_spins(tables, 5)
    assert pays.total() == 4 * 3003
    assert rudolf_spin_mean(tables, LINES) == Fraction(sum(pay * count for pay, count in pays.items()), pays.total())


@pytest.mark.rule("SR-14", "PAR-05")
def test_best_rudolf_spin_is_the_best_of_all() -> None:
    tables = rudolf_tables("A K Sleigh Q / Sleigh A K / A K Q / Sack A J / K A Sleigh", 2)
    best = best_rudolf_spin(tables, LINES)
    assert best is not None
    assert best.coins == max(all_rudolf_spins(tables, 2))
    window = window_at(tables["strips"]["rudolf_spins"], best.stops)  # type: ignore[index]
    for cell in best.reindeer:
        window[cell] = "reindeer"
    assert len(best.reindeer) == 2
    assert sum(win.pay for win in reference.line_wins(tables, window, len(LINES), 1)) == best.coins
    assert best_rudolf_spin(tables, LINES, above=best.coins) is None
    assert best_rudolf_spin(tables, LINES, above=best.coins - 1) is not None


def test_best_spin_counts_wilds_of_the_strips() -> None:
    strips = [t.words(strip) for strip in ("rudolf A A", "A K Q", "Sleigh A K", "K Q J", "Q J santa")]
    tables = t.santa_vs_rudolf(strips={**TABLES["strips"], "base": strips})
    windows = itertools.product(*(range(3) for _ in range(5)))
    pays = [sum(win.pay for win in reference.line_wins(tables, window_at(strips, stops), 20, 1)) for stops in windows]
    best = best_spin(tables, 0, tables["line_patterns"], reindeer=0)
    assert best is not None
    assert best.coins == max(pays)


STRAIGHT = [[row] * 5 for row in (1, 2, 3)]


def all_respins(
    tables: dict[str, object], lines: list[list[int]]
) -> tuple[int, set[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The most that a re-spin of the main game pays, and all boards of moved wilds, by following every chain."""
    first, again = (tables["strips"][mode] for mode in ("base", "base_respin"))  # type: ignore[index]
    starts, stops_again = (
        [window_at(one, stops) for stops in itertools.product(*(range(len(strip)) for strip in one))]
        for one in (first, again)
    )
    walked: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    windows: set[tuple[str, ...]] = set()
    boards = [reference.land(tables, stopped, reference.NO_WILDS).wilds for stopped in starts]
    while boards:
        wilds = boards.pop()
        moved = reference.walk(wilds).wilds
        board = tuple(sorted(moved.rudolfs)), tuple(sorted(moved.santas))
        if wilds == reference.NO_WILDS or board in walked:
            continue
        walked.add(board)
        # Boards that move to the same one are followed once.
        landed = {}
        for stopped in stops_again:
            window, after, _ = reference.land(tables, stopped, moved)
            windows.add(tuple(window))
            landed[tuple(map(tuple, after))] = after
        boards += landed.values()
    return max(sum(win.pay for win in reference.line_wins(tables, one, len(lines), 1)) for one in windows), walked


@pytest.mark.rule("SR-02", "SR-03", "SR-05", "PAR-05")
@pytest.mark.parametrize("lines", [LINES, STRAIGHT])
@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("rudolf J K / K / A / Q / santa J Q", "Q / A / K / A Q / Q"),
        ("rudolf J K / K / A / Q / santa J Q", "Q / A / A / A / Q"),  # best if the wilds had not merged on their way
        ("rudolf J K / K / A / Q / J", "rudolf J A / A / K / A / Q"),
        ("rudolf J K / K / A / Q / santa J Q", "rudolf J A / A / K / A / Q"),
        ("rudolf J K / K / A / Q / J", "J / A / A / J / Q J santa"),
        pytest.param("J / K / A / Q / santa J Q", "rudolf J A / Sleigh / K / A / Q J santa", marks=pytest.mark.slow),
    ],
)
def test_best_respin_is_the_best_of_all_chains(first: str, again: str, lines: list[list[int]]) -> None:
    strips = {
        mode: [t.words(strip) for strip in text.split("/")] for mode, text in (("base", first), ("base_respin", again))
    }
    tables = t.santa_vs_rudolf(line_patterns=lines, max_lines=len(lines), strips={**TABLES["strips"], **strips})
    best = best_respin(tables, lines)
    most, walked = all_respins(tables, lines)
    assert best is not None
    assert best.coins == most > 0
    assert (best.rudolfs, best.santas) in walked
    window = shown(tables, 1, best)
    assert sum(win.pay for win in reference.line_wins(tables, window, len(lines), 1)) == most


def test_game_without_wilds_has_no_respin() -> None:
    strips = {mode: [["A"]] * 5 for mode in ("base", "base_respin")}
    assert best_respin(t.santa_vs_rudolf(strips={**TABLES["strips"], **strips}), LINES) is None
