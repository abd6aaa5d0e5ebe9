"""Santa's Gifts: the law of (coins, multiplier) by all orders of the items (T6).

Coins and multiplier of a set hang together (both are what lies before the end item), so the mean win is the mean of
their product, not the product of their means. The order in which the player picks does not matter: the layout is drawn
uniformly, so any way through the positions meets the items in a uniform order, and SR-11 makes the first set's orders
uniform over those that do not start with the end item.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

_STEP, _END = 3, 4  # items of a set; 0 to 2 are its prizes
_ITEMS = 5


def gifts_law(tables: Mapping[str, Any]) -> dict[int, Fraction]:
    """The law of what Santa's Gifts pay in coins at line bet 1."""
    settings = tables["gifts"]
    law: dict[tuple[int, int], Fraction] = {(0, 1): Fraction(1)}
    for number, one in enumerate(settings["sets"]):
        longer: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (coins, multiplier), chance in law.items():
            for (more, steps), share in _set_law(one["prizes"], first=number == 0).items():
                longer[coins + more, min(multiplier + steps, settings["max_multiplier"])] += chance * share
        law = dict(longer)
    result: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (coins, multiplier), chance in law.items():
        result[coins * multiplier] += chance
    return dict(result)


def gifts_mean(tables: Mapping[str, Any]) -> Fraction:
    """The mean win of Santa's Gifts in coins at line bet 1."""
    return sum((coins * chance for coins, chance in gifts_law(tables).items()), Fraction(0))


def _set_law(prizes: Sequence[int], first: bool) -> dict[tuple[int, int], Fraction]:
    """The law of a set's coins and multiplier steps."""
    counts: Counter[tuple[int, int]] = Counter()
    for order in permutations(range(_ITEMS)):
        if first and order[0] == _END:
            continue
        found = order[: order.index(_END)]
        counts[sum(prizes[item] for item in found if item != _STEP), found.count(_STEP)] += 1
    return {outcome: Fraction(orders, counts.total()) for outcome, orders in counts.items()}
