"""A game at the pins: buttons, reels, credit, electromechanical counters, lamps, times."""

from __future__ import annotations

import time
from itertools import count, pairwise
from typing import Any

import pytest

from host_tools.core import play_round
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet

START_TO_MOVEMENT_US = 67_000  # a reaction that a player takes for immediate: 100 ms, two thirds of it
HEAP_FREE_MIN = 170_000
GAME_US = 2_500_000


def with_coins(cabinet: VirtualCabinet, coins: int) -> None:
    cabinet.parts.coin_acceptor.insert(coins)
    for _ in range(coins):
        cabinet.wait_event("coin", 1e6)


def play(cabinet: VirtualCabinet) -> dict[str, Any]:
    cabinet.parts.buttons["START"].click()
    return cabinet.finish_round()


def test_the_screen_rests_on_a_real_window_with_heap_to_spare(powered: Any) -> None:
    cabinet = powered()
    ready = cabinet.wait_event("ready", 10e6)
    assert ready["heap_free"] >= HEAP_FREE_MIN
    assert cabinet.parts.panel.lit
    assert cabinet.parts.panel.faults == []
    assert cabinet.parts.panel.unknown_commands == []


@pytest.mark.rule("G-07")
@pytest.mark.rule("G-08")
def test_a_game_is_what_the_core_says_of_its_seed(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 5)
    credit = 500
    for number in range(1, 5):
        event = play(cabinet)
        events = play_round(
            event["game"], event["line_bet"], event["lines"], bytes.fromhex(event["seed"]), event["choices"], 50_000
        )
        win = events[-1][1]
        assert isinstance(win, int)
        credit += win - 50
        assert (event["number"], event["win"], event["credit"]) == (number, win, credit)
        cabinet.pico.run_for(2e6)


def test_two_cabinets_of_one_image_draw_different_seeds(powered: Any) -> None:
    seeds = set()
    for noise in (1, 2):
        cabinet = powered(seed=noise)
        cabinet.wait_event("ready", 10e6)
        with_coins(cabinet, 1)
        seeds.add(play(cabinet)["seed"])
    assert len(seeds) == 2


@pytest.mark.rule("CAB-06")
def test_counters_step_for_stakes_wins_and_games_and_miss_nothing(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 10)
    won = 0
    for _ in range(8):
        won += play(cabinet)["win"]
        cabinet.pico.run_for(2e6)
    cabinet.pico.run_for(3e6)
    counters = cabinet.parts.counters
    assert counters["COIN_IN"].count == 8 * 50 // 100
    assert counters["COIN_OUT"].count == won // 100
    assert counters["GAMES"].count == 8
    assert [counter.missed for counter in counters.values()] == [0, 0, 0, 0]
    for counter in counters.values():
        edges = [at_us for at_us, _ in counter.log]
        for before_us, after_us in pairwise(edges):
            assert after_us - before_us > 49_900


def test_no_game_without_credit(cabinet: VirtualCabinet) -> None:
    cabinet.parts.buttons["START"].click()
    cabinet.pico.run_for(1e6)
    assert cabinet.events() == []
    assert not cabinet.parts.lamps["START"].on
    with_coins(cabinet, 1)
    assert cabinet.parts.lamps["START"].on
    play(cabinet)
    cabinet.pico.run_for(3e6)
    play(cabinet)
    cabinet.pico.run_for(3e6)


@pytest.mark.rule("CAB-61")
def test_a_bouncing_press_is_one_game_and_a_held_button_too(cabinet: VirtualCabinet) -> None:
    from host_tools.emulator.parts.contact import Bounce

    with_coins(cabinet, 5)
    start = cabinet.parts.buttons["START"]
    start.bounce = Bounce(5, 1500, 1)
    start.click(hold_ms=200)
    assert cabinet.finish_round()["number"] == 1
    cabinet.pico.run_for(4e6)
    assert cabinet.events() == []
    start.click(hold_ms=8000)
    assert cabinet.finish_round()["number"] == 2
    cabinet.pico.run_for(9e6)
    assert cabinet.events() == []


@pytest.mark.rule("CAB-61")
def test_a_press_shorter_than_the_debounce_time_is_none(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 1)
    cabinet.parts.buttons["START"].click(hold_ms=3)
    cabinet.pico.run_for(1e6)
    assert cabinet.events() == []


