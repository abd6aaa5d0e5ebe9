"""A port that is not there, and boards that sit in their boot loader."""

from __future__ import annotations

from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from host_tools.device import ports
from host_tools.errors import PortError

RP2040_INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
RP2350_INFO = "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n"


def _drive(folder: Path, info: str) -> Path:
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text(info, newline="")
    return folder


def test_boot_drives_are_told_by_their_information_file(tmp_path: Path) -> None:
    pico = _drive(tmp_path / "RPI-RP2", RP2040_INFO)
    pico_2 = _drive(tmp_path / "RP2350", RP2350_INFO)
    stick = tmp_path / "STICK"
    stick.mkdir()
    assert ports.boot_drives([stick, pico_2, tmp_path / "none", pico, pico]) == [pico]


def test_in_boot_loader_by_drive_or_by_usb_id(tmp_path: Path) -> None:
    pico = _drive(tmp_path / "RPI-RP2", RP2040_INFO)
    assert ports.in_boot_loader([], [pico]) == f"boot drive {pico}"
    assert ports.in_boot_loader([(0x2E8A, 0x0003)], []) == "USB 2e8a:0003"
    assert ports.in_boot_loader([(0x2E8A, 0x0005), (0x1D6B, 0x0002)], [tmp_path]) == ""


def test_usb_ids_are_read_from_sysfs(tmp_path: Path) -> None:
    for name, vendor, product in (("1-1", "2e8a", "0003"), ("usb1", "1d6b", "0002")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "idVendor").write_text(vendor + "\n")
        (tmp_path / name / "idProduct").write_text(product + "\n")
    (tmp_path / "1-2").mkdir()  # a device that is leaving: its files are half there
    (tmp_path / "1-2" / "idVendor").write_text("2e8a\n")
    assert ports.usb_ids(tmp_path) == {(0x2E8A, 0x0003), (0x1D6B, 0x0002)}
    assert ports.usb_ids(tmp_path / "none") == set()


def test_missing_port_says_that_a_board_is_in_its_boot_loader(tmp_path: Path) -> None:
    pico = _drive(tmp_path / "RPI-RP2", RP2040_INFO)
    error = ports.missing("no port /dev/ttyACM0", set(), [pico])
    assert "boot loader" in error.what
    assert str(pico) in error.what
    assert "picocab flash --uf2" in error.cure


def test_missing_port_lists_the_ports_there_are() -> None:
    error = ports.missing("no port /dev/ttyACM0", set(), [])
    assert error.what == "no port /dev/ttyACM0"
    assert "ports found" in error.cure or "no USB serial port found" in error.cure


def _port(device: str, vendor: int | None = None, product: int | None = None) -> ListPortInfo:
    port = ListPortInfo(device)
    port.vid, port.pid, port.product = vendor, product, "Board in FS mode"
    return port


UART = _port("/dev/ttyS0")
ADAPTER = _port("/dev/ttyUSB0", 0x1A86, 0x7523)
PICO_1, PICO_2 = (_port(f"/dev/ttyACM{n}", *ports.USB_MICROPYTHON) for n in (0, 1))


def test_find_port_takes_the_only_board() -> None:
    assert ports.find_port([UART, PICO_1, ADAPTER]) == "/dev/ttyACM0"


def test_find_port_does_not_choose_between_two() -> None:
    with pytest.raises(PortError, match="2 boards found: choose one with --port: /dev/ttyACM0, /dev/ttyACM1"):
        ports.find_port([PICO_2, UART, PICO_1])


def test_find_port_without_a_board() -> None:
    with pytest.raises(PortError, match="no MicroPython board found"):
        ports.find_port([UART, ADAPTER])


def test_describe_ports_lists_usb_ports_only() -> None:
    text = ports.describe_ports([UART, PICO_1, ADAPTER])
    assert text == ("ports found: /dev/ttyACM0 (2e8a:0005 Board in FS mode), /dev/ttyUSB0 (1a86:7523 Board in FS mode)")
    assert ports.describe_ports([UART]) == "no USB serial port found"
