"""Mad Hatters on hand-worked windows."""

from __future__ import annotations

import pytest

from host_tools.reference import mad_hatters as mh
from host_tools.reference.common import LEFT, Event, LineWin, Tables

from . import tables as t

TABLES = t.mad_hatters()
QUIET = t.QUIET_HATTERS


def showing(base: str = QUIET, free: str = QUIET) -> Tables:
    """Tables whose stops 0 show these windows."""
    return t.mad_hatters(strips={"base": t.strips(base), "free": t.strips(free)})


def spun(
    window: str,
    hatter: str | None = None,
    *,
    line_bet: int = 1,
    lines: int = 1,
    more: list[int] | None = None,
    choices: tuple[int, ...] = (),
) -> tuple[int, list[Event]]:
    """The coins and events of one spin that stops on this window."""
    round_, stream = t.scripted_round(
        showing(window, window), [0] * 5 + (more or []), choices, line_bet=line_bet, lines=lines
    )
    win, _ = mh.spin(round_, hatter)
    stream.assert_used_up()
    return win, round_.events


def middle(row: str, hatter: str | None = None, line_bet: int = 1) -> list[LineWin]:
    """The wins of the middle line alone."""
    window = t.grid(f"Sundae Cake Jeff Cake Jeff / {row} / Cake Jeff Sundae Jeff Cake")
    return mh.line_wins(TABLES, window, 1, line_bet, hatter)


@pytest.mark.rule("MH-01")
@pytest.mark.parametrize(
    ("row", "symbol", "length", "pay"),
    [
        ("Teapot Hat Teapot Cake Jeff", "Teapot", 3, 12),
        ("Hat Teapot Teapot Teapot Jeff", "Teapot", 4, 60),
        ("Hat Hat Cake Jeff Jeff", "Cake", 3, 10),  # Mad Hat x2 = 10 too, but is shorter
        ("Hat Hat Bunny Hat Hat", "Hat", 2, 10),
        ("Hat Hat Hat Hat Hat", "Hat", 5, 20000),
        ("Hat Hat Hat Hat James", "Hat", 4, 1500),  # James x5 = 1000
    ],
)
def test_mad_hat_stands_for_symbols_and_pays_itself(row: str, symbol: str, length: int, pay: int) -> None:
    assert middle(row) == [LineWin(1, symbol, length, LEFT, 1, pay)]


@pytest.mark.rule("MH-01")
def test_mad_hat_stands_for_neither_bunny_nor_clock() -> None:
    assert middle("Bunny Hat Hat Hat Hat") == []
    assert middle("Clock Hat Hat Hat Hat") == []
    win, events = spun("Bunny Hat Bunny Cake Jeff / Cake Jeff Teapot Cake Jeff / Jeff Clock Clock Hat Cake")
    assert win == 0
    assert t.named(events, "scatter", "cuckoo") == []


@pytest.mark.rule("MH-02")
def test_mad_hat_on_reel_3_expands_in_the_base_game() -> None:
    win, events = spun(
        "Cake Jeff Hat Cake Jeff / Teapot Teapot Teacup Jeff Sundae / Jeff Cake Cake Jeff Cake", line_bet=10
    )
    assert win == 120  # worked example 7
    assert t.named(events, "window")[0][7:10] == (0, 0, 0)


@pytest.mark.rule("MH-02")
@pytest.mark.rule("MH-05")
def test_mad_hat_on_reel_3_does_not_expand_in_free_spins() -> None:
    window = "Cake Jeff Hat Cake Jeff / Teapot Teapot Teacup Jeff Sundae / Jeff Cake Cake Jeff Cake"
    win, events = spun(window, "James", line_bet=10)
    assert win == 0  # worked example 7
    assert t.named(events, "window")[0][7:10] == (0, 9, 7)


@pytest.mark.rule("MH-02")
def test_mad_hat_on_another_reel_does_not_expand() -> None:
    window = t.grid("Hat Hat Jeff Hat Hat / Cake Jeff Teapot Cake Jeff / Jeff Cake Sundae Jeff Cake")
    assert mh.expand(TABLES, window, None) == window


@pytest.mark.rule("MH-02")
def test_bunny_and_clock_under_the_expansion_count() -> None:
    window = "Bunny Bunny Hat Cake Clock / Clock Clock Bunny Jeff Cake / Cake Jeff Clock Cake Jeff"
    win, events = spun(window, more=[0, 0, 0, 0, 0], choices=(0,))
    assert t.named(events, "scatter") == [("scatter", 3, 1, 3)]
    assert t.named(events, "cuckoo") == [("cuckoo", 1, 5, 5, 5, 5, 5)]
    # The middle row is Clock, and the expanded reel adds none.
    assert win == 3 + 5


