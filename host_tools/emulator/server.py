"""The emulated Pico's console as a serial port for unmodified tools: over TCP (`socket://`) and over a pty.

One loop does everything: short slices of emulation, and between them the sockets. Towards the host it behaves like a
CDC-ACM port: what the Pico prints while nobody has the port open is lost, and a host that does not read loses data
instead of holding up emulated time.
"""

from __future__ import annotations

import abc
import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator

from ..errors import PortError
from .pico import Pico

_SLICE_US = 2_000.0
_CATCH_UP_S = 0.1  # a paced emulation that falls further behind lets the wall clock go
_TRAFFIC_US = 1_000_000.0  # emulated time after a byte during which a busy Pico runs as fast as it can
_KEPT_BYTES = 1 << 20  # towards a host that does not read
_READ_BYTES = 4096
_UNSENT_BYTES = 8192  # more than this waits in the host's own buffers, as behind a slow device


class _Port(abc.ABC):
    """What TCP and pty have in common: a descriptor that is open or not, and bytes on their way to the host."""

    def __init__(self, take: Callable[[bytes], None], ready: Callable[[], bool]) -> None:
        self._take = take
        self._ready = ready
        self._out = bytearray()

    def show(self, data: bytes) -> None:
        """Bytes from the Pico; lost while no host is there."""
        if self._is_open():
            self._out += data
            del self._out[:-_KEPT_BYTES]

    @abc.abstractmethod
    def _is_open(self) -> bool:
        """Whether a host is there."""

    @abc.abstractmethod
    def descriptors(self) -> tuple[list[int], list[int]]:
        """Descriptors to wait for: to read, to write."""

    @abc.abstractmethod
    def service(self) -> None:
        """Takes what the host wrote and writes what it can take, without waiting."""

    @abc.abstractmethod
    def close(self) -> None:
        """Ends the connection; the host sees its port vanish."""


class TcpPort(_Port):
    """A listening socket on the loopback interface; one client at a time, a second one is turned away.

    Attributes:
        port: the TCP port.
    """

    def __init__(self, take: Callable[[bytes], None], ready: Callable[[], bool], port: int = 0) -> None:
        super().__init__(take, ready)
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind(("127.0.0.1", port))
        except OSError as error:
            self._listener.close()
            raise PortError(f"TCP port {port} cannot be opened: {error.strerror}", "choose another") from error
        self._listener.listen()
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._client: socket.socket | None = None

    def _is_open(self) -> bool:
        return self._client is not None

    def descriptors(self) -> tuple[list[int], list[int]]:
        """Descriptors to wait for: to read, to write."""
        read = [self._listener.fileno()]
        write = []
        if self._client is not None:
            if self._ready():
                read.append(self._client.fileno())
            if self._out:
                write.append(self._client.fileno())
        return read, write

    def service(self) -> None:
        """Accepts, reads and writes without waiting."""
        with contextlib.suppress(BlockingIOError):
            client, _ = self._listener.accept()
            if self._client is None:
                client.setblocking(False)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._client = client
            else:
                client.close()
        if self._client is None:
            return
        try:
            if self._ready():
                with contextlib.suppress(BlockingIOError):
                    data = self._client.recv(_READ_BYTES)
                    if not data:
                        self._drop()
                        return
                    self._take(data)
                    self._acknowledge(self._client)
            if self._out:
                with contextlib.suppress(BlockingIOError):
                    del self._out[: self._client.send(self._out)]
        except OSError:
            self._drop()

    @staticmethod
    def _acknowledge(client: socket.socket) -> None:
        """pyserial leaves Nagle's algorithm on: its second short write waits 40 ms unless the first is acknowledged."""
        quick = getattr(socket, "TCP_QUICKACK", None)  # Linux, and only until the next exchange
        if quick is not None:
            client.setsockopt(socket.IPPROTO_TCP, quick, 1)

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
        self._out.clear()

    def close(self) -> None:
        """Ends the connection and stops listening."""
        self._drop()
        self._listener.close()


class PtyPort(_Port):
    """A pseudo terminal whose other end looks like the board's serial port.

    Attributes:
        path: what a host opens.
    """

    def __init__(self, take: Callable[[bytes], None], ready: Callable[[], bool]) -> None:
        super().__init__(take, ready)
        import pty
        import tty

        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)  # from now on the slave is open exactly while a host has it open
        os.set_blocking(self._master, False)
        self._poll = select.poll()
        self._poll.register(self._master, 0)
        self._open = False

    def _is_open(self) -> bool:
        if not self._open:
            self._look()  # a host may have opened it and written since the last look
        return self._open

    def _look(self) -> None:
        hung_up = any(events & select.POLLHUP for _, events in self._poll.poll(0))
        if self._open and hung_up:
            self._out.clear()
        self._open = not hung_up

    def descriptors(self) -> tuple[list[int], list[int]]:
        """Descriptors to wait for: to read, to write. None while no host is there: a hang-up would wake the loop."""
        if not self._open:
            return [], []
        return [self._master] if self._ready() else [], [self._master] if self._out else []

    def service(self) -> None:
        """Reads and writes without waiting."""
        self._look()
        try:
            if self._ready():
                with contextlib.suppress(BlockingIOError):
                    data = os.read(self._master, _READ_BYTES)
                    if data:
                        self._open = True
                        self._take(data)
            if self._open and self._out:
                with contextlib.suppress(BlockingIOError):
                    del self._out[: os.write(self._master, self._out)]
        except OSError:  # EIO: the host closed it
            self._open = False
            self._out.clear()

    def close(self) -> None:
        """Ends the pseudo terminal."""
        os.close(self._master)


