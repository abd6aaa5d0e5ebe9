"""The screen of a game in play: reels, credit, bet, lines, win."""

import asyncio
import json
from time import ticks_diff, ticks_ms

from .money import money
from .picture import draw_picture
from .reels import Reels, SpinShow
from .text import Font, TextField

_FRAME_COLOUR = 0xF800
_PAPER = 0x0820  # the value boxes of the background
_INK = 0xFF38
_WIN_INK = 0xFFE0
_FACE = "meter16"
_SPEED_PX_PER_S = 1200
_FRAME_MS = 16


def flash_view(path):
    """A file in ROMFS as a memoryview of the flash it lies in: no copy is made."""
    return memoryview(open(path, "rb"))


class GameScreen:
    """Draws one game. Nothing here decides anything.

    Args:
        panel: the panel driver.
        game: the rules' module of the game: NAME, STRIPS.
        assets: folder of the asset files.
    """

    def __init__(self, panel, game, assets):
        self._panel = panel
        self._background = flash_view("%s/screens/%s.bin" % (assets, game.NAME))
        with open("%s/screens/%s.json" % (assets, game.NAME)) as source:
            layout = json.load(source)
        symbols = flash_view("%s/symbols/%s.bin" % (assets, game.NAME))
        self._reels = Reels(panel, symbols, layout["reels"]["x"], layout["reels"]["y"])
        self._show = SpinShow(self._reels, game.STRIPS)
        font = Font(flash_view("%s/fonts/%s.bin" % (assets, _FACE)))
        self._fields = {
            name: TextField(
                panel, font, (box["x"], box["y"], box["w"], box["h"]), _PAPER, _WIN_INK if name == "win" else _INK
            )
            for name, box in layout["fields"].items()
        }
        self._old_window = bytearray(15)

    def draw(self, window):
        """Draws everything: background and a resting window."""
        draw_picture(self._panel, self._background, 0, 0)
        for field in self._fields.values():
            field.forget()
        for reel in range(5):
            self._reels.draw(reel, window[3 * reel : 3 * reel + 3], 0)
        self._panel.on()

    def show_credit(self, credit_minor):
        """The credit meter."""
        self._fields["credit"].show(money(credit_minor))

    def show_bet(self, bet_minor, lines):
        """The stake of the next round and its lines."""
        self._fields["bet"].show(money(bet_minor))
        self._fields["lines"].show(str(lines))

    def show_win(self, win_minor):
        """The win of the last round; nothing while there is none."""
        self._fields["win"].show(money(win_minor) if win_minor else "")

    def before_spin(self, spin):
        """Remembers the window that the reels roll away from."""
        self._old_window[:] = spin.window

    async def spin(self, spin, stop_pressed):
        """Rolls the reels to the spin's window; blocks for three reels at a time, about 10 ms.

        Args:
            spin: the spin, already played.
            stop_pressed: callable; True ends the show early without changing the outcome (CAB-62).
        """
        show = self._show
        show.start(self._old_window, spin.window, spin.stops)
        drawn_ms = ticks_ms()
        moving = True
        while moving:
            now_ms = ticks_ms()
            distance_px = ticks_diff(now_ms, drawn_ms) * _SPEED_PX_PER_S // 1000
            drawn_ms = now_ms
            moving = False
            for reel in range(5):
                if show.moving(reel):
                    show.move(reel, distance_px)
                    moving = True
                if reel == 2:
                    await asyncio.sleep_ms(0)
            await asyncio.sleep_ms(max(0, _FRAME_MS - ticks_diff(ticks_ms(), now_ms)))
            if stop_pressed():
                show.hurry()

    def show_line_wins(self, spin):
        """Frames the symbols of the winning lines."""
        cells = 0
        for line, _symbol, count, _multiplier, _win in spin.line_wins():
            for cell in spin.line_cells(line)[:count]:
                cells |= 1 << cell
        if spin.scatter_win:
            for cell in spin.scatter_cells():
                cells |= 1 << cell
        for cell in range(15):
            if cells >> cell & 1:
                self._reels.frame(cell // 3, cell % 3, _FRAME_COLOUR)
