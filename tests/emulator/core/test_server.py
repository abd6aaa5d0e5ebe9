"""The console over TCP and a pty, with the real mpremote and with rude hosts."""

from __future__ import annotations

import os
import random
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host_tools.emulator.pico import Pico
from host_tools.emulator.server import PtyPort, Server, serve
from host_tools.errors import EmulatorError, PortError

FORMAT = (
    "import vfs, rp2\nblock = rp2.Flash(start=0x180000, len=0x20000)\n"
    "vfs.VfsLfs2.mkfs(block, progsize=256)\nvfs.mount(vfs.VfsLfs2(block, progsize=256), '/data')\n"
)


def mpremote(port: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "mpremote", "connect", port, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def address(server: Server, kind: str) -> str:
    return str(server.pty_path) if kind == "pty" else f"socket://127.0.0.1:{server.tcp_port}"


@pytest.fixture
def server(pico: Pico) -> Iterator[Server]:
    pico.console.exec(FORMAT)
    pico.console.send(b"\x02")
    with serve(pico) as server:
        yield server


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_mpremote_connects_again_and_again(kind: str, server: Server) -> None:
    for number in range(3):
        assert mpremote(address(server, kind), "exec", f"print({number} * 7)") == f"{number * 7}\n"


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_mpremote_copies_a_file_there_and_back(kind: str, server: Server, tmp_path: Path) -> None:
    content = random.Random(4).randbytes(20_000 if kind == "pty" else 4_000)
    (tmp_path / "there").write_bytes(content)
    port, begin_us = address(server, kind), server.pico.now_us
    mpremote(port, "resume", "fs", "cp", str(tmp_path / "there"), ":/data/file")
    assert server.pico.now_us - begin_us < 20e6
    mpremote(port, "resume", "fs", "cp", ":/data/file", str(tmp_path / "back"))
    assert (tmp_path / "back").read_bytes() == content


def test_mpremote_deploys_a_romfs_and_resets(server: Server, tmp_path: Path) -> None:
    (tmp_path / "rom").mkdir()
    (tmp_path / "rom" / "note.txt").write_bytes(b"in place" * 700)
    port = address(server, "pty")
    assert "ROMFS image deployed" in mpremote(port, "romfs", "deploy", str(tmp_path / "rom"))
    assert server.pico.flash.image()[0x60000:0x60003] == b"\xd2\xcd\x31"
    read = "import vfs\nvfs.mount(vfs.VfsRom(vfs.rom_ioctl(2, 0)), '/look')\nprint(open('/look/note.txt').read(8))"
    assert mpremote(port, "exec", read) == "in place\n"
    mpremote(port, "reset")  # returns before it happens
    wait_for(lambda: len(server.pico.resets) == 1)
    assert mpremote(port, "exec", "print('look' in globals())") == "False\n"
    assert len(server.pico.resets) == 1


def test_host_that_does_not_read_holds_nothing_up(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", int(server.tcp_port or 0))) as host:
        host.sendall(b"\r\x03\r\x01")
        host.sendall(b"while True: print('x' * 100)\x04")
        begin_us = server.pico.now_us
        wait_for(lambda: server.pico.now_us - begin_us > 2e6)
    assert mpremote(address(server, "pty"), "exec", "print(1)") == "1\n"


def test_second_tcp_client_is_turned_away(server: Server) -> None:
    endpoint = ("127.0.0.1", int(server.tcp_port or 0))
    with socket.create_connection(endpoint) as first:
        first.sendall(b"\r\n")
        assert first.recv(100)
        with socket.create_connection(endpoint) as second:
            second.settimeout(10)
            assert second.recv(100) == b""


def test_output_before_the_port_is_opened_is_not_shown(server: Server) -> None:
    path = str(server.pty_path)
    mpremote(path, "resume", "exec", "--no-follow", "import time\ntime.sleep_ms(50)\nprint('nobody sees this')")
    begin_us = server.pico.now_us
    wait_for(lambda: server.pico.now_us - begin_us > 500_000)
    host = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(host, b"\r\x02\r\nprint(5 * 5)\r\n")
        seen = b""
        while b"25\r\n" not in seen:
            assert select.select([host], [], [], 10)[0], seen
            seen += os.read(host, 1000)
    finally:
        os.close(host)
    assert b"nobody" not in seen


def test_output_right_after_the_port_was_opened_is_not_lost() -> None:
    port = PtyPort(lambda data: None, lambda: True)
    port.service()
    port.show(b"nobody")
    host = os.open(port.path, os.O_RDWR | os.O_NOCTTY)
    port.show(b"somebody")  # the loop has not looked at the port in between
    port.service()
    assert os.read(host, 100) == b"somebody"
    os.close(host)
    port.close()


def test_paced_emulation_keeps_to_the_wall_clock(pico: Pico) -> None:
    slices = []
    server = Server(pico, tcp=False, pty=False, between_slices=lambda: slices.append(pico.now_us))
    begin, begin_us = time.monotonic(), pico.now_us
    server.run(until=lambda: pico.now_us - begin_us >= 300_000)
    server.close()
    assert time.monotonic() - begin > 0.28  # never ahead; how far behind depends on the machine
    assert len(slices) == 150


def test_error_in_the_emulation_closes_the_port_and_is_raised_at_the_end(pico: Pico) -> None:
    def break_it() -> None:
        with (
            serve(pico, pty=False) as server,
            socket.create_connection(("127.0.0.1", int(server.tcp_port or 0))) as host,
        ):
            host.settimeout(10)
            host.sendall(b"\r\x03\r\x01import machine\nmachine.mem32[0x18000008] = 0\x04")
            while host.recv(1000):  # until the port vanishes
                pass

    with pytest.raises(EmulatorError, match="fetch from flash"):
        break_it()


def test_tcp_port_in_use_is_an_error(pico: Pico, make_pico: Callable[..., Pico]) -> None:
    with serve(pico, pty=False) as server, pytest.raises(PortError, match="cannot be opened"):
        Server(make_pico(), pty=False, tcp_number=int(server.tcp_port or 0))


def wait_for(condition: Callable[[], bool]) -> None:
    """Lets the server's thread work until it holds."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
