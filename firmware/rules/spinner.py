"""Spins: stops, windows, and the wins of lines and scatters as events."""

from array import array

from .lines import CELLS, REELS, ROWS, WIN
from .portable import micropython, ptr8, ptr32

FREE_SPINS_LIMIT = 250  # of one feature, retriggers included (G-12)


class Bet:
    """What a round is played at.

    Args:
        line_bet: coins per line.
        lines: enabled lines.
    """

    def __init__(self, line_bet, lines):
        self.line_bet = line_bet
        self.lines = lines
        self.total = line_bet * lines


# The wins of a spin, WIN entries each, room for the most lines of a game. One for all rounds, as two spins are never
# evaluated at the same time: so large a block takes a third of a spin's time to find in the heap.
_results = array("i")


def _room_for(lines):
    global _results
    if len(_results) < WIN * lines:
        _results = array("i", bytes(4 * WIN * lines))
    return _results


_LINE = ("line",)


@micropython.viper
def _settle(results: ptr32, count: int, multiplier: int, factor: int) -> int:
    """Turns wins into what their events say: lines from 1, the mode's multiplier, pays in coins; returns their sum."""
    total = 0
    at = 0
    while count > 0:
        results[at] += 1
        results[at + 4] *= multiplier
        pay = results[at + 5] * factor
        results[at + 5] = pay
        total += pay
        at += 6
        count -= 1
    return total


class Spinner:
    """The reels of a round: draws stops, fills the window, evaluates it. Made once, used for every spin of the round.

    Attributes:
        stops: bytearray of the five stop indices.
        window: bytearray of 15 symbol ids.
        win: coins of the last evaluated spin, lines and scatter.
    """

    def __init__(self, stream, bet, lines):
        self._stream = stream
        self._bet = bet
        self._lines = lines
        self.stops = bytearray(REELS)
        self.window = bytearray(CELLS)
        self.win = 0

    def draw(self, strips):
        """Five stops, reel 1 to 5 (G-11), and the window they show."""
        window = self.window
        stops = self.stops
        below = self._stream.below
        for reel in range(REELS):
            strip = strips[reel]
            stop = below(len(strip))
            stops[reel] = stop
            _show(window, reel * ROWS, strip, len(strip), stop)
        self.win = 0

    def spin_event(self, mode):
        """The event of the spin that was drawn."""
        stops = self.stops
        return ("spin", mode, stops[0], stops[1], stops[2], stops[3], stops[4])

    def line_wins(self, reading, multiplier=1):
        """Evaluates the enabled lines; yields a `line` event for each that pays and adds it to `win`."""
        results = _room_for(self._bet.lines)
        count = reading.wins(self.window, self._lines, self._bet.lines, results)
        self.win += _settle(results, count, multiplier, multiplier * self._bet.line_bet)
        for at in range(0, WIN * count, WIN):
            yield _LINE + tuple(results[at : at + WIN])

    def scatter_win(self, count, pays, multiplier=1):
        """Pays `count` scatters times the total bet; yields the `scatter` event when that is more than nothing."""
        pay = pays[count] * multiplier * self._bet.total
        if pay:
            self.win += pay
            yield ("scatter", count, multiplier, pay)


@micropython.viper
def _show(window: ptr8, cell: int, strip: ptr8, length: int, stop: int):
    end = cell + 3
    while cell < end:
        window[cell] = strip[stop]
        cell += 1
        stop += 1
        if stop == length:
            stop = 0


@micropython.viper
def count_symbol(window: ptr8, symbol: int) -> int:
    """How many cells of the window show the symbol."""
    count = 0
    cell = 0
    while cell < 15:
        if window[cell] == symbol:
            count += 1
        cell += 1
    return count


@micropython.viper
def cells_with(window: ptr8, symbol: int) -> int:
    """The cells that show the symbol, as a bit mask."""
    mask = 0
    cell = 0
    while cell < 15:
        if window[cell] == symbol:
            mask |= 1 << cell
        cell += 1
    return mask


def cut_award(spins, awarded):
    """What the limit of a feature leaves of an award when `awarded` spins were given already (G-12)."""
    return min(spins, FREE_SPINS_LIMIT - awarded)
