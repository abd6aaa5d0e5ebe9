"""The service link: frames, messages, and the cabinet's end, whatever a host sends."""

import struct
import sys
from binascii import crc32

from link.endpoint import QUEUE_BYTES, READ_BYTES, Link, Refused
from link.framing import Decoder, _stuff, encode
from link.messages import (
    BODY_BYTES_MAX,
    MALFORMED,
    NOT_SERVED,
    OUT_OF_RANGE,
    PAGE_BYTES_MAX,
    REQUEST_BYTES_MAX,
    UNKNOWN_MESSAGE,
    by_id,
    by_name,
    pack,
    unpack,
)
from link.regions import Regions
from portable import raises, rule

ROUND = {
    "event": "round",
    "number": 70_000,
    "game": "santa_vs_rudolf",
    "seed": "000102030405060708090a0b0c0d0e0f",
    "line_bet": 10,
    "lines": 50,
    "coin": 1000,
    "win": 3_000_000_000,
    "credit": 4_000_000_000,
    "coins_in": 9_999_999_999,
    "stakes": 1,
    "wins": 0,
    "gamble_in": 5,
    "gamble_out": 6,
    "choices": [3, 0, 255],
}


class Wire:
    """A port whose other end is this test."""

    def __init__(self, room=1_000_000):
        self.arrived = b""
        self.sent = b""
        self.room = room
        self.most_read = 0

    def read(self, most):
        data = self.arrived[:most]
        self.arrived = self.arrived[len(data) :]
        self.most_read = max(self.most_read, len(data))
        return data

    def write(self, data):
        taken = min(len(data), self.room)
        self.room -= taken
        self.sent += data[:taken]
        return taken


def frames_of(data, body_bytes_max=BODY_BYTES_MAX):
    """All frames of some bytes."""
    decoder = Decoder(body_bytes_max)
    decoder.feed(data)
    frames = []
    frame = decoder.next()
    while frame is not None:
        frames.append(frame)
        frame = decoder.next()
    return frames


def messages_of(data):
    """All messages of some bytes: (name, tag, values)."""
    return [(by_id(message_id)[1], tag, unpack(by_id(message_id), body)) for message_id, tag, body in frames_of(data)]


def request(name, tag=1, **values):
    """The frame of a request."""
    message = by_name(name)
    return encode(message[0], tag, pack(message, values))


# Content and its COBS encoding, from the table of examples that every implementation is tested with (Wikipedia,
# "Consistent Overhead Byte Stuffing").
STUFFED = (
    (b"\x00", b"\x01\x01"),
    (b"\x00\x00", b"\x01\x01\x01"),
    (b"\x00\x11\x00", b"\x01\x02\x11\x01"),
    (b"\x11\x22\x00\x33", b"\x03\x11\x22\x02\x33"),
    (b"\x11\x22\x33\x44", b"\x05\x11\x22\x33\x44"),
    (b"\x11\x00\x00\x00", b"\x02\x11\x01\x01\x01"),
    (bytes(range(1, 255)), b"\xff" + bytes(range(1, 255))),
    (bytes(range(255)), b"\x01\xff" + bytes(range(1, 255))),
    (bytes(range(1, 256)), b"\xff" + bytes(range(1, 255)) + b"\x02\xff"),
    (bytes(range(2, 256)) + b"\x00", b"\xff" + bytes(range(2, 256)) + b"\x01\x01"),
    (bytes(range(3, 256)) + b"\x00\x01", b"\xfe" + bytes(range(3, 256)) + b"\x02\x01"),
)


