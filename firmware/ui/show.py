"""What a player sees of a game: the reels of its spins, and plain screens for choices and features."""

import asyncio
import json
from time import ticks_diff, ticks_ms

from .labels import CHOICE_TITLES, card_name, option_label
from .money import money
from .picture import clear, draw_picture
from .reels import ROWS, Reels, SpinShow
from .text import Font, TextField

_FRAME_COLOUR = 0xF800
_PAPER = 0x0820  # the value boxes of the backgrounds
_INK = 0xFF38
_WIN_INK = 0xFFE0
_DARK = 0x0000
_BOX = 0x2945
_CHOSEN = 0xFD20
_SPEED_PX_PER_S = 1200
_FRAME_MS = 16
_BANNER_MS = 1200
_FEATURE_PAUSE_MS = 300
_BANNER_BOX = (26, 94, 268, 44)
_CHOOSER_GROUND = 0x1065
_ICON_BOX_PX = 16
_ICON_PAPER = 0xFFE0


def flash_view(path):
    """A file in ROMFS as a memoryview of the flash it lies in: no copy is made."""
    return memoryview(open(path, "rb"))


class Show:
    """Draws the chosen game. Nothing here decides anything.

    Args:
        panel: the panel driver.
        assets: folder of the asset files.
        presses: take() gives the presses since the last call.
        buttons: object with the masks start, left, right.
    """

    def __init__(self, panel, assets, presses, buttons):
        self._panel = panel
        self._assets = assets
        self._presses = presses
        self._buttons = buttons
        self._meter = Font(flash_view(assets + "/fonts/meter16.bin"))
        self._text = Font(flash_view(assets + "/fonts/text14.bin"))
        self._small = Font(flash_view(assets + "/fonts/text10.bin"))
        self._banner = TextField(panel, self._text, _BANNER_BOX, _DARK, _WIN_INK, centred=True)
        self._window = bytearray(15)
        self._old_window = bytearray(15)
        self._stops = (0, 0, 0, 0, 0)
        self._mode = 0
        self._cells = 0

    def open(self, game, bet):
        """The next draw() shows this game.

        Args:
            game: the rules' module of the game: NAME, STRIPS.
            bet: the BetChoice, for the lines it has.
        """
        self._game = game
        self._bet = bet
        name = game.NAME
        self._background = flash_view("%s/screens/%s.bin" % (self._assets, name))
        with open("%s/screens/%s.json" % (self._assets, name)) as source:
            layout = json.load(source)
        symbols = flash_view("%s/symbols/%s.bin" % (self._assets, name))
        self._reels = Reels(self._panel, symbols, layout["reels"]["x"], layout["reels"]["y"])
        self._shows = {}
        self._fields = {
            field: TextField(
                self._panel,
                self._meter,
                (box["x"], box["y"], box["w"], box["h"]),
                _PAPER,
                _WIN_INK if field == "win" else _INK,
            )
            for field, box in layout["fields"].items()
        }
        for reel in range(5):
            self._window[3 * reel : 3 * reel + 3] = game.STRIPS[0][reel][:3]

    async def draw(self):
        """Draws everything: background and a resting window."""
        await draw_picture(self._panel, self._background, 0, 0)
        for field in self._fields.values():
            field.forget()
        self._draw_window()
        self._panel.on()

    def _draw_window(self):
        for reel in range(5):
            self._reels.draw(reel, self._window[3 * reel : 3 * reel + 3], 0)

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

    # ---- what happens in a round
    async def event(self, event, won_minor):
        """Shows one event of a round; `won_minor` is what the round has won with it."""
        name = event[0]
        if name == "spin":
            self._mode = event[1]
            self._stops = event[2:7]
            self._cells = 0
            self._old_window[:] = self._window
        elif name == "window":
            self._window[:] = event[1]
        elif name == "line":
            self._add_line(event[1], event[3], event[4])
        elif name == "scatter":
            for cell in range(15):
                if self._window[cell] == self._scatter():
                    self._cells |= 1 << cell
        elif name == "spin_win":
            await self._roll()
            self._draw_icons()
            self._frame_wins()
            self.show_win(won_minor)
            if self._mode:
                await asyncio.sleep_ms(_FEATURE_PAUSE_MS)
        else:
            text = self._words(event)
            if text:
                await self._say(text)
                self.show_win(won_minor)

    def _words(self, event):
        """The banner of an event, or None."""
        name = event[0]
        bet = self._bet
        if name == "award":
            return "%d FREE SPINS" % event[1] if event[1] else None
        if name == "feature_end":
            return "FEATURE PAYS %s" % money(event[1] * bet.coin_minor)
        if name == "cuckoo":
            return "CUCKOO BONUS: %d PICKS" % event[1]
        if name == "cuckoo_pick":
            return "CLOCK %d PAYS %s" % (event[1] + 1, money(event[2] * bet.coin_minor))
        if name == "trail" and event[2]:
            return "TRAIL LEVEL %d: %s" % (event[1], money(event[2] * bet.coin_minor))
        if name == "trail":
            return "FULL MOON MONEY!"
        if name == "full_moon":
            return "CASHPOT %s" % money(event[3] * bet.line_bet * bet.coin_minor)
        if name == "full_moon_win":
            return "FULL MOON PAYS %s" % money(event[1] * bet.coin_minor)
        if name == "number_trail":
            return "NUMBER TRAIL: %d" % event[2]
        if name == "merge":
            return "SANTA MEETS RUDOLF!"
        if name == "meter":
            return "%s METER %d OF 8" % (("RUDOLF", "SANTA")[event[1]], event[2])
        if name == "rudolf_spins":
            return "RUDOLF SPINS!"
        if name == "gift":
            if event[3] < 3:
                return "GIFT: %s" % money(event[4] * bet.coin_minor)
            return "MULTIPLIER X%d" % event[5] if event[3] == 3 else "NO MORE IN THIS SET"
        if name == "gifts_win":
            return "GIFTS PAY %s" % money(event[1] * bet.coin_minor)
        if name == "gamble":
            return "%s: %s" % (card_name(event[1]), money(event[2] * bet.coin_minor))
        if name == "clamp":
            return "LARGEST AWARD %s" % money(event[2] * bet.coin_minor)
        return None

    def _scatter(self):
        for attribute in ("LOGO", "BUNNY", "HOUSE"):
            if hasattr(self._game, attribute):
                return getattr(self._game, attribute)
        return -1

    def _add_line(self, line, count, direction):
        cells = self._game.LINES[5 * (line - 1) : 5 * line]
        for reel in range(count):
            self._cells |= 1 << cells[4 - reel if direction else reel]

    def _draw_icons(self):
        """The numbers that symbols carry (HH-06), in their corners."""
        if not hasattr(self._game, "ICONS"):
            return
        for reel in range(5):
            for row in range(ROWS):
                number = self._game.icon(self._mode, reel, self._stops[reel] + row)
                if number:
                    x, y = self._reels.corner(reel, row)
                    box = (x + 4, y + 4, _ICON_BOX_PX, _ICON_BOX_PX)
                    TextField(self._panel, self._small, box, _ICON_PAPER, _DARK, centred=True).show(str(number))

    def _frame_wins(self):
        for cell in range(15):
            if self._cells >> cell & 1:
                self._reels.frame(cell // ROWS, cell % ROWS, _FRAME_COLOUR)

    async def _roll(self):
        """Rolls the reels to the window; START ends it early without changing the outcome (CAB-62).

        Blocks for three reels at a time, about 10 ms.
        """
        mode = self._mode
        if mode not in self._shows:
            self._shows = {mode: SpinShow(self._reels, self._game.STRIPS[mode])}
        show = self._shows[mode]
        show.start(self._old_window, self._window, self._stops)
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
            if self._presses.take() & self._buttons.start:
                show.hurry()

    async def _say(self, text):
        """Shows a banner over the reels for a moment; START ends it early."""
        self._banner.forget()
        self._banner.show(text)
        until = ticks_ms() + _BANNER_MS
        while ticks_diff(until, ticks_ms()) > 0 and not self._presses.take() & self._buttons.start:
            await asyncio.sleep_ms(10)
        self._draw_window()
        self._draw_icons()
        self._frame_wins()

    # ---- what the player is asked
    async def choose(self, kind, options):
        """Asks for one of the options: LEFT and RIGHT move, START takes; returns the option."""
        left, top, width, height = 26, 50, 268, 130
        await clear(self._panel, left, top, width, height, _DARK)
        TextField(self._panel, self._text, (left, top + 4, width, 24), _DARK, _INK, centred=True).show(
            CHOICE_TITLES[kind]
        )
        labels = [option_label(kind, option) for option in options]
        chosen = await self._select(labels, left + 8, top + 36, width - 10, 24, 3 if kind == 3 else len(labels))
        self._draw_window()
        self._frame_wins()
        return options[chosen]

    async def pick_game(self, names, present):
        """Shows the games: LEFT and RIGHT move, START takes; returns the name."""
        panel = self._panel
        with open(self._assets + "/screens/chooser.json") as source:
            layout = json.load(source)
        await draw_picture(panel, flash_view(self._assets + "/screens/chooser.bin"), 0, 0)
        credit = layout["fields"]["credit"]
        game_credit = self._fields["credit"]
        field = TextField(panel, self._meter, (credit["x"], credit["y"], credit["w"], credit["h"]), _PAPER, _INK)
        field.show(game_credit.shown)
        self._fields["credit"] = field  # coins that fall now are shown here
        tiles = layout["tiles"]

        def frame(at, colour):
            tile = tiles[names[at]]
            x, y, w, h = tile["x"] - 3, tile["y"] - 3, tile["w"] + 6, tile["h"] + 6
            panel.fill(x, y, w, 3, colour)
            panel.fill(x, y + h - 3, w, 3, colour)
            panel.fill(x, y + 3, 3, h - 6, colour)
            panel.fill(x + w - 3, y + 3, 3, h - 6, colour)

        def move(old, new):
            frame(old, _CHOOSER_GROUND)
            frame(new, _CHOSEN)

        frame(names.index(present), _CHOSEN)
        return names[await self._move_and_take(len(names), names.index(present), move)]

    async def _select(self, labels, x, y, width, height, columns):
        """Boxes of which one is lit; returns the position of the one taken."""
        column_px = width // columns
        boxes = [
            (x + at % columns * column_px, y + at // columns * (height + 6), column_px - 6, height)
            for at in range(len(labels))
        ]

        def light(at, on):
            paper = _CHOSEN if on else _BOX
            TextField(self._panel, self._small, boxes[at], paper, 0xFFFF, centred=True).show(labels[at])

        def move(old, new):
            light(old, False)
            light(new, True)

        for at in range(1, len(labels)):
            light(at, False)
            await asyncio.sleep_ms(0)
        light(0, True)
        return await self._move_and_take(len(labels), 0, move)

    async def _move_and_take(self, count, chosen, move):
        """LEFT and RIGHT move, START takes; returns the position. move(old, new) draws a step."""
        buttons = self._buttons
        self._presses.take()
        while True:
            pressed = self._presses.take()
            if pressed & buttons.start:
                return chosen
            step = 1 if pressed & buttons.right else -1 if pressed & buttons.left else 0
            if step:
                new = (chosen + step) % count
                move(chosen, new)
                chosen = new
            await asyncio.sleep_ms(10)
