"""The Pico's USB console: MicroPython's REPL over CDC."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import EmulatorError

if TYPE_CHECKING:
    from .pico import Pico

_KEPT_BYTES = 1 << 20
_RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"


class ProgramError(EmulatorError):
    """The program given to `exec` raised an exception; `what` is its traceback."""


class Console:
    """The host's end of the USB serial port.

    Attributes:
        received: what the Pico printed and nobody has taken; the last megabyte of it.
        connected: how often the Pico has come up on the bus.
        on_data: called with each packet the Pico sends, for a byte-stream server.
        on_connect: called each time the Pico comes up on the bus.
    """

    def __init__(self, pico: Pico) -> None:
        self.received = bytearray()
        self.connected = 0
        self.on_data: list[Callable[[bytes], None]] = []
        self.on_connect: list[Callable[[], None]] = []
        self._pico = pico
        pico.chip.on_console = self._data
        pico.chip.on_connected = self._connected

    def _connected(self) -> None:
        self.connected += 1
        for callback in self.on_connect:
            callback()
        self._pico.notify()

    def _data(self, data: bytes) -> None:
        self.received += data
        del self.received[:-_KEPT_BYTES]
        for callback in self.on_data:
            callback(data)
        self._pico.notify()

    def send(self, data: bytes) -> None:
        """Queues bytes for the Pico, which takes them at its own pace."""
        self._pico.chip.send_console(data)

    @property
    def unsent(self) -> int:
        """Bytes that the Pico has not taken yet."""
        return self._pico.chip.unsent

    def tail(self, length: int = 400) -> str:
        """The end of what was received, for messages."""
        return bytes(self.received[-length:]).decode("utf-8", "backslashreplace")

    def wait_connected(self, timeout_us: float = 5e6) -> None:
        """Runs until the Pico is on the bus (again, after a reset).

        Raises:
            EmulatorError: it does not come, or waits in its boot loader.
        """
        self._check()
        before = self.connected
        self._pico.run_until(lambda: self.connected > before, timeout_us)

    def expect(self, token: bytes, timeout_us: float = 10e6) -> bytes:
        """Runs until `token` was received; takes and returns everything up to and including it.

        Raises:
            EmulatorError: it did not come in time.
        """
        self._check()
        self._pico.run_until(lambda: token in self.received, timeout_us, f"{token!r} on the console")
        end = self.received.index(token) + len(token)
        taken = bytes(self.received[:end])
        del self.received[:end]
        return taken

    def interrupt(self) -> None:
        """Sends Ctrl-C."""
        self.send(b"\x03")

    def start(self, source: str) -> None:
        """Interrupts what runs and starts `source` through the raw REPL.

        Raises:
            EmulatorError: no REPL answers.
        """
        if not self.connected:
            self.wait_connected()
        self.send(b"\r\x03\x03")
        self._pico.run_for(20_000)
        self.received.clear()
        self.send(b"\r\x01")
        self.expect(_RAW_PROMPT)
        self.send(source.encode() + b"\x04")
        self.expect(b"OK")

    def finish(self, timeout_us: float = 60e6) -> str:
        """Runs until the program given to `start` has ended; returns what it printed.

        Raises:
            ProgramError: it raised.
            EmulatorError: it did not end in time.
        """
        output = self.expect(b"\x04", timeout_us)[:-1]
        traceback = self.expect(b"\x04", timeout_us)[:-1]
        if traceback:
            raise ProgramError(traceback.decode("utf-8", "backslashreplace").strip())
        return output.decode("utf-8", "backslashreplace").replace("\r\n", "\n")

    def exec(self, source: str, timeout_us: float = 60e6) -> str:
        """`start` and `finish`."""
        self.start(source)
        return self.finish(timeout_us)

    def _check(self) -> None:
        if self._pico.in_boot_loader:
            raise EmulatorError("flash holds no program: the Pico waits in its boot loader", "flash it first")
