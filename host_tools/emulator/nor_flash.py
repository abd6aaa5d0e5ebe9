"""The NOR flash chip: a W25Q16 with its times, and what power loss leaves of an operation.

Times are from the W25Q16JV datasheet (typical and maximum): sector erase 45 to 400 ms, 32 kB block 120 to 1600 ms,
64 kB block 150 to 2000 ms, page program 0.7 to 3 ms (its 0.4 ms typical is taken as the 0.7 ms of the older W25Q16BV).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from ..errors import EmulatorError, ImageError
from .rp2040py_compat import Chip

FLASH_BYTES = 2 * 1024 * 1024
PAGE_BYTES = 256
SECTOR_BYTES = 4096

_PAGE_PROGRAM, _WRITE_STATUS = 0x02, 0x01
_ERASE_BYTES = {0x20: SECTOR_BYTES, 0x52: 32 * 1024, 0xD8: 64 * 1024}
_TIMES_US = {  # typical, maximum
    0x20: (45_000, 400_000),
    0x52: (120_000, 1_600_000),
    0xD8: (150_000, 2_000_000),
    _PAGE_PROGRAM: (700, 3_000),
}
_CHIP_ERASE = (0xC7, 0x60)


class Operation(NamedTuple):
    """One erase or program.

    Attributes:
        start_us: emulated time of the command.
        kind: "erase" or "program".
        address: offset in flash.
        length: bytes erased or programmed.
        duration_us: how long the chip is busy.
    """

    start_us: float
    kind: str
    address: int
    length: int
    duration_us: float


class NorFlash:
    """The flash of one Pico.

    Args:
        chip: the RP2040 it is connected to; its flash memory is filled with `image`.
        image: 2 MB.
        seed: of the times.

    Attributes:
        operations: every operation from power-on, in order.
        on_operation: called at the start of each operation.
        slow_next_us: when set, the next operation takes this long instead of what the seed says.

    Raises:
        ImageError: `image` has another size.
    """

    def __init__(self, chip: Chip, image: bytes, seed: int) -> None:
        if len(image) != FLASH_BYTES:
            raise ImageError(f"a flash image of {len(image)} bytes", f"the Pico's flash has {FLASH_BYTES} bytes")
        self.operations: list[Operation] = []
        self.on_operation: Callable[[Operation], None] = lambda operation: None
        self.slow_next_us: float | None = None
        self._chip = chip
        self._random = random.Random(f"{seed} flash times")
        self._before = b""
        chip.flash[:] = image + b"\xff" * (len(chip.flash) - FLASH_BYTES)
        chip.on_flash_command = self._command

    def image(self) -> bytes:
        """The content now; an operation under way counts as done."""
        return bytes(self._chip.flash[:FLASH_BYTES])

    @property
    def busy(self) -> bool:
        """Whether an operation is under way."""
        return self._chip.now_ns < self._chip.flash_busy_until_ns

    def torn_image(self, seed: int = 0) -> bytes:
        """The content if power failed now: any subset of the bits that were still to change has changed, by `seed`."""
        image = bytearray(self.image())
        if self.busy:
            operation = self.operations[-1]
            area = slice(operation.address, operation.address + operation.length)
            done = (self._chip.now_ns / 1000 - operation.start_us) / operation.duration_us
            image[area] = _tear(self._before, bytes(image[area]), done, random.Random(f"{seed} {operation}"))
        return bytes(image)

    def _command(self, command: bytes) -> None:
        opcode = command[0]
        if opcode in _CHIP_ERASE:
            raise EmulatorError("the program erases the whole flash chip", "erase sectors instead")
        if opcode == _WRITE_STATUS:
            self._chip.fast.write_enabled = False
        if opcode not in _TIMES_US or len(command) < 4 or not self._chip.fast.write_enabled:
            return
        address = int.from_bytes(command[1:4], "big")
        if opcode == _PAGE_PROGRAM:
            if len(command) > 4:
                self._start(opcode, address, self._programmed(address, command[4:]))
        else:
            length = _ERASE_BYTES[opcode]
            address &= -length
            if address + length > FLASH_BYTES:
                raise EmulatorError(f"an erase at 0x{address:06x}, past the end of the flash")
            self._start(opcode, address, b"\xff" * length)
        self._chip.fast.write_enabled = False

    def _programmed(self, address: int, data: bytes) -> bytes:
        if address + len(data) > FLASH_BYTES:
            raise EmulatorError(f"a program at 0x{address:06x}, past the end of the flash")
        if address % PAGE_BYTES + len(data) > PAGE_BYTES:
            raise EmulatorError(
                f"a program of {len(data)} bytes at 0x{address:06x} crosses the end of its page",
                f"silicon would wrap to the page's start: program aligned pages of {PAGE_BYTES} bytes",
            )
        old = self._chip.flash[address : address + len(data)]
        return bytes(before & after for before, after in zip(old, data, strict=True))  # a program only clears bits

    def _start(self, opcode: int, address: int, after: bytes) -> None:
        for channel, source in self._chip.fast.flash_readers():
            raise EmulatorError(
                f"DMA channel {channel} reads flash at 0x{source:08x} while the flash works on 0x{address:06x}",
                "wait for the end of the transfer before erasing or programming",
            )
        now_ns = self._chip.now_ns
        duration_us = self._duration_us(opcode)
        area = slice(address, address + len(after))
        self._before = bytes(self._chip.flash[area])
        self._chip.flash[area] = after
        self._chip.set_flash_busy(now_ns + duration_us * 1000)
        kind = "program" if opcode == _PAGE_PROGRAM else "erase"
        self.operations.append(Operation(now_ns / 1000, kind, address, len(after), duration_us))
        self.on_operation(self.operations[-1])

    def _duration_us(self, opcode: int) -> float:
        """Near the typical time most often, now and then up to the maximum."""
        if self.slow_next_us is not None:
            duration_us, self.slow_next_us = self.slow_next_us, None
            return duration_us
        typical, maximum = _TIMES_US[opcode]
        draw = self._random.random()
        if draw < 0.8:
            return self._random.uniform(typical, 1.15 * typical)
        if draw < 0.95:
            return self._random.uniform(typical, min(2.5 * typical, maximum))
        return self._random.uniform(typical, maximum)


def _tear(before: bytes, after: bytes, done: float, rng: random.Random) -> bytes:
    """A state between two: byte by byte from the start, or bit by bit, or anything at all."""
    if rng.random() < 0.25:
        edge = int(done * len(after))
        torn = bytearray(after[:edge] + before[edge:])
        if edge < len(torn):
            torn[edge] ^= (before[edge] ^ after[edge]) & rng.getrandbits(8)
        return bytes(torn)
    chance = done if rng.random() < 0.67 else rng.random()
    bits = len(after) * 8
    changed = 0
    for shift in range(8):  # each bit with `chance`, to 1/256
        digit = int(chance * 256) >> shift & 1
        noise = rng.getrandbits(bits)
        changed = changed | noise if digit else changed & noise
    mask = changed.to_bytes(len(after), "little")
    return bytes(old ^ (old ^ new) & flip for old, new, flip in zip(before, after, mask, strict=True))
