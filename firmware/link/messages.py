"""The messages of the service link as data, and their bodies packed and unpacked. Numbers are never given twice.

A body is a `struct` of little-endian numbers and bytes. A message may end in a list that takes the rest of the frame.
"""

import struct
from binascii import hexlify, unhexlify

PROTOCOL = 1
REQUEST_BYTES_MAX = 64
"""Longest body of a message to the cabinet."""
BODY_BYTES_MAX = 1000
"""Longest body of a message from the cabinet."""
PAGE_BYTES_MAX = 256
"""Most bytes of a region in one answer."""

ANSWER = 0x40
"""The id of an answer is that of its request with this bit."""
REFUSED = 0x7F
FIRST_EVENT = 0x80

# Text rather than tuples because it stays in flash.
MESSAGES = """
01 get_hello <B protocol
02 get_state <
03 get_meters <
04 read_region <BIH region offset length
41 hello <BH16s32s protocol rules_version board program micropython:B
42 state <QBIQ16sHBBIIII32s uptime_ms ready tilts credit game coin line_bet lines stake heap_free dropped bad_frames \
program
43 meters < values:Q
44 region <BII region offset size data:s
7f refused <BB request reason
80 ready <I heap_free version:B
81 coin <Q credit
82 game <16s game
83 choice <B kind options:B
84 round <I16s16sBBHQQQQQQQ number game seed line_bet lines coin win credit coins_in stakes wins gamble_in gamble_out \
choices:B
85 malfunction <QQ voided credit
"""
"""A line each: id in hexadecimal, name, format of the fixed part, its fields, and, behind a name with a colon, the list
that takes the rest of the frame with the format of one item. Requests, answers, events."""

TEXTS = ("game", "board")
"""Fields of 16 bytes that programs see as text, filled up with zero bytes."""
HEXES = ("seed", "program")
"""Fields of bytes that programs see as hexadecimal digits."""

METERS = "credit coins_in stakes wins voided games gamble_in gamble_out"
"""The values of `meters` in their order; new ones are added at the end."""

REGIONS = ("journal_a", "journal_b", "event_log")
"""What `read_region` reads, numbered from 0; new ones are added at the end."""

UNKNOWN_MESSAGE = 1
MALFORMED = 2
NOT_SERVED = 3
OUT_OF_RANGE = 4
REASONS = """
1 no request has this number
2 the body is too short
3 this cabinet does not serve it
4 the offset lies behind the end of the region
"""

_TEXT_BYTES = 16


def _row(at):
    # The line of MESSAGES that begins at `at`: id, name, format, fields, list, format of an item.
    words = MESSAGES[at : MESSAGES.find("\n", at)].split()
    rest = item = ""
    if ":" in words[-1]:
        rest, _, item = words.pop().partition(":")
    return int(words[0], 16), words[1], words[2], words[3:], rest, item


def by_id(message_id):
    """The row of a message; None when there is none."""
    at = MESSAGES.find("\n%02x " % message_id)
    return None if at < 0 else _row(at + 1)


def by_name(name):
    """The row of a message.

    Raises:
        ValueError: there is no such message.
    """
    at = MESSAGES.find(" %s <" % name)
    if at < 0:
        raise ValueError("no message is called %s" % name)
    return _row(at - 2)


def pack(message, values):
    """The body of a message, given by its row, for a dict of values; what the row does not name is left out.

    Raises:
        KeyError: a value is missing.
        ValueError: a value does not fit its field, or the body is too long.
        struct.error: the same, on CPython.
    """
    _, _, form, fields, rest, item = message
    row = []
    for field in fields:
        value = values[field]
        if field in TEXTS:
            value = value.encode()
            value += bytes(max(_TEXT_BYTES - len(value), 0))
        elif field in HEXES:
            value = unhexlify(value)
        row.append(value)
    if rest:
        form = "%s%d%s" % (form, len(values[rest]), item)
        if item == "s":
            row.append(values[rest])
        else:
            row.extend(values[rest])
    body = struct.pack(form, *row)
    # MicroPython cuts what does not fit.
    if struct.unpack(form, body) != tuple(row) or len(body) > BODY_BYTES_MAX:
        raise ValueError("a value of %s does not fit" % message[1])
    return body


def unpack(message, body):
    """The values of a body as a dict; bytes behind the last field are a newer version's and passed over.

    Raises:
        ValueError: the body is too short, or a text is none.
    """
    _, name, form, fields, rest, item = message
    fixed = struct.calcsize(form)
    left = len(body) - fixed
    if left < 0:
        raise ValueError("the body of %s is too short" % name)
    values = {}
    for field, value in zip(fields, struct.unpack_from(form, body)):
        if field in TEXTS:
            value = value.rstrip(b"\0").decode()
        elif field in HEXES:
            value = hexlify(value).decode()
        values[field] = value
    if rest:
        if item == "s":
            values[rest] = body[fixed:]
        else:
            form = "<%d%s" % (left // struct.calcsize("<" + item), item)
            if struct.calcsize(form) != left:
                raise ValueError("the list of %s ends in the middle" % name)
            values[rest] = list(struct.unpack_from(form, body, fixed))
    return values
