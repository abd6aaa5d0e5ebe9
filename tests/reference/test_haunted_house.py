"""Haunted House on hand-worked windows, its trails and Full Moon Money."""

from __future__ import annotations

import pytest

from host_tools.reference import haunted_house as hh
from host_tools.reference.common import LEFT, Event, FreeSpins, LineWin, Tables

from . import tables as t

TABLES = t.haunted_house()
QUIET = t.QUIET_HOUSE


def showing(base: str = QUIET, free: str = QUIET, **changed: object) -> Tables:
    return t.haunted_house(strips={"base": t.plain(base), "free": t.plain(free)}, **changed)


def middle(row: str) -> list[LineWin]:
    """The win of the middle line."""
    window = t.grid(f"Lemon Plum Bell Orange Grapes / {row} / Bell Lemon Grapes Plum Orange")
    return hh.line_wins(TABLES, window, 1, 1)


def spun(
    window: str, draws: list[int] | None = None, mode: int = hh.BASE, **changed: object
) -> tuple[int, list[Event]]:
    """The coins and events of one spin that stops on this window."""
    round_, stream = t.scripted_round(showing(window, window, **changed), [0] * 5 + (draws or []))
    win = hh.spin(round_, mode, FreeSpins(round_))
    stream.assert_used_up()
    return win, round_.events


@pytest.mark.rule("HH-01")
def test_lines_pay_from_the_left_only() -> None:
    assert middle("Plum Plum Plum Bell Lemon") == [LineWin(1, "Plum", 3, LEFT, 1, 8)]
    assert middle("Bell Lemon Plum Plum Plum") == []
    assert middle("TripleBar TripleBar Plum Bell Lemon") == [LineWin(1, "TripleBar", 2, LEFT, 1, 5)]
    assert middle("Plum Plum Bell Bell Lemon") == []


@pytest.mark.rule("HH-02")
@pytest.mark.parametrize(
    ("row", "symbol", "length", "pay"),
    [
        ("Pumpkin Cherries Plum Bell Lemon", "Cherries", 2, 2),
        ("Cherries Pumpkin Plum Bell Lemon", "Cherries", 2, 2),
        ("Pumpkin Pumpkin Plum Bell Lemon", "Plum", 3, 8),  # Pumpkin x2 = 5
        ("Pumpkin Pumpkin Cherries Bell Lemon", "Pumpkin", 2, 5),  # Cherries x3 = 4
        ("Pumpkin Pumpkin House Pumpkin Pumpkin", "Pumpkin", 2, 5),
        ("Pumpkin Pumpkin Pumpkin Pumpkin Pumpkin", "Pumpkin", 5, 2000),
        ("Pumpkin Pumpkin Pumpkin Pumpkin TripleBar", "TripleBar", 5, 1000),
        ("Pumpkin Pumpkin Pumpkin Pumpkin Grapes", "Pumpkin", 4, 300),
        ("Lemon Pumpkin Lemon Pumpkin Lemon", "Lemon", 5, 30),
    ],
)
def test_best_of_pumpkin_run_and_substituted_run(row: str, symbol: str, length: int, pay: int) -> None:
    assert middle(row) == [LineWin(1, symbol, length, LEFT, 1, pay)]


@pytest.mark.rule("HH-02")
def test_pumpkin_alone_is_no_win() -> None:
    assert middle("Pumpkin Lemon Plum Bell Lemon") == []
    assert middle("Pumpkin House Pumpkin Bell Lemon") == []
    assert middle("House Pumpkin Pumpkin Pumpkin Pumpkin") == []


@pytest.mark.rule("HH-02")
def test_two_pumpkins_are_named_pumpkin_where_another_two_pay_the_same() -> None:
    assert TABLES["line_pays"]["TripleBar"]["2"] == TABLES["line_pays"]["Pumpkin"]["2"]
    assert middle("Pumpkin Pumpkin Lemon Bell Lemon") == [LineWin(1, "Lemon", 3, LEFT, 1, 5)]  # as much, but longer
    assert middle("Pumpkin Pumpkin House Bell Lemon") == [LineWin(1, "Pumpkin", 2, LEFT, 1, 5)]


@pytest.mark.rule("HH-02")
def test_pumpkin_in_the_base_game_is_refused() -> None:
    window = QUIET.replace("Lemon", "Pumpkin", 1)
    with pytest.raises(AssertionError, match="HH-02"):
        spun(window)
    spun(window, mode=hh.FREE)


