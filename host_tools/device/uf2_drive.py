"""Copies a UF2 file to the drive that a board in its boot loader shows."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import DeployError, PortError
from ..toolchain import uf2
from .ports import BOOT_BOARD_ID, boot_drives

_CHUNK_BYTES = 65_536
# The boot ROM takes the last block, then restarts the board: the drive may leave before the file is closed.
_DRIVE_LEFT = {errno.EIO, errno.ENODEV, errno.ENOENT, errno.ENXIO}


def copy_uf2(path: Path, candidates: Iterable[Path], progress: Callable[[str], None]) -> Path:
    """Checks a UF2 file and copies it to the only boot drive among `candidates`; returns the copy's path.

    Raises:
        ImageError: the file cannot be read or is no valid UF2 for this chip.
        PortError: there is no boot drive, or more than one.
        DeployError: the drive is full or the copy broke off.
    """
    uf2.read(path)
    data = path.read_bytes()
    drives = boot_drives(candidates)
    if not drives:
        raise PortError(
            f"no {BOOT_BOARD_ID} drive found",
            "hold BOOTSEL while plugging the board in, and mount the drive if the desktop does not do it",
        )
    if len(drives) > 1:
        raise PortError(f"{len(drives)} boot drives found ({', '.join(map(str, drives))})", "unplug all boards but one")
    target = drives[0] / path.name
    progress(f"copying {len(data)} bytes to {drives[0]}")
    written = 0
    try:
        with open(target, "wb", buffering=0) as drive_file:
            while written < len(data):
                written += drive_file.write(data[written : written + _CHUNK_BYTES])
            os.fsync(drive_file.fileno())
    except OSError as error:
        if written == len(data) and error.errno in _DRIVE_LEFT:
            progress("the drive left before it confirmed the end, as it does when the board restarts at once")
            return target
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DeployError(f"{drives[0]} is full", "plug the board in again with BOOTSEL held and repeat") from error
        raise DeployError(
            f"the copy to {drives[0]} broke off after {written} of {len(data)} bytes ({error.strerror})",
            "plug the board in again with BOOTSEL held and repeat",
        ) from error
    return target
