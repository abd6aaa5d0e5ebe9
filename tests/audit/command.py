"""The command `picocab`, called as the shell does."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

import pytest

from host_tools.cli import main


@dataclass
class Result:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output as JSON."""
        return json.loads(self.out)


class Picocab:
    """Runs commands: `picocab("play", "mad_hatters", "--seed", ...)`, or a whole line as one string."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *words: object) -> Result:
        arguments = [str(word) for word in words]
        if len(arguments) == 1:
            arguments = shlex.split(arguments[0].removeprefix("picocab "), comments=True)
        self._capfd.readouterr()
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse refused the arguments
            code = int(stop.code or 0)
        out, err = self._capfd.readouterr()
        return Result(code, out, err)


def refused(result: Result, code: int = 2) -> str:
    """Asserts that a command ended with one line of error and this code; returns the line."""
    assert result.code == code, result
    assert result.err.startswith("picocab: "), result.err
    assert result.err.count("\n") == 1, result.err
    return result.err
