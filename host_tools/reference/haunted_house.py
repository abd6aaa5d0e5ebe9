"""Haunted House (HH): number icons and their trail, Full Moon Money, free spins by a number trail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .common import (
    LEFT,
    FreeSpins,
    LineWin,
    Reading,
    Round,
    Tables,
    assert_one_per_reel,
    assert_pays_most,
    best_lines,
    run_coins,
    run_length,
    weighted,
)

BASE, FREE = 0, 1


def play_round(round_: Round) -> int:
    """Play the spin and its free spins; return the coins won."""
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
    """Play one spin in the order of HH-12 and award its free spins; return the coins won."""
    tables = round_.tables
    house = tables["scatter_symbol"]

    shown = round_.draw_window(mode)
    window = [symbol for symbol, _ in shown]
    icons = sum(icon for _, icon in shown)  # HH-06: of this spin only; HH-11: in free spins too
    assert_one_per_reel(window, house)
    assert mode == FREE or tables["wild"] not in window, "HH-02: a Pumpkin in the base game"
    round_.log_window(window)

    win = round_.pay_lines(line_wins(tables, window, round_.lines, round_.line_bet))
    houses = window.count(house)
    win += round_.pay_scatter(houses)  # HH-03
    round_.log("spin_win", win)

    win += bonus_trail(round_, icons)

    if houses >= tables["free_spins_from"]:
        entry = weighted(round_.stream, tables["number_trail"])  # HH-04, HH-05
        spins = tables["number_trail"][entry]["spins"]
        round_.log("number_trail", entry, spins)
        free_spins.award(spins)
    return win


def line_wins(tables: Tables, window: Sequence[str], lines: int, line_bet: int) -> list[LineWin]:
    """The highest win of each line (HH-01)."""
    return best_lines(tables, window, lines, line_bet, lambda cells: line_readings(tables, cells))


def line_readings(tables: Tables, cells: list[str]) -> Iterator[Reading]:
    """The Pumpkin run, and the run of the first other symbol with the Pumpkins before and in it (HH-02)."""
    pumpkin, house = tables["wild"], tables["scatter_symbol"]
    pumpkins = run_length(cells, {pumpkin})
    if pumpkins:
        assert_pays_most(tables, pumpkin, pumpkins)
        yield Reading(pumpkin, pumpkins, LEFT, 1, run_coins(tables, pumpkin, pumpkins))
    if pumpkins < len(cells) and cells[pumpkins] != house:
        symbol = cells[pumpkins]
        count = run_length(cells, {symbol, pumpkin})
        yield Reading(symbol, count, LEFT, 1, run_coins(tables, symbol, count))


def bonus_trail(round_: Round, icons: int) -> int:
    """Pay the level that the sum of the icons reaches, or play Full Moon Money; return the coins won."""
    if icons == 0:
        return 0
    trail = round_.tables["bonus_trail"]
    round_.log("icons", icons)
    level = min(icons, len(trail))  # HH-07: past the end is the last level
    multiplier = trail[level - 1]
    assert (multiplier is None) == (level == len(trail)), f"HH-08: level {level} of {len(trail)} is {multiplier}"
    if multiplier is None:
        round_.log("trail", level, 0)
        return full_moon(round_)
    coins: int = multiplier * round_.line_bet
    round_.log("trail", level, coins)
    return coins


def full_moon(round_: Round) -> int:
    """Play Full Moon Money; return the coins won (HH-09)."""
    segments = round_.tables["full_moon"]["segments"]
    limit = round_.tables["full_moon"]["cashpot_limit"]
    cashpot = segment = 0
    feature = ""
    while feature != "collect" and cashpot < limit:  # HH-10: a full cashpot is collected
        entry = weighted(round_.stream, segments[segment])
        multiplier, feature = segments[segment][entry]["multiplier"], segments[segment][entry]["feature"]
        cashpot = min(cashpot + multiplier, limit)
        round_.log("full_moon", segment, entry, cashpot)
        assert feature in ("advance", "repeat", "collect"), f"HH-09: no feature {feature}"
        if feature == "advance":
            segment += 1
            assert segment < len(segments), "HH-09: Advance in the top segment"
    coins: int = cashpot * round_.line_bet
    round_.log("full_moon_win", coins)
    return coins
