"""One round from its inputs to its end, as a sequence of events (see ROUNDS.md).

A round is a generator: it yields events, tuples of a name and integers (a window event holds the window itself, which
the next spin overwrites). After an event `("choice", kind, option...)` it waits for one of the options by `send`. Run
again with the same inputs and choices it gives the same events, so a round is resumed by sending it the choices made so
far. Rounds share the memory of their line wins: from the `window` to the `spin_win` of a spin no other round may go on.
"""

from .draw import RoundStream
from .games import game_module
from .spinner import Bet, Spinner

RULES_VERSION = 2


def play(game, line_bet, lines, seed, gamble_limit=0, max_award=0):
    """The events of a round.

    Args:
        game: name of the game.
        line_bet: coins per line.
        lines: enabled lines.
        seed: 16 bytes.
        gamble_limit: coins; the gamble is offered below it, 0 for never.
        max_award: coins; the round's total is cut to it (G-09), 0 for no limit.

    Raises:
        ValueError: a bet, a number of lines, a seed or a limit that the game does not take; before anything is drawn.
    """
    module = game_module(game)
    for number in (line_bet, lines, gamble_limit, max_award):
        if not isinstance(number, int):
            raise ValueError("bet, lines and limits are whole numbers")
    if not 1 <= line_bet <= module.MAX_LINE_BET:
        raise ValueError("the line bet is 1 to %d coins" % module.MAX_LINE_BET)
    if module.LINES_FIXED and lines != module.MAX_LINES:
        raise ValueError("the game is played on all its lines")
    if not 1 <= lines <= module.MAX_LINES:
        raise ValueError("lines are 1 to %d" % module.MAX_LINES)
    if gamble_limit < 0 or max_award < 0:
        raise ValueError("a limit is not negative")
    stream = RoundStream(seed)
    return _round(module, stream, Bet(line_bet, lines), gamble_limit, max_award)


def _round(module, stream, bet, gamble_limit, max_award):
    win = yield from module.round_events(stream, bet, Spinner(stream, bet, module.LINES))
    win = yield from _clamp(win, max_award)
    if gamble_limit and module.GAMBLES:
        win = yield from module.gamble_events(stream, win, gamble_limit)
        win = yield from _clamp(win, max_award)
    yield ("round_win", win)


def _clamp(win, limit):
    if limit and win > limit:
        yield ("clamp", win, limit)
        return limit
    return win
