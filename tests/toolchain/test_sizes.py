"""What the program costs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.errors import BuildError
from host_tools.paths import FIRMWARE
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet
from host_tools.toolchain import sizes
from host_tools.toolchain.build import BuildResult
from host_tools.toolchain.romfs import Module


def modules(**sizes_bytes: int) -> list[Module]:
    return [Module(name.replace("_", "/") + ".mpy", bytes(size), Path(), "") for name, size in sizes_bytes.items()]


def test_sizes_are_summed_by_package() -> None:
    found = sizes.package_sizes(modules(cabinet_game=100, cabinet_coins=50, program=200, rules_x=9, rules_games_x=7))
    assert [(size.name, size.mpy_bytes) for size in found] == [
        ("cabinet", 150),
        ("program", 200),
        ("rules", 9),
        ("rules.games.x", 7),
    ]
    assert [size.ram_bytes for size in found] == [round(n * sizes.RAM_PER_MPY_BYTE) for n in (150, 200, 9, 7)]


def test_table_ends_with_the_sum() -> None:
    lines = sizes.size_table(sizes.package_sizes(modules(cabinet_game=100, rules_x=50)))
    assert lines[0].split() == ["package", ".mpy", "bytes", "RAM", "bytes"]
    assert [line.split()[:2] for line in lines[1:]] == [["cabinet", "100"], ["rules", "50"], ["all", "150"]]


def test_program_over_the_budget_is_an_error_that_names_the_largest_package() -> None:
    sizes.check_budget(sizes.package_sizes(modules(rules_x=60_000, cabinet_y=50_000)))
    with pytest.raises(BuildError, match=r"110001 bytes of \.mpy are over the budget of 110000: .* rules with 60001"):
        sizes.check_budget(sizes.package_sizes(modules(rules_x=60_001, cabinet_y=50_000)))


def test_ram_is_what_importing_costs_on_the_board(built: BuildResult, powered: Callable[..., VirtualCabinet]) -> None:
    cabinet = powered()
    cabinet.wait_event("ready", BOOT_US)
    console = cabinet.pico.console
    console.exec("pass")
    console.send(b"\r\x01\x04")  # a soft reset inside the raw REPL: nothing is imported, and no main.py runs
    console.expect(b"soft reboot\r\n")
    console.expect(b"raw REPL; CTRL-B to exit\r\n>")
    console.exec("import asyncio, json, machine, rp2, select, uctypes")
    packages = ("board", "cabinet", "drivers", "link", "rules", "ui")
    paths = [path for path in FIRMWARE.rglob("*.py") if path.name != "main.py"]
    names = [".".join(path.relative_to(FIRMWARE).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    measured = sum(sizes.measure_ram(console.exec, sorted([*names, "board"])).values())
    told = sum(size.ram_bytes for size in built.sizes if size.name.split(".")[0] in packages)
    assert 0.9 * measured < told < 1.1 * measured
