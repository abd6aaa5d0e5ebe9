"""Santa vs Rudolf: wilds walk towards each other over re-spins, merge into free spins, and fill two meters."""

from ..choice import GIFT, choose
from ..lines import CELLS, ROWS, Reading, line_table, pay_table
from ..spinner import cells_with, cut_award
from ..strips import strip_set

NAME = "santa_vs_rudolf"

SYMBOLS = (
    "sleigh",
    "sack",
    "bells",
    "globe",
    "list",
    "ace",
    "king",
    "queen",
    "jack",
    "ten",
    "rudolf",
    "santa",
    "merged",
    "reindeer",
)
_LETTERS = "HSBGLAKQJTRN"
SLEIGH = 0
RUDOLF = 10
SANTA = 11
MERGED = 12
REINDEER = 13

MAX_LINES = 20
LINES_FIXED = True
MAX_LINE_BET = 10
# fmt: off
COIN_SIZES_MINOR = (
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 35, 50, 75, 100, 125, 150, 200, 250, 375, 500, 750, 1000, 1500, 2000,
)
# fmt: on
LINE_PATTERNS = (
    "22222 11111 33333 12321 32123 11211 33233 23332 21112 21212 "
    "23232 12121 32323 22122 22322 12221 32223 13131 31313 13331"
)
LINES = line_table(LINE_PATTERNS)

# Base and its re-spins: Rudolf lands on reel 1 only, Santa on reel 5 only; in free spins both land on any reel (SR-02).
# At most one wild in a window (G-10). Rudolf Spins have none (SR-13).
MODES = ("base", "base_respin", "free", "free_respin", "rudolf")
BASE, BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN = 0, 1, 2, 3, 4
STRIPS = (
    strip_set(
        _LETTERS,
        (
            "KKBBQGGGTTBTTTJAAATJJGGSQQJJJRLLSSSRJQQAAKKQQQABKKTHHHGLLJJHQQTTTKKJBBAALL",
            "KKLLTTAATQQQAATTKHHBBBJJGSSJKJJGGQLQ",
            "GGSQQQAAALSJJBABBTTLKKJJJKKTTTQQHHGL",
            "SSAJJGKJJJTTTAAHHLAQGGLLBBQQQBQKKKTT",
            "STTQQQKKANSAAJJJTTKTGGSSQQQHAAATTTKKKLLGGBBLLTTQQBBHHJJGLLHBBGJJJAAQQKKNJJ",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "TLLAAQQKJBBKKKBQQQKBBLLTTLLJSSHHAAATSSBJJJHHAAGGQJJKKKJGGTQJJGGTTTAQQQTTR",
            "TTLLLTKKKSSQTKKQHHJGGTBGQQJJJAQBBAAA",
            "GGBBJJLLAKLJJSSQQJKKKTTTGJQLHHAAAQTT",
            "AAATKKTTSSJQQQGJKKALGGLLJJJHHQQBBBTT",
            "QQKTGATTTKQGGGQTTKSJJAJJQQAALLJJQQKKNBBLLBTHKSSSLTTTJKKQJJJHHHGGLAAQAABBB",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "QQQABBBKKBBLLLAKKRLTTTAAQQGGJJTTSJNJHHSSQQQAAQQHJLKKGGGTJJHTTRSTAANGJJJBKKL",
            "KKKQQQLLLSSKKKQHJJALBBAATTGJTTJJKTTTGBBHHHNKQQASRSAAGQQJJJGGJJQQGTTTBBALLA",
            "JJGQQQKBBAASSGGBTTNLLQQHGGAJJKKGTBTTKJJKTBBLLAAAJJJKKKAAQQQTTHHHRTTQQJLLSS",
            "JJSJTTAAHBHHBBBHTSRBBTTJJJQQQKAAQQJJKKJJNLLLGGAAAKKTTTSSKKKTTGGQQQAGGLLLQQ",
            "AAJJJKJLLGGAARTTJGAAKKNTTQQQJKRKKBBBNTTBHHQQLKKQQBBQQQHHJJGGGJJSSAATTTSSLLL",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "GJJTTTQQTTAAHHGGAAQQHHJBBBJJJRAJJSSKTJJQKAABBQLLLSSTTTAKKQQQKKTBKGGGQLLLK",
            "QHHKKJJTTTQLAAAQBBBJTTJJGLLGGSSKKQQA",
            "LLQQBBAAJJAAGHHJJJKBTTTLQQSSGGQTTKKK",
            "GGGJJLLSKKTTAAHHQQBJJLAAKKQQQSBBTTTJ",
            "AAJJQQSSSGGQQTJJJAAQKKKBJJGGHLLNTTAJKAALLQQQKKTTBBGTTSHHHTBBBJJGLLKKAQQTT",
        ),
    ),
    strip_set(
        _LETTERS,
        (
            "KKGGAAJJLKKAAQQBBHBJGGLLQQQSSTTLTJJTT",
            "JAAABKHQQGGLLSQQBBJJAJJKTTQSGGLLTTTKK",
            "QQGKASSGLLBBBTTTJJKKGKKTTHJGQQQAAJJLL",
            "JJAAKAATTLSHGGQQQLLSJBBKKKJJGBQQGTTLT",
            "LLJJGGBTLLKKSSKKHAABGGTTBQQJQQQTTAAJJ",
        ),
    ),
)

