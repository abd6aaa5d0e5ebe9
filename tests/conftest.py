"""Fixtures that build what the tests run and switch cabinets on, and the table of rules without a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet
from host_tools.toolchain.build import BuildResult, build

RULES_FILE = Path(__file__).parent / "rules.txt"


def _rules() -> dict[str, str]:
    lines = RULES_FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


class _RuleTable:
    """Collects the rule ids of the tests that ran and lists the rules that none of them names."""

    def __init__(self) -> None:
        self.proven: set[str] = set()
        self.complete = False

    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        known = _rules()
        for item in items:
            for mark in item.iter_markers("rule"):
                for rule_id in mark.args:
                    if rule_id not in known:
                        raise pytest.UsageError(f"{item.nodeid}: no rule {rule_id} in {RULES_FILE.name}")
                    self.proven.add(rule_id)
        arguments = [Path(argument.split("::")[0]).resolve() for argument in session.config.args]
        self.complete = Path(__file__).parent in arguments and not session.config.getoption("keyword")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.complete:
            return
        missing = {rule_id: title for rule_id, title in _rules().items() if rule_id not in self.proven}
        terminalreporter.section(f"rules without a test: {len(missing)} of {len(_rules())}")
        for rule_id, title in missing.items():
            terminalreporter.line(f"{rule_id:7} {title}")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(id): the test proves this rule of the games or of the cabinet")
    config.addinivalue_line("markers", "slow: minutes of work; run by a make target of its own")
    config.pluginmanager.register(_RuleTable(), "picocab-rule-table")


@pytest.fixture(scope="session")
def built(request: pytest.FixtureRequest) -> Iterator[BuildResult]:
    """The complete build: UF2, ROMFS image, unix port, mpy-cross."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        yield build(progress=lambda line: print(f"\n[build] {line}", end="", flush=True))


@pytest.fixture(scope="session")
def firmware_uf2(built: BuildResult) -> Path:
    """MicroPython for the board, without a program."""
    return built.firmware_uf2


@pytest.fixture(scope="session")
def romfs_image(built: BuildResult) -> Path:
    """The code partition's image."""
    return built.romfs


@pytest.fixture(scope="session")
def micropython(built: BuildResult) -> Path:
    """MicroPython's unix port of the same version."""
    return built.micropython


@pytest.fixture(scope="session")
def flash_image(built: BuildResult) -> bytes:
    """The 2 MB of flash of a finished cabinet."""
    from host_tools.toolchain.uf2 import flash_bytes

    return flash_bytes([built.full_uf2])


@pytest.fixture
def powered(built: BuildResult, flash_image: bytes) -> Callable[..., VirtualCabinet]:
    """Makes a cabinet that has power and has not run yet; `seed` varies the chip's noise and flash times."""

    def switch_on(seed: int = 1) -> VirtualCabinet:
        return VirtualCabinet(built, flash_image, seed, lambda line: None)

    return switch_on


@pytest.fixture
def cabinet(powered: Callable[..., VirtualCabinet]) -> VirtualCabinet:
    """A cabinet that has said that it is ready."""
    cabinet = powered()
    cabinet.wait_event("ready", BOOT_US)
    return cabinet


@pytest.fixture
def bare_cabinet(cabinet: VirtualCabinet) -> VirtualCabinet:
    """A cabinet at the REPL after a soft reset: its program does not run, its heap is clean."""
    cabinet.pico.console.start("pass")
    cabinet.pico.console.finish()
    cabinet.pico.console.send(b"\x04")
    cabinet.pico.run_for(1_500_000)
    return cabinet
