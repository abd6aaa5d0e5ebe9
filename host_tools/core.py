"""The rules core of the firmware, imported on the host: the same source that the cabinet runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from .paths import FIRMWARE


def rules(name: str) -> ModuleType:
    """A module of `firmware/rules`, such as `rules("games.mad_mad_monkey")`."""
    folder = str(FIRMWARE)
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module(f"rules.{name}")


def play_round(
    game: str,
    line_bet: int,
    lines: int,
    seed: bytes,
    choices: Sequence[int] = (),
    gamble_limit: int = 0,
    max_award: int = 0,
) -> list[tuple[object, ...]]:
    """The events of a round on the firmware's own core, windows as 15 ids after their name.

    Raises:
        ValueError: impossible inputs, a choice that was not offered, or too few choices.
    """
    events = rules("round").play(game, line_bet, lines, seed, gamble_limit, max_award)
    coming = iter(choices)
    option = None
    seen: list[tuple[object, ...]] = []
    while True:
        try:
            event = events.send(option)
        except StopIteration:
            return seen
        seen.append(("window", *event[1]) if event[0] == "window" else tuple(event))
        option = None
        if event[0] == "choice":
            option = next(coming, None)
            if option is None:
                raise ValueError(f"the round asks for a choice of kind {event[1]} that is not among the choices")
