"""Runs the test files of this folder on MicroPython too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from host_tools.paths import FIRMWARE

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.glob("test_*.py") if path.name != Path(__file__).name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_passes_on_micropython(path: Path, micropython: Path) -> None:
    command = [str(micropython), str(HERE / "run_micropython.py"), str(FIRMWARE), str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    expected = sum(line.startswith("def test_") for line in path.read_text(encoding="utf-8").splitlines())
    assert result.stdout.strip().splitlines()[-1] == f"{expected} passed, 0 failed", result.stdout + result.stderr
