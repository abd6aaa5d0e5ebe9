"""The rules core of the firmware, imported on the host: the same source that the cabinet runs."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from .paths import FIRMWARE


def rules(name: str) -> ModuleType:
    """A module of `firmware/rules`, such as `rules("games.mad_mad_monkey")`."""
    folder = str(FIRMWARE)
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module(f"rules.{name}")
