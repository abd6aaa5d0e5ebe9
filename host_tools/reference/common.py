"""What the games share: the round that is played, its windows, runs along lines, draws and free spins.

A window is a list of 15 symbol names, reel by reel, top to bottom (cell = 3 x reel + row, both from 0).
Symbols keep their names until they are written into an event as ids.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from ..errors import UsageError
from .stream import Stream

Tables = dict[str, Any]
"""The tables of one game, as `picocab tables GAME --json` writes them."""

Event = tuple[str | int, ...]
"""A name and integers."""

Choose = Callable[[int, tuple[int, ...]], int]
"""The player: takes the kind of choice and the options, returns one of the options."""

REELS = 5
ROWS = 3
CELLS = REELS * ROWS

LEFT = 0
RIGHT = 1


class Reading(NamedTuple):
    """One way to read a line: a run of a symbol from one side, and what it pays for each coin on the line."""

    symbol: str
    length: int
    direction: int
    multiplier: int
    coins: int
    """Coins per line coin, the multiplier included."""


class LineWin(NamedTuple):
    """The paid reading of one line; lines count from 1, `pay` is in coins and holds line bet and multiplier."""

    line: int
    symbol: str
    length: int
    direction: int
    multiplier: int
    pay: int


class Round:
    """A round that is being played: what was bet, the stream of its draws, the player, the events so far."""

    def __init__(self, tables: Tables, line_bet: int, lines: int, seed: bytes, choose: Choose) -> None:
        self.tables = tables
        self.line_bet = line_bet
        self.lines = lines  # the same in every feature (G-06)
        self.total_bet = line_bet * lines
        self.stream = Stream(seed)
        self.events: list[Event] = []
        self._choose = choose
        self._ids = {symbol: number for number, symbol in enumerate(tables["symbols"])}

    def log(self, name: str, *numbers: int) -> None:
        """Append an event."""
        self.events.append((name, *numbers))

    def log_window(self, window: Iterable[str]) -> None:
        """Append the window as it is evaluated."""
        self.log("window", *(self._ids[symbol] for symbol in window))

    def ask(self, kind: int, options: Iterable[int]) -> int:
        """Let the player choose one of the options.

        Raises:
            UsageError: the player answered with something that was not offered.
        """
        offered = tuple(options)
        self.log("choice", kind, *offered)
        option = self._choose(kind, offered)
        if option not in offered:
            raise UsageError(f"choice {option!r} of kind {kind} was not offered", f"choose one of {offered}")
        self.log("chosen", option)
        return option

    def draw_window(self, mode: int) -> list[Any]:
        """Draw five stops, reels 1 to 5, and return the cells of the strips that they show (G-10, G-11)."""
        strips = self.tables["strips"][self.tables["modes"][mode]]
        assert len(strips) == REELS, f"mode {mode} has {len(strips)} strips"
        stops = [self.stream.below(len(strip)) for strip in strips]
        self.log("spin", mode, *stops)
        return window_at(strips, stops)

    def pay_lines(self, wins: Iterable[LineWin]) -> int:
        """Log the paying lines and return their sum in coins (G-02)."""
        total = 0
        for win in wins:
            self.log("line", win.line, self._ids[win.symbol], win.length, win.direction, win.multiplier, win.pay)
            total += win.pay
        return total

    def pay_scatter(self, count: int, multiplier: int = 1) -> int:
        """Log the scatter win of `count` scatters, if there is one, and return it in coins (G-03)."""
        pay = scatter_coins(self.tables, count) * self.total_bet * multiplier
        if pay:
            self.log("scatter", count, multiplier, pay)
        return pay


class FreeSpins:
    """The free spins of one feature: those left, and those awarded so far, which the limit counts (G-12)."""

    def __init__(self, round_: Round) -> None:
        self._round = round_
        self.left = 0
        self.awarded = 0

    def award(self, spins: int) -> None:
        """Add free spins; an award past the limit is cut to it, down to an award of 0."""
        granted = min(spins, self._round.tables["free_spins_limit"] - self.awarded)
        self.awarded += granted
        self.left += granted
        self._round.log("award", granted)

    def take(self) -> bool:
        """Use up one free spin; False when none is left."""
        if self.left == 0:
            return False
        self.left -= 1
        return True


# Windows


def window_at(strips: Sequence[Sequence[Any]], stops: Sequence[int]) -> list[Any]:
    """The 15 cells that the strips show at these stops; a strip is a ring."""
    return [strip[(stop + row) % len(strip)] for strip, stop in zip(strips, stops, strict=True) for row in range(ROWS)]


def reel_of(window: Sequence[str], reel: int) -> Sequence[str]:
    """The three symbols of a reel (from 0), top to bottom."""
    return window[ROWS * reel : ROWS * reel + ROWS]


def assert_one_per_reel(window: Sequence[str], *symbols: str) -> None:
    """Check that no reel shows more than one of these symbols together (G-10)."""
    for reel in range(REELS):
        shown = reel_of(window, reel)
        assert sum(map(shown.count, symbols)) <= 1, f"G-10: reel {reel + 1} shows {shown}, at most one of {symbols}"


# Lines


def line_cells(window: Sequence[str], pattern: Sequence[int]) -> list[str]:
    """The five symbols on a line, reels 1 to 5; the pattern holds the row of each reel, 1 = top."""
    return [window[ROWS * reel + row - 1] for reel, row in enumerate(pattern)]


def run_length(cells: Iterable[str], accepted: Collection[str]) -> int:
    """How many cells from the first on are accepted symbols (G-04)."""
    count = 0
    for symbol in cells:
        if symbol not in accepted:
            break
        count += 1
    return count


def run_coins(tables: Tables, symbol: str, count: int) -> int:
    """Coins per line coin for a run of this symbol; 0 where the table has no pay."""
    pays: dict[str, int] = tables["line_pays"].get(symbol, {})
    coins = pays.get(str(count), 0)
    # A run is read at its whole length; a table that paid more for a part of it would make that a question.
    assert all(pays.get(str(part), 0) <= coins for part in range(2, count)), f"{symbol} pays more for less than {count}"
    return coins


def assert_pays_most(tables: Tables, symbol: str, count: int) -> None:
    """Check that no symbol pays more for a run of this length (MH-13, HH-02, and Sleigh in SR)."""
    coins = run_coins(tables, symbol, count)
    for other, pays in tables["line_pays"].items():
        assert pays.get(str(count), 0) <= coins, f"{other} x{count} pays more than {symbol} x{count}"


def best_lines(
    tables: Tables,
    window: Sequence[str],
    lines: int,
    line_bet: int,
    readings: Callable[[list[str]], Iterable[Reading]],
) -> list[LineWin]:
    """The highest win of each enabled line, lines ascending (G-02).

    Of readings that pay the same, the one with the longer run is named, then the lower symbol id, then left.
    """
    symbols: list[str] = tables["symbols"]
    wins = []
    for line, pattern in enumerate(tables["line_patterns"][:lines], 1):
        paying = [reading for reading in readings(line_cells(window, pattern)) if reading.coins]
        if paying:
            best = min(paying, key=lambda it: (-it.coins, -it.length, symbols.index(it.symbol), it.direction))
            pay = best.coins * line_bet
            wins.append(LineWin(line, best.symbol, best.length, best.direction, best.multiplier, pay))
    return wins


def scatter_coins(tables: Tables, count: int) -> int:
    """What `count` scatters pay, times the total bet."""
    coins: int = tables["scatter_pays"].get(str(count), 0)
    return coins


# Draws


def weighted(stream: Stream, entries: Sequence[dict[str, Any]]) -> int:
    """Draw the position of an entry with the probability of its weight."""
    number = stream.below(sum(entry["weight"] for entry in entries))
    running = 0
    for position, entry in enumerate(entries):
        running += entry["weight"]
        if running > number:
            return position
    raise AssertionError("a number below the sum of the weights lies in one of the entries")


def shuffle(stream: Stream, things: list[int], wanted: int) -> None:
    """Bring a random choice of the things, in random order, to the first `wanted` places."""
    for i in range(wanted):
        j = i + stream.below(len(things) - i)
        things[i], things[j] = things[j], things[i]
