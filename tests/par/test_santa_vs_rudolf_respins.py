"""Line means, and a spin with its re-spins, against complete enumeration, whole boards and the reference."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from reference import tables as t

from host_tools.errors import CheckFailed
from host_tools.par.santa_vs_rudolf.half_boards import HalfBoards
from host_tools.par.santa_vs_rudolf.line_means import LineMeans
from host_tools.par.santa_vs_rudolf.merges import merge_law
from host_tools.par.santa_vs_rudolf.respins import respins
from host_tools.reference import santa_vs_rudolf as reference
from host_tools.reference.common import window_at
from host_tools.tables import game_tables
from par.wild_windows import wild_windows

TABLES = t.santa_vs_rudolf()
LINES = [[2, 2, 2, 2, 2], [1, 2, 3, 2, 1], [1, 1, 1, 1, 2]]
PLAIN = t.words("Sleigh A K Q Sack J")


def ring(wild: str | None, length: int, second: str | None = None) -> list[str]:
    """A strip with a wild at its start, and perhaps another four places on."""
    strip = [PLAIN[place % len(PLAIN)] for place in range(length)]
    for place, symbol in ((0, wild), (4, second)):
        if symbol:
            strip[place] = symbol
    return strip


@dataclass(frozen=True)
class Means:
    """Of all re-spins of a spin, and of the merges on them."""

    coins: float
    merges: dict[int, float]


def whole_boards(
    first: Sequence[Sequence[str]],
    again: Sequence[Sequence[str]],
    tables: dict[str, Any] = TABLES,
    lines: Sequence[Sequence[int]] = LINES,
) -> Means:
    """The means by sweeps over whole boards (T5), from below until nothing changes."""
    np = pytest.importorskip("numpy")
    means = LineMeans(tables, again)
    landings = wild_windows(again)
    start = [(r, s, chance) for r, s, chance in wild_windows(first) if r | s]
    numbers: dict[tuple[int, int], int] = {}
    boards: list[tuple[int, int]] = []

    def number(board: tuple[int, int]) -> int:
        if board not in numbers:
            numbers[board] = len(boards)
            boards.append(board)
        return numbers[board]

    for r, s, _ in start:
        number((r, s))
    following, coins, merges = [], [], []
    for r, s in boards:  # grows while it is walked
        r, s = r << 3 & 0x7FFF, s >> 3
        covered, merged = r | s, r & s
        masks = [sum(1 << reel for reel in range(5) if covered >> 3 * reel + line[reel] - 1 & 1) for line in lines]
        coins.append(sum(means.coins[mask] for mask in masks) / means.windows)
        merges.append(merged.bit_count())
        after = [((r & ~merged) | (lr & ~covered), (s & ~merged) | (ls & ~covered)) for lr, ls, _ in landings]
        following.append([number(board) if any(board) else -1 for board in after])

    steps = np.array(following)
    chances = np.array([chance for _, _, chance in landings])

    counts = range(1, max(merges) + 1)
    brought = np.array([coins, *([float(it == count) for it in merges] for count in counts)]).T
    value = np.zeros((len(boards) + 1, brought.shape[1]))  # the last is the empty board
    change = 1.0
    while change > 1e-15:
        better = brought + np.einsum("bls,l->bs", value[steps], chances)
        change = float(np.abs(better - value[:-1]).max())
        value[:-1] = better
    means_from_start = sum(chance * value[numbers[r, s]] for r, s, chance in start)
    return Means(float(means_from_start[0]), dict(zip(counts, map(float, means_from_start[1:]), strict=True)))


def assert_same(
    first: Sequence[Sequence[str]],
    again: Sequence[Sequence[str]],
    tables: dict[str, Any] = TABLES,
    lines: Sequence[Sequence[int]] = LINES,
) -> None:
    expected = whole_boards(first, again, tables, lines)
    found = respins(tables, first, again, lines)
    assert found.respins.error < Fraction(1, 10**12)
    assert float(found.respins.value) == pytest.approx(expected.coins, rel=1e-12)
    assert {count: float(it.value) for count, it in found.merges.items() if it.value > it.error} == pytest.approx(
        {count: value for count, value in expected.merges.items() if value}, rel=1e-11, abs=1e-14
    )


@pytest.mark.rule("SR-01")
def test_line_means_are_those_of_all_windows() -> None:
    strips = [t.words(text) for text in ("rudolf A", "K Sleigh A", "A santa A K", "Sleigh A", "A List santa")]
    means = LineMeans(TABLES, strips)
    for mask in range(32):
        total = 0
        for cells in itertools.product(*strips):
            shown = ["merged" if mask >> reel & 1 else symbol for reel, symbol in enumerate(cells)]
            window = [symbol for symbol in shown for _ in range(3)]
            total += sum(win.pay for win in reference.line_wins(TABLES, window, 1, 1))
        assert Fraction(means.coins[mask], means.windows) == Fraction(total, 2 * 3 * 4 * 2 * 3), mask
    assert means.most == 500


@pytest.mark.rule("SR-03", "SR-05", "PAR-01")
def test_walking_wilds_equal_whole_boards() -> None:
    # Santas that land on reel 4 instead of 5: a quarter of the boards of a main game.
    plain = [ring(None, length) for length in (5, 6, 7)]
    first = [ring("rudolf", 11), *plain, ring("santa", 13)]
    again = [ring("rudolf", 40), plain[2], plain[0], ring("santa", 30), ring(None, 8)]
    assert_same(first, again)


@pytest.mark.rule("SR-02", "PAR-01")
def test_wilds_that_land_on_other_reels_equal_whole_boards() -> None:
    first = [ring("rudolf", 9, "santa"), ring("santa", 8), ring("rudolf", 10), ring("rudolf", 8), ring("santa", 11)]
    again = [ring(None, 6), ring("rudolf", 34), ring(None, 5), ring("santa", 32), ring(None, 7)]
    assert_same(first, again)


def main_game(without: str = "") -> tuple[dict[str, Any], list[list[str]], list[list[str]]]:
    """Today's tables with the strips of their paid spin and its re-spins; a wild may be taken off them."""
    tables = game_tables("santa_vs_rudolf")
    other = next(iter(tables["line_pays"]))
    first, again = (
        [[other if symbol == without else symbol for symbol in strip] for strip in tables["strips"][mode]]
        for mode in tables["modes"][:2]
    )
    return tables, first, again