# Wilds have no pay of their own.
PAYS = pay_table(
    SYMBOLS,
    """
    sleigh 3:20 4:150 5:500
    sack 3:15 4:100 5:400
    bells 3:10 4:80 5:300
    globe 3:5 4:60 5:200
    list 3:5 4:50 5:150
    ace 3:4 4:30 5:100
    king 3:3 4:25 5:75
    queen 3:3 4:20 5:60
    jack 3:2 4:15 5:60
    ten 3:2 4:15 5:60
    """,
)
GAMBLES = 0

MERGE_FREE_SPINS = 10  # in the main game (SR-06)
MERGE_FREE_SPINS_LIMIT = 30  # for one spin (SR-06)
FREE_MERGE_FREE_SPINS = 4  # in free spins (SR-08)
METER_LENGTH = 8  # SR-09

GIFT_PRIZES = ((20, 40, 60), (50, 80, 130), (100, 160, 300))  # by set, times the line bet; 940 together (SR-12)
GIFT_MAX_MULTIPLIER = 4  # SR-11
_STEP = 3  # items 0 to 2 of a set are prizes
_END = 4

RUDOLF_SPINS = 3  # SR-13
RUDOLF_WILDS = 5
RUDOLF_SPIN_CAP = 9000  # times the line bet (SR-14)

# A leading run of wilds counts as Sleigh.
_READING = Reading(PAYS, wilds=(RUDOLF, SANTA, MERGED, REINDEER), wild_run=(SLEIGH,), both_ways=True)


class Walkers:
    """The wilds on the reels: cells as bit masks.

    Attributes:
        rudolfs, santas: walking wilds.
        merged: wilds that merged on this spin; they stay for it only (SR-05).
    """

    def __init__(self):
        self.rudolfs = 0
        self.santas = 0
        self.merged = 0

    def any(self):
        """True while a wild is there that walks on: it gives a re-spin (SR-03)."""
        return self.rudolfs or self.santas

    def walk(self):
        """Every Rudolf one reel to the right, every Santa one to the left, at the start of a re-spin.

        Returns:
            How many Rudolfs and how many Santas left the reels (SR-04).
        """
        left_rudolfs = _bits(self.rudolfs >> CELLS - ROWS)
        left_santas = _bits(self.santas & (1 << ROWS) - 1)
        rudolfs = self.rudolfs << ROWS & (1 << CELLS) - 1
        santas = self.santas >> ROWS
        self.merged = rudolfs & santas  # SR-05: in one cell; those that swap places never share one
        self.rudolfs = rudolfs & ~self.merged
        self.santas = santas & ~self.merged
        return left_rudolfs, left_santas

    def meet(self, window):
        """Lays the walking and merged wilds over a drawn window and adds the wilds that landed on free cells."""
        walking = self.rudolfs | self.santas | self.merged
        landed_rudolfs = cells_with(window, RUDOLF) & ~walking
        landed_santas = cells_with(window, SANTA) & ~walking
        if walking:
            for cell in range(CELLS):
                if walking >> cell & 1:
                    if self.rudolfs >> cell & 1:
                        window[cell] = RUDOLF
                    elif self.santas >> cell & 1:
                        window[cell] = SANTA
                    else:
                        window[cell] = MERGED
        self.rudolfs |= landed_rudolfs
        self.santas |= landed_santas


def _bits(mask):
    count = 0
    while mask:
        count += mask & 1
        mask >>= 1
    return count


class Meters:
    """The two meters of a session of free spins; when one is full the other freezes (SR-09, SR-10)."""

    def __init__(self):
        self.values = [0, 0]  # Rudolf, Santa

    def full(self):
        """The meter that is full, 0 Rudolf or 1 Santa; -1 for none."""
        for which in (0, 1):
            if self.values[which] == METER_LENGTH:
                return which
        return -1

    def fill(self, rudolfs, santas):
        """One space for each wild that left, Rudolfs first."""
        for which, count in ((0, rudolfs), (1, santas)):
            for _ in range(count):
                if self.full() < 0:
                    self.values[which] += 1
                    yield ("meter", which, self.values[which])