@pytest.mark.rule("MH-05")
def test_bunny_and_clock_under_a_hatters_expansion_count() -> None:
    window = "Bunny Bunny James Cake Clock / Clock Clock Bunny Jeff Cake / Cake Jeff Clock Cake Jeff"
    win, events = spun(window, "James", more=[0, 0, 0, 0, 0], choices=(0,))
    assert t.named(events, "window")[0][7:10] == (4, 4, 4)
    assert win == 3 * 2 + 5


@pytest.mark.rule("MH-03")
@pytest.mark.parametrize(("bunnies", "times", "spins"), [(2, 0, 0), (3, 3, 10), (4, 20, 25), (5, 300, 50)])
def test_bunnies_pay_total_bet_and_award_free_spins(bunnies: int, times: int, spins: int) -> None:
    tops = ["Bunny"] * bunnies + ["Cake", "Jeff", "Teapot"][: 5 - bunnies]
    window = f"{' '.join(tops)} / Sundae Jeff Teacup Cake Teapot / Cake Teapot CupCake Jeff Sundae"
    round_, stream = t.scripted_round(showing(window), [0] * 5 * (1 + spins), (1,) if spins else (), line_bet=2)
    win = mh.play_round(round_)
    stream.assert_used_up()
    assert win == times * 60
    assert t.named(round_.events, "award") == ([("award", spins)] if spins else [])
    assert len(t.named(round_.events, "spin")) == 1 + spins


@pytest.mark.rule("MH-03")
@pytest.mark.rule("MH-07")
def test_five_bunnies_at_thirty_lines_and_bet_two() -> None:  # worked example 9
    window = "Bunny Bunny Bunny Bunny Bunny / Sundae Jeff Teacup Cake Teapot / Cake Teapot CupCake Jeff Sundae"
    win, _ = spun(window, line_bet=2, lines=30)
    assert win == 18000
    win, events = spun(window, "John", line_bet=2, lines=30)
    assert win == 36000
    assert t.named(events, "scatter") == [("scatter", 5, 2, 36000)]


BUNNIES = "Bunny Bunny Bunny Cake Jeff / Sundae Jeff Teacup Cake Teapot / Cake Teapot CupCake Jeff Sundae"


@pytest.mark.rule("MH-04")
@pytest.mark.parametrize(("choice", "pay"), [(0, 24), (1, 0), (2, 0)])
def test_hatter_is_chosen_before_the_first_free_spin_and_is_wild(choice: int, pay: int) -> None:
    free = "Cake Jeff Jeff Cake Jeff / Teapot John Teapot Bunny Jeff / Jeff Cake Cake Jeff Cake"
    round_, stream = t.scripted_round(showing(BUNNIES, free), [0] * 5 * 11, (choice,), lines=1)
    mh.play_round(round_)
    stream.assert_used_up()
    assert t.names(round_.events)[:7] == ["spin", "scatter", "spin_win", "award", "choice", "chosen", "spin"]
    assert t.named(round_.events, "choice", "chosen") == [("choice", 0, 0, 1, 2), ("chosen", choice)]
    assert t.named(round_.events, "spin_win")[1:] == [("spin_win", pay)] * 10
    assert t.named(round_.events, "feature_end") == [("feature_end", 10 * pay)]


@pytest.mark.rule("MH-05")
def test_only_the_chosen_hatter_expands_in_free_spins() -> None:
    window = t.grid("Cake Jeff Teapot Cake Jeff / Jeff Cake Hat Jeff Cake / Cake Jeff John Cake Jeff")
    assert mh.expand(TABLES, window, "John")[6:9] == ["John"] * 3  # the Mad Hat is covered
    assert mh.expand(TABLES, window, "James") == window
    assert mh.expand(TABLES, window, None)[6:9] == ["Hat"] * 3


@pytest.mark.rule("MH-05")
def test_hatters_not_chosen_are_ordinary_symbols() -> None:
    assert middle("James James John Cake Cake", "John") == [LineWin(1, "James", 3, LEFT, 2, 160)]
    assert middle("Cake James Cake Sundae Cake", "John") == []
    assert middle("James Jeff James Cake Cake", "John") == []


@pytest.mark.rule("MH-06")
def test_lines_and_scatter_are_doubled_in_free_spins() -> None:
    window = "Bunny Cake Bunny Sundae Jeff / Teapot Teapot Teapot Cake Jeff / Cake Bunny Sundae Jeff Cake"
    _, events = spun(window, "James", line_bet=3)
    assert t.named(events, "line", "scatter", "spin_win") == [
        ("line", 1, 6, 3, 0, 2, 72),
        ("scatter", 3, 2, 18),
        ("spin_win", 90),
    ]


