"""Names that MicroPython's compiler knows and CPython does not, so that one source runs on both."""

import sys

if sys.implementation.name == "micropython":
    import micropython
else:
    from . import on_cpython as micropython  # noqa: F401

ptr8 = ptr32 = None
