"""Ports that cannot be used: every failure is one line with its cure."""

from __future__ import annotations

import os
import socket
import threading
import tty
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from host_tools.device import transport as transport_module
from host_tools.device.transport import Transport
from host_tools.errors import PortError, ToolMissing

SHORT_S = (0.2, 0.2)


@contextmanager
def _silent_pty() -> Iterator[tuple[int, str]]:
    """A pty that is open at its other end, where nobody answers; yields (that end, path)."""
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        yield master, os.ttyname(slave)
    finally:
        for fd in (master, slave):
            with suppress(OSError):  # the test may have closed it
                os.close(fd)


def _address(listener: socket.socket) -> str:
    return f"socket://127.0.0.1:{listener.getsockname()[1]}"


def _one_line(error: PortError) -> str:
    assert "\n" not in str(error)
    assert error.cure
    assert error.exit_code == 5
    return str(error)


def test_missing_device_lists_ports() -> None:
    with pytest.raises(PortError) as caught:
        Transport("/dev/ttyACM99")
    assert "no port /dev/ttyACM99" in _one_line(caught.value)
    assert "plug the board in" in caught.value.cure


def test_missing_device_with_a_board_in_boot_loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    monkeypatch.setattr(transport_module.ports, "mount_points", lambda: [tmp_path])
    with pytest.raises(PortError, match=r"boot loader.*copy the firmware first"):
        Transport("/dev/ttyACM99")


@pytest.mark.parametrize("port", ["nonsense://x", "socket://nohost"])
def test_nonsense_address(port: str) -> None:
    with pytest.raises(PortError) as caught:
        Transport(port)
    _one_line(caught.value)


def test_file_that_is_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    with pytest.raises(PortError, match=r"cannot use .* as a serial port"):
        Transport(str(path))


def test_port_without_permission(tmp_path: Path) -> None:
    """As another user when the tests run as root, which may open anything."""
    with _silent_pty() as (_, path):
        os.chmod(path, 0)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            with pytest.raises(PortError, match=r"no permission to open .*dialout"):
                Transport(path)
        finally:
            if root:
                os.seteuid(0)


def test_busy_port() -> None:
    with _silent_pty() as (_, path), Transport(path):
        with pytest.raises(PortError, match=r"is busy: close the program that uses it") as caught:
            Transport(path)
        _one_line(caught.value)


def test_port_is_released_after_a_failure() -> None:
    with _silent_pty() as (_, path):
        with pytest.raises(PortError, match="no MicroPython prompt"), Transport(path, SHORT_S) as first:
            first.enter_raw_repl()
        with Transport(path) as second:
            second.close()


def test_pty_where_nobody_answers() -> None:
    with _silent_pty() as (_, path), Transport(path, SHORT_S) as transport:
        with pytest.raises(PortError, match="opens but no MicroPython prompt answers: press reset") as caught:
            transport.enter_raw_repl()
        _one_line(caught.value)


def test_pty_where_something_else_answers() -> None:
    """A login prompt that echoes what it gets."""
    with _silent_pty() as (master, path), Transport(path, SHORT_S) as transport:
        stop = threading.Event()

        def answer() -> None:
            while not stop.is_set():
                try:
                    os.write(master, b"login: " + os.read(master, 100))
                except OSError:  # closed at the end of the test
                    return

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with pytest.raises(PortError, match="no MicroPython prompt answers"):
            transport.enter_raw_repl()
        stop.set()
        os.write(os.open(path, os.O_RDWR | os.O_NOCTTY), b"x")  # ends its last read
        thread.join(2)


def test_link_that_breaks_while_waiting() -> None:
    with _silent_pty() as (master, path), Transport(path) as transport:
        os.close(master)
        with pytest.raises(PortError, match=r"lost the connection to .*check the cable"):
            transport.enter_raw_repl()


def test_dead_tcp_port() -> None:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        number = listener.getsockname()[1]
    with pytest.raises(PortError, match=f"nothing listens on socket://127.0.0.1:{number}") as caught:
        Transport(f"socket://127.0.0.1:{number}")
    _one_line(caught.value)


def test_tcp_port_that_hangs_up() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener, Transport(_address(listener)) as transport:
        listener.accept()[0].close()
        with pytest.raises(PortError, match="hangs up: close the program that is connected to it"):
            transport.enter_raw_repl()


def test_tcp_port_where_nobody_answers() -> None:
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as listener,
        Transport(_address(listener), SHORT_S) as transport,
        pytest.raises(PortError, match="no MicroPython prompt answers"),
    ):
        transport.enter_raw_repl()


def test_other_mpremote_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "MPREMOTE_VERSION", "1.99.0")
    with pytest.raises(ToolMissing, match=r"mpremote 1\.28\.0 is installed, picocab needs 1\.99\.0"):
        Transport("/dev/null")
