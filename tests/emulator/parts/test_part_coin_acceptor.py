"""The pulse coin acceptor."""

from itertools import pairwise

import pytest

from host_tools.emulator.parts.coin_acceptor import CoinAcceptor
from host_tools.emulator.parts.contact import Bounce

COIN, INHIBIT = 2, 3


class CoinLine:
    """Records the coin line as (ms, active)."""

    def __init__(self, bench, active_low=True):
        self.edges = []
        self.acceptor = CoinAcceptor(
            bench,
            bench.pins,
            coin_pin=COIN,
            coin_active_low=active_low,
            inhibit_pin=INHIBIT,
            inhibit_active_low=False,
        )
        bench.pins.watch(COIN, lambda level: self.edges.append((bench.now_us / 1000, bool(level) != active_low)))


@pytest.fixture
def coin_line(bench):
    return CoinLine(bench)


@pytest.fixture
def acceptor(bench, coin_line):
    bench.pins.set(INHIBIT, 0)
    return coin_line.acceptor


@pytest.mark.parametrize("active_low", [True, False])
def test_acceptor_idles_at_the_inactive_level_from_power_on(bench, active_low):
    CoinLine(bench, active_low)
    assert bench.pins.level(COIN) == int(active_low)


def test_acceptor_is_inhibited_until_the_chip_drives_the_line(bench, coin_line):
    coin_line.acceptor.insert()
    bench.run_for(1_000_000)
    assert (coin_line.acceptor.accepted, coin_line.acceptor.returned, coin_line.edges) == (0, 1, [])
    assert coin_line.acceptor.log == [(0, "inhibited")]


def test_acceptor_sends_one_pulse_of_the_given_width(bench, coin_line, acceptor):
    acceptor.insert(pulse_ms=20, gap_ms=30, after_ms=7)
    bench.run_for(1_000_000)
    assert coin_line.edges == [(7, True), (27, False)]
    assert acceptor.accepted == 1


def test_acceptor_active_high_inverts_the_pulse(bench):
    line = CoinLine(bench, active_low=False)
    bench.pins.set(INHIBIT, 0)
    line.acceptor.insert()
    assert bench.pins.level(COIN) == 1
    bench.run_for(50_000)
    assert bench.pins.level(COIN) == 0


def test_acceptor_sends_coins_one_after_another(bench, coin_line, acceptor):
    acceptor.insert(coins=20)
    bench.run_for(3_000_000)
    assert coin_line.edges == [(k * 50.0, k % 2 == 0) for k in range(40)]
    assert acceptor.accepted == 20


def test_acceptor_sends_the_pulses_of_one_coin(bench, coin_line, acceptor):
    acceptor.insert(pulses=3, pulse_ms=50, gap_ms=80)
    bench.run_for(3_000_000)
    assert coin_line.edges == [(0, True), (50, False), (130, True), (180, False), (260, True), (310, False)]
    assert acceptor.accepted == 1


def test_acceptor_in_flight_coins_still_pulse_when_inhibited(bench, coin_line, acceptor):
    acceptor.insert()
    acceptor.insert()
    bench.run_for(10_000)
    bench.pins.set(INHIBIT, 1)
    acceptor.insert()
    bench.run_for(3_000_000)
    assert (acceptor.accepted, acceptor.returned) == (2, 1)
    assert coin_line.edges == [(0, True), (50, False), (100, True), (150, False)]


def test_acceptor_returns_the_coins_of_a_train_that_fall_after_the_inhibit(bench, coin_line, acceptor):
    acceptor.insert(coins=5)
    bench.run_for(160_000)
    bench.pins.set(INHIBIT, 1)
    bench.run_for(3_000_000)
    assert (acceptor.accepted, acceptor.returned) == (2, 3)
    assert len(coin_line.edges) == 4


def test_acceptor_returned_coins_take_the_time_of_a_train(bench, coin_line):
    coin_line.acceptor.insert(coins=3)
    bench.run_for(150_000)
    bench.pins.set(INHIBIT, 0)
    bench.run_for(1_000_000)
    assert (coin_line.acceptor.accepted, coin_line.acceptor.returned) == (1, 2)
    assert coin_line.edges == [(200, True), (250, False)]


def test_acceptor_inhibit_at_the_moment_of_the_coin_counts(bench, acceptor):
    bench.at(1000, lambda: bench.pins.set(INHIBIT, 1))
    acceptor.insert(after_ms=1)
    acceptor.insert(after_ms=0.999)
    bench.run_for(1_000_000)
    assert (acceptor.accepted, acceptor.returned) == (1, 1)


def test_acceptor_logs_the_inhibit_line(bench, coin_line):
    bench.run_for(1000)
    bench.pins.set(INHIBIT, 0)
    bench.run_for(1000)
    bench.pins.set(INHIBIT, 1)
    bench.run_for(1000)
    bench.pins.set(INHIBIT, 0)
    bench.run_for(1000)
    bench.reset()
    bench.reset()
    assert coin_line.acceptor.log == [
        (0, "inhibited"),
        (1000, "enabled"),
        (2000, "inhibited"),
        (3000, "enabled"),
        (4000, "inhibited"),
    ]


@pytest.mark.parametrize("width_ms", [1, 5, 9])
def test_acceptor_glitch_has_its_width_and_is_no_coin(bench, coin_line, width_ms):
    coin_line.acceptor.glitch(width_ms)
    bench.run_for(1_000_000)
    assert coin_line.edges == [(0, True), (width_ms, False)]
    assert (coin_line.acceptor.accepted, coin_line.acceptor.returned) == (0, 0)


def test_acceptor_jam_swallows_the_pulses_under_it(bench, coin_line, acceptor):
    acceptor.jam(2000)
    acceptor.insert(coins=2, after_ms=100)
    bench.run_for(5_000_000)
    assert coin_line.edges == [(0, True), (2000, False)]
    assert acceptor.accepted == 2


def test_acceptor_pulse_that_outlasts_a_glitch_keeps_the_line_active(bench, coin_line, acceptor):
    acceptor.glitch(10)
    acceptor.insert(after_ms=5)
    bench.run_for(1_000_000)
    assert coin_line.edges == [(0, True), (55, False)]


def test_acceptor_bounces_at_both_edges_of_each_pulse(bench, coin_line, acceptor):
    acceptor.insert(coins=2, bounce=Bounce(5, 1000))
    bench.run_for(1_000_000)
    assert len(coin_line.edges) == 2 * 22
    groups = [[edge for edge in coin_line.edges if start <= edge[0] < start + 50] for start in (0, 50, 100, 150)]
    assert [len(group) for group in groups] == [11, 11, 11, 11]
    assert all(after - before <= 1 for group in groups for (before, _), (after, _) in pairwise(group))
    assert coin_line.edges[-1][1] is False


def test_acceptor_takes_no_coin_for_none(bench, coin_line, acceptor):
    acceptor.insert(coins=0)
    bench.run_for(1_000_000)
    assert (acceptor.accepted, coin_line.edges) == (0, [])
