"""Mad Hatters: the exact return by source, its spread and its largest award.

One hatter is chosen for all free spins of a round, and they do not retrigger, so each hatter has a return of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..errors import UsageError
from .best_window import BestWindow, best_window
from .figures import EXACT, Award, Source, Spread, Trigger, total
from .law import REELS, ROWS, Law, Reading, Strip, add, line_law, mean, pays_by_count, symbol_law, window_law

Tables = dict[str, Any]

BASE, FREE = "base", "free"
CUCKOO_CLOCKS = 5

# A stop's mark: a bit for its reel when it shows a Clock, plus _BUNNY for each Bunny.
_BUNNY = 1 << REELS
_CLOCKS = _BUNNY - 1


def sources(tables: Tables, lines: int | None = None, hatter: str | None = None) -> list[Source]:
    """The exact return by source.

    Args:
        tables: of `game_tables`.
        lines: enabled lines, the first of the patterns; None is all.
        hatter: name of the hatter who is always chosen; None is the mean over the three.

    Raises:
        UsageError: the game has no such number of lines or no such hatter.
    """
    patterns = _patterns(tables, lines)
    base, free = tables["strips"][BASE], tables["strips"][FREE]
    bunnies, free_bunnies = _bunny_law(tables, base), _bunny_law(tables, free)
    spins = _mean_over(bunnies, lambda count: _free_spins(tables, count))
    hatters = _hatters(tables, hatter)
    free_lines = sum((_line_mean(tables, free, patterns, name) for name in hatters), Fraction(0)) / len(hatters)
    multiplier = tables["free_multiplier"]
    # The cuckoo pays times the line bet, whatever the lines (MH-10); the other sources scale with them.
    clock = _value_moments(tables)[0] / len(patterns)
    return [
        Source("lines", _line_mean(tables, base, patterns, None)),
        Source("scatter", _mean_over(bunnies, lambda count: _scatter_pay(tables, count))),
        Source("cuckoo", _mean_over(_clock_law(tables, base), lambda mask: _picks(tables, mask)) * clock),
        Source("free_spins.lines", spins * multiplier * free_lines),
        Source(
            "free_spins.scatter",
            spins * multiplier * _mean_over(free_bunnies, lambda count: _scatter_pay(tables, count)),
        ),
        Source(
            "free_spins.cuckoo",
            spins * _mean_over(_clock_law(tables, free), lambda mask: _picks(tables, mask)) * clock,
        ),
    ]


def by_hatter(tables: Tables, lines: int | None = None) -> dict[str, Fraction]:
    """Each hatter's name -> the return when he is always chosen."""
    return {name: total(sources(tables, lines, name)) for name in tables["hatters"]}


def triggers(tables: Tables) -> list[Trigger]:
    """How often free spins start, and the Cuckoo bonus on the paid spin and in the free spins of a round."""
    base, free = tables["strips"][BASE], tables["strips"][FREE]
    bunnies = _bunny_law(tables, base)
    spins = _mean_over(bunnies, lambda count: _free_spins(tables, count))

    def cuckoo(strips: Sequence[Strip]) -> Fraction:
        return _mean_over(_clock_law(tables, strips), lambda mask: int(_picks(tables, mask) > 0))

    return [
        Trigger("free_spins", _mean_over(bunnies, lambda count: int(_free_spins(tables, count) > 0)), once=True),
        Trigger("cuckoo", cuckoo(base), once=True),
        Trigger("free_spins.cuckoo", spins * cuckoo(free)),
    ]