@pytest.mark.slow
@pytest.mark.rule("SR-02", "SR-03", "SR-05", "PAR-01")
def test_main_game_equals_whole_boards() -> None:
    tables, first, again = main_game()
    assert_same(first, again, tables, tables["line_patterns"])


@pytest.mark.rule("SR-02", "SR-03", "SR-04", "PAR-01")
@pytest.mark.parametrize(("walking", "other"), [("rudolf", "santa"), ("santa", "rudolf")])
def test_wilds_of_one_kind_equal_a_product_formula(walking: str, other: str) -> None:
    """Wilds of one kind never merge: how often they stand where is a product, in fractions and without a chain.

    They land on one reel. With q the chance that none lands on a re-spin, a landing is the last one with chance q^5,
    as five re-spins without one clear the reels: landings per paid spin are that of its first spin over q^5. A re-spin
    on which the oldest wild has made k moves comes of a landing k re-spins ago and of none on the 4 - k before it: by
    its last landing before that, which came with the same chance at any distance, q^(4 - k) for each landing. Wilds
    that have made fewer moves landed independently of each other.
    """
    tables, first, again = main_game(other)
    lines = tables["line_patterns"]
    at, step = (0, 1) if walking == "rudolf" else (4, -1)
    lands = Fraction(3 * again[at].count(walking), len(again[at]))
    quiet = 1 - lands
    assert all(walking not in strip for reel, strip in enumerate(first) if reel != at)
    landings = Fraction(3 * first[at].count(walking), len(first[at])) / quiet**5
    means = LineMeans(tables, again)

    def pay(covered: dict[int, int]) -> Fraction:
        """Mean pay of all lines with a wild in one row of some reels."""
        masks = [sum(1 << reel for reel, row in covered.items() if line[reel] == row) for line in lines]
        return Fraction(sum(means.coins[mask] for mask in masks), means.windows)

    expected = landings * quiet**4 * pay({})
    for oldest in range(1, 5):
        for rows in itertools.product(range(4), repeat=oldest):  # 0 is none, of the wilds with 1, 2, ... moves
            if rows[-1]:
                chance = Fraction(1, 3)
                for row in rows[:-1]:
                    chance *= lands / 3 if row else quiet
                covered = {at + step * moves: row for moves, row in enumerate(rows, start=1) if row}
                expected += landings * quiet ** (4 - oldest) * chance * pay(covered)
    found = respins(tables, first, again, lines)
    assert found.respins.low <= expected <= found.respins.high
    assert found.respins.error < Fraction(1, 10**12)
    assert found.mean_merges.high < Fraction(1, 10**12)


@pytest.mark.rule("PAR-01")
def test_many_wilds_agree_with_chains_of_the_reference() -> None:
    strips = [ring(wild, 60) for wild in ("rudolf", "santa", "rudolf", "rudolf", "santa")]
    tables = t.santa_vs_rudolf(line_patterns=LINES)
    found = respins(tables, strips, strips, LINES)
    draw = random.Random(1)
    chains = 800
    coins, merges = [], []
    for _ in range(chains):
        wilds = reference.NO_WILDS
        won, met = 0, 0
        while True:
            stopped = window_at(strips, [draw.randrange(len(strip)) for strip in strips])
            window, wilds, merged = reference.land(tables, stopped, reference.walk(wilds).wilds)
            won += sum(win.pay for win in reference.line_wins(tables, window, len(LINES), 1))
            met += len(merged)
            if wilds == reference.NO_WILDS:
                break
        coins.append(won)
        merges.append(met)
    # Here wilds meet that landed in re-spins, too: the law of merges has the mean that was found without it.
    law = merge_law(HalfBoards(tables, strips, strips), len(found.ends))
    assert 0 <= found.mean_merges.high - sum(count * chance for count, chance in enumerate(law)) < Fraction(1, 10**5)
    quiet = [float(not count) for count in merges]
    means = found.spin + found.respins.value, found.mean_merges.value, law[0]
    for sample, mean in zip((coins, merges, quiet), means, strict=True):
        average = sum(sample) / chains
        error = (sum((one - average) ** 2 for one in sample) / chains / (chains - 1)) ** 0.5
        assert abs(average - mean) < 3.5 * error


def test_spin_without_wilds_has_no_respins() -> None:
    plain = [ring(None, length) for length in (5, 6, 7, 5, 8)]
    found = respins(TABLES, plain, plain, LINES)
    assert found.respins.high < Fraction(1, 10**14)
    assert found.mean_merges.high < Fraction(1, 10**14)


def test_strips_that_always_show_a_wild_are_refused() -> None:
    strips = [ring("rudolf", 3), *[ring(None, 5)] * 4]
    with pytest.raises(CheckFailed, match="the chain does not end"):
        respins(TABLES, strips, strips, LINES)
