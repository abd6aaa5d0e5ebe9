"""A cabinet at its game screen for each test: the real firmware from a finished flash image."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet
from host_tools.toolchain.build import BuildResult


@pytest.fixture
def powered(built: BuildResult, flash_image: bytes) -> Callable[..., VirtualCabinet]:
    """Makes a cabinet that has power and has not run yet; `seed` varies the chip's noise and flash times."""

    def switch_on(seed: int = 1) -> VirtualCabinet:
        return VirtualCabinet(built, flash_image, seed, lambda line: None)

    return switch_on


@pytest.fixture
def cabinet(powered: Callable[..., VirtualCabinet]) -> VirtualCabinet:
    """A cabinet that has said that it is ready."""
    cabinet = powered()
    cabinet.wait_event("ready", BOOT_US)
    return cabinet
