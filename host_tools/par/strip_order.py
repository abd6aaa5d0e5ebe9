"""The order of symbols on a strip: how a design's counts become a strip, and whether strips keep the design's spacing.

Order moves variance, hit rate and what a window can show, hardly ever the return, so it comes last (math.md).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import UsageError
from .law import ROWS

LONGEST_RUN = 3  # of any symbol: a window shows no more
_TRIES = 5000


@dataclass(frozen=True)
class Spacing:
    """What the order of a strip must keep, counted around the strip.

    Attributes:
        apart: sets of symbols of which a window shows one at most, so two of a set are three positions apart.
        runs: symbol -> lengths that its runs may have; other symbols may have runs of 1 to LONGEST_RUN.
        stacked: symbols with one run at least that is longer than 1.
        absent: symbols that the strip does not hold.
    """

    apart: Sequence[frozenset[str]] = ()
    runs: Mapping[str, Sequence[int]] = field(default_factory=dict)
    stacked: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def lengths(self, symbol: str) -> Sequence[int]:
        """The lengths that a run of the symbol may have."""
        if any(symbol in group for group in self.apart):
            return (1,)
        return self.runs.get(symbol, range(1, LONGEST_RUN + 1))


def spacing(tables: Mapping[str, Any], mode: str, reel: int) -> Spacing:
    """The spacing of a strip of a game.

    Args:
        tables: of `game_tables`.
        mode: name of the mode.
        reel: from 0.
    """
    return _SPACINGS[tables["game"]](tables, mode, reel)


def _mad_hatters(tables: Mapping[str, Any], mode: str, reel: int) -> Spacing:
    """An expanding Mad Hat on reel 3 covers its window, so neither Bunny nor Clock may be in it (MH-02, G-10)."""
    return Spacing(apart=(frozenset({tables["wild"], tables["scatter_symbol"], tables["clock"]}),))


def _mad_mad_monkey(tables: Mapping[str, Any], mode: str, reel: int) -> Spacing:
    """Stacks of three Monkeys on reels 2, 3, 4 (MM-01); single Bananas in base, stacks in free (MM-08)."""
    monkey, banana = tables["wild"], "banana"
    free = mode == "free"
    return Spacing(
        apart=(frozenset({tables["scatter_symbol"]}),),
        runs={monkey: (3,)} if free else {monkey: (3,), banana: (1,)},
        stacked=frozenset({banana}) if free else frozenset(),
        absent=frozenset() if reel in (1, 2, 3) else frozenset({monkey}),
    )


def _santa_vs_rudolf(tables: Mapping[str, Any], mode: str, reel: int) -> Spacing:
    """At most one wild in a window (G-10); Rudolf on reel 1, Santa on reel 5 in the main game (SR-02)."""
    wilds = tables["wilds"]
    walking = frozenset({wilds["rudolf"], wilds["santa"]})
    absent = {wilds["merged"], wilds["reindeer"]}
    if mode.startswith("base"):
        absent |= walking - {wilds["rudolf"]} if reel == 0 else walking - {wilds["santa"]} if reel == 4 else walking
    elif mode == "rudolf":
        absent |= walking
    return Spacing(apart=(walking,), absent=frozenset(absent))


def _haunted_house(tables: Mapping[str, Any], mode: str, reel: int) -> Spacing:
    """At most one Haunted House in a window (G-10); Pumpkins in free spins only (HH-02)."""
    absent = frozenset() if mode == "free" else frozenset({tables["wild"]})
    return Spacing(apart=(frozenset({tables["scatter_symbol"]}),), absent=absent)


_SPACINGS = {
    "mad_hatters": _mad_hatters,
    "mad_mad_monkey": _mad_mad_monkey,
    "santa_vs_rudolf": _santa_vs_rudolf,
    "haunted_house": _haunted_house,
}


def symbols_of(strip: Sequence[Any]) -> list[str]:
    """The symbols of a strip of any game's tables: Haunted House has (symbol, icon) at each position."""
    return [position if isinstance(position, str) else position[0] for position in strip]


