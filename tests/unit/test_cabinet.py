"""Ledger, counters, buttons and coins."""

from cabinet.buttons import Debouncer
from cabinet.coins import CoinPulses
from cabinet.counters import CounterPulser, CounterQueue
from cabinet.ledger import Ledger
from portable import raises, rule
from ui.money import money


@rule("CAB-01")
def test_credit_rises_with_each_coin_and_at_the_end_of_a_game():
    ledger = Ledger()
    ledger.coin(100)
    ledger.coin(100)
    assert ledger.credit_minor == 200
    ledger.stake(50)
    assert ledger.credit_minor == 150
    ledger.win(320)
    assert (ledger.credit_minor, ledger.stakes_minor, ledger.wins_minor, ledger.games) == (470, 50, 320, 1)
    ledger.audit()


def test_ledger_refuses_a_stake_the_credit_does_not_cover():
    ledger = Ledger()
    ledger.coin(100)
    raises(ValueError, ledger.stake, 101)
    raises(ValueError, ledger.stake, 0)
    assert (ledger.credit_minor, ledger.stakes_minor, ledger.games) == (100, 0, 0)


@rule("CAB-02")
def test_audit_finds_a_changed_credit_before_the_next_game():
    ledger = Ledger()
    ledger.coin(100)
    ledger.credit_minor += 1
    raises(ValueError, ledger.audit)
    raises(ValueError, ledger.stake, 50)


def stepped(queue, total_ms, step_ms=5, on_ms=50, off_ms=50):
    """Runs a pulser and returns the times of its coil edges."""
    now = [0]
    edges = []
    pulser = CounterPulser(queue, lambda on: edges.append((now[0], on)), on_ms, off_ms)
    while now[0] < total_ms:
        pulser.advance(step_ms * 1000)
        now[0] += step_ms
    return edges


@rule("CAB-06")
def test_counter_steps_are_50_ms_on_and_50_ms_off():
    queue = CounterQueue(100)
    queue.add(300)
    edges = stepped(queue, 1000)
    assert edges == [(0, True), (50, False), (100, True), (150, False), (200, True), (250, False)]
    assert queue.pending == 0


@rule("CAB-06")
def test_counter_keeps_the_remainder():
    queue = CounterQueue(100)
    steps = []
    for amount in (50, 50, 250, 49, 1):
        queue.add(amount)
        steps.append(queue.pending)
    assert steps == [0, 1, 3, 3, 4]


@rule("CAB-06")
def test_counter_is_never_faster_than_its_times():
    queue = CounterQueue(1)
    queue.add(20)
    edges = stepped(queue, 4000, step_ms=7)
    assert len(edges) == 40
    for (before, _), (after, _) in zip(edges, edges[1:]):
        assert after - before >= 50


def fed(debouncer, *runs):
    """Feeds runs of (word, samples) and returns how often each bit was pressed."""
    presses = {}
    for word, samples in runs:
        for _ in range(samples):
            pressed = debouncer.sample(word)
            for bit in range(16):
                if pressed >> bit & 1:
                    presses[bit] = presses.get(bit, 0) + 1
    return presses


@rule("CAB-61")
def test_button_acts_once_after_5_ms():
    assert fed(Debouncer(5, 20), (0, 50), (1, 4), (0, 50)) == {}
    assert fed(Debouncer(5, 20), (0, 50), (1, 5), (0, 50)) == {0: 1}
    assert fed(Debouncer(5, 20), (0, 50), (1, 30000), (0, 50)) == {0: 1}


@rule("CAB-61")
def test_button_bounce_of_press_and_release_is_one_press():
    bounce = ((1, 2), (0, 1), (1, 3), (0, 2), (1, 100), (0, 8), (1, 2), (0, 10), (1, 4), (0, 100))
    assert fed(Debouncer(5, 20), (0, 50), *bounce) == {0: 1}


@rule("CAB-61")
def test_buttons_are_debounced_apart():
    assert fed(Debouncer(5, 20), (0b01, 3), (0b11, 4), (0b10, 30), (0b11, 30), (0, 30)) == {0: 2, 1: 1}


def test_button_held_at_start_is_no_press():
    assert fed(Debouncer(5, 20, active=1), (1, 100), (0, 30), (1, 10)) == {0: 1}


@rule("CAB-11")
def test_coin_is_half_to_one_and_a_half_of_nominal():
    coins = CoinPulses(50)
    assert [coins.pulse(width) for width in (24_990, 25_000, 50_000, 75_000, 75_010, 1_000)] == [0, 1, 1, 1, 0, 0]
    assert (coins.coins, coins.glitches, coins.bad) == (3, 2, 1)


@rule("CAB-61")
def test_debouncer_is_settled_when_equal_samples_change_nothing():
    debouncer = Debouncer(5, 20)
    assert debouncer.settled
    debouncer.sample(1)
    assert not debouncer.settled
    debouncer.sample(0)
    assert debouncer.settled and debouncer.active == 0


def test_money_has_two_decimals_while_they_fit_the_meter():
    assert [money(minor) for minor in (0, 5, 1234, 9_999_999)] == ["0.00", "0.05", "12.34", "99999.99"]
    assert [money(minor) for minor in (10_000_000, 123_456_789)] == ["100000", "1234567"]


@rule("G-01")
def test_void_gives_the_stake_back_and_the_ledger_balances():
    ledger = Ledger()
    ledger.coin(100)
    ledger.stake(50)
    ledger.void(50)
    ledger.audit()
    assert (ledger.credit_minor, ledger.stakes_minor, ledger.voided_minor, ledger.wins_minor) == (100, 50, 50, 0)


@rule("MM-12")
def test_gamble_is_counted_and_moves_nothing():
    ledger = Ledger()
    ledger.coin(100)
    ledger.gamble(40, 80)
    ledger.audit()
    assert (ledger.gamble_in_minor, ledger.gamble_out_minor) == (40, 80)
    assert (ledger.credit_minor, ledger.stakes_minor, ledger.wins_minor) == (100, 0, 0)
