# mypy: ignore-errors

# Runs on a board, sent to its raw REPL: modules are imported from RAM, so nothing of the board's file system changes.
import sys
from io import BytesIO

try:
    from vfs import mount, umount
except ImportError:  # before MicroPython 1.23
    from os import mount, umount


class RamFiles:
    # A file system, as far as import needs one; path -> content.
    def __init__(self):
        self.files = {}

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        pass

    def stat(self, path):
        if path in self.files:
            return (0x8000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        if any(name.startswith(path + "/") for name in self.files):
            return (0x4000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        raise OSError(2)

    def open(self, path, mode):
        return BytesIO(self.files[path])


ram = RamFiles()


def add(path, part):
    ram.files[path] = ram.files.get(path, b"") + part


def load(game):
    mount(ram, "/picocab_ram")
    sys.path.insert(0, "/picocab_ram")
    __import__("rules.round")
    __import__("rules.games." + game)
    umount("/picocab_ram")
    sys.path.pop(0)
    ram.files.clear()
