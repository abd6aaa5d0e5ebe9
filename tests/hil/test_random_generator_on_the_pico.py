"""The random generator on the emulated Pico: its time and memory, what START and the buttons do to it, how it fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host_tools.emulator import rp2040py_compat
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet

# Two thirds of the limits, as the emulator has no model of the XIP cache.
TASK_US = 20_000 * 2 // 3
SEED_US = 2_000 * 2 // 3
SELF_TEST_US = 20_000 * 2 // 3
START_US = 150_000 * 2 // 3
RAM_BYTES = 6_000  # bytes are exact: no margin
SAFE_WITHIN_US = 50_000  # a task that has failed is looked for every 10 ms
SOURCE_FAILED_WITHIN_US = 2_000_000  # 121 equal bytes at 32 bytes each 200 ms

MEASURE = """
import gc, hashlib, array, os, time
import board, machine
import rules.portable
machine.freq(board.CPU_HZ, board.CPU_HZ)
gc.collect()
free = gc.mem_free()
from cabinet.hash_drbg import known_answer_test
from cabinet.random_generator import RandomGenerator
start = time.ticks_us()
known_answer_test()
print("self_test", time.ticks_us() - start)
start = time.ticks_us()
generator = RandomGenerator(os.urandom, machine.unique_id(), 0, b"", start)
print("start", time.ticks_us() - start)
gc.collect()
print("ram", free - gc.mem_free())

def worst(name, function, arguments, times):
    us = allocated = 0
    for _ in range(times):
        gc.collect()
        before = gc.mem_alloc()
        start = time.ticks_us()
        function(*arguments)
        us = max(us, time.ticks_us() - start)
        allocated = max(allocated, gc.mem_alloc() - before)
    print(name, us)
    print(name + "_allocated", allocated)

worst("mix", generator.mix, (123456789,), 12)
worst("seed", generator.next_seed, (), 12)
worst("cycle", generator.cycle, (), 70)
worst("mix_again", generator.mix, (123456789,), 12)
"""

WRONG_ANSWER = """
import cabinet.hash_drbg
import program
cabinet.hash_drbg._FOR_UPDATE = b"\\x04"
program.main()
"""


def kill_oscillator(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the ring oscillator's random bit is always 1."""
    monkeypatch.setattr(rp2040py_compat._RingOscillator, "read_uint32", lambda block, offset: 0xFFFF_FFFF)


def first_seed(cabinet: VirtualCabinet, wait_us: float, button: str = "") -> str:
    """The seed of the first round, START pressed so long after power-on; another button may be pressed before it."""
    cabinet.wait_event("ready", BOOT_US)
    cabinet.parts.coin_acceptor.insert(1)
    cabinet.wait_event("coin", 1e6)
    if button:
        cabinet.parts.buttons[button].click()
    cabinet.pico.run_for(wait_us - cabinet.pico.now_us)
    cabinet.parts.buttons["START"].click()
    return str(cabinet.finish_round(hurry=True)["seed"])


@pytest.mark.rule("CAB-50")
@pytest.mark.rule("CAB-51")
def test_generator_keeps_to_its_time_and_memory(bare_cabinet: VirtualCabinet) -> None:
    figures = dict(line.split() for line in bare_cabinet.pico.console.exec(MEASURE).splitlines() if line)
    measured = {name: int(number) for name, number in figures.items()}
    assert 0 < measured["self_test"] <= SELF_TEST_US
    assert measured["self_test"] < measured["start"] <= START_US
    assert 1_000 < measured["ram"] <= RAM_BYTES
    assert 0 < measured["seed"] <= SEED_US
    assert 0 < measured["cycle"] <= TASK_US
    assert measured["mix_allocated"] == measured["mix_again_allocated"] == 0


@pytest.mark.rule("CAB-51")
def test_the_time_of_start_and_of_buttons_decides_the_seed(powered: Callable[..., VirtualCabinet]) -> None:
    seeds = [
        first_seed(powered(), 3_000_000),
        first_seed(powered(), 3_050_000),  # within one cycle: the time of the button counts
        first_seed(powered(), 3_000_000, "BET"),
        first_seed(powered(), 4_000_000),
        first_seed(powered(2), 3_000_000),  # another chip
    ]
    assert len(set(seeds)) == len(seeds)
    assert first_seed(powered(), 3_000_000) == seeds[0]  # the same cabinet again: nothing else made the difference


@pytest.mark.rule("CAB-50")
@pytest.mark.rule("CAB-23")
def test_no_cabinet_with_a_dead_oscillator(
    powered: Callable[..., VirtualCabinet], monkeypatch: pytest.MonkeyPatch
) -> None:
    cabinet = powered()
    kill_oscillator(monkeypatch)
    cabinet.parts.coin_acceptor.insert(3)
    cabinet.pico.console.expect(b"the entropy source repeats itself")
    cabinet.pico.run_for(3e6)
    assert cabinet.events() == []
    assert cabinet.parts.coin_acceptor.accepted == 0
    assert cabinet.parts.safety_violations() == []


@pytest.mark.rule("CAB-50")
@pytest.mark.rule("CAB-23")
def test_no_cabinet_with_a_wrong_known_answer(cabinet: VirtualCabinet) -> None:
    cabinet.pico.console.start(WRONG_ANSWER)
    stopped_us = cabinet.pico.now_us
    cabinet.parts.coin_acceptor.insert(3)
    cabinet.pico.console.expect(b"fails its known-answer test")
    cabinet.pico.run_for(3e6)
    assert cabinet.events() == []
    assert cabinet.parts.coin_acceptor.accepted == 0
    assert cabinet.parts.safety_violations(stopped_us) == []


@pytest.mark.rule("CAB-50")
@pytest.mark.rule("CAB-23")
def test_the_cabinet_stops_when_the_oscillator_dies(cabinet: VirtualCabinet, monkeypatch: pytest.MonkeyPatch) -> None:
    cabinet.pico.run_for(1e6)
    died_us = cabinet.pico.now_us
    kill_oscillator(monkeypatch)
    cabinet.pico.console.expect(b"the entropy source repeats itself")
    cabinet.pico.run_for(SAFE_WITHIN_US)
    stopped_us = cabinet.pico.now_us
    assert stopped_us - died_us < SOURCE_FAILED_WITHIN_US
    cabinet.parts.coin_acceptor.insert(3)
    cabinet.pico.run_for(3e6)
    assert cabinet.events() == []
    assert cabinet.parts.coin_acceptor.accepted == 0
    assert cabinet.parts.safety_violations(stopped_us) == []
