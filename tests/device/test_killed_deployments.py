"""Deployments that end in the middle: the board starts the old program, the new one, or asks to be flashed."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from host_tools.device.deploy import deploy
from host_tools.device.image import BLOCK_BYTES, Image
from host_tools.device.transport import Transport
from host_tools.emulator.nor_flash import Operation
from host_tools.emulator.pico import Pico
from host_tools.emulator.server import Server, serve
from host_tools.errors import DeployError, EmulatorError, PicocabError

from .board import BOARD, boots_as, flash_pico, ignore, start
from .images import code_of, flash_with

POINTS = range(25)  # of each kind
PAGES = BLOCK_BYTES // 256
_FLASH = "import sys; from host_tools.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def operations(old_flash: bytes, new_image: Image) -> int:
    """How many erases and programs the whole deployment takes; the trailer's pages are the last ones."""
    pico = start(old_flash)
    flash_pico(pico, new_image)
    return len(pico.flash.operations)


def _deploy_and_cut_power(pico: Pico, image: Image, operation_number: int, share: float, seed: int) -> bytes:
    """Cuts the power in the middle of a flash operation; the host's link ends with it. Returns the torn flash."""
    torn: list[bytes] = []

    def count(operation: Operation) -> None:
        if len(pico.flash.operations) == operation_number + 1:
            pico.at(operation.duration_us * share, lambda: torn.append(pico.power_cut(seed)))

    pico.flash.on_operation = count
    server = Server(pico, tcp=False, pace=False)

    def run() -> None:
        with suppress(EmulatorError):  # the dead Pico refuses to run on
            server.run(until=lambda: bool(torn))
        server.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        with Transport(str(server.pty_path)) as transport, pytest.raises(PicocabError) as caught:
            deploy(transport, image, BOARD, ignore)
    finally:
        server.stop()
        thread.join()
    assert isinstance(caught.value, DeployError)
    assert "lost the connection" in caught.value.what
    assert caught.value.cure == "run it again; the board starts nothing until it is complete"
    return torn[0]


@pytest.mark.rule("CAB-45")
@pytest.mark.parametrize("point", POINTS)
def test_power_cut_while_flash_is_written(old_flash: bytes, new_image: Image, operations: int, point: int) -> None:
    number = point * (operations - 1) // (len(POINTS) - 1)
    torn = _deploy_and_cut_power(start(old_flash), new_image, number, share=(point * 0.37) % 1, seed=point)
    result = boots_as(torn)
    if number == 0:
        assert result in ("old", "needs flashing")
    elif number < operations - PAGES:
        assert result == "needs flashing"
    elif number == operations - PAGES:
        assert result in ("needs flashing", "new")
    else:
        assert result == "new"
    pico = start(torn)
    flash_pico(pico, new_image)
    assert code_of(pico.flash.image()) == new_image.data


@pytest.mark.rule("CAB-45")
@pytest.mark.parametrize("point", POINTS)
def test_host_killed_while_it_deploys(
    old_flash: bytes, new_image: Image, operations: int, tmp_path: Path, point: int
) -> None:
    """The command is killed; the board stays powered and carries out what it has received."""
    number = point * (operations - 1) // (len(POINTS) - 1)
    path = tmp_path / "new.romfs"
    path.write_bytes(new_image.data)
    pico = start(old_flash)
    reached = threading.Event()

    def count(operation: Operation) -> None:
        if len(pico.flash.operations) == number + 1:
            reached.set()

    pico.flash.on_operation = count
    with serve(pico, tcp=False) as server:
        command = [sys.executable, "-c", _FLASH, "flash", "--port", str(server.pty_path), "--image", str(path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            assert reached.wait(60)
            process.kill()
    pico.run_for(2_000_000)
    result = boots_as(pico.flash.image())
    if len(pico.flash.operations) < operations:
        assert result == "needs flashing"
    else:
        assert result in ("needs flashing", "new")
    flash_pico(pico, new_image)
    assert code_of(pico.flash.image()) == new_image.data


def test_ctrl_c_on_the_host(old_flash: bytes, new_image: Image) -> None:
    pico = start(old_flash)

    def interrupt(line: str) -> None:
        if "blocks written" in line:
            raise KeyboardInterrupt

    with pytest.raises(DeployError, match="was interrupted: run it again; the board starts nothing until it is"):
        flash_pico(pico, new_image, interrupt)
    assert boots_as(pico.flash.image()) == "needs flashing"
    flash_pico(pico, new_image)
    assert boots_as(pico.flash.image()) == "new"


def test_ctrl_c_before_anything_is_written(old_flash: bytes, new_image: Image) -> None:
    pico = start(old_flash)

    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        flash_pico(pico, new_image, interrupt)
    assert pico.flash.image() == old_flash


def test_half_written_code_is_never_started_even_if_it_is_a_whole_romfs(old_flash: bytes, new_image: Image) -> None:
    """All blocks but the trailer: a ROMFS that would mount and run."""
    without_trailer = new_image.data[:-BLOCK_BYTES] + b"\xff" * BLOCK_BYTES
    assert boots_as(flash_with(old_flash, without_trailer)) == "needs flashing"
