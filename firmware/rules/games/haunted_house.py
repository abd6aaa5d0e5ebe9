"""Haunted House: number icons climb the bonus trail, its top opens Full Moon Money, Houses start free spins."""

from array import array

from ..lines import Reading, line_table, pay_table
from ..portable import micropython, ptr8
from ..spinner import count_symbol, cut_award
from ..strips import strip_set

NAME = "haunted_house"

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
)
LINES = line_table(LINE_PATTERNS)

MODES = ("base", "free")
BASE, FREE = 0, 1
STRIPS = (
    strip_set(
        _LETTERS,
        (
            "OOCLLMLLC222LLL2GMLLLP2M333MM22BBB1BBMGGGM11O11CLLOOOHCC33OGPPPHPPP111BM",
            "222H111GPMMMOOPLL2PP1GMMMPPPGG3GGLBBC2BBOOOGCCC3OOGLLLHGGMP31131MLL1LM",
            "BBBMMOOLBPPBGGOLOPPP1222L211BMHPMMM1CCC1HL333LLMGB13H31GMMMC2OGGGL11LLLCC",
            "PPLLLPPP111PGCCCB3M3LPPBBBMMCOOP11MGGGOMMMGGG22GGLL1O221H222HGO1MMM33LLL",
            "MMMO2OOOGPGCCCBBBM3HMMMHCLLLHGGGPOOGGBBBLLOOPPCM111PP11PLLMLLL222MO111G33OG",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "112LLCCCOLLLCPPPOBBB33BWW22MMHWWPGG1MOOP",
            "OWWW11BOOO1133GGWLLGPPMMMBHBGLLW22OCCCPP",
            "BMMMCCGG22BBO3PP1BHMGWWWH11CCLL3LLOOOWPPPW",
            "BBOMMMBGWWG111CCCPPPGOOGBLL2HWCWWOP33LLL2",
            "G31P2WBBGG22OOOHLGOCCBBOCCL11WWWHMLMM3PPPL",
        ),
    ),
)
# The number icon of each position of the strips above, as digits that stay in flash; 0 for none (HH-06).
ICONS = (
    (
        b"000000000000000000300000000000000000000000000000000000000000000000000000",
        b"0000000000000000000000002000000000000000000000000000000000000000000000",
        b"0000000000000000003330000000000000000000000000000000000000000000000000000",
        b"000000000000000000000000000000000000000000000000000000000030000000000000",
        b"002000000000000000000000000000000000000000000000000000000000000000000000000",
    ),
    (
        b"0120000010000021100000000000000010000000",
        b"0000000000100121000000120000000000010000",
        b"000000002120000000000000001000000100001100",
        b"21000100000010000000000002100000000000001",
        b"000000100000000021000112000000000000010000",
    ),
)

# The Pumpkin's pays are never below another symbol's at the same count (HH-02); the House pays as a scatter (HH-03).
PAYS = pay_table(
    SYMBOLS,
    """
    cherries 2:3 3:10 4:30 5:100
    lemon 3:10 4:40 5:120
    orange 3:10 4:40 5:120
    plum 3:15 4:40 5:150
    bell 3:20 4:60 5:200
    grapes 3:25 4:80 5:300
    watermelon 3:30 4:100 5:400
    single_bar 3:40 4:150 5:600
    double_bar 2:5 3:50 4:200 5:800
    triple_bar 2:8 3:75 4:300 5:2000
    pumpkin 2:10 3:100 4:500 5:5000
    """,
)
SCATTER_PAYS = (0, 0, 1, 3, 15, 100)  # times the total bet, by count of Houses (HH-03)
FREE_SPINS_FROM = 3  # Houses (HH-04)
GAMBLES = 0

NUMBER_TRAIL = range(1, 16)  # free spins (HH-04)
NUMBER_WEIGHTS = (1, 2, 3, 4, 6, 8, 10, 12, 10, 8, 6, 4, 3, 2, 1)

FULL_MOON = -1
BONUS_TRAIL = (5, 6, 8, 10, 12, 15, 18, 20, 22, 25, 30, FULL_MOON)  # by level, times the line bet (HH-07, HH-08)

ADVANCE, REPEAT, COLLECT = 0, 1, 2
FEATURES = ("advance", "repeat", "collect")


def segment_table(text):
    """A segment's positions, such as "5 collect 2, 10 advance 4", as array("H"): multiplier, feature, weight each."""
    table = array("H")
    for position in text.split(","):
        multiplier, feature, weight = position.split()
        table.append(int(multiplier))
        table.append(FEATURES.index(feature))
        table.append(int(weight))
    return table


# Segments from the lowest, each as positions of multiplier, feature and weight. The top has no Advance (HH-09).
SEGMENTS = tuple(
    segment_table(segment)
    for segment in (
        "5 collect 2, 10 collect 2, 5 repeat 4, 10 repeat 2, 5 advance 6, 10 advance 4",
        "20 collect 4, 30 collect 2, 15 repeat 3, 25 repeat 2, 20 advance 5, 30 advance 2",
        "50 collect 5, 75 collect 3, 40 repeat 3, 60 repeat 2, 50 advance 4, 100 advance 1",
        "150 collect 6, 250 collect 3, 100 repeat 3, 200 repeat 1, 150 advance 3, 250 advance 1",
        "500 collect 6, 1000 collect 2, 400 repeat 3, 600 repeat 1",
    )
)
CASHPOT_LIMIT = 10000  # times the line bet (HH-10)

_READINGS = (
    Reading(PAYS),
    Reading(PAYS, wilds=(PUMPKIN,), own=PUMPKIN),
)


def icon(mode, reel, position):
    """The number that the symbol at a position of a strip carries, 0 for none; positions count round."""
    icons = ICONS[mode][reel]
    return icons[position % len(icons)] - 48


def icon_sum(mode, stops):
    """Sum of the numbers on the window of five stops (HH-06)."""
    total = 0
    for icons, stop in zip(ICONS[mode], stops):
        total += _visible(icons, len(icons), stop)
    return total


@micropython.viper
def _visible(icons: ptr8, length: int, stop: int) -> int:
    total = 0
    rows = 3
    while rows > 0:
        total += icons[stop] - 48
        rows -= 1
        stop += 1
        if stop == length:
            stop = 0
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
        positions = SEGMENTS[segment]
        entry = stream.weighted([positions[at] for at in range(2, len(positions), 3)])
        multiplier = positions[3 * entry]
        feature = positions[3 * entry + 1]
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