def _spin(spinner, walkers, mode):
    """One spin or re-spin with the wilds where they are now; returns the number of merges."""
    spinner.draw(STRIPS[mode])
    yield spinner.spin_event(mode)
    walkers.meet(spinner.window)
    yield ("window", spinner.window)
    merges = 0
    if walkers.merged:
        for cell in range(CELLS):
            if walkers.merged >> cell & 1:
                merges += 1
                yield ("merge", cell)
    yield from spinner.line_wins(_READING)
    yield ("spin_win", spinner.win)
    return merges


def round_events(stream, bet, spinner):
    """The round: the paid spin and its re-spins; every merge opens free spins, after which they go on (SR-07)."""
    walkers = Walkers()
    yield from _spin(spinner, walkers, BASE)
    win = spinner.win
    while walkers.any():
        walkers.walk()
        merges = yield from _spin(spinner, walkers, BASE_RESPIN)
        win += spinner.win
        if merges:
            session = yield from _free_spins(stream, bet, spinner, merges)
            win += session
    return win


def _free_spins(stream, bet, spinner, merges):
    """A session of free spins, started on empty reels, with the bonus of a full meter at its end (SR-07 to SR-10)."""
    awarded = left = cut_award(min(merges * MERGE_FREE_SPINS, MERGE_FREE_SPINS_LIMIT), 0)
    yield ("award", awarded)
    meters = Meters()
    walkers = Walkers()
    win = 0
    while left:
        left -= 1
        mode = FREE
        while True:
            merges = yield from _spin(spinner, walkers, mode)
            win += spinner.win
            if merges:
                more = cut_award(merges * FREE_MERGE_FREE_SPINS, awarded)
                awarded += more
                left += more
                yield ("award", more)
            if not walkers.any():
                break
            rudolfs, santas = walkers.walk()
            yield from meters.fill(rudolfs, santas)
            mode = FREE_RESPIN
        walkers.merged = 0
    full = meters.full()
    if full == 0:
        bonus = yield from _rudolf_spins(stream, bet, spinner)
        win += bonus
    elif full == 1:
        bonus = yield from _gifts(stream, bet)
        win += bonus
    yield ("feature_end", win)
    return win


def _rudolf_spins(stream, bet, spinner):
    """Three spins with five Reindeer Wilds each, on distinct cells; they do not walk (SR-13)."""
    yield ("rudolf_spins",)
    cap = RUDOLF_SPIN_CAP * bet.line_bet
    win = 0
    for _ in range(RUDOLF_SPINS):
        spinner.draw(STRIPS[RUDOLF_SPIN])
        cells = bytearray(range(CELLS))
        stream.shuffle(cells, RUDOLF_WILDS)
        for cell in cells[:RUDOLF_WILDS]:
            spinner.window[cell] = REINDEER
        yield spinner.spin_event(RUDOLF_SPIN)
        yield ("window", spinner.window)
        yield from spinner.line_wins(_READING)
        if spinner.win > cap:  # the strips are made so that this never happens (SR-14)
            yield ("clamp", spinner.win, cap)
            spinner.win = cap
        yield ("spin_win", spinner.win)
        win += spinner.win
    return win


def gift_layouts(stream):
    """The hidden items of the three sets and the offset of SR-11, drawn when the bonus starts (SR-16)."""
    layouts = []
    for _ in GIFT_PRIZES:
        items = bytearray(range(5))
        stream.shuffle(items, 4)
        layouts.append(items)
    return layouts, 1 + stream.below(4)


def _gifts(stream, bet):
    """Santa's Gifts: picks in each set until its end item, then the next set (SR-11)."""
    layouts, offset = gift_layouts(stream)
    prizes = 0
    multiplier = 1
    first = True
    for number, items in enumerate(layouts):
        left = [0, 1, 2, 3, 4]
        item = -1
        while item != _END:
            position = yield from choose(GIFT, left)
            left.remove(position)
            if first and items[position] == _END:
                other = (position + offset) % 5
                items[position], items[other] = items[other], items[position]
            first = False
            item = items[position]
            coins = 0
            if item < _STEP:
                coins = GIFT_PRIZES[number][item] * bet.line_bet
                prizes += coins
            elif item == _STEP:
                multiplier = min(multiplier + 1, GIFT_MAX_MULTIPLIER)
            yield ("gift", number, position, item, coins, multiplier)
    win = prizes * multiplier
    yield ("gifts_win", win)
    return win
