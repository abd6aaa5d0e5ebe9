# mypy: ignore-errors
# ruff: noqa: I001, SIM105 (MicroPython: its modules are not CPython's, and there is no contextlib.suppress)
# Runs on the board (MicroPython), sent by deploy.py to the raw REPL after a soft reset; never imported on the host.
# Nothing here is imported from the partition that is being written.
import hashlib
import sys
import vfs
from binascii import hexlify
from deflate import RAW, DeflateIO
from io import BytesIO
from machine import mem32

BLOCK = 4096
BLANK = b"\xff" * BLOCK

rom = vfs.rom_ioctl(2, 0)
flash = memoryview(rom)  # the partition itself, memory-mapped: read through the cache, no copy
buffer = bytearray(BLOCK)

# A program may have started the watchdog, and machine.WDT cannot stop it: clear ENABLE (bit 30) of the RP2040's
# WATCHDOG CTRL register through its atomic-clear alias. The reset at the end restores everything.
mem32[0x4005B000] = 1 << 30

try:
    vfs.umount("/rom")
except OSError:
    pass  # not mounted: the board holds no valid program


def digest(n):
    block = flash[n * BLOCK : (n + 1) * BLOCK]
    if block == BLANK:
        print("-")
    else:
        print(hexlify(hashlib.sha256(block).digest()[:8]).decode())


def digests():
    for n in range(len(flash) // BLOCK):
        digest(n)


def erase(n):
    rom.ioctl(6, n)


def receive():
    # Frames from the host: 4 decimal digits block number, 4 digits size, then that many bytes: the block deflated and
    # escaped, or nothing for a blank block. One dot answers each frame; number 9999 ends.
    take = sys.stdin.buffer.read
    while True:
        n, size = int(take(4)), int(take(4))
        if n == 9999:
            return
        if size:
            packed = take(size)
            for c in b"BCDE":  # Ctrl-B to Ctrl-E travel as Ctrl-E and a letter; Ctrl-E itself comes last
                packed = packed.replace(bytes((5, c)), bytes((c & 31,)))
            with DeflateIO(BytesIO(packed), RAW, 12) as stream:
                filled = stream.readinto(buffer)
            if filled != BLOCK:
                raise ValueError(filled)
            rom.writeblocks(n, buffer)  # erases first
        else:
            erase(n)
        print(end=".")


def image_hash(length):
    whole = hashlib.sha256()
    for start in range(0, length, BLOCK):
        whole.update(flash[start : min(start + BLOCK, length)])
    print(hexlify(whole.digest()).decode())
