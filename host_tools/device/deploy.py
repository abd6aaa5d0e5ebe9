"""Sends a program image to a board's code partition: changed blocks only, trailer first out and last in, all verified.

Before the first block changes, the trailer is erased; it is written again when every other block has been read back
and found right. Whatever happens in between, the board's boot code finds no valid program and starts nothing.
"""

from __future__ import annotations

import ast
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import BoardError, DeployError, PicocabError
from .image import BLANK_BLOCK, Image, block_digest
from .transport import Transport

_BOARD_SIDE = Path(__file__).with_name("board_side.py")

# Asked before anything else, so it runs on any MicroPython, with or without a ROMFS.
_FACTS = """\
import sys, vfs
def rom_bytes():
    if not hasattr(vfs, "rom_ioctl") or vfs.rom_ioctl(1) < 1: return 0
    return len(memoryview(vfs.rom_ioctl(2, 0)))
i = sys.implementation
print((i[0], i[1][:3], getattr(i, "_machine", ""), sys.platform, rom_bytes()))
"""

_WIRE_SHARE = 4  # a batch takes at most this part of the free heap: source text and constants lie there together
_WIRE_MAX_BYTES = 24_576
_BATCH_MAX_BLOCKS = 32
# The longest silence while a block is written: 400 ms erase and 16 pages of 3 ms, W25Q16JV data sheet, 9.6.
_WRITE_TIMEOUT_S = 10.0
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
        BoardError: not MicroPython, not an RP2040/RP2350, no ROMFS, or a partition of another size.
    """
    cure = f"copy picocab-{board}-full.uf2 to the boot drive: picocab flash --uf2 FILE"
    version = ".".join(map(str, facts.version))
    if facts.implementation != "micropython" or facts.platform != "rp2":
        raise BoardError(
            f"{facts.machine or facts.platform} with {facts.implementation} {version} is not a Pico with MicroPython",
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
        PortError: nothing answers, or the link was lost before anything was changed.
        DeployError: the deployment did not finish or what was read back differs.
    """
    started_s = time.monotonic()
    transport.enter_raw_repl()
    facts = ask_facts(transport)
    try:
        check_board(facts, image, board)
    except BoardError:
        transport.reset()  # its own program was interrupted
        raise
    version = ".".join(map(str, facts.version))
    progress(f"{facts.machine}, MicroPython {version}")
    if format_data:
        transport.exec("import format_data\nformat_data.format_data()")
        progress("/data formatted")
    free_bytes = int(transport.exec(_BOARD_SIDE.read_bytes()))
    wanted = [block_digest(image.block(n)) for n in range(image.blocks)]
    changed = _differing(transport, wanted)
    bytes_sent = 0
    if changed:
        progress(f"{len(changed)} of {image.blocks} blocks differ")
        try:
            bytes_sent = _write(
                transport, image, wanted, changed, min(free_bytes // _WIRE_SHARE, _WIRE_MAX_BYTES), progress
            )
        except KeyboardInterrupt as error:
            raise DeployError("the deployment was interrupted", _RERUN) from error
        except DeployError:
            raise
        except PicocabError as error:
            raise DeployError(f"the deployment broke off: {error.what}", _RERUN) from error
    on_board = transport.exec(f"image_hash({image.length})").decode().strip()
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
    return [n for n, (is_, shall) in enumerate(zip(found, wanted, strict=True)) if is_ != shall]


def _write(
    transport: Transport,
    image: Image,
    wanted: list[str],
    changed: Iterable[int],
    wire_bytes: int,
    progress: Callable[[str], None],
) -> int:
    """Erases the trailer, writes the changed blocks, reads all back, writes the trailer; returns the bytes sent."""
    trailer = image.blocks - 1
    body = [n for n in changed if n != trailer]
    transport.exec(f"e({trailer})")
    sent = done = 0
    for source, count in _batches(image, body, wire_bytes):
        transport.exec(source, timeout_s=_WRITE_TIMEOUT_S)
        sent += len(source)
        done += count
        progress(f"{done} of {len(body)} blocks written")
    wrong = _differing(transport, [*wanted[:trailer], "-"])
    if wrong:
        raise DeployError(f"{len(wrong)} blocks read back wrong, the first is block {wrong[0]}", _RERUN)
    source = _order(trailer, image.block(trailer))
    transport.exec(source)
    if transport.exec(f"digest({trailer})").decode().strip() != wanted[trailer]:
        raise DeployError("the trailer reads back wrong", _RERUN)
    return sent + len(source)


def _batches(image: Image, numbers: list[int], wire_bytes: int) -> Iterator[tuple[bytes, int]]:
    """Yields (source, blocks in it): one round trip each, at most `wire_bytes` unless one block alone is larger."""
    source, count = b"", 0
    for number in numbers:
        order = _order(number, image.block(number))
        if count and (len(source) + len(order) > wire_bytes or count == _BATCH_MAX_BLOCKS):
            yield source, count
            source, count = b"", 0
        source += order
        count += 1
    if count:
        yield source, count


def _order(number: int, block: bytes) -> bytes:
    """The line of source that writes one block: a blank one is only erased, others travel deflated."""
    if block == BLANK_BLOCK:
        return b"e(%d)\n" % number
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)  # raw deflate, window of one block
    return b"p(%d,%s)\n" % (number, _literal(packer.compress(block) + packer.flush()))


# MicroPython's lexer is 8-bit clean inside a bytes literal but for the quote, the backslash and line ends; raw paste
# mode keeps Ctrl-C and Ctrl-D for itself. Escaping these costs 6 % where base64 costs 33 %.
_ESCAPES = {code: f"\\x{code:02x}".encode() for code in b"\x03\x04\r\n'\\"}


def _literal(data: bytes) -> bytes:
    """Returns `data` as a bytes literal of MicroPython source."""
    return b"b'" + b"".join(_ESCAPES.get(code) or bytes((code,)) for code in data) + b"'"
