"""The picture and font files that the firmware draws from: layouts, encoders, and decoders to look at the result.

Colours are RGB565 with the high byte first, as the panel takes them over SPI. All other numbers of two bytes are
little endian. Every file can be drawn from where it lies in flash; nothing has to be unpacked whole.

`symbols/<game>.bin`, a strip of symbols
    The symbols of the game in the order of its `symbols.json`, nothing before, between or after them. Symbol n is the
    60 x 60 x 2 = 7200 bytes from 7200 n: rows from top to bottom, pixels from left to right. Any run of whole rows,
    also across symbols that follow each other, is a contiguous slice.

`screens/<name>.bin`, a still picture
    ====================  =======================================================================
    0                     width in px
    2                     height in px
    4                     number of colours c, 1 to 256
    6                     c colours, RGB565
    6 + 2c                for each row the offset of its runs from the start of the file; equal rows share theirs
    6 + 2c + 2 height     runs: pairs of bytes (count 1 to 255, colour index); a row ends when its width is filled
    ====================  =======================================================================

`fonts/<name>.bin`, one face at one size
    ====================  =======================================================================
    0                     height in px of every glyph (one byte)
    1                     baseline: rows from the top of a glyph to the baseline (one byte)
    2                     code of the first glyph (one byte)
    3                     number of glyphs n (one byte), codes without a gap
    4                     for each glyph: offset of its rows from the start of the file, advance in px
    4 + 4n                glyphs: `height` rows of (advance + 1) // 2 bytes, two pixels a byte, the left one in the
                          high half, 0 = background to 15 = ink
    ====================  =======================================================================

    A glyph's picture is as wide as its advance and holds its side space, so text drawn with opaque pixels covers what
    was there before. Capitals and digits fill the rows from 0 to the baseline.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import BuildError

SYMBOL_PX = 60
SYMBOL_BYTES = SYMBOL_PX * SYMBOL_PX * 2
ALPHA_MAX = 15

_SCREEN_HEAD = struct.Struct("<HHH")
_FONT_HEAD = struct.Struct("<BBBB")
_GLYPH = struct.Struct("<HH")
_MAX_COLOURS = 256
_MAX_RUN = 255
_MAX_OFFSET = 0xFFFF


@dataclass(frozen=True)
class Picture:
    """Pixels as RGB565 values 0 to 65535, row by row; `len(pixels) == width * height`."""

    width: int
    height: int
    pixels: tuple[int, ...]

    def row(self, y: int) -> tuple[int, ...]:
        """Row `y` from the top."""
        return self.pixels[y * self.width : (y + 1) * self.width]


@dataclass(frozen=True)
class Glyph:
    """One character: `advance` px wide, as high as its font, alpha 0 to 15 row by row."""

    advance: int
    alpha: tuple[int, ...]


@dataclass(frozen=True)
class Font:
    """One face at one size; `glyphs[0]` has the code `first`, the others follow without a gap."""

    height: int
    baseline: int
    first: int
    glyphs: tuple[Glyph, ...]

    def width(self, text: str) -> int:
        """Width in px of `text` in one line."""
        return sum(self.glyph(character).advance for character in text)

    def glyph(self, character: str) -> Glyph:
        """The glyph of one character.

        Raises:
            BuildError: the face does not hold it.
        """
        index = ord(character) - self.first
        if not 0 <= index < len(self.glyphs):
            raise BuildError(f"the font has no {character!r}", "use a face that holds it")
        return self.glyphs[index]


def rgb565(red: int, green: int, blue: int) -> int:
    """The RGB565 value nearest to an 8-bit colour."""
    return ((red * 31 + 127) // 255) << 11 | ((green * 63 + 127) // 255) << 5 | (blue * 31 + 127) // 255


def rgb888(value: int) -> tuple[int, int, int]:
    """The 8-bit colour that the panel shows for an RGB565 value."""
    return ((value >> 11) * 255 + 15) // 31, ((value >> 5 & 63) * 255 + 31) // 63, ((value & 31) * 255 + 15) // 31


def encode_pixels(picture: Picture) -> bytes:
    """The raw pixels, two bytes each, high byte first."""
    return struct.pack(f">{len(picture.pixels)}H", *picture.pixels)


def decode_symbols(data: bytes) -> list[Picture]:
    """The symbols of a strip, in order."""
    values = struct.unpack(f">{len(data) // 2}H", data)
    step = SYMBOL_PX * SYMBOL_PX
    return [Picture(SYMBOL_PX, SYMBOL_PX, values[at : at + step]) for at in range(0, len(values), step)]


def encode_screen(picture: Picture) -> bytes:
    """A still picture as palette and runs.

    Raises:
        BuildError: more than 256 colours, or too much detail for 16-bit row offsets.
    """
    by_use = sorted(Counter(picture.pixels).items(), key=lambda item: (-item[1], item[0]))
    colours = [colour for colour, _ in by_use]
    if len(colours) > _MAX_COLOURS:
        raise BuildError(f"a screen has {len(colours)} colours", f"reduce it to {_MAX_COLOURS} before it is encoded")
    index = {colour: number for number, colour in enumerate(colours)}
    runs_at = _SCREEN_HEAD.size + 2 * len(colours) + 2 * picture.height
    runs = bytearray()
    offsets: list[int] = []
    known: dict[bytes, int] = {}
    for y in range(picture.height):
        row = _encode_row([index[value] for value in picture.row(y)])
        if row not in known:
            known[row] = runs_at + len(runs)
            runs += row
        offsets.append(known[row])
    if offsets and max(offsets) > _MAX_OFFSET:
        raise BuildError("a screen does not fit 16-bit row offsets", "draw it with less detail")
    return (
        _SCREEN_HEAD.pack(picture.width, picture.height, len(colours))
        + struct.pack(f">{len(colours)}H", *colours)
        + struct.pack(f"<{len(offsets)}H", *offsets)
        + bytes(runs)
    )


def decode_screen(data: bytes) -> Picture:
    """The still picture that `encode_screen` made `data` from."""
    width, height, count = _SCREEN_HEAD.unpack_from(data)
    colours = struct.unpack_from(f">{count}H", data, _SCREEN_HEAD.size)
    offsets = struct.unpack_from(f"<{height}H", data, _SCREEN_HEAD.size + 2 * count)
    pixels: list[int] = []
    for y, at in enumerate(offsets):
        while len(pixels) < (y + 1) * width:
            pixels += [colours[data[at + 1]]] * data[at]
            at += 2
    return Picture(width, height, tuple(pixels))


def encode_font(font: Font) -> bytes:
    """One face at one size.

    Raises:
        BuildError: the glyphs do not fit 16-bit offsets.
    """
    at = _FONT_HEAD.size + _GLYPH.size * len(font.glyphs)
    table = bytearray()
    rows = bytearray()
    for glyph in font.glyphs:
        if at + len(rows) > _MAX_OFFSET:
            raise BuildError("a font does not fit 16-bit offsets", "make it smaller")
        table += _GLYPH.pack(at + len(rows), glyph.advance)
        for y in range(font.height):
            row = [*glyph.alpha[y * glyph.advance : (y + 1) * glyph.advance], 0]
            rows += bytes(row[x] << 4 | row[x + 1] for x in range(0, glyph.advance, 2))
    return _FONT_HEAD.pack(font.height, font.baseline, font.first, len(font.glyphs)) + bytes(table) + bytes(rows)


def decode_font(data: bytes) -> Font:
    """The font that `encode_font` made `data` from."""
    height, baseline, first, count = _FONT_HEAD.unpack_from(data)
    glyphs: list[Glyph] = []
    for number in range(count):
        at, advance = _GLYPH.unpack_from(data, _FONT_HEAD.size + _GLYPH.size * number)
        stride = (advance + 1) // 2
        alpha: list[int] = []
        for y in range(height):
            row = data[at + y * stride : at + (y + 1) * stride]
            alpha += [half for byte in row for half in (byte >> 4, byte & 15)][:advance]
        glyphs.append(Glyph(advance, tuple(alpha)))
    return Font(height, baseline, first, tuple(glyphs))


def colour_ramp(background: int, ink: int) -> tuple[int, ...]:
    """Sixteen RGB565 colours from `background` (alpha 0) to `ink` (alpha 15)."""
    low, high = rgb888(background), rgb888(ink)
    return tuple(
        rgb565(*((a * (ALPHA_MAX - step) + b * step + 7) // ALPHA_MAX for a, b in zip(low, high, strict=True)))
        for step in range(ALPHA_MAX + 1)
    )


def draw_text(font: Font, text: str, ramp: Sequence[int]) -> Picture:
    """One line of text as the firmware draws it: opaque, every pixel looked up in a ramp of 16 colours."""
    glyphs = [font.glyph(character) for character in text]
    pixels: list[int] = []
    for y in range(font.height):
        for glyph in glyphs:
            pixels += [ramp[alpha] for alpha in glyph.alpha[y * glyph.advance : (y + 1) * glyph.advance]]
    return Picture(font.width(text), font.height, tuple(pixels))


def _encode_row(indices: Sequence[int]) -> bytes:
    runs = bytearray()
    at = 0
    while at < len(indices):
        end = at + 1
        while end < len(indices) and end - at < _MAX_RUN and indices[end] == indices[at]:
            end += 1
        runs += bytes((end - at, indices[at]))
        at = end
    return bytes(runs)
