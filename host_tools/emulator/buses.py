"""The outer ends of the Pico's SPI and UART."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .pico import Pico


class SpiDevice(Protocol):
    """A part on an SPI bus."""

    def write(self, data: bytes) -> None:
        """Bytes that the Pico sent while CS, DC and all other pins had the levels they have now."""


class SpiBus:
    """One SPI block. Its bytes reach the part in pieces as long as possible: before a pin changes, when the bus falls
    idle, when a run ends. MISO reads 0."""

    def __init__(self, pico: Pico, index: int) -> None:
        self._fast = pico.chip.fast
        self._index = index

    def attach(self, device: SpiDevice) -> None:
        """Connects `device` in place of what was there."""
        self._fast.attach_spi(self._index, device)


class UartLine:
    """The outer end of one UART.

    Attributes:
        received: what the Pico sent, each byte at the end of its stop bit.
        received_us: the time of each.
        baud: bits per second of what is sent to the Pico; None: as fast as its own receiver is set.
        on_byte: called for each byte that the Pico sent.
    """

    def __init__(self, pico: Pico, index: int) -> None:
        self.received = bytearray()
        self.received_us: list[float] = []
        self.baud: int | None = None
        self.on_byte: Callable[[int], None] = lambda byte: None
        self._pico = pico
        self._uart = pico.chip.uarts[index]
        self._uart.on_sent = self._sent
        self._free_us = 0.0

    @property
    def overruns(self) -> int:
        """Bytes lost because the Pico's receive FIFO was full."""
        return self._uart.overruns

    def send(self, data: bytes, gap_us: float = 0.0, delay_us: float = 0.0) -> None:
        """Sends bytes to the Pico at line speed, after those sent before.

        Args:
            data: the bytes.
            gap_us: idle time before each byte.
            delay_us: idle time before the first.
        """
        frame_us = 10e6 / self.baud if self.baud else self._uart.frame_ns / 1000
        at_us = max(self._free_us, self._pico.now_us + delay_us)
        for byte in data:
            at_us += frame_us + gap_us
            self._pico.at(at_us - self._pico.now_us, lambda byte=byte: self._uart.feed(byte))  # type: ignore[misc]
        self._free_us = at_us

    def _sent(self, byte: int) -> None:
        self.received.append(byte)
        self.received_us.append(self._pico.now_us)
        self.on_byte(byte)
        self._pico.notify()
