"""Mad Hatters (MH): an expanding wild on reel 3, free spins with a chosen hatter, the Cuckoo bonus."""

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
    assert_pays_most,
    best_lines,
    reel_of,
    run_coins,
    run_length,
    weighted,
)

BASE, FREE = 0, 1
CHOOSE_HATTER, PICK_CLOCK = 0, 1
CLOCKS = 5
THIRD_REEL = 2


def play_round(round_: Round) -> int:
    """Play the spin and all it starts; return the coins won."""
    win, bunnies = spin(round_, hatter=None)
    spins = free_spins_for(round_.tables, bunnies)
    if spins:
        win += free_spins(round_, spins)  # MH-12: after lines, scatter and cuckoo
    return win


def spin(round_: Round, hatter: str | None) -> tuple[int, int]:
    """Play one spin, a free spin when a hatter was chosen; return the coins won and the Bunnies seen."""
    tables = round_.tables
    bunny, clock = tables["scatter_symbol"], tables["clock"]
    multiplier = 1 if hatter is None else tables["free_multiplier"]  # MH-06

    stopped = round_.draw_window(BASE if hatter is None else FREE)
    assert_one_per_reel(stopped, bunny)
    assert_one_per_reel(stopped, clock)
    window = expand(tables, stopped, hatter)
    round_.log_window(window)

    win = round_.pay_lines(line_wins(tables, window, round_.lines, round_.line_bet, hatter))
    bunnies = stopped.count(bunny)  # MH-02, MH-05: Bunnies and Clocks count before the expansion
    win += round_.pay_scatter(bunnies, multiplier)
    round_.log("spin_win", win)

    win += cuckoo(round_, clock_group(stopped, clock))  # MH-11: in free spins too
    return win, bunnies


def expand(tables: Tables, stopped: Sequence[str], hatter: str | None) -> list[str]:
    """The window after the expansion of reel 3: of Mad Hat in the base game, of the chosen hatter in free spins."""
    expanding = tables["wild"] if hatter is None else hatter  # MH-02, MH-05
    window = list(stopped)
    if expanding in reel_of(stopped, THIRD_REEL):
        window[6:9] = [expanding] * 3
    return window


def line_wins(
    tables: Tables, window: Sequence[str], lines: int, line_bet: int, hatter: str | None = None
) -> list[LineWin]:
    """The wins of the enabled lines on an expanded window."""
    return best_lines(tables, window, lines, line_bet, lambda cells: line_readings(tables, cells, hatter))


def line_readings(tables: Tables, cells: list[str], hatter: str | None) -> Iterator[Reading]:
    """All that a line can be read as (MH-08)."""
    mad_hat = tables["wild"]
    wilds = {mad_hat} if hatter is None else {mad_hat, hatter}  # MH-04
    multiplier = 1 if hatter is None else tables["free_multiplier"]  # MH-06
    if cells[0] == mad_hat:
        assert_pays_most(tables, mad_hat, run_length(cells, {mad_hat}))  # MH-13

    # Only the symbol on reel 1 can have a run, unless a wild is there: then every symbol can (MH-13).
    for symbol in tables["line_pays"] if cells[0] in wilds else cells[:1]:
        if symbol in (tables["scatter_symbol"], tables["clock"]):  # MH-01: no wild stands for them
            continue
        accepted = {mad_hat} if symbol == mad_hat else {symbol, *wilds}  # a hatter never stands for a Mad Hat
        count = run_length(cells, accepted)
        yield Reading(symbol, count, LEFT, multiplier, run_coins(tables, symbol, count) * multiplier)


def free_spins_for(tables: Tables, bunnies: int) -> int:
    """How many free spins this number of Bunnies awards in the base game (MH-03)."""
    spins: int = tables["free_spins"].get(str(bunnies), 0)
    return spins


def free_spins(round_: Round, spins: int) -> int:
    """Let the player choose a hatter, play the free spins and return the coins won in them."""
    remaining = FreeSpins(round_)
    remaining.award(spins)
    hatters = round_.tables["hatters"]
    hatter = hatters[round_.ask(CHOOSE_HATTER, range(len(hatters)))]  # MH-04
    total = 0
    while remaining.take():
        win, _ = spin(round_, hatter)  # MH-07: Bunnies award nothing here
        total += win
    round_.log("feature_end", total)
    return total


def clock_group(stopped: Sequence[str], clock: str) -> int:
    """The length of the longest group of adjacent reels that show a Clock (MH-09)."""
    longest = length = 0
    for reel in range(REELS):
        length = length + 1 if clock in reel_of(stopped, reel) else 0
        longest = max(longest, length)
    return longest


def cuckoo(round_: Round, group: int) -> int:
    """Play the Cuckoo bonus, if the group of Clocks is long enough for it, and return the coins won."""
    table = round_.tables["cuckoo"]
    picks = table["picks"].get(str(group), 0)  # MH-09
    if not picks:
        return 0
    values = [table["values"][weighted(round_.stream, table["values"])]["value"] for _ in range(CLOCKS)]  # MH-10
    round_.log("cuckoo", picks, *values)
    total = 0
    unpicked = list(range(CLOCKS))
    for _ in range(picks):
        clock = round_.ask(PICK_CLOCK, unpicked)
        unpicked.remove(clock)
        coins = values[clock] * round_.line_bet  # MH-10, MH-06: never doubled
        round_.log("cuckoo_pick", clock, coins)
        total += coins
    return total
