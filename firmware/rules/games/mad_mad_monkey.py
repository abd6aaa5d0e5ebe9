"""Mad Mad Monkey: the base game (rules MM-01 to MM-04). Its free spins and its gamble are not played yet."""

from array import array

from ..lines import CELLS, REELS, ROWS, evaluate, line_table

NAME = "mad_mad_monkey"

# Symbol ids, in the order of the pictures. One letter each, so that a strip can be read.
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

# Base strips, reel 1 to 5: stop n shows positions n, n + 1, n + 2 from top to bottom. Monkeys only on reels 2, 3, 4 and
# stacked (MM-01); at most one Logo in a window (G-10); no two Bananas in a row (MM-08).
_BASE_STRIPS = (
    "ABCCCKSQKKMMKKTTJJBJJCSTTBPPJJCCKAYPYQQYYY",
    "BAPJJQQYYQQBTTPPPWWWAAJKKYMMQQTSMMACAACMTT",
    "WWWYYYQPSKKBJKKQQCCCTTTBJJJMAAACCYYKSMMPPP",
    "AMSQQTACQQWWWYYJJAKKMMMPPYAKKBTTTPPYJJBCCB",
    "BKKTTPMMCTTCBAAYYYCCBMTSKKPPYJJQJJPQAAMSQQ",
)
STRIPS = tuple(bytes(_LETTERS.index(letter) for letter in strip) for strip in _BASE_STRIPS)

MAX_LINES = 50
LINE_PATTERNS = (
    "22222 11111 33333 12321 32123 12121 32323 21212 23232 11211 "
    "33233 22122 22322 21112 23332 12221 32223 11311 33133 13331 "
    "31113 13131 31313 21312 23132 12112 32332 21122 23322 11233 "
    "33211 11123 33321 12333 32111 21233 23211 12223 32221 11322 "
    "33122 12311 32133 21321 23123 13211 31233 11333 33111 22132"
).split()
LINES = line_table(LINE_PATTERNS)

# Coins per line coin by count 0 to 5. The Monkey has no pay of its own (MM-01), the Logo pays as a scatter.
_PAYS = (
    (0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0),
    (0, 0, 2, 20, 100, 1000),
    (0, 0, 0, 15, 75, 400),
    (0, 0, 0, 12, 60, 250),
    (0, 0, 0, 10, 50, 200),
    (0, 0, 0, 10, 40, 150),
    (0, 0, 0, 5, 25, 100),
    (0, 0, 0, 5, 20, 100),
    (0, 0, 0, 4, 15, 75),
    (0, 0, 0, 3, 12, 60),
    (0, 0, 0, 3, 10, 50),
)
PAYS = array("i", [pay for row in _PAYS for pay in row])
SCATTER_PAYS = (0, 0, 1, 3, 15, 100)  # times the total bet, by count of Logos (MM-04)

WILD_MULTIPLIER = 2  # a win with a Monkey in its run, once however many (MM-02)


class BaseSpin:
    """One spin of the base game; the object is made once and played again and again.

    Attributes:
        stops: bytearray of 5 stop indices.
        window: bytearray of 15 symbol ids, reel by reel, top to bottom.
        line_results: per line four entries: symbol, count, multiplier, win in coins.
        scatter_count, scatter_win: Logos in the window and their win in coins.
        win: the spin's total win in coins.
    """

    def __init__(self):
        self.stops = bytearray(REELS)
        self.window = bytearray(CELLS)
        self.line_results = array("i", bytes(4 * 4 * MAX_LINES))
        self.lines = MAX_LINES
        self.scatter_count = 0
        self.scatter_win = 0
        self.win = 0
        self._fill_window()

    def play(self, stream, lines):
        """Draws the five stops, reel 1 to 5 (G-11), and evaluates the window for `lines` enabled lines.

        Raises:
            ValueError: the number of lines is not 1 to 50.
        """
        if not 1 <= lines <= MAX_LINES:
            raise ValueError("lines are 1 to 50")
        for reel in range(REELS):
            self.stops[reel] = stream.below(len(STRIPS[reel]))
        self.lines = lines
        self._fill_window()
        self.evaluate()

    def _fill_window(self):
        cell = 0
        for reel in range(REELS):
            strip = STRIPS[reel]
            stop = self.stops[reel]
            for row in range(ROWS):
                self.window[cell] = strip[(stop + row) % len(strip)]
                cell += 1

    def evaluate(self):
        """Evaluates `window` for the enabled lines: line wins and scatter add up (G-03)."""
        window = self.window
        line_win = evaluate(window, LINES, self.lines, PAYS, MONKEY, WILD_MULTIPLIER, self.line_results)
        logos = 0
        for cell in range(CELLS):
            if window[cell] == LOGO:
                logos += 1
        self.scatter_count = logos
        self.scatter_win = SCATTER_PAYS[logos] * self.lines  # one coin a line: the total bet is the lines
        self.win = line_win + self.scatter_win

    def line_wins(self):
        """The paying lines as (line number from 1, symbol id, count, multiplier, win in coins)."""
        results = self.line_results
        return [
            (line + 1, results[4 * line], results[4 * line + 1], results[4 * line + 2], results[4 * line + 3])
            for line in range(self.lines)
            if results[4 * line + 3]
        ]

    def line_cells(self, line):
        """The five cells of a payline, from reel 1; lines count from 1."""
        return LINES[REELS * (line - 1) : REELS * line]

    def scatter_cells(self):
        """The cells that show a Logo."""
        return [cell for cell in range(CELLS) if self.window[cell] == LOGO]
