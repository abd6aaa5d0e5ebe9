"""A UF2 goes to the drive of the board in its boot loader, checked first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from host_tools.device.uf2_drive import copy_uf2
from host_tools.errors import DeployError, ImageError, PortError
from host_tools.toolchain import uf2

NEW = "new.uf2"


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    folder = tmp_path / "RPI-RP2"
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    return folder


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / NEW
    path.write_bytes(uf2.encode(uf2.pages_of(random.Random(1).randbytes(100_000), 0)))
    return path


def _ignore(line: str) -> None:
    pass


def test_copy_uf2_writes_the_whole_file(drive: Path, good: Path) -> None:
    lines: list[str] = []
    copied = copy_uf2(good, [drive.parent, drive], lines.append)
    assert copied == drive / NEW
    assert copied.read_bytes() == good.read_bytes()
    assert lines == [f"copying {good.stat().st_size} bytes to {drive}"]


def test_copy_uf2_without_a_drive(tmp_path: Path, good: Path) -> None:
    with pytest.raises(PortError, match=r"no RPI-RP2 drive found: hold BOOTSEL"):
        copy_uf2(good, [tmp_path, tmp_path / "none"], _ignore)


def test_copy_uf2_with_two_drives(tmp_path: Path, drive: Path, good: Path) -> None:
    second = tmp_path / "RPI-RP21"
    second.mkdir()
    (second / "INFO_UF2.TXT").write_bytes((drive / "INFO_UF2.TXT").read_bytes())
    with pytest.raises(PortError, match=r"2 boot drives found .*unplug all boards but one"):
        copy_uf2(good, [drive, second], _ignore)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-512], "torn"),
        (lambda data: data[:-100], "torn or no UF2"),
        (lambda data: data[:512] + b"X" + data[513:], "corrupt"),
        (lambda data: data[:1020] + b"XXXX" + data[1024:], "corrupt"),
        (lambda data: data[:28] + b"\x59\xff\x8b\xe4" + data[32:], "not for the RP2040"),
        (lambda data: b"", "torn or no UF2"),
    ],
)
def test_copy_uf2_refuses_a_bad_file(drive: Path, good: Path, damage, message: str) -> None:
    good.write_bytes(damage(good.read_bytes()))
    with pytest.raises(ImageError, match=message) as caught:
        copy_uf2(good, [drive], _ignore)
    assert caught.value.cure
    assert not (drive / NEW).exists()


def test_copy_uf2_names_a_file_that_is_missing(drive: Path, tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"none\.uf2.*No such file"):
        copy_uf2(tmp_path / "none.uf2", [drive], _ignore)


def test_copy_uf2_to_a_full_drive(drive: Path, good: Path) -> None:
    (drive / NEW).symlink_to("/dev/full")  # a device of Linux that has no room, whatever is written
    with pytest.raises(DeployError, match=r"is full: plug the board in again"):
        copy_uf2(good, [drive], _ignore)


def test_copy_uf2_to_a_drive_that_cannot_be_written(drive: Path, good: Path) -> None:
    (drive / NEW).mkdir()
    with pytest.raises(DeployError, match=r"broke off after 0 of \d+ bytes"):
        copy_uf2(good, [drive], _ignore)
