"""Mad Mad Monkey (MM): stacked wilds that double, free spins that triple, the card gamble."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .common import (
    LEFT,
    REELS,
    FreeSpins,
    LineWin,
    Reading,
    Round,
    Tables,
    assert_one_per_reel,
    best_lines,
    reel_of,
    run_coins,
    run_length,
)

BASE, FREE = 0, 1
GAMBLE = 3
COLLECT, RED, BLACK, CLUBS, DIAMONDS, HEARTS, SPADES = range(7)
CARDS = 52
CARDS_PER_SUIT = 13


def play_round(round_: Round) -> int:
    """Play the spin and its free spins; return the coins won, before the gamble."""
    free_spins = FreeSpins(round_)
    win = spin(round_, BASE, free_spins)
    if free_spins.awarded:
        feature = 0
        while free_spins.take():
            feature += spin(round_, FREE, free_spins)
        round_.log("feature_end", feature)
        win += feature
    return win


def spin(round_: Round, mode: int, free_spins: FreeSpins) -> int:
    """Play one spin and award its free spins; return the coins won."""
    tables = round_.tables
    logo = tables["scatter_symbol"]

    window = round_.draw_window(mode)
    assert_one_per_reel(window, logo)
    for reel in (0, REELS - 1):
        assert tables["wild"] not in reel_of(window, reel), f"MM-01: a wild on reel {reel + 1}"
    round_.log_window(window)

    win = round_.pay_lines(line_wins(tables, window, round_.lines, round_.line_bet, free=mode == FREE))
    logos = window.count(logo)
    win += round_.pay_scatter(logos)  # MM-04, MM-06: never tripled
    round_.log("spin_win", win)

    if logos >= tables["free_spins_from"]:
        free_spins.award(tables["free_spins"])  # MM-05, MM-07
    return win


def line_wins(tables: Tables, window: Sequence[str], lines: int, line_bet: int, *, free: bool = False) -> list[LineWin]:
    """The wins of the enabled lines, the best of each after multipliers (MM-03)."""
    return best_lines(tables, window, lines, line_bet, lambda cells: line_readings(tables, cells, free))


def line_readings(tables: Tables, cells: list[str], free: bool) -> Iterator[Reading]:
    """What a line can be read as: as reel 1 has no wilds, only the run of the symbol there."""
    monkey, symbol = tables["wild"], cells[0]
    if symbol == tables["scatter_symbol"]:  # MM-01: Monkey does not stand for Logo
        return
    count = run_length(cells, {symbol, monkey})
    multiplier = tables["wild_multiplier"] if monkey in cells[:count] else 1  # MM-02
    if free:
        multiplier *= tables["free_multiplier"]  # MM-06
    yield Reading(symbol, count, LEFT, multiplier, run_coins(tables, symbol, count) * multiplier)


def gamble(round_: Round, win: int, limit: int) -> int:
    """Offer the gamble of the round's total until it is collected, lost or no longer offered (MM-09, MM-11).

    Args:
        win: coins of the whole round; what is left of them or made of them is returned.
        limit: coins; a win below it is offered, the result may pass it. 0 offers nothing.
    """
    for _ in range(round_.tables["gambles"]):
        if not 0 < win < limit:
            break
        bet_on = round_.ask(GAMBLE, range(COLLECT, SPADES + 1))
        if bet_on == COLLECT:
            break
        card = round_.stream.below(CARDS)  # G-11: after the choice
        win *= gamble_factor(bet_on, card)
        round_.log("gamble", card, win)
    return win


def gamble_factor(bet_on: int, card: int) -> int:
    """What the win is multiplied by (MM-10): 2 for the right colour, 4 for the right suit, 0 for a wrong one."""
    suit = (CLUBS, DIAMONDS, HEARTS, SPADES)[card // CARDS_PER_SUIT]
    colour = RED if suit in (DIAMONDS, HEARTS) else BLACK
    if bet_on in (RED, BLACK):
        return 2 if bet_on == colour else 0
    return 4 if bet_on == suit else 0
