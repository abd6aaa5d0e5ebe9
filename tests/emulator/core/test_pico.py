"""Time, the run loop, the console and what the seed decides."""

from __future__ import annotations

import signal
import sys
import types
from collections.abc import Callable

import pytest

from host_tools.emulator import measure, rp2040py_compat
from host_tools.emulator.console import ProgramError
from host_tools.emulator.pico import Pico
from host_tools.errors import EmulatorError, ToolMissing


def test_boots_to_the_console_in_emulated_milliseconds(make_pico: Callable[..., Pico]) -> None:
    pico = make_pico()
    pico.console.wait_connected()
    assert 10_000 < pico.now_us < 30_000
    assert pico.console.exec("import sys\nprint(sys.platform, sys.implementation.version[:2])") == "rp2 (1, 25)\n"


def test_at_runs_actions_in_order_at_exact_times(pico: Pico) -> None:
    log: list[tuple[str, int]] = []
    start = pico.now_ns
    pico.at(20, lambda: log.append(("b", pico.now_ns - start)))
    pico.at(10.25, lambda: log.append(("a", pico.now_ns - start)))
    cancelled = pico.at(15, lambda: log.append(("never", 0)))
    pico.at(20, lambda: log.append(("c", pico.now_ns - start)))
    cancelled.cancel()
    pico.run_for(30)
    assert log == [("a", 10_250), ("b", 20_000), ("c", 20_000)]


def test_run_until_stops_at_the_instruction_after_the_event(pico: Pico) -> None:
    done: list[int] = []
    pico.at(777, lambda: done.append(1))
    start = pico.now_us
    pico.run_until(lambda: bool(done))
    assert pico.now_us - start == pytest.approx(777, abs=0.2)


def test_run_until_looks_every_millisecond_without_being_told(pico: Pico) -> None:
    pico.console.start("from machine import Pin\nimport time\np = Pin(15, Pin.OUT, value=0)\ntime.sleep_ms(7)\np(1)\n")
    pico.run_until(lambda: pico.pins.level(15) == 1, 1e6)
    assert pico.pins.level(15) == 1


def test_time_out_shows_the_end_of_the_console(pico: Pico) -> None:
    pico.console.start("print('last words')\nwhile True: pass")
    with pytest.raises(EmulatorError, match=r"within 0\.1 emulated seconds; the console ends with 'last words"):
        pico.run_until(lambda: False, 100_000)
    pico.console.interrupt()
    pico.console.expect(b"KeyboardInterrupt")


def test_stop_from_a_callback_ends_the_run(pico: Pico) -> None:
    start = pico.now_us
    pico.at(50, pico.stop)
    pico.run_for(1e6)
    assert pico.now_us - start == pytest.approx(50, abs=0.2)


def test_program_that_raises_is_reported_with_its_traceback(pico: Pico) -> None:
    with pytest.raises(ProgramError, match="ZeroDivisionError"):
        pico.console.exec("1 // 0")


def test_console_takes_large_input_and_output(pico: Pico) -> None:
    assert pico.console.exec(f"data = {'x' * 6000!r}\nprint(len(data), data)") == "6000 " + "x" * 6000 + "\n"


def test_sleep_is_exact_and_idle(pico: Pico) -> None:
    start, idle = pico.now_us, pico.idle_ns
    pico.console.exec("import time\ntime.sleep(2)")
    assert 2_000_000 < pico.now_us - start < 2_100_000
    assert pico.idle_ns - idle > 1_990_000_000


def test_seed_decides_random_bits_and_unique_id(make_pico: Callable[..., Pico]) -> None:
    program = "import os, machine\nprint(os.urandom(16), machine.unique_id())"
    outputs = [make_pico(seed=seed).console.exec(program) for seed in (1, 1, 2)]
    assert outputs[0] == outputs[1] != outputs[2]


def test_poll_loops_are_skipped_without_a_difference(make_pico: Callable[..., Pico]) -> None:
    program = (
        "import micropython, time, machine\nfrom machine import Pin\n"
        "@micropython.viper\ndef wait_high() -> int:\n"
        "  p = ptr32(0xd0000004)\n  n = 0\n  while not p[0] & (1 << 15):\n    pass\n  return n\n"
        "Pin(15, Pin.IN)\nwait_high()\nprint(time.ticks_us())"
    )
    outputs = []
    for core in ("fast", "stock"):
        pico = make_pico(core=core)
        pico.console.start(program)
        pico.at(12_345.6, lambda pico=pico: pico.pins.drive(15, 1))
        outputs.append((pico.console.finish(), pico.now_ns))
    assert outputs[0] == outputs[1]


def test_other_versions_of_rp2040py_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rp2040py_compat.importlib.metadata, "version", lambda name: "0.4.0")
    with pytest.raises(ToolMissing, match=r"rp2040py 0\.4\.0 is installed, but the emulator needs 0\.3\.6"):
        rp2040py_compat.check_version()


def test_missing_compiler_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    from host_tools.emulator import fastpath

    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fastpath, "_loaded", None)
    told: list[str] = []
    with pytest.raises(ToolMissing, match=r"no C compiler \(no-such-compiler\).*build-essential"):
        fastpath.load("0.3.6", told.append)
    assert told == ["compiling the emulator's fast path (once)"]


def test_missing_headers_are_named_with_their_package(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    from host_tools.emulator import fastpath

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(fastpath, "_loaded", None)
    sysconfig = types.SimpleNamespace(**{**vars(fastpath.sysconfig), "get_path": lambda name: str(tmp_path)})
    monkeypatch.setattr(fastpath, "sysconfig", sysconfig)
    with pytest.raises(ToolMissing, match=r"headers are missing .*python3-dev"):
        fastpath.load("0.3.6")
    assert "sysconfig" in sys.modules


def test_signal_ends_a_long_run(pico: Pico) -> None:
    class Interrupted(Exception):
        pass

    def interrupt(number: int, frame: object) -> None:
        raise Interrupted

    pico.console.start("while True: pass")
    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Interrupted):
            pico.run_for(1e12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    pico.console.interrupt()
    pico.console.expect(b"KeyboardInterrupt")


def test_busy_code_runs_in_real_time_on_one_core(bare_image: bytes) -> None:
    figures = measure.measure(bare_image, loop_rounds=200_000)
    assert figures.emulated_mhz >= 125  # the clock that MicroPython sets
    assert 10 < figures.boot_to_console_ms < 30
    assert figures.boot_wall_s > 0