@pytest.mark.rule("CAB-62")
def test_start_stops_the_show_early_and_the_game_still_takes_its_time(powered: Any) -> None:
    for seed in count(1):  # until a chip's noise makes a round of one spin that asks nothing
        cabinet = powered(seed)
        cabinet.wait_event("ready", BOOT_US)
        with_coins(cabinet, 5)
        start = cabinet.parts.buttons["START"]
        begun_us = cabinet.pico.now_us
        start.click()
        cabinet.pico.run_for(400_000)
        start.click()
        event = cabinet.wait_event(("round", "choice"), 600e6)
        if event["event"] == "round":
            events = play_round(event["game"], 1, 50, bytes.fromhex(event["seed"]), event["choices"], 50_000)
            if [played[0] for played in events].count("spin") == 1:
                break
    assert cabinet.pico.now_us - begun_us < 800_000
    assert event["win"] == events[-1][1]
    # Hammered, the next game still starts only after the minimum time.
    for number in range(60):
        start.click(hold_ms=20, after_ms=50 * number)
    cabinet.pico.run_until(lambda: cabinet.parts.counters["COIN_IN"].count == 1, 5e6, "the second stake's step")
    assert cabinet.pico.now_us - begun_us > GAME_US


def test_reels_move_soon_after_start(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 1)
    cabinet.pico.run_for(300_000)
    panel = cabinet.parts.panel
    reels = panel.picture().crop((0, 24, 320, 206)).tobytes()
    pressed_us = cabinet.pico.now_us
    cabinet.parts.buttons["START"].press()
    cabinet.pico.run_until(
        lambda: panel.picture().crop((0, 24, 320, 206)).tobytes() != reels, 1e6, "a movement of the reels"
    )
    assert cabinet.pico.now_us - pressed_us < START_TO_MOVEMENT_US


def test_reels_are_emulated_in_real_time_on_one_core(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 1)
    cabinet.parts.buttons["START"].click()
    cabinet.pico.run_for(200_000)
    frames, begun_s = cabinet.parts.panel.frames, time.process_time()
    cabinet.pico.run_for(400_000)
    cpu_s = time.process_time() - begun_s
    assert cabinet.parts.panel.frames - frames > 5 * 15, "five reels turned"
    assert cpu_s < 0.4


@pytest.mark.rule("G-05")
def test_bet_buttons_change_the_stake(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 6)
    buttons = cabinet.parts.buttons
    buttons["LINES"].click()
    cabinet.pico.run_for(300_000)
    buttons["BET"].click()
    cabinet.pico.run_for(300_000)
    event = play(cabinet)
    assert (event["lines"], event["coin"], event["stakes"]) == (1, 2, 2)
    cabinet.pico.run_for(3e6)
    buttons["MAX_BET"].click()
    cabinet.pico.run_for(300_000)
    event = play(cabinet)
    assert (event["lines"], event["coin"], event["stakes"]) == (50, 10, 502)


def test_lamps_follow_what_can_be_pressed(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 1)
    lamps = cabinet.parts.lamps
    lit = {name for name, lamp in lamps.items() if lamp.on}
    assert lit == {"START", "LINES", "BET", "MAX_BET", "LEFT", "RIGHT"}
    cabinet.parts.buttons["START"].click()
    cabinet.pico.run_for(500_000)
    assert {name for name, lamp in lamps.items() if lamp.on} == {"START"}


def test_a_coin_during_a_game_lights_no_button_that_does_nothing(powered: Any) -> None:
    for seed in count(1):  # until a chip's noise makes a round without a win, which ends without a question
        cabinet = powered(seed)
        cabinet.wait_event("ready", BOOT_US)
        with_coins(cabinet, 1)
        lamps = cabinet.parts.lamps
        begun_us = cabinet.pico.now_us
        cabinet.parts.buttons["START"].click()
        cabinet.pico.run_for(300_000)
        with_coins(cabinet, 1)
        assert {name for name, lamp in lamps.items() if lamp.on} == {"START"}
        if not cabinet.finish_round()["win"]:
            break
    with_coins(cabinet, 1)
    assert cabinet.pico.now_us - begun_us < GAME_US
    assert not any(lamp.on for lamp in lamps.values())
    cabinet.pico.run_for(begun_us + GAME_US + 100_000 - cabinet.pico.now_us)
    assert {name for name, lamp in lamps.items() if lamp.on} == {"START", "LINES", "BET", "MAX_BET", "LEFT", "RIGHT"}


@pytest.mark.rule("CAB-65")
def test_a_host_that_does_not_read_does_not_stop_the_game(cabinet: VirtualCabinet) -> None:
    from host_tools.emulator.server import serve

    with serve(cabinet.pico, tcp=True, pty=False, pace=False) as server:
        import socket

        with socket.create_connection(("127.0.0.1", server.tcp_port or 0)) as host:
            host.sendall(b"garbage" * 200)
    with_coins(cabinet, 1)
    assert play(cabinet)["number"] == 1


@pytest.mark.rule("CAB-61")
def test_collect_wins_over_start_in_the_same_scan(cabinet: VirtualCabinet) -> None:
    with_coins(cabinet, 1)
    cabinet.parts.buttons["START"].click()
    cabinet.parts.buttons["COLLECT"].click()
    cabinet.pico.run_for(4e6)
    assert cabinet.events() == []
