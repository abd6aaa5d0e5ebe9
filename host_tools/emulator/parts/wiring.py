"""What a part needs from the chip it is wired to: time, pins, buses.

The emulated Pico fits these protocols; so does any other bench that can read and drive the same lines at known times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """An action that lies in the future."""

    def cancel(self) -> None:
        """The action does not happen any more; nothing if it has already."""


class Clock(Protocol):
    """Emulated time."""

    @property
    def now_ns(self) -> int:
        """Nanoseconds since power-on."""

    @property
    def now_us(self) -> float:
        """Microseconds since power-on."""

    def at(self, delay_us: float, action: Callable[[], None]) -> Alarm:
        """Calls `action` exactly `delay_us` from now."""

    def notify(self) -> None:
        """Something changed that a waiting condition may look at."""


class Pins(Protocol):
    """The chip's pins by GPIO number, levels 0 and 1."""

    def drive(self, pin: int, level: int) -> None:
        """The outside drives the pin."""

    def release(self, pin: int) -> None:
        """The outside stops driving the pin."""

    def pull(self, pin: int, level: int) -> None:
        """An external resistor pulls the pin to `level` while nothing drives it."""

    def level(self, pin: int) -> int:
        """The level on the wire."""

    def watch(self, pin: int, callback: Callable[[int], None]) -> None:
        """Calls `callback(level)` at each change on the wire, whatever causes it, a reset of the chip included."""


class SpiDevice(Protocol):
    """A part on an SPI bus."""

    def write(self, data: bytes) -> None:
        """Bytes that the chip sends, with the other lines already at their levels."""


class SpiBus(Protocol):
    """One SPI bus of the chip."""

    def attach(self, device: SpiDevice) -> None:
        """Connects the bus to `device`."""


class UartLine(Protocol):
    """One UART of the chip, seen from outside."""

    received: bytearray

    def send(self, data: bytes) -> None:
        """Sends `data` to the chip at the line's speed."""


class Chip(Clock, Protocol):
    """The whole chip as the cabinet sees it."""

    @property
    def pins(self) -> Pins:
        """The GPIO pins."""

    def spi(self, n: int) -> SpiBus:
        """SPI bus `n`."""

    def uart(self, n: int) -> UartLine:
        """UART `n`."""
