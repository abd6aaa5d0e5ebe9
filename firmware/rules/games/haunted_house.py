"""Haunted House: number icons climb the bonus trail, its top opens Full Moon Money, Houses start free spins."""

from ..lines import REELS, ROWS, Reading, line_table, pay_table
from ..spinner import count_symbol, cut_award
from ..strips import strip_set

NAME = "haunted_house"
TITLE = "Haunted House"

SYMBOLS = (
    "cherries",
    "lemon",
    "orange",
    "plum",
    "bell",
    "grapes",
    "watermelon",
    "single_bar",
    "double_bar",
    "triple_bar",
    "pumpkin",
    "haunted_house",
)
_LETTERS = "CLOPBGM123WH"
PUMPKIN = 10
HOUSE = 11

MAX_LINES = 20
LINES_FIXED = True
MAX_LINE_BET = 1
COIN_SIZES_MINOR = (1, 2, 5, 10, 20, 25, 50)
LINE_PATTERNS = (
    "22222 11111 33333 12321 32123 11211 33233 23332 21112 21212 "
    "23232 12121 32323 22122 22322 12221 32223 13131 31313 13331"
).split()
LINES = line_table(LINE_PATTERNS)

MODES = ("base", "free")
BASE, FREE = 0, 1
STRIPS = (
    strip_set(
        _LETTERS,
        (
            "2BBBPPCC1H33LPPCBO112OM2COOGGGLMMLLL",
            "OOPPP2211OO11CCCHLLLBBBOLMP33GGGMMG",
            "331MM22LBBBPPPHMMLLOHCCGGLCCPO11PBGOO",
            "GPPOGGMGLLLCCMM22133BB11HBBLLCCPPOOO",
            "PPPBH11OOOGG21OOBBCCGBMMLLLHM33GCC22PL",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "2CHOOOWOPGPPCCM1BBBCGGMMLLLP3LL22113B",
            "3PPOOWWCL22MMMCCOOOG13BBB1LLPPHGGGL11",
            "PP3WOOOBBGGGHMMMPLCCOLW1113BB22PPLLMHCC",
            "OWWL2P1PHGG33LLPPCCCMBMMBB11CLLOOOGB2G",
            "HP23CBBB1221WLLLPPLGGCCCOOM1HMBGMOO3POG",
        ),
    ),
)
# The number icon of each position of the strips above, 0 for none (HH-06).
ICONS = (
    (
        bytes(int(icon) for icon in "000020100001001010000210000000000000"),
        bytes(int(icon) for icon in "00000020000001000100010001002100000"),
        bytes(int(icon) for icon in "1010000000000000011002100020000000000"),
        bytes(int(icon) for icon in "000000000000002011010100010020000000"),
        bytes(int(icon) for icon in "02000010000000100000001000200001000001"),
    ),
    (
        bytes(int(icon) for icon in "2000100010000000000000000000210000101"),
        bytes(int(icon) for icon in "1012000000020000000010000000100000001"),
        bytes(int(icon) for icon in "000021000100001200000000000100010000000"),
        bytes(int(icon) for icon in "10000000010220000000000000110000000010"),
        bytes(int(icon) for icon in "001101000000002000000000001001002000000"),
    ),
)

PAYS = pay_table(
    (
        (0, 0, 3, 10, 30, 100),
        (0, 0, 0, 10, 40, 120),
        (0, 0, 0, 10, 40, 120),
        (0, 0, 0, 15, 40, 150),
        (0, 0, 0, 20, 60, 200),
        (0, 0, 0, 25, 80, 300),
        (0, 0, 0, 30, 100, 400),
        (0, 0, 0, 40, 150, 600),
        (0, 0, 5, 50, 200, 800),
        (0, 0, 8, 75, 300, 2000),
        (0, 0, 10, 100, 500, 5000),  # never below another symbol's (HH-02)
        (),  # the House pays as a scatter (HH-03)
    )
)
SCATTER_PAYS = (0, 0, 1, 3, 15, 100)  # times the total bet, by count of Houses (HH-03)
FREE_SPINS_FROM = 3  # Houses (HH-04)
GAMBLES = 0

NUMBER_TRAIL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)  # free spins (HH-04)
NUMBER_WEIGHTS = (2, 3, 4, 6, 8, 10, 10, 10, 8, 6, 5, 4, 3, 2, 1)

FULL_MOON = -1
BONUS_TRAIL = (3, 4, 5, 6, 8, 10, 12, 15, 18, 24, 30, FULL_MOON)  # by level, times the line bet (HH-07, HH-08)

