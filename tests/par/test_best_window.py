"""The best window against all windows, one by one."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.par.best_window import best_window
from host_tools.par.law import Reading, line_law

exactly = settings(derandomize=True, deadline=None, max_examples=60)
strips = st.lists(st.lists(st.sampled_from("ABCW"), min_size=3, max_size=4), min_size=5, max_size=5)
patterns = st.lists(st.lists(st.integers(1, 3), min_size=5, max_size=5), min_size=1, max_size=4)
pays = st.lists(st.integers(0, 40), min_size=4, max_size=4).map(lambda pays: (0, 0, *pays))
NEVER = -(10**6)


def values(
    strips: list[list[str]],
    lines: list[list[int]],
    reading: Reading,
    marks: list[list[int]],
    worth: list[int],
    expanding: str | None,
) -> dict[tuple[int, ...], tuple[int, int]]:
    """Five stops -> what the window's lines pay and its value."""
    found = {}
    for stops in itertools.product(*(range(len(strip)) for strip in strips)):
        window = [
            [strip[(stop + row) % len(strip)] for row in range(3)] for strip, stop in zip(strips, stops, strict=True)
        ]
        if expanding in window[2]:
            window[2] = [str(expanding)] * 3
        cells = ([reel[row - 1] for reel, row in zip(window, line, strict=True)] for line in lines)
        line_pays = sum(max(line_law([{symbol: 1} for symbol in line], reading)) for line in cells)
        mark = sum(reel[stop] for reel, stop in zip(marks, stops, strict=True))
        found[stops] = line_pays, line_pays + worth[mark]
    return found


@exactly
@given(st.data(), strips, patterns, st.sampled_from([None, "A", "W"]))
def test_best_window_is_the_best_of_all(
    data: st.DataObject, strips: list[list[str]], lines: list[list[int]], expanding: str | None
) -> None:
    reading = Reading({symbol: data.draw(pays) for symbol in "ABW"}, wilds={"W"}, own="W", wild_run=("A", "B"))
    marks = [[data.draw(st.integers(0, 1)) for _ in strip] for strip in strips]
    worth = [data.draw(st.sampled_from([0, 3, 50, NEVER])) for _ in range(6)]
    best = best_window(strips, lines, reading, marks, worth.__getitem__, expanding)
    everything = values(strips, lines, reading, marks, worth, expanding)
    highest = max(value for _, value in everything.values())
    if highest < 0:
        assert (best.value, best.stops) == (-1, ())
        return
    assert best.value == highest
    assert everything[best.stops] == (best.line_pays, best.value)
    assert best.mark == sum(reel[stop] for reel, stop in zip(marks, best.stops, strict=True))
    assert [len(reel) for reel in best.window] == [3] * 5


def test_best_window_shows_the_expansion() -> None:
    reading = Reading({"A": (0, 0, 1, 5, 9, 20)}, wilds={"W"})
    ring = ["A", "B", "C", "B", "C"]
    found = best_window(
        [ring, ring, ["W", "B", "C", "B", "C"], ring, ring],
        [[1, 1, 3, 1, 1], [1, 1, 1, 1, 1]],
        reading,
        [[0] * 5] * 5,
        lambda mark: mark,
        "W",
    )
    assert found.value == found.line_pays == 40
    assert found.window[2] == ("W", "W", "W")
    assert found.window[0][0] == "A"
