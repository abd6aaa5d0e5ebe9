"""A serial port, a pty or a network address as a port of the service link."""

from __future__ import annotations

import time
from types import TracebackType

import serial

from ..device.ports import describe_ports
from ..errors import PortError

BAUD = 115_200
_WRITE_TIMEOUT_S = 5.0


class SerialPort:
    """An open port, held exclusively until `close`; use it in a `with` statement.

    Args:
        url: `/dev/tty...`, the path of a pty, `COMn`, `socket://host:port` or `rfc2217://host:port`.

    Raises:
        PortError: it does not open.
    """

    def __init__(self, url: str) -> None:
        self.name = url
        try:
            self._serial = serial.serial_for_url(url, baudrate=BAUD, write_timeout=_WRITE_TIMEOUT_S, exclusive=True)
        except (ValueError, OSError) as error:
            raise PortError(f"cannot open {url} ({' '.join(str(error).split())})", describe_ports()) from error

    def __enter__(self) -> SerialPort:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, data: bytes) -> None:
        """Sends bytes.

        Raises:
            PortError: the connection is lost.
        """
        try:
            self._serial.write(data)
        except OSError as error:
            raise self._lost(error) from error

    def read(self, timeout_s: float) -> bytes:
        """What has arrived; waits at most timeout_s for the first byte.

        Raises:
            PortError: the connection is lost.
        """
        try:
            self._serial.timeout = timeout_s
            first = self._serial.read(1)
            return bytes(first + self._serial.read(self._serial.in_waiting) if first else first)
        except OSError as error:
            raise self._lost(error) from error

    def now_s(self) -> float:
        """Seconds of this computer."""
        return time.monotonic()

    def close(self) -> None:
        """Releases the port; safe to call twice."""
        self._serial.close()

    def _lost(self, error: OSError) -> PortError:
        reason = " ".join(str(error).split())
        return PortError(f"lost the connection to {self.name} ({reason})", "check the cable and run it again")
