"""The far end of the service UART."""

from __future__ import annotations

from .wiring import UartLine


class ServicePort:
    """The plug of the service UART in the cabinet."""

    def __init__(self, line: UartLine) -> None:
        self._line = line

    @property
    def received(self) -> bytes:
        """Everything that the cabinet sent so far."""
        return bytes(self._line.received)

    def lines(self) -> list[str]:
        """The complete lines that the cabinet sent so far, without their ends."""
        return self.received.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")[:-1]

    def send(self, data: bytes) -> None:
        """Sends to the cabinet at the line's speed."""
        self._line.send(data)
