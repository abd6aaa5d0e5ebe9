"""All windows of five reels: exact joint counts of a mark, such as the number of scatters, and of what the lines pay.

Nothing is walked through that cannot change the result (T7). Every window is first counted as if no line paid. From
reel 1 on only lines that are still one run go on; where they pay, all windows behind are moved to the higher pay at
once, whatever the other reels show; the marks of those reels come in at the end, as the law of their sum. Windows of a
reel that no reading tells apart are walked once, with their number as weight.

Where lines pay from both ends, most windows have lines that can pay from one end at most. So each end is walked alone
and the moves are added up; only windows with a line that can pay from the left and a line that can pay from the right
are walked one by one and put right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from . import law
from .compiled import COMPILED, jit
from .law import REELS, ROWS, Reading, Strip

Numbers = MutableSequence[int]  # int64 arrays where loops are compiled, lists where not

_Run = tuple[str | None, int, int, bool]  # as in `law`

_BLANK = 0  # the class of symbols that neither pay nor are wild
_STATE_BITS = 20  # a step of a run is gain << _STATE_BITS | state; state 0 is no run; there is room for sums of states
_STATE = (1 << _STATE_BITS) - 1
_LEVELS = REELS + 1
_PAYS = 1 << 32  # a key of the histogram is (mark * _LEVELS + reels walked) * _PAYS + pay
_FREE = -1


@dataclass(frozen=True)
class WindowCounts:
    """The exact spectrum of all windows.

    Attributes:
        windows: their number, the product of the strips' lengths.
        counts: (mark, coins that the lines pay at line bet 1) -> windows; only what occurs.
    """

    windows: int
    counts: dict[tuple[int, int], int]


@dataclass(frozen=True)
class _Window:
    symbols: tuple[int, ...]  # three classes of symbols, top to bottom
    mark: int
    weight: int  # stops that show it


def spectrum(
    strips: Sequence[Strip],
    lines: Sequence[Sequence[int]],
    reading: Reading,
    marks: Sequence[Sequence[int]],
    expanding: str | None = None,
    both_ways: bool = False,
) -> WindowCounts:
    """Counts all windows by mark and line pay.

    Args:
        strips: five lists of symbol names.
        lines: lists of five rows, 1 is the top.
        reading: how a line is read, from its first reel.
        marks: five lists, for each stop of a reel a number from 0; a window's mark is their sum.
        expanding: a symbol that anywhere on reel 3 turns all of reel 3 into itself before lines are read.
        both_ways: lines are read from either end, the higher pay counts.
    """
    windows = _windows(strips, reading, marks, expanding)
    behind = [law.add([_mark_law(shown) for shown in windows[walked:]]) for walked in range(_LEVELS)]
    result = Counter({(mark, 0): weight for mark, weight in behind[0].items()})
    _gather(result, _moves(windows, lines, reading), behind)
    if both_ways:
        mirrored = [list(reversed(line)) for line in lines]
        before = [law.add([_mark_law(shown) for shown in windows[: REELS - walked]]) for walked in range(_LEVELS)]
        _gather(result, _moves(windows[::-1], mirrored, reading), before)
        _gather(result, _moves_both(windows, lines, reading), behind)
    return WindowCounts(sum(behind[0].values()), {found: count for found, count in result.items() if count})


def _windows(
    strips: Sequence[Strip], reading: Reading, marks: Sequence[Sequence[int]], expanding: str | None
) -> list[list[_Window]]:
    classes = _classes(reading)
    result = []
    for reel, strip in enumerate(strips):
        stops: Counter[tuple[tuple[int, ...], int]] = Counter()
        for stop in range(len(strip)):
            names = [strip[(stop + row) % len(strip)] for row in range(ROWS)]
            if expanding is not None and reel == 2 and expanding in names:
                names = [expanding] * ROWS
            symbols = tuple(classes.get(name, _BLANK) for name in names)
            stops[symbols, marks[reel][stop]] += 1
        result.append([_Window(*shown, weight) for shown, weight in stops.items()])
    return result


def _classes(reading: Reading) -> dict[str, int]:
    """Symbol -> class from 1 on; the wilds without pays of their own are one class, a missing symbol is blank."""
    same = [wild for wild in reading.wilds if wild != reading.own]
    paying = [name for name, pays in reading.pays.items() if any(pays) and name not in reading.wilds]
    own = [name for name in reading.wilds if name == reading.own]
    classes = {name: number for number, name in enumerate(paying + own, 1)}
    return classes | dict.fromkeys(same, len(classes) + 1)


def _mark_law(shown: Sequence[_Window]) -> law.Law:
    result: Counter[int] = Counter()
    for window in shown:
        result[window.mark] += window.weight
    return dict(result)


def _gather(result: Counter[tuple[int, int]], moves: tuple[Numbers, Numbers], rest: Sequence[law.Law]) -> None:
    """Adds the moves, each with the law of the marks of the reels that it was made without."""
    for key, moved in zip(*moves, strict=True):
        if key != _FREE and moved:
            place, pay = divmod(int(key), _PAYS)
            mark, walked = divmod(place, _LEVELS)
            for other, weight in rest[walked].items():
                result[mark + other, pay] += int(moved) * weight


def _moves(
    windows: Sequence[Sequence[_Window]], lines: Sequence[Sequence[int]], reading: Reading
) -> tuple[Numbers, Numbers]:
    tables = _steps(windows, reading)
    first = _numbers(sum(map(len, tables[:reel])) for reel in range(REELS))
    return _walk(*_flat(windows, lines), _numbers(step for table in tables for step in table), first)


def _moves_both(
    windows: Sequence[Sequence[_Window]], lines: Sequence[Sequence[int]], reading: Reading
) -> tuple[Numbers, Numbers]:
    symbols = _numbers(symbol for shown in windows for window in shown for symbol in window.symbols)
    pays, classes = _line_pays(reading)
    return _walk_both(*_flat(windows, lines), symbols, _numbers(pays), classes)


def _flat(
    windows: Sequence[Sequence[_Window]], lines: Sequence[Sequence[int]]
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Rows from 0, line by line; windows of each reel; marks and weights of the windows, reel by reel."""
    return (
        _numbers(row - 1 for line in lines for row in line),
        _numbers(len(shown) for shown in windows),
        _numbers(window.mark for shown in windows for window in shown),
        _numbers(window.weight for shown in windows for window in shown),
    )


