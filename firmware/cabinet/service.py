"""What the cabinet tells over the service link: who it is, its state, its meters, its memory, and events."""

import asyncio
import gc
from time import sleep_ms, ticks_diff, ticks_ms

from link.endpoint import Link
from link.messages import PROTOCOL
from link.regions import Regions

TURN_MS = 20
HEAP_COUNT_MS = 2000  # counting takes 9 ms
FAREWELL_MS = 300  # for what is still to be said when the program ends


class Service:
    """The answers of the service link, and its task.

    Args:
        port: a port of the link.
        identity: what `hello` answers besides the protocol: a dict; its "program" is in the state too.
        regions: the regions that may be read, as `link.regions` takes them.
        ledger: the Ledger.
        chosen: gives the chosen game's name and its BetChoice, once `serve` runs.

    Attributes:
        report: callable(dict) for events.
        ready: outputs and coins are enabled.
    """

    def __init__(self, port, identity, regions, ledger, chosen):
        self._ledger = ledger
        self._chosen = chosen
        self._identity = identity
        self._link = Link(
            port,
            {
                "get_hello": self._hello,
                "get_state": self._state,
                "get_meters": self._meters,
                "read_region": Regions(regions).page,
            },
        )
        self.report = self._link.report
        self._uptime_ms = 0
        self._heap_free = self._heap_counted_ms = 0
        self.ready = False

    def _hello(self, _request):
        hello = {"protocol": PROTOCOL}
        hello.update(self._identity)
        return hello

    def _state(self, _request):
        now = ticks_ms()
        if ticks_diff(now, self._heap_counted_ms) >= HEAP_COUNT_MS:
            self._heap_counted_ms = now
            self._heap_free = gc.mem_free()
        name, bet = self._chosen()
        return {
            "uptime_ms": self._uptime_ms,
            "ready": self.ready,
            "tilts": 0,
            "credit": self._ledger.credit_minor,
            "game": name,
            "coin": bet.coin_minor,
            "line_bet": bet.line_bet,
            "lines": bet.lines,
            "stake": bet.stake_minor,
            "heap_free": self._heap_free,
            "program": self._identity["program"],
            "dropped": self._link.dropped,
            "bad_frames": self._link.bad_frames,
        }

    def _meters(self, _request):
        ledger = self._ledger
        return {
            "values": (
                ledger.credit_minor,
                ledger.coins_minor,
                ledger.stakes_minor,
                ledger.wins_minor,
                ledger.voided_minor,
                ledger.games,
                ledger.gamble_in_minor,
                ledger.gamble_out_minor,
            )
        }

    async def serve(self):
        """Turns of the link, and the clock of the uptime, for ever."""
        self._uptime_ms = before = self._heap_counted_ms = ticks_ms()
        self._heap_free = gc.mem_free()
        while True:
            self._link.poll()
            await asyncio.sleep_ms(TURN_MS)
            now = ticks_ms()
            self._uptime_ms += ticks_diff(now, before)
            before = now

    def deinit(self):
        """Gives what is still to be said a moment to go out; the UART sends on by itself."""
        begun = ticks_ms()
        while not self._link.idle and ticks_diff(ticks_ms(), begun) < FAREWELL_MS:
            self._link.push()
            sleep_ms(1)