def spread(tables: Tables, hatter: str | None = None) -> Spread:
    """Hit frequency, mean and variance, from all windows of both modes.

    With a paid spin of win X, p picks and K free spins, each free spin independent with win Y, and clocks of mean m and
    variance s: Var = Var(X + m p + K E[Y]) + s E[p] + E[K] Var[Y]. Clocks are independent of each other, so picks
    without replacement add up their variances too.

    Args:
        tables: of `game_tables`.
        hatter: the hatter who is always chosen; None is the first. At equal returns his variance can still differ.
    """
    chosen = tables["hatters"][0] if hatter is None else _hatters(tables, hatter)[0]
    bet = len(tables["line_patterns"])
    clock_mean, clock_variance = _value_moments(tables)
    free_mean, free_variance = _moments(
        _windows(tables, FREE, chosen),
        lambda mark: (
            Fraction(tables["free_multiplier"] * _scatter_pay(tables, mark // _BUNNY) * bet)
            + _picks(tables, mark & _CLOCKS) * clock_mean
        ),
        lambda mark: _picks(tables, mark & _CLOCKS) * clock_variance,
        tables["free_multiplier"],
    )
    base = _windows(tables, BASE, None)
    average, variance = _moments(
        base,
        lambda mark: (
            Fraction(_scatter_pay(tables, mark // _BUNNY) * bet)
            + _picks(tables, mark & _CLOCKS) * clock_mean
            + _free_spins(tables, mark // _BUNNY) * free_mean
        ),
        lambda mark: (
            _picks(tables, mark & _CLOCKS) * clock_variance + _free_spins(tables, mark // _BUNNY) * free_variance
        ),
    )
    paid_spin: Counter[int] = Counter()
    hits = 0
    for (mark, line_pay), windows in base.items():
        win = line_pay + _scatter_pay(tables, mark // _BUNNY) * bet
        paid_spin[win] += windows
        if win or _picks(tables, mark & _CLOCKS):
            hits += windows
    return Spread(
        hit_frequency=Fraction(hits, sum(base.values())),
        variance=variance / bet**2,
        kind=EXACT,
        paid_spin=dict(sorted(paid_spin.items())),
        mean=average / bet,
    )


def largest_award(tables: Tables) -> Award:
    """The largest award of a round, by exact search of the best window with all that it opens.

    Free spins are independent, so at best all of them show the best window; cuckoo picks are at best all the largest
    value.
    """
    line_bet = tables["max_line_bet"]
    free = {hatter: _best_spin(tables, hatter) for hatter in tables["hatters"]}
    hatter = max(free, key=lambda name: free[name].value)
    base = _best_spin(tables, None, free[hatter].value)
    steps = [_step("paid spin", tables, base, 1)]
    spins = _free_spins(tables, base.mark // _BUNNY)
    if spins:
        steps.append(f"choose {hatter}")
        steps.append(_step(f"each of the {spins} free spins", tables, free[hatter], tables["free_multiplier"]))
    return Award(coins=base.value * line_bet, line_bet=line_bet, sequence=steps)


# The tables


def _patterns(tables: Tables, lines: int | None) -> list[list[int]]:
    patterns: list[list[int]] = tables["line_patterns"]
    if lines is None:
        return patterns
    if not 1 <= lines <= len(patterns):
        raise UsageError(f"{lines} lines", f"give 1 to {len(patterns)} lines")
    return patterns[:lines]


def _hatters(tables: Tables, hatter: str | None) -> list[str]:
    names: list[str] = tables["hatters"]
    if hatter is None:
        return names
    if hatter not in names:
        raise UsageError(f"no hatter is called {hatter!r}", f"hatters: {', '.join(names)}")
    return [hatter]


def _reading(tables: Tables, hatter: str | None) -> Reading:
    """A hatter who is wild never makes a Mad Hat pay (MH-08); wilds alone are read as any other symbol (MH-13)."""
    pays = pays_by_count(tables["line_pays"])
    wild = tables["wild"]
    return Reading(
        pays=pays,
        wilds={wild} if hatter is None else {wild, hatter},
        own=wild,
        wild_run=[symbol for symbol in pays if symbol != wild],
    )


def _scatter_pay(tables: Tables, bunnies: int) -> int:
    """Times the total bet."""
    pay: int = tables["scatter_pays"].get(str(bunnies), 0)
    return pay


def _free_spins(tables: Tables, bunnies: int) -> int:
    spins: int = min(tables["free_spins"].get(str(bunnies), 0), tables["free_spins_limit"])
    return spins


def _picks(tables: Tables, clock_reels: int) -> int:
    """Picks of the Cuckoo bonus by the mask of reels that show a Clock: the longest group of adjacent ones (MH-09)."""
    longest = 0
    while clock_reels:
        clock_reels &= clock_reels << 1
        longest += 1
    picks: int = tables["cuckoo"]["picks"].get(str(longest), 0)
    assert picks <= CUCKOO_CLOCKS, f"{picks} picks of {CUCKOO_CLOCKS} clocks"
    return picks


def _value_moments(tables: Tables) -> tuple[Fraction, Fraction]:
    """Mean and variance of one clock's value, in line bets."""
    law: Counter[int] = Counter()
    for entry in tables["cuckoo"]["values"]:
        law[entry["value"]] += entry["weight"]
    average = mean(law)
    return average, _mean_over(law, lambda value: value * value) - average**2


def _largest_value(tables: Tables) -> int:
    return max(int(entry["value"]) for entry in tables["cuckoo"]["values"] if entry["weight"])


# Laws of one spin, all of the stopped window but the lines


def _mean_over(law: Law, value: Callable[[int], int]) -> Fraction:
    return Fraction(sum(value(number) * weight for number, weight in law.items()), sum(law.values()))


def _bunny_law(tables: Tables, strips: Sequence[Strip]) -> Law:
    bunny = tables["scatter_symbol"]
    return add([window_law(strip, lambda window: window.count(bunny)) for strip in strips])


def _clock_law(tables: Tables, strips: Sequence[Strip]) -> Law:
    """The law of the mask of reels that show a Clock."""
    clock = tables["clock"]
    shown = [window_law(strip, lambda window: int(clock in window)) for strip in strips]
    return add([{(clocks << reel): weight for clocks, weight in law.items()} for reel, law in enumerate(shown)])


def _line_mean(
    tables: Tables, strips: Sequence[Strip], patterns: Sequence[Sequence[int]], hatter: str | None
) -> Fraction:
    """Mean pay of a line per line coin, over the enabled lines.

    The expansion makes the law of reel 3 differ by row. A line's mean is linear in that law, so the lines' laws are
    added up first and read once.
    """
    expanding = tables["wild"] if hatter is None else hatter
    reels: list[Counter[str]] = [symbol_law(strip) for strip in strips]
    reels[2] = Counter()
    for row, times in Counter(pattern[2] - 1 for pattern in patterns).items():
        for symbol, positions in _row_law(strips[2], row, expanding).items():
            reels[2][symbol] += times * positions
    return mean(line_law(reels, _reading(tables, hatter)))


def _row_law(strip: Strip, row: int, expanding: str) -> Counter[str]:
    """The law of one row (from 0) of a reel that turns into `expanding` wherever its window holds it."""
    length = len(strip)
    windows = ([strip[(stop + at) % length] for at in range(ROWS)] for stop in range(length))
    return Counter(expanding if expanding in window else window[row] for window in windows)


# All windows


def _marks(tables: Tables, strips: Sequence[Strip]) -> list[list[int]]:
    def mark(reel: int, window: list[str]) -> int:
        return _BUNNY * window.count(tables["scatter_symbol"]) + (tables["clock"] in window) * (1 << reel)

    return [
        [mark(reel, [strip[(stop + row) % len(strip)] for row in range(ROWS)]) for stop in range(len(strip))]
        for reel, strip in enumerate(strips)
    ]


def _windows(tables: Tables, mode: str, hatter: str | None) -> Mapping[tuple[int, int], int]:
    """(mark, line pay) -> number of windows."""
    from .enumeration import spectrum  # compiles its loops; the exact return needs none of it

    strips = tables["strips"][mode]
    return spectrum(
        strips,
        tables["line_patterns"],
        _reading(tables, hatter),
        _marks(tables, strips),
        expanding=tables["wild"] if hatter is None else hatter,
    ).counts


def _moments(
    counts: Mapping[tuple[int, int], int],
    worth: Callable[[int], Fraction],
    variance: Callable[[int], Fraction],
    multiplier: int = 1,
) -> tuple[Fraction, Fraction]:
    """Mean and variance of multiplier x line pay + something with mean `worth` and `variance` given the mark."""
    by_mark: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (mark, line_pay), windows in counts.items():
        sums = by_mark[mark]
        sums[0] += windows
        sums[1] += windows * line_pay * multiplier
        sums[2] += windows * (line_pay * multiplier) ** 2
    windows_in_all = sum(counts.values())
    first = second = Fraction(0)
    for mark, (windows, pays, squares) in by_mark.items():
        more = worth(mark)
        first += pays + windows * more
        second += squares + 2 * more * pays + windows * (more**2 + variance(mark))
    average = first / windows_in_all
    return average, second / windows_in_all - average**2


def _best_spin(tables: Tables, hatter: str | None, free_spin: int = 0) -> BestWindow:
    """The best window of a paid spin (no hatter) with free spins worth `free_spin` each, or of a free spin."""
    strips = tables["strips"][BASE if hatter is None else FREE]
    multiplier = 1 if hatter is None else tables["free_multiplier"]
    bet = len(tables["line_patterns"])
    value = _largest_value(tables)

    def worth(mark: int) -> int:
        bunnies = mark // _BUNNY
        return (
            multiplier * _scatter_pay(tables, bunnies) * bet
            + _picks(tables, mark & _CLOCKS) * value
            + _free_spins(tables, bunnies) * free_spin
        )

    reading = _reading(tables, hatter)
    if multiplier != 1:
        pays = {symbol: tuple(multiplier * pay for pay in counts) for symbol, counts in reading.pays.items()}
        reading = Reading(pays, reading.wilds, reading.own, reading.wild_run)
    return best_window(
        strips,
        tables["line_patterns"],
        reading,
        _marks(tables, strips),
        worth,
        expanding=tables["wild"] if hatter is None else hatter,
    )


def _step(name: str, tables: Tables, spin: BestWindow, multiplier: int) -> str:
    """A spin in words; coins at the largest line bet."""
    line_bet = tables["max_line_bet"]
    rows = " / ".join(" ".join(reel[row] for reel in spin.window) for row in range(ROWS))
    scatter = multiplier * _scatter_pay(tables, spin.mark // _BUNNY) * len(tables["line_patterns"])
    text = f"{name}: stops {' '.join(map(str, spin.stops))}, window {rows}, lines {spin.line_pays * line_bet}"
    if scatter:
        text += f", scatter {scatter * line_bet}"
    if picks := _picks(tables, spin.mark & _CLOCKS):
        text += f", cuckoo {picks} x {_largest_value(tables) * line_bet}"
    return text
