"""Line wins: the best reading of every enabled line (G-02, G-04, SR-01, MH-08, MM-02, HH-02).

A window is 15 symbol ids, reel by reel and top to bottom: cell = reel * 3 + row. Paylines are a flat table of five
cells a line, pays a flat table of six entries a symbol by count: `pays[symbol * 6 + count]`, coins per line coin.

A line can be read in several ways from its first reel (in a both-ways game from either end): as the run of its first
symbol that is no wild, wilds counted in; as the leading run of wilds, counted for the symbol that pays most for so
many; as the leading run of the one wild that has pays of its own. The highest pay counts; of equal ones the longer
run, then the lower symbol id, then the left side.
"""

from array import array

from .portable import micropython, ptr8, ptr32

REELS = 5
ROWS = 3
CELLS = REELS * ROWS
WIN = 6  # entries a win: line from 0, symbol, count, direction (0 left, 1 right), multiplier, pay per line coin


def line_table(patterns):
    """Paylines as text, such as "22222 12321" (the row of each reel, 1 is the top), as the flat table of cells.

    Raises:
        ValueError: a pattern is not five digits of 1 to 3.
    """
    cells = bytearray()
    for pattern in patterns.split():
        if len(pattern) != REELS:
            raise ValueError("a payline has five rows")
        for reel in range(REELS):
            row = ord(pattern[reel]) - 49
            if not 0 <= row < ROWS:
                raise ValueError("a payline's rows are 1 to 3")
            cells.append(reel * ROWS + row)
    return bytes(cells)


def pay_table(symbols, text):
    """Pays as text, a line a symbol: its name and count:coins, such as "banana 2:2 3:20"; as the flat table.

    Text rather than tuples because it stays in flash. A count that is not named pays nothing.

    Args:
        symbols: names in id order.

    Raises:
        ValueError: a name is none of the symbols, or a number is none.
    """
    pays = array("i", [0] * (6 * len(symbols)))
    for line in text.split("\n"):
        words = line.split()
        if words:
            symbol = symbols.index(words[0])
            for word in words[1:]:
                count, coins = word.split(":")
                pays[6 * symbol + int(count)] = int(coins)
    return pays


# What the evaluator is told, as an array("i"): one entry each, then six pays and six symbols of a run of wilds only.
_WILDS = 0  # bit mask of the symbols that stand for others
_OWN = 1  # the wild with pays for itself alone, -1 for none
_MULTIPLIER = 2  # of a win with a wild in its run
_BOTH_WAYS = 3
_WILD_PAYS = 4
_WILD_SYMBOLS = 10


class Reading:
    """How the lines of one mode of a game are read: at most 16 symbols, pays below 2**23 with the multiplier.

    Args:
        pays: the `pay_table`.
        wilds: ids of the symbols that stand for others.
        own: id of the wild that has pays for a run of itself alone (MH-08, HH-02), -1 for none.
        wild_run: ids that a run of wilds alone may be read as.
        wild_multiplier: factor of a win with a wild in its run, once (MM-02).
        both_ways: lines pay from either end, the larger one (SR-01).
    """

    def __init__(self, pays, wilds=(), own=-1, wild_run=(), wild_multiplier=1, both_ways=False):
        self.pays = pays
        setup = array("i", [0] * 16)
        for wild in wilds:
            setup[_WILDS] |= 1 << wild
        setup[_OWN] = own
        setup[_MULTIPLIER] = wild_multiplier
        setup[_BOTH_WAYS] = 1 if both_ways else 0
        for count in range(1, 6):
            for symbol in sorted(wild_run):
                pay = pays[6 * symbol + count]
                if pay > setup[_WILD_PAYS + count]:
                    setup[_WILD_PAYS + count] = pay
                    setup[_WILD_SYMBOLS + count] = symbol
        self._setup = setup

    def wins(self, window, lines, line_count, results):
        """Writes the paying lines of the first `line_count` to results, WIN entries each; returns how many there are.

        Args:
            window: 15 symbol ids.
            lines: the `line_table`.
            line_count: enabled lines.
            results: array("i") of WIN entries for each line.
        """
        return _wins(window, lines, self.pays, self._setup, results, line_count)


@micropython.viper
def _wins(window: ptr8, lines: ptr8, pays: ptr32, setup: ptr32, results: ptr32, line_count: int) -> int:
    wilds = setup[0]
    own = setup[1]
    wild_multiplier = setup[2]
    directions = setup[3] + 1
    at = 0
    line = 0
    while line < line_count:
        # The best reading so far, as one number that is the larger the better: pay, count, 15 - symbol, 1 for left.
        best = 0
        best_multiplier = 1
        direction = 0
        while direction < directions:
            cell = line * 5
            step = 1
            if direction:
                cell += 4
                step = -1
            symbol = -1
            count = 0  # the run of the first symbol that is no wild, wilds counted in
            leading = 0  # the leading run of wilds
            alone = 0  # the leading run of the wild with pays of its own
            multiplier = 1
            while count < 5:
                other = window[lines[cell]]
                if wilds >> other & 1:
                    multiplier = wild_multiplier
                    if symbol < 0:
                        leading += 1
                        if other == own and alone == count:
                            alone += 1
                elif symbol < 0:
                    symbol = other
                elif other != symbol:
                    break
                count += 1
                cell += step
            left = 1 - direction
            if symbol >= 0:
                rank = (pays[symbol * 6 + count] * multiplier) << 8 | count << 5 | (15 - symbol) << 1 | left
                if rank > best:
                    best = rank
                    best_multiplier = multiplier
            if leading:
                symbol = setup[10 + leading]
                rank = (setup[4 + leading] * wild_multiplier) << 8 | leading << 5 | (15 - symbol) << 1 | left
                if rank > best:
                    best = rank
                    best_multiplier = wild_multiplier
            if alone:
                rank = (pays[own * 6 + alone] * wild_multiplier) << 8 | alone << 5 | (15 - own) << 1 | left
                if rank > best:
                    best = rank
                    best_multiplier = wild_multiplier
            direction += 1
        if best >> 8:
            results[at] = line
            results[at + 1] = 15 - (best >> 1 & 15)
            results[at + 2] = best >> 5 & 7
            results[at + 3] = 1 - (best & 1)
            results[at + 4] = best_multiplier
            results[at + 5] = best >> 8
            at += 6
        line += 1
    return at // 6
