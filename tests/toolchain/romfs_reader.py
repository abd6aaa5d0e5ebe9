"""Reads a program image with MicroPython's own code."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

# Mounts an image as the board does and prints where each file's bytes lie in it, and their SHA-256.
_READER = """
import binascii, hashlib, json, os, sys, uctypes, vfs
image = open(sys.argv[1], "rb").read()
vfs.mount(vfs.VfsRom(image), "/rom")
found = {}
def walk(folder):
    for name, kind, *_ in os.ilistdir(folder):
        path = folder + "/" + name
        if kind == 0x4000:
            walk(path)
        else:
            data = memoryview(open(path, "rb"))
            digest = binascii.hexlify(hashlib.sha256(data).digest()).decode()
            found[path[5:]] = (uctypes.addressof(data) - uctypes.addressof(image), digest)
walk("/rom")
print(json.dumps(found))
"""


def read_back(image: bytes, micropython: Path, folder: Path) -> dict[str, tuple[int, str]]:
    """Returns place and SHA-256 of every file of an image.

    Args:
        micropython: the unix port.
        folder: a place for temporary files.
    """
    (folder / "image").write_bytes(image)
    (folder / "reader.py").write_text(_READER)
    command = [micropython, folder / "reader.py", folder / "image"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {path: (at, digest) for path, (at, digest) in json.loads(output).items()}
