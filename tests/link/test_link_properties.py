"""Properties of frames and messages that must hold for any bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from link.endpoint import Link
from link.framing import Decoder, encode
from link.messages import BODY_BYTES_MAX, MESSAGES, REQUEST_BYTES_MAX, by_name, pack, unpack

Frame = tuple[int, int, bytes]

thorough = settings(max_examples=300, deadline=None, derandomize=True)
bodies = st.binary(max_size=BODY_BYTES_MAX)
frames = st.tuples(st.integers(0, 255), st.integers(0, 255), bodies)
garbage = st.one_of(
    st.binary(max_size=300),
    st.binary(max_size=300).map(lambda data: data.replace(b"\0", b"\1")),
    st.lists(st.sampled_from([0, 1, 2, 254, 255]), max_size=300).map(bytes),
)
NUMBERS = {"B": 8, "H": 16, "I": 32, "Q": 64}
MESSAGE_NAMES = [line.split()[1] for line in MESSAGES.splitlines() if line]


def decoded(pieces: list[bytes], body_bytes_max: int = BODY_BYTES_MAX) -> list[Frame]:
    decoder = Decoder(body_bytes_max)
    found = []
    for piece in pieces:
        decoder.feed(piece)
        while (frame := decoder.next()) is not None:
            found.append(frame)
    return found


def unstuffed(encoded: bytes) -> bytes:
    """COBS by its definition: each code is followed by code - 1 bytes and, below 255, stands for a zero byte."""
    out = bytearray()
    at = 0
    while at < len(encoded):
        code = encoded[at]
        assert code
        out += encoded[at + 1 : at + code]
        at += code
        if code < 255 and at < len(encoded):
            out.append(0)
    assert at == len(encoded)
    return bytes(out)


@thorough
@given(frames)
def test_a_frame_has_no_zero_inside_and_holds_its_content(frame: Frame) -> None:
    message_id, tag, body = frame
    encoded = encode(*frame)
    assert encoded[0] == encoded[-1] == 0
    assert 0 not in encoded[1:-1]
    assert unstuffed(encoded[1:-1])[:-4] == bytes((message_id, tag)) + body
    assert len(encoded) <= len(body) + 6 + (len(body) + 6) // 254 + 3


@thorough
@given(st.lists(frames, max_size=6), st.data())
def test_frames_come_back_in_any_pieces(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(encode(*frame) for frame in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    pieces = [stream[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert decoded(pieces) == sent


@pytest.mark.rule("CAB-65")
@thorough
@given(st.lists(st.tuples(garbage, frames), max_size=5), garbage)
def test_garbage_between_frames_costs_no_frame(sent: list[tuple[bytes, Frame]], end: bytes) -> None:
    stream = b"".join(noise + encode(*frame) for noise, frame in sent) + end
    assert decoded([stream]) == [frame for _, frame in sent]


@pytest.mark.rule("CAB-65")
@thorough
@given(frames, st.data())
def test_a_spoilt_frame_is_never_another_one(frame: Frame, data: st.DataObject) -> None:
    """Any change but to the same frame again; a collision of the CRC would take four billion examples."""
    stream = bytearray(encode(*frame))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(stream) - 1))
        change = data.draw(st.sampled_from(["flip", "set", "cut", "insert", "swap"]))
        if change == "flip":
            stream[at] ^= 1 << data.draw(st.integers(0, 7))
        elif change == "set":
            stream[at] = data.draw(st.integers(0, 255))
        elif change == "cut":
            del stream[at : at + data.draw(st.integers(1, 8))]
        elif change == "insert":
            stream[at:at] = data.draw(st.binary(min_size=1, max_size=8))
        else:
            other = data.draw(st.integers(0, len(stream) - 1))
            stream[at], stream[other] = stream[other], stream[at]
        if not stream:
            break
    after = (1, 2, b"in step again")
    found = decoded([bytes(stream) + encode(*after)])
    assert found in ([after], [frame, after])


@st.composite
def messages(draw: st.DrawFn) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A message's row and values for it."""
    row = by_name(draw(st.sampled_from(MESSAGE_NAMES)))
    _, _, form, fields, rest, item = row
    values: dict[str, Any] = {}
    left = form[1:]
    for field in fields:
        size = len(left) - len(left.lstrip("0123456789"))
        count, code, left = left[:size], left[size], left[size + 1 :]
        if code != "s":
            values[field] = draw(st.integers(0, 2 ** NUMBERS[code] - 1))
        elif field in ("seed", "program"):
            values[field] = draw(st.binary(min_size=int(count), max_size=int(count))).hex()
        else:
            values[field] = draw(st.text(st.characters(codec="ascii", min_codepoint=32), max_size=int(count)))
    assert not left
    if rest and item == "s":
        values[rest] = draw(st.binary(max_size=256))
    elif rest:
        values[rest] = draw(st.lists(st.integers(0, 2 ** NUMBERS[item] - 1), max_size=100))
    return row, values


@thorough
@given(messages())
def test_values_of_every_message_come_back(message: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    row, values = message
    assert unpack(row, pack(row, values)) == values


class Flood:
    """A port on which a host sends bytes and reads none, or as much as `room` says."""

    def __init__(self, data: bytes, room: int) -> None:
        self.data = data
        self.room = room

    def read(self, most: int) -> bytes:
        taken, self.data = self.data[:most], self.data[most:]
        return taken

    def write(self, data: bytes) -> int:
        return min(len(data), self.room)


@pytest.mark.rule("CAB-65")
@settings(max_examples=500, deadline=None, derandomize=True)
@given(
    st.lists(st.one_of(garbage, frames.map(lambda frame: encode(*frame))), max_size=12), st.sampled_from([0, 7, 999])
)
def test_the_cabinet_survives_whatever_a_host_sends(pieces: list[bytes], room: int) -> None:
    """2,000 frames and more: nothing is raised, only requests are carried out, the queue keeps to its bound."""
    asked: list[dict[str, int]] = []

    def answer(values: dict[str, int]) -> dict[str, Any]:
        asked.append(values)
        return {"values": [1] * 100}

    stream = b"".join(pieces)
    link = Link(Flood(stream, room), {"get_meters": answer})
    for _ in range(len(stream) // 8 + 2):
        link.poll()
    assert len(asked) <= len([frame for frame in decoded([stream], REQUEST_BYTES_MAX) if frame[0] == 3])
    assert sum(len(frame) for frame in link._frames) == link._queued <= 2048
    assert link.dropped == 0
