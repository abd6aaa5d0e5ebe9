"""State machines against the time base: nothing is lost while the CPU is busy, asleep or kept out of flash."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from host_tools.emulator.pico import Pico

COUNTER = """
import rp2, time
from machine import Pin

@rp2.asm_pio()
def count():
    set(x, 0)
    wrap_target()
    wait(0, pin, 0)
    jmp(x_dec, "down")
    label("down")
    wait(1, pin, 0)
    wrap()

counter = rp2.StateMachine(0, count, freq=1_000_000, in_base=Pin(2, Pin.IN, Pin.PULL_UP))
counter.active(1)

def pulses():
    counter.exec("mov(isr, invert(x))")
    counter.exec("push()")
    return (counter.get() + 1) & 0xFFFFFFFF
"""

PANEL_WITHOUT_PAUSE = """
import machine, uctypes
from machine import SPI
machine.freq(125_000_000, 125_000_000)
spi = SPI(0, baudrate=62_500_000, sck=Pin(18), mosi=Pin(19), miso=None)
data = uctypes.bytearray_at(0x10001000, 4096)
print("READY")
end = time.ticks_add(time.ticks_ms(), 120)
while time.ticks_diff(end, time.ticks_ms()) > 0:
    spi.write(data)
print(pulses())
"""

ERASE = """
flash = rp2.Flash(start=0x120000, len=4096)
print("READY")
time.sleep_ms(300)
before = time.ticks_us()
flash.ioctl(6, 0)
print(time.ticks_diff(time.ticks_us(), before) >= 400_000)
time.sleep_ms(1500)
print(pulses())
"""


class Sink:
    """An SPI part that counts bytes."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, data: bytes) -> None:
        self.bytes += len(data)


def train(pico: Pico, count: int, low_us: float, period_us: float) -> None:
    for index in range(count):
        pico.at(index * period_us, lambda: pico.pins.drive(2, 0))
        pico.at(index * period_us + low_us, lambda: pico.pins.drive(2, 1))


def test_counter_loses_no_pulse_while_the_cpu_writes_the_panel(pico: Pico) -> None:
    sink = Sink()
    pico.spi(0).attach(sink)
    pico.pins.drive(2, 1)
    pico.console.start(COUNTER + PANEL_WITHOUT_PAUSE)
    pico.console.expect(b"READY\r\n")
    train(pico, 500, 100, 200)
    assert pico.console.finish() == "500\n"
    assert sink.bytes > 500_000


def test_counter_loses_no_coin_while_the_flash_erases_for_400_ms(pico: Pico) -> None:
    pico.pins.drive(2, 1)
    pico.console.start(COUNTER + ERASE)
    pico.console.expect(b"READY\r\n")
    pico.flash.slow_next_us = 400_000
    train(pico, 20, 50_000, 100_000)
    pico.run_until(lambda: pico.flash.busy, 1e6)
    assert pico.console.finish() == "True\n20\n"


def test_counter_counts_while_the_cpu_sleeps(pico: Pico) -> None:
    pico.pins.drive(2, 1)
    pico.console.start(COUNTER + "print('READY')\ntime.sleep_ms(50)\nprint(pulses())")
    pico.console.expect(b"READY\r\n")
    train(pico, 400, 20, 100)
    assert pico.console.finish() == "400\n"


def test_pulse_shorter_than_the_machines_clock_is_missed(pico: Pico) -> None:
    pico.pins.drive(2, 1)
    pico.console.start(COUNTER + "print('READY')\ntime.sleep_ms(5)\nprint(pulses())")
    pico.console.expect(b"READY\r\n")
    train(pico, 10, 0.2, 100.5)  # a fifth of a clock: the machine sees the line only at its clock edges
    assert int(pico.console.finish()) <= 3


def test_output_edges_come_at_the_divided_clock(pico: Pico) -> None:
    pico.pins.record(15, "out")
    pico.console.exec(
        "import rp2, time\nfrom machine import Pin\n"
        "@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW)\n"
        "def wave():\n set(pins, 1)[3]\n set(pins, 0)[4]\n"
        "sm = rp2.StateMachine(0, wave, freq=100_000, set_base=Pin(15))\n"
        "sm.active(1)\ntime.sleep_ms(1)\nsm.active(0)\n"
    )
    edges = [event for event in pico.pins.events if event.name == "out"]
    rising = [event.ns for event in edges if event.level]
    gaps = {later - earlier for earlier, later in itertools.pairwise(rising)}
    assert len(rising) >= 10
    assert gaps == {90_000}


def test_joined_fifo_is_eight_deep_and_overflow_stalls(pico: Pico) -> None:
    out = pico.console.exec(
        "import rp2, time\n"
        "@rp2.asm_pio(fifo_join=rp2.PIO.JOIN_RX, autopush=True, push_thresh=32)\n"
        "def flood():\n label('again')\n in_(x, 32)\n jmp(x_dec, 'again')\n"
        "sm = rp2.StateMachine(0, flood)\nsm.active(1)\ntime.sleep_ms(1)\n"
        "level = sm.rx_fifo()\nvalues = [sm.get() for _ in range(10)]\n"
        "print(level, values == [(-i) & 0xFFFFFFFF for i in range(10)])\nsm.active(0)"
    )
    assert out == "8 True\n"


def test_blocking_pull_resumes_and_tx_fifo_holds_four(pico: Pico) -> None:
    out = pico.console.exec(
        "import rp2, time\n"
        "@rp2.asm_pio()\n"
        "def echo():\n pull(block)\n mov(isr, osr)\n push(block)\n"
        "sm = rp2.StateMachine(1, echo, freq=1_000_000)\n"
        "for i in range(4): sm.put(i * 3)\n"
        "print(sm.tx_fifo())\nsm.active(1)\nprint([sm.get() for _ in range(4)])\n"
        "sm.put(77)\nprint(sm.get())\nsm.active(0)"
    )
    assert out == "4\n[0, 3, 6, 9]\n77\n"


def test_state_machines_stop_and_pins_float_after_a_reset(pico: Pico) -> None:
    levels: list[int] = []
    pico.console.start(
        "import rp2, machine\nfrom machine import Pin\n"
        "@rp2.asm_pio(set_init=rp2.PIO.OUT_HIGH)\n"
        "def high():\n set(pins, 1)\n"
        "sm = rp2.StateMachine(0, high, set_base=Pin(15))\nsm.active(1)\nprint('READY')\n"
        "while True: pass\n"
    )
    pico.console.expect(b"READY\r\n")
    assert pico.pins.level(15) == 1
    pico.pins.watch(15, levels.append)
    pico.press_reset()
    assert levels == [0]
    assert not pico.pins.output(15)


def test_two_runs_are_the_same_to_the_nanosecond(make_pico: Callable[..., Pico]) -> None:
    results = []
    for _ in range(2):
        pico = make_pico(seed=9)
        pico.pins.drive(2, 1)
        pico.pins.record(15, "out")
        pico.console.start(COUNTER + "print('READY')\nPin(15, Pin.OUT, value=1)\ntime.sleep_ms(20)\nprint(pulses())")
        pico.console.expect(b"READY\r\n")
        train(pico, 30, 77.7, 333.3)
        results.append((pico.console.finish(), pico.now_ns, tuple(pico.pins.events)))
    assert results[0] == results[1]
    assert results[0][0] == "30\n"
