"""The cabinet's end of the service link over one stream of bytes."""

from .framing import Decoder, encode
from .messages import (
    ANSWER,
    FIRST_EVENT,
    MALFORMED,
    NOT_SERVED,
    REFUSED,
    REQUEST_BYTES_MAX,
    UNKNOWN_MESSAGE,
    by_id,
    by_name,
    pack,
    unpack,
)

READ_BYTES = 256
"""Most bytes taken in a turn: a line of 115,200 baud brings 231 in 20 ms."""
QUEUE_BYTES = 2048
"""Bytes that may wait to be sent: the longest message and as much again."""


class Refused(Exception):
    """A request that is not carried out.

    Args:
        reason: one of the numbers of `messages.REASONS`.
    """

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class Link:
    """Sends events and answers requests; nothing here ever waits.

    A turn takes at most 256 bytes and answers at most one request. Requests are left unread while more than half of
    the queue is in use, so that answers never take the room of events; an event that finds none is counted and lost.

    Args:
        port: read(most) gives at most so many of the bytes that have arrived, write(data) takes a front part of data
            and returns its length. Neither waits.
        answers: by a request's name a callable that takes its values as a dict and returns those of the answer; it may
            raise Refused.

    Attributes:
        dropped: messages lost because the queue was full.
    """

    def __init__(self, port, answers):
        self._port = port
        self._answers = answers
        self._decoder = Decoder(REQUEST_BYTES_MAX)
        self._frames = []
        self._queued = 0
        self._event_number = 0
        self.dropped = 0

    @property
    def bad_frames(self):
        """What arrived between two zero bytes and was no frame."""
        return self._decoder.bad_frames

    @property
    def idle(self):
        """True when nothing waits to be sent."""
        return not self._frames

    def report(self, event):
        """Queues an event: a dict with the message's name as "event" and its values.

        Raises:
            ValueError: there is no such message, or a value does not fit.
            KeyError: a value is missing.
        """
        message = by_name(event["event"])
        # A lost event takes a number too: the gap tells the host.
        self._send(message[0], self._event_number, pack(message, event))
        self._event_number = (self._event_number + 1) & 0xFF
        self.push()

    def poll(self):
        """One turn: takes what has arrived, answers a request, sends what the port takes."""
        if self._queued * 2 <= QUEUE_BYTES:
            decoder = self._decoder
            frame = decoder.next()
            if frame is None:
                data = self._port.read(READ_BYTES)
                if data:
                    decoder.feed(data)
                    frame = decoder.next()
            if frame is not None:
                self._answer(*frame)
        self.push()

    def push(self):
        """Gives the port as much as it takes now."""
        frames = self._frames
        while frames:
            frame = frames[0]
            taken = self._port.write(frame)
            self._queued -= taken
            if taken < len(frame):
                if taken:
                    frames[0] = frame[taken:]
                return
            frames.pop(0)

    def _send(self, message_id, tag, body):
        frame = encode(message_id, tag, body)
        if self._queued + len(frame) > QUEUE_BYTES:
            self.dropped += 1
            return
        self._frames.append(frame)
        self._queued += len(frame)

    def _answer(self, message_id, tag, body):
        try:
            answer = self._answered(message_id, body)
        except Refused as refused:
            answer = {"request": message_id, "reason": refused.reason}
            message_id = REFUSED
        message_id |= ANSWER
        self._send(message_id, tag, pack(by_id(message_id), answer))

    def _answered(self, message_id, body):
        message = by_id(message_id)
        if message is None or message_id >= FIRST_EVENT or message_id & ANSWER:
            raise Refused(UNKNOWN_MESSAGE)
        try:
            request = unpack(message, body)
        except ValueError:
            raise Refused(MALFORMED) from None
        answer = self._answers.get(message[1])
        if answer is None:
            raise Refused(NOT_SERVED)
        return answer(request)
