"""A bench without a processor: pins and time only.

The test is the chip: it sets and floats the pins as the firmware would. Levels follow the same rules as on the wire:
the chip wins over the outside, a driver over a resistor, and a pin that nothing holds reads `floating_level`: 0 by the
RP2040's own pull-down in reset, 1 to prove that a line has a resistor of its own.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

import pytest

from host_tools.boards import load_board


class BenchAlarm:
    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class BenchPins:
    def __init__(self) -> None:
        self.floating_level = 0
        self._chip: dict[int, int] = {}
        self._outside: dict[int, int] = {}
        self._pull: dict[int, int] = {}
        self._watchers: dict[int, list[Callable[[int], None]]] = {}

    def drive(self, pin: int, level: int) -> None:
        self._change(self._outside, pin, level)

    def release(self, pin: int) -> None:
        self._change(self._outside, pin, None)

    def pull(self, pin: int, level: int) -> None:
        self._change(self._pull, pin, level)

    def level(self, pin: int) -> int:
        for source in (self._chip, self._outside, self._pull):
            if pin in source:
                return source[pin]
        return self.floating_level

    def watch(self, pin: int, callback: Callable[[int], None]) -> None:
        self._watchers.setdefault(pin, []).append(callback)

    def set(self, pin: int, level: int) -> None:
        """The chip drives the pin."""
        self._change(self._chip, pin, level)

    def pulse(self, pin: int) -> None:
        """The chip sets the pin and clears it."""
        self.set(pin, 1)
        self.set(pin, 0)

    def float_all(self) -> None:
        """The chip's pins become inputs."""
        for pin in list(self._chip):
            self._change(self._chip, pin, None)

    def _change(self, source: dict[int, int], pin: int, level: int | None) -> None:
        before = self.level(pin)
        if level is None:
            source.pop(pin, None)
        else:
            source[pin] = level
        after = self.level(pin)
        if after != before:
            for callback in self._watchers.get(pin, ()):
                callback(after)


class BenchBus:
    def attach(self, device: object) -> None:
        self.device = device


class BenchUart:
    def __init__(self) -> None:
        self.received = bytearray()
        self.sent = bytearray()

    def send(self, data: bytes) -> None:
        self.sent += data


class Bench:
    """Emulated time that moves only in `run_for`, and the pins."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.notified = 0
        self.pins = BenchPins()
        self._events: list[tuple[int, int, BenchAlarm]] = []
        self._order = itertools.count()
        self._buses: dict[int, BenchBus] = {}
        self._uarts: dict[int, BenchUart] = {}

    @property
    def now_us(self) -> float:
        return self.now_ns / 1000

    def at(self, delay_us: float, action: Callable[[], None]) -> BenchAlarm:
        alarm = BenchAlarm(action)
        heapq.heappush(self._events, (self.now_ns + round(delay_us * 1000), next(self._order), alarm))
        return alarm

    def notify(self) -> None:
        self.notified += 1

    def run_for(self, us: float) -> None:
        end_ns = self.now_ns + round(us * 1000)
        while self._events and self._events[0][0] <= end_ns:
            self.now_ns, _, alarm = heapq.heappop(self._events)
            if alarm.action is not None:
                alarm.action()
        self.now_ns = end_ns

    def spi(self, n: int) -> BenchBus:
        return self._buses.setdefault(n, BenchBus())

    def uart(self, n: int) -> BenchUart:
        return self._uarts.setdefault(n, BenchUart())

    def reset(self) -> None:
        self.pins.float_all()


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture(scope="session")
def board():
    return load_board("pico_cabinet")


class Lines:
    """What a firmware does with the lines, at no cost of time: shifts outputs, reads inputs, talks to the panel."""

    def __init__(self, bench: Bench, board) -> None:
        self.pins = bench.pins
        self.board = board

    def enable_outputs(self, enabled: bool = True) -> None:
        self.pins.set(self.board.OUTPUTS_ENABLE, int(enabled != self.board.OUTPUTS_ENABLE_ACTIVE_LOW))

    def shift_outputs(self, *on: str, latch: bool = True) -> None:
        for name in reversed(self.board.OUTPUTS):
            self.pins.set(self.board.OUTPUTS_DATA, int(name in on))
            self.pins.pulse(self.board.OUTPUTS_CLOCK)
        if latch:
            self.pins.pulse(self.board.OUTPUTS_LATCH)

    def read_inputs(self, clocks: int = 16) -> list[int]:
        """The levels on DATA after a load and after each of the clocks but the last."""
        self.pins.set(self.board.INPUTS_LOAD, 0)
        self.pins.set(self.board.INPUTS_LOAD, 1)
        levels = []
        for _ in range(clocks):
            levels.append(self.pins.level(self.board.INPUTS_DATA))
            self.pins.pulse(self.board.INPUTS_CLOCK)
        return levels


@pytest.fixture
def lines(bench, board) -> Lines:
    return Lines(bench, board)
