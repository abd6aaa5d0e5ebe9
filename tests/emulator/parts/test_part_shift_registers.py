"""The 74HC165 and 74HC595 chains on the bench without a processor."""

import pytest

from host_tools.emulator.parts.shift_registers import ShiftInputs, ShiftOutputs


@pytest.fixture
def inputs(bench, board):
    return ShiftInputs(
        bench.pins,
        clock_pin=board.INPUTS_CLOCK,
        load_pin=board.INPUTS_LOAD,
        data_pin=board.INPUTS_DATA,
        names=board.INPUTS,
        active_low=board.INPUTS_ACTIVE_LOW,
    )


@pytest.fixture
def outputs(bench, board):
    return ShiftOutputs(
        bench,
        bench.pins,
        data_pin=board.OUTPUTS_DATA,
        clock_pin=board.OUTPUTS_CLOCK,
        latch_pin=board.OUTPUTS_LATCH,
        enable_pin=board.OUTPUTS_ENABLE,
        enable_active_low=board.OUTPUTS_ENABLE_ACTIVE_LOW,
        names=board.OUTPUTS,
    )


def idle_levels(board):
    return [int(name in board.INPUTS_ACTIVE_LOW) for name in board.INPUTS]


def test_inputs_shift_first_name_first(inputs, lines, board):
    assert lines.read_inputs() == idle_levels(board)
    for index, name in enumerate(board.INPUTS):
        inputs.set(name, True)
        expected = idle_levels(board)
        expected[index] ^= 1
        assert lines.read_inputs() == expected, name
        inputs.set(name, False)
    assert lines.read_inputs() == idle_levels(board)


def test_inputs_are_transparent_while_load_is_low(inputs, bench, board):
    bench.pins.set(board.INPUTS_LOAD, 0)
    assert bench.pins.level(board.INPUTS_DATA) == 1
    inputs.set("COLLECT", True)
    assert bench.pins.level(board.INPUTS_DATA) == 0
    inputs.set("COLLECT", False)
    assert bench.pins.level(board.INPUTS_DATA) == 1


def test_inputs_hold_what_was_loaded(inputs, bench, board, lines):
    bench.pins.set(board.INPUTS_LOAD, 0)
    bench.pins.set(board.INPUTS_LOAD, 1)
    inputs.set("COLLECT", True)
    assert bench.pins.level(board.INPUTS_DATA) == 1
    assert lines.read_inputs()[0] == 0


def test_inputs_ignore_the_clock_while_load_is_low(inputs, bench, board):
    inputs.set("COLLECT", True)
    bench.pins.set(board.INPUTS_LOAD, 0)
    for _ in range(3):
        bench.pins.pulse(board.INPUTS_CLOCK)
    bench.pins.set(board.INPUTS_LOAD, 1)
    assert bench.pins.level(board.INPUTS_DATA) == 0


def test_inputs_shift_on_the_rising_edge_only(inputs, bench, board):
    inputs.set("COLLECT", True)
    bench.pins.set(board.INPUTS_LOAD, 0)
    bench.pins.set(board.INPUTS_LOAD, 1)
    assert bench.pins.level(board.INPUTS_DATA) == 0
    bench.pins.set(board.INPUTS_CLOCK, 1)
    assert bench.pins.level(board.INPUTS_DATA) == 1
    inputs.set("LINES", True)
    bench.pins.set(board.INPUTS_CLOCK, 0)
    assert bench.pins.level(board.INPUTS_DATA) == 1


def test_inputs_shift_in_ground_after_the_last_stage(inputs, lines):
    assert lines.read_inputs(clocks=20)[16:] == [0, 0, 0, 0]


def test_inputs_refuse_an_unknown_name(inputs):
    with pytest.raises(KeyError):
        inputs.set("NO_SUCH_INPUT", True)


def test_outputs_are_off_until_enabled(outputs, lines, board):
    assert not outputs.enabled
    assert not any(outputs.on(name) for name in board.OUTPUTS)
    lines.shift_outputs("LAMP_START")
    assert not outputs.on("LAMP_START")
    lines.enable_outputs()
    assert [name for name in board.OUTPUTS if outputs.on(name)] == ["LAMP_START"]


def test_outputs_show_their_power_on_noise_when_enabled_before_a_latch(outputs, lines, board):
    lines.enable_outputs()
    assert all(outputs.on(name) for name in board.OUTPUTS)


def test_outputs_first_name_is_shifted_in_last(outputs, lines, board):
    lines.enable_outputs()
    for name in board.OUTPUTS:
        lines.shift_outputs(name)
        assert [other for other in board.OUTPUTS if outputs.on(other)] == [name]


def test_outputs_change_at_the_latch_only(outputs, lines, bench, board):
    lines.shift_outputs()
    lines.enable_outputs()
    lines.shift_outputs("BELL", latch=False)
    assert not outputs.on("BELL")
    bench.pins.set(board.OUTPUTS_LATCH, 1)
    assert outputs.on("BELL")


def test_outputs_take_data_at_the_rising_edge(outputs, lines, bench, board):
    lines.shift_outputs()
    lines.enable_outputs()
    bench.pins.set(board.OUTPUTS_DATA, 1)
    bench.pins.set(board.OUTPUTS_CLOCK, 1)
    bench.pins.set(board.OUTPUTS_DATA, 0)
    bench.pins.set(board.OUTPUTS_CLOCK, 0)
    bench.pins.pulse(board.OUTPUTS_LATCH)
    assert [name for name in board.OUTPUTS if outputs.on(name)] == [board.OUTPUTS[0]]


def test_outputs_drop_what_leaves_the_last_stage(outputs, lines, bench, board):
    lines.enable_outputs()
    lines.shift_outputs(*board.OUTPUTS)
    lines.shift_outputs()
    notified = bench.notified
    lines.shift_outputs()
    assert bench.notified == notified, "nothing changed"
    assert not any(outputs.on(name) for name in board.OUTPUTS)


def test_outputs_call_watchers_at_each_change_of_their_own_bit(outputs, lines):
    seen = []
    outputs.on_change("BELL", lambda on: seen.append(on))
    lines.shift_outputs("BELL", "TOWER_LIGHT")
    assert seen == []
    lines.enable_outputs()
    lines.shift_outputs("BELL")
    lines.shift_outputs("TOWER_LIGHT")
    lines.shift_outputs("BELL")
    lines.enable_outputs(False)
    assert seen == [True, False, True, False]


def test_outputs_are_off_after_a_chip_reset(outputs, lines, bench):
    lines.shift_outputs("BELL")
    lines.enable_outputs()
    seen = []
    outputs.on_change("BELL", lambda on: seen.append(on))
    bench.reset()
    assert seen == [False]
    lines.enable_outputs()
    assert outputs.on("BELL"), "the latches have no reset"
