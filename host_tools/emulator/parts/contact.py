"""A mechanical contact and its bounce."""

from __future__ import annotations

import random
from collections.abc import Callable

from .wiring import Alarm, Clock


class Bounce:
    """How a contact bounces at an edge: it springs back `count` times before it settles.

    Each stay is between half of `width_us` and `width_us`, drawn from `seed`, so a run can be repeated exactly.
    """

    def __init__(self, count: int, width_us: int, seed: int = 0) -> None:
        self.count = count
        self.width_us = width_us
        self._random = random.Random(seed)

    def stays_us(self) -> list[int]:
        """The times between the first edge and each of the 2 x `count` edges after it, one by one."""
        shortest = (self.width_us + 1) // 2
        return [self._random.randint(shortest, self.width_us) for _ in range(2 * self.count)]


class Contact:
    """A contact that is moved and then bounces; `set_closed(closed)` is called at each edge it makes."""

    def __init__(self, clock: Clock, set_closed: Callable[[bool], None]) -> None:
        self.closed = False
        self._clock = clock
        self._set_closed = set_closed
        self._next: Alarm | None = None

    def move(self, closed: bool, bounce: Bounce | None = None) -> None:
        """The contact goes to `closed` now; an earlier move that still bounces ends."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        self._edge(closed, bounce.stays_us() if bounce and closed != self.closed else [])

    def _edge(self, closed: bool, stays_us: list[int]) -> None:
        self._next = None
        if closed != self.closed:
            self.closed = closed
            self._set_closed(closed)
        if stays_us:
            self._next = self._clock.at(stays_us[0], lambda: self._edge(not closed, stays_us[1:]))
