"""Composition root: takes the board's numbers, builds drivers, cabinet and screen, and runs them."""

import asyncio
import gc
import os
import sys
from binascii import hexlify
from time import ticks_diff, ticks_us

import board
import machine
from cabinet.buttons import Debouncer
from cabinet.coins import CoinPulses
from cabinet.counters import CounterPulser, CounterQueue
from cabinet.game import Game, Presses
from cabinet.ledger import Ledger
from cabinet.random_generator import CYCLE_MS, RandomGenerator
from cabinet.service import Service
from drivers.break_key import BreakKey
from drivers.input_chain import InputChain, bit
from drivers.output_chain import OutputChain
from drivers.pulse_input import PulseInput
from drivers.st7789 import St7789
from link.uart_port import RECEIVE_BYTES, TRANSMIT_BYTES, UartPort
from machine import SPI, UART, Pin
from rules.round import RULES_VERSION
from uctypes import bytes_at
from ui.show import Show

INPUTS_MACHINE = 0
OUTPUTS_MACHINE = 1
COIN_MACHINE = 2

FLASH_ADDRESS = 0x10000000  # where the RP2040 maps the flash
# SHA-256 of the program's image, in the last block of its partition: _boot.py has found it right.
PROGRAM_HASH_ADDRESS = FLASH_ADDRESS + sum(board.FLASH_ROMFS) - 4096 + 12


def output_line(number, active_low):
    """An output pin that starts off, as a callable taking True (on) or False."""
    off = 1 if active_low else 0
    pin = Pin(number, Pin.OUT, value=off)

    def switch(on):
        pin.value(1 - off if on else off)

    return switch


class SafetyLines:
    """The three lines that stop all outside action: motor, coin inhibit, output enable (CAB-23)."""

    def __init__(self):
        self.outputs_enable = output_line(board.OUTPUTS_ENABLE, board.OUTPUTS_ENABLE_ACTIVE_LOW)
        self._motor = output_line(board.HOPPER_MOTOR, board.HOPPER_MOTOR_ACTIVE_LOW)
        self._accept = output_line(board.COIN_INHIBIT, not board.COIN_INHIBIT_ACTIVE_LOW)

    def safe(self):
        """Every output off, motor off, coins inhibited."""
        self.outputs_enable(False)
        self._motor(False)
        self._accept(False)

    def accept_coins(self):
        """Lets the acceptor take coins."""
        self._accept(True)


def flash_region(region):
    """A region of the flash map as a source of `link.regions`: size() and read(offset, length)."""
    start, length = region
    return lambda: length, lambda offset, count: bytes_at(FLASH_ADDRESS + start + offset, count)


class Buttons:
    """Masks of the buttons the game uses."""

    def __init__(self):
        self.start = bit(board.INPUTS.index("START"))
        self.collect = bit(board.INPUTS.index("COLLECT"))
        self.lines = bit(board.INPUTS.index("LINES"))
        self.bet = bit(board.INPUTS.index("BET"))
        self.max_bet = bit(board.INPUTS.index("MAX_BET"))
        self.left = bit(board.INPUTS.index("LEFT"))
        self.right = bit(board.INPUTS.index("RIGHT"))


