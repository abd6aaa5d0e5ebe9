"""Frames in a stream of bytes: a zero byte, COBS, a zero byte; inside are id, tag, body and a CRC-32.

COBS: S. Cheshire and M. Baker, Consistent Overhead Byte Stuffing, IEEE/ACM Transactions on Networking 7(2), 1999.
CRC: the CRC-32 of zlib, little endian. A CRC-16 would take one spoilt frame in 65,536 for right, too many for a line
that shows money, and CRC-32 is the one that MicroPython computes in C.
"""

from array import array
from binascii import crc32

from .portable import micropython, ptr8, ptr32

_OVERHEAD_BYTES = 6  # id, tag, CRC


def encode(message_id, tag, body):
    """The frame of a message, with its zero bytes."""
    content = bytearray(2)
    content[0] = message_id
    content[1] = tag
    content.extend(body)
    content.extend(crc32(content).to_bytes(4, "little"))
    frame = bytearray(len(content) + len(content) // 254 + 3)
    length = _stuff(content, len(content), frame)
    return bytes(frame[:length])


@micropython.viper
def _stuff(content: ptr8, length: int, frame: ptr8) -> int:
    # Writes the frame, returns its length. frame[0] is 0; a code is written when its run is complete.
    code_at = 1
    end = 2
    code = 1
    at = 0
    while at < length:
        byte = content[at]
        at += 1
        if byte:
            frame[end] = byte
            end += 1
            code += 1
        if byte == 0 or (code == 255 and at < length):
            frame[code_at] = code
            code_at = end
            end += 1
            code = 1
    frame[code_at] = code
    frame[end] = 0
    return end + 1


# What a decoder keeps between two pieces of the stream, a word each: bytes of content so far; bytes until the next
# code; 1 when a zero byte comes before that; 1 when this is no frame; 1 when something came since the last zero byte;
# frames that were none.
_STATE_WORDS = 6


@micropython.viper
def _scan(state: ptr32, data: ptr8, at: int, end: int, content: ptr8, room: int) -> int:
    # Returns where data goes on behind a complete frame, whose content has state[0] bytes; -1 when there is no more.
    length = state[0]
    left = state[1]
    zero = state[2]
    spoilt = state[3]
    begun = state[4]
    found = 0
    while at < end and found == 0:
        byte = data[at]
        at += 1
        if byte == 0:
            if begun:
                if spoilt == 0 and left == 0 and length >= 6:
                    found = 1
                else:
                    state[5] += 1
                    length = 0
            left = 0
            zero = 0
            spoilt = 0
            begun = 0
        elif spoilt == 0:
            begun = 1
            put = byte
            if left:
                left -= 1
            else:
                put = 0 if zero else -1
                left = byte - 1
                zero = 1 if byte < 255 else 0
            if put >= 0:
                if length < room:
                    content[length] = put
                    length += 1
                else:
                    spoilt = 1
    state[0] = length
    state[1] = left
    state[2] = zero
    state[3] = spoilt
    state[4] = begun
    return at if found else -1


class Decoder:
    """Finds the frames in a stream. Garbage costs about a microsecond a byte and no memory.

    Args:
        body_bytes_max: longest body that is taken.
    """

    def __init__(self, body_bytes_max):
        self._content = bytearray(body_bytes_max + _OVERHEAD_BYTES)
        self._state = array("i", [0] * _STATE_WORDS)
        self._data = b""
        self._at = -1
        self._wrong = 0

    @property
    def bad_frames(self):
        """What lay between two zero bytes and was no frame: too short, too long, no COBS, wrong CRC."""
        return self._wrong + self._state[5]

    def feed(self, data):
        """Takes the next bytes of the stream; call it once `next` has returned None."""
        self._data = data
        self._at = 0

    def next(self):
        """The next frame of what was fed as (id, tag, body); None when it holds no further one."""
        state = self._state
        content = self._content
        while self._at >= 0:
            self._at = _scan(state, self._data, self._at, len(self._data), content, len(content))
            if self._at >= 0:
                end = state[0] - 4
                state[0] = 0
                if crc32(content[:end]) == int.from_bytes(content[end : end + 4], "little"):
                    return content[0], content[1], bytes(content[2:end])
                self._wrong += 1
        return None
