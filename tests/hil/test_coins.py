"""Coins: none is lost while the panel is written, while the flash erases, while a game is shown."""

from __future__ import annotations

import pytest

from host_tools.play.virtual_cabinet import VirtualCabinet

# Two thirds of the 50 ms that a coin may take to the credit on the panel: the emulator has no model of the XIP cache.
COIN_TO_CREDIT_US = 33_000

COUNT_WHILE_DRAWING = """
import board, machine, time
from machine import SPI, Pin
from drivers.pulse_input import PulseInput
machine.freq(board.CPU_HZ, board.CPU_HZ)
spi = SPI(0, baudrate=board.PANEL_HZ, sck=Pin(board.PANEL_SCK), mosi=Pin(board.PANEL_MOSI))
coins = PulseInput(0, Pin(board.COIN_IN, Pin.IN, Pin.PULL_UP), True)
frame = bytes(21600)
widths = []
print("ready")
end = time.ticks_add(time.ticks_ms(), 150)
while time.ticks_diff(end, time.ticks_ms()) > 0:
    for _ in range(5):
        spi.write(frame)
    for _ in range(coins.pulses()):
        widths.append(coins.read_us())
print(len(widths), coins.overruns, min(widths), max(widths))
coins.deinit()
"""

COUNT_WHILE_ERASING = """
import board, rp2, time
from machine import Pin
from drivers.pulse_input import PulseInput
flash = rp2.Flash(start=board.FLASH_JOURNAL_A[0] - board.FLASH_ROMFS[0], len=65536)
coins = PulseInput(0, Pin(board.COIN_IN, Pin.IN, Pin.PULL_UP), True)
print("ready")
end = time.ticks_add(time.ticks_ms(), 2500)
erased = 0
while time.ticks_diff(end, time.ticks_ms()) > 0:
    flash.ioctl(6, erased)
    erased += 1
widths = [coins.read_us() for _ in range(coins.pulses())]
print(len(widths), coins.overruns, min(widths), max(widths), erased)
coins.deinit()
"""


@pytest.mark.rule("CAB-10")
def test_no_pulse_of_500_is_lost_while_the_panel_is_written(cabinet: VirtualCabinet) -> None:
    pico, board = cabinet.pico, cabinet.board
    pico.console.start(COUNT_WHILE_DRAWING)
    pico.console.expect(b"ready\r\n")
    for number in range(500):
        pico.at(1000 + 200 * number, lambda: pico.pins.drive(board.COIN_IN, 0))
        pico.at(1100 + 200 * number, lambda: pico.pins.drive(board.COIN_IN, 1))
    count, overruns, narrowest, widest = map(int, pico.console.finish().split())
    assert (count, overruns) == (500, 0)
    assert 80 <= narrowest <= widest <= 120


@pytest.mark.rule("CAB-10")
def test_no_coin_of_20_is_lost_while_the_flash_erases_for_400_ms(cabinet: VirtualCabinet) -> None:
    pico = cabinet.pico
    durations: list[float] = []

    def slow(operation: object) -> None:
        durations.append(operation.duration_us)  # type: ignore[attr-defined]
        pico.flash.slow_next_us = 400_000

    pico.flash.slow_next_us = 400_000
    pico.flash.on_operation = slow
    pico.console.start(COUNT_WHILE_ERASING)
    pico.console.expect(b"ready\r\n")
    # The program inhibits nothing; the acceptor would return the coins, so the line is driven as it would.
    for number in range(20):
        pico.at(5_000 + 100_000 * number, lambda: pico.pins.drive(cabinet.board.COIN_IN, 0))
        pico.at(55_000 + 100_000 * number, lambda: pico.pins.drive(cabinet.board.COIN_IN, 1))
    count, overruns, narrowest, widest, erased = map(int, pico.console.finish().split())
    assert (count, overruns) == (20, 0)
    assert 49_900 <= narrowest <= widest <= 50_100
    assert erased >= 6
    assert set(durations) == {400_000}


@pytest.mark.rule("CAB-01")
@pytest.mark.rule("CAB-10")
def test_every_coin_of_a_train_is_credited_during_a_game(cabinet: VirtualCabinet) -> None:
    parts = cabinet.parts
    parts.coin_acceptor.insert(1)
    cabinet.wait_event("coin", 1e6)
    parts.buttons["START"].click()
    parts.coin_acceptor.insert(15)
    for number in range(15):
        event = cabinet.wait_event("coin", 1e6)
        assert event["credit"] == 100 - 50 + 100 * (number + 1)
    assert parts.coin_acceptor.accepted == 16


@pytest.mark.rule("CAB-11")
@pytest.mark.parametrize(
    ("width_ms", "credited"),
    [(1, False), (9, False), (24, False), (26, True), (40, True), (60, True), (74, True), (76, False)],
)
def test_a_pulse_is_a_coin_by_its_width(cabinet: VirtualCabinet, width_ms: float, credited: bool) -> None:
    cabinet.parts.coin_acceptor.glitch(width_ms)
    cabinet.pico.run_for(300_000)
    assert [event["credit"] for event in cabinet.events()] == ([100] if credited else [])


@pytest.mark.rule("CAB-01")
def test_a_coin_is_on_the_panel_in_time(cabinet: VirtualCabinet) -> None:
    pico, panel = cabinet.pico, cabinet.parts.panel
    pico.run_for(500_000)
    before = panel.sha256()
    cabinet.parts.coin_acceptor.insert(1)
    pico.run_for(50_000)
    ended_us = pico.now_us
    pico.run_until(lambda: panel.sha256() != before, 200_000, "the new credit on the panel")
    cabinet.wait_event("coin", 1e6)
    assert pico.now_us - ended_us < COIN_TO_CREDIT_US