class Server:
    """The loop: emulation in slices, ports in between.

    Args:
        pico: what runs; nothing else may run it meanwhile.
        tcp: open a TCP port; `tcp_number` chooses it, 0 takes a free one.
        pty: open a pseudo terminal (not on Windows).
        pace: keep emulated time to the wall clock while the Pico has nothing to do for a host; else run flat out.
        between_slices: called after every slice; may look at the Pico and give it input.

    Attributes:
        tcp_port: the TCP port, or None.
        pty_path: the pseudo terminal, or None.
        running: whether `run` is at work.

    Raises:
        PortError: the TCP port is taken.
    """

    def __init__(
        self,
        pico: Pico,
        *,
        tcp: bool = True,
        tcp_number: int = 0,
        pty: bool = True,
        pace: bool = True,
        between_slices: Callable[[], None] = lambda: None,
    ) -> None:
        self.pico = pico
        self.tcp_port: int | None = None
        self.pty_path: str | None = None
        self._pace = pace
        self._between_slices = between_slices
        self.running = False
        self._stopping = False
        self._ports: list[_Port] = []
        self._traffic_us = -_TRAFFIC_US
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        if tcp:
            tcp_end = TcpPort(self._from_host, self._ready, tcp_number)
            self.tcp_port = tcp_end.port
            self._ports.append(tcp_end)
        if pty:
            pty_end = PtyPort(self._from_host, self._ready)
            self.pty_path = pty_end.path
            self._ports.append(pty_end)
        pico.console.on_data.append(self._from_pico)

    def _from_host(self, data: bytes) -> None:
        self._traffic_us = self.pico.now_us
        self.pico.console.send(data)

    def _ready(self) -> bool:
        return self.pico.console.unsent < _UNSENT_BYTES

    def _from_pico(self, data: bytes) -> None:
        self._traffic_us = self.pico.now_us
        self.pico.console.received.clear()  # the hosts have it; nobody waits for it here
        for port in self._ports:
            port.show(data)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Runs until `stop` or until `until()` holds between two slices.

        Raises:
            EmulatorError: the program did something silicon does not survive.
        """
        self.running = True
        try:
            self._loop(until)
        except BaseException:
            self._close_ports()  # a host sees its port vanish instead of waiting for an answer
            raise
        finally:
            self.running = False

    def _loop(self, until: Callable[[], bool]) -> None:
        pico = self.pico
        base_wall, base_us = time.monotonic(), pico.now_us
        while not self._stopping and not until():
            idle_before_ns, before_us = pico.idle_ns, pico.now_us
            pico.run_for(_SLICE_US)
            for port in self._ports:
                port.service()
            self._between_slices()
            if not self._pace:
                self._wait(0)
                continue
            busy = pico.idle_ns - idle_before_ns < 900 * (pico.now_us - before_us)
            if busy and pico.now_us - self._traffic_us < _TRAFFIC_US:
                base_wall, base_us = time.monotonic(), pico.now_us
                self._wait(0)
                continue
            ahead_s = (pico.now_us - base_us) / 1e6 - (time.monotonic() - base_wall)
            if ahead_s < -_CATCH_UP_S:
                base_wall, base_us = time.monotonic(), pico.now_us
            self._wait(max(ahead_s, 0))

    def _wait(self, seconds: float) -> None:
        """Waits for a host, a `stop` or the time to go on."""
        read, write = [self._wake_read.fileno()], []
        for port in self._ports:
            ours = port.descriptors()
            read += ours[0]
            write += ours[1]
        readable, writable, _ = select.select(read, write, [], seconds)
        if readable or writable:
            for port in self._ports:
                port.service()

    def stop(self) -> None:
        """Ends `run` after the current slice; from any thread."""
        self._stopping = True
        with contextlib.suppress(OSError):
            self._wake_write.send(b"x")

    def close(self) -> None:
        """Closes the ports; `run` must have ended."""
        self.pico.console.on_data.remove(self._from_pico)
        self._close_ports()
        self._wake_read.close()
        self._wake_write.close()

    def _close_ports(self) -> None:
        while self._ports:
            self._ports.pop().close()


@contextlib.contextmanager
def serve(
    pico: Pico,
    *,
    tcp: bool = True,
    pty: bool = True,
    pace: bool = True,
    between_slices: Callable[[], None] = lambda: None,
) -> Iterator[Server]:
    """Runs the loop in a thread of its own while the `with` block works with the ports.

    Inside the block the Pico belongs to that thread.

    Raises:
        EmulatorError: at the end of the block, when the emulation stopped with it.
    """
    server = Server(pico, tcp=tcp, pty=pty, pace=pace, between_slices=between_slices)
    failure: list[BaseException] = []

    def work() -> None:
        try:
            server.run()
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="emulated Pico", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
        server.close()
    if failure:
        raise failure[0]
