"""The raw REPL of a board over a serial port, a pty or a network address.

The only file that uses mpremote's transport. It is private API, so one version of it is accepted, and every failure
of the link is turned into one of our errors here, once.
"""

from __future__ import annotations

import contextlib
import errno
import importlib.metadata
import io
import os
import select
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import inf
from types import TracebackType
from typing import Any

import serial
from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from ..errors import BoardError, PortError, ToolMissing
from . import ports

MPREMOTE_VERSION = "1.28.0"
_INSTALLED_MPREMOTE = importlib.metadata.version("mpremote")
BAUD = 115_200  # means nothing to USB-CDC, ptys and sockets

_ENTER_TIMEOUTS_S = (1.5, 3.0, 5.0)  # a program may take seconds to make its outputs safe after Ctrl-C
_READ_TIMEOUT_S = 10.0
_WRITE_TIMEOUT_S = 10.0
_FRAMES_AHEAD = 2  # one that the board works on, one on its way

# What pyserial and mpremote raise when a link fails; struct.error and IndexError come from short reads.
_LINK_FAILURES = (TransportError, OSError, struct.error, IndexError)


class _Link(SerialTransport):  # type: ignore[misc]  # mpremote has no type hints
    """mpremote's transport on a port that is open already: the original hides why a port does not open."""

    def __init__(self, device: str, opened: serial.SerialBase) -> None:
        self.in_raw_repl = False
        self.use_raw_paste = True
        self.device_name = device
        self.mounted = False
        self.serial: Any = opened  # what all port types have in common, types-pyserial does not declare

    def read_until(
        self,
        min_num_bytes: int,
        ending: bytes,
        timeout: float | None = 10,
        data_consumer: Callable[[bytes], None] | None = None,
        timeout_overall: float | None = None,
    ) -> bytes:
        """As the original, but woken by the next byte: looking every 10 ms takes a third of a deployment's time."""
        data = b""
        overall_end_s = time.monotonic() + (timeout_overall or inf)
        byte_end_s = time.monotonic() + (timeout or inf)
        while not data.endswith(ending):
            if not self.serial.in_waiting:
                left_s = min(overall_end_s, byte_end_s) - time.monotonic()
                if left_s <= 0:
                    break
                self._wait(min(left_s, 1.0))
                continue
            byte = self.serial.read(1)
            byte_end_s = time.monotonic() + (timeout or inf)
            if data_consumer:
                data_consumer(byte)
                data = byte
            else:
                data += byte
        return data

    def _wait(self, longest_s: float) -> None:
        try:
            select.select([self.serial.fileno()], [], [], longest_s)
        except (AttributeError, io.UnsupportedOperation):  # serial ports of Windows, rfc2217
            time.sleep(0.01)


