"""Play one round of any of the four games and return its events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import UsageError
from . import haunted_house, mad_hatters, mad_mad_monkey, santa_vs_rudolf
from .common import Choose, Event, Round, Tables
from .stream import SEED_BYTES

GAMES: dict[str, Callable[[Round], int]] = {
    "mad_hatters": mad_hatters.play_round,
    "mad_mad_monkey": mad_mad_monkey.play_round,
    "santa_vs_rudolf": santa_vs_rudolf.play_round,
    "haunted_house": haunted_house.play_round,
}


def play(
    tables: Tables,
    *,
    line_bet: int,
    lines: int,
    seed: bytes,
    choose: Choose,
    gamble_limit: int = 0,
    max_award: int = 0,
) -> list[Event]:
    """Play a round.

    Args:
        tables: all numbers of the game.
        line_bet: coins per line.
        lines: enabled lines, the first of the game's patterns.
        seed: 16 bytes; with the choices they decide the round.
        choose: the player; see `fixed_choices` for a list of choices.
        gamble_limit: coins; Mad Mad Monkey offers the gamble of a win below it. 0 switches the gamble off.
        max_award: coins; the round's win is cut to it (G-09). 0 is no maximum.

    Raises:
        UsageError: an impossible bet, a seed of the wrong length, or a choice that was not offered.
        AssertionError: the tables or this code break a rule of the game.
    """
    _check(tables, line_bet, lines, seed, gamble_limit, max_award)
    round_ = Round(tables, line_bet, lines, seed, choose)
    win = _clamp(round_, GAMES[tables["game"]](round_), max_award)
    if tables["game"] == "mad_mad_monkey":
        win = _clamp(round_, mad_mad_monkey.gamble(round_, win, gamble_limit), max_award)
    round_.log("round_win", win)  # G-08: once, at the end
    return round_.events


def fixed_choices(choices: Sequence[int]) -> Choose:
    """A player whose choices are known beforehand, in order; a question past their end is a UsageError."""
    coming = iter(choices)

    def choose(kind: int, options: tuple[int, ...]) -> int:
        option = next(coming, None)
        if option is None:
            given = len(choices)
            raise UsageError(f"the round asks for more than {given} choices", f"add one of {options}, kind {kind}")
        return option

    return choose


def _clamp(round_: Round, win: int, max_award: int) -> int:
    """Cut a win to the maximum award and log it (G-09)."""
    if 0 < max_award < win:
        round_.log("clamp", win, max_award)
        return max_award
    return win


def _check(tables: Tables, line_bet: int, lines: int, seed: bytes, gamble_limit: int, max_award: int) -> None:
    if tables["game"] not in GAMES:
        raise UsageError(f"no game {tables['game']}", f"use one of {', '.join(GAMES)}")
    if not 1 <= line_bet <= tables["max_line_bet"]:
        raise UsageError(f"line bet {line_bet}", f"bet 1 to {tables['max_line_bet']} coins per line")
    fewest = tables["max_lines"] if tables["lines_fixed"] else 1
    if not fewest <= lines <= tables["max_lines"]:
        raise UsageError(f"{lines} lines", f"enable {fewest} to {tables['max_lines']} lines")
    if len(seed) != SEED_BYTES:
        raise UsageError(f"a seed of {len(seed)} bytes", f"give {SEED_BYTES} bytes")
    if gamble_limit < 0:
        raise UsageError(f"gamble limit {gamble_limit}", "give coins, or 0 for no gamble")
    if max_award < 0:
        raise UsageError(f"maximum award {max_award}", "give coins, or 0 for no maximum")
