"""CAB-23: motor off, coins inhibited and no meter step until ready, and after every way the program can stop."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host_tools.emulator.nor_flash import SECTOR_BYTES
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet

SAFE_WITHIN_US = 50_000  # the console is read every 10 ms, between two blocking panel writes


def play_until_a_counter_steps(cabinet: VirtualCabinet) -> None:
    """Two coins and a game, stopped while the coil of the games counter is on."""
    cabinet.parts.coin_acceptor.insert(2)
    cabinet.wait_event("coin", 1e6)
    cabinet.wait_event("coin", 1e6)
    cabinet.parts.buttons["START"].click()
    cabinet.pico.run_until(lambda: cabinet.parts.outputs.on("COUNTER_GAMES"), 1e6, "a step of the games counter")


@pytest.mark.rule("CAB-23")
def test_outputs_are_safe_from_power_on_to_ready(powered: Callable[..., VirtualCabinet]) -> None:
    cabinet = powered()
    for part in cabinet.parts.buttons.values():
        part.press()
    cabinet.parts.coin_acceptor.insert(3)
    cabinet.wait_event("ready", BOOT_US)
    ready_us = cabinet.parts.coin_acceptor.log[-1][0]
    assert cabinet.parts.coin_acceptor.log[-1][1] == "enabled"
    assert ready_us > 100_000
    assert cabinet.parts.safety_violations(0, ready_us) == []
    assert cabinet.parts.coin_acceptor.returned == 3
    assert cabinet.parts.panel.faults == []


@pytest.mark.rule("CAB-23")
def test_outputs_are_safe_at_reset_until_ready_again(cabinet: VirtualCabinet) -> None:
    play_until_a_counter_steps(cabinet)
    reset_us = cabinet.pico.now_us
    cabinet.pico.press_reset()
    cabinet.wait_event("ready", BOOT_US)
    ready_us = cabinet.parts.coin_acceptor.log[-1][0]
    assert ready_us - reset_us > 100_000
    assert cabinet.parts.safety_violations(reset_us + 1, ready_us) == []


@pytest.mark.rule("CAB-23")
def test_outputs_are_safe_after_ctrl_c_and_ctrl_d(cabinet: VirtualCabinet) -> None:
    play_until_a_counter_steps(cabinet)
    stopped_us = cabinet.pico.now_us
    cabinet.pico.console.interrupt()
    cabinet.pico.console.expect(b">>> ")
    assert cabinet.parts.safety_violations(stopped_us + SAFE_WITHIN_US) == []
    cabinet.pico.run_for(1e6)
    restarted_us = cabinet.pico.now_us
    cabinet.pico.console.send(b"\x04")
    cabinet.wait_event("ready", BOOT_US)
    ready_us = cabinet.parts.coin_acceptor.log[-1][0]
    assert ready_us > restarted_us
    assert cabinet.parts.safety_violations(stopped_us + SAFE_WITHIN_US, ready_us) == []


@pytest.mark.rule("CAB-23")
def test_ctrl_d_alone_does_not_stop_the_program(cabinet: VirtualCabinet) -> None:
    play_until_a_counter_steps(cabinet)
    cabinet.pico.console.send(b"\x04")
    assert cabinet.finish_round()["number"] == 1
    cabinet.pico.run_for(3e6)
    assert cabinet.events() == []
    assert b">>> " not in cabinet.pico.console.received
    assert cabinet.parts.counters["GAMES"].count == 1


@pytest.mark.rule("CAB-23")
@pytest.mark.parametrize("delay_us", [0, 30_000, 50_000, 60_000, 70_000, 150_000, 333_333, 500_007, 640_001, 700_000])
def test_outputs_are_safe_after_ctrl_c_at_any_time(powered: Callable[..., VirtualCabinet], delay_us: int) -> None:
    cabinet = powered()
    cabinet.pico.console.wait_connected()
    cabinet.pico.run_for(delay_us)
    stopped_us = cabinet.pico.now_us
    cabinet.pico.console.send(b"\x03\x03\x03")
    cabinet.pico.run_for(2e6)
    assert b">>> " in cabinet.pico.console.received
    assert cabinet.parts.safety_violations(stopped_us + SAFE_WITHIN_US) == []


@pytest.mark.rule("CAB-23")
def test_outputs_are_safe_when_a_second_ctrl_c_meets_the_clean_up(cabinet: VirtualCabinet) -> None:
    play_until_a_counter_steps(cabinet)
    stopped_us = cabinet.pico.now_us
    for number in range(40):
        cabinet.pico.at(number * 97, cabinet.pico.console.interrupt)
    cabinet.pico.run_for(1e6)
    assert cabinet.parts.safety_violations(stopped_us + SAFE_WITHIN_US) == []


@pytest.mark.rule("CAB-23")
def test_outputs_are_safe_with_no_program(powered: Callable[..., VirtualCabinet]) -> None:
    cabinet = powered()
    torn = bytearray(cabinet.pico.flash.image())
    start, length = cabinet.board.FLASH_ROMFS
    torn[start + length - SECTOR_BYTES : start + length] = b"\xff" * SECTOR_BYTES
    cabinet = VirtualCabinet(cabinet.built, bytes(torn), 1, lambda line: None)
    cabinet.pico.console.expect(b'no valid program: flash it with "picocab flash"')
    cabinet.pico.run_for(2e6)
    assert cabinet.events() == []
    assert cabinet.parts.safety_violations() == []
