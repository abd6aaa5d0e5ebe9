"""The rules core outside this interpreter: on MicroPython's unix port and on a board."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from ..device.deploy import ask_facts
from ..device.transport import Transport
from ..errors import BoardError, CheckFailed, UsageError
from ..paths import FIRMWARE
from .rounds import RULES_VERSION

_HERE = Path(__file__).parent
_HEAP = "heapsize=4m"  # collects garbage less often than with the unix port's 2 MB
_UNIX_PORT = "give MicroPython's unix port, such as build/unix/micropython"
_PART_BYTES = 2048
_WORK_S = 120.0  # the longest pause of a board that plays a batch of rounds

# A program may have started the watchdog: clear ENABLE in the RP2040's WATCHDOG CTRL, as host_tools/device does.
_WATCHDOG_OFF = "from machine import mem32\nmem32[0x4005B000] = 1 << 30"
_OWN_RULES = """\
try:
    from rules.round import RULES_VERSION
    print(RULES_VERSION)
except ImportError:
    print("-")
"""


class OtherCore(Protocol):
    """A rules core that plays rounds given as lines of text (`RoundInputs.line`)."""

    name: str
    """Where it runs, to print."""

    def digest(self, lines: Sequence[str]) -> str:
        """SHA-256 in hex over the event lines of these rounds, each ended by a line feed."""

    def event_lines(self, line: str) -> list[str]:
        """The events of one round as text: the name and the numbers."""


class UnixCore:
    """The core on MicroPython's unix port, in a process of its own; close it in the end.

    Args:
        micropython: the program.
        firmware: the folder that holds the rules.

    Raises:
        UsageError: it does not start or is no MicroPython.
    """

    name = "core on MicroPython"

    def __init__(self, micropython: Path, firmware: Path = FIRMWARE) -> None:
        path = [str(firmware), str(_HERE), ".frozen"]
        program = f"import sys\nsys.path[:] = {path!r}\nfrom board_side import serve\nserve()"
        try:
            self._process = subprocess.Popen(
                [str(micropython), "-X", _HEAP, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except OSError as error:
            raise UsageError(f"{micropython} does not run ({error.strerror})", _UNIX_PORT) from error
        try:
            answers = self.digest([]) == hashlib.sha256().hexdigest()
            reason = "it answers something else"
        except CheckFailed as error:
            answers = False
            reason = error.what
        if not answers:
            self.close()
            raise UsageError(f"{micropython} does not load the rules ({reason})", _UNIX_PORT)

    def digest(self, lines: Sequence[str]) -> str:
        """See OtherCore.

        Raises:
            CheckFailed: MicroPython ended.
        """
        self._ask(f"digest {len(lines)}\n" + "".join(f"{line}\n" for line in lines))
        return self._answer()

    def event_lines(self, line: str) -> list[str]:
        """See OtherCore.

        Raises:
            CheckFailed: MicroPython ended.
        """
        self._ask(f"events\n{line}\n")
        events = []
        while text := self._answer():
            events.append(text)
        return events

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()

    def _ask(self, request: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # what it said before it ended comes with the answer

    def _answer(self) -> str:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer or answer.startswith("Traceback"):
            last_line = (answer + self._process.stdout.read()).strip().splitlines()[-1:]
            raise CheckFailed(f"MicroPython ended: {' '.join(last_line) or 'without a word'}", _UNIX_PORT)
        return answer.rstrip("\n")


class BoardCore:
    """The core on a board; its own program is interrupted until `leave`.

    Args:
        transport: an open port.
        copy: run this checkout's rules even on a board that has its own.
    """

    name = "core on the board"

    def __init__(self, transport: Transport, copy: bool) -> None:
        self._transport = transport
        self._copy = copy
        self._entered = False

    def load(self, game: str, progress: Callable[[str], None]) -> None:
        """Makes the board ready to play a game, with a clean heap.

        Raises:
            PortError: nothing answers, or the link was lost.
            BoardError: what answers is no MicroPython, has not enough memory, or has other rules.
        """
        transport = self._transport
        transport.enter_raw_repl()
        self._entered = True
        facts = ask_facts(transport)
        if "RP2040" in facts.machine:
            transport.exec(_WATCHDOG_OFF)
        own = "-" if self._copy else transport.exec(_OWN_RULES).decode().strip()
        if own == "-":
            progress(f"{facts.machine}: copying the rules of {game}")
            self._copy_rules(game)
        elif own != str(RULES_VERSION):
            raise BoardError(
                f"{facts.machine} plays rules version {own}, this picocab version {RULES_VERSION}",
                "use the picocab of that version, or --copy to test this one's rules on the board",
            )
        else:
            progress(f"{facts.machine}: {game} with the board's own rules")
        transport.exec((_HERE / "board_side.py").read_bytes())

    def digest(self, lines: Sequence[str]) -> str:
        """See OtherCore.

        Raises:
            PortError: the link was lost or the board fell silent.
            BoardError: the board answered with a traceback.
        """
        return self._transport.exec(f"print(digest({list(lines)!r}))", _WORK_S).decode().strip()

    def event_lines(self, line: str) -> list[str]:
        """See OtherCore.

        Raises:
            PortError: the link was lost or the board fell silent.
            BoardError: the board answered with a traceback.
        """
        answer = self._transport.exec(f"for text in event_lines({line!r}):\n    print(text)", _WORK_S)
        return answer.decode().splitlines()

    def leave(self) -> None:
        """Resets the board, which starts its own program again; does nothing when that was never interrupted.

        Raises:
            PortError: the link was lost.
        """
        if self._entered:
            self._transport.reset()

    def _copy_rules(self, game: str) -> None:
        transport = self._transport
        transport.exec((_HERE / "ram_files.py").read_bytes())
        folder = FIRMWARE / "rules"
        files = [*sorted(folder.glob("*.py")), folder / "games" / "__init__.py", folder / "games" / f"{game}.py"]
        for file in files:
            path = f"/{file.relative_to(FIRMWARE).as_posix()}"
            content = file.read_bytes()
            for start in range(0, len(content), _PART_BYTES):
                transport.exec(f"add({path!r}, {content[start : start + _PART_BYTES]!r})")
            if not content:
                transport.exec(f"add({path!r}, b'')")
        transport.exec(f"load({game!r})")