class Transport:
    """A board's raw REPL, held exclusively until `close`; use it in a `with` statement.

    Args:
        port: `/dev/tty...`, the path of a pty, `COMn`, `socket://host:port` or `rfc2217://host:port`.
        enter_timeouts_s: how long to wait for the prompt, one try each.

    Raises:
        PortError: the port does not exist, is busy, or may not be used.
        ToolMissing: another version of mpremote is installed.
    """

    def __init__(self, port: str, enter_timeouts_s: Sequence[float] = _ENTER_TIMEOUTS_S) -> None:
        _require_mpremote()
        self.port = port
        self._enter_timeouts_s = enter_timeouts_s
        self._link = _Link(port, _open(port))

    def __enter__(self) -> Transport:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def enter_raw_repl(self) -> None:
        """Interrupts the running program with Ctrl-C, soft-resets the interpreter and enters the raw REPL.

        The heap is clean afterwards and no file of the board but its boot code has run.

        Raises:
            PortError: nothing answers, what answers is not a MicroPython prompt, or the link was lost.
        """
        for timeout_s in self._enter_timeouts_s:
            try:
                with contextlib.redirect_stdout(io.StringIO()):  # mpremote prints what it could not read
                    self._link.enter_raw_repl(soft_reset=True, timeout_overall=timeout_s)
                return
            except TransportError:
                continue
            except _LINK_FAILURES as error:
                if "://" in self.port:  # a server that has a client already hangs up on the second one
                    raise PortError(
                        f"{self.port} hangs up", "close the program that is connected to it and try again"
                    ) from error
                raise self._lost(error) from error
        raise PortError(
            f"{self.port} opens but no MicroPython prompt answers",
            "press reset on the board or plug it in again; if that does not help it is not a MicroPython board",
        )

    def exec(self, source: str | bytes, timeout_s: float = _READ_TIMEOUT_S) -> bytes:
        """Runs `source` on the board and returns what it printed.

        Args:
            timeout_s: the longest pause in the board's output.

        Raises:
            BoardError: the board answered with a traceback.
            PortError: the link was lost or the board fell silent.
        """
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                output, trace = self._link.exec_raw(source, timeout=timeout_s)
        except _LINK_FAILURES as error:
            raise self._lost(error) from error
        self._raise_traceback(trace)
        return bytes(output)

    def feed(self, source: str, frames: Iterable[bytes], end: bytes, answered: Callable[[int], None]) -> None:
        """Runs `source` on the board, which reads `frames` and then `end` from its standard input.

        The board answers each frame with one dot and prints nothing else. At most two frames are on their way at any
        time; USB holds back what the board has no room for.

        Args:
            answered: called with the number of answers so far.

        Raises:
            BoardError: the board answered with a traceback.
            PortError: the link was lost or the board fell silent.
        """
        link = self._link
        sent = count = 0
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                link.exec_raw_no_follow(source)
            for frame in chain(frames, (end,)):
                if sent - count == _FRAMES_AHEAD:
                    if not self._answer():
                        break
                    count += 1
                    answered(count)
                link.serial.write(frame)
                sent += 1
            else:
                while self._answer():
                    count += 1
                    answered(count)
            trace = link.read_until(1, b"\x04", timeout=_READ_TIMEOUT_S)[:-1]
        except _LINK_FAILURES as error:
            raise self._lost(error) from error
        self._raise_traceback(trace)

    def _answer(self) -> bool:
        """Waits for the board's answer to a frame; False when its program has ended instead."""
        answer = self._link.serial.read(1)
        if answer not in (b".", b"\x04"):
            raise TransportError(f"the board printed {answer!r}" if answer else "the board fell silent")
        return bool(answer == b".")

    def _raise_traceback(self, trace: bytes) -> None:
        if trace:
            last_line = trace.decode(errors="replace").strip().splitlines()[-1]
            raise BoardError(f"the board at {self.port} reports {last_line}", "reset the board and try again")

    def reset(self) -> None:
        """Resets the chip as at power-on and leaves the raw REPL; the board's USB port goes and comes back.

        Raises:
            PortError: the link was lost before the board had the order.
        """
        try:
            self._link.exec_raw_no_follow("import machine\nmachine.reset()")
        except _LINK_FAILURES as error:
            raise self._lost(error) from error
        self._link.in_raw_repl = False

    def close(self) -> None:
        """Leaves the raw REPL, interrupting what still runs there, and releases the port; safe to call twice."""
        with contextlib.suppress(*_LINK_FAILURES):  # the link may be the very thing that failed
            if self._link.in_raw_repl:
                self._link.serial.write(b"\r\x03\x02")
                self._link.in_raw_repl = False
        with contextlib.suppress(*_LINK_FAILURES):
            self._link.serial.close()

    def _lost(self, error: BaseException) -> PortError:
        reason = " ".join(str(error).split())
        return PortError(f"lost the connection to {self.port} ({reason})", "check the cable and run it again")


def _require_mpremote() -> None:
    if _INSTALLED_MPREMOTE != MPREMOTE_VERSION:
        raise ToolMissing(
            f"mpremote {_INSTALLED_MPREMOTE} is installed, picocab needs {MPREMOTE_VERSION}",
            f"pip install mpremote=={MPREMOTE_VERSION}",
        )


def _open(port: str) -> serial.SerialBase:
    """Opens `port` in exclusive mode, or raises a PortError that says why not."""
    try:
        opened = serial.serial_for_url(
            port,
            baudrate=BAUD,
            timeout=_READ_TIMEOUT_S,
            write_timeout=_WRITE_TIMEOUT_S,
            inter_byte_timeout=1,
            exclusive=True,
        )
    except ValueError as error:
        raise PortError(f"{port} is no port address ({error})", "give a device, socket://host:port or COMn") from error
    except OSError as error:
        raise _why_closed(port, error) from error
    return opened


def _why_closed(port: str, error: OSError) -> PortError:
    """The PortError for a port that did not open."""
    reason = " ".join(str(error).split())
    if "://" in port:
        if "Connection refused" in reason or "10061" in reason:
            return PortError(f"nothing listens on {port}", "start the board's server, or check host and port")
        return PortError(f"cannot connect to {port} ({reason})", "check host and port")
    if error.errno == errno.ENOENT or "FileNotFoundError" in reason:
        return ports.missing(f"no port {port}")
    if error.errno in (errno.EAGAIN, errno.EWOULDBLOCK, errno.EBUSY) or (
        os.name == "nt" and "PermissionError" in reason
    ):
        return PortError(f"{port} is busy", "close the program that uses it (terminal, Thonny, mpremote) and try again")
    if error.errno == errno.EACCES:
        return PortError(
            f"no permission to open {port}",
            "add yourself to the dialout group (sudo usermod -a -G dialout $USER) and log in again",
        )
    return PortError(f"cannot use {port} as a serial port ({reason})", ports.describe_ports())
