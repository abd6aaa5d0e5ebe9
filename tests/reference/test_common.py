"""Windows, runs and free spins: what all games share."""

from __future__ import annotations

import pytest

from host_tools.reference import haunted_house as hh
from host_tools.reference import mad_hatters as mh
from host_tools.reference import mad_mad_monkey as mm
from host_tools.reference.common import FreeSpins, assert_one_per_reel, line_cells, run_coins, window_at

from . import tables as t


def test_window_at_goes_around_the_strip() -> None:
    strips = [["a", "b", "c", "d"]] * 5
    assert window_at(strips, [0, 1, 2, 3, 0]) == list("abcbcdcdadababc")


def test_line_cells_takes_row_of_each_reel() -> None:
    window = t.grid("a b c d e / f g h i j / k l m n o")
    assert line_cells(window, [1, 2, 3, 2, 1]) == ["a", "g", "m", "i", "e"]


@pytest.mark.rule("HH-06")
def test_twenty_lines_cover_every_cell() -> None:
    assert len({tuple(pattern) for pattern in t.TWENTY_LINES}) == 20
    assert {(reel, row) for pattern in t.TWENTY_LINES for reel, row in enumerate(pattern)} == {
        (reel, row) for reel in range(5) for row in (1, 2, 3)
    }


@pytest.mark.rule("G-02")
def test_only_highest_win_of_a_line_and_lines_add_up() -> None:
    # Row 2: Pumpkin x2 = 5, TripleBar x3 = 50: 50 alone. Row 1: Cherries x2 = 2.
    window = t.grid(
        "Cherries Cherries Plum Lemon Bell / Pumpkin Pumpkin TripleBar Plum Bell / Orange Lemon Bell Plum Grapes"
    )
    wins = hh.line_wins(t.haunted_house(), window, 2, 1)
    assert [(win.line, win.symbol, win.length, win.pay) for win in wins] == [
        (1, "TripleBar", 3, 50),
        (2, "Cherries", 2, 2),
    ]


@pytest.mark.rule("G-02")
def test_lines_that_are_not_enabled_pay_nothing() -> None:
    window = t.grid("Teapot Teapot Teapot Cake Jeff / Cake Jeff Cake Jeff Cake / Sundae Cake Jeff Cake Jeff")
    assert mh.line_wins(t.mad_hatters(), window, 1, 1) == []
    assert [win.pay for win in mh.line_wins(t.mad_hatters(), window, 2, 1)] == [12]


@pytest.mark.rule("G-03")
def test_scatters_count_off_the_lines_and_add_to_line_wins() -> None:
    # One line, on row 2, that pays 12; three Bunnies on rows 1 and 3 pay 3 x total bet 1.
    window = "Bunny Cake Bunny Sundae Jeff / Teapot Teapot Teapot Cake Jeff / Cake Bunny Sundae Jeff Cake"
    tables = t.mad_hatters(strips={"base": t.strips(window), "free": t.strips(t.QUIET_HATTERS)})
    round_, _ = t.scripted_round(tables, [0] * 5, lines=1)
    mh.spin(round_, hatter=None)
    assert t.named(round_.events, "line", "scatter", "spin_win") == [
        ("line", 1, 6, 3, 0, 1, 12),
        ("scatter", 3, 1, 3),
        ("spin_win", 15),
    ]


@pytest.mark.rule("G-04")
def test_run_that_does_not_start_on_reel_1_pays_nothing() -> None:
    window = t.grid("9 J Q K A / 10 Banana Banana Banana Banana / A K Q J 9")
    assert mm.line_wins(t.mad_mad_monkey(), window, 1, 1) == []


@pytest.mark.rule("G-10")
def test_two_scatters_on_a_reel_break_the_rule() -> None:
    window = t.grid("Logo A A A A / K K K K K / Logo Q Q Q Q")
    with pytest.raises(AssertionError, match="G-10: reel 1"):
        assert_one_per_reel(window, "Logo")


@pytest.mark.rule("G-10")
def test_scatter_and_bonus_symbol_may_share_a_reel_but_not_two_bonus_symbols() -> None:
    fine = "Clock Cake Jeff Cake Jeff / Bunny Teapot Cake Jeff Cake / Cake Jeff Sundae Cake Jeff"
    round_, _ = t.scripted_round(t.mad_hatters(strips={"base": t.strips(fine)}), [0] * 5)
    mh.spin(round_, hatter=None)
    round_, _ = t.scripted_round(t.mad_hatters(strips={"base": t.strips(fine.replace("Bunny", "Clock"))}), [0] * 5)
    with pytest.raises(AssertionError, match="G-10: reel 1"):
        mh.spin(round_, hatter=None)


def test_missing_symbol_or_count_pays_nothing() -> None:
    tables = t.mad_hatters()
    assert run_coins(tables, "Bunny", 5) == 0
    assert run_coins(tables, "Teapot", 2) == 0


def test_pay_that_falls_with_the_length_is_refused() -> None:
    tables = t.mad_hatters(line_pays={"Teapot": t.pays("3:12 4:10")})
    with pytest.raises(AssertionError, match="Teapot pays more for less than 4"):
        run_coins(tables, "Teapot", 4)


@pytest.mark.rule("G-12")
def test_award_past_the_limit_is_cut_and_logged_down_to_zero() -> None:
    round_, _ = t.scripted_round(t.mad_mad_monkey(free_spins_limit=25))
    free_spins = FreeSpins(round_)
    for _ in range(4):
        free_spins.award(10)
        assert free_spins.take()
    assert round_.events == [("award", 10), ("award", 10), ("award", 5), ("award", 0)]
    assert (free_spins.awarded, free_spins.left) == (25, 21)


@pytest.mark.rule("G-12", "MM-07")
def test_endless_retriggers_end_after_250_free_spins() -> None:
    logos = t.strips("Logo Logo Logo A K / A K Q J 10 / K Q J 10 9")
    round_, _ = t.scripted_round(t.mad_mad_monkey(strips={"base": logos, "free": logos}), [0] * 5 * 251, lines=1)
    mm.play_round(round_)
    assert len(t.named(round_.events, "spin")) == 1 + 250
    assert t.named(round_.events, "award") == [("award", 10)] * 25 + [("award", 0)] * 226
