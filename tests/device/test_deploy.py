"""Deployments to the emulated Pico: what is sent, in which order, and what is refused."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.device.deploy import BoardFacts, check_board, deploy
from host_tools.device.image import BLANK_BLOCK, BLOCK_BYTES, Image, load_image
from host_tools.device.transport import Transport
from host_tools.emulator.pico import Pico
from host_tools.emulator.server import serve
from host_tools.errors import BoardError, DeployError, PortError

from .board import BOARD, boots_as, flash_pico, ignore, start
from .images import PARTITION_BYTES, PARTITION_START, assets, code_of, flash_with, image, program

TRAILER = PARTITION_BYTES // BLOCK_BYTES - 1


def _differing(one: bytes, other: bytes) -> list[int]:
    starts = range(0, PARTITION_BYTES, BLOCK_BYTES)
    return [at // BLOCK_BYTES for at in starts if one[at : at + BLOCK_BYTES] != other[at : at + BLOCK_BYTES]]


def _blocks(pico: Pico, kind: str) -> list[int]:
    """Numbers of the code partition's blocks in the order in which they were erased or programmed."""
    operations = [operation for operation in pico.flash.operations if operation.kind == kind]
    numbers = [(operation.address - PARTITION_START) // BLOCK_BYTES for operation in operations]
    return list(dict.fromkeys(numbers))


def test_deploy_to_an_empty_board_which_then_starts_it(bare_flash: bytes, new_image: Image) -> None:
    pico = start(bare_flash)
    lines: list[str] = []
    report = flash_pico(pico, new_image, lines.append)
    used = -(-new_image.length // BLOCK_BYTES)
    assert (report.blocks_sent, report.blocks_total) == (used + 1, TRAILER + 1)
    assert report.sha256 == new_image.sha256.hex()
    assert report.machine == "Picocab cabinet with RP2040"
    assert code_of(pico.flash.image()) == new_image.data
    assert len(pico.resets) == 1
    assert lines == [
        "Picocab cabinet with RP2040, MicroPython 1.25.0",
        f"{used + 1} of {TRAILER + 1} blocks differ",
        f"{used} of {used} blocks written",
    ]
    assert f"{used + 1} of {TRAILER + 1} blocks sent" in str(report)
    assert boots_as(pico.flash.image()) == "new"


def test_deploy_touches_nothing_but_the_code_partition(old_flash: bytes, new_image: Image) -> None:
    pico = start(old_flash)
    flash_pico(pico, new_image)
    assert pico.flash.image() == flash_with(old_flash, new_image.data)


@pytest.mark.rule("CAB-45")
def test_deploy_erases_the_trailer_first_and_writes_it_last(old_flash: bytes, new_image: Image) -> None:
    pico = start(old_flash)
    flash_pico(pico, new_image)
    erased, programmed = _blocks(pico, "erase"), _blocks(pico, "program")
    assert erased[0] == TRAILER
    assert programmed[-1] == TRAILER
    assert programmed[:-1] == sorted(programmed[:-1])


def test_deploy_again_sends_nothing_and_restarts_the_program(old_flash: bytes, old_image: Image) -> None:
    pico = start(old_flash)
    report = flash_pico(pico, old_image)
    assert report.blocks_sent == report.bytes_sent == 0
    assert "nothing to send" in str(report)
    assert report.sha256 == old_image.sha256.hex()
    assert pico.flash.operations == []
    assert len(pico.resets) == 1


def test_deploy_sends_only_the_blocks_of_a_changed_file(old_flash: bytes, old_image: Image) -> None:
    files = assets(1)
    files["a2.bin"] = assets(9)["a2.bin"]
    changed = image(program("old", files))
    expected = _differing(old_image.data, changed.data)
    assert 3 <= len(expected) <= 5  # the file's blocks, that of the program with its digest, the trailer
    pico = start(old_flash)
    report = flash_pico(pico, changed)
    assert report.blocks_sent == len(expected)
    assert sorted(_blocks(pico, "erase")) == expected
    assert code_of(pico.flash.image()) == changed.data


def test_deploy_of_a_smaller_image_only_erases_what_is_left_over(old_flash: bytes, old_image: Image) -> None:
    small = image(program("new", {}))
    left_over = [n for n in _differing(old_image.data, small.data) if small.block(n) == BLANK_BLOCK]
    assert left_over
    pico = start(old_flash)
    flash_pico(pico, small)
    assert not set(left_over) & set(_blocks(pico, "program"))
    assert code_of(pico.flash.image()) == small.data


def test_deploy_carries_every_byte_value_unchanged(bare_flash: bytes) -> None:
    """Blocks that deflate cannot shorten, full of the control characters that the REPL acts on."""
    hostile = bytes(range(256)) * 16 + b"\x01\x02\x03\x04\x05BCDE\r\n" * 400 + b"\x05" * 5000 + assets(3)["a0.bin"]
    content = image(program("new", {"hostile.bin": hostile}))
    pico = start(bare_flash)
    flash_pico(pico, content)
    assert code_of(pico.flash.image()) == content.data


WATCHDOG_MS = 800
BUSY = f"""
import machine
watchdog = machine.WDT(timeout={WATCHDOG_MS})
try:
    while True:
        watchdog.feed()
finally:
    time.sleep_ms(100)  # takes its time to make its outputs safe
"""


def test_deploy_interrupts_a_busy_program_and_stops_its_watchdog(bare_flash: bytes) -> None:
    """Were the watchdog left running, the chip would reset long before the flash is written."""
    busy = image(program("old", assets(1), then=BUSY))
    large = image(program("new", assets(2, count=12)))
    pico = start(flash_with(bare_flash, busy.data))
    pico.console.expect(b"old whole")
    pico.run_for(100_000)
    started_us = pico.now_us
    flash_pico(pico, large, pace=True)
    assert len(pico.resets) == 1
    assert pico.resets[0] - started_us > 1000 * WATCHDOG_MS
    assert boots_as(pico.flash.image()) == "new"


def test_deploy_formats_data_on_demand(old_flash: bytes, old_image: Image) -> None:
    pico = start(old_flash)
    with serve(pico, tcp=False, pace=False) as server, Transport(str(server.pty_path)) as transport:
        deploy(transport, old_image, BOARD, ignore, format_data=True)
    again = start(pico.flash.image())
    assert again.console.exec("import os\nopen('/data/x', 'w').close()\nprint(os.listdir('/data'))") == "['x']\n"
    assert boots_as(again.flash.image()) == "old"


def test_deploy_over_tcp(old_flash: bytes, new_image: Image) -> None:
    pico = start(old_flash)
    with (
        serve(pico, pty=False, pace=False) as server,
        Transport(f"socket://127.0.0.1:{server.tcp_port}") as transport,
    ):
        deploy(transport, new_image, BOARD, ignore)
    assert code_of(pico.flash.image()) == new_image.data


def test_second_connection_to_a_board_is_refused(old_flash: bytes) -> None:
    with serve(start(old_flash), pace=False) as server:
        address = f"socket://127.0.0.1:{server.tcp_port}"
        with Transport(address) as first:
            first.enter_raw_repl()
            with Transport(address) as second, pytest.raises(PortError, match="hangs up: close the program"):
                second.enter_raw_repl()
            assert first.exec("print(6 * 7)") == b"42\r\n"
        path = str(server.pty_path)
        with Transport(path) as first, pytest.raises(PortError, match="is busy"):
            Transport(path)


def test_traceback_on_the_board_is_one_line(old_flash: bytes) -> None:
    with serve(start(old_flash), tcp=False, pace=False) as server, Transport(str(server.pty_path)) as transport:
        transport.enter_raw_repl()
        with pytest.raises(
            BoardError, match=r"^the board at /dev/\S+ reports ZeroDivisionError: divide by zero: reset"
        ):
            transport.exec("def f():\n  1 / 0\nf()")
        with pytest.raises(BoardError, match="reports ValueError: invalid syntax for integer"):
            transport.feed("import sys\nint(sys.stdin.buffer.read(4))", [b"abcd", b"x" * 9999, b"y" * 9999], b"", int)
        assert transport.exec("print(1)") == b"1\r\n"


def test_second_frame_is_on_its_way_before_the_first_is_answered(old_flash: bytes) -> None:
    """A board that answers only when it has two of three frames: a host that waited for each answer would hang."""
    source = "import sys\ntake = sys.stdin.buffer.read\ntake(8)\nprint(end='..')\ntake(4)\nprint(end='.')\ntake(1)"
    answers: list[int] = []
    with serve(start(old_flash), tcp=False, pace=False) as server, Transport(str(server.pty_path)) as transport:
        transport.enter_raw_repl()
        transport.feed(source, [b"abcd", b"efgh", b"ijkl"], b"z", answers.append)
    assert answers == [1, 2, 3]


def test_readback_finds_a_bad_cell(old_flash: bytes, new_image: Image) -> None:
    """A bit that does not take its value: found before the trailer is written, so nothing is started."""
    pico = start(old_flash)
    bad_address = PARTITION_START + BLOCK_BYTES + 100

    def fail_to_program(operation: object) -> None:
        last = pico.flash.operations[-1]
        if last.kind == "program" and last.address <= bad_address < last.address + last.length:
            pico.chip.flash[bad_address] ^= 0x01

    pico.flash.on_operation = fail_to_program
    with pytest.raises(DeployError, match="1 blocks read back wrong, the first is block 1: run it again"):
        flash_pico(pico, new_image)
    assert TRAILER not in _blocks(pico, "program")
    assert boots_as(pico.flash.image()) == "needs flashing"


# ---- boards that cannot take an image


def test_board_without_romfs_is_refused(old_flash: bytes, new_image: Image) -> None:
    """The board's own MicroPython with the name of `vfs.rom_ioctl` changed: as on a stock board, nobody finds it."""
    name = b"rom_ioctl\0"
    firmware = old_flash[:PARTITION_START]
    assert firmware.count(name) == 1
    stock = firmware.replace(name, b"no_ioctl_\0") + old_flash[PARTITION_START:]
    pico = start(stock)
    with pytest.raises(BoardError) as caught:
        flash_pico(pico, new_image)
    assert "runs a MicroPython 1.25.0 without ROMFS, it has no code partition" in caught.value.what
    assert "copy picocab-pico_cabinet-full.uf2 to the boot drive" in caught.value.cure
    assert pico.flash.operations == []
    assert len(pico.resets) == 1  # its own program runs again


def test_board_with_another_partition_is_refused(old_flash: bytes, new_image: Image) -> None:
    smaller = dataclasses.replace(new_image, data=new_image.data[: 64 * BLOCK_BYTES])
    pico = start(old_flash)
    with pytest.raises(BoardError, match="a code partition of 1179648 bytes, the image is for 262144: copy picocab"):
        flash_pico(pico, smaller)
    assert pico.flash.operations == []


CABINET = BoardFacts("micropython", (1, 25, 0), "Picocab cabinet with RP2040", "rp2", PARTITION_BYTES)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        # as MicroPython 1.25.0 built for RPI_PICO and its unix port answer
        (BoardFacts("micropython", (1, 25, 0), "Raspberry Pi Pico with RP2040", "rp2", 0), "without ROMFS"),
        (BoardFacts("micropython", (1, 25, 0), "linux [GCC 12.2.0] version", "linux", 0), "is no RP2040 with"),
        (
            dataclasses.replace(CABINET, implementation="circuitpython"),
            "with circuitpython 1.25.0 is no RP2040 with",
        ),
        (dataclasses.replace(CABINET, machine="Raspberry Pi Pico2 with RP2350"), "is no RP2040 with"),
        (dataclasses.replace(CABINET, rom_bytes=PARTITION_BYTES - BLOCK_BYTES), "code partition of 1175552 bytes"),
    ],
)
def test_check_board_says_why_not(facts: BoardFacts, message: str, new_image: Image) -> None:
    with pytest.raises(BoardError, match=message) as caught:
        check_board(facts, new_image, BOARD)
    assert caught.value.cure


def test_check_board_takes_a_cabinet(new_image: Image) -> None:
    check_board(CABINET, new_image, BOARD)


# ---- other ways


def test_mpremote_itself_deploys_the_built_image(bare_flash: bytes, romfs_image: Path) -> None:
    pico = start(bare_flash)
    with serve(pico, pty=False, pace=False) as server:
        address = f"socket://127.0.0.1:{server.tcp_port}"
        command = [sys.executable, "-m", "mpremote", "connect", address, "romfs", "deploy", romfs_image]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert "ROMFS image deployed" in result.stdout
    assert code_of(pico.flash.image()) == romfs_image.read_bytes()


def test_flash_deploys_the_built_image(bare_flash: bytes, romfs_image: Path) -> None:
    pico = start(bare_flash)
    report = flash_pico(pico, load_image(romfs_image, PARTITION_BYTES))
    assert report.blocks_sent == -(-report.length // BLOCK_BYTES) + 1
    assert code_of(pico.flash.image()) == romfs_image.read_bytes()
    pico.console.received.clear()
    again = start(pico.flash.image())
    again.run_for(2_000_000)
    assert b"no valid program" not in again.console.received
    assert again.console.exec("import sys\nprint('/rom' in sys.path)") == "True\n"
