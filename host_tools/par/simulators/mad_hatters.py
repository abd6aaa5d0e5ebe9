"""Mad Hatters for its kernel: each hatter has free-spin windows and a line machine of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import UsageError
from . import kernels
from .arrays import Window, by_count, ints, strips_of, weights
from .line_machine import line_machine, substituted

SOURCES = ("lines", "scatter", "cuckoo", "free_spins.lines", "free_spins.scatter", "free_spins.cuckoo")
TRIGGERS = ("free_spins", "cuckoo", "free_spins.cuckoo")
PLAY = kernels.mad_hatters

_EXPANDING_REEL = 2
_ANY_HATTER = -1


def kernel_tables(tables: Mapping[str, Any], hatter: str | None) -> kernels.MadHattersTables:
    """What the kernel plays by.

    Args:
        tables: the game's tables.
        hatter: the one that is always chosen, or None for one at random each time.

    Raises:
        UsageError: there is no such hatter.
    """
    hatters: list[str] = tables["hatters"]
    if hatter is not None and hatter not in hatters:
        raise UsageError(f"no hatter is called {hatter!r}", f"hatters: {', '.join(hatters)}")
    mad_hat, bunny, clock = tables["wild"], tables["scatter_symbol"], tables["clock"]
    double: int = tables["free_multiplier"]
    expanding = [mad_hat, *hatters]

    def shown(mode: int, reel: int, window: Window) -> Sequence[str]:
        return [expanding[mode]] * len(window) if reel == _EXPANDING_REEL and expanding[mode] in window else window

    def mark(reel: int, window: Window) -> int:
        return window.count(bunny) + ((clock in window) << (4 + reel))

    base, free = (tables["strips"][mode] for mode in ("base", "free"))
    # A Mad Hat's run takes no hatter, so its reading does not change in free spins, but for the doubling.
    alone = {**tables, "line_pays": {mad_hat: tables["line_pays"].get(mad_hat, {})}}
    others = {**tables, "line_pays": {name: pays for name, pays in tables["line_pays"].items() if name != mad_hat}}
    readings = [substituted(others, [mad_hat]) + substituted(alone, [])]
    readings += [substituted(others, [mad_hat, chosen], double) + substituted(alone, [], double) for chosen in hatters]
    machines = [line_machine(len(tables["symbols"]), of_mode) for of_mode in readings]
    total_bet: int = tables["max_lines"]
    picks = [tables["cuckoo"]["picks"].get(str(_longest_group(mask)), 0) for mask in range(32)]
    return kernels.MadHattersTables(
        strips=strips_of(tables, [base] + [free] * len(hatters), machines, shown, mark),
        scatter=ints([by_count(tables["scatter_pays"], total_bet * factor) for factor in (1, double)]),
        free_spins=ints([min(spins, tables["free_spins_limit"]) for spins in by_count(tables["free_spins"])]),
        picks=ints(picks),
        values=ints([entry["value"] for entry in tables["cuckoo"]["values"]]),
        weights=weights(tables["cuckoo"]["values"]),
        hatter=ints([_ANY_HATTER if hatter is None else hatters.index(hatter)]),
    )


def _longest_group(mask: int) -> int:
    """The longest group of adjacent bits."""
    return max(map(len, f"{mask:b}".split("0")))