def spacing_violations(tables: Mapping[str, Any]) -> list[str]:
    """Where the strips of a game break its spacing, one line each; an empty list when they keep it."""
    return [
        f"{mode} reel {reel + 1}: {fault}"
        for mode in tables["modes"]
        for reel, strip in enumerate(tables["strips"][mode])
        for fault in violations(symbols_of(strip), spacing(tables, mode, reel))
    ]


def violations(strip: Sequence[str], keep: Spacing) -> list[str]:
    """Where a strip breaks a spacing, one line each; positions from 0, counted around."""
    found = [f"there is a {symbol}" for symbol in sorted(keep.absent & set(strip))]
    length = len(strip)
    for at in range(length):
        for distance in range(1, ROWS):
            one, other = strip[at], strip[(at + distance) % length]
            found += [
                f"{one} at {at} and {other} at {(at + distance) % length} share a window"
                for group in keep.apart
                if one in group and other in group
            ]
    runs = list(_runs(strip))
    for at, symbol, count in runs:
        if count not in keep.lengths(symbol) and not any(symbol in group for group in keep.apart):
            found.append(f"{count} {symbol} in a row at {at}")
    held = {symbol for _, symbol, count in runs if count > 1}
    found += [f"no stack of {symbol}" for symbol in sorted(keep.stacked - held)]
    return found


def _runs(strip: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """Position, symbol and length of every run around the strip."""
    length = len(strip)
    starts = [at for at in range(length) if strip[at] != strip[at - 1]] or [0]
    for start, following in zip(starts, [*starts[1:], starts[0] + length], strict=True):
        yield start, strip[start], following - start


def order(counts: Mapping[str, int], keep: Spacing, seed: int, pieces: Sequence[Sequence[str]] = ()) -> list[str]:
    """A strip of these symbols that keeps the spacing; the same one for the same arguments.

    Args:
        counts: symbol -> positions.
        keep: the spacing.
        seed: another seed gives another order.
        pieces: parts of the strip that must be there as they are; their symbols count in `counts`.

    Raises:
        UsageError: there seems to be no such order.
    """
    left = Counter(counts)
    left.subtract(symbol for piece in pieces for symbol in piece)
    if left and min(left.values()) < 0:
        raise UsageError("the pieces of a strip hold more than its counts", "give larger counts")
    rng = random.Random(seed)
    for _ in range(_TRIES):
        blocks = [list(piece) for piece in pieces]
        for symbol in sorted(left):
            sizes = _sizes(left[symbol], keep.lengths(symbol), symbol in keep.stacked, rng)
            if sizes is None:
                raise UsageError(
                    f"{left[symbol]} {symbol} do not fit their runs", f"runs: {list(keep.lengths(symbol))}"
                )
            blocks += [[symbol] * size for size in sizes]
        strip = _placed(blocks, keep, rng)
        if strip is not None and not violations(strip, keep):
            return strip
    raise UsageError("no order of the strip keeps its spacing", "use fewer of the symbols that must be apart")


def _sizes(count: int, lengths: Sequence[int], stacked: bool, rng: random.Random) -> list[int] | None:
    """Lengths of runs that add up to the count; None when there are none."""
    if not count:
        return []
    choices = [size for size in lengths if size <= count and (not stacked or size > 1)]
    rng.shuffle(choices)
    for size in choices:
        rest = _sizes(count - size, lengths, False, rng)
        if rest is not None:
            return [size, *rest]
    return None


def _placed(blocks: list[list[str]], keep: Spacing, rng: random.Random) -> list[str] | None:
    """The blocks one after another, each chosen among those that fit what stands before it; None at a dead end."""
    rng.shuffle(blocks)
    strip: list[str] = []
    while blocks:
        for at, block in enumerate(blocks):
            if not strip or (strip[-1] != block[0] and not _clash(strip, block, keep)):
                strip += blocks.pop(at)
                break
        else:
            return None
    return strip


def _clash(strip: Sequence[str], block: Sequence[str], keep: Spacing) -> bool:
    end = [*strip[1 - ROWS :], *block]
    return any(
        one in group and other in group
        for group in keep.apart
        for distance in range(1, ROWS)
        for one, other in zip(end, end[distance:], strict=False)
    )