ADVANCE, REPEAT, COLLECT = 0, 1, 2
FEATURES = ("advance", "repeat", "collect")
# Segments from the lowest; in each the positions as (multiplier, feature, weight). The top has no Advance (HH-09).
SEGMENTS = (
    ((5, COLLECT, 2), (10, COLLECT, 2), (5, REPEAT, 4), (10, REPEAT, 2), (5, ADVANCE, 6), (10, ADVANCE, 4)),
    ((20, COLLECT, 4), (30, COLLECT, 2), (15, REPEAT, 3), (25, REPEAT, 2), (20, ADVANCE, 5), (30, ADVANCE, 2)),
    ((50, COLLECT, 5), (75, COLLECT, 3), (40, REPEAT, 3), (60, REPEAT, 2), (50, ADVANCE, 4), (100, ADVANCE, 1)),
    ((150, COLLECT, 6), (250, COLLECT, 3), (100, REPEAT, 3), (200, REPEAT, 1), (150, ADVANCE, 3), (250, ADVANCE, 1)),
    ((500, COLLECT, 6), (1000, COLLECT, 2), (400, REPEAT, 3), (600, REPEAT, 1)),
)
CASHPOT_LIMIT = 10000  # times the line bet (HH-10)

_WEIGHTS = tuple(tuple(weight for _, _, weight in segment) for segment in SEGMENTS)
_READINGS = (
    Reading(PAYS),
    Reading(PAYS, wilds=(PUMPKIN,), own=PUMPKIN),
)


def icon_sum(mode, stops):
    """Sum of the numbers on the window of five stops (HH-06)."""
    total = 0
    for reel in range(REELS):
        icons = ICONS[mode][reel]
        for row in range(ROWS):
            total += icons[(stops[reel] + row) % len(icons)]
    return total


def _spin(spinner, stream, bet, mode):
    """One spin with its trails; returns the number of Houses and the win, trails included."""
    spinner.draw(STRIPS[mode])
    yield spinner.spin_event(mode)
    yield ("window", spinner.window)
    houses = count_symbol(spinner.window, HOUSE)
    yield from spinner.line_wins(_READINGS[mode])
    yield from spinner.scatter_win(houses, SCATTER_PAYS)
    yield ("spin_win", spinner.win)
    win = spinner.win
    total = icon_sum(mode, spinner.stops)
    if total:
        yield ("icons", total)
        trail = yield from _bonus_trail(stream, bet, min(total, len(BONUS_TRAIL)))
        win += trail
    return houses, win


def _bonus_trail(stream, bet, level):
    """The level reached pays, not those passed (HH-07); the last opens Full Moon Money (HH-08)."""
    multiplier = BONUS_TRAIL[level - 1]
    if multiplier != FULL_MOON:
        yield ("trail", level, multiplier * bet.line_bet)
        return multiplier * bet.line_bet
    yield ("trail", level, 0)
    win = yield from _full_moon(stream, bet)
    return win


def _full_moon(stream, bet):
    segment = cashpot = 0
    feature = ADVANCE
    while feature != COLLECT and cashpot < CASHPOT_LIMIT:
        entry = stream.weighted(_WEIGHTS[segment])
        multiplier, feature, _ = SEGMENTS[segment][entry]
        cashpot = min(cashpot + multiplier, CASHPOT_LIMIT)
        yield ("full_moon", segment, entry, cashpot)
        if feature == ADVANCE:
            segment += 1
    win = cashpot * bet.line_bet
    yield ("full_moon_win", win)
    return win


def _number_trail(stream, awarded):
    """Draws the free spins of a trigger (HH-04, HH-05); returns what the limit leaves of them."""
    entry = stream.weighted(NUMBER_WEIGHTS)
    yield ("number_trail", entry, NUMBER_TRAIL[entry])
    spins = cut_award(NUMBER_TRAIL[entry], awarded)
    yield ("award", spins)
    return spins


def round_events(stream, bet, spinner):
    """The round; returns its win."""
    houses, win = yield from _spin(spinner, stream, bet, BASE)
    if houses >= FREE_SPINS_FROM:
        awarded = yield from _number_trail(stream, 0)
        left = awarded
        feature = 0
        while left:
            left -= 1
            houses, spin_win = yield from _spin(spinner, stream, bet, FREE)
            feature += spin_win
            if houses >= FREE_SPINS_FROM:
                more = yield from _number_trail(stream, awarded)
                awarded += more
                left += more
        yield ("feature_end", feature)
        win += feature
    return win
