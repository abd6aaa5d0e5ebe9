"""The service link at the pins: what a host asks and gets, and what it cannot do to a game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from programs import BROKEN_ROUND

from host_tools.core import rules
from host_tools.errors import BoardError
from host_tools.link.shared import shared
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet

framing = shared("framing")

# Two thirds of the limits, as the emulator has no model of the XIP cache.
TASK_US = 20_000 * 2 // 3
STALL_US = 50_000 * 2 // 3
GAME_US = 2_500_000
RAM_BYTES = 6_500  # bytes are exact: no margin

LINE_BYTES_PER_S = 11_520

MEASURE = """
import gc, time
import board, machine
import rules.portable
machine.freq(board.CPU_HZ, board.CPU_HZ)
gc.collect()
free = gc.mem_free()
from link.endpoint import Link
from link.framing import encode
from link.regions import Regions
from link.uart_port import UartPort
gc.collect()
print("ram", free - gc.mem_free())

class Wire:
    arrived = b""
    def read(self, most):
        data = self.arrived
        self.arrived = b""
        return data
    def write(self, data):
        return len(data)

def worst(name, function, *arguments):
    us = 0
    for _ in range(5):
        gc.collect()
        wire.arrived = arrived
        start = time.ticks_us()
        function(*arguments)
        us = max(us, time.ticks_us() - start)
    print(name, us)

wire = Wire()
page = bytes(256)
link = Link(wire, {"read_region": Regions({"journal_a": (lambda: 256, lambda offset, length: page)}).page})
arrived = b""
worst("idle", link.poll)
worst("coin", link.report, {"event": "coin", "credit": 100})
worst("round", link.report, {"event": "round", "number": 1, "game": "mad_mad_monkey", "seed": "00" * 16,
    "line_bet": 1, "lines": 50, "coin": 1, "win": 0, "credit": 50, "coins_in": 100, "stakes": 50, "wins": 0,
    "gamble_in": 0, "gamble_out": 0, "choices": [0] * 754})
for name, garbage in (
    ("zeros", b"\\0"), ("ones", b"\\1"), ("short", b"\\1\\0"), ("cut", encode(2, 1, b"")[:5] + b"\\0")
):
    arrived = (garbage * 256)[:256]
    worst(name, link.poll)
gc.collect()
before = gc.mem_alloc()
for _ in range(100):
    wire.arrived = b""
    link.poll()
print("idle_allocated", gc.mem_alloc() - before)
arrived = encode(4, 1, bytes(5) + b"\\0\\1") * 16
worst("page", link.poll)
"""


PORT_TIMES = """
import board, time
from machine import UART, Pin
from link.uart_port import RECEIVE_BYTES, TRANSMIT_BYTES, UartPort
uart = UART(0, board.SERVICE_BAUD, tx=Pin(board.SERVICE_TX), rx=Pin(board.SERVICE_RX),
    txbuf=TRANSMIT_BYTES, rxbuf=RECEIVE_BYTES)
port = UartPort(uart)
data = bytes(1500)
read = written = read_us = write_us = 0
begun = time.ticks_ms()
while time.ticks_diff(time.ticks_ms(), begun) < 1000:
    start = time.ticks_us()
    read += len(port.read(256))
    read_us = max(read_us, time.ticks_diff(time.ticks_us(), start))
    start = time.ticks_us()
    written += port.write(data)
    write_us = max(write_us, time.ticks_diff(time.ticks_us(), start))
    time.sleep_ms(5)