def test_cobs_is_that_of_the_published_examples():
    for content, encoded in STUFFED:
        frame = bytearray(len(content) + len(content) // 254 + 3)
        length = _stuff(content, len(content), frame)
        assert bytes(frame[:length]) == b"\0" + encoded + b"\0"


def test_a_frame_is_what_the_documentation_says():
    assert crc32(b"123456789") == 0xCBF43926
    content = b"\x02\x07" + crc32(b"\x02\x07").to_bytes(4, "little")
    assert 0 not in content
    assert encode(2, 7, b"") == b"\0\x07" + content + b"\0"


def test_frames_of_every_length_come_back():
    for length in list(range(20)) + list(range(240, 270)) + [508, 509, 510, BODY_BYTES_MAX]:
        for body in (bytes(length), b"\xff" * length, bytes(at & 0xFF for at in range(length))):
            assert frames_of(encode(0x44, length & 0xFF, body)) == [(0x44, length & 0xFF, body)]


def test_a_frame_may_come_in_any_pieces():
    stream = encode(1, 2, b"\0a\0") + encode(3, 4, bytes(range(256))) + b"\0\0" + encode(5, 6, b"")
    for size in (1, 2, 3, 7, 64):
        decoder = Decoder(300)
        found = []
        for at in range(0, len(stream), size):
            decoder.feed(stream[at : at + size])
            frame = decoder.next()
            while frame is not None:
                found.append(frame)
                frame = decoder.next()
        assert found == [(1, 2, b"\0a\0"), (3, 4, bytes(range(256))), (5, 6, b"")]
        assert decoder.bad_frames == 0


@rule("CAB-65")
def test_what_is_no_frame_is_counted_and_passed_over():
    right = encode(1, 2, b"abc")
    no_frames = (
        b"\x01",  # too short
        b"\x07\x02\x07\x01\x01\x01\x01",  # wrong CRC
        right[1:-2],  # cut
        b"\xff" + right[2:-1],  # a run that is longer than what follows
        b"\x01" * 200,  # too long, of zeros
        b"\xee" * 5000,  # too long
    )
    for garbage in no_frames:
        decoder = Decoder(REQUEST_BYTES_MAX)
        decoder.feed(garbage + right + garbage + b"\0" + right)
        assert decoder.next() == (1, 2, b"abc")
        assert decoder.next() == (1, 2, b"abc")
        assert decoder.next() is None
        assert decoder.bad_frames == 2


def test_a_body_has_a_longest_length():
    decoder = Decoder(REQUEST_BYTES_MAX)
    decoder.feed(encode(1, 2, bytes(REQUEST_BYTES_MAX)) + encode(1, 3, bytes(REQUEST_BYTES_MAX + 1)))
    assert decoder.next() == (1, 2, bytes(REQUEST_BYTES_MAX))
    assert decoder.next() is None
    assert decoder.bad_frames == 1


def test_values_come_back_as_they_were():
    message = by_name("round")
    values = unpack(message, pack(message, ROUND))
    values["event"] = "round"
    assert values == ROUND
    for choices in ([], [0] * 754):
        longer = dict(ROUND)
        longer["choices"] = choices
        assert unpack(message, pack(message, longer))["choices"] == choices


def test_layout_of_a_round():
    assert pack(by_name("round"), ROUND) == (
        b"\x70\x11\x01\x00santa_vs_rudolf\x00"
        + bytes(range(16))
        + b"\x0a\x32\xe8\x03"
        + struct.pack("<7Q", 3_000_000_000, 4_000_000_000, 9_999_999_999, 1, 0, 5, 6)
        + b"\x03\x00\xff"
    )


def test_a_value_that_does_not_fit_is_an_error_and_never_cut():
    error = ValueError if sys.implementation.name == "micropython" else (ValueError, struct.error)
    for name, value in (
        ("number", 1 << 32),
        ("number", -1),
        ("line_bet", 256),
        ("credit", 1 << 64),
        ("game", "a_name_of_17_byte"),
        ("seed", "00" * 17),
        ("seed", "00" * 15),
        ("choices", [256]),
        ("choices", [0] * 1000),
    ):
        wrong = dict(ROUND)
        wrong[name] = value
        try:
            pack(by_name("round"), wrong)
        except error:
            continue
        except OverflowError:  # MicroPython 1.25 says so of what does not fit a machine word
            continue
        raise AssertionError("%s = %s was packed" % (name, value))


def test_a_newer_body_may_be_longer_and_never_shorter():
    message = by_name("read_region")
    body = pack(message, {"region": 1, "offset": 2, "length": 3})
    assert unpack(message, body + b"new") == {"region": 1, "offset": 2, "length": 3}
    raises(ValueError, unpack, message, body[:-1])
    raises(ValueError, unpack, by_name("meters"), bytes(12))


def test_unknown_names_and_ids():
    assert "ghost" in raises(ValueError, by_name, "ghost")
    assert by_id(0x3F) is None


# ---- the cabinet's end
def test_events_are_numbered_and_sent_at_once():
    wire = Wire()
    link = Link(wire, {})
    for credit in range(300):
        link.report({"event": "coin", "credit": credit})
    assert messages_of(wire.sent) == [("coin", credit & 0xFF, {"credit": credit}) for credit in range(300)]
    assert link.idle
    assert link.dropped == 0


def test_an_event_that_is_no_message_is_a_fault():
    link = Link(Wire(), {})
    raises(ValueError, link.report, {"event": "ghost"})
    raises(KeyError, link.report, {"event": "coin"})


@rule("CAB-65")
def test_events_without_room_are_counted_and_leave_a_gap():
    wire = Wire(room=0)
    link = Link(wire, {})
    frame = len(encode(0x81, 0, bytes(8)))
    for credit in range(250):
        link.report({"event": "coin", "credit": credit})
    held = QUEUE_BYTES // frame
    assert link.dropped == 250 - held
    wire.room = 1_000_000
    link.poll()
    link.report({"event": "coin", "credit": 250})
    got = messages_of(wire.sent)
    assert [tag for _, tag, _ in got] == list(range(held)) + [250]
    assert link.idle


def test_a_port_may_take_any_part_of_a_frame():
    wire = Wire(room=0)
    link = Link(wire, {})
    link.report(ROUND)
    link.report({"event": "coin", "credit": 1})
    while not link.idle:
        wire.room = 3
        link.push()
    assert [name for name, _, _ in messages_of(wire.sent)] == ["round", "coin"]


def test_requests_are_answered_with_their_tag():
    wire = Wire()
    link = Link(wire, {"get_meters": lambda asked: {"values": (1, 2, 1 << 40)}})
    wire.arrived = request("get_meters", 77)
    link.poll()
    assert messages_of(wire.sent) == [("meters", 77, {"values": [1, 2, 1 << 40]})]


def test_what_cannot_be_answered_is_refused_with_its_reason():
    wire = Wire()

    def out_of_range(asked):
        raise Refused(OUT_OF_RANGE)

    link = Link(wire, {"read_region": out_of_range})
    asked = (
        (encode(0x3F, 1, b""), UNKNOWN_MESSAGE),
        (encode(0x42, 1, b""), UNKNOWN_MESSAGE),  # an answer
        (encode(0x81, 1, bytes(8)), UNKNOWN_MESSAGE),  # an event
        (encode(0x04, 1, b"\0"), MALFORMED),
        (request("get_state"), NOT_SERVED),
        (request("read_region", region=0, offset=0, length=0), OUT_OF_RANGE),
    )
    for frame, reason in asked:
        wire.arrived = frame
        wire.sent = b""
        link.poll()
        ((name, tag, values),) = messages_of(wire.sent)
        assert (name, tag, values["reason"]) == ("refused", 1, reason)
    assert link.bad_frames == 0


@rule("CAB-60")
def test_a_turn_has_bounded_work():
    wire = Wire()
    link = Link(wire, {"get_meters": lambda asked: {"values": ()}})
    wire.arrived = request("get_meters") * 100
    for turn in range(1, 10):
        before = len(wire.arrived)
        link.poll()
        assert len(messages_of(wire.sent)) == turn
        assert before - len(wire.arrived) <= READ_BYTES
    assert wire.most_read == READ_BYTES


@rule("CAB-65")
def test_answers_leave_events_their_room():
    wire = Wire(room=0)
    link = Link(wire, {"get_meters": lambda asked: {"values": [0] * 100}})
    wire.arrived = request("get_meters") * 100
    for _ in range(50):
        link.poll()
    link.report(ROUND)
    assert link.dropped == 0
    wire.room = 1_000_000
    for _ in range(120):
        link.poll()
    got = [name for name, _, _ in messages_of(wire.sent)]
    assert got.count("round") == 1
    assert got.count("meters") == 100


@rule("CAB-65")
def test_garbage_is_answered_by_nothing():
    wire = Wire()
    link = Link(wire, {"get_meters": lambda asked: {"values": ()}})
    number = 1
    for _ in range(40):
        garbage = bytearray()
        for _ in range(200):
            number = number * 75 % 65537  # a generator of small numbers
            garbage.append(number & 0xFF)
        wire.arrived = bytes(garbage)
        while wire.arrived:
            link.poll()
    assert wire.sent == b""
    assert link.bad_frames > 10
    wire.arrived = b"\0" + request("get_meters")
    link.poll()
    assert len(messages_of(wire.sent)) == 1


# ---- regions
def test_regions_are_read_in_pages_up_to_their_end():
    memory = bytes(at * 7 & 0xFF for at in range(600))
    asked_for = []

    def read(offset, length):
        asked_for.append((offset, length))
        return memory[offset : offset + length]

    regions = Regions({"journal_b": (lambda: len(memory), read)})
    got = b""
    while True:
        page = regions.page({"region": 1, "offset": len(got), "length": 1000})
        assert (page["region"], page["offset"], page["size"]) == (1, len(got), 600)
        if not page["data"]:
            break
        got += page["data"]
    assert got == memory
    assert asked_for == [(0, PAGE_BYTES_MAX), (256, PAGE_BYTES_MAX), (512, 88), (600, 0)]


def test_regions_that_are_not_there_are_refused():
    regions = Regions({"journal_a": (lambda: 10, lambda offset, length: bytes(length))})
    for region, offset, reason in ((1, 0, NOT_SERVED), (200, 0, NOT_SERVED), (0, 11, OUT_OF_RANGE)):
        try:
            regions.page({"region": region, "offset": offset, "length": 1})
        except Refused as refused:
            assert refused.reason == reason
        else:
            raise AssertionError("not refused")
