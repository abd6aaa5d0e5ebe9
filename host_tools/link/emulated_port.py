"""The service UART of an emulated cabinet as a port of the service link, in emulated time."""

from __future__ import annotations

from ..emulator.parts.service import ServicePort
from ..emulator.pico import Pico


class EmulatedPort:
    """Waiting on it lets the emulation run.

    Args:
        pico: the emulated Pico.
        service: the plug of its service UART.
    """

    name = "the emulated service UART"

    def __init__(self, pico: Pico, service: ServicePort) -> None:
        self._pico = pico
        self._service = service
        self._taken = 0

    def write(self, data: bytes) -> None:
        """Sends bytes at the line's speed, while the emulation runs."""
        self._service.send(data)

    def read(self, timeout_s: float) -> bytes:
        """What has arrived; runs the emulation for at most timeout_s until the first byte.

        Raises:
            EmulatorError: the program did something silicon does not survive.
        """
        end_us = self._pico.now_us + timeout_s * 1e6
        received = self._service.received
        while len(received) == self._taken and self._pico.now_us < end_us:
            self._pico.run_for(min(1000.0, end_us - self._pico.now_us))
            received = self._service.received
        data = received[self._taken :]
        self._taken = len(received)
        return data

    def now_s(self) -> float:
        """Emulated seconds since power-on."""
        return self._pico.now_us / 1e6
