"""The cabinet around the emulated Pico: every part, wired as the board file says."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from .parts.buttons import Button
from .parts.coin_acceptor import CoinAcceptor
from .parts.counter import ElectromechanicalCounter
from .parts.door import Door, KeySwitch
from .parts.hopper import HopperMotor
from .parts.loads import Bell, Lamp
from .parts.panel import St7789Panel
from .parts.safety_log import SafetyLog
from .parts.service import ServicePort
from .parts.shift_registers import ShiftInputs, ShiftOutputs
from .parts.wiring import Chip

_LAMP = "LAMP_"
_COUNTER = "COUNTER_"
_DOOR = "_DOOR"


class Cabinet:
    """All parts on their lines; they keep their state over resets of the chip.

    Build it before the chip runs, so that the safety log starts at power-on.

    Attributes:
        buttons: by the input's name, `buttons["START"]`.
        lamps: by the button's name, `lamps["START"]`.
        counters: `counters["COIN_IN"]`, "COIN_OUT", "GAMES", "HAND_PAY".
        doors: `doors["MAIN_DOOR"]`, "CASH_BOX_DOOR".
        key: the attendant's key.
        coin_acceptor, hopper_motor, panel, tower_light, bell: the parts.
        inputs, outputs: the shift-register chains; `inputs.set("TILT", True)` moves an input that has no part.
        service: the service UART, seen from outside.
        safety_log: COIN_INHIBIT, HOPPER_MOTOR, OUTPUTS_ENABLE and every output.
    """

    def __init__(self, chip: Chip, board: SimpleNamespace) -> None:
        pins = chip.pins
        self._chip = chip
        self.inputs = ShiftInputs(
            pins,
            clock_pin=board.INPUTS_CLOCK,
            load_pin=board.INPUTS_LOAD,
            data_pin=board.INPUTS_DATA,
            names=board.INPUTS,
            active_low=board.INPUTS_ACTIVE_LOW,
        )
        self.outputs = ShiftOutputs(
            chip,
            pins,
            data_pin=board.OUTPUTS_DATA,
            clock_pin=board.OUTPUTS_CLOCK,
            latch_pin=board.OUTPUTS_LATCH,
            enable_pin=board.OUTPUTS_ENABLE,
            enable_active_low=board.OUTPUTS_ENABLE_ACTIVE_LOW,
            names=board.OUTPUTS,
        )
        lit = [name.removeprefix(_LAMP) for name in board.OUTPUTS if name.startswith(_LAMP)]
        self.buttons = {name: Button(chip, self.inputs, name) for name in lit}
        self.lamps = {name: Lamp(chip, self.outputs, _LAMP + name) for name in lit}
        self.tower_light = Lamp(chip, self.outputs, "TOWER_LIGHT")
        self.bell = Bell(chip, self.outputs, "BELL")
        self.counters = {
            name.removeprefix(_COUNTER): ElectromechanicalCounter(chip, self.outputs, name, self._counter_plugged)
            for name in board.OUTPUTS
            if name.startswith(_COUNTER)
        }
        self.doors = {name: Door(self.inputs, name) for name in board.INPUTS if name.endswith(_DOOR)}
        self.key = KeySwitch(self.inputs, "ATTENDANT_KEY")
        self.coin_acceptor = CoinAcceptor(
            chip,
            pins,
            coin_pin=board.COIN_IN,
            coin_active_low=board.COIN_IN_ACTIVE_LOW,
            inhibit_pin=board.COIN_INHIBIT,
            inhibit_active_low=board.COIN_INHIBIT_ACTIVE_LOW,
        )
        self.hopper_motor = HopperMotor(
            chip,
            pins,
            motor_pin=board.HOPPER_MOTOR,
            motor_active_low=board.HOPPER_MOTOR_ACTIVE_LOW,
            sensor_pin=board.HOPPER_SENSOR,
            sensor_active_low=board.HOPPER_SENSOR_ACTIVE_LOW,
        )
        self.panel = St7789Panel(
            chip,
            pins,
            cs_pin=board.PANEL_CS,
            dc_pin=board.PANEL_DC,
            reset_pin=board.PANEL_RST,
            backlight_pin=board.PANEL_BACKLIGHT,
            upright_madctl=board.PANEL_MADCTL,
            inverted_glass=board.PANEL_INVERTED,
        )
        chip.spi(board.PANEL_SPI).attach(self.panel)
        self.service = ServicePort(chip.uart(_uart_number(board.SERVICE_TX)))

        self.safety_log = SafetyLog(chip)
        direct_lines = (
            ("COIN_INHIBIT", board.COIN_INHIBIT, board.COIN_INHIBIT_ACTIVE_LOW),
            ("HOPPER_MOTOR", board.HOPPER_MOTOR, board.HOPPER_MOTOR_ACTIVE_LOW),
            ("OUTPUTS_ENABLE", board.OUTPUTS_ENABLE, board.OUTPUTS_ENABLE_ACTIVE_LOW),
        )
        for name, pin, active_low in direct_lines:
            record = self._recorder(name, active_low)
            record(pins.level(pin))
            pins.watch(pin, record)
        for name in board.OUTPUTS:
            self.outputs.on_change(name, self._recorder(name, False))
            self.safety_log.record(name, self.outputs.on(name))

    def safety_violations(self, start_us: float = 0, end_us: float | None = None) -> list[str]:
        """What must not be between power-on and ready, at a reset or in a fault (CAB-23), in `start_us` .. `end_us`.

        Returns:
            One line for each stretch with the motor on, with coins accepted or with a counter's coil on; empty when
            the cabinet was safe. `end_us` defaults to now.
        """
        end_us = self._chip.now_us if end_us is None else end_us
        rules = [("HOPPER_MOTOR", True, "hopper motor on"), ("COIN_INHIBIT", False, "coins accepted")]
        rules += [(counter.name, True, f"coil of counter {name} on") for name, counter in self.counters.items()]
        found = [
            (since_us, f"{what} from {since_us / 1000:.3f} ms to {until_us / 1000:.3f} ms")
            for line, active, what in rules
            for since_us, until_us in self.safety_log.spans(line, active, start_us, end_us)
        ]
        return [text for _, text in sorted(found)]

    def _recorder(self, name: str, active_low: bool) -> Callable[[int], None]:
        return lambda level: self.safety_log.record(name, bool(level) is not active_low)

    def _counter_plugged(self) -> None:
        self.inputs.set("METER_SENSE", not all(counter.plugged for counter in self.counters.values()))


def _uart_number(tx_pin: int) -> int:
    """The UART that a TX pin belongs to: GPIO 0, 12, 16, 28 are UART 0, 4, 8, 20, 24 are UART 1 (data sheet, 1.4.3)."""
    return (tx_pin // 4 + 1) // 2 % 2
