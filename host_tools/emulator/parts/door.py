"""Door switches and the attendant's key switch."""

from __future__ import annotations

from .shift_registers import ShiftInputs


class Door:
    """A door with a switch that is closed while the door is shut; a cut wire reads as an open door."""

    def __init__(self, inputs: ShiftInputs, name: str) -> None:
        self.name = name
        self.is_open = False
        self._inputs = inputs
        self._wire_cut = False

    def open(self) -> None:
        """Somebody opens the door."""
        self.is_open = True
        self._show()

    def close(self) -> None:
        """Somebody shuts the door; with a cut wire the input stays "open"."""
        self.is_open = False
        self._show()

    def cut_wire(self) -> None:
        """The wire to the switch breaks."""
        self._wire_cut = True
        self._show()

    def mend_wire(self) -> None:
        """The wire is whole again."""
        self._wire_cut = False
        self._show()

    def _show(self) -> None:
        self._inputs.set(self.name, self.is_open or self._wire_cut)


class KeySwitch:
    """The attendant's key."""

    def __init__(self, inputs: ShiftInputs, name: str) -> None:
        self.name = name
        self._inputs = inputs

    @property
    def is_on(self) -> bool:
        """Whether the key is turned."""
        return self._inputs.on(self.name)

    def turn(self, on: bool) -> None:
        """Turns the key on or back; it stays where it is put."""
        self._inputs.set(self.name, on)
