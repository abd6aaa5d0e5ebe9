"""Names that MicroPython's compiler knows and CPython does not, so that one source runs on both."""

import sys

if sys.implementation.name == "micropython":
    import micropython
else:

    class micropython:
        """Machine code is MicroPython's business; on CPython a viper function is an ordinary one."""

        @staticmethod
        def viper(function):
            return function


ptr8 = ptr32 = None
