"""The game loop: what the player chooses, and one round from stake to credited win."""

import asyncio
import gc
from time import ticks_diff, ticks_ms

from rules.draw import RoundStream

LINE_CHOICES = (1, 5, 10, 15, 20, 25, 30, 40, 50)
COIN_SIZES_MINOR = (1, 2, 5, 10, 20, 25, 50)  # G-05
MINIMUM_GAME_MS = 2500  # CAB-62

# What the buttons do: choose and start; stop the reels; nothing, until the minimum game time is over.
_CHOOSING = 0
_SPINNING = 1
_RESTING = 2


class Presses:
    """Button presses that nobody has acted on yet."""

    def __init__(self):
        self._pressed = 0

    def add(self, pressed):
        """Records presses, a word of inputs."""
        self._pressed |= pressed

    def take(self):
        """The presses since the last call."""
        pressed = self._pressed
        self._pressed = 0
        return pressed


class Game:
    """Plays rounds of one game on the credit.

    Args:
        spin: the rules' spin object (play(stream, lines), window, stops, win, line_wins()).
        ledger: the Ledger.
        seeds: next_seed() gives 16 bytes.
        presses: the Presses; `buttons` names their bits.
        buttons: object with the masks start, collect, lines, bet, max_bet.
        screen: show_credit(minor), show_bet(minor, lines), show_win(minor), before_spin(spin),
            async spin(spin, stop_pressed), show_line_wins(spin).
        stake_counter, win_counter, games_counter: CounterQueues.
        lamps: callable(mask) lighting the buttons that can be used.
        report: callable(dict) for the service log.
    """

    def __init__(
        self,
        spin,
        ledger,
        seeds,
        presses,
        buttons,
        screen,
        stake_counter,
        win_counter,
        games_counter,
        lamps,
        report,
    ):
        self._spin = spin
        self._ledger = ledger
        self._seeds = seeds
        self._presses = presses
        self._buttons = buttons
        self._screen = screen
        self._stake_counter = stake_counter
        self._win_counter = win_counter
        self._games_counter = games_counter
        self._lamps = lamps
        self._report = report
        self._line_choice = len(LINE_CHOICES) - 1
        self._coin_choice = 0
        self._phase = _CHOOSING

    @property
    def lines(self):
        """Enabled lines; each is bet one coin."""
        return LINE_CHOICES[self._line_choice]

    @property
    def coin_minor(self):
        """The chosen coin size in minor units."""
        return COIN_SIZES_MINOR[self._coin_choice]

    @property
    def bet_minor(self):
        """The stake of the next round in minor units."""
        return self.lines * self.coin_minor

    def credit_changed(self):
        """Draws the credit and lights the buttons; for whoever changes the credit."""
        self._screen.show_credit(self._ledger.credit_minor)
        self._light()

    def _light(self):
        buttons = self._buttons
        lit = 0
        if self._phase == _SPINNING:
            lit = buttons.start
        elif self._phase == _CHOOSING:
            lit = buttons.lines | buttons.bet | buttons.max_bet
            if self._ledger.credit_minor >= self.bet_minor:
                lit |= buttons.start
        self._lamps(lit)

    def _choose(self, pressed):
        buttons = self._buttons
        if pressed & buttons.lines:
            self._line_choice = (self._line_choice + 1) % len(LINE_CHOICES)
        elif pressed & buttons.bet:
            self._coin_choice = (self._coin_choice + 1) % len(COIN_SIZES_MINOR)
        elif pressed & buttons.max_bet:
            self._line_choice = len(LINE_CHOICES) - 1
            self._coin_choice = len(COIN_SIZES_MINOR) - 1
            while self._coin_choice and self.bet_minor > self._ledger.credit_minor:
                self._coin_choice -= 1
        else:
            return
        self._screen.show_bet(self.bet_minor, self.lines)
        self._light()

    async def run(self):
        """Waits for buttons and plays, for ever."""
        self._screen.show_bet(self.bet_minor, self.lines)
        self._screen.show_win(0)
        self.credit_changed()
        while True:
            pressed = self._presses.take()
            if pressed & self._buttons.collect:
                pressed = 0  # collect wins over whatever was pressed with it (CAB-61); there is no cash-out yet
            if pressed & self._buttons.start and self._ledger.credit_minor >= self.bet_minor:
                await self.play()
            elif pressed:
                self._choose(pressed)
            await asyncio.sleep_ms(5)

    async def play(self):
        """One round. The outcome is known before the reels move; the win is credited once, at the end (G-08)."""
        started = ticks_ms()
        ledger = self._ledger
        spin = self._spin
        bet_minor = self.bet_minor
        ledger.stake(bet_minor)
        self._stake_counter.add(bet_minor)
        self._games_counter.add(1)
        seed = self._seeds.next_seed()
        self._screen.before_spin(spin)
        spin.play(RoundStream(seed), self.lines)
        self._screen.show_win(0)
        self._phase = _SPINNING
        self.credit_changed()
        await self._screen.spin(spin, self._stop_pressed)
        self._phase = _RESTING
        win_minor = spin.win * self.coin_minor
        ledger.win(win_minor)
        ledger.audit()
        self._win_counter.add(win_minor)
        self._screen.show_win(win_minor)
        self._screen.show_line_wins(spin)
        self.credit_changed()
        self._report(
            {
                "event": "round",
                "game": ledger.games,
                "seed": "".join("%02x" % byte for byte in seed),
                "lines": self.lines,
                "coin": self.coin_minor,
                "stops": list(spin.stops),
                "window": list(spin.window),
                "line_wins": spin.line_wins(),
                "scatters": (spin.scatter_count, spin.scatter_win),
                "win": win_minor,
                "credit": ledger.credit_minor,
                "coins_in": ledger.coins_minor,
                "stakes": ledger.stakes_minor,
                "wins": ledger.wins_minor,
            }
        )
        await asyncio.sleep_ms(0)
        gc.collect()  # between the last reel's stop and the end of the minimum game time (CAB-60)
        left_ms = MINIMUM_GAME_MS - ticks_diff(ticks_ms(), started)
        if left_ms > 0:
            await asyncio.sleep_ms(left_ms)
        self._presses.take()  # what was pressed meanwhile was meant for the show
        self._phase = _CHOOSING
        self._light()

    def _stop_pressed(self):
        return bool(self._presses.take() & self._buttons.start)