@pytest.mark.rule("HH-02")
def test_pumpkin_that_pays_less_than_another_symbol_is_refused() -> None:
    tables = t.haunted_house(line_pays={**TABLES["line_pays"], "Pumpkin": t.pays("2:1 3:2 4:3 5:4")})
    with pytest.raises(AssertionError, match="pays more than Pumpkin x2"):
        list(hh.line_readings(tables, ["Pumpkin", "Pumpkin", "House", "Plum", "Plum"]))


@pytest.mark.rule("HH-03")
@pytest.mark.parametrize(("houses", "times"), [(1, 0), (2, 1), (3, 3), (4, 15), (5, 100)])
def test_houses_pay_total_bet_and_nothing_stands_for_them(houses: int, times: int) -> None:
    row = ["House"] * houses + ["Lemon", "Grapes", "Bell", "Plum"][: 5 - houses]
    window = f"Lemon Pumpkin Pumpkin Pumpkin Grapes / {' '.join(row)} / Bell Lemon Grapes Plum Orange"
    round_, _ = t.scripted_round(showing(free=window), [0] * 5 + [0])
    hh.spin(round_, hh.FREE, FreeSpins(round_))
    assert t.named(round_.events, "scatter") == ([("scatter", houses, 1, times * 20)] if times else [])
    assert len(t.named(round_.events, "award")) == (houses >= 3)


HOUSES = "House House House Orange Grapes / Orange Grapes Plum Lemon Bell / Bell Lemon Grapes Plum Orange"


@pytest.mark.rule("HH-04")
@pytest.mark.rule("G-06")
def test_number_trail_decides_the_free_spins() -> None:
    round_, stream = t.scripted_round(showing(HOUSES), [0] * 5 + [4] + [0] * 5 * 7)
    assert hh.play_round(round_) == 60
    stream.assert_used_up()
    assert t.names(round_.events)[:6] == ["spin", "scatter", "spin_win", "number_trail", "award", "spin"]
    assert t.named(round_.events, "number_trail", "award") == [("number_trail", 1, 7), ("award", 7)]
    assert [event[1] for event in t.named(round_.events, "spin")] == [0] + [1] * 7
    assert round_.events[-1] == ("feature_end", 0)


@pytest.mark.rule("HH-05")
def test_houses_in_free_spins_draw_again_and_add() -> None:  # worked example 11
    round_, _ = t.scripted_round(showing(free=HOUSES), [0] * 5 + [2])
    free_spins = FreeSpins(round_)
    free_spins.award(3)
    assert free_spins.take()  # two left after this one
    hh.spin(round_, hh.FREE, free_spins)
    assert free_spins.left == 9
    assert t.named(round_.events, "number_trail", "award")[1:] == [("number_trail", 1, 7), ("award", 7)]


@pytest.mark.rule("HH-05")
@pytest.mark.rule("G-12")
def test_retrigger_past_the_limit_is_drawn_and_cut() -> None:
    tables = showing(HOUSES, HOUSES, free_spins_limit=20)
    round_, stream = t.scripted_round(tables, ([0] * 5 + [5]) * 21)
    hh.play_round(round_)
    stream.assert_used_up()
    assert t.named(round_.events, "award") == [("award", 15), ("award", 5)] + [("award", 0)] * 19
    assert t.named(round_.events, "number_trail") == [("number_trail", 2, 15)] * 21


ICONS = "Lemon:2 Plum Bell:3 Orange Grapes / Orange Grapes Plum Lemon Bell:1 / Bell Lemon Grapes Plum Orange"


@pytest.mark.rule("HH-06")
@pytest.mark.rule("HH-07")
def test_sum_of_icons_is_the_level_and_only_it_pays() -> None:  # worked example 11
    win, events = spun(ICONS)
    assert win == 12
    assert t.named(events, "icons", "trail") == [("icons", 6), ("trail", 6, 12)]


@pytest.mark.rule("HH-07")
def test_no_icons_win_nothing_and_are_no_event() -> None:
    win, events = spun(QUIET)
    assert win == 0
    assert t.named(events, "icons", "trail") == []


@pytest.mark.rule("HH-07")
def test_first_level_and_last_but_one_pay() -> None:
    assert spun(QUIET.replace("Lemon", "Lemon:1", 1))[0] == 1
    seven = ICONS.replace("Lemon ", "Lemon:1 ", 1)
    assert t.named(spun(seven)[1], "trail") == [("trail", 7, 30)]


