"""The two chains of shift registers between the Pico and the cabinet's inputs and outputs.

Levels on the Pico's side are pin levels; everything on the cabinet's side is by name and positive (`on`). Both classes
are called at every clock edge, some 64,000 times in an emulated second, so their callbacks do as little as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .wiring import Clock, Pins


class ShiftInputs:
    """A chain of 74HC165: parallel inputs, serial output, shifted by the rising clock edge.

    While LOAD is low the stages follow the inputs and the clock does nothing. The serial output is the last stage, so
    `names[0]` is on the wire before the first clock edge. The serial input of the chain is tied to ground.
    """

    def __init__(
        self,
        pins: Pins,
        *,
        clock_pin: int,
        load_pin: int,
        data_pin: int,
        names: Sequence[str],
        active_low: Sequence[str] = (),
    ) -> None:
        self._pins = pins
        self._data_pin = data_pin
        self._bits = {name: 1 << index for index, name in enumerate(names)}
        self._low = sum(self._bits[name] for name in active_low)
        self._on = 0
        self._stages = self._low
        self._level = -1
        self._loading = False
        pins.watch(load_pin, self._load_changed)
        pins.watch(clock_pin, self._clock_changed)
        self._load_changed(pins.level(load_pin))

    def set(self, name: str, on: bool) -> None:
        """The input `name` becomes active or inactive; its polarity comes from the board."""
        bit = self._bits[name]
        self._on = self._on | bit if on else self._on & ~bit
        if self._loading:
            self._load()

    def on(self, name: str) -> bool:
        """Whether the input `name` is active."""
        return bool(self._on & self._bits[name])

    def _load_changed(self, level: int) -> None:
        self._loading = not level
        if self._loading:
            self._load()

    def _load(self) -> None:
        self._stages = self._on ^ self._low
        self._show()

    def _clock_changed(self, level: int) -> None:
        if level and not self._loading:
            self._stages >>= 1
            self._show()

    def _show(self) -> None:
        level = self._stages & 1
        if level != self._level:
            self._level = level
            self._pins.drive(self._data_pin, level)


class ShiftOutputs:
    """A chain of 74HC595 with its output enable: serial input, parallel outputs.

    The rising clock edge shifts DATA in, the rising LATCH edge copies the stages to the outputs; `names[0]` is the bit
    shifted in last. While the enable line is inactive, and an external resistor keeps it so until the chip drives it,
    every output is off. A chip reset does not touch the latches.

    They come up in any state on silicon. Here they come up all on, the worst case, so that enabling the outputs
    before anything was latched is seen.
    """

    def __init__(
        self,
        clock: Clock,
        pins: Pins,
        *,
        data_pin: int,
        clock_pin: int,
        latch_pin: int,
        enable_pin: int,
        enable_active_low: bool,
        names: Sequence[str],
    ) -> None:
        self.names = tuple(names)
        self.enabled = False
        self._clock = clock
        self._pins = pins
        self._data_pin = data_pin
        self._enable_level = 0 if enable_active_low else 1
        self._bits = {name: 1 << index for index, name in enumerate(names)}
        self._mask = (1 << len(names)) - 1
        self._callbacks: dict[str, list[Callable[[bool], None]]] = {name: [] for name in names}
        self._stages = self._latched = self._mask
        self._visible = 0
        pins.pull(enable_pin, 1 - self._enable_level)
        pins.watch(clock_pin, self._clock_changed)
        pins.watch(latch_pin, self._latch_changed)
        pins.watch(enable_pin, self._enable_changed)
        self._enable_changed(pins.level(enable_pin))

    def on(self, name: str) -> bool:
        """Whether the output `name` is on as the cabinet sees it."""
        return bool(self._visible & self._bits[name])

    def on_change(self, name: str, callback: Callable[[bool], None]) -> None:
        """Calls `callback(on)` at each change of the output `name`."""
        self._callbacks[name].append(callback)

    def _clock_changed(self, level: int) -> None:
        if level:
            self._stages = (self._stages << 1 | self._pins.level(self._data_pin)) & self._mask

    def _latch_changed(self, level: int) -> None:
        if level:
            self._latched = self._stages
            self._show()

    def _enable_changed(self, level: int) -> None:
        self.enabled = level == self._enable_level
        self._show()

    def _show(self) -> None:
        visible = self._latched if self.enabled else 0
        changed = visible ^ self._visible
        if not changed:
            return
        self._visible = visible
        for name, bit in self._bits.items():
            if changed & bit:
                for callback in self._callbacks[name]:
                    callback(bool(visible & bit))
        self._clock.notify()
