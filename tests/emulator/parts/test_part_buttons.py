"""Buttons, contact bounce and lamps."""

from itertools import pairwise

import pytest

from host_tools.emulator.cabinet import Cabinet
from host_tools.emulator.parts.contact import Bounce, Contact


@pytest.fixture
def cabinet(bench, board):
    return Cabinet(bench, board)


def edges(bench, move):
    """Runs `move(contact)` and returns its edges as (us, closed)."""
    seen = []
    contact = Contact(bench, lambda closed: seen.append((bench.now_us, closed)))
    move(contact)
    bench.run_for(1_000_000)
    return seen


def test_contact_without_bounce_makes_one_edge(bench):
    assert edges(bench, lambda contact: contact.move(True)) == [(0, True)]


def test_contact_bounces_count_times_and_settles(bench):
    seen = edges(bench, lambda contact: contact.move(True, Bounce(5, 1000, seed=3)))
    assert [closed for _, closed in seen] == [True, False] * 5 + [True]
    stays = [after - before for (before, _), (after, _) in pairwise(seen)]
    assert all(500 <= stay <= 1000 for stay in stays)
    assert len(set(stays)) > 1


def test_contact_bounce_is_the_same_for_the_same_seed():
    assert Bounce(5, 1000, seed=7).stays_us() == Bounce(5, 1000, seed=7).stays_us()
    assert Bounce(5, 1000, seed=7).stays_us() != Bounce(5, 1000, seed=8).stays_us()


def test_contact_moved_while_it_bounces_ends_where_it_was_moved(bench):
    seen = []
    contact = Contact(bench, lambda closed: seen.append(closed))
    contact.move(True, Bounce(5, 1000))
    bench.run_for(1500)
    contact.move(False)
    bench.run_for(1_000_000)
    assert seen[-1] is False
    assert contact.closed is False
    assert len(seen) <= 4


def test_button_press_and_release_move_the_input(cabinet, lines, board):
    start = board.INPUTS.index("START")
    cabinet.buttons["START"].press()
    assert cabinet.buttons["START"].pressed
    assert lines.read_inputs()[start] == 0
    cabinet.buttons["START"].release()
    assert lines.read_inputs()[start] == 1


def test_button_click_lasts_its_hold_time(cabinet, bench):
    cabinet.buttons["START"].click(hold_ms=80)
    bench.run_for(79_999)
    assert cabinet.inputs.on("START")
    bench.run_for(1)
    assert not cabinet.inputs.on("START")


def test_button_click_after_a_delay(cabinet, bench):
    cabinet.buttons["BET"].click(hold_ms=10, after_ms=5)
    bench.run_for(4_999)
    assert not cabinet.inputs.on("BET")
    bench.run_for(1)
    assert cabinet.inputs.on("BET")
    bench.run_for(10_000)
    assert not cabinet.inputs.on("BET")


def test_button_pressed_during_a_click_stays_pressed(cabinet, bench):
    cabinet.buttons["START"].click(hold_ms=80)
    bench.run_for(40_000)
    cabinet.buttons["START"].press()
    bench.run_for(1_000_000)
    assert cabinet.inputs.on("START")


def test_button_bounces_at_both_edges(cabinet, bench):
    cabinet.buttons["START"].bounce = Bounce(4, 1000)
    cabinet.buttons["START"].click(hold_ms=80)
    levels = []
    for _ in range(2000):  # every stay of the contact is at least 500 us
        levels.append((bench.now_us, cabinet.inputs.on("START")))
        bench.run_for(100)
    edges_us = [us for (_, before), (us, after) in pairwise(levels) if before != after]
    assert len([us for us in edges_us if us < 80_000]) == 8
    assert len([us for us in edges_us if us >= 80_000]) == 9
    assert not cabinet.inputs.on("START")


def test_buttons_and_lamps_are_those_of_the_board(cabinet):
    names = {"COLLECT", "LINES", "BET", "LEFT", "RIGHT", "GAMBLE", "MAX_BET", "START"}
    assert set(cabinet.buttons) == set(cabinet.lamps) == names


def test_lamp_logs_each_change_with_its_time(cabinet, bench, lines):
    lines.shift_outputs()
    lines.enable_outputs()
    bench.run_for(1000)
    lines.shift_outputs("LAMP_START")
    assert cabinet.lamps["START"].on
    assert not cabinet.lamps["COLLECT"].on
    bench.run_for(500)
    lines.shift_outputs()
    assert cabinet.lamps["START"].log == [(1000, True), (1500, False)]
    assert not cabinet.lamps["START"].on


def test_tower_light_and_bell_follow_their_outputs(cabinet, lines):
    lines.enable_outputs()
    lines.shift_outputs("BELL")
    assert (cabinet.bell.on, cabinet.tower_light.on) == (True, False)
    lines.shift_outputs("TOWER_LIGHT")
    assert (cabinet.bell.on, cabinet.tower_light.on) == (False, True)
