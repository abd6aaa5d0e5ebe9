"""The emulated Raspberry Pi Pico: the real firmware, instruction by instruction, in emulated time.

Deterministic: the same flash image, the same seed and the same calls give the same emulated nanoseconds. Everything
from outside happens at an exact emulated time (`at`, callbacks) or between two `run_*` calls, which return after an
instruction. There is no model of the XIP cache, so times of code in flash are lower bounds.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import EmulatorError
from .buses import SpiBus, UartLine
from .console import Console
from .nor_flash import NorFlash
from .pins import Pins
from .rp2040py_compat import Chip, Core

_POLL_US = 1000.0


class Alarm:
    """An action at an emulated time; returned by `Pico.at`."""

    def __init__(self, pico: Pico, delay_us: float, action: Callable[[], object]) -> None:
        def fire() -> None:
            action()
            pico.notify()

        self._alarm = pico.chip.alarm(fire)
        self._alarm.schedule(max(delay_us, 0.0) * 1000)

    def cancel(self) -> None:
        """The action does not happen any more; nothing when it has already."""
        self._alarm.cancel()


class Pico:
    """A Pico at power-on.

    Args:
        flash: the 2 MB image.
        core: "fast" executes instructions in C, "stock" in rp2040py's own core, for comparison (50 times slower).
        seed: draws the flash's erase and page times, the ring oscillator's bits and the unique id.
        progress: told when the fast path has to be compiled.

    Attributes:
        pins: the GPIO lines.
        flash: the flash chip.
        console: the USB serial port.
        resets: emulated microseconds of every reset.

    Raises:
        ToolMissing: rp2040py, a C compiler or Python's headers are missing.
        ImageError: the image has a wrong size.
    """

    def __init__(
        self,
        flash: bytes,
        *,
        core: Core = "fast",
        seed: int = 0,
        progress: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.chip = Chip(core, seed, progress)
        self.resets: list[float] = []
        self.flash = NorFlash(self.chip, flash, seed)
        self.pins = Pins(self.chip)
        self.console = Console(self)
        self._spi = [SpiBus(self, index) for index in range(2)]
        self._uarts = [UartLine(self, index) for index in range(2)]
        self._reset_callbacks: list[Callable[[], None]] = []
        self._dead = False
        self._condition: Callable[[], bool] | None = None
        self._timed_out = False
        self._deadline = self.chip.alarm(self._deadline_passed)
        self._poll = self.chip.alarm(self._poll_condition)
        self.chip.on_reset = self._was_reset
        self.chip.power_on()

    # ---- time
    @property
    def now_ns(self) -> int:
        """Emulated nanoseconds since power-on."""
        return int(self.chip.now_ns)

    @property
    def now_us(self) -> float:
        """Emulated microseconds since power-on."""
        return self.chip.now_ns / 1000

    @property
    def idle_ns(self) -> int:
        """How much of that time the CPU slept."""
        return int(self.chip.fast.idle_cycles) * 8

    def at(self, delay_us: float, action: Callable[[], object]) -> Alarm:
        """Calls `action` exactly `delay_us` from now."""
        return Alarm(self, delay_us, action)

    def run_for(self, us: float) -> None:
        """Runs for `us` emulated microseconds, or until `stop`.

        Raises:
            EmulatorError: the program did something silicon does not survive.
        """
        self._deadline.schedule(us * 1000)
        try:
            self._run()
        finally:
            self._deadline.cancel()

    def run_until(self, condition: Callable[[], bool], timeout_us: float = 10e6, what: str = "") -> None:
        """Runs until `condition()` holds, or until `stop`.

        It is looked at after every `notify`, every `at` action, every byte from the console or a UART, and every
        emulated millisecond.

        Args:
            condition: looks at anything, changes nothing.
            timeout_us: emulated time after which waiting is an error.
            what: what is waited for, for the message.

        Raises:
            EmulatorError: timed out; the message ends with the end of the console's output.
        """
        if condition():
            return
        self._timed_out = False
        self._condition = condition
        self._deadline.schedule(timeout_us * 1000)
        self._poll.schedule(_POLL_US * 1000)
        try:
            self._run()
        finally:
            self._condition = None
            self._deadline.cancel()
            self._poll.cancel()
        if self._timed_out and not condition():
            wanted = what or "what was waited for"
            if self.in_boot_loader:
                raise EmulatorError(f"flash holds no program, so {wanted} did not come", "flash it first")
            tail = self.console.tail()
            raise EmulatorError(
                f"{wanted} did not come within {timeout_us / 1e6:g} emulated seconds; the console ends with {tail!r}"
            )

    def stop(self) -> None:
        """Ends the current `run_*` after this instruction; for callbacks."""
        self.chip.stop()

    def notify(self) -> None:
        """Something changed that a `run_until` condition may look at."""
        if self._condition is not None and self._condition():
            self.chip.stop()

    def _run(self) -> None:
        if self._dead:
            raise EmulatorError("this Pico has lost its power", "make a new one from the image that power_cut returned")
        self.chip.run()

    def _deadline_passed(self) -> None:
        self._timed_out = True
        self.chip.stop()

    def _poll_condition(self) -> None:
        self._poll.schedule(_POLL_US * 1000)
        self.notify()

    # ---- power and reset
    @property
    def in_boot_loader(self) -> bool:
        """Whether the boot ROM waits for a UF2: flash holds no program, or the program asked for it."""
        return self.chip.in_boot_loader

    def on_reset(self, callback: Callable[[], None]) -> None:
        """Calls `callback` after each reset, whatever caused it, when all pins are inputs again."""
        self._reset_callbacks.append(callback)

    def press_reset(self) -> None:
        """RUN goes low and high again."""
        self.chip.press_reset()

    def power_cut(self, seed: int = 0) -> bytes:
        """Cuts the power now: this Pico is dead. Returns the flash as it reads afterwards, torn by `seed`."""
        image = self.flash.torn_image(seed)
        self._dead = True
        self.chip.stop()
        return image

    def _was_reset(self) -> None:
        self.resets.append(self.now_us)
        for callback in self._reset_callbacks:
            callback()
        self.notify()

    # ---- buses
    def spi(self, n: int) -> SpiBus:
        """SPI block 0 or 1."""
        return self._spi[n]

    def uart(self, n: int) -> UartLine:
        """UART 0 or 1."""
        return self._uarts[n]
