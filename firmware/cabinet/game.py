"""The game loop: which game, which bet, and one round from stake to credited win."""

# pyright: reportGeneralTypeIssues=false, reportOperatorIssue=false
# Events are tuples of a name and as many integers as that name has: pyright cannot tell which.

import asyncio
import gc
from time import ticks_diff, ticks_ms

from rules.games import GAMES, game_module
from rules.round import play

from .bet import BetChoice

MINIMUM_GAME_MS = 2500  # CAB-62
GAMBLE_LIMIT_MINOR = 50_000  # MM-11
_FIRST_GAME = "mad_mad_monkey"

# What the buttons do: choose and start; stop the reels; answer; nothing, until the minimum game time is over.
_CHOOSING = 0
_SPINNING = 1
_ASKING = 2
_RESTING = 3


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
    """Plays rounds on the credit.

    Args:
        ledger: the Ledger.
        seeds: next_seed() gives 16 bytes.
        presses: the Presses.
        buttons: object with the masks start, collect, lines, bet, max_bet, left, right.
        show: what is seen (ui.show.Show): open(game, bet), async draw(), show_credit(minor), show_bet(minor, lines),
            show_win(minor), async event(event, won_minor), async choose(kind, options),
            async pick_game(names, present).
        stake_counter, win_counter, games_counter: CounterQueues.
        lamps: callable(mask) lighting the buttons that can be used.
        report: callable(dict) for the service log.
    """

    def __init__(self, ledger, seeds, presses, buttons, show, stake_counter, win_counter, games_counter, lamps, report):
        self._ledger = ledger
        self._seeds = seeds
        self._presses = presses
        self._buttons = buttons
        self._show = show
        self._stake_counter = stake_counter
        self._win_counter = win_counter
        self._games_counter = games_counter
        self._lamps = lamps
        self._report = report
        self._bets = {}
        self._phase = _CHOOSING
        self._select(_FIRST_GAME)

    def _select(self, name):
        self._game = game_module(name)
        if name not in self._bets:
            self._bets[name] = BetChoice(self._game)
        self._bet = self._bets[name]
        self._show.open(self._game, self._bet)

    async def draw(self):
        """Draws the chosen game, at rest."""
        await self._show.draw()
        self._show.show_bet(self._bet.stake_minor, self._bet.lines)
        self._show.show_win(0)
        self.credit_changed()

    def credit_changed(self):
        """Draws the credit and lights the buttons; for whoever changes the credit."""
        self._show.show_credit(self._ledger.credit_minor)
        self._light()

    def _enter(self, phase):
        self._phase = phase
        self._light()

    def _light(self):
        buttons = self._buttons
        lit = 0
        if self._phase == _SPINNING:
            lit = buttons.start
        elif self._phase == _ASKING:
            lit = buttons.start | buttons.left | buttons.right
        elif self._phase == _CHOOSING:
            lit = buttons.lines | buttons.bet | buttons.max_bet | buttons.left | buttons.right
            if self._ledger.credit_minor >= self._bet.stake_minor:
                lit |= buttons.start
        self._lamps(lit)

    def _change_bet(self, pressed):
        buttons = self._buttons
        if pressed & buttons.lines:
            self._bet.next_lines()
        elif pressed & buttons.bet:
            self._bet.next_bet()
        elif pressed & buttons.max_bet:
            self._bet.most(self._ledger.credit_minor)
        else:
            return
        self._show.show_bet(self._bet.stake_minor, self._bet.lines)
        self._light()

    @property
    def chosen(self):
        """The name of the game and its BetChoice."""
        return self._game.NAME, self._bet

    async def run(self):
        """Waits for buttons and plays, for ever."""
        buttons = self._buttons
        self._light()
        while True:
            pressed = self._presses.take()
            if pressed & buttons.collect:
                pressed = 0  # collect wins over whatever was pressed with it (CAB-61); there is no cash-out yet
            if pressed & buttons.start and self._ledger.credit_minor >= self._bet.stake_minor:
                await self.play()
            elif pressed & (buttons.left | buttons.right):
                self._enter(_ASKING)
                name = await self._show.pick_game(GAMES, self._game.NAME)
                self._select(name)
                self._report({"event": "game", "game": name})
                self._phase = _CHOOSING
                await self.draw()
            elif pressed:
                self._change_bet(pressed)
            await asyncio.sleep_ms(5)

    async def play(self):
        """One round. Each outcome is known before it is shown; the win is credited once, at the end (G-08)."""
        started = ticks_ms()
        ledger = self._ledger
        bet = self._bet
        ledger.stake(bet.stake_minor)
        self._stake_counter.add(bet.stake_minor)
        self._games_counter.add(1)
        self._show.show_win(0)
        self._phase = _SPINNING
        self.credit_changed()
        try:
            seed = self._seeds.next_seed()
            choices, win = await self._play_events(seed)
        except Exception:
            # The round cannot be completed: it is void, and the program ends with coins inhibited (G-01).
            ledger.void(bet.stake_minor)
            self._report({"event": "malfunction", "voided": bet.stake_minor, "credit": ledger.credit_minor})
            raise
        self._phase = _RESTING
        win_minor = win * bet.coin_minor
        ledger.win(win_minor)
        ledger.audit()
        self._win_counter.add(win_minor)
        self._show.show_win(win_minor)
        self.credit_changed()
        self._report(
            {
                "event": "round",
                "number": ledger.games,
                "game": self._game.NAME,
                "seed": "".join("%02x" % byte for byte in seed),
                "line_bet": bet.line_bet,
                "lines": bet.lines,
                "coin": bet.coin_minor,
                "choices": choices,
                "win": win_minor,
                "credit": ledger.credit_minor,
                "coins_in": ledger.coins_minor,
                "stakes": ledger.stakes_minor,
                "wins": ledger.wins_minor,
                "gamble_in": ledger.gamble_in_minor,
                "gamble_out": ledger.gamble_out_minor,
            }
        )
        await asyncio.sleep_ms(0)
        gc.collect()  # between the last reel's stop and the end of the minimum game time (CAB-60)
        left_ms = MINIMUM_GAME_MS - ticks_diff(ticks_ms(), started)
        if left_ms > 0:
            await asyncio.sleep_ms(left_ms)
        self._presses.take()  # what was pressed meanwhile was meant for the show
        self._enter(_CHOOSING)

    async def _play_events(self, seed):
        """Runs the round's events past the show; returns the choices made and the win in coins."""
        bet = self._bet
        gamble_limit = -(-GAMBLE_LIMIT_MINOR // bet.coin_minor)
        events = play(self._game.NAME, bet.line_bet, bet.lines, seed, gamble_limit)
        choices = []
        option = None
        won = 0
        while True:
            try:
                event = events.send(option)
            except StopIteration:
                return choices, won
            option = None
            name = event[0]
            if name == "choice":
                self._enter(_ASKING)
                self._report({"event": "choice", "kind": event[1], "options": event[2:]})
                option = await self._show.choose(event[1], event[2:])
                self._enter(_SPINNING)
                choices.append(option)
                continue
            won += _coins_won(event)
            if name == "gamble":
                self._ledger.gamble(won * bet.coin_minor, event[2] * bet.coin_minor)
                won = event[2]
            await self._show.event(event, won * bet.coin_minor)
            if name == "round_win":
                won = event[1]


def _coins_won(event):
    """What an event adds to the round's win so far."""
    name = event[0]
    if name in ("spin_win", "full_moon_win", "gifts_win"):
        return event[1]
    if name in ("cuckoo_pick", "trail"):
        return event[2]
    return 0
