"""What the tests of the emulated Pico run: the real firmware without the cabinet's program, so the REPL is free."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.emulator.pico import Pico
from host_tools.toolchain.uf2 import flash_bytes


@pytest.fixture(scope="session")
def bare_image(firmware_uf2: Path) -> bytes:
    """2 MB of flash with MicroPython alone."""
    return flash_bytes([firmware_uf2])


@pytest.fixture
def pico(bare_image: bytes) -> Pico:
    """A Pico at its REPL."""
    pico = Pico(bare_image)
    pico.console.wait_connected()
    return pico


@pytest.fixture(scope="session")
def make_pico(bare_image: bytes) -> Callable[..., Pico]:
    """Makes further Picos at power-on: `make_pico(core=..., seed=..., flash=...)`."""

    def make(**options: object) -> Pico:
        image = options.pop("flash", bare_image)
        return Pico(image, **options)  # type: ignore[arg-type]

    return make
