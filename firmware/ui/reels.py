"""Reels drawn straight from flash: a reel at any offset is at most four slices of stored symbols, sent by SPI."""

ROWS = 3
SYMBOL_PX = 60
ROW_BYTES = 2 * SYMBOL_PX
SYMBOL_BYTES = SYMBOL_PX * ROW_BYTES


class Reels:
    """The reel windows on the panel.

    Drawing one reel blocks 3.3 ms at 62.5 MHz (21,600 bytes on the wire).

    Args:
        panel: window(x, y, width, height), write(pixels), end().
        pixels: memoryview of the game's symbols, one after another in id order, 60 x 60 big-endian RGB565 each.
        lefts: x of each reel's window.
        top: y of the windows.
    """

    def __init__(self, panel, pixels, lefts, top):
        self._panel = panel
        self._lefts = lefts
        self._top = top
        self._symbols = [pixels[at : at + SYMBOL_BYTES] for at in range(0, len(pixels), SYMBOL_BYTES)]

    def draw(self, reel, track, offset_px):
        """Draws a reel.

        Args:
            track: symbol ids from top to bottom, reaching at least 180 px below the offset.
            offset_px: how far below the top of the track the window starts.
        """
        panel = self._panel
        symbols = self._symbols
        first = offset_px // SYMBOL_PX
        hidden = offset_px % SYMBOL_PX * ROW_BYTES
        panel.window(self._lefts[reel], self._top, SYMBOL_PX, ROWS * SYMBOL_PX)
        if hidden:
            panel.write(symbols[track[first]][hidden:])
            panel.write(symbols[track[first + 1]])
            panel.write(symbols[track[first + 2]])
            panel.write(symbols[track[first + 3]][:hidden])
        else:
            for row in range(ROWS):
                panel.write(symbols[track[first + row]])
        panel.end()

    def corner(self, reel, row):
        """The top left corner of a symbol's cell."""
        return self._lefts[reel], self._top + row * SYMBOL_PX

    def frame(self, reel, row, colour):
        """Draws a frame around one symbol."""
        x, y = self.corner(reel, row)
        fill = self._panel.fill
        fill(x, y, SYMBOL_PX, 3, colour)
        fill(x, y + SYMBOL_PX - 3, SYMBOL_PX, 3, colour)
        fill(x, y + 3, 3, SYMBOL_PX - 6, colour)
        fill(x + SYMBOL_PX - 3, y + 3, 3, SYMBOL_PX - 6, colour)


class SpinShow:
    """The movement of one spin: each reel rolls down from its old symbols to its new ones, one stop after the other.

    A reel's track is the new window, then the strip that passes, then the old window, so it starts and ends without a
    jump. It moves by whole pixels from the far end of the track to its top.

    Args:
        reels: the Reels to draw on.
        strips: the game's strips, for what passes by.
        pass_symbols: symbols that pass on reel 1; each further reel passes `pass_more` more.
        pass_more: see above.
    """

    def __init__(self, reels, strips, pass_symbols=12, pass_more=5):
        self._reels = reels
        self._strips = strips
        self._passes = [pass_symbols + reel * pass_more for reel in range(len(strips))]
        self._tracks = [bytearray(passes + 2 * ROWS) for passes in self._passes]
        self._offsets = [0] * len(strips)

    def start(self, old_window, window, stops):
        """Lays the tracks of a spin: the outcome is known before anything moves."""
        for reel, track in enumerate(self._tracks):
            strip = self._strips[reel]
            passes = self._passes[reel]
            cell = reel * ROWS
            track[:ROWS] = window[cell : cell + ROWS]
            for at in range(ROWS, ROWS + passes):
                track[at] = strip[(stops[reel] + at) % len(strip)]
            track[ROWS + passes :] = old_window[cell : cell + ROWS]
            self._offsets[reel] = (ROWS + passes) * SYMBOL_PX

    def moving(self, reel):
        """True while the reel has not reached its stop."""
        return self._offsets[reel] > 0

    def move(self, reel, distance_px):
        """Moves one reel on, at most to its stop, and draws it."""
        offset = max(0, self._offsets[reel] - distance_px)
        self._offsets[reel] = offset
        self._reels.draw(reel, self._tracks[reel], offset)

    def hurry(self):
        """The player stopped the show: what is left to pass is cut to one symbol."""
        for reel, offset in enumerate(self._offsets):
            if offset > SYMBOL_PX:
                self._offsets[reel] = SYMBOL_PX
