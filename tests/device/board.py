"""An emulated Pico to flash and to look at."""

from __future__ import annotations

from collections.abc import Callable

from host_tools.device.deploy import DeployReport, deploy
from host_tools.device.image import Image
from host_tools.device.transport import Transport
from host_tools.emulator.pico import Pico
from host_tools.emulator.server import serve

from .images import NEEDS_FLASHING

BOARD = "pico_cabinet"


def ignore(line: str) -> None:
    """Progress that nobody reads."""


def start(flash: bytes) -> Pico:
    """Returns a Pico that is on the bus."""
    pico = Pico(flash)
    pico.console.wait_connected()
    return pico


def boots_as(flash: bytes) -> str:
    """Returns what a board with this flash starts: "old", "new", "needs flashing"; if that is wrong, all it prints."""
    pico = start(flash)

    def said() -> bool:
        text = bytes(pico.console.received)
        return any(word in text for word in (b" whole", b"TORN", b"Traceback", NEEDS_FLASHING.encode()))

    pico.run_until(said, 5e6, "a program or the line that asks for one")
    text = pico.console.received.decode()
    if NEEDS_FLASHING in text:
        return "needs flashing"
    known = [name for name in ("old", "new") if f"{name} whole" in text]
    return known[0] if known and "TORN" not in text and "Traceback" not in text else text


def flash_pico(pico: Pico, image: Image, progress: Callable[[str], None] = ignore, pace: bool = False) -> DeployReport:
    """Deploys over a pty; without `pace` as fast as the emulation goes."""
    try:
        with serve(pico, tcp=False, pace=pace) as server, Transport(str(server.pty_path)) as transport:
            return deploy(transport, image, BOARD, progress)
    finally:
        pico.run_for(50_000)  # the host has gone as soon as the board has its last order
