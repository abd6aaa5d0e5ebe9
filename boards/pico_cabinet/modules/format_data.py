# Frozen into the firmware: the one way to make the file system at /data. Nothing calls it by itself.
#
# The type stubs do not know the arguments of rp2.Flash.
# pyright: reportCallIssue=false
import rp2
import vfs
from micropython import const

_DATA = const(0x180000)  # offset in rp2.Flash, as in _boot.py
_DATA_BYTES = const(131072)


def format_data():
    """Makes an empty file system and mounts it at /data. All files there are lost."""
    try:
        vfs.umount("/data")
    except OSError:
        pass  # there was none
    flash = rp2.Flash(start=_DATA, len=_DATA_BYTES)
    vfs.VfsLfs2.mkfs(flash, progsize=256)
    vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/data")
