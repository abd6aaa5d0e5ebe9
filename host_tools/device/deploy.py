"""Sends a program image to a board's code partition: changed blocks only, trailer first out and last in, all verified.

Before the first block changes, the trailer is erased; it is written again when every other block has been read back
and found right. Whatever happens in between, the board's boot code finds no valid program and starts nothing.
"""

from __future__ import annotations

import ast
import contextlib
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import BoardError, DeployError, PortError
from .image import BLANK_BLOCK, Image, block_digest
from .transport import Transport

_BOARD_SIDE = Path(__file__).with_name("board_side.py")

# Asked before anything else, so it runs on any MicroPython, with or without a ROMFS.
_FACTS = """\
import sys
def rom_bytes():
    try:
        import vfs
        return len(memoryview(vfs.rom_ioctl(2, 0))) if vfs.rom_ioctl(1) > 0 else 0
    except (ImportError, AttributeError):
        return 0
i = sys.implementation
print((i[0], i[1][:3], getattr(i, "_machine", ""), sys.platform, rom_bytes()))
"""

_PROGRESS_BLOCKS = 16
_RERUN = "run it again; the board starts nothing until it is complete"


@dataclass(frozen=True)
class BoardFacts:
    """What a board says of itself."""

    implementation: str
    version: tuple[int, int, int]
    machine: str
    platform: str
    rom_bytes: int
    """Size of its first ROMFS partition, 0 without one."""


@dataclass(frozen=True)
class DeployReport:
    """What a deployment did; `seconds` is wall time from the first question to the reset."""

    machine: str
    version: str
    blocks_total: int
    blocks_sent: int
    bytes_sent: int
    seconds: float
    length: int
    sha256: str

    def __str__(self) -> str:
        did = (
            f"{self.blocks_sent} of {self.blocks_total} blocks sent ({self.bytes_sent} bytes on the wire)"
            if self.blocks_sent
            else f"nothing to send, all {self.blocks_total} blocks are right"
        )
        return f"{did}, {self.length} bytes verified on the board in {self.seconds:.1f} s, SHA-256 {self.sha256}"


def ask_facts(transport: Transport) -> BoardFacts:
    """Asks the board in the raw REPL for its facts.

    Raises:
        BoardError: what answers is not MicroPython or too old to have ROMFS.
        PortError: the link was lost.
    """
    answer = transport.exec(_FACTS).decode(errors="replace").strip()
    try:
        return BoardFacts(*ast.literal_eval(answer))
    except (ValueError, SyntaxError, TypeError) as error:
        raise BoardError(f"the board at {transport.port} gives no sense: {answer[:60]!r}", "reset the board") from error


def check_board(facts: BoardFacts, image: Image, board: str) -> None:
    """Refuses boards that cannot take the image.

    Raises:
        BoardError: not MicroPython on an RP2040, no ROMFS, or a partition of another size.
    """
    cure = f"copy picocab-{board}-full.uf2 to the boot drive: picocab flash --uf2 FILE"
    version = ".".join(map(str, facts.version))
    if facts.implementation != "micropython" or facts.platform != "rp2" or "RP2040" not in facts.machine:
        raise BoardError(
            f"{facts.machine or facts.platform} with {facts.implementation} {version} is no RP2040 with MicroPython",
            "give the --port of a cabinet",
        )
    if not facts.rom_bytes:
        raise BoardError(f"{facts.machine} runs a MicroPython {version} without ROMFS, it has no code partition", cure)
    if facts.rom_bytes != len(image.data):
        raise BoardError(
            f"{facts.machine} has a code partition of {facts.rom_bytes} bytes, the image is for {len(image.data)}", cure
        )