class Cabinet:
    """Everything built from the board's numbers, and the tasks that run it."""

    def __init__(self, safety):
        self._safety = safety
        # There is no journal yet, so boots are not counted and no last round is known: that no start repeats the seeds
        # of another rests on the ring oscillator and the time alone.
        self._random = RandomGenerator(os.urandom, machine.unique_id(), 0, b"", ticks_us())
        active_low = sum(bit(board.INPUTS.index(name)) for name in board.INPUTS_ACTIVE_LOW)
        self._inputs = InputChain(
            INPUTS_MACHINE,
            Pin(board.INPUTS_CLOCK),
            Pin(board.INPUTS_DATA, Pin.IN),
            active_low,
            board.INPUTS_SAMPLE_HZ,
        )
        self._outputs = OutputChain(
            OUTPUTS_MACHINE, Pin(board.OUTPUTS_DATA), Pin(board.OUTPUTS_CLOCK), safety.outputs_enable
        )
        self._coin_line = PulseInput(COIN_MACHINE, Pin(board.COIN_IN, Pin.IN, Pin.PULL_UP), board.COIN_IN_ACTIVE_LOW)
        self._coins = CoinPulses(board.COIN_WIDTH_MS)
        self._debouncer = Debouncer(
            board.DEBOUNCE_PRESS_MS * board.INPUTS_SAMPLE_HZ // 1000,
            board.DEBOUNCE_RELEASE_MS * board.INPUTS_SAMPLE_HZ // 1000,
        )
        self._presses = Presses()
        self._ledger = Ledger()
        self._service = Service(
            UartPort(
                UART(
                    0,
                    board.SERVICE_BAUD,
                    tx=Pin(board.SERVICE_TX),
                    rx=Pin(board.SERVICE_RX),
                    txbuf=TRANSMIT_BYTES,
                    rxbuf=RECEIVE_BYTES,
                )
            ),
            {
                "micropython": sys.implementation.version[:3],
                "rules_version": RULES_VERSION,
                "board": board.NAME,
                "program": hexlify(bytes_at(PROGRAM_HASH_ADDRESS, 32)).decode(),
            },
            {
                "journal_a": flash_region(board.FLASH_JOURNAL_A),
                "journal_b": flash_region(board.FLASH_JOURNAL_B),
            },
            self._ledger,
            lambda: self._game.chosen,
        )
        queues = []
        self._pulsers = []
        for name, unit_minor in (
            ("COUNTER_COIN_IN", board.COUNTER_UNIT_MINOR),
            ("COUNTER_COIN_OUT", board.COUNTER_UNIT_MINOR),
            ("COUNTER_GAMES", 1),
        ):
            queue = CounterQueue(unit_minor)
            queues.append(queue)
            self._pulsers.append(CounterPulser(queue, self._output(name), board.COUNTER_ON_MS, board.COUNTER_OFF_MS))
        stake_counter, win_counter, games_counter = queues
        panel = St7789(
            SPI(board.PANEL_SPI, baudrate=board.PANEL_HZ, sck=Pin(board.PANEL_SCK), mosi=Pin(board.PANEL_MOSI)),
            Pin(board.PANEL_CS, Pin.OUT, value=1),
            Pin(board.PANEL_DC, Pin.OUT, value=1),
            Pin(board.PANEL_RST, Pin.OUT, value=1),
            Pin(board.PANEL_BACKLIGHT, Pin.OUT, value=0),
            board.PANEL_MADCTL,
            board.PANEL_INVERTED,
        )
        buttons = Buttons()
        self._lamps = [
            (bit(board.INPUTS.index(name[5:])), board.OUTPUTS.index(name))
            for name in board.OUTPUTS
            if name.startswith("LAMP_")
        ]
        self._game = Game(
            self._ledger,
            self._random,
            self._presses,
            buttons,
            Show(panel, "/rom/assets", self._presses, buttons),
            stake_counter,
            win_counter,
            games_counter,
            self._light,
            self._service.report,
        )

    def _output(self, name):
        position = board.OUTPUTS.index(name)
        return lambda on: self._outputs.set(position, on)

    def _light(self, lit):
        """Lights the buttons of a word of inputs."""
        for mask, position in self._lamps:
            self._outputs.set(position, bool(lit & mask))

    async def read_inputs(self):
        """Takes the samples of the last milliseconds and records presses."""
        inputs = self._inputs
        debouncer = self._debouncer
        while True:
            pressed = 0
            unread = inputs.changes(debouncer.active) if debouncer.settled else inputs.samples()
            for _ in range(unread):
                pressed |= debouncer.sample(inputs.read())
            if pressed:
                self._presses.add(pressed)
                self._random.mix(ticks_us())
            await asyncio.sleep_ms(5)

    async def count_coins(self):
        """Credits coins as their pulses end."""
        coin_line = self._coin_line
        while True:
            for _ in range(coin_line.pulses()):
                self._random.mix(ticks_us())
                if self._coins.pulse(coin_line.read_us()):
                    self._ledger.coin(board.COIN_VALUE_MINOR)
                    self._game.credit_changed()
                    self._service.report({"event": "coin", "credit": self._ledger.credit_minor})
            await asyncio.sleep_ms(10)

    async def step_counters(self):
        """Pulses the electromechanical counters."""
        before = ticks_us()
        while True:
            await asyncio.sleep_ms(5)
            now = ticks_us()
            elapsed_us = ticks_diff(now, before)
            before = now
            for pulser in self._pulsers:
                pulser.advance(elapsed_us)

    async def cycle_random(self):
        """Keeps the random generator turning, between games and while one is shown (CAB-51)."""
        while True:
            self._random.cycle()
            await asyncio.sleep_ms(CYCLE_MS)

    async def run(self, break_key):
        """Draws the first screen, enables outputs and coins, and runs all tasks until Ctrl-C or a fault."""
        await self._game.draw()
        gc.collect()
        if break_key.pressed():
            return
        self._outputs.enable()
        self._safety.accept_coins()
        self._service.ready = True
        self._service.report({"event": "ready", "version": sys.implementation.version[:3], "heap_free": gc.mem_free()})
        tasks = [
            asyncio.create_task(task)
            for task in (
                self.read_inputs(),
                self.count_coins(),
                self.step_counters(),
                self.cycle_random(),
                self._service.serve(),
                self._game.run(),
            )
        ]
        while not break_key.pressed():
            for task in tasks:
                if task.done():
                    await task  # a task that ends has failed: its exception is raised here
            await asyncio.sleep_ms(10)

    def deinit(self):
        """Stops everything that goes on without the CPU."""
        self._outputs.deinit()
        self._inputs.deinit()
        self._coin_line.deinit()
        self._service.deinit()


def main():
    """Runs the cabinet. However it ends, the safety lines are put back first.

    Ctrl-C is an exception only until the outputs are enabled; from then on it is a request.
    """
    safety = SafetyLines()
    machine.freq(board.CPU_HZ, board.CPU_HZ)  # clk_peri follows: SPI can run at 62.5 MHz
    cabinet = Cabinet(safety)
    break_key = BreakKey()
    try:
        asyncio.run(cabinet.run(break_key))
    finally:
        safety.safe()
        cabinet.deinit()
        break_key.deinit()


main()
