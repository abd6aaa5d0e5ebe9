"""Santa vs Rudolf on hand-worked windows and scripted chains of re-spins."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from host_tools.reference import santa_vs_rudolf as sr
from host_tools.reference.common import LEFT, RIGHT, Event, LineWin

from . import tables as t

TABLES = t.santa_vs_rudolf()
RUDOLF, SANTA, MERGED, REINDEER = 10, 11, 12, 13
QUIET = "A 10 Q A 10 / J K List J K / List Globe 10 Q Globe"


def cell(reel: int, row: int) -> int:
    """The cell of reel 1 to 5, row 1 to 3."""
    return 3 * (reel - 1) + row - 1


def played(*draws: list[int], choices: tuple[int, ...] = (), line_bet: int = 1) -> list[Event]:
    """The events of a main game with these draws, all of which it must use."""
    round_, stream = t.scripted_round(TABLES, [n for drawn in draws for n in drawn], choices, line_bet=line_bet)
    round_.log("round_win", sr.play_round(round_))
    stream.assert_used_up()
    return round_.events


def middle(row: str) -> list[LineWin]:
    """The win of the middle line."""
    window = t.grid(f"A 10 Q A 10 / {row} / List Globe 10 Q Globe")
    return sr.line_wins(TABLES, window, 1, 1)


def modes(events: list[Event]) -> list[int]:
    return [int(event[1]) for event in t.named(events, "spin")]


def places(events: list[Event], symbol: int) -> list[list[int]]:
    """The cells of a symbol in each window."""
    return [[place for place, shown in enumerate(event[1:]) if shown == symbol] for event in t.named(events, "window")]


NO_WILD = t.stops()
NO_FREE_WILD = t.free_stops()
TO_MERGE = [t.stops(2, 2), NO_WILD, NO_WILD]  # Rudolf and Santa meet on reel 3 on re-spin 2


@pytest.mark.rule("SR-01")
def test_larger_direction_is_paid_alone() -> None:  # worked example 1
    window = t.grid("A J Q A 10 / Bells Bells rudolf K K / List Globe 10 Q Globe")
    wins = sr.line_wins(TABLES, window, 20, 1)
    assert wins == [LineWin(1, "Bells", 3, LEFT, 1, 10)]


@pytest.mark.rule("SR-01")
def test_line_pays_from_right_to_left() -> None:
    assert middle("Q A K K K") == [LineWin(1, "K", 3, RIGHT, 1, 3)]
    assert middle("10 10 10 santa A") == [LineWin(1, "10", 4, LEFT, 1, 15)]
    assert middle("10 10 santa Sack Sack") == [LineWin(1, "Sack", 3, RIGHT, 1, 15)]
    assert middle("J Sack Sack Sack J") == []


@pytest.mark.rule("SR-01")
def test_five_of_a_kind_is_paid_once() -> None:  # worked example 1
    window = t.grid("A 10 Q A 10 / Sack Sack Sack Sack Sack / List Globe 10 Q Globe")
    assert sr.line_wins(TABLES, window, 20, 1) == [LineWin(1, "Sack", 5, LEFT, 1, 400)]
    assert middle("merged reindeer rudolf santa rudolf") == [LineWin(1, "Sleigh", 5, LEFT, 1, 500)]


@pytest.mark.rule("SR-01")
def test_equal_directions_name_longer_run_then_lower_symbol_then_left() -> None:
    assert middle("J J santa 10 10") == [LineWin(1, "J", 3, LEFT, 1, 2)]
    assert middle("10 10 santa J J") == [LineWin(1, "J", 3, RIGHT, 1, 2)]
    assert middle("A A santa A Q") == [LineWin(1, "A", 4, LEFT, 1, 30)]
    assert middle("K santa santa santa K") == [LineWin(1, "K", 5, LEFT, 1, 75)]


@pytest.mark.rule("SR-02")
def test_all_wilds_stand_for_all_symbols_and_a_leading_run_for_sleigh() -> None:  # worked example 2
    window = t.grid("A 10 Q A 10 / rudolf santa merged J K / List Globe 10 Q Globe")
    wins = sr.line_wins(TABLES, window, 20, 1)
    assert wins[0] == LineWin(1, "Sleigh", 3, LEFT, 1, 20)
    assert sum(win.pay for win in wins) == 41
    assert middle("rudolf rudolf Sleigh Sleigh K") == [LineWin(1, "Sleigh", 4, LEFT, 1, 150)]
    assert middle("rudolf rudolf A A Q") == [LineWin(1, "A", 4, LEFT, 1, 30)]
    assert middle("rudolf rudolf rudolf rudolf 10") == [LineWin(1, "Sleigh", 4, LEFT, 1, 150)]
    assert middle("rudolf rudolf rudolf Sack Sack") == [LineWin(1, "Sack", 5, LEFT, 1, 400)]
    assert middle("Q J rudolf rudolf rudolf") == [LineWin(1, "Sleigh", 3, RIGHT, 1, 20)]


@pytest.mark.rule("SR-02")
@pytest.mark.parametrize("mode", [sr.BASE, sr.BASE_RESPIN])
@pytest.mark.parametrize(("wild", "reel"), [("rudolf", 2), ("rudolf", 5), ("santa", 1), ("santa", 4)])
def test_wild_that_lands_on_a_wrong_reel_of_the_main_game_is_refused(mode: int, wild: str, reel: int) -> None:
    window = t.grid(QUIET)
    window[cell(reel, 2)] = wild
    with pytest.raises(AssertionError, match="SR-02"):
        sr.assert_strips(TABLES, mode, window)
    for free in (sr.FREE, sr.FREE_RESPIN):
        sr.assert_strips(TABLES, free, window)


@pytest.mark.rule("G-10")
def test_two_wilds_landing_on_one_reel_are_refused() -> None:
    window = t.grid(QUIET)
    window[0], window[2] = "rudolf", "santa"
    with pytest.raises(AssertionError, match="G-10: reel 1"):
        sr.assert_strips(TABLES, sr.FREE, window)


@pytest.mark.rule("SR-03")
@pytest.mark.rule("SR-04")
def test_rudolf_alone_on_reel_1_gives_five_respins() -> None:
    events = played(t.stops(2), *[NO_WILD] * 5)
    assert modes(events) == [0, 1, 1, 1, 1, 1]
    assert places(events, RUDOLF) == [[1], [4], [7], [10], [13], []]


@pytest.mark.rule("SR-03")
@pytest.mark.rule("SR-04")
def test_santa_alone_on_reel_5_gives_five_respins() -> None:
    events = played(t.stops(0, 3), *[NO_WILD] * 5)
    assert places(events, SANTA) == [[14], [11], [8], [5], [2], []]
    assert t.named(events, "meter") == []  # SR-09: not in the main game


@pytest.mark.rule("SR-03")
def test_wild_that_lands_in_the_last_respin_goes_on() -> None:
    events = played(t.stops(2), *[NO_WILD] * 4, t.stops(3), *[NO_WILD] * 5)
    assert places(events, RUDOLF) == [[1], [4], [7], [10], [13], [2], [5], [8], [11], [14], []]


@pytest.mark.rule("SR-03")
def test_spin_without_wilds_has_no_respin() -> None:
    assert modes(played(NO_WILD)) == [0]


@pytest.mark.rule("SR-03")
def test_spin_with_a_wild_is_paid_before_the_wild_moves() -> None:
    events = played(t.stops(2), *[NO_WILD] * 5)
    assert t.names(events)[:4] == ["spin", "spin_win", "spin", "spin_win"]
    assert t.named(events, "window")[0][2] == RUDOLF


@pytest.mark.rule("SR-05")
def test_wilds_that_swap_places_do_not_merge() -> None:  # worked example 3
    events = played(t.stops(1), t.stops(0, 1), *[NO_WILD] * 5)
    assert len(modes(events)) == 1 + 6
    assert places(events, RUDOLF) == [[0], [3], [6], [9], [12], [], []]
    assert places(events, SANTA) == [[], [12], [9], [6], [3], [0], []]
    assert t.named(events, "merge", "award") == []


@pytest.mark.rule("SR-05")
@pytest.mark.rule("SR-06")
@pytest.mark.rule("SR-07")
def test_merge_awards_ten_spins_and_the_frozen_reels_return() -> None:  # worked example 3
    events = played(t.stops(2, 2), t.stops(1), NO_WILD, *[NO_FREE_WILD] * 10, *[NO_WILD] * 4)
    assert modes(events) == [0, 1, 1] + [2] * 10 + [1] * 4
    assert t.named(events, "merge", "award") == [("merge", cell(3, 2)), ("award", 10)]
    assert t.names(events)[4:9] == ["spin", "merge", "spin_win", "award", "spin"]
    assert places(events, MERGED) == [[], [], [7]] + [[]] * 14  # for that spin only
    assert places(events, RUDOLF)[:4] == [[1], [0, 4], [3], []]  # free spins start on empty reels
    assert places(events, RUDOLF)[13:] == [[6], [9], [12], []]
    assert places(events, SANTA) == [[13], [10]] + [[]] * 15


@pytest.mark.rule("SR-06")
def test_three_merges_award_thirty_spins_and_no_respin() -> None:  # worked example 4
    events = played(t.stops(1, 3), t.stops(2, 2), t.stops(3, 1), NO_WILD, *[NO_FREE_WILD] * 30)
    assert modes(events) == [0, 1, 1, 1] + [2] * 30
    assert t.named(events, "merge", "award") == [("merge", 5), ("merge", 7), ("merge", 9), ("award", 30)]
    assert {5, 7, 9} == {cell(4, 1), cell(3, 2), cell(2, 3)}


@pytest.mark.rule("SR-06")
def test_award_for_one_spin_is_limited() -> None:
    tables = t.santa_vs_rudolf(merge_free_spins_limit=15)
    draws = [t.stops(1, 3), t.stops(2, 2), t.stops(3, 1), NO_WILD, *[NO_FREE_WILD] * 15]
    round_, stream = t.scripted_round(tables, [n for drawn in draws for n in drawn])
    sr.play_round(round_)
    stream.assert_used_up()
    assert t.named(round_.events, "award") == [("award", 15)]


@pytest.mark.rule("SR-06")
@pytest.mark.rule("SR-07")
def test_later_merge_of_the_chain_awards_again() -> None:
    events = played(t.stops(2, 2), t.stops(1, 1), NO_WILD, *[NO_FREE_WILD] * 10, NO_WILD, *[NO_FREE_WILD] * 10)
    assert modes(events) == [0, 1, 1] + [2] * 10 + [1] + [2] * 10
    assert t.named(events, "merge", "award") == [("merge", 7), ("award", 10), ("merge", 6), ("award", 10)]
    assert len(t.named(events, "feature_end")) == 2


@pytest.mark.rule("SR-05")
def test_merged_wild_counts_on_the_lines() -> None:
    window = t.grid(QUIET)
    landing = sr.land(TABLES, window, sr.Wilds([7], [7]))
    assert landing == ([*window[:7], "merged", *window[8:]], sr.Wilds([], []), [7])


@pytest.mark.rule("SR-05")
def test_wild_that_lands_under_a_walker_does_not_exist() -> None:
    window = t.grid(QUIET)
    window[4] = "santa"
    landing = sr.land(TABLES, window, sr.Wilds([4], []))
    assert landing.window[4] == "rudolf"
    assert (landing.wilds, landing.merged) == (sr.Wilds([4], []), [])
    window[4] = "rudolf"
    landing = sr.land(TABLES, window, sr.Wilds([], [4]))
    assert landing.window[4] == "santa"
    assert (landing.wilds, landing.merged) == (sr.Wilds([], [4]), [])
    landing = sr.land(TABLES, window, sr.Wilds([4], [4]))
    assert landing.window[4] == "merged"
    assert (landing.wilds, landing.merged) == (sr.Wilds([], []), [4])


@pytest.mark.rule("SR-15")
def test_rudolf_that_lands_under_a_rudolf_is_one_wild() -> None:
    window = t.grid(QUIET)
    window[4] = "rudolf"
    assert sr.land(TABLES, window, sr.Wilds([4], [])).wilds == sr.Wilds([4], [])


@pytest.mark.rule("SR-15")
def test_two_wilds_of_one_type_in_a_cell_are_refused() -> None:
    for moved in (sr.Wilds([4, 4], []), sr.Wilds([], [4, 4])):
        with pytest.raises(AssertionError, match="SR-15"):
            sr.land(TABLES, t.grid(QUIET), moved)


@pytest.mark.rule("SR-15")
def test_no_walk_brings_two_wilds_of_one_type_together() -> None:
    apart = sr.Wilds(list(range(15)), list(range(15)))
    moved = sr.walk(apart)
    assert moved == (sr.Wilds(list(range(3, 15)), list(range(12))), 3, 3)


@pytest.mark.rule("SR-08")
def test_merge_in_free_spins_adds_four_spins_after_its_spin() -> None:
    # Free spin 1: Rudolf on reel 2, Santa on reel 4, both row 1: they meet on the re-spin.
    events = played(*TO_MERGE, t.free_stops({2: 1}, {4: 1}), NO_FREE_WILD, *[NO_FREE_WILD] * 13)
    assert modes(events) == [0, 1, 1, 2, 3] + [2] * 13
    assert t.named(events, "merge", "award") == [("merge", 7), ("award", 10), ("merge", 6), ("award", 4)]
    start = events.index(("merge", 6))
    assert t.names(events[start:])[:4] == ["merge", "spin_win", "award", "spin"]


@pytest.mark.rule("SR-05")
@pytest.mark.rule("SR-08")
def test_wilds_that_swap_in_free_spins_add_nothing() -> None:
    events = played(
        *TO_MERGE,
        t.free_stops({1: 1, 3: 2}, {4: 1}),  # free spin: two Rudolfs and a Santa, which swaps with the first
        t.free_stops({}, {5: 2}),  # re-spin 1: a Santa lands, which swaps with the second
        *[NO_FREE_WILD] * 5,  # it is on reel 1 on re-spin 5
        *[NO_FREE_WILD] * 9,
    )
    assert modes(events) == [0, 1, 1, 2, *[3] * 6, *[2] * 9]
    assert t.named(events, "award") == [("award", 10)]


@pytest.mark.rule("SR-08")
def test_two_merges_of_a_free_respin_add_eight_spins_in_one_award() -> None:
    events = played(*TO_MERGE, t.free_stops({1: 1, 2: 2}, {3: 1, 4: 2}), NO_FREE_WILD, *[NO_FREE_WILD] * 17)
    assert t.named(events, "merge", "award")[2:] == [("merge", cell(2, 1)), ("merge", cell(3, 2)), ("award", 8)]


@pytest.mark.rule("SR-02")
@pytest.mark.rule("SR-08")
def test_respins_of_free_spins_use_up_none_and_wilds_land_on_any_reel() -> None:
    events = played(*TO_MERGE, t.free_stops({3: 2}, {2: 1}), *[NO_FREE_WILD] * 3, *[NO_FREE_WILD] * 9)
    assert modes(events) == [0, 1, 1, 2, 3, 3, 3] + [2] * 9
    assert places(events, RUDOLF)[3:7] == [[cell(3, 2)], [cell(4, 2)], [cell(5, 2)], []]
    assert places(events, SANTA)[3:7] == [[cell(2, 1)], [cell(1, 1)], [], []]


@pytest.mark.rule("SR-09")
def test_wild_that_leaves_fills_its_meter_before_the_respin() -> None:
    events = played(*TO_MERGE, t.free_stops({5: 1}, {1: 1}), NO_FREE_WILD, *[NO_FREE_WILD] * 9)
    start = events.index(("meter", 0, 1))
    assert events[start : start + 2] == [("meter", 0, 1), ("meter", 1, 1)]
    assert events[start - 1][0] == "spin_win"
    assert events[start + 2][:2] == ("spin", 3)


@pytest.mark.rule("SR-09")
def test_two_rudolfs_that_leave_together_fill_two_spaces() -> None:
    meters = [2, 0]
    assert sr.fill_meters(meters, sr.walk(sr.Wilds([12, 14], [])), 8) == [(0, 3), (0, 4)]
    assert meters == [4, 0]


@pytest.mark.rule("SR-09")
def test_merged_wild_fills_no_meter() -> None:
    events = played(*TO_MERGE, t.free_stops({2: 1}, {4: 1}), NO_FREE_WILD, *[NO_FREE_WILD] * 13)
    assert t.named(events, "meter") == []


@pytest.mark.rule("SR-10")
@pytest.mark.parametrize(
    ("meters", "left", "filled", "after"),
    [
        ([7, 7], (1, 1), [(0, 8)], [8, 7]),  # worked example 5
        ([6, 7], (1, 1), [(0, 7), (1, 8)], [7, 8]),
        ([7, 7], (0, 2), [(1, 8)], [7, 8]),
        ([7, 3], (3, 1), [(0, 8)], [8, 3]),
        ([8, 3], (1, 1), [], [8, 3]),
        ([3, 8], (1, 1), [], [3, 8]),
    ],
)
def test_full_meter_freezes_the_other(
    meters: list[int], left: tuple[int, int], filled: list[tuple[int, int]], after: list[int]
) -> None:
    assert sr.fill_meters(meters, sr.Walk(sr.NO_WILDS, *left), 8) == filled
    assert meters == after


@pytest.mark.rule("SR-10")
@pytest.mark.rule("SR-13")
def test_rudolf_spins_come_after_the_last_spin_of_the_session() -> None:  # worked example 5
    both_leave = [t.free_stops({5: 1}, {1: 1}), NO_FREE_WILD]
    santa_leaves = [t.free_stops({}, {1: 1}), NO_FREE_WILD]
    rudolf_spin = [0] * 5 + [0] * 5
    events = played(*TO_MERGE, *both_leave * 8, *santa_leaves, NO_FREE_WILD, *[rudolf_spin] * 3)
    meters = t.named(events, "meter")
    assert meters == [("meter", which, value) for value in range(1, 8) for which in (0, 1)] + [("meter", 0, 8)]
    assert modes(events) == [0, 1, 1] + [2, 3] * 9 + [2] + [4] * 3
    start = events.index(("rudolf_spins",))
    assert t.names(events[start:]) == ["rudolf_spins", *["spin", "spin_win"] * 3, "feature_end", "round_win"]
    assert places(events, REINDEER)[-3:] == [[0, 1, 2, 3, 4]] * 3


@pytest.mark.rule("SR-10")
def test_full_santa_meter_gives_the_gifts_and_the_session_holds_their_win() -> None:
    santa_leaves = [t.free_stops({}, {1: 1}), NO_FREE_WILD]
    gifts = [0] * 12 + [0]
    # The order is prizes, step, end: one prize of 100, then the end items.
    events = played(*TO_MERGE, *santa_leaves * 8, *[NO_FREE_WILD] * 2, gifts, choices=(0, 4, 4, 4), line_bet=2)
    assert t.named(events, "gifts_win") == [("gifts_win", 200)]
    session = events[events.index(("award", 10)) :]
    won = sum(int(event[1]) for event in t.named(session, "spin_win"))
    assert t.named(events, "feature_end") == [("feature_end", won + 200)]


@pytest.mark.rule("SR-10")
def test_each_session_starts_with_empty_meters() -> None:
    one_leaves = [t.free_stops({5: 1}), NO_FREE_WILD, *[NO_FREE_WILD] * 9]
    events = played(t.stops(2, 2), t.stops(1, 1), NO_WILD, *one_leaves, NO_WILD, *one_leaves)
    assert t.named(events, "meter") == [("meter", 0, 1)] * 2


def gifts(draws: list[int], picks: tuple[int, ...], line_bet: int = 1) -> tuple[int, list[Event]]:
    round_, stream = t.scripted_round(TABLES, draws, picks, line_bet=line_bet)
    win = sr.santas_gifts(round_)
    stream.assert_used_up()
    assert stream.asked == [5, 4, 3, 2] * 3 + [4]
    return win, round_.events


IN_ORDER = [0] * 12  # items in order: three prizes, step, end


@pytest.mark.rule("SR-11")
@pytest.mark.rule("SR-16")
@pytest.mark.rule("G-11")
def test_gifts_sum_times_multiplier() -> None:  # worked example 6
    win, events = gifts([*IN_ORDER, 0], (0, 3, 1, 4, 4, 3, 0, 4))
    assert win == 600
    assert t.named(events, "gift", "gifts_win") == [
        ("gift", 0, 0, 0, 100, 1),
        ("gift", 0, 3, 3, 0, 2),
        ("gift", 0, 1, 1, 60, 2),
        ("gift", 0, 4, 4, 0, 2),
        ("gift", 1, 4, 4, 0, 2),
        ("gift", 2, 3, 3, 0, 3),
        ("gift", 2, 0, 0, 40, 3),
        ("gift", 2, 4, 4, 0, 3),
        ("gifts_win", 600),
    ]
    assert t.named(events, "choice")[:3] == [
        ("choice", 2, 0, 1, 2, 3, 4),
        ("choice", 2, 1, 2, 3, 4),
        ("choice", 2, 1, 2, 4),
    ]


@pytest.mark.rule("SR-12")
def test_largest_gifts_award() -> None:  # worked example 6
    win, events = gifts([*IN_ORDER, 3], (0, 1, 2, 3, 4) * 3)
    assert win == 3760
    assert len(t.named(events, "choice")) == 15  # the last item of a set is chosen too
    assert gifts([*IN_ORDER, 3], (0, 1, 2, 3, 4) * 3, line_bet=10)[0] == 37600


@pytest.mark.rule("SR-12")
def test_prizes_with_another_sum_are_refused() -> None:
    tables = t.santa_vs_rudolf(gifts={"sets": [{"prizes": [1, 2, 3]}] * 3, "max_multiplier": 4})
    round_, _ = t.scripted_round(tables)
    with pytest.raises(AssertionError, match="SR-12"):
        sr.santas_gifts(round_)


@pytest.mark.rule("SR-11")
@pytest.mark.parametrize(("draw", "item"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_very_first_pick_is_never_the_end(draw: int, item: int) -> None:
    # Position 4 holds the end; it changes places with position (4 + 1 + draw) mod 5, where the end is found next.
    _, events = gifts([*IN_ORDER, draw], (4, draw, 4, 4))
    assert [event[2:4] for event in t.named(events, "gift")] == [(4, item), (draw, 4), (4, 4), (4, 4)]


@pytest.mark.rule("SR-11")
def test_second_pick_and_later_sets_can_be_the_end() -> None:
    win, events = gifts([*IN_ORDER, 2], (1, 4, 4, 4))
    assert win == 60
    assert [event[3] for event in t.named(events, "gift")] == [1, 4, 4, 4]


@pytest.mark.rule("SR-11")
@pytest.mark.parametrize("position", range(5))
def test_first_set_is_uniform_over_the_96_allowed_orders(position: int) -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for order in itertools.permutations(range(5)):
        for offset in range(1, 5):
            layout = list(order)
            sr.spare_first_pick(layout, position, offset)
            seen[tuple(layout)] += 1
    assert len(seen) == 96
    assert set(seen.values()) == {5}
    assert all(layout[position] != sr.END for layout in seen)


@pytest.mark.rule("SR-13")
@pytest.mark.rule("G-11")
def test_rudolf_spin_draws_stops_then_fresh_reindeer() -> None:
    draws = [*([0] * 5), 14, 0, 0, 0, 0, *([1] * 5), 0, 1, 1, 1, 1, *([2] * 5), 4, 4, 4, 4, 4]
    round_, stream = t.scripted_round(TABLES, draws)
    win = sr.rudolf_spins(round_)
    stream.assert_used_up()
    assert stream.asked == [3, 3, 3, 3, 3, 15, 14, 13, 12, 11] * 3
    assert places(round_.events, REINDEER) == [[1, 2, 3, 4, 14], [0, 2, 3, 4, 5], [4, 5, 6, 7, 8]]
    assert t.named(round_.events, "spin", "meter", "merge") == [("spin", 4, *[stop] * 5) for stop in range(3)]
    assert win == sum(int(event[1]) for event in t.named(round_.events, "spin_win"))


@pytest.mark.rule("SR-13")
@pytest.mark.parametrize("wild", ["rudolf", "santa", "reindeer", "merged"])
def test_wild_on_a_strip_of_rudolf_spins_is_refused(wild: str) -> None:
    window = t.grid(QUIET)
    window[14] = wild
    with pytest.raises(AssertionError):
        sr.assert_strips(TABLES, sr.RUDOLF_SPIN, window)


@pytest.mark.rule("SR-14")
def test_rudolf_spin_is_cut_to_its_cap_and_logged() -> None:
    sleighs = t.santa_vs_rudolf(strips={"rudolf_spins": [["Sleigh"]] * 5})
    round_, _ = t.scripted_round(sleighs, [0] * 30, line_bet=10)
    assert sr.rudolf_spins(round_) == 270_000
    assert t.named(round_.events, "clamp", "spin_win") == [("clamp", 100_000, 90_000), ("spin_win", 90_000)] * 3
    assert len(t.named(round_.events, "line")) == 60  # the lines are logged as they pay


@pytest.mark.rule("SR-14")
def test_all_sleighs_pass_the_cap_and_the_next_lower_total_does_not() -> None:
    # Of all windows of Sleighs, Sacks and five Reindeer, this is one of the four that come next to all Sleighs.
    top, middle_row, bottom = (
        "reindeer Sack reindeer Sack reindeer",
        "reindeer Sleigh reindeer Sleigh Sleigh",
        "Sleigh " * 5,
    )
    window = f"{top} / {middle_row} / {bottom}"
    assert sum(win.pay for win in sr.line_wins(TABLES, t.grid(window), 20, 1)) == 8500
    assert sum(win.pay for win in sr.line_wins(TABLES, t.grid(window.replace("Sack", "Sleigh")), 20, 1)) == 10000
