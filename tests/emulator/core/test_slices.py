"""How often a run is stopped and continued changes nothing of what is emulated."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable

from host_tools.emulator.pico import Pico

# DMA to the SPI from RAM and from flash, and memory to memory: what goes on while the CPU waits.
PROGRAM = """
import machine, rp2, uctypes
from machine import SPI, Pin
machine.freq(125_000_000, 125_000_000)
spi = SPI(0, baudrate=62_500_000, sck=Pin(18), mosi=Pin(19))
flash, row, copy, dma = uctypes.bytearray_at(0x10001000, 2000), bytearray(480), bytearray(2000), rp2.DMA()
for turn in range(150):
    spi.write(row)
    spi.write(flash)
    dma.config(read=flash, write=copy, count=500, ctrl=dma.pack_ctrl(), trigger=True)
    while dma.active():
        pass
dma.close()
print("done", hash(bytes(copy)))
while True:
    pass
"""
LENGTH_US = 200_000.0


class Part:
    """An SPI part that keeps a digest of what it gets."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self.digest.update(data)


def end_of_run(pico: Pico, stops_us: Iterable[float]) -> tuple[object, ...]:
    part = Part()
    pico.spi(0).attach(part)
    pico.console.wait_connected()
    pico.console.start(PROGRAM)
    start_us = pico.now_us
    for stop_us in [*stops_us, LENGTH_US]:
        pico.run_for(start_us + stop_us - pico.now_us)
    memory = hashlib.sha256(pico.chip.sram).hexdigest()
    return pico.now_ns, pico.idle_ns, memory, part.digest.hexdigest(), bytes(pico.console.received)


def test_a_run_in_thousands_of_slices_is_the_run_in_one(make_pico: Callable[..., Pico]) -> None:
    whole = end_of_run(make_pico(), [])
    assert b"done" in whole[-1]  # type: ignore[operator]
    draws = random.Random(1)
    stops_us = sorted(draws.uniform(1, LENGTH_US - 1) for _ in range(6000))
    assert end_of_run(make_pico(), stops_us) == whole
