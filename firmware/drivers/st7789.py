"""ST7789 panel on SPI: 320 x 240, landscape, RGB565."""

from time import sleep_ms

_SWRESET = 0x01
_SLPOUT = 0x11
_NORON = 0x13
_INVON = 0x21
_DISPON = 0x29
_CASET = 0x2A
_RASET = 0x2B
_RAMWR = 0x2C
_MADCTL = 0x36
_COLMOD = 0x3A

# Command, parameters, wait in ms afterwards. The waits are the data sheet's for software reset and sleep out.
_INIT = (
    (_SWRESET, b"", 150),
    (_SLPOUT, b"", 120),
    (_COLMOD, b"\x55", 0),  # 16 bits a pixel, RGB565
    (_NORON, b"", 0),
)


class St7789:
    """The panel's window and pixels.

    `write` blocks for the time on the wire: 16 bits a pixel at the bus's rate, 2.8 ms for 60 x 180 pixels at 62.5 MHz.

    Args:
        spi: machine.SPI, mode 3 or 0 as the module wants.
        select, data_command, reset, backlight: callables (Pins) taking 0 or 1.
        madctl: memory access control: which way the glass is mounted.
        inverted: True for IPS glass, which shows the right colours with inversion on.
    """

    def __init__(self, spi, select, data_command, reset, backlight, madctl, inverted):
        self._spi = spi
        self._select = select
        self._data = data_command
        self._backlight = backlight
        self._one = bytearray(1)
        self._columns = bytearray(4)
        self._rows = bytearray(4)
        self._y = self._height = -1  # the row window that the panel has
        backlight(0)
        select(1)
        reset(0)
        sleep_ms(2)  # 10 us at least; sleep_ms may end up to a millisecond early
        reset(1)
        sleep_ms(120)
        for command, parameters, wait_ms in _INIT:
            self._command(command, parameters)
            if wait_ms:
                sleep_ms(wait_ms)
        self._command(_MADCTL, bytes((madctl,)))
        if inverted:
            self._command(_INVON)

    def _command(self, command, parameters=None):
        self._one[0] = command
        self._select(0)
        self._data(0)
        self._spi.write(self._one)
        self._data(1)
        if parameters:
            self._spi.write(parameters)
        self._select(1)

    def on(self):
        """Shows what has been drawn: display and backlight on."""
        self._command(_DISPON)
        self._backlight(1)

    def window(self, x, y, width, height):
        """The next pixels go into this rectangle, row by row from its top left corner."""
        columns = self._columns
        right = x + width - 1
        columns[0] = x >> 8
        columns[1] = x & 255
        columns[2] = right >> 8
        columns[3] = right & 255
        send = self._spi.write
        data = self._data
        one = self._one
        self._select(0)
        one[0] = _CASET
        data(0)
        send(one)
        data(1)
        send(columns)
        if self._y != y or self._height != height:
            self._y = y
            self._height = height
            rows = self._rows
            bottom = y + height - 1
            rows[0] = y >> 8
            rows[1] = y & 255
            rows[2] = bottom >> 8
            rows[3] = bottom & 255
            one[0] = _RASET
            data(0)
            send(one)
            data(1)
            send(rows)
        one[0] = _RAMWR
        data(0)
        send(one)
        data(1)

    def write(self, pixels):
        """Sends pixels (big-endian RGB565) into the window; may be called again to go on where it ended."""
        self._spi.write(pixels)

    def end(self):
        """Ends the window: deselects the panel."""
        self._select(1)

    def fill(self, x, y, width, height, colour):
        """Fills a rectangle with one RGB565 colour; blocks 10 us a row and the time on the wire."""
        row = bytearray(2 * width)
        for at in range(0, 2 * width, 2):
            row[at] = colour >> 8
            row[at + 1] = colour & 255
        self.window(x, y, width, height)
        for _ in range(height):
            self._spi.write(row)
        self.end()

    def deinit(self):
        """Backlight off."""
        self._backlight(0)
