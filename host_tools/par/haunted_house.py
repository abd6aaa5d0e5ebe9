"""Haunted House: the exact return by source, its spread and its largest award.

Trail and Full Moon Money pay by the line bet, of which a spin costs `max_lines`; scatters pay by the total bet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from ..errors import UsageError
from . import branching
from .best_window import BestWindow, best_window
from .figures import CERTIFIED, EXACT, Award, Source, Spread, Trigger
from .law import ROWS, Law, Reading, add, line_law, mean, pays_by_count, symbol_law, window_law

Tables = dict[str, Any]
Segment = Sequence[Mapping[str, Any]]
"""Entries of a segment of the Full Moon trail: multiplier, feature, weight."""

BASE, FREE = "base", "free"
ADVANCE, REPEAT, COLLECT = "advance", "repeat", "collect"

# A stop's mark: the sum of its icons, plus _HOUSE for each Haunted House.
_HOUSE = 1 << 16

_NEVER = -(10**12)  # worth of a window that a search must not find


def sources(tables: Tables, lines: int | None = None) -> list[Source]:
    """The exact return by source in closed form, without the two limits: see `limit_source`.

    Args:
        tables: of `game_tables`.
        lines: enabled lines; None is all, and so is all that the game has.

    Raises:
        UsageError: the game has no such number of lines.
    """
    _check_lines(tables, lines)
    spins = _mean_free_spins(tables)
    return [
        *_spin_sources(tables, BASE),
        *(Source(f"free_spins.{source.name}", spins * source.value) for source in _spin_sources(tables, FREE)),
    ]


def limit_source(tables: Tables, lines: int | None = None) -> Source:
    """What the two limits take from the return, of free spins (G-12) and of the cashpot (HH-10): exact and below zero.

    To be added to `sources`, apart from them because its fraction has thousands of digits. Free spins past their limit
    are taken off with the mean cashpot that has none, so what the cashpot's limit takes is counted on the spins played.

    Raises:
        UsageError: the game has no such number of lines.
    """
    _check_lines(tables, lines)
    base, free = _mark_law(tables, BASE), _mark_law(tables, FREE)
    paid, again, award = _trigger(base, tables), _trigger(free, tables), _award(tables)
    cut = branching.cut_spins(paid, again, award, tables["free_spins_limit"])
    spins = paid * branching.limited(again, award, tables["free_spins_limit"]).mean
    bonuses = _full_moon(base, tables) + spins * _full_moon(free, tables)
    segments, pot_limit = tables["full_moon"]["segments"], tables["full_moon"]["cashpot_limit"]
    pot = uncut_cashpot(segments) - cashpot(segments, pot_limit)[0]
    win = sum(source.value for source in _spin_sources(tables, FREE))
    return Source("limits", -cut * win - bonuses * pot / tables["max_lines"])


def triggers(tables: Tables) -> list[Trigger]:
    """How often each feature starts: `.base` on the paid spin, else on the paid spin and the free spins of its round.

    The latter are certified as they leave out the technical limit, which takes off no larger share of them than it
    takes off the free spins' return (part of `limit_source`).
    """
    base, free = _mark_law(tables, BASE), _mark_law(tables, FREE)
    spins = _mean_free_spins(tables)
    return [
        Trigger("free_spins", _trigger(base, tables), once=True),
        Trigger("free_spins.retrigger", spins * _trigger(free, tables), CERTIFIED),
        Trigger("trail", _trail(base, tables) + spins * _trail(free, tables), CERTIFIED),
        Trigger("trail.base", _trail(base, tables), once=True),
        Trigger("full_moon", _full_moon(base, tables) + spins * _full_moon(free, tables), CERTIFIED),
        Trigger("full_moon.base", _full_moon(base, tables), once=True),
    ]


def spread(tables: Tables) -> Spread:
    """Hit frequency, mean and variance from all windows of both modes; exact, both limits included."""
    bet = tables["max_lines"]
    pot, pot_square = cashpot(tables["full_moon"]["segments"], tables["full_moon"]["cashpot_limit"])

    def worth(mark: int) -> tuple[Fraction, Fraction]:
        sure = Fraction(_scatter_pay(mark, tables) * bet + _trail_multiplier(mark, tables))
        return (sure + pot, pot_square - pot**2) if _is_full_moon(mark, tables) else (sure, Fraction(0))

    def triggering(mark: int) -> bool:
        return _triggers(mark, tables)

    base = _windows(tables, BASE)
    paid = branching.spin_of_windows(base, worth, triggering)
    free = branching.spin_of_windows(_windows(tables, FREE), worth, triggering)
    played = branching.limited(free.trigger, _award(tables), tables["free_spins_limit"])
    paid_spin: Counter[int] = Counter()
    hits = 0
    for (mark, line_pay), windows in base.items():
        paid_spin[line_pay + _scatter_pay(mark, tables) * bet] += windows
        if line_pay or worth(mark)[0]:
            hits += windows
    return Spread(
        hit_frequency=Fraction(hits, paid_spin.total()),
        variance=branching.variance(paid, free, played) / bet**2,
        kind=EXACT,
        paid_spin=dict(sorted(paid_spin.items())),
        mean=branching.mean(paid, free, played) / bet,
    )


def largest_award(tables: Tables) -> Award:
    """The largest award of a round, by exact search of the best windows with the largest cashpot.

    Some spins of a feature that reaches its limit must trigger again: at best these are as few as the limit needs, come
    first and show the best of the windows that trigger, and the others show the best window of all.
    """
    line_bet, limit = tables["max_line_bet"], tables["free_spins_limit"]
    award = max(spins for spins, weight in _award(tables) if weight)
    pot, draws = largest_cashpot(tables["full_moon"]["segments"], tables["full_moon"]["cashpot_limit"])
    paid, opening = _best_window(tables, BASE, pot), _best_triggering(tables, BASE, pot)
    best, again = _best_window(tables, FREE, pot), _best_triggering(tables, FREE, pot)
    played, retriggers = min(limit, award), 0
    if again:
        # A best window that triggers itself is as good for every spin.
        played, retriggers = limit, limit if again.value == best.value else -(-limit // award) - 1
    feature = (played - retriggers) * best.value + (retriggers * again.value if again else 0)

    coins = paid.value
    spins = [("paid spin", paid)]
    if opening and opening.value + feature > coins:
        coins = opening.value + feature
        spins = [(f"paid spin, number trail {award}", opening)]
        if again and retriggers:
            spins.append((f"free spins 1 to {retriggers}, number trail {award} each", again))
        if retriggers < played:
            spins.append((f"free spins {retriggers + 1} to {played}", best))
    steps = [_step(name, tables, spin, pot) for name, spin in spins]
    if any(_is_full_moon(spin.mark, tables) for _, spin in spins):
        steps.append(f"each Full Moon Money: {draws}, cashpot {pot}")
    return Award(coins=coins * line_bet, line_bet=line_bet, sequence=steps)


# Full Moon Money


def uncut_cashpot(segments: Sequence[Segment]) -> Fraction:
    """Mean cashpot without its limit, in line bets.

    From each segment on it is E = mean multiplier + P(repeat) E + P(advance) E of the next segment.
    """
    beyond = Fraction(0)
    for segment in reversed(segments):
        won = sum(entry["multiplier"] * entry["weight"] for entry in segment)
        advance, repeat = _weight(segment, ADVANCE), _weight(segment, REPEAT)
        beyond = (won + advance * beyond) / (_weight(segment) - repeat)
    return beyond


def cashpot(segments: Sequence[Segment], limit: int) -> tuple[Fraction, Fraction]:
    """Mean and mean square of the cashpot with its limit, in line bets.

    Goes through the cashpots below the limit in ascending order, segment by segment, with integer weights. A cashpot
    that gets to the limit is collected there, so E[pot] = limit - E[(limit - pot)+].

    Args:
        segments: of the Full Moon trail; all multipliers are above 0.
        limit: of the cashpot.
    """
    # A weight is divided by its segment's total once a draw; so many draws can be made there below the limit.
    scale = prod(_weight(segment) ** _most_draws(segment, limit) for segment in segments)
    ended = [0] * limit
    here = [scale] + [0] * (limit - 1)
    for segment in segments:
        beyond = [0] * limit
        goes = {ADVANCE: beyond, REPEAT: here, COLLECT: ended}
        entries = [(entry["multiplier"], goes[entry["feature"]], entry["weight"]) for entry in segment]
        total = _weight(segment)
        for pot in range(limit):
            if here[pot]:
                share = here[pot] // total
                for multiplier, to, weight in entries:
                    if pot + multiplier < limit:
                        to[pot + multiplier] += share * weight
        here = beyond
    short = sum((limit - pot) * weight for pot, weight in enumerate(ended))
    short_square = sum((limit**2 - pot**2) * weight for pot, weight in enumerate(ended))
    return limit - Fraction(short, scale), limit**2 - Fraction(short_square, scale)


def largest_cashpot(segments: Sequence[Segment], limit: int) -> tuple[int, str]:
    """The largest cashpot and draws that reach it, in words."""
    before, path = 0, ""  # the best Advances so far
    best = (0, "")
    for segment in segments:
        most = {
            feature: max(entry["multiplier"] for entry in segment if entry["feature"] == feature)
            for feature in (ADVANCE, REPEAT, COLLECT)
            if _weight(segment, feature)
        }
        ends = []
        if COLLECT in most:
            ends.append((min(limit, before + most[COLLECT]), f"{path}{most[COLLECT]} collect"))
        if REPEAT in most:
            times = -(-max(1, limit - before) // most[REPEAT])
            ends.append((limit, f"{path}{most[REPEAT]} repeat x {times}"))
        # Of equal cashpots the one from the richer segment, which takes fewer draws.
        best = max([best, *ends], key=lambda end: (end[0], end in ends))
        if ADVANCE not in most:
            break
        before += most[ADVANCE]
        path = f"{path}{most[ADVANCE]} advance, "
    return best


def _weight(segment: Segment, feature: str | None = None) -> int:
    """Of the entries with this feature, or of all."""
    return sum(int(entry["weight"]) for entry in segment if feature in (None, entry["feature"]))


def _most_draws(segment: Segment, limit: int) -> int:
    steps = [entry["multiplier"] for entry in segment if entry["feature"] == REPEAT]
    return -(-limit // min(steps)) if steps else 1


# The tables


def _check_lines(tables: Tables, lines: int | None) -> None:
    if lines not in (None, tables["max_lines"]):
        raise UsageError(f"{lines} lines", f"all {tables['max_lines']} lines are always played")


def _symbols(tables: Tables, mode: str) -> list[list[str]]:
    """The strips without their icons."""
    return [[symbol for symbol, _ in strip] for strip in tables["strips"][mode]]


def _reading(tables: Tables) -> Reading:
    return Reading(pays=pays_by_count(tables["line_pays"]), wilds={tables["wild"]}, own=tables["wild"])


def _award(tables: Tables) -> branching.Award:
    return tuple((entry["spins"], entry["weight"]) for entry in tables["number_trail"])


# Marks and what they are worth


def _mark(window: Sequence[Sequence[Any]], tables: Tables) -> int:
    """Of a reel's three (symbol, icon) pairs."""
    return sum(int(icon) + _HOUSE * (symbol == tables["scatter_symbol"]) for symbol, icon in window)


