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
    """How the lines of one mode of a game are read.

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
        best_pay = 0
        best_symbol = 0
        best_count = 0
        best_direction = 0
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
            if symbol >= 0:
                pay = pays[symbol * 6 + count] * multiplier
                if pay > best_pay or (pay == best_pay and pay > 0 and count > best_count):
                    best_pay = pay
                    best_symbol = symbol
                    best_count = count
                    best_direction = direction
                    best_multiplier = multiplier
                elif pay == best_pay and pay > 0 and count == best_count and symbol < best_symbol:
                    best_symbol = symbol
                    best_direction = direction
                    best_multiplier = multiplier
            if leading:
                pay = setup[4 + leading] * wild_multiplier
                reading = setup[10 + leading]
                if pay > best_pay or (pay == best_pay and pay > 0 and leading > best_count):
                    best_pay = pay
                    best_symbol = reading
                    best_count = leading
                    best_direction = direction
                    best_multiplier = wild_multiplier
                elif pay == best_pay and pay > 0 and leading == best_count and reading < best_symbol:
                    best_symbol = reading
                    best_direction = direction
                    best_multiplier = wild_multiplier
                if alone:
                    pay = pays[own * 6 + alone] * wild_multiplier
                    if pay > best_pay or (pay == best_pay and pay > 0 and alone > best_count):
                        best_pay = pay
                        best_symbol = own
                        best_count = alone
                        best_direction = direction
                        best_multiplier = wild_multiplier
                    elif pay == best_pay and pay > 0 and alone == best_count and own < best_symbol:
                        best_symbol = own
                        best_direction = direction
                        best_multiplier = wild_multiplier
            direction += 1
        if best_pay:
            results[at] = line
            results[at + 1] = best_symbol
            results[at + 2] = best_count
            results[at + 3] = best_direction
            results[at + 4] = best_multiplier
            results[at + 5] = best_pay
            at += 6
        line += 1
    return at // 6
