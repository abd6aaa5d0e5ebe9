"""Compiled loops where numba is installed, the same functions in plain Python where it is not.

Only modules of heavy commands import this one. numba notices a change in a function's own file only: a compiled
function that calls one of another module keeps the old code of that one until its cache is cleared. So keep kernels and
what they call in one file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from . import INSTALL

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

PLAIN = "PICOCAB_PLAIN"  # set to 1 in the environment, nothing is compiled


def _numba() -> Any:
    if os.environ.get(PLAIN) == "1":
        return None
    try:
        return import_module("numba")
    except ImportError:
        return None


_NUMBA = _numba()
COMPILED: bool = _NUMBA is not None


def jit(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Decorator: `numba.njit(cache=True)`, or the function as it is when nothing can be compiled."""
    if _NUMBA is None:
        return function
    compiled: Callable[_Arguments, _Result]
    try:
        compiled = _NUMBA.njit(cache=True)(function)
    except RuntimeError:  # no folder that a cache could be written to: compiled anew each time
        compiled = _NUMBA.njit(function)
    return compiled


def note() -> str:
    """A line for the user when nothing is compiled: what is slower and how to change that; empty otherwise."""
    if COMPILED:
        return ""
    why = f"{PLAIN}=1 is set" if os.environ.get(PLAIN) == "1" else f"numba is not installed ({INSTALL})"
    return f"enumeration and simulation run uncompiled and take many times as long: {why}"
