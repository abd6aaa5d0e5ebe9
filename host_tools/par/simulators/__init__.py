"""Complete rounds of each game as compiled loops, and what they are played by."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Simulator(NamedTuple):
    """How one game is simulated.

    Attributes:
        sources: names of its sources of return, in the kernel's order.
        triggers: names of its triggers, in the kernel's order.
        kernel_tables: takes the game's tables (Mad Hatters: and the hatter); returns what the kernel plays by.
        play: the kernel; takes rounds, random state, recorded draws, kernel tables and the tally that it adds to.
    """

    sources: tuple[str, ...]
    triggers: tuple[str, ...]
    kernel_tables: Callable[..., Any]
    play: Callable[[int, Any, Any, Any, Any], None]


def simulator(game: str) -> Simulator:
    """The simulator of a game; its name must be one of the four."""
    module = import_module(f".{game}", __name__)
    return Simulator(module.SOURCES, module.TRIGGERS, module.kernel_tables, module.PLAY)


def random_state(seed: int, number: int) -> Any:
    """The random state of a chunk: words of numpy's SeedSequence for child `number` of the seed."""
    import numpy as np

    from .kernels import RANDOM_WORDS

    state = np.zeros(RANDOM_WORDS, np.uint64)
    state[:4] = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(4, np.uint64)
    return state
