"""An ST7789 panel on SPI: the controller's commands, its memory, and the picture that a person sees.

Rules and defaults are those of Sitronix's ST7789V data sheet, version 1.3, chapters 8.12 (address control) and 9.1
(system functions).
"""

from __future__ import annotations

import hashlib
import random
from array import array
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageChops

from .wiring import Clock, Pins

GLASS_WIDTH_PX = 240
GLASS_HEIGHT_PX = 320

MADCTL_MY = 0x80
MADCTL_MX = 0x40
MADCTL_MV = 0x20
MADCTL_BGR = 0x08

LANDSCAPE = MADCTL_MX | MADCTL_MV
"""The usual landscape setting: the panel's connector is on the left-hand side of the picture."""

COLMOD_RGB565 = 0x55

RESET_PULSE_NS = 10_000
"""tRW: a shorter low pulse on RESX is not a reset."""
COMMAND_WAIT_NS = 5_000_000
"""No command within 5 ms of a reset, SWRESET, SLPIN or SLPOUT."""
SLEEP_WAIT_NS = 120_000_000
"""No SLPOUT within 120 ms of a reset or of SLPIN, no SLPIN or SWRESET within 120 ms of SLPOUT."""

_NOP, _SWRESET, _SLPIN, _SLPOUT, _NORON, _INVOFF, _INVON = 0x00, 0x01, 0x10, 0x11, 0x13, 0x20, 0x21
_DISPOFF, _DISPON, _CASET, _RASET, _RAMWR, _MADCTL, _COLMOD, _RAMWRC = 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x36, 0x3A, 0x3C


