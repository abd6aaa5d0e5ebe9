"""Text in the project's own faces, anti-aliased over a plain background.

A face lies in flash: height, baseline, first code and number of glyphs (one byte each), then offset and advance of each
glyph (two little-endian bytes each), then the glyphs' rows of (advance + 1) // 2 bytes, two 4-bit pixels a byte.
"""

import micropython


def colour_ramp(paper, ink):
    """Sixteen RGB565 colours from paper to ink, two bytes each, high byte first."""
    colours = bytearray(32)
    for alpha in range(16):
        value = 0
        for shift, mask in ((11, 31), (5, 63), (0, 31)):
            low = paper >> shift & mask
            high = ink >> shift & mask
            value |= (low * (15 - alpha) + high * alpha + 7) // 15 << shift
        colours[2 * alpha] = value >> 8
        colours[2 * alpha + 1] = value & 255
    return colours


@micropython.viper
def _expand(rows: ptr8, at: int, target: ptr16, to: int, stride: int, colours: ptr16, width: int, height: int):
    y = 0
    while y < height:
        x = 0
        while x < width:
            two = rows[at]
            at += 1
            target[to + x] = colours[two >> 4]
            x += 1
            if x < width:
                target[to + x] = colours[two & 15]
                x += 1
        to += stride
        y += 1


@micropython.viper
def _fill(target: ptr16, count: int, colour: int):
    at = 0
    while at < count:
        target[at] = colour
        at += 1


_pixels = memoryview(bytearray(8192))  # of the strip that a TextField sends; one for all, as each is sent at once


class Font:
    """One face at one size. `capital_px` is the height of its capitals, from the top of the glyphs to the baseline.

    Args:
        data: memoryview of the face's file.
    """

    def __init__(self, data):
        self._data = data
        self.height_px = data[0]
        self.capital_px = data[1]
        self._first = data[2]

    def _entry(self, character):
        return 4 + 4 * (ord(character) - self._first)

    def width_px(self, text):
        """The width of a line of text."""
        data = self._data
        width = 0
        for character in text:
            at = self._entry(character)
            width += data[at + 2] | data[at + 3] << 8
        return width

    def draw(self, text, target, stride_px, x, y, colours):
        """Draws text, of characters that the face has, into an RGB565 buffer.

        Args:
            target: bytearray of rows of stride_px pixels.
            x, y: top left corner in the buffer.
            colours: a `colour_ramp`.

        Raises:
            ValueError: the text does not fit. The expander is machine code: it would write past the buffer.
        """
        if x < 0 or y < 0 or x + self.width_px(text) > stride_px or (y + self.height_px) * stride_px * 2 > len(target):
            raise ValueError("text does not fit its buffer")
        data = self._data
        for character in text:
            at = self._entry(character)
            offset = data[at] | data[at + 1] << 8
            advance = data[at + 2] | data[at + 3] << 8
            _expand(data, offset, target, y * stride_px + x, stride_px, colours, advance, self.height_px)
            x += advance


class TextField:
    """A right-aligned or centred line of text in a box of the panel; it is sent only when it changes.

    A text of eight characters in a box of 70 x 20 pixels takes about 6 ms, one of twenty in 316 x 34 about 16 ms.

    Args:
        panel: window(x, y, width, height), write(pixels), end().
        font: the Font.
        box: x, y, width, height in pixels.
        paper, ink: RGB565 colours.
        centred: else right-aligned with a margin of 3 px.

    Attributes:
        shown: the text it shows, None before the first.
    """

    def __init__(self, panel, font, box, paper, ink, centred=False):
        self._panel = panel
        self._font = font
        self._box = box
        self._paper = paper >> 8 | (paper & 255) << 8
        self._colours = colour_ramp(paper, ink)
        self._centred = centred
        self.shown = None

    def show(self, text):
        """Shows text; one that is too long is cut on the left."""
        if text == self.shown:
            return
        self.shown = text
        _, _, width, height = self._box
        font = self._font
        text_width = font.width_px(text)
        while text_width > width:
            text = text[1:]
            text_width = font.width_px(text)
        room = width - text_width
        left = room // 2 if self._centred else max(0, room - 3)
        self._strip(0, left, "")
        # Some at a time, as no glyph is wider than high: a buffer for the whole box finds no place in a worn heap.
        several = max(1, len(_pixels) // (2 * height * font.height_px))
        for begin in range(0, len(text), several):
            part = text[begin : begin + several]
            part_width = font.width_px(part)
            self._strip(left, part_width, part)
            left += part_width
        self._strip(left, width - left, "")

    def _strip(self, at, width, text):
        """Sends the columns from `at` on, with text from their left edge."""
        x, y, _, height = self._box
        panel = self._panel
        columns = len(_pixels) // (2 * height)
        while width > 0:
            sent = min(width, columns)
            pixels = _pixels[: 2 * sent * height]
            _fill(pixels, sent * height, self._paper)  # pyright: ignore[reportArgumentType]
            if text:
                self._font.draw(text, pixels, sent, 0, (height - self._font.capital_px) // 2, self._colours)
            panel.window(x + at, y, sent, height)
            panel.write(pixels)
            panel.end()
            at += sent
            width -= sent

    def forget(self):
        """The panel shows something else here now: the next show() draws."""
        self.shown = None
