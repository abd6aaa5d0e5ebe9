"""Doors, key, hopper line, service port, and the safety log of the whole cabinet."""

import pytest

from host_tools.emulator.cabinet import Cabinet, _uart_number


@pytest.fixture
def cabinet(bench, board):
    return Cabinet(bench, board)


@pytest.mark.parametrize("name", ["MAIN_DOOR", "CASH_BOX_DOOR"])
def test_door_reads_high_when_open_or_cut(cabinet, lines, board, name):
    bit = board.INPUTS.index(name)
    door = cabinet.doors[name]
    assert lines.read_inputs()[bit] == 0
    door.open()
    assert lines.read_inputs()[bit] == 1
    door.close()
    assert lines.read_inputs()[bit] == 0
    door.cut_wire()
    assert lines.read_inputs()[bit] == 1
    assert not door.is_open
    door.open()
    door.close()
    assert lines.read_inputs()[bit] == 1
    door.mend_wire()
    assert lines.read_inputs()[bit] == 0


def test_key_stays_where_it_is_turned(cabinet, lines, board):
    bit = board.INPUTS.index("ATTENDANT_KEY")
    assert lines.read_inputs()[bit] == 1
    cabinet.key.turn(True)
    assert (lines.read_inputs()[bit], cabinet.key.is_on) == (0, True)
    cabinet.key.turn(False)
    assert (lines.read_inputs()[bit], cabinet.key.is_on) == (1, False)


def test_hopper_motor_logs_its_line_and_stops_at_a_reset(cabinet, bench, board):
    assert bench.pins.level(board.HOPPER_SENSOR) == 1
    bench.run_for(100)
    bench.pins.set(board.HOPPER_MOTOR, 1)
    assert cabinet.hopper_motor.on
    bench.run_for(100)
    bench.reset()
    assert cabinet.hopper_motor.log == [(100, True), (200, False)]


def test_lines_that_must_be_low_in_reset_have_a_resistor(bench, board):
    bench.pins.floating_level = 1
    cabinet = Cabinet(bench, board)
    assert not cabinet.hopper_motor.on
    assert bench.pins.level(board.PANEL_BACKLIGHT) == 0
    assert cabinet.safety_violations(0, 1000) == []


def test_service_port_splits_lines(cabinet, bench):
    line = bench.uart(0)
    line.received += b"ready\r\ncredit 100\nhalf"
    assert cabinet.service.lines() == ["ready", "credit 100"]
    cabinet.service.send(b"status\n")
    assert line.sent == b"status\n"


@pytest.mark.parametrize(("pin", "uart"), [(0, 0), (12, 0), (16, 0), (28, 0), (4, 1), (8, 1), (20, 1), (24, 1)])
def test_uart_number_follows_the_chip(pin, uart):
    assert _uart_number(pin) == uart


def test_panel_is_attached_to_its_bus(cabinet, bench, board):
    assert bench.spi(board.PANEL_SPI).device is cabinet.panel


def start_safely(lines, bench, board):
    bench.pins.set(board.COIN_INHIBIT, 1)
    bench.pins.set(board.HOPPER_MOTOR, 0)
    lines.shift_outputs()
    lines.enable_outputs()


def test_safety_log_holds_the_state_at_power_on(cabinet, board):
    first = {event.line: (event.us, event.active) for event in cabinet.safety_log.events}
    assert first.pop("COIN_INHIBIT") == (0, True)
    assert first == dict.fromkeys(("HOPPER_MOTOR", "OUTPUTS_ENABLE", *board.OUTPUTS), (0, False))


def test_safety_violations_are_none_for_a_safe_start(cabinet, bench, board, lines):
    bench.run_for(10_000)
    start_safely(lines, bench, board)
    lines.shift_outputs("LAMP_START", "TOWER_LIGHT")
    bench.run_for(10_000)
    bench.reset()
    bench.run_for(10_000)
    assert cabinet.safety_violations() == []


def test_safety_violations_name_line_and_time(cabinet, bench, board, lines):
    start_safely(lines, bench, board)
    bench.run_for(1000)
    bench.pins.set(board.COIN_INHIBIT, 0)
    bench.run_for(1000)
    bench.pins.set(board.COIN_INHIBIT, 1)
    bench.pins.set(board.HOPPER_MOTOR, 1)
    bench.run_for(1000)
    bench.pins.set(board.HOPPER_MOTOR, 0)
    lines.shift_outputs("COUNTER_GAMES")
    bench.run_for(1000)
    assert cabinet.safety_violations() == [
        "coins accepted from 1.000 ms to 2.000 ms",
        "hopper motor on from 2.000 ms to 3.000 ms",
        "coil of counter GAMES on from 3.000 ms to 4.000 ms",
    ]


def test_safety_violations_look_at_their_interval_only(cabinet, bench, board):
    bench.pins.set(board.HOPPER_MOTOR, 1)
    bench.run_for(1000)
    bench.pins.set(board.HOPPER_MOTOR, 0)
    bench.run_for(1000)
    assert cabinet.safety_violations(1000) == []
    assert cabinet.safety_violations(400, 600) == ["hopper motor on from 0.400 ms to 0.600 ms"]
    assert cabinet.safety_violations(900) == ["hopper motor on from 0.900 ms to 1.000 ms"]


def test_safety_violations_see_outputs_enabled_before_the_first_latch(cabinet, lines, bench):
    lines.enable_outputs()
    bench.run_for(5)
    lines.shift_outputs()
    found = cabinet.safety_violations()
    assert len(found) == 4
    assert all("coil of counter" in line and "0.000 ms to 0.005 ms" in line for line in found)


def test_safety_log_is_safe_again_from_the_reset_on(cabinet, bench, board, lines):
    start_safely(lines, bench, board)
    bench.pins.set(board.COIN_INHIBIT, 0)
    bench.pins.set(board.HOPPER_MOTOR, 1)
    lines.shift_outputs("COUNTER_COIN_IN")
    bench.run_for(1000)
    bench.reset()
    bench.run_for(1000)
    assert len(cabinet.safety_violations(0, 1000)) == 3
    assert cabinet.safety_violations(1000) == []
