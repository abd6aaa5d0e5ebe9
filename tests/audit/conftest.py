"""The command under test."""

from __future__ import annotations

import pytest

from .command import Picocab


@pytest.fixture
def picocab(capfd: pytest.CaptureFixture[str]) -> Picocab:
    return Picocab(capfd)
