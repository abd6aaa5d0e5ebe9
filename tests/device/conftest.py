"""The emulated Pico as a board on a port."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tools.device.image import Image
from host_tools.toolchain.uf2 import flash_bytes

from .images import assets, flash_with, image, program


@pytest.fixture(scope="session")
def bare_flash(firmware_uf2: Path) -> bytes:
    """The flash of a board with our MicroPython and no program."""
    return flash_bytes([firmware_uf2])


@pytest.fixture(scope="session")
def old_image() -> Image:
    """A program that prints "old whole"."""
    return image(program("old", assets(1)))


@pytest.fixture(scope="session")
def new_image() -> Image:
    """One that prints "new whole", with every file changed."""
    return image(program("new", assets(2)))


@pytest.fixture(scope="session")
def old_flash(bare_flash: bytes, old_image: Image) -> bytes:
    """The flash of a board with the old program."""
    return flash_with(bare_flash, old_image.data)
