"""What is simply on or off at an output of the chain: lamps and the bell."""

from __future__ import annotations

from .shift_registers import ShiftOutputs
from .wiring import Clock


class SwitchedLoad:
    """A load on one output.

    Attributes:
        on: whether it gets current now.
        log: every change as (emulated microseconds, on).
    """

    def __init__(self, clock: Clock, outputs: ShiftOutputs, name: str) -> None:
        self.name = name
        self.on = outputs.on(name)
        self.log: list[tuple[float, bool]] = []
        self._clock = clock
        outputs.on_change(name, self._switch)

    def _switch(self, on: bool) -> None:
        self.on = on
        self.log.append((self._clock.now_us, on))


class Lamp(SwitchedLoad):
    """The lamp in a button, or the tower light."""


class Bell(SwitchedLoad):
    """The bell."""
