"""Mad Hatters: Mad Hats expand on reel 3, a chosen hatter is wild in free spins, clocks open the Cuckoo bonus."""

from ..choice import CLOCK, HATTER, choose
from ..lines import ROWS, Reading, line_table, pay_table
from ..spinner import cells_with, count_symbol
from ..strips import strip_set

NAME = "mad_hatters"

SYMBOLS = (
    "mad_hat",
    "bunny",
    "cuckoo_clock",
    "john",
    "james",
    "jeff",
    "teapot",
    "chocolate_cake",
    "sundae",
    "teacup",
    "cup_cake",
)
_LETTERS = "WBC123TKSUP"
MAD_HAT = 0
BUNNY = 1
CLOCK_SYMBOL = 2
HATTERS = (3, 4, 5)  # John, James, Jeff

MAX_LINES = 30
LINES_FIXED = False
MAX_LINE_BET = 10
COIN_SIZES_MINOR = (1, 2, 5, 10, 20, 25, 50)
LINE_PATTERNS = (
    "22222 11111 33333 12321 32123 11211 33233 23332 21112 21212 "
    "23232 12121 32323 22122 22322 12221 32223 13131 31313 13331 "
    "31113 11311 33133 12312 32132 21321 23123 11233 33211 22132"
)
LINES = line_table(LINE_PATTERNS)

# Reel 3 keeps Bunny and Clock three positions away from the Mad Hat and from each other.
MODES = ("base", "free")
BASE, FREE = 0, 1
STRIPS = (
    strip_set(
        _LETTERS,
        (
            "SUUWSPPPBKKPP11122233SSUUPTK33TTTSSKPC",
            "2TUUKKTPPPTT113KKT33SUBU22WUUPP2TSSSC",
            "SS3C33PUU1SPPPTTSSUUB222KKUTTW11KKPPKC",
            "KKBPPSSK33TWPKK2221113U3CSUUUSSPUUUTTTPP",
            "PPP3TWPPC222KKUUSSSTT33P2BUUU3KKK11SSTTK1",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "1S321UUU33KUUPPWKTTT11B22SSSCKKPPTPP",
            "BKKKWTU1UUC11TSS1PSSUPP2KTTT33322UUP",
            "KU33PUBPTS22UKWPKPPPKKTTTPSCSSUU11US",
            "PPPKSPPP333U1TTTU11SCKK2TU22BKKSSSUUUW",
            "1SS11W2USSSTTKKKPC1UU22PPBPTT2KK333UUPP",
        ),
    ),
)

# The Bunny pays as a scatter (MH-03), the clock starts its bonus (MH-09).
PAYS = pay_table(
    SYMBOLS,
    """
    mad_hat 2:10 3:100 4:1000 5:20000
    john 3:25 4:150 5:2000
    james 3:20 4:100 5:1000
    jeff 3:15 4:100 5:600
    teapot 3:12 4:50 5:400
    chocolate_cake 3:10 4:40 5:200
    sundae 3:8 4:30 5:150
    teacup 2:2 3:5 4:20 5:100
    cup_cake 2:2 3:4 4:15 5:75
    """,
)
SCATTER_PAYS = (0, 0, 0, 3, 20, 300)  # times the total bet, by count of Bunnies
FREE_SPINS = (0, 0, 0, 10, 25, 50)  # by count of Bunnies (MH-03)
FREE_MULTIPLIER = 2  # MH-06
GAMBLES = 0

CUCKOO_PICKS = (0, 0, 0, 1, 2, 3)  # by length of the group of adjacent reels (MH-09)
CUCKOO_VALUES = (5, 6, 8, 10, 12, 15, 20, 25, 40, 60, 150, 450)  # times the line bet
CUCKOO_WEIGHTS = (180, 160, 150, 130, 115, 90, 65, 55, 38, 12, 4, 1)
CLOCKS = 5

_REEL_3 = 0b111 << 6  # its cells


def reading(*wilds):
    """How lines are read: the Mad Hat and in free spins the chosen hatter stand for others.

    A run of wilds may be any paying symbol (MH-13), but the Mad Hat pays for itself alone (MH-08).
    """
    return Reading(PAYS, wilds=wilds, own=MAD_HAT, wild_run=range(3, 11))


_BASE_READING = reading(MAD_HAT)


def clock_group(window):
    """Length of the longest group of adjacent reels that show a clock (MH-09)."""
    clocks = cells_with(window, CLOCK_SYMBOL)
    longest = run = 0
    while clocks:
        run = run + 1 if clocks & 0b111 else 0
        if run > longest:
            longest = run
        clocks >>= ROWS
    return longest


def expand(window, symbol):
    """Turns reel 3 into `symbol` when it shows it (MH-02, MH-05)."""
    if cells_with(window, symbol) & _REEL_3:
        window[6] = window[7] = window[8] = symbol


def _spin(spinner, stream, bet, mode, expanding, wilds, multiplier):
    """One spin with its Cuckoo bonus; returns the number of Bunnies and the win, cuckoo included."""
    spinner.draw(STRIPS[mode])
    yield spinner.spin_event(mode)
    window = spinner.window
    bunnies = count_symbol(window, BUNNY)  # both on the stopped window, before the expansion
    picks = CUCKOO_PICKS[clock_group(window)]
    expand(window, expanding)
    yield ("window", window)
    yield from spinner.line_wins(wilds, multiplier)
    yield from spinner.scatter_win(bunnies, SCATTER_PAYS, multiplier)
    yield ("spin_win", spinner.win)
    win = spinner.win
    if picks:  # before the free spins (MH-12), in free spins too (MH-11)
        cuckoo = yield from _cuckoo(stream, bet, picks)
        win += cuckoo
    return bunnies, win


def _cuckoo(stream, bet, picks):
    """Five clocks with values of their own, of which some are picked; never doubled (MH-10)."""
    values = [CUCKOO_VALUES[stream.weighted(CUCKOO_WEIGHTS)] for _ in range(CLOCKS)]
    yield ("cuckoo", picks) + tuple(values)
    left = [0, 1, 2, 3, 4]
    win = 0
    for _ in range(picks):
        clock = yield from choose(CLOCK, left)
        left.remove(clock)
        pay = values[clock] * bet.line_bet  # the screen shows this only (MH-14)
        win += pay
        yield ("cuckoo_pick", clock, pay)
    return win


def round_events(stream, bet, spinner):
    """The round; returns its win."""
    bunnies, win = yield from _spin(spinner, stream, bet, BASE, MAD_HAT, _BASE_READING, 1)
    spins = FREE_SPINS[bunnies]
    if spins:
        yield ("award", spins)
        chosen = yield from choose(HATTER, (0, 1, 2))  # MH-04
        hatter = HATTERS[chosen]
        wilds = reading(MAD_HAT, hatter)
        feature = 0
        for _ in range(spins):  # Bunnies pay in free spins but award none (MH-07)
            _, spin_win = yield from _spin(spinner, stream, bet, FREE, hatter, wilds, FREE_MULTIPLIER)
            feature += spin_win
        yield ("feature_end", feature)
        win += feature
    return win
