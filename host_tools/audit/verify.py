"""The same rounds through the core and the reference, and through the core elsewhere: every event must be equal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from ..core import rules
from ..reference.common import Choose, Event, Tables
from ..reference.stream import Stream
from .events import KINDS
from .other_cores import BoardCore, OtherCore, UnixCore
from .rounds import RoundInputs, play_on_core, play_reference

CORE = "core on CPython"
REFERENCE = "reference"

_BLOCK_ROUNDS = 500  # of one job of a worker: long enough to make handing it out cheap
_BOARD_ROUNDS = 5  # of one question to a board

# What a player may stake a win on, one of these for a whole round: collect; colours; suits; anything.
_GAMBLERS = ((0,), (1, 2), (3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 6))
_MAX_GAMBLE_LIMITS = (1, 100, 10_000)  # the limit is drawn below one of these: never, seldom and mostly offered
_MAX_AWARDS = 2_000  # one round in four has a maximum award up to this


@dataclass(frozen=True)
class Difference:
    """The first event that two implementations do not agree on.

    Attributes:
        inputs: of the round.
        number: of the round, from 0.
        position: of the event in the round, from 0.
        expected, found: who says what; an empty text when its round ended before that event.
    """

    inputs: RoundInputs
    number: int
    position: int
    expected_by: str
    expected: str
    found_by: str
    found: str

    def __str__(self) -> str:
        width = max(len(self.expected_by), len(self.found_by))
        return (
            f"{self.inputs.game}, round {self.number}: event {self.position} differs\n"
            f"  {self.expected_by:<{width}}  {self.expected or '(no more events)'}\n"
            f"  {self.found_by:<{width}}  {self.found or '(no more events)'}"
        )


@dataclass(frozen=True)
class Outcome:
    """What became of some rounds.

    Attributes:
        rounds: equal on core and reference.
        other_rounds: of these equal on the core elsewhere too.
        difference: the first one, where the rounds end.
    """

    rounds: int
    other_rounds: int = 0
    difference: Difference | None = None


def drawn_round(tables: Tables, number: int) -> tuple[RoundInputs, Choose]:
    """The inputs of a numbered round, without choices, and the player who makes them; always the same.

    SHA-256 of the game's name and the number gives the seed (its first half) and a stream of draws for the rest.
    """
    material = hashlib.sha256(f"picocab verify {tables['game']} {number}".encode()).digest()
    draws = Stream(material[16:])
    line_bet = 1 + draws.below(tables["max_line_bet"])
    lines = tables["max_lines"] if tables["lines_fixed"] else 1 + draws.below(tables["max_lines"])
    gamble_limit = draws.below(_MAX_GAMBLE_LIMITS[draws.below(len(_MAX_GAMBLE_LIMITS))])
    max_award = 0 if draws.below(4) else 1 + draws.below(_MAX_AWARDS)
    stakes = _GAMBLERS[draws.below(len(_GAMBLERS))]

    def choose(kind: int, options: tuple[int, ...]) -> int:
        wanted = stakes if KINDS[kind] == "gamble" else options
        return wanted[draws.below(len(wanted))]

    inputs = RoundInputs(tables["game"], line_bet, lines, material[:16], (), gamble_limit, max_award)
    return inputs, choose


class Checker:
    """Plays rounds and compares them.

    Args:
        tables: of each game, for the reference.
        other: the core elsewhere, or None.
    """

    def __init__(self, tables: Mapping[str, Tables], other: OtherCore | None) -> None:
        self._tables = tables
        self._other = other

    def check(self, game: str, numbers: Sequence[int], other_rounds: int) -> Outcome:
        """Plays numbered rounds, the first `other_rounds` of them on the core elsewhere too."""
        elsewhere = []
        for done, number in enumerate(numbers):
            inputs, events, difference = self._core_and_reference(game, number)
            if difference:
                return Outcome(done, 0, difference)
            if done < other_rounds:
                elsewhere.append((number, inputs, [event_line(event) for event in events]))
        difference = _compare_elsewhere(self._other, elsewhere) if self._other and elsewhere else None
        if difference:
            return Outcome(len(numbers), 0, difference)
        return Outcome(len(numbers), len(elsewhere))

    def _core_and_reference(self, game: str, number: int) -> tuple[RoundInputs, list[Event], Difference | None]:
        tables = self._tables[game]
        inputs, choose = drawn_round(tables, number)
        events: list[Event] = []
        failure = ""
        try:
            events.extend(play_on_core(inputs, choose))
        except Exception as error:  # whatever stops the core is a difference to be shown, not the end of the check
            failure = _error_line(error)
        choices = tuple(int(event[1]) for event in events if event[0] == "chosen")
        inputs = replace(inputs, choices=choices)
        try:
            expected = play_reference(inputs, tables, _replay(choices))
        except Exception as error:
            lines = [*map(event_line, events), failure]
            return inputs, events, _difference(inputs, number, (REFERENCE, [_error_line(error)]), (CORE, lines))
        if failure or events != expected:
            lines = [*map(event_line, events), *([failure] if failure else [])]
            wanted = [event_line(event) for event in expected]
            return inputs, events, _difference(inputs, number, (REFERENCE, wanted), (CORE, lines))
        return inputs, events, None


def event_line(event: Event) -> str:
    """An event as text, the same as board_side.py writes it."""
    return " ".join(map(str, event))


def _replay(choices: Sequence[int]) -> Choose:
    coming = iter(choices)
    return lambda kind, options: next(coming, -1)  # -1 is never offered


def _error_line(error: Exception) -> str:
    return f"error {type(error).__name__}: {error}"


def _difference(
    inputs: RoundInputs, number: int, expected: tuple[str, Sequence[str]], found: tuple[str, Sequence[str]]
) -> Difference:
    position = 0
    while expected[1][position : position + 1] == found[1][position : position + 1]:
        position += 1
    wanted, got = ("".join(lines[position : position + 1]) for lines in (expected[1], found[1]))
    return Difference(inputs, number, position, expected[0], wanted, found[0], got)


def _compare_elsewhere(other: OtherCore, played: Sequence[tuple[int, RoundInputs, list[str]]]) -> Difference | None:
    whole = hashlib.sha256()
    for _, _, lines in played:
        whole.update("".join(f"{line}\n" for line in lines).encode())
    if other.digest([inputs.line() for _, inputs, _ in played]) == whole.hexdigest():
        return None
    for number, inputs, lines in played:
        found = other.event_lines(inputs.line())
        if found != lines:
            return _difference(inputs, number, (CORE, lines), (other.name, found))
    raise AssertionError("the digest of the rounds differs, but none of their events")


# Workers

_checker: Checker | None = None


def _start_worker(tables: Mapping[str, Tables], micropython: Path | None) -> None:
    global _checker
    _checker = Checker(tables, UnixCore(micropython) if micropython else None)
    for game in tables:
        rules("games").game_module(game)


def _work(job: tuple[str, range, int]) -> Outcome:
    assert _checker is not None
    return _checker.check(*job)


def verify_here(
    tables: Mapping[str, Tables], rounds: int, micropython: Path | None, micropython_rounds: int, workers: int
) -> Iterator[tuple[str, Outcome]]:
    """Yields (game, outcome) for block after block of rounds, in order; a game's rounds end at its first difference.

    Args:
        tables: of the games to verify, for the reference.
        rounds: rounds 0 to `rounds` - 1 of each game, on core and reference.
        micropython: the unix port, or None.
        micropython_rounds: how many of them on it too.
        workers: processes to use.

    Raises:
        UsageError: the unix port does not start.
        CheckFailed: the unix port ended.
    """
    if micropython:
        UnixCore(micropython).close()  # a path that does not run is told here, not by a broken pool
    # Started anew instead of forked: the command's threads (progress bar) would not survive a fork.
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(tables, micropython)
    )
    try:
        for game in tables:
            blocks = [range(first, min(first + _BLOCK_ROUNDS, rounds)) for first in range(0, rounds, _BLOCK_ROUNDS)]
            running = [pool.submit(_work, (game, block, _part(block, micropython_rounds))) for block in blocks]
            for future in running:
                outcome = future.result()
                yield game, outcome
                if outcome.difference:
                    break
            for future in running:
                future.cancel()
    finally:
        pool.shutdown(cancel_futures=True)


def _part(numbers: range, limit: int) -> int:
    """How many of the first numbers are below the limit."""
    return max(0, min(numbers.stop, limit) - numbers.start)


def verify_on_board(board: BoardCore, tables: Tables, rounds: int) -> Iterator[Outcome]:
    """Yields the outcome of part after part of a game's rounds 0 to `rounds` - 1 on a board that has loaded it.

    Ends at the first difference.

    Raises:
        PortError: the link was lost or the board fell silent.
        BoardError: the board answered with a traceback.
    """
    checker = Checker({tables["game"]: tables}, board)
    for first in range(0, rounds, _BOARD_ROUNDS):
        numbers = range(first, min(first + _BOARD_ROUNDS, rounds))
        outcome = checker.check(tables["game"], numbers, len(numbers))
        yield outcome
        if outcome.difference:
            return
