"""Santa vs Rudolf (SR): both ways, walking wilds and re-spins, merges, meters, Rudolf Spins and Santa's Gifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .common import (
    CELLS,
    LEFT,
    REELS,
    RIGHT,
    ROWS,
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
    shuffle,
)

BASE, BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN = range(5)
RUDOLF, SANTA = 0, 1  # the meters
PICK_GIFT = 2
STEP, END = 3, 4  # items of a set; 0 to 2 are its coin prizes
ITEMS = 5
MAIN_MERGES_MAX = 3  # SR-06
PRIZES_SUM = 940  # SR-12


class Wilds(NamedTuple):
    """The cells of the wilds on the reels."""

    rudolfs: list[int]
    santas: list[int]


class Walk(NamedTuple):
    """The wilds after a move, and how many of each left the reels by it."""

    wilds: Wilds
    rudolfs_left: int
    santas_left: int


class Landing(NamedTuple):
    """A drawn window with all wilds in it, the wilds that go on walking, and the cells of merged ones, ascending."""

    window: list[str]
    wilds: Wilds
    merged: list[int]


NO_WILDS = Wilds([], [])


def play_round(round_: Round) -> int:
    """Play the paid spin, its re-spins and the free spins that their merges award; return the coins won."""
    tables = round_.tables
    total, wilds, merged = spin(round_, BASE, NO_WILDS)
    while True:
        if merged:
            # SR-06, SR-07: the session starts on empty reels, the main game's wilds wait for its end.
            assert len(merged) <= MAIN_MERGES_MAX, f"SR-06: {len(merged)} merges on one spin of the main game"
            spins = min(len(merged) * tables["merge_free_spins"], tables["merge_free_spins_limit"])
            total += free_spins(round_, spins)
        if wilds == NO_WILDS:
            return total
        win, wilds, merged = spin(round_, BASE_RESPIN, walk(wilds).wilds)  # SR-03
        total += win


def free_spins(round_: Round, spins: int) -> int:
    """Play a session of free spins with its bonus; return the coins won."""
    tables = round_.tables
    remaining = FreeSpins(round_)
    remaining.award(spins)
    meters = [0, 0]  # SR-09
    total = 0
    while remaining.take():
        win, wilds, merged = spin(round_, FREE, NO_WILDS)
        total += win
        while True:
            if merged:
                remaining.award(len(merged) * tables["free_merge_free_spins"])  # SR-08
            if wilds == NO_WILDS:
                break
            moved = walk(wilds)
            for which, value in fill_meters(meters, moved, tables["meter_length"]):
                round_.log("meter", which, value)
            win, wilds, merged = spin(round_, FREE_RESPIN, moved.wilds)
            total += win
    # SR-10
    assert min(meters) < tables["meter_length"], f"SR-10: two full meters {meters}"
    if meters[RUDOLF] == tables["meter_length"]:
        total += rudolf_spins(round_)
    elif meters[SANTA] == tables["meter_length"]:
        total += santas_gifts(round_)
    round_.log("feature_end", total)
    return total


def spin(round_: Round, mode: int, moved: Wilds) -> tuple[int, Wilds, list[int]]:
    """Draw and pay one spin or re-spin under the wilds that were moved for it.

    Returns:
        The coins won, the wilds that walk on, the cells of merged wilds.
    """
    tables = round_.tables
    stopped = round_.draw_window(mode)
    assert_strips(tables, mode, stopped)
    window, wilds, merged = land(tables, stopped, moved)
    round_.log_window(window)
    for cell in merged:
        round_.log("merge", cell)
    win = round_.pay_lines(line_wins(tables, window, round_.lines, round_.line_bet))
    round_.log("spin_win", win)
    return win, wilds, merged


def assert_strips(tables: Tables, mode: int, stopped: Sequence[str]) -> None:
    """Check that only wilds that this mode allows have landed, where it allows them."""
    rudolf, santa, merged, reindeer = (tables["wilds"][name] for name in ("rudolf", "santa", "merged", "reindeer"))
    assert merged not in stopped, "a merged wild on a strip"
    assert reindeer not in stopped, "a Reindeer Wild on a strip"
    assert_one_per_reel(stopped, rudolf, santa)
    if mode in (BASE, BASE_RESPIN):  # SR-02
        assert rudolf not in stopped[ROWS:], "SR-02: Rudolf lands on reel 1 only"
        assert santa not in stopped[: CELLS - ROWS], "SR-02: Santa lands on reel 5 only"
    elif mode == RUDOLF_SPIN:
        assert rudolf not in stopped, "SR-13: a Rudolf in Rudolf Spins"
        assert santa not in stopped, "SR-13: a Santa in Rudolf Spins"


def walk(wilds: Wilds) -> Walk:
    """Move each Rudolf one reel right and each Santa one reel left (SR-03); past the edge they leave (SR-04)."""
    rudolfs = [cell + ROWS for cell in wilds.rudolfs if cell + ROWS < CELLS]
    santas = [cell - ROWS for cell in wilds.santas if cell - ROWS >= 0]
    return Walk(Wilds(rudolfs, santas), len(wilds.rudolfs) - len(rudolfs), len(wilds.santas) - len(santas))


def land(tables: Tables, stopped: Sequence[str], moved: Wilds) -> Landing:
    """Put the moved wilds on a drawn window, merge those that met, and find the wilds that have landed."""
    names = tables["wilds"]
    merged = sorted(set(moved.rudolfs) & set(moved.santas))  # SR-05
    for cell in merged:
        assert cell // ROWS in range(1, REELS - 1), f"SR-05: a merge in cell {cell}, off reels 2 to 4"

    # What lies under a walking or merged wild does not count, so a landing never merges.
    landed = [cell for cell in range(CELLS) if cell not in moved.rudolfs and cell not in moved.santas]
    wilds = Wilds(
        [cell for cell in moved.rudolfs if cell not in merged]
        + [cell for cell in landed if stopped[cell] == names["rudolf"]],
        [cell for cell in moved.santas if cell not in merged]
        + [cell for cell in landed if stopped[cell] == names["santa"]],
    )
    for cells in (*moved, *wilds):
        assert len(set(cells)) == len(cells), f"SR-15: two wilds of one type share a cell: {cells}"

    window = list(stopped)
    for cell in moved.rudolfs:
        window[cell] = names["rudolf"]
    for cell in moved.santas:
        window[cell] = names["santa"]
    for cell in merged:
        window[cell] = names["merged"]
    return Landing(window, wilds, merged)


def line_wins(tables: Tables, window: Sequence[str], lines: int, line_bet: int) -> list[LineWin]:
    """The wins of the lines, each in its better direction (SR-01)."""
    wilds = set(tables["wilds"].values())

    def readings(cells: list[str]) -> Iterator[Reading]:
        yield from run_readings(tables, cells, LEFT, wilds)
        yield from run_readings(tables, cells[::-1], RIGHT, wilds)

    return best_lines(tables, window, lines, line_bet, readings)


def run_readings(tables: Tables, cells: list[str], direction: int, wilds: set[str]) -> Iterator[Reading]:
    """What the run that starts on the first cell can be read as."""
    sleigh = tables["wild_run_pays_as"]
    symbols = []
    if cells[0] in wilds:
        symbols.append(sleigh)  # a leading run of wilds counts as Sleigh, alone or with Sleighs behind it
        assert_pays_most(tables, sleigh, run_length(cells, wilds))
    first = next((symbol for symbol in cells if symbol not in wilds), sleigh)
    if first not in symbols:
        symbols.append(first)
    for symbol in symbols:
        count = run_length(cells, {symbol, *wilds})
        yield Reading(symbol, count, direction, 1, run_coins(tables, symbol, count))


def fill_meters(meters: list[int], moved: Walk, length: int) -> list[tuple[int, int]]:
    """Fill a space for each wild that left, Rudolfs first, until one meter is full (SR-09, SR-10).

    Args:
        meters: spaces filled of the Rudolf and the Santa meter; changed in place.

    Returns:
        Meter and new value of each space that was filled.
    """
    filled = []
    for which in [RUDOLF] * moved.rudolfs_left + [SANTA] * moved.santas_left:
        if max(meters) < length:
            meters[which] += 1
            filled.append((which, meters[which]))
    return filled


def rudolf_spins(round_: Round) -> int:
    """Play the Rudolf Spins; return the coins won (SR-13)."""
    tables = round_.tables
    settings = tables["rudolf_spins"]
    cap = settings["cap"] * round_.line_bet
    total = 0
    round_.log("rudolf_spins")
    for _ in range(settings["spins"]):
        window = round_.draw_window(RUDOLF_SPIN)
        assert_strips(tables, RUDOLF_SPIN, window)
        cells = list(range(CELLS))
        shuffle(round_.stream, cells, settings["reindeer"])
        for cell in cells[: settings["reindeer"]]:
            window[cell] = tables["wilds"]["reindeer"]
        round_.log_window(window)
        win = round_.pay_lines(line_wins(tables, window, round_.lines, round_.line_bet))
        if win > cap:  # SR-14
            round_.log("clamp", win, cap)
            win = cap
        round_.log("spin_win", win)
        total += win
    return total


def santas_gifts(round_: Round) -> int:
    """Play Santa's Gifts; return the coins won (SR-11)."""
    settings = round_.tables["gifts"]
    sets = settings["sets"]
    assert sum(sum(one["prizes"]) for one in sets) == PRIZES_SUM, f"SR-12: the prizes do not sum to {PRIZES_SUM}"

    layouts = []  # SR-16: all of it is drawn before the first pick
    for _ in sets:
        layout = list(range(ITEMS))
        shuffle(round_.stream, layout, ITEMS - 1)
        layouts.append(layout)
    offset = 1 + round_.stream.below(ITEMS - 1)

    coins, multiplier = 0, 1
    for number, layout in enumerate(layouts):
        unpicked = list(range(ITEMS))
        item = None
        while item != END:
            position = round_.ask(PICK_GIFT, unpicked)
            if number == 0 and len(unpicked) == ITEMS:
                spare_first_pick(layout, position, offset)
            unpicked.remove(position)
            item = layout[position]
            prize = 0
            if item == STEP:
                multiplier = min(multiplier + 1, settings["max_multiplier"])
            elif item != END:
                prize = sets[number]["prizes"][item] * round_.line_bet
            coins += prize
            round_.log("gift", number, position, item, prize, multiplier)
    round_.log("gifts_win", coins * multiplier)
    return coins * multiplier


def spare_first_pick(layout: list[int], position: int, offset: int) -> None:
    """Change the end item, if the very first pick would be it, with the item `offset` places on (SR-11)."""
    if layout[position] == END:
        other = (position + offset) % ITEMS  # positions from 0 here, from 1 in the rule
        layout[position], layout[other] = layout[other], layout[position]