print(read, written, read_us, write_us)
"""


def with_coins(cabinet: VirtualCabinet, coins: int) -> None:
    cabinet.parts.coin_acceptor.insert(coins)
    for _ in range(coins):
        cabinet.wait_event("coin", 1e6)


def flood(cabinet: VirtualCabinet, piece: bytes, seconds: float) -> None:
    """Fills the line with repetitions of some bytes from now on."""
    data = piece * (LINE_BYTES_PER_S // len(piece) + 1)
    size = LINE_BYTES_PER_S // 50

    def send(number: int) -> None:
        at = number * size % LINE_BYTES_PER_S
        cabinet.parts.service.send(data[at : at + size])
        if number < 50 * seconds - 1:
            cabinet.pico.at(20_000, lambda: send(number + 1))

    send(0)


def noise() -> bytes:
    return bytes(random.Random(1).choices(range(256), k=3000))


FLOODS: dict[str, Callable[[], bytes]] = {
    "noise": noise,
    "zeros": lambda: b"\0",
    "frames cut short": lambda: framing.encode(2, 200, b"")[:-4] + b"\0",
    "requests": lambda: framing.encode(2, 200, b""),
    "requests for pages": lambda: framing.encode(4, 200, b"\0\0\0\0\0\0\1"),
}


def test_hello_tells_what_runs(cabinet: VirtualCabinet) -> None:
    manifest = json.loads(cabinet.built.manifest.read_text(encoding="utf-8"))
    assert cabinet.link.hello() == {
        "protocol": 1,
        "micropython": [int(number) for number in manifest["micropython"].split(".")],
        "rules_version": rules("round").RULES_VERSION,
        "board": manifest["board"],
        "program": manifest["image"]["sha256"],
    }


def test_state_follows_coins_bet_and_game(cabinet: VirtualCabinet) -> None:
    state = cabinet.link.state()
    assert (state["ready"], state["tilts"], state["credit"], state["game"]) == (1, 0, 0, "mad_mad_monkey")
    assert (state["coin"], state["line_bet"], state["lines"], state["stake"]) == (1, 1, 50, 50)
    assert (state["dropped"], state["bad_frames"]) == (0, 0)
    assert 150_000 < state["heap_free"] < 200_000
    asked_us = cabinet.pico.now_us
    with_coins(cabinet, 2)
    cabinet.parts.buttons["BET"].click()
    cabinet.pico.run_for(300_000)
    later = cabinet.link.state()
    elapsed_ms = (cabinet.pico.now_us - asked_us) / 1000
    assert (later["credit"], later["line_bet"] * later["lines"] * later["coin"]) == (200, later["stake"])
    assert later["stake"] > 50
    assert abs(later["uptime_ms"] - state["uptime_ms"] - elapsed_ms) < 50
    assert abs(later["uptime_ms"] - cabinet.pico.now_us / 1000) < 500
    assert later["program"] == cabinet.link.hello()["program"]


def test_meters_are_those_of_the_last_round(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 1)
    cabinet.parts.buttons["START"].click()
    played = cabinet.finish_round()
    meters = cabinet.link.meters()
    assert meters == {
        "credit": played["credit"],
        "coins_in": 100,
        "stakes": 50,
        "wins": played["wins"],
        "voided": 0,
        "games": 1,
        "gamble_in": played["gamble_in"],
        "gamble_out": played["gamble_out"],
    }


def test_events_come_in_order_without_a_gap(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 3)
    cabinet.parts.buttons["START"].click()
    cabinet.finish_round()
    assert cabinet.link.lost == cabinet.link.bad_frames == cabinet.link.unknown == 0
    assert cabinet.parts.service.received.count(b"\0\0") >= 4, "frames, each between two zero bytes"


def test_journal_is_read_as_it_lies_in_flash(powered: Callable[..., VirtualCabinet]) -> None:
    blank = powered()
    image = bytearray(blank.pico.flash.image())
    content = noise()[:2000]
    for region, shift in ((blank.board.FLASH_JOURNAL_A, 0), (blank.board.FLASH_JOURNAL_B, 1)):
        image[region[0] : region[0] + 1000] = content[shift : shift + 1000]
    end = sum(blank.board.FLASH_JOURNAL_B)
    image[end - 10 : end] = b"0123456789"
    cabinet = VirtualCabinet(blank.built, bytes(image), 1, lambda line: None)
    cabinet.wait_event("ready", BOOT_US)
    assert cabinet.link.read_region("journal_a", 0, 1000) == content[:1000]
    assert cabinet.link.read_region("journal_b", 0, 1000) == content[1:1001]
    assert cabinet.link.read_region("journal_b", blank.board.FLASH_JOURNAL_B[1] - 10) == b"0123456789"
    with pytest.raises(BoardError, match="the offset lies behind the end of the region"):
        cabinet.link.read_region("journal_a", blank.board.FLASH_JOURNAL_A[1] + 1)


@pytest.mark.rule("CAB-65")
@pytest.mark.rule("CAB-60")
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_delays_no_game_and_no_coin(cabinet: VirtualCabinet, kind: str) -> None:
    parts, pico = cabinet.parts, cabinet.pico
    with_coins(cabinet, 2)
    pico.run_for(300_000)
    flood(cabinet, FLOODS[kind](), 3)
    pico.run_for(100_000)
    reels = parts.panel.picture().crop((0, 24, 320, 206)).tobytes()
    begun_us = pico.now_us
    parts.buttons["START"].click()
    pico.run_until(lambda: parts.panel.picture().crop((0, 24, 320, 206)).tobytes() != reels, 1e6, "a movement")
    assert pico.now_us - begun_us < 67_000
    frames = parts.panel.frames
    pico.run_for(400_000)
    assert parts.panel.frames - frames > 5 * 15, "five reels turned"
    parts.coin_acceptor.insert(1)
    cabinet.wait_event("coin", 200_000)
    for number in range(60):
        parts.buttons["START"].click(hold_ms=20, after_ms=50 * number)
    pico.run_until(lambda: parts.counters["COIN_IN"].count == 1, 5e6, "the second stake's step")
    assert GAME_US < pico.now_us - begun_us < GAME_US + 300_000
    pico.run_for(600_000)
    assert cabinet.link.lost == 0
    assert cabinet.link.state()["dropped"] == 0
    meters = cabinet.link.meters()
    assert meters["credit"] == 300 - meters["stakes"] + meters["wins"]


@pytest.mark.rule("CAB-65")
def test_the_link_is_in_step_right_after_garbage(cabinet: VirtualCabinet) -> None:
    for kind in FLOODS.values():
        cabinet.parts.service.send((kind() * 20)[:199])
        cabinet.pico.run_for(100_000)
        assert cabinet.link.hello()["protocol"] == 1
    state = cabinet.link.state()
    assert state["bad_frames"] > 0
    assert (state["dropped"], state["credit"]) == (0, 0)


@pytest.mark.rule("CAB-65")
def test_mutated_frames_have_no_effect_and_leave_no_memory_behind(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 2)
    heap_free = heap_after_a_round(cabinet)
    meters = cabinet.link.meters()
    chance = random.Random(2)
    for _ in range(1000):
        frame = bytearray(framing.encode(chance.randrange(256), 200, chance.randbytes(chance.randrange(20))))
        for _ in range(chance.randrange(1, 4)):
            frame[chance.randrange(1, len(frame) - 1)] = chance.randrange(256)
        cabinet.parts.service.send(bytes(frame))
        cabinet.pico.run_for(4_000)
    cabinet.pico.run_for(100_000)
    assert cabinet.link.meters() == meters
    assert cabinet.link.lost == 0
    assert cabinet.link.state()["bad_frames"] > 990
    assert heap_after_a_round(cabinet) > heap_free - 4_000
    assert cabinet.link.meters()["games"] == 2


def heap_after_a_round(cabinet: VirtualCabinet) -> int:
    """Free heap 2.5 s after a round: the game loop has collected the garbage at its end."""
    cabinet.parts.buttons["START"].click()
    cabinet.finish_round()
    cabinet.pico.run_for(2_500_000)
    return int(cabinet.link.state()["heap_free"])


@pytest.mark.rule("CAB-65")
def test_a_host_that_asks_for_more_than_the_line_carries_loses_no_event(cabinet: VirtualCabinet) -> None:
    flood(cabinet, FLOODS["requests for pages"](), 2)
    cabinet.parts.coin_acceptor.insert(10)
    for number in range(10):
        assert cabinet.wait_event("coin", 1e6)["credit"] == 100 * (number + 1)
    cabinet.pico.run_for(3e6)
    assert cabinet.link.state()["dropped"] == 0
    assert cabinet.link.lost == 0


@pytest.mark.rule("CAB-23")
def test_the_last_event_gets_out_while_the_line_is_full(cabinet: VirtualCabinet) -> None:
    cabinet.pico.console.start(BROKEN_ROUND)
    cabinet.wait_event("ready", BOOT_US)
    with_coins(cabinet, 1)
    flood(cabinet, FLOODS["requests for pages"](), 1)
    cabinet.pico.run_for(500_000)
    cabinet.parts.buttons["START"].click()
    assert cabinet.wait_event("malfunction", 1e6) == {"event": "malfunction", "voided": 50, "credit": 100}
    assert cabinet.parts.safety_violations(cabinet.pico.now_us) == []
    assert cabinet.link.lost == 0


@pytest.mark.rule("CAB-65")
def test_the_port_never_waits_for_the_line(cabinet: VirtualCabinet) -> None:
    cabinet.pico.console.start(PORT_TIMES)
    flood(cabinet, b"garbage", 1)
    read, written, read_us, write_us = map(int, cabinet.pico.console.finish().split())
    assert read > 0.9 * LINE_BYTES_PER_S
    assert written > 0.8 * LINE_BYTES_PER_S
    assert read_us < 2_000
    assert write_us < 2_000


@pytest.mark.rule("CAB-60")
def test_link_keeps_to_its_time_and_memory(bare_cabinet: VirtualCabinet) -> None:
    figures = dict(line.split() for line in bare_cabinet.pico.console.exec(MEASURE).splitlines() if line)
    measured = {name: int(number) for name, number in figures.items()}
    print(measured)
    assert 3_000 < measured.pop("ram") <= RAM_BYTES
    assert measured.pop("idle_allocated") == 0
    assert 0 < max(measured.values()) <= TASK_US
