"""What the board starts after a reset: the proven program and nothing else, on the emulated Pico (CAB-45)."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from host_tools.boards import load_board
from host_tools.emulator.pico import Pico
from host_tools.paths import BOARDS
from host_tools.toolchain import romfs, uf2
from host_tools.toolchain.build import BuildResult

BOARD = load_board()
ROMFS_AT, ROMFS_BYTES = BOARD.FLASH_ROMFS
DATA_AT, DATA_BYTES = BOARD.FLASH_DATA
MODULES = BOARDS / "pico_cabinet" / "modules"

NO_PROGRAM = b'picocab: no valid program: flash it with "picocab flash"\r\n'
PROMPT = b">>> "

# Each planted file tells that it ran; nothing else on the board prints this.
PLANTED = "print('PLANTED', __name__)\n"

# Tells that it ran and what it found, once the port is up, and waits as the cabinet does.
PROGRAM = """
import asyncio, os, sys, vfs
async def main():
    await asyncio.sleep_ms(100)
    print("PROGRAM", sys.path, os.getcwd(), sorted(path for _, path in vfs.mount()))
    await asyncio.sleep_ms(1_000_000)
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def compiler(built: BuildResult) -> Callable[[str, str], bytes]:
    """Compiles source text to .mpy."""

    def compile_text(source: str, name: str) -> bytes:
        command = [str(built.mpy_cross), "-march=armv6m", "-s", name, "-o", "-", "-"]
        return subprocess.run(command, input=source.encode(), capture_output=True, check=True).stdout

    return compile_text


@pytest.fixture(scope="module")
def firmware(firmware_uf2: Path) -> bytes:
    """Flash with the firmware alone."""
    return uf2.flash_bytes([firmware_uf2])


@pytest.fixture(scope="module")
def image(compiler: Callable[[str, str], bytes]) -> bytes:
    """A good image: a small program and some data behind it."""
    data = bytes(range(256)) * 40
    return romfs.build_romfs({"program.mpy": compiler(PROGRAM, "main.py"), "z.bin": data})


def partition(image: bytes) -> bytes:
    return romfs.fill_partition(image, ROMFS_BYTES)


def with_part(flash: bytes, at: int, part: bytes) -> bytes:
    return flash[:at] + part + flash[at + len(part) :]


def boot(flash: bytes, until: bytes) -> Pico:
    """Starts a Pico and runs until it has printed `until`, and 100 ms more."""
    pico = Pico(flash)
    pico.console.wait_connected()
    pico.run_until(lambda: until in pico.console.received, what=repr(until))
    pico.run_for(100_000)
    return pico


def restart(pico: Pico, until: bytes) -> bytes:
    """Restarts by Ctrl-C and Ctrl-D; returns what was printed after it."""
    pico.console.send(b"\r\x03\x03")
    pico.run_for(50_000)
    pico.console.expect(PROMPT)
    pico.console.received.clear()
    pico.console.send(b"\x04")
    pico.console.expect(b"MPY: soft reboot\r\n")
    pico.run_until(lambda: until in pico.console.received, what=repr(until))
    pico.run_for(100_000)
    return bytes(pico.console.received)


def facts(pico: Pico) -> str:
    return pico.console.exec(
        "import sys, os, vfs\nprint(sys.path, os.getcwd(), sorted(path for _, path in vfs.mount()))"
    )


