"""What the safety lines did, as seen from outside the chip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .wiring import Clock


class LineEvent(NamedTuple):
    """A line went to `active` at `us` (emulated microseconds)."""

    us: float
    line: str
    active: bool


class SafetyLog:
    """Every change of the lines that move money, from power-on; `active` is in the sense of the line's name.

    Attributes:
        events: the changes in order; each line starts with one event that holds its first state.
    """

    def __init__(self, clock: Clock) -> None:
        self.events: list[LineEvent] = []
        self._clock = clock
        self._state: dict[str, bool] = {}

    def record(self, line: str, active: bool) -> None:
        """The line is in this state now; logged when it was not before."""
        if self._state.get(line) is not active:
            self._state[line] = active
            self.events.append(LineEvent(self._clock.now_us, line, active))

    def spans(self, line: str, active: bool, start_us: float, end_us: float) -> Iterator[tuple[float, float]]:
        """The stretches of the line in state `active`, cut to `start_us` .. `end_us`."""
        since_us: float | None = None
        for event in self.events:
            if event.line != line:
                continue
            if event.active is active:
                since_us = event.us
            elif since_us is not None:
                yield from _cut(since_us, event.us, start_us, end_us)
                since_us = None
        if since_us is not None:
            yield from _cut(since_us, end_us, start_us, end_us)


def _cut(since_us: float, until_us: float, start_us: float, end_us: float) -> Iterator[tuple[float, float]]:
    since_us, until_us = max(since_us, start_us), min(until_us, end_us)
    if since_us < until_us:
        yield since_us, until_us
