"""The electromechanical counters."""

import pytest

from host_tools.emulator.cabinet import Cabinet


@pytest.fixture
def cabinet(bench, board, lines):
    cabinet = Cabinet(bench, board)
    lines.shift_outputs()
    lines.enable_outputs()
    return cabinet


@pytest.fixture
def counter(cabinet):
    return cabinet.counters["COIN_IN"]


@pytest.fixture
def pulse(bench, lines):
    """Gives pulses of (on ms, off ms) to the coin-in counter."""

    def give(*pulses):
        for on_ms, off_ms in pulses:
            lines.shift_outputs("COUNTER_COIN_IN")
            bench.run_for(on_ms * 1000)
            lines.shift_outputs()
            bench.run_for(off_ms * 1000)

    return give


@pytest.mark.parametrize(
    ("pulses", "count", "missed"),
    [
        ([(50, 50)] * 10, 10, 0),
        ([(40, 40)] * 3, 3, 0),
        ([(39, 100)], 0, 1),
        ([(39.999, 100), (40, 100)], 1, 1),
        ([(50, 39), (50, 100)], 1, 1),
        ([(50, 39.999), (50, 40), (50, 1)], 2, 1),
        ([(10, 10)] * 5, 0, 5),
        ([(5000, 50), (50, 50)], 2, 0),
    ],
)
def test_counter_advances_only_for_pulses_slow_enough(counter, pulse, pulses, count, missed):
    pulse(*pulses)
    assert (counter.count, counter.missed) == (count, missed)


def test_counter_first_pulse_after_power_on_counts(bench, board, lines):
    cabinet = Cabinet(bench, board)
    lines.shift_outputs("COUNTER_COIN_IN")
    lines.enable_outputs()
    bench.run_for(40_000)
    assert cabinet.counters["COIN_IN"].count == 1


def test_counter_shows_the_step_after_40_ms_of_a_pulse_and_once(bench, counter, lines):
    lines.shift_outputs("COUNTER_COIN_IN")
    bench.run_for(39_999)
    assert counter.count == 0
    bench.run_for(1)
    assert counter.count == 1
    bench.run_for(10_000_000)
    assert counter.count == 1
    lines.shift_outputs()
    assert (counter.count, counter.missed) == (1, 0)


def test_counter_logs_the_edges_of_its_coil(bench, counter, pulse):
    bench.run_for(1000)
    pulse((50, 50), (30, 50))
    assert counter.log == [(1000, True), (51_000, False), (101_000, True), (131_000, False)]


def test_counters_are_independent(bench, cabinet, lines):
    lines.shift_outputs("COUNTER_COIN_IN", "COUNTER_GAMES")
    bench.run_for(50_000)
    lines.shift_outputs("COUNTER_GAMES")
    bench.run_for(50_000)
    lines.shift_outputs()
    counts = {name: counter.count for name, counter in cabinet.counters.items()}
    assert counts == {"COIN_IN": 1, "COIN_OUT": 0, "GAMES": 1, "HAND_PAY": 0}


def test_counter_pulse_is_cut_by_a_chip_reset(bench, counter, lines):
    lines.shift_outputs("COUNTER_COIN_IN")
    bench.run_for(20_000)
    bench.reset()
    bench.run_for(100_000)
    assert (counter.count, counter.missed) == (0, 1)


def test_counter_unplugged_misses_and_raises_the_sense_input(cabinet, counter, pulse, lines, board):
    sense = board.INPUTS.index("METER_SENSE")
    assert lines.read_inputs()[sense] == 0
    counter.unplug()
    assert lines.read_inputs()[sense] == 1
    pulse((50, 50), (50, 50))
    assert (counter.count, counter.missed) == (0, 2)
    counter.plug()
    assert lines.read_inputs()[sense] == 0
    pulse((50, 50))
    assert (counter.count, counter.missed) == (1, 2)


def test_counter_sense_stays_while_any_coil_is_off(cabinet):
    cabinet.counters["COIN_IN"].unplug()
    cabinet.counters["GAMES"].unplug()
    cabinet.counters["COIN_IN"].plug()
    assert cabinet.inputs.on("METER_SENSE")
    cabinet.counters["GAMES"].plug()
    assert not cabinet.inputs.on("METER_SENSE")


def test_counter_unplugged_in_a_pulse_counts_by_the_time_it_had_current(bench, counter, lines):
    lines.shift_outputs("COUNTER_COIN_IN")
    bench.run_for(30_000)
    counter.unplug()
    bench.run_for(30_000)
    lines.shift_outputs()
    assert (counter.count, counter.missed) == (0, 1)


def test_counter_plugged_in_a_pulse_pulls_in_then(bench, counter, lines):
    counter.unplug()
    lines.shift_outputs("COUNTER_COIN_IN")
    bench.run_for(30_000)
    counter.plug()
    bench.run_for(40_000)
    lines.shift_outputs()
    assert counter.count == 1