@pytest.mark.rule("HH-06")
def test_trail_starts_at_zero_on_every_spin() -> None:
    round_, _ = t.scripted_round(showing(ICONS, ICONS), [0] * 10)
    free_spins = FreeSpins(round_)
    hh.spin(round_, hh.BASE, free_spins)
    hh.spin(round_, hh.FREE, free_spins)
    assert t.named(round_.events, "icons") == [("icons", 6)] * 2


@pytest.mark.rule("HH-11")
def test_icons_count_in_free_spins_and_in_their_total() -> None:
    round_, _ = t.scripted_round(showing(HOUSES, ICONS), [0] * 5 + [0] + [0] * 5)
    assert hh.play_round(round_) == 60 + 12
    assert round_.events[-1] == ("feature_end", 12)


FULL = ICONS.replace("Lemon ", "Lemon:2 ", 1)  # icons 2, 3, 1, 2


@pytest.mark.rule("HH-08")
@pytest.mark.rule("HH-09")
def test_last_level_starts_full_moon_money() -> None:  # worked example 11
    # Segment 1: below(6) 0 to 2 is Repeat 5, 3 and 4 Advance 10. Segment 2: 1 of 3 is Collect 100.
    win, events = spun(FULL, [2, 3, 1])
    assert win == 115
    assert t.named(events, "icons", "trail", "full_moon", "full_moon_win") == [
        ("icons", 8),
        ("trail", 8, 0),
        ("full_moon", 0, 0, 5),
        ("full_moon", 0, 1, 15),
        ("full_moon", 1, 1, 115),
        ("full_moon_win", 115),
    ]


@pytest.mark.rule("HH-07")
@pytest.mark.rule("HH-08")
def test_sum_past_the_end_is_the_last_level() -> None:
    win, events = spun(FULL.replace("Lemon:2 Bell:1", "Lemon:3 Bell:3"), [5])
    assert win == 2
    assert t.named(events, "icons", "trail") == [("icons", 11), ("trail", 8, 0)]


@pytest.mark.rule("HH-09")
def test_full_moon_climbs_to_the_top_segment() -> None:
    win, events = spun(FULL, [4, 2, 1, 1, 0])
    assert [event[1:] for event in t.named(events, "full_moon")] == [
        (0, 1, 10),
        (1, 2, 30),
        (2, 1, 1030),
        (2, 1, 2030),
        (2, 0, 2530),
    ]
    assert win == 2530


@pytest.mark.rule("HH-09")
def test_advance_in_the_top_segment_is_refused() -> None:
    moon = {"segments": [[{"multiplier": 1, "feature": "advance", "weight": 1}]], "cashpot_limit": 10000}
    with pytest.raises(AssertionError, match="HH-09: Advance in the top segment"):
        spun(FULL, [0], full_moon=moon)


@pytest.mark.rule("HH-10")
@pytest.mark.parametrize(("second", "cashpot"), [(50, 10000), (10, 10000), (2000, 10000)])
def test_cashpot_is_cut_to_its_limit_and_collected(second: int, cashpot: int) -> None:  # worked example 11
    segment = [
        {"multiplier": 9990, "feature": "repeat", "weight": 1},
        {"multiplier": second, "feature": "repeat", "weight": 1},
    ]
    win, events = spun(FULL, [0, 1], full_moon={"segments": [segment], "cashpot_limit": 10000})
    assert win == cashpot
    assert t.named(events, "full_moon", "clamp", "full_moon_win") == [
        ("full_moon", 0, 0, 9990),
        ("full_moon", 0, 1, cashpot),
        ("full_moon_win", cashpot),
    ]


@pytest.mark.rule("HH-12")
@pytest.mark.rule("G-11")
def test_order_on_one_spin() -> None:
    window = (
        "House Cherries:2 House Orange:3 Grapes / Cherries House Plum Lemon Bell:3 / Bell Cherries Grapes Plum Orange"
    )
    round_, stream = t.scripted_round(showing(window), [0] * 5 + [5] + [0] + [0] * 5)
    assert hh.play_round(round_) > 60
    stream.assert_used_up()
    assert t.names(round_.events)[:9] == [
        "spin", "scatter", "spin_win", "icons", "trail", "full_moon", "full_moon_win", "number_trail", "award",
    ]  # fmt: skip
    assert stream.asked == [3] * 5 + [6] + [6] + [3] * 5