def _longer(run: _Run, reel: int, name: str | None, reading: Reading) -> _Run | None:
    """The run after another reel's symbol, None where it ends."""
    symbol, leading, alone, wild = run
    if name is None:
        return None
    if name in reading.wilds:
        if symbol is None:
            return None, leading + 1, alone + (name == reading.own and alone == reel), True
        return symbol, leading, alone, True
    return (name, leading, alone, wild) if symbol in (None, name) else None


def _steps(windows: Sequence[Sequence[_Window]], reading: Reading) -> list[list[int]]:
    """For each reel what becomes of a run: step[(state * ROWS + row) * windows + window]."""
    names = {number: name for name, number in _classes(reading).items()}
    runs: list[_Run] = [(None, 0, 0, False)]
    tables = []
    for reel, shown in enumerate(windows):
        following: dict[_Run, int] = {}
        table = [0] * (ROWS * len(shown))
        for run in runs:
            steps = [0] * (len(names) + 1)
            for number, name in names.items():
                longer = _longer(run, reel, name, reading)
                if longer is not None:
                    gain = law.best_pay(longer, reel + 1, reading) - law.best_pay(run, reel, reading)
                    state = following.setdefault(longer, len(following) + 1) if reel < REELS - 1 else 0
                    steps[number] = gain << _STATE_BITS | state
            table += [steps[window.symbols[row]] for row in range(ROWS) for window in shown]
        tables.append(table)
        runs = list(following)
    return tables


def _numbers(values: Iterable[int]) -> Numbers:
    if not COMPILED:
        return list(values)
    numbers: Numbers = np.array(list(values), np.int64)
    return numbers


if COMPILED:
    np: Any = import_module("numpy")

    @jit
    def _filled(size: int, value: int) -> Numbers:
        numbers: Numbers = np.full(size, value, np.int64)
        return numbers

else:

    def _filled(size: int, value: int) -> Numbers:
        return [value] * size


@jit
def _add(keys: Numbers, counts: Numbers, place: int, pay: int, weight: int) -> int:
    """Adds to an open-addressing histogram; returns the number of new keys."""
    key = place * _PAYS + pay
    slot = (pay * 40503 + place * 10007) & (len(keys) - 1)
    while keys[slot] != key:
        if keys[slot] == _FREE:
            keys[slot] = key
            counts[slot] = weight
            return 1
        slot = (slot + 1) & (len(keys) - 1)
    counts[slot] += weight
    return 0


