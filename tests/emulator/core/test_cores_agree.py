"""The same programs on the fast path and on rp2040py's core: same output, same emulated nanosecond, same memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.emulator.pico import Pico

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.py"))


class Collector:
    """An SPI part that keeps what it gets, with the level of CS and DC."""

    def __init__(self, pico: Pico) -> None:
        self.digest = hashlib.sha256()
        self._pins = pico.pins

    def write(self, data: bytes) -> None:
        for byte in data:
            self.digest.update(bytes((byte, self._pins.level(17), self._pins.level(20))))


class Run:
    """One Pico that runs the corpus program after program."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.panel = Collector(pico)
        pico.spi(0).attach(self.panel)
        for pin in (15, 17, 20):
            pico.pins.record(pin, f"GP{pin}")

    def program(self, source: str) -> dict[str, object]:
        output = self.pico.console.exec(source, timeout_us=2e6)
        return {
            "output": output,
            "ns": self.pico.now_ns,
            "sram": hashlib.sha256(self.pico.chip.sram).hexdigest(),
            "flash": hashlib.sha256(self.pico.flash.image()).hexdigest(),
            "panel": self.panel.digest.hexdigest(),
            "uart": bytes(self.pico.uart(0).received),
            "pins": len(self.pico.pins.events),
            "last": self.pico.pins.events[-1],
        }


@pytest.fixture(scope="module")
def runs(make_pico: Callable[..., Pico]) -> tuple[Run, Run]:
    fast, stock = (Run(make_pico(core=core, seed=3)) for core in ("fast", "stock"))
    for run in (fast, stock):
        run.pico.console.wait_connected()
    return fast, stock


def test_corpus_has_programs_of_every_kind() -> None:
    assert len(CORPUS) >= 20


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_cores_agree_on(path: Path, runs: tuple[Run, Run]) -> None:
    fast, stock = (run.program(path.read_text()) for run in runs)
    assert fast["output"]
    assert fast == stock