def deploy(
    transport: Transport,
    image: Image,
    board: str,
    progress: Callable[[str], None],
    format_data: bool = False,
) -> DeployReport:
    """Brings the image onto the board, proves it and restarts the board.

    Args:
        transport: an open port; the program that runs on the board is interrupted.
        board: name of the board the image is for, for messages.
        progress: gets a line of text for each step.
        format_data: also make the board's /data an empty file system.

    Raises:
        BoardError: the board cannot take this image; nothing was changed.
        PortError: nothing answers, or the link was lost before anything was changed or after all was done.
        DeployError: the deployment did not finish or what was read back differs.
    """
    started_s = time.monotonic()
    transport.enter_raw_repl()
    facts = ask_facts(transport)
    try:
        check_board(facts, image, board)
    except BoardError:
        with contextlib.suppress(PortError):  # why it is refused matters more
            transport.reset()  # its own program was interrupted
        raise
    version = ".".join(map(str, facts.version))
    progress(f"{facts.machine}, MicroPython {version}")
    if format_data:
        transport.exec("import format_data\nformat_data.format_data()")
        progress("/data formatted")
    transport.exec(_BOARD_SIDE.read_bytes())
    wanted = [block_digest(image.block(n)) for n in range(image.blocks)]
    changed = _differing(transport, wanted)
    bytes_sent = 0
    try:
        if changed:
            progress(f"{len(changed)} of {image.blocks} blocks differ")
            bytes_sent = _write(transport, image, wanted, changed, progress)
        on_board = transport.exec(f"image_hash({image.length})").decode().strip()
    except KeyboardInterrupt as error:
        raise DeployError("the deployment was interrupted", _RERUN) from error
    except (PortError, BoardError) as error:
        raise DeployError(f"the deployment broke off: {error.what}", _RERUN) from error
    if on_board != image.sha256.hex():
        raise DeployError(f"the board reads back SHA-256 {on_board} instead of {image.sha256.hex()}", _RERUN)
    transport.reset()
    return DeployReport(
        machine=facts.machine,
        version=version,
        blocks_total=image.blocks,
        blocks_sent=len(changed),
        bytes_sent=bytes_sent,
        seconds=round(time.monotonic() - started_s, 3),
        length=image.length,
        sha256=on_board,
    )


def _differing(transport: Transport, wanted: list[str]) -> list[int]:
    """Returns the numbers of the blocks whose content on the board is not what is wanted."""
    found = transport.exec("digests()").decode(errors="replace").split()
    if len(found) != len(wanted):
        raise BoardError(
            f"the board lists {len(found)} blocks instead of {len(wanted)}", "reset the board and try again"
        )
    return [number for number, (is_, is_to_be) in enumerate(zip(found, wanted, strict=True)) if is_ != is_to_be]


def _write(
    transport: Transport, image: Image, wanted: list[str], changed: Iterable[int], progress: Callable[[str], None]
) -> int:
    """Erases the trailer, writes the changed blocks, reads all back, writes the trailer; returns the bytes sent."""
    trailer = image.blocks - 1
    body = [n for n in changed if n != trailer]
    transport.exec(f"erase({trailer})")
    sent = _send(transport, image, body, progress)
    wrong = _differing(transport, [*wanted[:trailer], block_digest(BLANK_BLOCK)])
    if wrong:
        raise DeployError(f"{len(wrong)} blocks read back wrong, the first is block {wrong[0]}", _RERUN)
    sent += _send(transport, image, [trailer], lambda line: None)
    if transport.exec(f"digest({trailer})").decode().strip() != wanted[trailer]:
        raise DeployError("the trailer reads back wrong", _RERUN)
    return sent


def _send(transport: Transport, image: Image, numbers: list[int], progress: Callable[[str], None]) -> int:
    """Writes these blocks on the board in one go; returns the bytes sent."""
    frames = [_frame(number, image.block(number)) for number in numbers]

    def answered(count: int) -> None:
        if count == len(frames) or count % _PROGRESS_BLOCKS == 0:
            progress(f"{count} of {len(frames)} blocks written")

    transport.feed("receive()", frames, b"99990000", answered)
    return sum(map(len, frames))


def _frame(number: int, block: bytes) -> bytes:
    """A block on the wire, as `receive` in board_side.py reads it: nothing in it can act on the board's REPL.

    Should the board's program end early, a REPL would see the rest: so the control characters that end a program,
    interrupt it or leave the raw REPL are escaped. That costs 2 % where base64 costs 33 %.
    """
    packed = b""
    if block != BLANK_BLOCK:
        packer = zlib.compressobj(9, zlib.DEFLATED, -12)  # raw deflate, window of one block
        packed = packer.compress(block) + packer.flush()
        for code in b"\x05\x02\x03\x04":
            packed = packed.replace(bytes((code,)), bytes((0x05, code | 0x40)))
    return b"%04d%04d" % (number, len(packed)) + packed
