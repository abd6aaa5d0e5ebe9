# Frozen into the firmware; MicroPython runs it after power-on and every soft reset, before USB and before any file.
#
# By now MicroPython has mounted whatever starts like a ROMFS at /rom and put it on the path. Nothing of that may run or
# hide a built-in module before it is proven, so the path is cut first: sys is never looked for in files, but machine,
# hashlib and others are. The numbers below are those of board.py; a test keeps them equal.
#
# The type stubs know neither the arguments of rp2.Flash nor that it can be read as memory.
# pyright: reportArgumentType=false, reportCallIssue=false
import sys

sys.path[:] = [".frozen"]

from micropython import const  # noqa: E402

_OUTPUTS_ENABLE = const(13)  # active low
_HOPPER_MOTOR = const(6)
_COIN_INHIBIT = const(3)

_PROGRAM = const(0x000000)  # offsets in rp2.Flash, which begins behind the firmware
_PROGRAM_BYTES = const(1179648)
_DATA = const(0x180000)
_DATA_BYTES = const(131072)
_BLOCK = const(4096)


def _stop_outputs():
    from machine import Pin

    Pin(_OUTPUTS_ENABLE, Pin.OUT, value=1)
    Pin(_HOPPER_MOTOR, Pin.OUT, value=0)
    Pin(_COIN_INHIBIT, Pin.OUT, value=1)


def _program_is_valid():
    # The last block, written last: magic, length and SHA-256 of the ROMFS image at the start of the partition.
    import hashlib

    import rp2

    flash = memoryview(rp2.Flash(start=_PROGRAM, len=_PROGRAM_BYTES))
    trailer = flash[_PROGRAM_BYTES - _BLOCK :]
    if trailer[:8] != b"PICOCAB1":
        return False
    length = int.from_bytes(trailer[8:12], "little")
    if not 0 < length <= _PROGRAM_BYTES - _BLOCK:
        return False
    return hashlib.sha256(flash[:length]).digest() == trailer[12:44]


def _mount():
    import os

    import rp2
    import vfs

    if _program_is_valid():
        sys.path.append("/rom")
        os.chdir("/rom")
    else:
        try:
            vfs.umount("/rom")
        except OSError:
            pass  # it did not even look like a ROMFS
    try:
        # Data only: never on the path. Never formatted here: what cannot be read may still be wanted.
        vfs.mount(vfs.VfsLfs2(rp2.Flash(start=_DATA, len=_DATA_BYTES), progsize=256), "/data")
    except OSError:
        pass  # main.py says so, when there is a port to say it on


_stop_outputs()
_mount()
