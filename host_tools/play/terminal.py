"""The cabinet under a person's hands: commands from the terminal while the emulated Pico runs in real time."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path

from ..emulator.server import Server
from ..paths import BUILD
from .virtual_cabinet import VirtualCabinet

_HELP = """\
  coin [N]          insert N coins (1)
  start, lines, bet, max, collect, left, right, gamble
                    press a button; more than one word presses more than one, in turn
  hold BUTTON MS    hold a button for that many milliseconds
  door open|close   the main door
  picture [FILE]    write the panel as PNG (build/run/panel.png)
  state             time, credit as on the service log, counters, lamps
  reset             press the Pico's reset button
  quit              switch off"""
_BUTTONS = {"max": "MAX_BET"}


class Terminal:
    """Reads commands line by line and carries them out between two slices of emulation.

    Args:
        cabinet: the running cabinet.
    """

    def __init__(self, cabinet: VirtualCabinet) -> None:
        self._cabinet = cabinet
        self._running = True
        self._listening = True
        self._typed = b""
        self._credit_minor = 0
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "coin": self._coin,
            "hold": self._hold,
            "door": self._door,
            "picture": self._picture,
            "state": self._state,
            "reset": lambda words: cabinet.pico.press_reset(),
            "help": lambda words: print(_HELP),
            "quit": self._quit,
        }

    def run(self) -> None:
        """Runs until `quit` or Ctrl-C; without a terminal's input it just stays up."""
        cabinet = self._cabinet
        server = Server(cabinet.pico, between_slices=self._between_slices)
        try:
            print(
                f"\nThe cabinet runs. Its USB port:\n"
                f"  mpremote connect {server.pty_path}\n"
                f"  picocab flash --port socket://127.0.0.1:{server.tcp_port}\n"
                f"Type a command and Return:\n{_HELP}\n",
                flush=True,
            )
            server.run(until=lambda: not self._running)
        except KeyboardInterrupt:
            print("\nswitched off")
        finally:
            server.close()

    def _between_slices(self) -> None:
        for event in self._cabinet.events():
            print(f"  {event}", flush=True)
            self._credit_minor = event.get("credit", 0)  # "ready" names none: a cabinet that has just started
        if self._listening and select.select([sys.stdin], [], [], 0)[0]:
            # Not readline(): it would keep further lines of one write in a buffer that select cannot see.
            data = os.read(sys.stdin.fileno(), 4096)
            self._listening = bool(data)
            *lines, self._typed = (self._typed + (data or b"\n")).split(b"\n")
            for line in lines:
                self._carry_out(line.decode(errors="replace").split())

    def _carry_out(self, words: list[str]) -> None:
        if not words:
            return
        command = self._commands.get(words[0])
        try:
            if command:
                command(words[1:])
            else:
                self._press(words)
        except (ValueError, IndexError, KeyError):
            print(f"not understood: {' '.join(words)}; help lists the commands")

    def _press(self, words: list[str]) -> None:
        buttons = [self._cabinet.parts.buttons[_BUTTONS.get(word, word.upper())] for word in words]
        for number, button in enumerate(buttons):
            button.click(after_ms=number * 200)

    def _coin(self, words: list[str]) -> None:
        acceptor = self._cabinet.parts.coin_acceptor
        returned = acceptor.returned
        acceptor.insert(int(words[0]) if words else 1)
        if acceptor.returned > returned:
            print("  the acceptor is inhibited: the coin comes back")

    def _hold(self, words: list[str]) -> None:
        name = _BUTTONS.get(words[0], words[0].upper())
        self._cabinet.parts.buttons[name].click(hold_ms=int(words[1]))

    def _door(self, words: list[str]) -> None:
        door = self._cabinet.parts.doors["MAIN_DOOR"]
        {"open": door.open, "close": door.close}[words[0]]()

    def _picture(self, words: list[str]) -> None:
        path = Path(words[0]) if words else BUILD / "run" / "panel.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._cabinet.parts.panel.png(path, 2)
        print(f"  {path}")

    def _state(self, words: list[str]) -> None:
        parts = self._cabinet.parts
        counters = ", ".join(f"{name} {counter.count}" for name, counter in parts.counters.items())
        lamps = " ".join(name for name, lamp in parts.lamps.items() if lamp.on)
        print(
            f"  {self._cabinet.pico.now_us / 1e6:.1f} s; credit {self._credit_minor / 100:.2f}; counters {counters}; "
            f"lamps on: {lamps or 'none'}"
        )

    def _quit(self, words: list[str]) -> None:
        self._running = False