@pytest.mark.rule("MH-07")
def test_bunnies_in_free_spins_award_nothing() -> None:
    round_, stream = t.scripted_round(showing(BUNNIES, BUNNIES), [0] * 5 * 11, (0,), lines=1)
    assert mh.play_round(round_) == 3 + 10 * 6
    stream.assert_used_up()
    assert t.named(round_.events, "award") == [("award", 10)]


@pytest.mark.rule("MH-08")
@pytest.mark.parametrize(
    ("row", "symbol", "length", "pay"),
    [
        ("Teapot John Teapot Bunny Jeff", "Teapot", 3, 24),  # worked example 8
        ("Hat Hat Hat Hat Hat", "Hat", 5, 40000),
        ("John Hat Hat Hat Hat", "John", 5, 4000),
        ("Hat Hat Hat Hat John", "John", 5, 4000),  # Mad Hat x4 is 3,000
        ("Hat Hat Hat John Cake", "John", 4, 1000),  # Mad Hat x3 is 400, Cake x5 600
        ("Hat Hat Hat John John", "John", 5, 4000),
        ("John John Hat Hat Teapot", "John", 4, 1000),  # Teapot x5 is 800
        ("John John Teapot Teapot Teapot", "Teapot", 5, 800),
        ("Hat John Bunny Hat Hat", "Teacup", 2, 6),  # John pays from three
        ("James John Hat James James", "James", 5, 2000),
    ],
)
def test_best_reading_of_a_line_with_a_chosen_john(row: str, symbol: str, length: int, pay: int) -> None:
    assert middle(row, "John") == [LineWin(1, symbol, length, LEFT, 2, pay)]


@pytest.mark.rule("MH-08")
def test_expanded_reel_counts_as_mad_hats() -> None:
    window = t.grid("Cake Jeff Hat Cake Jeff / Hat Hat Teacup Cake Sundae / Jeff Cake Cake Jeff Cake")
    wins = mh.line_wins(TABLES, mh.expand(TABLES, window, None), 1, 1)
    assert wins == [LineWin(1, "Hat", 3, LEFT, 1, 200)]


@pytest.mark.rule("MH-08")
def test_equal_readings_name_longer_run_then_lower_symbol() -> None:
    # Mad Hat x2 and Cake x3 pay 10: the longer. With James's pays made John's, both read five: the lower id.
    assert middle("Hat Hat Cake Jeff Jeff") == [LineWin(1, "Cake", 3, LEFT, 1, 10)]
    tables = t.mad_hatters(line_pays={**TABLES["line_pays"], "James": TABLES["line_pays"]["John"]})
    window = t.grid("Sundae Cake Jeff Cake Jeff / John John Hat Hat John / Cake Jeff Sundae Jeff Cake")
    assert [win.symbol for win in mh.line_wins(tables, window, 1, 1, "John")] == ["John"]
    assert [win.symbol for win in mh.line_wins(tables, window, 1, 1, "James")] == ["John"]


@pytest.mark.rule("MH-13")
def test_wilds_alone_read_as_a_two_of_a_kind() -> None:
    assert middle("John John Bunny Cake Cake", "John") == [LineWin(1, "Teacup", 2, LEFT, 2, 6)]
    assert middle("Hat Teacup Jeff Cake Cake") == [LineWin(1, "Teacup", 2, LEFT, 1, 3)]
    assert middle("CupCake Hat Jeff Cake Cake") == [LineWin(1, "CupCake", 2, LEFT, 1, 2)]
    assert middle("Teapot Hat Jeff Cake Cake") == []


@pytest.mark.rule("MH-13")
def test_mad_hat_that_pays_less_than_another_symbol_is_refused() -> None:
    tables = t.mad_hatters(line_pays={**TABLES["line_pays"], "Hat": t.pays("2:1 3:2 4:3 5:4")})
    window = t.grid("Sundae Cake Jeff Cake Jeff / Hat Hat Jeff Cake Cake / Cake Jeff Sundae Jeff Cake")
    with pytest.raises(AssertionError, match="Teacup x2 pays more than Hat x2"):
        mh.line_wins(tables, window, 1, 1)


def clocks_on(*reels: int) -> str:
    rows = [["Cake", "Jeff", "Sundae", "Jeff", "Cake"], ["Jeff", "Cake", "Teapot", "Cake", "Jeff"],
            ["Sundae", "Sundae", "Jeff", "Sundae", "Sundae"]]  # fmt: skip
    for reel in reels:
        rows[reel % 3][reel - 1] = "Clock"
    return " / ".join(" ".join(row) for row in rows)


