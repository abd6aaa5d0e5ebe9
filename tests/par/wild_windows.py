"""Where the wilds of Santa vs Rudolf land: what the chains are checked against starts from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def wild_windows(strips: Sequence[Sequence[str]]) -> list[tuple[int, int, float]]:
    """Masks of the cells where Rudolfs and where Santas land, and how likely they do."""
    law: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for reel, strip in enumerate(strips):
        longer: Counter[tuple[int, int]] = Counter()
        for stop in range(len(strip)):
            window = [strip[(stop + row) % len(strip)] for row in range(3)]
            rudolfs, santas = (
                sum(1 << 3 * reel + row for row in range(3) if window[row] == name) for name in ("rudolf", "santa")
            )
            for (r, s), weight in law.items():
                longer[r | rudolfs, s | santas] += weight
        law = longer
    return [(r, s, weight / law.total()) for (r, s), weight in law.items()]