def numbers_in(path: Path) -> dict[str, int]:
    """The `_NAME = const(number)` of a frozen module."""
    found = re.findall(r"^(_\w+) = const\((\w+)\)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: int(number, 0) for name, number in found}


def test_frozen_numbers_are_those_of_the_board_file() -> None:
    storage = BOARD.FLASH_ROMFS[0]  # where rp2.Flash begins
    expected = {
        "_OUTPUTS_ENABLE": BOARD.OUTPUTS_ENABLE,
        "_HOPPER_MOTOR": BOARD.HOPPER_MOTOR,
        "_COIN_INHIBIT": BOARD.COIN_INHIBIT,
        "_PROGRAM": ROMFS_AT - storage,
        "_PROGRAM_BYTES": ROMFS_BYTES,
        "_DATA": DATA_AT - storage,
        "_DATA_BYTES": DATA_BYTES,
        "_BLOCK": 4096,
    }
    assert numbers_in(MODULES / "_boot.py") == expected
    assert numbers_in(MODULES / "format_data.py") == {name: expected[name] for name in ("_DATA", "_DATA_BYTES")}
    # The levels that _boot.py writes.
    assert (BOARD.OUTPUTS_ENABLE_ACTIVE_LOW, BOARD.HOPPER_MOTOR_ACTIVE_LOW, BOARD.COIN_INHIBIT_ACTIVE_LOW) == (
        True,
        False,
        False,
    )


@pytest.mark.rule("CAB-45")
def test_valid_program_runs_with_the_narrow_path(firmware: bytes, image: bytes) -> None:
    pico = boot(with_part(firmware, ROMFS_AT, partition(image)), b"PROGRAM")
    line = b"PROGRAM ['.frozen', '/rom'] /rom ['/rom']\r\n"
    assert line in pico.console.received
    assert line in restart(pico, b"PROGRAM")


def damage(at: int, bit: int = 0) -> Callable[[bytes], bytes]:
    """Flips one bit of the partition."""
    return lambda data: with_part(data, at % len(data), bytes([data[at % len(data)] ^ 1 << bit]))


def cut(blocks: int) -> Callable[[bytes], bytes]:
    """Only the first blocks have been written."""
    return lambda data: data[: blocks * 4096].ljust(len(data), b"\xff")


def new_trailer(**changes: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        fields = {"magic": data[-4096:-4088], "length": data[-4088:-4084], "digest": data[-4084:-4052]} | changes
        return data[:-4096] + b"".join(fields.values()).ljust(4096, b"\xff")

    return change


def length_with_its_digest(length: int) -> Callable[[bytes], bytes]:
    """A trailer whose digest is right for its length, whatever that covers."""
    return lambda data: new_trailer(length=length.to_bytes(4, "little"), digest=hashlib.sha256(data[:length]).digest())(
        data
    )


BROKEN: Mapping[str, Callable[[bytes], bytes]] = {
    "blank": lambda data: b"\xff" * len(data),
    "zero": lambda data: bytes(len(data)),
    "no trailer": lambda data: data[:-4096] + b"\xff" * 4096,
    "first byte": damage(0),
    "size in the header": damage(4, 6),
    "in a module": damage(0x100),
    "last byte of the image": lambda data: damage(int.from_bytes(data[-4088:-4084], "little") - 1)(data),
    "magic": new_trailer(magic=b"PICOCAB2"),
    "digest": damage(-4084),
    "length one less": lambda data: damage(-4088)(data),
    "length zero": length_with_its_digest(0),
    "length into the trailer": length_with_its_digest(ROMFS_BYTES - 4095),
    "length of 4 GB": new_trailer(length=b"\xff" * 4),
    "one block written": cut(1),
    "two blocks written": cut(2),
}


@pytest.mark.rule("CAB-45")
@pytest.mark.parametrize("name", BROKEN)
def test_broken_image_never_runs_and_the_board_says_so(firmware: bytes, image: bytes, name: str) -> None:
    broken = BROKEN[name](partition(image))
    assert broken != partition(image)
    assert len(broken) == ROMFS_BYTES
    pico = boot(with_part(firmware, ROMFS_AT, broken), PROMPT)
    assert bytes(pico.console.received).count(NO_PROGRAM) == 1
    assert b"PROGRAM" not in pico.console.received
    assert pico.console.received.startswith(NO_PROGRAM)
    assert facts(pico) == "['.frozen'] / []\n"


@pytest.mark.rule("CAB-45")
def test_image_broken_while_it_ran_does_not_start_again(firmware: bytes, image: bytes) -> None:
    pico = boot(with_part(firmware, ROMFS_AT, partition(image)), b"PROGRAM")
    pico.console.exec("import rp2\nrp2.Flash(start=0, len=4096).writeblocks(0, bytes(16), 0x400)")
    pico.console.send(b"\x02")
    output = restart(pico, PROMPT)
    assert NO_PROGRAM in output
    assert b"PROGRAM" not in output
    assert facts(pico) == "['.frozen'] / []\n"


@pytest.mark.rule("CAB-45")
def test_unproven_image_cannot_hide_a_builtin_module(firmware: bytes, compiler: Callable[[str, str], bytes]) -> None:
    """MicroPython mounts it at /rom and puts it on the path before any of our code runs."""
    names = ("program", "main", "boot", "_boot", "machine", "hashlib", "os", "time", "asyncio", "rp2", "struct", "io")
    planted = romfs.build_romfs({f"{name}.mpy": compiler(PLANTED, f"{name}.py") for name in names})
    pico = boot(with_part(firmware, ROMFS_AT, planted), PROMPT)
    restart(pico, PROMPT)
    pico.console.exec("import machine, hashlib, os, time, asyncio, rp2, struct, io")
    assert b"PLANTED" not in pico.console.received


@pytest.fixture(scope="module")
def planted_data(firmware: bytes) -> bytes:
    """The /data region with files of tempting names, made by the board itself."""
    pico = boot(firmware, PROMPT)
    pico.console.exec(
        "import format_data\nformat_data.format_data()\n"
        "import os\n"
        "os.mkdir('/data/lib')\nos.mkdir('/data/rom')\n"
        "for folder in ('', '/lib', '/rom'):\n"
        "    for name in ('main', 'boot', '_boot', 'asyncio', 'program', 'machine', 'planted'):\n"
        f"        with open('/data%s/%s.py' % (folder, name), 'w') as file: file.write({PLANTED!r})\n"
    )
    assert pico.console.exec("import os\nprint(len(os.listdir('/data')))") == "9\n"
    return pico.power_cut()[DATA_AT : DATA_AT + DATA_BYTES]


@pytest.mark.rule("CAB-45")
@pytest.mark.parametrize("valid", [True, False])
def test_files_on_data_never_run(firmware: bytes, image: bytes, planted_data: bytes, valid: bool) -> None:
    flash = with_part(firmware, DATA_AT, planted_data)
    if valid:
        flash = with_part(flash, ROMFS_AT, partition(image))
    until = b"PROGRAM" if valid else PROMPT
    pico = boot(flash, until)
    restart(pico, until)
    pico.console.exec("import asyncio, machine\ntry:\n    import planted\nexcept ImportError:\n    pass\n")
    assert b"PLANTED" not in pico.console.received
    assert facts(pico) == ("['.frozen', '/rom'] /rom ['/data', '/rom']\n" if valid else "['.frozen'] / ['/data']\n")
    assert pico.console.exec("print(open('/data/main.py').read())") == PLANTED + "\n"


@pytest.mark.rule("CAB-45")
def test_file_system_where_a_stock_board_has_it_is_not_mounted(firmware: bytes, planted_data: bytes) -> None:
    """A stock Pico's file system begins 640 kB into flash, inside our code partition; ours begins at 1920 kB."""
    flash = with_part(with_part(firmware, 0xA0000, planted_data), BOARD.FLASH_JOURNAL_A[0], planted_data)
    pico = boot(flash, PROMPT)
    restart(pico, PROMPT)
    assert b"PLANTED" not in pico.console.received
    assert facts(pico) == "['.frozen'] / []\n"


@pytest.mark.parametrize("content", [b"\xff", b"\x00", b"\xa5"], ids=["blank", "zero", "noise"])
def test_unreadable_data_is_told_and_left_as_it_is(firmware: bytes, image: bytes, content: bytes) -> None:
    flash = with_part(with_part(firmware, ROMFS_AT, partition(image)), DATA_AT, content * DATA_BYTES)
    pico = boot(flash, b"PROGRAM")
    line = b"picocab: /data has no file system: make one with format_data.format_data()\r\n"
    assert restart(pico, b"PROGRAM").startswith(line)
    assert facts(pico) == "['.frozen', '/rom'] /rom ['/rom']\n"
    assert pico.power_cut() == flash


def test_formatted_data_keeps_its_files_over_a_restart(firmware: bytes) -> None:
    pico = boot(firmware, PROMPT)
    pico.console.exec(
        "from format_data import format_data\nformat_data()\nwith open('/data/a', 'w') as file: file.write('kept')"
    )
    again = boot(pico.power_cut(), PROMPT)
    assert again.console.exec("print(open('/data/a').read())") == "kept\n"
    again.console.exec("from format_data import format_data\nformat_data()")
    assert again.console.exec("import os\nprint(os.listdir('/data'))") == "[]\n"


# The lines that stop all outside action, with their safe levels; resistors on the board hold them while the chip does
# not drive them.
SAFE = {BOARD.OUTPUTS_ENABLE: 1, BOARD.HOPPER_MOTOR: 0, BOARD.COIN_INHIBIT: 1}


@pytest.mark.rule("CAB-23")
def test_outputs_are_safe_from_power_on_and_driven_before_the_check(firmware: bytes, image: bytes) -> None:
    pico = Pico(with_part(firmware, ROMFS_AT, partition(image)))
    for pin, level in SAFE.items():
        pico.pins.pull(pin, level)
        pico.pins.record(pin, str(pin))
    pico.run_for(2_000)  # the check of even this small image takes longer
    assert [pico.pins.output(pin) for pin in SAFE] == [True] * 3
    assert not pico.console.connected
    pico.run_until(lambda: b"PROGRAM" in pico.console.received)
    assert {(event.name, event.level) for event in pico.pins.events} == {(str(p), level) for p, level in SAFE.items()}


@pytest.mark.rule("CAB-23")
def test_outputs_left_on_are_stopped_by_a_soft_reset_before_anything_else(firmware: bytes) -> None:
    pico = boot(firmware, PROMPT)
    pico.console.exec(
        "from machine import Pin\n" + "".join(f"Pin({pin}).value({1 - level})\n" for pin, level in SAFE.items())
    )
    assert [pico.pins.level(pin) for pin in SAFE] == [1 - level for level in SAFE.values()]
    pico.console.send(b"\x02\x04")
    pico.console.expect(b"MPY: soft reboot\r\n")
    pico.run_for(5_000)
    assert [pico.pins.level(pin) for pin in SAFE] == list(SAFE.values())
    assert NO_PROGRAM not in pico.console.received


@pytest.mark.rule("CAB-45")
@pytest.mark.parametrize("size_kb", [300, 920])
def test_check_takes_about_a_second_for_a_megabyte(firmware: bytes, size_kb: int) -> None:
    """Emulated time from power-on to USB, against a blank partition. 920 kB is all that the asset budget allows."""
    image = romfs.build_romfs({"x.bin": bytes(range(256)) * (4 * size_kb)})
    times_us = []
    for part in (b"\xff" * ROMFS_BYTES, partition(image)):
        pico = Pico(with_part(firmware, ROMFS_AT, part))
        pico.console.wait_connected()
        times_us.append(pico.now_us)
    check_us = times_us[1] - times_us[0]
    print(f"check of {len(image)} bytes: {check_us / 1000:.0f} ms")
    assert 0.8 < check_us / len(image) < 1.1
