"""Mad Mad Monkey: the exact return by source, its spread and its largest award.

The gamble is no source: it is neutral for every policy (`gamble`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..errors import UsageError
from . import branching
from .best_window import BestWindow, best_window
from .figures import CERTIFIED, EXACT, Award, Source, Spread, Trigger
from .law import ROWS, Law, Reading, Strip, add, line_law, mean, pays_by_count, symbol_law, window_law

Tables = dict[str, Any]

BASE, FREE = "base", "free"

_NEVER = -(10**12)  # worth of a window that a search must not find


def sources(tables: Tables, lines: int | None = None) -> list[Source]:
    """The exact return by source in closed form, without the technical limit: see `limit_source`.

    Every line has the same law and scatters pay by the total bet, so it is the same for every number of lines.

    Args:
        tables: of `game_tables`.
        lines: enabled lines; None is all.

    Raises:
        UsageError: the game has no such number of lines.
    """
    _check_lines(tables, lines)
    base, free = _line_mean(tables, BASE), _line_mean(tables, FREE)
    spins = _trigger(tables, BASE) * branching.unlimited(_trigger(tables, FREE), _award(tables)).mean
    return [
        Source("lines", base),
        Source("scatter", _scatter_mean(tables, BASE)),
        Source("free_spins.lines", spins * tables["free_multiplier"] * free),
        Source("free_spins.scatter", spins * _scatter_mean(tables, FREE)),
    ]


def limit_source(tables: Tables, lines: int | None = None) -> Source:
    """What the technical limit of free spins (G-12) takes from the return: exact and below zero.

    To be added to `sources`, apart from them because its fraction has thousands of digits.

    Raises:
        UsageError: the game has no such number of lines.
    """
    _check_lines(tables, lines)
    cut = branching.cut_spins(
        _trigger(tables, BASE), _trigger(tables, FREE), _award(tables), tables["free_spins_limit"]
    )
    win = tables["free_multiplier"] * _line_mean(tables, FREE) + _scatter_mean(tables, FREE)
    return Source("limits", -cut * win)


def triggers(tables: Tables) -> list[Trigger]:
    """How often free spins start, and how often they are triggered again.

    The latter is certified as it leaves out the technical limit, which takes off the share of the spins that it takes
    off the return (`limit_source`).
    """
    paid, free = _trigger(tables, BASE), _trigger(tables, FREE)
    return [
        Trigger("free_spins", paid, once=True),
        Trigger("free_spins.retrigger", paid * branching.unlimited(free, _award(tables)).mean * free, CERTIFIED),
    ]


def spread(tables: Tables) -> Spread:
    """Hit frequency, mean and variance from all windows of both modes; exact, the technical limit included."""
    bet = tables["max_lines"]

    def worth(mark: int) -> tuple[Fraction, Fraction]:
        return Fraction(_scatter_pay(tables, mark) * bet), Fraction(0)

    def triggering(mark: int) -> bool:
        return _triggers(tables, mark)

    base = _windows(tables, BASE)
    paid = branching.spin_of_windows(base, worth, triggering)
    free = branching.spin_of_windows(_windows(tables, FREE), worth, triggering, tables["free_multiplier"])
    played = branching.limited(free.trigger, _award(tables), tables["free_spins_limit"])
    paid_spin: Counter[int] = Counter()
    for (logos, line_pay), windows in base.items():
        paid_spin[line_pay + _scatter_pay(tables, logos) * bet] += windows
    in_all = paid_spin.total()
    return Spread(
        hit_frequency=Fraction(in_all - paid_spin[0], in_all),
        variance=branching.variance(paid, free, played) / bet**2,
        kind=EXACT,
        paid_spin=dict(sorted(paid_spin.items())),
        mean=branching.mean(paid, free, played) / bet,
    )


def largest_award(tables: Tables) -> Award:
    """The largest award of a round before the gamble, by exact search of the best windows.

    Some spins of a feature that reaches its limit must trigger again: at best these are as few as the limit needs, come
    first and show the best of the windows that trigger, and the others show the best window of all.
    """
    line_bet, limit, award = tables["max_line_bet"], tables["free_spins_limit"], tables["free_spins"]
    paid, opening = _best_window(tables, BASE), _best_triggering(tables, BASE)
    best, again = _best_window(tables, FREE), _best_triggering(tables, FREE)
    played, retriggers = min(limit, award), 0
    if again:
        # A best window that triggers itself is as good for every spin.
        played, retriggers = limit, limit if again.value == best.value else -(-limit // award) - 1
    feature = (played - retriggers) * best.value + (retriggers * again.value if again else 0)

    coins = paid.value
    steps = [_step("paid spin", tables, paid)]
    if opening and opening.value + feature > coins:
        coins = opening.value + feature
        steps = [_step("paid spin", tables, opening), f"{award} free spins"]
        if again and retriggers:
            steps.append(_step(f"free spins 1 to {retriggers}, {award} more each", tables, again))
        if retriggers < played:
            steps.append(_step(f"free spins {retriggers + 1} to {played}", tables, best))
    steps.append(
        f"gamble: offered below the gamble limit only, up to {tables['gambles']} times; "
        "a win that is gambled ends below four times that limit"
    )
    return Award(coins=coins * line_bet, line_bet=line_bet, sequence=steps)


# The tables


def _check_lines(tables: Tables, lines: int | None) -> None:
    if lines is not None and not 1 <= lines <= tables["max_lines"]:
        raise UsageError(f"{lines} lines", f"give 1 to {tables['max_lines']} lines")


def _reading(tables: Tables, multiplier: int = 1) -> Reading:
    """A Monkey on reel 1 does not exist (MM-01), so no run is of wilds alone."""
    return Reading(
        pays={
            symbol: [multiplier * pay for pay in pays] for symbol, pays in pays_by_count(tables["line_pays"]).items()
        },
        wilds={tables["wild"]},
        wild_multiplier=tables["wild_multiplier"],
    )


def _award(tables: Tables) -> branching.Award:
    return ((tables["free_spins"], 1),)


def _scatter_pay(tables: Tables, logos: int) -> int:
    """Times the total bet; never tripled (MM-06)."""
    pay: int = tables["scatter_pays"].get(str(logos), 0)
    return pay


def _triggers(tables: Tables, logos: int) -> bool:
    return bool(logos >= tables["free_spins_from"])


# Laws of one spin


def _line_mean(tables: Tables, mode: str) -> Fraction:
    """Mean pay of any line per line coin, not tripled."""
    return mean(line_law([symbol_law(strip) for strip in tables["strips"][mode]], _reading(tables)))


def _logo_law(tables: Tables, mode: str) -> Law:
    logo = tables["scatter_symbol"]
    return add([window_law(strip, lambda window: window.count(logo)) for strip in tables["strips"][mode]])


def _scatter_mean(tables: Tables, mode: str) -> Fraction:
    """In total bets."""
    law = _logo_law(tables, mode)
    return Fraction(sum(_scatter_pay(tables, logos) * weight for logos, weight in law.items()), sum(law.values()))


def _trigger(tables: Tables, mode: str) -> Fraction:
    """Probability that a spin triggers."""
    law = _logo_law(tables, mode)
    return Fraction(sum(weight for logos, weight in law.items() if _triggers(tables, logos)), sum(law.values()))


# All windows; the mark of a stop is how many Logos it shows


def _marks(tables: Tables, strips: Sequence[Strip]) -> list[list[int]]:
    logo = tables["scatter_symbol"]
    return [
        [sum(strip[(stop + row) % len(strip)] == logo for row in range(ROWS)) for stop in range(len(strip))]
        for strip in strips
    ]


def _windows(tables: Tables, mode: str) -> Mapping[tuple[int, int], int]:
    """(Logos, line pay) -> number of windows."""
    from .enumeration import spectrum  # numba loads slowly, and the exact return does without

    strips = tables["strips"][mode]
    return spectrum(strips, tables["line_patterns"], _reading(tables), _marks(tables, strips)).counts


def _best_triggering(tables: Tables, mode: str) -> BestWindow | None:
    """The best window that triggers, None when none does."""
    found = _best_window(tables, mode, triggering=True)
    return found if found.stops else None


def _best_window(tables: Tables, mode: str, triggering: bool = False) -> BestWindow:
    strips = tables["strips"][mode]
    bet = tables["max_lines"]

    def worth(logos: int) -> int:
        return _scatter_pay(tables, logos) * bet if _triggers(tables, logos) or not triggering else _NEVER

    reading = _reading(tables, tables["free_multiplier"] if mode == FREE else 1)
    return best_window(strips, tables["line_patterns"], reading, _marks(tables, strips), worth)


def _step(name: str, tables: Tables, spin: BestWindow) -> str:
    """A spin in words; coins at the largest line bet."""
    line_bet = tables["max_line_bet"]
    rows = " / ".join(" ".join(reel[row] for reel in spin.window) for row in range(ROWS))
    text = f"{name}: stops {' '.join(map(str, spin.stops))}, window {rows}, lines {spin.line_pays * line_bet}"
    scatter = _scatter_pay(tables, spin.mark) * tables["max_lines"]
    return f"{text}, scatter {scatter * line_bet}" if scatter else text
