"""Which serial ports and which boot loaders are there."""

from __future__ import annotations

import os
import string
from collections.abc import Iterable, Iterator
from pathlib import Path

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from ..errors import PortError

# USB ids of Raspberry Pi: RP2040 boot ROM (RP2040 datasheet, 2.8.4), MicroPython's rp2 port (its mpconfigport.h).
USB_BOOT_LOADER = (0x2E8A, 0x0003)
USB_MICROPYTHON = (0x2E8A, 0x0005)

BOOT_BOARD_ID = "RPI-RP2"
BOOT_INFO_FILE = "INFO_UF2.TXT"
BOOT_LOADER_CURE = (
    "copy the firmware first: picocab flash --uf2 build/pico_cabinet/picocab-pico_cabinet-full.uf2, then try again"
)


def mount_points() -> Iterator[Path]:
    """Yields the folders where Linux, macOS and Windows mount the boot drive; they need not exist."""
    if os.name == "nt":
        for letter in string.ascii_uppercase[2:]:
            yield Path(f"{letter}:\\")
        return
    for base in (Path("/media"), Path("/run/media")):
        yield from sorted(base.glob(f"*/{BOOT_BOARD_ID}*"))
        yield base / BOOT_BOARD_ID
    yield Path("/Volumes") / BOOT_BOARD_ID
    yield Path("/mnt") / BOOT_BOARD_ID


def usb_ids(sysfs: Path = Path("/sys/bus/usb/devices")) -> set[tuple[int, int]]:
    """Returns (vendor, product) of every USB device that Linux lists; empty on other systems."""
    ids = set()
    for vendor_file in sysfs.glob("*/idVendor"):
        try:
            vendor = int(vendor_file.read_text(), 16)
            ids.add((vendor, int(vendor_file.with_name("idProduct").read_text(), 16)))
        except (OSError, ValueError):  # the device left while the list was read
            continue
    return ids


def boot_drives(candidates: Iterable[Path]) -> list[Path]:
    """Returns those of `candidates` that are the boot drive of an RP2040, by the drive's own information file."""
    drives: list[Path] = []
    for folder in candidates:
        try:
            info = (folder / BOOT_INFO_FILE).read_text(encoding="ascii", errors="replace")
        except OSError:  # not there, not mounted, not a drive
            continue
        lines = [line.strip() for line in info.splitlines()]
        if f"Board-ID: {BOOT_BOARD_ID}" in lines and folder not in drives:
            drives.append(folder)
    return drives


def in_boot_loader(ids: Iterable[tuple[int, int]], candidates: Iterable[Path]) -> str:
    """Returns how a board in its boot loader shows itself, or "" when none does."""
    drives = boot_drives(candidates)
    if drives:
        return f"boot drive {drives[0]}"
    if USB_BOOT_LOADER in ids:
        return "USB {:04x}:{:04x}".format(*USB_BOOT_LOADER)
    return ""


def describe_ports(found: Iterable[ListPortInfo] | None = None) -> str:
    """Returns the USB serial ports (this computer's if `found` is left out) in one line, with USB id and product."""
    usb = [port for port in sorted(list_ports.comports() if found is None else found) if port.vid is not None]
    names = [f"{port.device} ({port.vid:04x}:{port.pid:04x} {port.product or port.description})" for port in usb]
    return "ports found: " + ", ".join(names) if names else "no USB serial port found"


def missing(
    what: str, ids: Iterable[tuple[int, int]] | None = None, candidates: Iterable[Path] | None = None
) -> PortError:
    """The error for a port that is not there: names a board in its boot loader, or else the ports there are.

    Args:
        ids: USB ids to look through; this computer's if left out.
        candidates: folders to look for a boot drive in; this computer's mount points if left out.
    """
    shown_as = in_boot_loader(usb_ids() if ids is None else ids, mount_points() if candidates is None else candidates)
    if shown_as:
        return PortError(f"{what}; a board is in its boot loader ({shown_as}) and has no port", BOOT_LOADER_CURE)
    return PortError(what, f"{describe_ports()}; plug the board in or give another --port")


def find_port(found: Iterable[ListPortInfo] | None = None) -> str:
    """Returns the port of the only MicroPython board that is plugged in.

    Args:
        found: ports to look through; this computer's if left out.

    Raises:
        PortError: there is none, or more than one.
    """
    all_ports = sorted(list_ports.comports() if found is None else found)
    boards = [port.device for port in all_ports if (port.vid, port.pid) == USB_MICROPYTHON]
    if not boards:
        raise missing("no MicroPython board found")
    if len(boards) > 1:
        raise PortError(f"{len(boards)} boards found", f"choose one with --port: {', '.join(boards)}")
    return str(boards[0])