@pytest.mark.rule("MH-09")
@pytest.mark.parametrize(
    ("reels", "group", "picks"),
    [
        ((1, 2, 3), 3, 1),
        ((2, 3, 4), 3, 1),
        ((3, 4, 5), 3, 1),
        ((1, 2, 3, 5), 3, 1),  # worked example 9
        ((1, 3, 4, 5), 3, 1),
        ((1, 2, 4, 5), 2, 0),
        ((1, 3, 5), 1, 0),
        ((2, 3, 4, 5), 4, 2),
        ((1, 2, 3, 4), 4, 2),
        ((1, 2, 3, 4, 5), 5, 3),
        ((), 0, 0),
    ],
)
def test_group_of_adjacent_clocks_gives_picks(reels: tuple[int, ...], group: int, picks: int) -> None:
    window = clocks_on(*reels)
    assert mh.clock_group(t.grid(window), "Clock") == group
    _, events = spun(window, more=[0] * 5 if picks else [], choices=(4, 3, 2)[:picks])
    assert [event[1] for event in t.named(events, "cuckoo")] == ([picks] if picks else [])
    assert len(t.named(events, "cuckoo_pick")) == picks


@pytest.mark.rule("MH-10")
def test_picks_win_their_clocks_and_no_clock_is_picked_twice() -> None:
    win, events = spun(clocks_on(1, 2, 3, 4, 5), line_bet=10, more=[0, 3, 5, 2, 4], choices=(2, 0, 3))
    assert t.named(events, "cuckoo", "choice", "chosen", "cuckoo_pick") == [
        ("cuckoo", 3, 5, 20, 450, 5, 20),
        ("choice", 1, 0, 1, 2, 3, 4),
        ("chosen", 2),
        ("cuckoo_pick", 2, 4500),
        ("choice", 1, 0, 1, 3, 4),
        ("chosen", 0),
        ("cuckoo_pick", 0, 50),
        ("choice", 1, 1, 3, 4),
        ("chosen", 3),
        ("cuckoo_pick", 3, 50),
    ]
    assert win == 4600


@pytest.mark.rule("MH-10")
@pytest.mark.rule("MH-11")
@pytest.mark.parametrize("lines", [1, 17, 30])
def test_cuckoo_in_free_spins_is_not_doubled_and_knows_no_lines(lines: int) -> None:  # worked example 9
    window = clocks_on(1, 2, 3)
    round_, _ = t.scripted_round(showing(window, window), [0] * 5 + [5] * 5, (1,), line_bet=10, lines=lines)
    mh.spin(round_, "Jeff")
    assert t.named(round_.events, "cuckoo_pick") == [("cuckoo_pick", 1, 4500)]


@pytest.mark.rule("MH-12")
@pytest.mark.rule("G-11")
def test_cuckoo_comes_after_lines_and_scatter_and_before_free_spins() -> None:
    window = "Bunny Bunny Bunny Cake Jeff / Clock Clock Clock Jeff Cake / Cake Teapot CupCake Jeff Sundae"
    round_, stream = t.scripted_round(showing(window), [0] * 5 + [0] * 5 + [0] * 50, (0, 2), lines=1)
    assert mh.play_round(round_) == 3 + 5
    stream.assert_used_up()
    assert t.names(round_.events)[:10] == [
        "spin", "scatter", "spin_win", "cuckoo", "choice", "chosen", "cuckoo_pick", "award", "choice", "chosen",
    ]  # fmt: skip
    assert stream.asked[:10] == [3] * 5 + [6] * 5
    assert round_.events[-1] == ("feature_end", 0)


@pytest.mark.rule("MH-11")
@pytest.mark.rule("G-06")
def test_free_spins_keep_bet_and_lines_and_hold_their_cuckoo_wins() -> None:
    free = "Teapot Cake Jeff Cake Jeff / Clock Clock Clock Bunny Jeff / Jeff Teapot Teapot Jeff Cake"
    round_, stream = t.scripted_round(
        showing(BUNNIES, free), [0] * 5 + ([0] * 5 + [0] * 5) * 10, (0, *[4] * 10), line_bet=4, lines=2
    )
    assert mh.play_round(round_) == 3 * 8 + 10 * 20
    stream.assert_used_up()
    assert round_.events[-1] == ("feature_end", 200)
    assert t.named(round_.events, "line") == []  # line 20, 13331, would pay three Teapots
