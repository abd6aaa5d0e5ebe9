"""The readings of a line as a machine that takes symbol after symbol and knows the pay as soon as it is decided."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

REELS = 5


class RunReading(NamedTuple):
    """One way to read a line: the leading run of accepted symbols.

    Attributes:
        accepted: ids of the symbols that belong to the run.
        pays: coins by the run's length, 0 to 5.
        multiplying: ids that multiply the pay when one is in the run.
        multiplier: the factor, once for a run.
    """

    accepted: frozenset[int]
    pays: Sequence[int]
    multiplying: frozenset[int] = frozenset()
    multiplier: int = 1


def pays_by_length(counts: Mapping[str, int], multiplier: int = 1) -> list[int]:
    """Pays of a symbol in the tables (count as string -> coins) as a list by length 0 to 5."""
    return [counts.get(str(count), 0) * multiplier for count in range(REELS + 1)]


def substituted(tables: Mapping[str, Any], wilds: Collection[str], multiplier: int = 1) -> list[RunReading]:
    """A reading for each symbol with line pays: its run with these wilds counted in."""
    ids = {symbol: number for number, symbol in enumerate(tables["symbols"])}
    return [
        RunReading(frozenset(ids[name] for name in {symbol, *wilds}), pays_by_length(counts, multiplier))
        for symbol, counts in tables["line_pays"].items()
    ]


def line_machine(symbols: int, readings: Sequence[RunReading]) -> list[list[int]]:
    """The machine of the highest reading, as its table of steps.

    Args:
        symbols: number of symbol ids.
        readings: all that a line can be read as.

    Returns:
        A row for each state, state 0 before reel 1; `row[symbol]` is the next state when it is above 0, else the line
        is decided and pays minus that many coins. After reel 5 every line is decided.
    """
    start = (0, 0, frozenset((number, False) for number in range(len(readings))))
    numbers = {start: 0}
    waiting = [start]
    rows: list[list[int]] = []
    while waiting:
        reel, best, running = waiting.pop(0)
        row = []
        for symbol in range(symbols):
            highest, longer = best, []
            for number, multiplied in running:
                reading = readings[number]
                if symbol in reading.accepted:
                    longer.append((number, multiplied or symbol in reading.multiplying))
                else:
                    highest = max(highest, _pay(reading, reel, multiplied))
            if reel + 1 == REELS:
                highest = max([highest] + [_pay(readings[number], REELS, flag) for number, flag in longer])
                longer = []
            if not longer:
                row.append(-highest)
                continue
            state = (reel + 1, highest, frozenset(longer))
            if state not in numbers:
                numbers[state] = len(numbers)
                waiting.append(state)
            row.append(numbers[state])
        rows.append(row)
    return rows


def _pay(reading: RunReading, length: int, multiplied: bool) -> int:
    return reading.pays[length] * (reading.multiplier if multiplied else 1)
