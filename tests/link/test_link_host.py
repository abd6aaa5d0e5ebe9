"""The host's end of the link over TCP and over a pty, against the cabinet's own end running here."""

from __future__ import annotations

import os
import queue
import socket
import threading
import tty
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from link.endpoint import Link
from link.framing import encode
from link.messages import by_name, pack
from link.regions import Regions

from host_tools.errors import BoardError, PortError, UsageError
from host_tools.link.serial_port import SerialPort
from host_tools.link.service_link import ServiceLink

MEMORY = bytes(at * 31 & 0xFF for at in range(1000))
HELLO = {"protocol": 1, "micropython": (1, 25, 0), "rules_version": 1, "board": "bench", "program": "ab" * 32}


class DescriptorPort:
    """The cabinet's port: a file descriptor that does not block."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        os.set_blocking(descriptor, False)

    def read(self, most: int) -> bytes:
        try:
            return os.read(self._descriptor, most)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            return 0


class Bench:
    """A cabinet's link that runs in a thread until the test ends."""

    def __init__(self, descriptor: int) -> None:
        self.answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "get_hello": lambda asked: HELLO,
            "get_meters": lambda asked: {"values": list(range(10))},
            "read_region": Regions(
                {"journal_b": (lambda: len(MEMORY), lambda offset, length: MEMORY[offset : offset + length])}
            ).page,
        }
        self.port = DescriptorPort(descriptor)
        self.link = Link(self.port, self.answers)
        self.deaf = False
        self.fault: BaseException | None = None
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def report(self, event: dict[str, Any]) -> None:
        """The cabinet's thread reports an event: a link belongs to one thread."""
        self._events.put(event)

    def _run(self) -> None:
        try:
            while not self._ended.wait(0.001):
                while not self._events.empty():
                    self.link.report(self._events.get())
                if not self.deaf:
                    self.link.poll()
        except BaseException as fault:
            self.fault = fault

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        if self.fault is not None:
            raise self.fault


@pytest.fixture(params=["tcp", "pty"])
def ends(request: pytest.FixtureRequest) -> Iterator[tuple[Bench, ServiceLink]]:
    """A cabinet's link and a host connected to it."""
    if request.param == "pty":
        master, slave = os.openpty()
        tty.setraw(slave)
        bench, port = Bench(master), SerialPort(os.ttyname(slave))
        closers: list[Callable[[], None]] = [lambda: os.close(master), lambda: os.close(slave)]
    else:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = SerialPort(f"socket://127.0.0.1:{server.getsockname()[1]}")
            connection, _ = server.accept()
        bench, closers = Bench(connection.fileno()), [connection.close]
    try:
        with port:
            yield bench, ServiceLink(port)
    finally:
        bench.close()
        for close in closers:
            close()


def test_requests_over_a_port(ends: tuple[Bench, ServiceLink]) -> None:
    _, host = ends
    assert host.hello() == {**HELLO, "micropython": [1, 25, 0]}
    assert host.meters() == {
        "credit": 0,
        "coins_in": 1,
        "stakes": 2,
        "wins": 3,
        "voided": 4,
        "games": 5,
        "gamble_in": 6,
        "gamble_out": 7,
        "meter_8": 8,
        "meter_9": 9,
    }
    assert host.read_region("journal_b") == MEMORY
    assert host.read_region("journal_b", 300, 301) == MEMORY[300:601]
    assert host.read_region("journal_b", 990, 500) == MEMORY[990:]
    assert host.bad_frames == 0


def test_events_over_a_port(ends: tuple[Bench, ServiceLink]) -> None:
    bench, host = ends
    bench.report({"event": "coin", "credit": 5})
    bench.report({"event": "choice", "kind": 3, "options": (0, 1)})
    host.hello()  # what came before the answer is kept
    assert host.next_event() == {"event": "coin", "credit": 5}
    assert host.events() == [{"event": "choice", "kind": 3, "options": [0, 1]}]
    assert host.next_event() is None
    assert host.lost == 0


def test_lost_events_are_noticed_and_a_start_is_no_loss(ends: tuple[Bench, ServiceLink]) -> None:
    bench, host = ends
    coin, ready = by_name("coin"), by_name("ready")
    for row, number in ((coin, 254), (coin, 1), (ready, 0), (coin, 1)):
        values = {"credit": 1, "heap_free": 2, "version": (1, 25, 0)}
        bench.port.write(encode(row[0], number, pack(row, values)))
    host.hello()
    assert len(host.events()) == 4
    assert host.lost == 2


def test_messages_of_a_newer_cabinet_are_passed_over(ends: tuple[Bench, ServiceLink]) -> None:
    bench, host = ends
    bench.port.write(encode(0xF0, 0, b"new") + b"garbage\0" + encode(0x81, 1, bytes(8) + b"grown"))
    host.hello()
    assert host.events() == [{"event": "coin", "credit": 0}]
    assert (host.unknown, host.lost, host.bad_frames) == (1, 0, 1)


def test_a_refusal_names_request_and_reason(ends: tuple[Bench, ServiceLink]) -> None:
    _, host = ends
    with pytest.raises(BoardError, match=r"refuses get_state: this cabinet does not serve it$"):
        host.state()
    with pytest.raises(BoardError, match=r"refuses read_region: this cabinet does not serve it$"):
        host.read_region("event_log")
    with pytest.raises(BoardError, match=r"refuses read_region: the offset lies behind the end of the region$"):
        host.read_region("journal_b", 1001)
    with pytest.raises(UsageError, match=r"no region is called 'attic': regions: journal_a, journal_b, event_log"):
        host.read_region("attic")


def test_another_protocol_is_refused_by_the_host(ends: tuple[Bench, ServiceLink]) -> None:
    bench, host = ends
    bench.answers["get_hello"] = lambda asked: {**HELLO, "protocol": 2}
    with pytest.raises(BoardError, match=r"speaks version 2 of the service protocol, these tools 1: use the tools of"):
        host.hello()


def test_a_deaf_cabinet_is_reported_and_its_late_answers_are_not_taken_for_others(
    ends: tuple[Bench, ServiceLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, host = ends
    monkeypatch.setattr("host_tools.link.service_link._ANSWER_S", 0.05)
    bench.deaf = True
    with pytest.raises(PortError, match="opens but no cabinet answers on it: check"):
        host.hello()
    bench.deaf = False
    monkeypatch.setattr("host_tools.link.service_link._ANSWER_S", 1.0)
    assert host.meters()["coins_in"] == 1
    assert host.read_region("journal_b", 0, 3) == MEMORY[:3]


def test_a_port_that_does_not_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
    for url in ("/dev/no-such-port", "spam://x", f"socket://127.0.0.1:{number}"):
        with pytest.raises(PortError, match="cannot open "):
            SerialPort(url)


def test_a_connection_that_is_lost() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = SerialPort(f"socket://127.0.0.1:{server.getsockname()[1]}")
        connection, _ = server.accept()
    connection.close()
    with port, pytest.raises(PortError, match="lost the connection to socket://"):
        ServiceLink(port).hello()
