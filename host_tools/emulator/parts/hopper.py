"""The hopper's motor line and its coin sensor at rest."""

from __future__ import annotations

from .wiring import Clock, Pins


class HopperMotor:
    """The motor's driver input with its resistor to "off", and the exit sensor at its idle level: no coin ever falls.

    Attributes:
        on: whether the motor turns now.
        log: every change as (emulated microseconds, on).
    """

    def __init__(
        self,
        clock: Clock,
        pins: Pins,
        *,
        motor_pin: int,
        motor_active_low: bool,
        sensor_pin: int,
        sensor_active_low: bool,
    ) -> None:
        self.on = False
        self.log: list[tuple[float, bool]] = []
        self._clock = clock
        self._on_level = 0 if motor_active_low else 1
        pins.pull(motor_pin, 1 - self._on_level)
        pins.drive(sensor_pin, 1 if sensor_active_low else 0)
        pins.watch(motor_pin, self._motor_changed)
        self._motor_changed(pins.level(motor_pin))

    def _motor_changed(self, level: int) -> None:
        on = level == self._on_level
        if on != self.on:
            self.on = on
            self.log.append((self._clock.now_us, on))
            self._clock.notify()
