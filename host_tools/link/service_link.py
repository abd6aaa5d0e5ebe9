"""Requests to a cabinet and the events that it sends, over any port."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

from ..errors import BoardError, PortError, UsageError
from .shared import shared

_framing = shared("framing")
_messages = shared("messages")

_READY = _messages.by_name("ready")[0]
_ANSWER_S = 1.0
_TRIES = 3


class Port(Protocol):
    """A stream of bytes to and from a cabinet."""

    @property
    def name(self) -> str:
        """What messages call it."""

    def write(self, data: bytes) -> None:
        """Sends bytes."""

    def read(self, timeout_s: float) -> bytes:
        """What has arrived; waits at most timeout_s for the first byte, in the port's own time."""

    def now_s(self) -> float:
        """The port's own time."""


class ServiceLink:
    """The host's end of the link.

    Args:
        port: the port.

    Attributes:
        lost: events that the cabinet dropped or the line spoilt, by the gaps in their numbers.
        bad_frames: what arrived between two zero bytes and was no frame.
        unknown: messages whose number this host does not know; a newer cabinet may send some.
    """

    def __init__(self, port: Port) -> None:
        self._port = port
        self._decoder = _framing.Decoder(_messages.BODY_BYTES_MAX)
        self._events: deque[dict[str, Any]] = deque()
        self._answers: deque[tuple[int, bytes]] = deque()
        self._tag = 0
        self._next_event: int | None = None
        self.lost = 0
        self.unknown = 0

    @property
    def bad_frames(self) -> int:
        """What arrived between two zero bytes and was no frame."""
        return int(self._decoder.bad_frames)

    # ---- events
    def next_event(self) -> dict[str, Any] | None:
        """The oldest event that has arrived and was not taken, without waiting; None when there is none.

        Its name is under "event". Lists are lists, bytes are hexadecimal digits.
        """
        if not self._events:
            self._take(self._port.read(0))
        return self._events.popleft() if self._events else None

    def events(self) -> list[dict[str, Any]]:
        """All events that have arrived and were not taken, without waiting."""
        self._take(self._port.read(0))
        events = list(self._events)
        self._events.clear()
        return events

    # ---- requests
    def hello(self) -> dict[str, Any]:
        """Who answers: protocol, MicroPython's version, version of the rules, board, SHA-256 of the program.

        Raises:
            PortError: nothing answers.
            BoardError: the cabinet speaks another protocol.
        """
        answer = self.request("get_hello", protocol=_messages.PROTOCOL)
        if answer["protocol"] != _messages.PROTOCOL:
            raise BoardError(
                f"the cabinet at {self._port.name} speaks version {answer['protocol']} of the service protocol, "
                f"these tools {_messages.PROTOCOL}",
                "use the tools of its release",
            )
        return answer

    def state(self) -> dict[str, Any]:
        """Uptime, readiness, tilts, credit, game and bet, free heap, program, and the link's own counters.

        Raises:
            PortError: nothing answers.
            BoardError: the cabinet refuses.
        """
        return self.request("get_state")

    def meters(self) -> dict[str, int]:
        """The soft meters by name; one that a newer cabinet has added is called by its number.

        Raises:
            PortError: nothing answers.
            BoardError: the cabinet refuses.
        """
        values = self.request("get_meters")["values"]
        known = _messages.METERS.split()
        return {known[at] if at < len(known) else f"meter_{at}": value for at, value in enumerate(values)}

    def read_region(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Bytes of a region; up to its end when no length is given.

        Raises:
            UsageError: no region is called so.
            PortError: nothing answers.
            BoardError: the cabinet does not serve it, or it ends before offset.
        """
        regions = _messages.REGIONS
        if name not in regions:
            raise UsageError(f"no region is called {name!r}", f"regions: {', '.join(regions)}")
        data = bytearray()
        while length is None or len(data) < length:
            wanted = _messages.PAGE_BYTES_MAX if length is None else min(length - len(data), _messages.PAGE_BYTES_MAX)
            page = self.request("read_region", region=regions.index(name), offset=offset + len(data), length=wanted)
            data += page["data"]
            if not page["data"]:
                break
        return bytes(data)

    def request(self, name: str, **values: Any) -> dict[str, Any]:
        """Sends a request and waits for its answer; tries three times, as all requests may be repeated.

        Raises:
            PortError: nothing answers.
            BoardError: the cabinet refuses.
        """
        message = _messages.by_name(name)
        message_id = message[0]
        body = _messages.pack(message, values)
        self._take(self._port.read(0))
        for _ in range(_TRIES):
            self._tag = (self._tag + 1) & 0xFF
            self._answers.clear()  # of earlier requests, or of another host's
            self._port.write(_framing.encode(message_id, self._tag, body))
            answer = self._wait_answer(message_id)
            if answer is not None:
                return answer
        raise PortError(
            f"{self._port.name} opens but no cabinet answers on it",
            "check that it is the cabinet's service port and that its program runs",
        )

    def _wait_answer(self, message_id: int) -> dict[str, Any] | None:
        deadline_s = self._port.now_s() + _ANSWER_S
        while True:
            while self._answers:
                answer_id, body = self._answers.popleft()
                if answer_id == message_id | _messages.ANSWER:
                    return self._unpacked(_messages.by_id(answer_id), body)
                if answer_id == _messages.REFUSED:
                    refused = self._unpacked(_messages.by_id(answer_id), body)
                    if refused["request"] == message_id:
                        raise self._refusal(message_id, refused["reason"])
            left_s = deadline_s - self._port.now_s()
            if left_s <= 0:
                return None
            self._take(self._port.read(left_s))

    def _refusal(self, message_id: int, reason: int) -> BoardError:
        name = _messages.by_id(message_id)[1]
        reasons = dict(line.split(" ", 1) for line in _messages.REASONS.splitlines() if line)
        why = reasons.get(str(reason), f"reason {reason}")
        return BoardError(f"the cabinet at {self._port.name} refuses {name}: {why}")

    # ---- what arrives
    def _take(self, data: bytes) -> None:
        if data:
            self._decoder.feed(data)
        while (frame := self._decoder.next()) is not None:
            message_id, tag, body = frame
            message = _messages.by_id(message_id)
            if message is None:
                self.unknown += 1
            if message_id >= _messages.FIRST_EVENT:
                self._look_for_a_gap(tag, message_id)
                if message is not None:
                    self._events.append({"event": message[1], **self._unpacked(message, body)})
            elif message_id & _messages.ANSWER and tag == self._tag:
                self._answers.append((message_id, body))

    def _look_for_a_gap(self, number: int, message_id: int) -> None:
        """Events are numbered by the cabinet, from 0 each time it starts."""
        if self._next_event is not None and message_id != _READY:
            self.lost += (number - self._next_event) & 0xFF
        self._next_event = (number + 1) & 0xFF

    def _unpacked(self, message: tuple[Any, ...], body: bytes) -> dict[str, Any]:
        try:
            return dict(_messages.unpack(message, body))
        except ValueError as error:
            raise BoardError(
                f"the cabinet at {self._port.name} sent a message that is none: {error}",
                "use the tools of its release",
            ) from error