@jit
def _larger(keys: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """The same histogram with four times the room."""
    more_keys = _filled(4 * len(keys), _FREE)
    more_counts = _filled(4 * len(keys), 0)
    for slot in range(len(keys)):
        if keys[slot] != _FREE:
            _add(more_keys, more_counts, keys[slot] // _PAYS, keys[slot] % _PAYS, counts[slot])
    return more_keys, more_counts


@jit
def _walk(
    rows: Numbers, sizes: Numbers, marks: Numbers, weights: Numbers, steps: Numbers, first: Numbers
) -> tuple[Numbers, Numbers]:
    """Walks all windows depth first, reel by reel, as long as a line is one run.

    Returns:
        Keys and counts of a histogram of moves, to be added to the windows counted at pay 0.
    """
    lines = len(rows) // REELS
    keys, counts = _filled(1 << 12, _FREE), _filled(1 << 12, 0)
    used = 0
    # Of each depth, 0 to 5 reels walked: the next window, the runs' states and lines, their number, what is gathered.
    at = _filled(_LEVELS, 0)
    state = _filled(_LEVELS * lines, 1)
    line = _filled(_LEVELS * lines, 0)
    live = _filled(_LEVELS, 0)
    mark = _filled(_LEVELS, 0)
    weight = _filled(_LEVELS, 1)
    pay = _filled(_LEVELS, 0)
    offset = _filled(_LEVELS, 0)  # of the reel's windows
    for reel in range(REELS):
        offset[reel + 1] = offset[reel] + sizes[reel]
    ahead = _filled(offset[REELS], 0)  # of each window of the next reel the sum of the runs' steps
    for i in range(lines):
        line[i] = i
    live[0] = lines
    reel = 0
    _look_ahead(ahead, 0, sizes[0], rows, 0, steps, 0, state, line, 0, lines)
    while reel >= 0:
        window = at[reel]
        size = sizes[reel]
        shown = offset[reel] + window
        while window < size and ahead[shown] == 0:
            window += 1
            shown += 1
        if window == size:
            reel -= 1
            continue
        at[reel] = window + 1
        step = ahead[shown]
        deeper = reel + 1
        mark[deeper] = mark[reel] + marks[shown]
        weight[deeper] = weight[reel] * weights[shown]
        pay[deeper] = pay[reel] + (step >> _STATE_BITS)
        if pay[deeper] != pay[reel]:
            if 2 * used + 4 > len(keys):
                keys, counts = _larger(keys, counts)
            place = mark[deeper] * _LEVELS + deeper
            used += _add(keys, counts, place, pay[reel], -weight[deeper])
            used += _add(keys, counts, place, pay[deeper], weight[deeper])
        if step & _STATE:
            source = reel * lines
            target = deeper * lines
            going = target
            table = first[reel] + window
            for i in range(source, source + live[reel]):
                step = steps[table + (state[i] * ROWS + rows[line[i] * REELS + reel]) * size] & _STATE
                if step:
                    state[going] = step
                    line[going] = line[i]
                    going += 1
            live[deeper] = going - target
            reel = deeper
            at[reel] = 0
            _look_ahead(ahead, offset[reel], sizes[reel], rows, reel, steps, first[reel], state, line, target, going)
    return keys, counts


@jit
def _look_ahead(
    ahead: Numbers,
    offset: int,
    size: int,
    rows: Numbers,
    reel: int,
    steps: Numbers,
    first: int,
    state: Numbers,
    line: Numbers,
    source: int,
    end: int,
) -> None:
    """Sums up the steps of the runs `source` to `end` - 1 for each window of a reel."""
    for i in range(source, end):
        table = first + (state[i] * ROWS + rows[line[i] * REELS + reel]) * size
        if i == source:
            for window in range(size):
                ahead[offset + window] = steps[table + window]
        else:
            for window in range(size):
                ahead[offset + window] += steps[table + window]


def _line_pays(reading: Reading) -> tuple[list[int], int]:
    """What a line pays from its first reel, by the classes of its five symbols as digits; the number of classes."""
    names = {number: name for name, number in _classes(reading).items()}
    classes = len(names) + 1

    def pays(run: _Run, reel: int) -> list[int]:
        if reel == REELS:
            return [law.best_pay(run, reel, reading)]
        result = []
        for number in range(classes):
            longer = _longer(run, reel, names.get(number), reading)
            if longer is None:
                result += [law.best_pay(run, reel, reading)] * classes ** (REELS - 1 - reel)
            else:
                result += pays(longer, reel + 1)
        return result

    return pays((None, 0, 0, False), 0), classes


@jit
def _walk_both(
    rows: Numbers, sizes: Numbers, marks: Numbers, weights: Numbers, symbols: Numbers, pays: Numbers, classes: int
) -> tuple[Numbers, Numbers]:
    """Walks the windows with lines that can pay from the left and lines that can pay from the right.

    Returns:
        Keys and counts of a histogram: what makes the sum of both sides' histograms of `_walk` that of both ways.
    """
    lines = len(rows) // REELS
    keys, counts = _filled(1 << 12, _FREE), _filled(1 << 12, 0)
    used = 0
    second = sizes[0]
    third = second + sizes[1]
    fourth = third + sizes[2]
    fifth = fourth + sizes[3]
    can = _filled(classes**3, 0)  # by the three symbols from an end: that end can pay
    for code in range(len(pays)):
        if pays[code]:
            can[code // classes**2] = 1
    lefts = sizes[0] * sizes[1]
    left_codes = _filled(lefts * lines, 0)
    left_live = _filled(lefts, 0)
    left_first = _filled(lefts + 1, 0)
    left_lines = _filled(lefts * lines, 0)
    rights = sizes[4] * sizes[3]
    right_codes = _filled(rights * lines, 0)
    right_live = _filled(rights, 0)
    right_first = _filled(rights + 1, 0)
    right_lines = _filled(rights * lines, 0)
    _pair_codes(left_codes, rows, symbols, classes, 0, 0, sizes[0], 1, second, sizes[1])
    _pair_codes(right_codes, rows, symbols, classes, 4, fifth, sizes[4], 3, fourth, sizes[3])
    middle = _filled(lines, 0)
    is_left = _filled(lines, 0)
    for three in range(third, fourth):
        for line in range(lines):
            middle[line] = symbols[three * ROWS + rows[line * REELS + 2]]
        left_count = _live_pairs(left_codes, middle, can, classes, lefts, left_live, left_first, left_lines)
        right_count = _live_pairs(right_codes, middle, can, classes, rights, right_live, right_first, right_lines)
        for i in range(left_count):
            left = left_live[i]
            one = left // sizes[1]
            two = second + left % sizes[1]
            left_mark = marks[one] + marks[two] + marks[three]
            left_weight = weights[one] * weights[two] * weights[three]
            for line in range(lines):
                is_left[line] = 0
            for at in range(left_first[i], left_first[i + 1]):
                is_left[left_lines[at]] = 1
            for j in range(right_count):
                right = right_live[j]
                five = fifth + right // sizes[3]
                four = fourth + right % sizes[3]
                from_left = 0
                from_right = 0
                both = 0
                for at in range(left_first[i], left_first[i + 1]):
                    line = left_lines[at]
                    one_end = left_codes[left * lines + line]
                    other_end = right_codes[right * lines + line]
                    pay = _pay(pays, classes, one_end, middle[line], other_end)
                    other = _pay(pays, classes, other_end, middle[line], one_end)
                    from_left += pay
                    from_right += other
                    both += max(pay, other)
                for at in range(right_first[j], right_first[j + 1]):
                    line = right_lines[at]
                    if not is_left[line]:
                        other_end = right_codes[right * lines + line]
                        pay = _pay(pays, classes, other_end, middle[line], left_codes[left * lines + line])
                        from_right += pay
                        both += pay
                if 2 * used + 8 > len(keys):
                    keys, counts = _larger(keys, counts)
                place = (left_mark + marks[four] + marks[five]) * _LEVELS + REELS
                weight = left_weight * weights[four] * weights[five]
                used += _add(keys, counts, place, both, weight)
                used += _add(keys, counts, place, from_left, -weight)
                used += _add(keys, counts, place, from_right, -weight)
                used += _add(keys, counts, place, 0, weight)
    return keys, counts


@jit
def _pay(pays: Numbers, classes: int, near: int, middle: int, far: int) -> int:
    """What a line pays from the end of its two symbols `near`; two symbols are digits, the outer one the higher."""
    return pays[((near * classes + middle) * classes + far % classes) * classes + far // classes]


@jit
def _pair_codes(
    codes: Numbers,
    rows: Numbers,
    symbols: Numbers,
    classes: int,
    outer: int,
    outer_first: int,
    outer_size: int,
    inner: int,
    inner_first: int,
    inner_size: int,
) -> None:
    """Fills in, for each pair of windows and each line, the line's two symbols from its end as two digits."""
    lines = len(rows) // REELS
    for pair in range(outer_size * inner_size):
        first = (outer_first + pair // inner_size) * ROWS
        second = (inner_first + pair % inner_size) * ROWS
        for line in range(lines):
            code = symbols[first + rows[line * REELS + outer]] * classes
            codes[pair * lines + line] = code + symbols[second + rows[line * REELS + inner]]


@jit
def _live_pairs(
    codes: Numbers,
    middle: Numbers,
    can: Numbers,
    classes: int,
    pairs: int,
    live: Numbers,
    first: Numbers,
    live_lines: Numbers,
) -> int:
    """Lists the pairs that have lines that can pay from their end, and those lines; returns how many pairs."""
    lines = len(middle)
    number = 0
    found = 0
    for pair in range(pairs):
        first[number] = found
        for line in range(lines):
            if can[codes[pair * lines + line] * classes + middle[line]]:
                live_lines[found] = line
                found += 1
        if found > first[number]:
            live[number] = pair
            number += 1
    first[number] = found
    return number
