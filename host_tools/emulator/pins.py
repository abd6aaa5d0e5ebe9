"""The Pico's GPIO lines as parts outside see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..errors import UsageError
from .rp2040py_compat import Chip

GPIO_COUNT = 30


class PinEvent(NamedTuple):
    """A recorded change: emulated nanoseconds, the name given to `record`, the new level."""

    ns: int
    name: str
    level: int


class Pins:
    """Levels, external drivers and resistors, watchers; pins by GPIO number.

    A line has the level that the Pico drives; else an external driver's; else an external resistor's; else the pad's
    own pull's, or 0.

    Attributes:
        events: changes of the pins that `record` was told to log.
    """

    def __init__(self, chip: Chip) -> None:
        self.events: list[PinEvent] = []
        self._chip = chip
        self._fast = chip.fast

    def drive(self, pin: int, level: int) -> None:
        """An external push-pull driver puts `level` on the line."""
        self._fast.drive(_checked(pin), 1 if level else 0)

    def release(self, pin: int) -> None:
        """The external driver lets go."""
        self._fast.release(_checked(pin))

    def pull(self, pin: int, level: int) -> None:
        """An external resistor, stronger than the pad's, pulls the line to `level`."""
        self._fast.pull(_checked(pin), 1 if level else 0)

    def level(self, pin: int) -> int:
        """What a part connected to the line sees."""
        return int(self._fast.level(pin))

    def output(self, pin: int) -> bool:
        """Whether the Pico drives the line."""
        return bool(self._fast.output(_checked(pin)))

    def watch(self, pin: int, callback: Callable[[int], None]) -> None:
        """Calls `callback(level)` at every change of the line, resets included."""
        self._fast.watch(_checked(pin), callback)

    def record(self, pin: int, name: str) -> None:
        """Logs the line's level now and at every change to `events` under `name`."""

        def log(level: int) -> None:
            self.events.append(PinEvent(int(self._chip.now_ns), name, level))

        log(self.level(pin))
        self.watch(pin, log)


def _checked(pin: int) -> int:
    if not 0 <= pin < GPIO_COUNT:
        raise UsageError(f"GPIO {pin} does not exist", f"the RP2040 has GPIO 0 to {GPIO_COUNT - 1}")
    return pin
