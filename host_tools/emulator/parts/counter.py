"""An electromechanical counter that misses pulses which are too fast for it."""

from __future__ import annotations

from collections.abc import Callable

from .shift_registers import ShiftOutputs
from .wiring import Clock

MINIMUM_NS = 40_000_000
"""Shortest on time and shortest off time of the modelled counter.

The cabinet's specification (CAB-06) asks for 50 ms on and 50 ms off, the usual figures of a counter rated for ten
counts a second. 40 ms is a choice of this model: a fifth below the rating, so a firmware that is late by a few
milliseconds is still counted and one that is a quarter too fast is not.
"""

_LONG_AGO_NS = -(10**18)


class ElectromechanicalCounter:
    """Advances by one when the coil was on for at least 40 ms after at least 40 ms of rest.

    Attributes:
        missed: pulses that were too short, came too early, or were given while the coil was unplugged.
        log: every edge of the coil's drive as (emulated microseconds, on).
        plugged: whether the coil is connected.
    """

    def __init__(
        self, clock: Clock, outputs: ShiftOutputs, name: str, plug_changed: Callable[[], None] | None = None
    ) -> None:
        self.name = name
        self.missed = 0
        self.plugged = True
        self.log: list[tuple[float, bool]] = []
        self._clock = clock
        self._plug_changed = plug_changed
        self._counted = 0
        self._driven = False
        self._energised = False
        self._rested = True
        self._since_ns = _LONG_AGO_NS
        outputs.on_change(name, self._drive)
        if outputs.on(name):
            self._drive(True)

    @property
    def count(self) -> int:
        """What the wheels show: a pulse counts as soon as it has lasted 40 ms."""
        return self._counted + self._pulled_in()

    def unplug(self) -> None:
        """The connector of the coil comes off."""
        self._plug(False)

    def plug(self) -> None:
        """The connector goes back on; a coil that is driven now pulls in."""
        self._plug(True)

    def _pulled_in(self) -> bool:
        return self._energised and self._rested and self._clock.now_ns - self._since_ns >= MINIMUM_NS

    def _drive(self, on: bool) -> None:
        self.log.append((self._clock.now_us, on))
        self._driven = on
        if self.plugged:
            self._energise(on)
        elif on:
            self.missed += 1

    def _plug(self, plugged: bool) -> None:
        if plugged == self.plugged:
            return
        self.plugged = plugged
        if self._driven:
            self._energise(plugged)
        if self._plug_changed is not None:
            self._plug_changed()

    def _energise(self, on: bool) -> None:
        now_ns = self._clock.now_ns
        if on:
            self._rested = now_ns - self._since_ns >= MINIMUM_NS
        elif self._pulled_in():
            self._counted += 1
        else:
            self.missed += 1
        self._energised = on
        self._since_ns = now_ns
