"""The modules of `firmware/link` that both ends share, imported on the host."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from ..paths import FIRMWARE


def shared(name: str) -> ModuleType:
    """A module of `firmware/link`: `shared("messages")` or `shared("framing")`."""
    folder = str(FIRMWARE)
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module(f"link.{name}")
