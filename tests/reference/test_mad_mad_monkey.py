"""Mad Mad Monkey on hand-worked windows, and its gamble."""

from __future__ import annotations

import pytest

from host_tools.reference import mad_mad_monkey as mm
from host_tools.reference.common import LEFT, FreeSpins, LineWin, Tables

from . import tables as t

TABLES = t.mad_mad_monkey()
QUIET = "A K Q J 10 / J 10 9 A K / Q Coconut A K J"


def showing(base: str, free: str = QUIET) -> Tables:
    return t.mad_mad_monkey(strips={"base": t.strips(base), "free": t.strips(free)})


def middle(row: str, *, free: bool = False) -> list[LineWin]:
    """The wins of the middle line alone."""
    return mm.line_wins(TABLES, t.grid(f"A K Q J 10 / {row} / Q 9 A K J"), 1, 1, free=free)


@pytest.mark.rule("MM-01")
def test_monkey_stands_for_all_but_logo_and_does_not_pay() -> None:
    assert middle("10 Monkey Monkey Monkey A") == [LineWin(1, "10", 4, LEFT, 2, 30)]
    assert middle("Logo Monkey Monkey Monkey A") == []
    assert middle("9 Monkey K Monkey A") == []
    window = "Logo Monkey A J 10 / K Monkey Logo 9 K / Q Monkey J K J"
    round_, _ = t.scripted_round(showing(window), [0] * 5, lines=1)
    assert mm.play_round(round_) == 1  # two Logos; three Monkeys add none
    assert t.named(round_.events, "scatter", "award") == [("scatter", 2, 1, 1)]


@pytest.mark.rule("MM-01")
@pytest.mark.parametrize("reel", [1, 5])
def test_monkey_on_an_outer_reel_is_refused(reel: int) -> None:
    row = ["A", "K", "Q", "J", "10"]
    row[reel - 1] = "Monkey"
    window = f"{' '.join(row)} / J 10 9 A K / Q 9 A K J"
    round_, _ = t.scripted_round(showing(window), [0] * 5)
    with pytest.raises(AssertionError, match=f"MM-01: a wild on reel {reel}"):
        mm.play_round(round_)


@pytest.mark.rule("MM-02")
@pytest.mark.parametrize(
    ("row", "length", "multiplier", "pay"),
    [
        ("Banana Monkey Monkey Banana K", 4, 2, 200),  # worked example 10
        ("Banana Banana Banana Banana K", 4, 1, 100),
        ("Banana Banana K Monkey K", 2, 1, 4),  # worked example 10: outside the run
        ("Banana Monkey K Monkey K", 2, 2, 8),
        ("Banana Monkey Monkey Monkey Banana", 5, 2, 2000),
    ],
)
def test_monkeys_inside_the_run_double_it_once(row: str, length: int, multiplier: int, pay: int) -> None:
    assert middle(row) == [LineWin(1, "Banana", length, LEFT, multiplier, pay)]


@pytest.mark.rule("MM-03")
@pytest.mark.rule("MM-06")
def test_line_is_paid_with_its_multipliers() -> None:
    assert middle("Banana Monkey Monkey Banana K", free=True) == [LineWin(1, "Banana", 4, LEFT, 6, 600)]
    assert middle("Banana Banana Banana K K", free=True) == [LineWin(1, "Banana", 3, LEFT, 3, 75)]
    # Three with a Monkey pay 2 x 25; the two without would pay 4.
    assert middle("Banana Banana Monkey K K") == [LineWin(1, "Banana", 3, LEFT, 2, 50)]


@pytest.mark.rule("MM-04")
@pytest.mark.parametrize(("logos", "times"), [(1, 0), (2, 1), (3, 4), (4, 15), (5, 100)])
def test_logos_pay_total_bet(logos: int, times: int) -> None:
    row = ["Logo"] * logos + ["J", "Q", "K", "A"][: 5 - logos]
    round_, _ = t.scripted_round(showing(f"A K Q J 10 / {' '.join(row)} / Q 9 A K J"), [0] * 5, lines=50)
    win = mm.spin(round_, mm.BASE, FreeSpins(round_))
    assert win == times * 50
    assert t.named(round_.events, "scatter") == ([("scatter", logos, 1, times * 50)] if times else [])


LOGOS = "Logo K Logo J 10 / J Logo 9 A K / Q Coconut A K J"


@pytest.mark.rule("MM-05")
@pytest.mark.rule("G-06")
def test_three_logos_start_ten_free_spins_on_their_own_strips() -> None:
    free = "A K Q J 10 / Banana Monkey Banana A K / Banana 9 A K J"
    round_, stream = t.scripted_round(showing(LOGOS, free), [0] * 5 * 11, lines=1)
    assert mm.play_round(round_) == 4 + 10 * 150
    stream.assert_used_up()
    assert t.named(round_.events, "spin") == [("spin", 0, 0, 0, 0, 0, 0)] + [("spin", 1, 0, 0, 0, 0, 0)] * 10
    assert t.named(round_.events, "line") == [("line", 1, 2, 3, 0, 6, 150)] * 10
    assert t.named(round_.events, "award", "feature_end") == [("award", 10), ("feature_end", 1500)]


