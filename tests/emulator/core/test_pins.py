"""Who decides the level of a line, and that everybody who looks at it is told."""

from __future__ import annotations

import pytest

from host_tools.emulator.pico import Pico
from host_tools.errors import UsageError

OUT = "from machine import Pin\nPin(15, Pin.OUT, value={})"


def test_line_order_is_pico_driver_resistor_pad(pico: Pico) -> None:
    pins = pico.pins
    assert pins.level(15) == 0  # a fresh pad pulls down
    pins.pull(15, 1)
    assert pins.level(15) == 1
    pins.drive(15, 0)
    assert pins.level(15) == 0
    pico.console.exec(OUT.format(1))
    assert (pins.level(15), pins.output(15)) == (1, True)
    pico.console.exec("Pin(15, Pin.IN, Pin.PULL_UP)")
    assert pins.level(15) == 0
    pins.release(15)
    assert pins.level(15) == 1


def test_program_reads_pulls_drivers_and_its_own_output(pico: Pico) -> None:
    assert pico.console.exec("from machine import Pin\nprint(Pin(15, Pin.IN, Pin.PULL_UP).value())") == "1\n"
    pico.pins.drive(15, 0)
    assert pico.console.exec("print(Pin(15, Pin.IN, Pin.PULL_UP).value())") == "0\n"
    pico.pins.release(15)
    assert pico.console.exec("p = Pin(15, Pin.OUT, value=1)\na = p.value()\np.toggle()\nprint(a, p.value())") == "1 0\n"


def test_watchers_are_called_once_for_each_change(pico: Pico) -> None:
    seen: list[int] = []
    pico.pins.watch(15, seen.append)
    pico.pins.drive(15, 0)
    pico.pins.drive(15, 1)
    pico.pins.drive(15, 1)
    pico.pins.release(15)
    pico.console.exec("from machine import Pin\np = Pin(15, Pin.OUT, value=1)\np(1)\np(0)")
    assert seen == [1, 0, 1, 0]


def test_record_logs_exact_times(pico: Pico) -> None:
    pico.pins.record(15, "lamp")
    start_ns = pico.now_ns
    pico.at(100.5, lambda: pico.pins.drive(15, 1))
    pico.at(250, lambda: pico.pins.drive(15, 0))
    pico.run_for(300)
    assert pico.pins.events == [(start_ns, "lamp", 0), (start_ns + 100_500, "lamp", 1), (start_ns + 250_000, "lamp", 0)]
    assert pico.now_ns - start_ns == pytest.approx(300_000, abs=100)


def test_edge_interrupts_fire_once_for_each_edge(pico: Pico) -> None:
    pico.pins.drive(15, 1)
    pico.console.start(
        "from machine import Pin\nimport time\nedges = []\np = Pin(15, Pin.IN)\n"
        "p.irq(lambda p: edges.append(p.value()), Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)\n"
        "print('READY')\ntime.sleep_ms(5)\nprint(edges)\n"
    )
    pico.console.expect(b"READY\r\n")
    for index in range(4):
        pico.at(500 * (index + 1), lambda level=index % 2: pico.pins.drive(15, level))  # type: ignore[misc]
        pico.at(500 * (index + 1) + 100, lambda level=index % 2: pico.pins.drive(15, level))  # type: ignore[misc]
    assert pico.console.finish() == "[0, 1, 0, 1]\n"


def test_callback_that_raises_ends_the_run_with_its_error(pico: Pico) -> None:
    def refuse(level: int) -> None:
        raise RuntimeError(f"not {level}")

    pico.pins.watch(15, refuse)
    with pytest.raises(RuntimeError, match="not 1"):
        pico.console.exec("from machine import Pin\nPin(15, Pin.OUT, value=1)")
    with pytest.raises(RuntimeError, match="not 0"):
        pico.press_reset()


def test_pins_that_do_not_exist_are_refused(pico: Pico) -> None:
    with pytest.raises(UsageError, match="GPIO 30 does not exist"):
        pico.pins.drive(30, 1)


def test_reads_of_levels_inside_callbacks_see_the_new_level(pico: Pico) -> None:
    seen: list[tuple[int, int]] = []
    pico.pins.watch(15, lambda level: seen.append((level, pico.pins.level(15))))
    pico.pins.drive(15, 1)
    assert seen == [(1, 1)]
