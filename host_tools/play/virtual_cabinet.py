"""A complete cabinet on this computer: emulated Pico, its parts, its flash on disk, deployed by our own flash tool."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..boards import load_board
from ..device.deploy import deploy
from ..device.image import load_image
from ..device.transport import Transport
from ..emulator.cabinet import Cabinet
from ..emulator.pico import Pico
from ..emulator.server import serve
from ..errors import EmulatorError
from ..link.emulated_port import EmulatedPort
from ..link.service_link import ServiceLink
from ..toolchain.build import BuildResult
from ..toolchain.uf2 import flash_bytes

BOOT_US = 10_000_000
_ROUND_END_US = 50_000  # after its event the game loop collects garbage and forgets what was pressed during the show


class VirtualCabinet:
    """One emulated cabinet.

    Args:
        built: what the build made.
        flash: the flash's content; None for a board fresh from the boot drive (firmware, no program).
        seed: seed of the chip's noise and flash times.
        progress: gets a line of text for each step.

    Attributes:
        pico, parts: the emulated Pico and what is wired to it.
        link: the service link over the service UART.
    """

    def __init__(self, built: BuildResult, flash: bytes | None, seed: int, progress: Callable[[str], None]) -> None:
        self.board = load_board(built.board)
        self.built = built
        self._progress = progress
        self.pico = Pico(flash or flash_bytes([built.firmware_uf2]), seed=seed)
        self.parts = Cabinet(self.pico, self.board)
        self.link = ServiceLink(EmulatedPort(self.pico, self.parts.service))

    def deploy(self) -> None:
        """Brings the program onto the board through mpremote, as on a real board; only what differs is sent."""
        image = load_image(self.built.romfs, self.board.FLASH_ROMFS[1])
        with serve(self.pico) as server, Transport(f"socket://127.0.0.1:{server.tcp_port}") as transport:
            report = deploy(transport, image, self.built.board, self._progress)
        self._progress(str(report))

    def events(self) -> list[dict[str, Any]]:
        """The events that came over the service link since the last call."""
        return self.link.events()

    def wait_event(self, name: str | tuple[str, ...], timeout_us: float) -> dict[str, Any]:
        """Runs until the next event of that name, or of one of several; others before it are passed over.

        Raises:
            EmulatorError: it did not come within timeout_us of emulated time.
        """
        names = (name,) if isinstance(name, str) else name
        found: list[dict[str, Any]] = []

        def came() -> bool:
            while not found and (event := self.link.next_event()) is not None:
                if event["event"] in names:
                    found.append(event)
            return bool(found)

        self.pico.run_until(came, timeout_us, f"the cabinet's event {name!r}")
        if not found:
            raise EmulatorError(f"the emulation was stopped before the cabinet's event {name!r}")
        return found[0]

    def finish_round(
        self, moves: Callable[[dict[str, Any]], int] = lambda choice: 0, *, hurry: bool = False
    ) -> dict[str, Any]:
        """Waits for the end of the round in play and returns its event, once a press of START is no longer forgotten.

        Args:
            moves: how often RIGHT is pressed before START at a choice; the default takes what is lit first.
            hurry: keep pressing START, so that every show ends early and what is lit first is taken.

        Raises:
            EmulatorError: the round neither ends nor asks within ten emulated minutes.
        """
        playing = True

        def press() -> None:
            if playing and hurry:
                self.parts.buttons["START"].click(hold_ms=40)
                self.pico.at(150_000, press)

        press()
        while True:
            event = self.wait_event(("round", "choice"), 600_000_000)
            if event["event"] == "round":
                playing = False
                self.pico.run_for(_ROUND_END_US)
                return event
            if hurry:
                continue
            self.pico.run_for(200_000)
            for _ in range(moves(event)):
                self.parts.buttons["RIGHT"].click()
                self.pico.run_for(200_000)
            self.parts.buttons["START"].click()

    def save_flash(self, path: Path) -> None:
        """Keeps the flash for the next time the cabinet is switched on."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(self.pico.flash.image())
        part.replace(path)
