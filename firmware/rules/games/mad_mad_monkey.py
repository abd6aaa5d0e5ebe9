"""Mad Mad Monkey: stacked Monkeys double, Logos start ten free spins at three times the pay, any win may be gambled."""

from ..choice import GAMBLE, choose
from ..lines import Reading, line_table, pay_table
from ..spinner import count_symbol, cut_award
from ..strips import strip_set

NAME = "mad_mad_monkey"

SYMBOLS = (
    "monkey",
    "logo",
    "banana",
    "pineapple",
    "coconut",
    "mango",
    "papaya",
    "ace",
    "king",
    "queen",
    "jack",
    "ten",
)
_LETTERS = "WSBPCMYAKQJT"
MONKEY = 0
LOGO = 1

MAX_LINES = 50
LINES_FIXED = False
MAX_LINE_BET = 1
COIN_SIZES_MINOR = (1, 2, 5, 10, 20, 25, 50)
LINE_PATTERNS = (
    "22222 11111 33333 12321 32123 12121 32323 21212 23232 11211 "
    "33233 22122 22322 21112 23332 12221 32223 11311 33133 13331 "
    "31113 13131 31313 21312 23132 12112 32332 21122 23322 11233 "
    "33211 11123 33321 12333 32111 21233 23211 12223 32221 11322 "
    "33122 12311 32133 21321 23123 13211 31233 11333 33111 22132"
)
LINES = line_table(LINE_PATTERNS)

# Monkeys on reels 2, 3, 4 only and stacked (MM-01); at most one Logo in a window (G-10); no two Bananas in a row in the
# base game, stacks of them in free spins (MM-08).
MODES = ("base", "free")
BASE, FREE = 0, 1
STRIPS = (
    strip_set(
        _LETTERS,
        (
            "ABCCCKSQKKMMKKTTJJBJJCSTTBPPJJCCKAYPYQQYYY",
            "BAPJJQQYYQQBTTPPPWWWAAJKKYMMQQTSMMACAACMTT",
            "WWWYYYQPSKKBJKKQQCCCTTTBJJJMAAACCYYKSMMPPP",
            "AMSQQTAMQQWWWYYJJAKKMMMPPYAKKBTTTPPYJJBCCB",
            "BKKTTPMMCTTCBAAYYYCCBMTSKKPPYJJQJJPQAAMSQQ",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "ACCCKSQKKMMKKTTJJBBBJJCSTTPPJJCCKAYPYQQYYY",
            "BBBAPJJQQYYQQTTPPWWWAAJKKYMMQQTSMMACAACMTT",
            "WWWYYYQMSKKJKKQQCCTTTBBBJJJMAAACCYYKSMMPPP",
            "AMSQQTACQQWWWYYJJAKKMMMPPYAKKBBBTTTPPYJJCC",
            "KKTTPMMCTTCBBBAAYYYCCMTSKKPPYJJQJJPQAAMSQQ",
        ),
    ),
)

# The Monkey has no pay of its own (MM-01), the Logo pays as a scatter (MM-04).
PAYS = pay_table(
    SYMBOLS,
    """
    banana 2:2 3:20 4:80 5:1000
    pineapple 3:15 4:60 5:400
    coconut 3:12 4:50 5:250
    mango 3:10 4:40 5:200
    papaya 3:10 4:30 5:150
    ace 3:5 4:20 5:100
    king 3:5 4:15 5:75
    queen 3:4 4:12 5:60
    jack 3:3 4:10 5:50
    ten 3:3 4:8 5:40
    """,
)
SCATTER_PAYS = (0, 0, 1, 3, 15, 100)  # times the total bet, by count of Logos (MM-04)

WILD_MULTIPLIER = 2  # MM-02
FREE_SPINS_FROM = 3  # Logos (MM-05)
FREE_SPINS = 10  # MM-05, MM-07
FREE_MULTIPLIER = 3  # MM-06
GAMBLES = 5  # at most, in one game (MM-11)
CARDS = 52
COLOUR_FACTOR = 2  # MM-10
SUIT_FACTOR = 4  # MM-10

# Gamble choices (MM-10); a suit is a quarter of the cards: clubs, diamonds, hearts, spades.
COLLECT, RED, BLACK, FIRST_SUIT = 0, 1, 2, 3
_GAMBLE_OPTIONS = (0, 1, 2, 3, 4, 5, 6)

_READING = Reading(PAYS, wilds=(MONKEY,), wild_multiplier=WILD_MULTIPLIER)


def _spin(spinner, mode, multiplier):
    """One spin; returns the free spins that its Logos ask for."""
    spinner.draw(STRIPS[mode])
    yield spinner.spin_event(mode)
    yield ("window", spinner.window)
    logos = count_symbol(spinner.window, LOGO)
    yield from spinner.line_wins(_READING, multiplier)
    yield from spinner.scatter_win(logos, SCATTER_PAYS)  # never tripled (MM-06)
    yield ("spin_win", spinner.win)
    return FREE_SPINS if logos >= FREE_SPINS_FROM else 0


def round_events(stream, bet, spinner):
    """The round up to the gamble; returns its win."""
    spins = yield from _spin(spinner, BASE, 1)
    win = spinner.win
    if spins:
        feature = yield from _free_spins(spinner, spins)
        win += feature
    return win


def _free_spins(spinner, spins):
    awarded = left = cut_award(spins, 0)
    yield ("award", awarded)
    win = 0
    while left:
        left -= 1
        more = yield from _spin(spinner, FREE, FREE_MULTIPLIER)
        win += spinner.win
        if more:  # MM-07
            more = cut_award(more, awarded)
            awarded += more
            left += more
            yield ("award", more)
    yield ("feature_end", win)
    return win


def gamble_events(stream, win, limit):
    """The gamble, offered while 0 < win < limit, at most five times (MM-09, MM-11); returns the win after it."""
    for _ in range(GAMBLES):
        if not 0 < win < limit:
            break
        guess = yield from choose(GAMBLE, _GAMBLE_OPTIONS)
        if guess == COLLECT:
            break
        card = stream.below(CARDS)
        suit = card // (CARDS // 4)
        if guess >= FIRST_SUIT:
            win = SUIT_FACTOR * win if suit == guess - FIRST_SUIT else 0
        else:
            red = suit in (1, 2)
            win = COLOUR_FACTOR * win if red == (guess == RED) else 0
        yield ("gamble", card, win)
    return win
