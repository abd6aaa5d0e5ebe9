"""`make run DEMO=1`: coins, up to twenty spins by the buttons, pictures of the panel, and a check of every figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..core import play_round, rules
from ..errors import CheckFailed
from ..paths import BUILD
from .virtual_cabinet import VirtualCabinet

SPINS = 20
FIRST_COINS = 10
MORE_COINS = 5
HEAP_FREE_MIN = 170_000
GAMBLE_LIMIT_MINOR = 50_000  # the cabinet's default
_GAME_US = 2_500_000
_SETTLE_US = 3_000_000
_LONGEST_US = 60_000_000  # of the session: free spins can leave no time for all of the spins
_SHOWN_SPINS = 2  # the others are hurried: twenty whole shows with their free spins can take minutes


class Demo:
    """Plays on a running cabinet and keeps what it saw.

    Args:
        cabinet: the cabinet, ready to play.
        folder: where pictures and report go.
    """

    def __init__(self, cabinet: VirtualCabinet, folder: Path) -> None:
        self._cabinet = cabinet
        self._folder = folder
        self._game = rules("games.mad_mad_monkey")
        self._pictures: list[str] = []
        self._rounds: list[dict[str, Any]] = []
        self._faults: list[str] = []
        self._coins = 0

    def play(self, ready: dict[str, Any]) -> dict[str, Any]:
        """Runs the session and returns its report.

        Raises:
            CheckFailed: a figure of the cabinet does not add up.
        """
        cabinet = self._cabinet
        started_us = cabinet.pico.now_us
        self._picture("ready")
        self._insert(FIRST_COINS)
        self._picture("coins")
        for number in range(1, SPINS + 1):
            if cabinet.pico.now_us - started_us + _GAME_US + self._settle_us() > _LONGEST_US:
                break
            if self._credit_minor() < self._stake_minor():
                self._insert(MORE_COINS)
            self._spin(number)
        cabinet.pico.run_for(self._settle_us())
        self._picture("end")
        self._check_meters(ready)
        report = {
            "spins": len(self._rounds),
            "coins": self._coins,
            "credit_minor": self._credit_minor(),
            "counters": {name: counter.count for name, counter in cabinet.parts.counters.items()},
            "heap_free": ready["heap_free"],
            "emulated_seconds": round((cabinet.pico.now_us - started_us) / 1e6, 3),
            "pictures": self._pictures,
            "rounds": self._rounds,
            "faults": self._faults,
        }
        (self._folder / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        if self._faults:
            raise CheckFailed(f"the demo found {len(self._faults)} faults, the first: {self._faults[0]}")
        return report

    def _picture(self, name: str) -> None:
        path = self._folder / f"{len(self._pictures):02d}-{name}.png"
        self._cabinet.parts.panel.png(path, 2)
        self._pictures.append(path.name)

    def _expect(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            self._faults.append(f"{what} is {found}, should be {wanted}")
            print(f"  WRONG: {self._faults[-1]}")

    def _credit_minor(self) -> int:
        coins_minor: int = self._coins * self._cabinet.board.COIN_VALUE_MINOR
        return coins_minor - len(self._rounds) * self._stake_minor() + self._won_minor()

    def _stake_minor(self) -> int:
        return int(self._game.MAX_LINES)  # the demo leaves the bet at fifty lines of one minor unit

    def _won_minor(self) -> int:
        return sum(int(played["win"]) for played in self._rounds)

    def _settle_us(self) -> int:
        """Until the last step of every counter is made: a large win takes the counter of coin out many seconds."""
        board = self._cabinet.board
        owed = self._won_minor() // board.COUNTER_UNIT_MINOR - self._cabinet.parts.counters["COIN_OUT"].count
        return _SETTLE_US + 1000 * int(owed * (board.COUNTER_ON_MS + board.COUNTER_OFF_MS))

    def _insert(self, coins: int) -> None:
        cabinet = self._cabinet
        before = cabinet.parts.coin_acceptor.accepted
        cabinet.parts.coin_acceptor.insert(coins)
        for _ in range(coins):
            event = cabinet.wait_event("coin", 1_000_000)
            self._coins += 1
            self._expect("credit after a coin", event["credit"], self._credit_minor())
        self._expect("coins taken by the acceptor", cabinet.parts.coin_acceptor.accepted - before, coins)
        print(f"  {coins} coins: credit {self._credit_minor() / 100:.2f}")

    def _spin(self, number: int) -> None:
        cabinet = self._cabinet
        pressed_us = cabinet.pico.now_us
        cabinet.parts.buttons["START"].click()
        if number <= _SHOWN_SPINS:
            cabinet.pico.run_for(700_000)
            self._picture(f"spin{number:02d}-turning")
        event = cabinet.finish_round(hurry=number > _SHOWN_SPINS)
        self._rounds.append(event)
        self._check_round(event)
        if event["win"] or number == 1:
            self._picture(f"spin{number:02d}")
        self._print_round(number, event)
        rest_us = _GAME_US + 60_000 - (cabinet.pico.now_us - pressed_us)
        cabinet.pico.run_for(max(rest_us, 0))

    def _check_round(self, event: dict[str, Any]) -> None:
        """The same seed and choices through the same core on this computer, and the money."""
        played = self._events(event)
        self._expect("win", event["win"], played[-1][1] * event["coin"])
        self._expect("credit", event["credit"], self._credit_minor())
        self._expect("coins in", event["coins_in"], self._coins * self._cabinet.board.COIN_VALUE_MINOR)
        self._expect("stakes", event["stakes"], len(self._rounds) * self._stake_minor())
        self._expect("games", event["number"], len(self._rounds))

    def _events(self, event: dict[str, Any]) -> list[Any]:
        limit = -(-GAMBLE_LIMIT_MINOR // event["coin"])
        seed = bytes.fromhex(event["seed"])
        return play_round(event["game"], event["line_bet"], event["lines"], seed, event["choices"], limit)

    def _print_round(self, number: int, event: dict[str, Any]) -> None:
        print(f"spin {number:2d}  seed {event['seed']}")
        symbols = self._game.SYMBOLS
        for played in self._events(event):
            name, *values = played
            if name == "window":
                names = [symbols[symbol] for symbol in values]
                for row in range(3):
                    print("   " + "".join(f"{names[3 * reel + row]:<11}" for reel in range(5)))
            elif name == "line":
                line, symbol, count, _, multiplier, win = values
                print(f"   line {line}: {count} x {symbols[symbol]}{f' x{multiplier}' * (multiplier > 1)} pays {win}")
            elif name == "scatter":
                print(f"   {values[0]} Logos pay {values[2]}")
            elif name == "award":
                print(f"   {values[0]} free spins")
            elif name == "feature_end":
                print(f"   the free spins pay {values[0]}")
        counters = ", ".join(
            f"{name.lower().replace('_', ' ')} {counter.count}"
            for name, counter in self._cabinet.parts.counters.items()
        )
        print(
            f"   win {event['win'] / 100:.2f}  credit {event['credit'] / 100:.2f}  stakes {event['stakes'] / 100:.2f}  "
            f"wins {event['wins'] / 100:.2f}  counters: {counters}",
            flush=True,
        )

    def _check_meters(self, ready: dict[str, Any]) -> None:
        parts, board = self._cabinet.parts, self._cabinet.board
        won = self._won_minor()
        staked = len(self._rounds) * self._stake_minor()
        self._expect("counter of coin in", parts.counters["COIN_IN"].count, staked // board.COUNTER_UNIT_MINOR)
        self._expect("counter of coin out", parts.counters["COIN_OUT"].count, won // board.COUNTER_UNIT_MINOR)
        self._expect("counter of games", parts.counters["GAMES"].count, len(self._rounds))
        for name, counter in parts.counters.items():
            self._expect(f"steps missed by the counter {name}", counter.missed, 0)
        self._expect("faults of the panel", parts.panel.faults, [])
        if ready["heap_free"] < HEAP_FREE_MIN:
            self._faults.append(f"free heap at the game screen is {ready['heap_free']}, below {HEAP_FREE_MIN}")


def demo(cabinet: VirtualCabinet, ready: dict[str, Any]) -> None:
    """Plays the demo on a cabinet that has just said that it is ready.

    Raises:
        CheckFailed: a figure of the cabinet does not add up.
    """
    folder = BUILD / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    report = Demo(cabinet, folder).play(ready)
    print(
        f"\n{report['spins']} spins, {report['coins']} coins, credit {report['credit_minor'] / 100:.2f}: credit and "
        f"counters add up.\nFree heap at the game screen: {report['heap_free']} bytes.\n"
        f"{report['emulated_seconds']} emulated seconds; pictures and report.json in {folder}"
    )