@pytest.mark.rule("MM-06")
@pytest.mark.rule("MM-07")
def test_logos_in_free_spins_are_not_tripled_and_add_ten_spins() -> None:
    tables = showing(LOGOS)
    # Reel 1 of the free strips shows its Logo at stop 3 only.
    tables["strips"]["free"] = [["A", "J", "Q", "Logo", "9", "Q"], *t.strips(LOGOS)[1:]]
    round_, stream = t.scripted_round(tables, [0] * 5 + [3, 0, 0, 0, 0] + [0] * 5 * 19, lines=1)
    mm.play_round(round_)
    stream.assert_used_up()
    assert t.named(round_.events, "scatter")[:2] == [("scatter", 3, 1, 4)] * 2
    assert t.named(round_.events, "award") == [("award", 10), ("award", 10)]
    assert t.names(round_.events)[4:8] == ["spin", "scatter", "spin_win", "award"]  # the retrigger, after its spin_win
    assert len(t.named(round_.events, "spin")) == 21


@pytest.mark.rule("MM-08")
def test_stacks_of_banana_show_on_free_strips_only() -> None:
    stacked = {"base": 0, "free": 0}
    for mode, name in enumerate(stacked):
        lengths = [len(strip) for strip in TABLES["strips"][name]]
        for stop in range(min(lengths)):
            round_, _ = t.scripted_round(TABLES, [stop] * 5)
            window = round_.draw_window(mode)
            stacked[name] += sum(
                window[3 * reel : 3 * reel + 2] == ["Banana"] * 2
                or window[3 * reel + 1 : 3 * reel + 3] == ["Banana"] * 2
                for reel in range(5)
            )
    assert stacked["base"] == 0
    assert stacked["free"] > 0


def gambled(win: int, limit: int, cards: list[int], bets: tuple[int, ...]) -> tuple[int, list[tuple[str | int, ...]]]:
    round_, stream = t.scripted_round(TABLES, cards, bets)
    result = mm.gamble(round_, win, limit)
    stream.assert_used_up()
    assert set(stream.asked) <= {52}
    return result, round_.events


@pytest.mark.rule("MM-09")
@pytest.mark.rule("G-11")
def test_collecting_draws_no_card() -> None:
    result, events = gambled(100, 500, [], (mm.COLLECT,))
    assert result == 100
    assert events == [("choice", 3, 0, 1, 2, 3, 4, 5, 6), ("chosen", 0)]


@pytest.mark.rule("MM-09")
def test_gamble_is_offered_once_for_the_whole_round_after_the_free_spins() -> None:
    free = "A K Q J 10 / Banana Monkey Banana A K / Banana 9 A K J"
    tables = showing(LOGOS, free)
    round_, _ = t.scripted_round(tables, [0] * 5 * 11 + [0], (2,), lines=1)
    win = mm.play_round(round_)
    assert mm.gamble(round_, win, 2000) == 2 * 1504
    assert t.names(round_.events)[-4:] == ["feature_end", "choice", "chosen", "gamble"]
    assert len(t.named(round_.events, "choice")) == 1


@pytest.mark.rule("MM-10")
def test_gamble_is_fair_for_every_bet() -> None:
    for bet in (mm.RED, mm.BLACK):
        factors = [mm.gamble_factor(bet, card) for card in range(52)]
        assert (factors.count(2), factors.count(0)) == (26, 26)
    for bet in (mm.CLUBS, mm.DIAMONDS, mm.HEARTS, mm.SPADES):
        factors = [mm.gamble_factor(bet, card) for card in range(52)]
        assert (factors.count(4), factors.count(0)) == (13, 39)


@pytest.mark.rule("MM-10")
@pytest.mark.parametrize(
    ("bet", "cards"),
    [
        (mm.CLUBS, range(0, 13)),
        (mm.DIAMONDS, range(13, 26)),
        (mm.HEARTS, range(26, 39)),
        (mm.SPADES, range(39, 52)),
        (mm.RED, range(13, 39)),
        (mm.BLACK, [*range(0, 13), *range(39, 52)]),
    ],
)
def test_cards_of_suits_and_colours(bet: int, cards: range | list[int]) -> None:
    assert [card for card in range(52) if mm.gamble_factor(bet, card)] == list(cards)


@pytest.mark.rule("MM-10")
def test_wrong_card_loses_the_stake_and_ends_the_gamble() -> None:
    result, events = gambled(100, 500, [51], (mm.HEARTS,))
    assert result == 0
    assert events[-1] == ("gamble", 51, 0)


@pytest.mark.rule("MM-11")
def test_win_below_the_limit_is_offered_and_may_pass_it() -> None:  # worked example 10, a coin worth 1.00
    result, events = gambled(100, 500, [13, 38, 20], (mm.RED, mm.RED, mm.RED))
    assert result == 800
    assert t.named(events, "gamble") == [("gamble", 13, 200), ("gamble", 38, 400), ("gamble", 20, 800)]


@pytest.mark.rule("MM-11")
def test_five_gambles_at_most() -> None:
    result, events = gambled(1, 1000, [0] * 5, (mm.BLACK,) * 5)
    assert result == 32
    assert len(t.named(events, "choice")) == 5


@pytest.mark.rule("MM-11")
@pytest.mark.parametrize(
    ("win", "limit", "offered"), [(0, 500, 0), (499, 500, 1), (500, 500, 0), (1, 0, 0), (501, 500, 0)]
)
def test_gamble_is_offered_above_zero_and_below_the_limit(win: int, limit: int, offered: int) -> None:
    result, events = gambled(win, limit, [], (mm.COLLECT,) * offered)
    assert result == win
    assert len(t.named(events, "choice")) == offered