def _scatter_pay(mark: int, tables: Tables) -> int:
    """Times the total bet."""
    pay: int = tables["scatter_pays"].get(str(mark // _HOUSE), 0)
    return pay


def _triggers(mark: int, tables: Tables) -> bool:
    return bool(mark // _HOUSE >= tables["free_spins_from"])


def _is_full_moon(mark: int, tables: Tables) -> bool:
    """A sum past the end of the trail counts as its last level, which is Full Moon Money (HH-07, HH-08)."""
    return mark % _HOUSE >= len(tables["bonus_trail"])


def _trail_multiplier(mark: int, tables: Tables) -> int:
    """Times the line bet; 0 where no icon is visible, and at the last level."""
    icons = mark % _HOUSE
    if not icons or _is_full_moon(mark, tables):
        return 0
    multiplier: int = tables["bonus_trail"][icons - 1]
    return multiplier


# Laws of one spin


def _mark_law(tables: Tables, mode: str) -> Law:
    return add([window_law(strip, lambda window: _mark(window, tables)) for strip in tables["strips"][mode]])


def _mean_over(marks: Law, tables: Tables, value: Callable[[int, Tables], int]) -> Fraction:
    return Fraction(sum(value(mark, tables) * weight for mark, weight in marks.items()), sum(marks.values()))


def _trigger(marks: Law, tables: Tables) -> Fraction:
    return _mean_over(marks, tables, _triggers)


def _full_moon(marks: Law, tables: Tables) -> Fraction:
    """Probability of Full Moon Money."""
    return _mean_over(marks, tables, _is_full_moon)


def _trail(marks: Law, tables: Tables) -> Fraction:
    """Probability of a level that pays a multiplier."""
    return _mean_over(marks, tables, lambda mark, tables: _trail_multiplier(mark, tables) > 0)


def _mean_free_spins(tables: Tables) -> Fraction:
    """Per paid round, without the technical limit."""
    free = branching.unlimited(_trigger(_mark_law(tables, FREE), tables), _award(tables))
    return _trigger(_mark_law(tables, BASE), tables) * free.mean


def _spin_sources(tables: Tables, mode: str) -> list[Source]:
    """What one spin returns by itself, without the limit of the cashpot."""
    marks, bet = _mark_law(tables, mode), tables["max_lines"]
    pot = uncut_cashpot(tables["full_moon"]["segments"])
    return [
        Source("lines", mean(line_law([symbol_law(strip) for strip in _symbols(tables, mode)], _reading(tables)))),
        Source("scatter", _mean_over(marks, tables, _scatter_pay)),
        Source("trail", _mean_over(marks, tables, _trail_multiplier) / bet),
        Source("full_moon", _full_moon(marks, tables) * pot / bet),
    ]


# All windows


def _marks(tables: Tables, mode: str) -> list[list[int]]:
    return [
        [_mark([strip[(stop + row) % len(strip)] for row in range(ROWS)], tables) for stop in range(len(strip))]
        for strip in tables["strips"][mode]
    ]


def _windows(tables: Tables, mode: str) -> Mapping[tuple[int, int], int]:
    """(mark, line pay) -> number of windows."""
    from .enumeration import spectrum  # numba loads slowly, and the exact return does without

    return spectrum(_symbols(tables, mode), tables["line_patterns"], _reading(tables), _marks(tables, mode)).counts


def _best_triggering(tables: Tables, mode: str, pot: int) -> BestWindow | None:
    """The best window that triggers, None when none does."""
    found = _best_window(tables, mode, pot, triggering=True)
    return found if found.stops else None


def _best_window(tables: Tables, mode: str, pot: int, triggering: bool = False) -> BestWindow:
    """The window with the best pay of lines, scatters, trail and a cashpot `pot`; of those that trigger, if wanted."""

    def worth(mark: int) -> int:
        if triggering and not _triggers(mark, tables):
            return _NEVER
        bonus = pot if _is_full_moon(mark, tables) else _trail_multiplier(mark, tables)
        return _scatter_pay(mark, tables) * len(tables["line_patterns"]) + bonus

    return best_window(_symbols(tables, mode), tables["line_patterns"], _reading(tables), _marks(tables, mode), worth)


def _step(name: str, tables: Tables, spin: BestWindow, pot: int) -> str:
    """A spin in words; coins at the largest line bet."""
    line_bet = tables["max_line_bet"]
    rows = " / ".join(" ".join(reel[row] for reel in spin.window) for row in range(ROWS))
    text = f"{name}: stops {' '.join(map(str, spin.stops))}, window {rows}, lines {spin.line_pays * line_bet}"
    if scatter := _scatter_pay(spin.mark, tables) * tables["max_lines"]:
        text += f", scatter {scatter * line_bet}"
    if icons := spin.mark % _HOUSE:
        if _is_full_moon(spin.mark, tables):
            text += f", icons {icons}, Full Moon Money {pot * line_bet}"
        else:
            text += f", icons {icons}, trail {_trail_multiplier(spin.mark, tables) * line_bet}"
    return text