class St7789Panel:
    """The controller and the glass it drives, 240 x 320 pixels, mounted in the cabinet as landscape.

    `write` is called by the SPI bus. The memory comes up with noise, as on silicon, so a screen that is lit before it
    was painted is seen. The glass is fixed in its door: a picture written with another MADCTL than `upright_madctl`
    looks turned or mirrored, as it would.

    Attributes:
        frames: RAMWR commands so far.
        faults: broken rules of the data sheet, in order, each with its time.
        unknown_commands: codes of the commands that the model does not know; they and their data have no effect.
    """

    def __init__(
        self,
        clock: Clock,
        pins: Pins,
        *,
        cs_pin: int,
        dc_pin: int,
        reset_pin: int,
        backlight_pin: int,
        upright_madctl: int = LANDSCAPE,
        inverted_glass: bool = False,
    ) -> None:
        """Connects the panel.

        Args:
            clock: emulated time.
            pins: the chip's pins.
            cs_pin: chip select, active low, pulled up on the panel.
            dc_pin: low for commands, high for data.
            reset_pin: RESX, active low, pulled up on the panel.
            backlight_pin: backlight, active high, pulled down on the panel.
            upright_madctl: the MADCTL whose picture is upright as the glass is mounted.
            inverted_glass: the glass shows inverted colours, as IPS glass does, so it needs INVON.
        """
        self.frames = 0
        self.faults: list[str] = []
        self.unknown_commands: list[int] = []
        self._clock = clock
        self._pins = pins
        self._cs_pin = cs_pin
        self._dc_pin = dc_pin
        self._backlight_pin = backlight_pin
        self._upright_madctl = upright_madctl
        self._inverted_glass = inverted_glass
        self._parameters: dict[int, tuple[int, Callable[[bytes], None]]] = {
            _CASET: (4, self._set_columns),
            _RASET: (4, self._set_rows),
            _MADCTL: (1, self._set_madctl),
            _COLMOD: (1, self._set_colmod),
        }
        # Kept in the order in which MADCTL lets the chip address it, so that a run of pixels in a row is one slice.
        self._ram = bytearray(random.Random(0).randbytes(GLASS_WIDTH_PX * GLASS_HEIGHT_PX * 2))
        self._madctl = 0
        self._width_px, self._height_px = GLASS_WIDTH_PX, GLASS_HEIGHT_PX
        self._x = self._x0 = self._x1 = 0
        self._y = self._y0 = self._y1 = 0
        self._command = _NOP
        self._collected = bytearray()
        self._half_pixel: int | None = None
        self._reset_since_ns: int | None = None
        self._busy = ("", 0)  # what happened, when the next command may follow
        self._sleep_busy = ("", 0)  # what happened, when the next change between sleep and wake may follow
        self._hardware_reset()
        self._busy = self._sleep_busy = ("", 0)
        pins.pull(cs_pin, 1)
        pins.pull(reset_pin, 1)
        pins.pull(backlight_pin, 0)
        pins.watch(reset_pin, self._reset_changed)
        self._reset_changed(pins.level(reset_pin))

    # ---- what a person sees

    @property
    def lit(self) -> bool:
        """Whether the memory is visible: awake, display on, backlight on."""
        return self._awake and self._display_on and bool(self._pins.level(self._backlight_pin))

    def picture(self) -> Image.Image:
        """The picture on the mounted glass as RGB; black while the panel is not lit."""
        landscape = bool(self._upright_madctl & MADCTL_MV)
        size = (GLASS_HEIGHT_PX, GLASS_WIDTH_PX) if landscape else (GLASS_WIDTH_PX, GLASS_HEIGHT_PX)
        if not self.lit:
            return Image.new("RGB", size)
        pixels = array("H", self._ram)
        if (self._madctl ^ self._upright_madctl) & (MADCTL_MY | MADCTL_MX | MADCTL_MV):
            pixels = _from_glass(_to_glass(pixels, self._madctl), self._upright_madctl)
        pixels.byteswap()  # the wire is big endian, the image library's 16-bit format little endian
        image = Image.frombytes("RGB", size, pixels.tobytes(), "raw", "BGR;16")
        if self._inverted != self._inverted_glass:
            image = ImageChops.invert(image)
        if self._madctl & MADCTL_BGR:
            red, green, blue = image.split()
            image = Image.merge("RGB", (blue, green, red))
        return image

    def png(self, path: str | Path, scale: int = 1) -> None:
        """Writes the picture as a PNG file, each pixel `scale` x `scale` large."""
        image = self.picture()
        if scale != 1:
            image = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
        image.save(path, "PNG")

    def sha256(self) -> str:
        """SHA-256 of the visible picture's RGB bytes, row by row from the top left, in hex."""
        return hashlib.sha256(self.picture().tobytes()).hexdigest()

    # ---- the bus

    def write(self, data: bytes) -> None:
        """Takes bytes from the bus: single ones or a whole DMA block, with CS and DC at their levels."""
        if self._pins.level(self._cs_pin):
            return
        if self._reset_since_ns is not None:
            self._fault("SPI write while RESX is low")
        elif not self._pins.level(self._dc_pin):
            for code in data:
                self._start_command(code)
        elif self._command in (_RAMWR, _RAMWRC):
            self._store(data)
        else:
            self._collect(data)

    def _start_command(self, code: int) -> None:
        cause, free_at_ns = self._busy
        if self._clock.now_ns < free_at_ns:
            self._fault(f"command 0x{code:02X} within 5 ms of {cause}")
            self._busy = ("", 0)
        self._command = code
        self._collected.clear()
        self._half_pixel = None
        if code == _RAMWR:
            self._x, self._y = self._x0, self._y0
            self.frames += 1
            self._check_colmod()
            self._clock.notify()
        elif code == _RAMWRC:
            self._check_colmod()
            if not (self._x0 <= self._x <= self._x1 and self._y0 <= self._y <= self._y1):
                self._fault("RAMWRC after the window was moved")
                self._x, self._y = self._x0, self._y0
        elif code == _SWRESET:
            self._software_reset()
        elif code in (_SLPIN, _SLPOUT):
            self._sleep(code == _SLPOUT)
        elif code in (_INVOFF, _INVON):
            self._inverted = code == _INVON
        elif code in (_DISPOFF, _DISPON):
            self._display_on = code == _DISPON
            self._clock.notify()
        elif code not in self._parameters and code not in (_NOP, _NORON):
            self.unknown_commands.append(code)

    def _collect(self, data: bytes) -> None:
        needed, take = self._parameters.get(self._command, (0, None))
        if take is None or len(self._collected) >= needed:
            return  # data of an unknown command, or more than the command takes
        self._collected += data[: needed - len(self._collected)]
        if len(self._collected) == needed:
            take(bytes(self._collected))

    # ---- commands

    def _hardware_reset(self) -> None:
        self._set_madctl(b"\x00")
        self._colmod = 0x66
        self._software_reset()

    def _software_reset(self) -> None:
        """MADCTL, COLMOD and the memory keep their contents; the rest goes to its default."""
        cause, free_at_ns = self._sleep_busy
        if cause == "SLPOUT" and self._clock.now_ns < free_at_ns:
            self._fault("SWRESET within 120 ms of SLPOUT")
        self._awake = False
        self._display_on = False
        self._inverted = False
        self._x0, self._x1 = 0, self._width_px - 1
        self._y0, self._y1 = 0, self._height_px - 1
        self._x = self._y = 0
        self._block("SWRESET", sleep=True)
        self._clock.notify()

    def _sleep(self, awake: bool) -> None:
        name = "SLPOUT" if awake else "SLPIN"
        if awake != self._awake:
            cause, free_at_ns = self._sleep_busy
            if self._clock.now_ns < free_at_ns:
                self._fault(f"{name} within 120 ms of {cause}")
            self._awake = awake
            self._block(name, sleep=True)
            self._clock.notify()
        else:
            self._block(name, sleep=False)

    def _block(self, cause: str, *, sleep: bool) -> None:
        now_ns = self._clock.now_ns
        self._busy = (cause, now_ns + COMMAND_WAIT_NS)
        if sleep:
            self._sleep_busy = (cause, now_ns + SLEEP_WAIT_NS)

    def _set_columns(self, parameters: bytes) -> None:
        self._x0, self._x1 = self._range("CASET", parameters, self._width_px)

    def _set_rows(self, parameters: bytes) -> None:
        self._y0, self._y1 = self._range("RASET", parameters, self._height_px)

    def _range(self, name: str, parameters: bytes, size: int) -> tuple[int, int]:
        first, last = int.from_bytes(parameters[:2]), int.from_bytes(parameters[2:])
        if first > last or last >= size:
            self._fault(f"{name} {first}..{last} is not a range within 0..{size - 1}")
            return min(first, size - 1), max(min(first, size - 1), min(last, size - 1))
        return first, last

    def _set_madctl(self, parameters: bytes) -> None:
        madctl = parameters[0]
        if (madctl ^ self._madctl) & (MADCTL_MY | MADCTL_MX | MADCTL_MV):
            pixels = _from_glass(_to_glass(array("H", self._ram), self._madctl), madctl)
            self._ram[:] = pixels.tobytes()
        self._madctl = madctl
        size = (GLASS_HEIGHT_PX, GLASS_WIDTH_PX) if madctl & MADCTL_MV else (GLASS_WIDTH_PX, GLASS_HEIGHT_PX)
        if size != (self._width_px, self._height_px):
            self._width_px, self._height_px = size
            # The data sheet leaves a window that no longer fits undefined; here it is cut.
            self._x0, self._x1 = min(self._x0, size[0] - 1), min(self._x1, size[0] - 1)
            self._y0, self._y1 = min(self._y0, size[1] - 1), min(self._y1, size[1] - 1)
            self._x, self._y = self._x0, self._y0

    def _set_colmod(self, parameters: bytes) -> None:
        self._colmod = parameters[0]
        if self._colmod != COLMOD_RGB565:
            self._fault(f"COLMOD 0x{self._colmod:02X}: the model takes 0x55 (RGB565) only")

    def _check_colmod(self) -> None:
        if self._colmod != COLMOD_RGB565:
            self._fault(f"memory write with COLMOD 0x{self._colmod:02X}")

    # ---- memory

    def _store(self, data: bytes) -> None:
        """Writes RGB565 pixels from the current position on, row by row, around the window."""
        if self._colmod != COLMOD_RGB565:
            return
        if self._half_pixel is not None:
            data = bytes((self._half_pixel,)) + data
            self._half_pixel = None
        if len(data) & 1:
            self._half_pixel = data[-1]
        end = len(data) & ~1
        ram, x0, y0, y1 = self._ram, self._x0, self._y0, self._y1
        stride, row = self._width_px * 2, (self._x1 - x0 + 1) * 2
        position = 0
        while position < end:
            at = self._y * stride + self._x * 2
            if row == stride:  # rows follow each other without a gap: to the end of the window in one slice
                size = min((y1 + 1) * stride - at, end - position)
                ram[at : at + size] = memoryview(data)[position : position + size]
                position += size
                self._y, rest = divmod(at + size, stride)
                self._x = rest // 2
            elif self._x == x0 and end - position >= row:
                rows = min((end - position) // row, y1 - self._y + 1)
                for start in range(position, position + rows * row, row):
                    ram[at : at + row] = data[start : start + row]
                    at += stride
                position += rows * row
                self._y += rows
            else:
                size = min(row - (self._x - x0) * 2, end - position)
                ram[at : at + size] = data[position : position + size]
                position += size
                self._x += size // 2
                if self._x > self._x1:
                    self._x = x0
                    self._y += 1
            if self._y > y1:
                self._y = y0

    # ---- the reset line

    def _reset_changed(self, level: int) -> None:
        now_ns = self._clock.now_ns
        if not level:
            if self._reset_since_ns is None:
                self._reset_since_ns = now_ns
        elif self._reset_since_ns is not None:
            width_ns, self._reset_since_ns = now_ns - self._reset_since_ns, None
            if width_ns < RESET_PULSE_NS:
                self._fault(f"RESX low for {width_ns / 1000:.1f} us only: 10 us are a reset")
                return
            self._sleep_busy = ("", 0)
            self._hardware_reset()
            self._block("RESX", sleep=True)

    def _fault(self, text: str) -> None:
        self.faults.append(f"{self._clock.now_us / 1000:.3f} ms: {text}")


def _transposed(pixels: array[int], width: int) -> array[int]:
    """Exchanges rows and columns of an image that is `width` wide."""
    result = array("H")
    for x in range(width):
        result += pixels[x::width]
    return result


def _mirrored(pixels: array[int], madctl: int) -> array[int]:
    """Mirrors an image of the glass's size by MX (left and right) and MY (top and bottom); its own inverse."""
    if madctl & MADCTL_MX and madctl & MADCTL_MY:
        return pixels[::-1]
    rows = [pixels[at : at + GLASS_WIDTH_PX] for at in range(0, len(pixels), GLASS_WIDTH_PX)]
    if madctl & MADCTL_MX:
        rows = [row[::-1] for row in rows]
    if madctl & MADCTL_MY:
        rows.reverse()
    result = array("H")
    for row in rows:
        result += row
    return result


def _to_glass(pixels: array[int], madctl: int) -> array[int]:
    """Memory as addressed under `madctl` to the order of the glass, 240 wide from its top left."""
    return _mirrored(_transposed(pixels, GLASS_HEIGHT_PX) if madctl & MADCTL_MV else pixels, madctl)


def _from_glass(pixels: array[int], madctl: int) -> array[int]:
    """The order of the glass to memory as addressed under `madctl`."""
    pixels = _mirrored(pixels, madctl)
    return _transposed(pixels, GLASS_WIDTH_PX) if madctl & MADCTL_MV else pixels
