"""How fast the mathematics of the games are; wall figures of one core, compile times left out."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from host_tools.par.enumeration import spectrum
from host_tools.par.law import ROWS, Reading, pays_by_count
from host_tools.par.simulation import rounds_per_s
from host_tools.tables import GAMES, game_tables

_CLOSED_FORMS = ("mad_hatters", "mad_mad_monkey", "haunted_house")
_SIMULATE_S = 3.0


def figures() -> dict[str, float]:
    """`enumerate_windows_per_s`: all windows of Mad Mad Monkey's base strips, fifty lines, over the time that their
    spectrum takes. `exact_return_ms_<game>`: the return from the tables by closed form, in plain Python.
    `simulate_rounds_per_s_<game>`: complete rounds, features and choices included."""
    arguments = _monkey_windows()
    windows = spectrum(*arguments).windows
    found: dict[str, float] = {"enumerate_windows_per_s": round(windows / _fastest_s(lambda: spectrum(*arguments)))}
    for game in _CLOSED_FORMS:
        tables = game_tables(game)
        sources: Callable[[dict[str, Any]], Any] = import_module(f"host_tools.par.{game}").sources
        found[f"exact_return_ms_{game}"] = round(1000 * _fastest_s(partial(sources, tables)), 2)
    for game in GAMES:
        found[f"simulate_rounds_per_s_{game}"] = round(rounds_per_s(game, _SIMULATE_S))
    return found


def _monkey_windows() -> tuple[Any, ...]:
    tables = game_tables("mad_mad_monkey")
    strips = tables["strips"]["base"]
    scatter = tables["scatter_symbol"]
    marks = [
        [sum(strip[(stop + row) % len(strip)] == scatter for row in range(ROWS)) for stop in range(len(strip))]
        for strip in strips
    ]
    reading = Reading(pays_by_count(tables["line_pays"]), (tables["wild"],), wild_multiplier=tables["wild_multiplier"])
    return strips, tables["line_patterns"], reading, marks


def _fastest_s(work: Callable[[], Any], times: int = 5) -> float:
    """The shortest of several runs: what else the machine does can only make it longer."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)
