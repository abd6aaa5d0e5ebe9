"""Illuminated buttons: the switch and the lamp in it."""

from __future__ import annotations

from .contact import Bounce, Contact
from .shift_registers import ShiftInputs
from .wiring import Alarm, Clock


class Button:
    """A push button on one input of the chain; `bounce`, when set, happens at every press and release."""

    def __init__(self, clock: Clock, inputs: ShiftInputs, name: str, bounce: Bounce | None = None) -> None:
        self.name = name
        self.bounce = bounce
        self.pressed = False
        self._clock = clock
        self._contact = Contact(clock, lambda closed: inputs.set(name, closed))
        self._release: Alarm | None = None

    def press(self) -> None:
        """A finger presses the button and holds it; a click under way becomes a hold."""
        self._finger(True)

    def release(self) -> None:
        """The finger lets go."""
        self._finger(False)

    def click(self, hold_ms: float = 80, after_ms: float = 0) -> None:
        """Presses after `after_ms` (now when 0) and lets go `hold_ms` later; returns at once."""
        if after_ms:
            self._clock.at(after_ms * 1000, lambda: self.click(hold_ms))
            return
        self.press()
        self._release = self._clock.at(hold_ms * 1000, self.release)

    def _finger(self, pressed: bool) -> None:
        if self._release is not None:
            self._release.cancel()
            self._release = None
        if pressed != self.pressed:
            self.pressed = pressed
            self._contact.move(pressed, self.bounce)
