"""What a program prints before a host has found the port."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.boards import load_board
from host_tools.emulator.pico import Pico
from host_tools.toolchain.build import BuildResult
from host_tools.toolchain.romfs import PROGRAM, build_romfs, fill_partition


@pytest.mark.parametrize("source", ["print('x' * 600)", "1 // 0"])
def test_a_console_full_before_it_is_found_is_alive_afterwards(
    built: BuildResult, bare_image: bytes, make_pico: Callable[..., Pico], tmp_path: Path, source: str
) -> None:
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    subprocess.run([built.mpy_cross, tmp_path / "program.py"], check=True)
    start, length = load_board().FLASH_ROMFS
    partition = fill_partition(build_romfs({PROGRAM: (tmp_path / "program.mpy").read_bytes()}), length)
    pico = make_pico(flash=bare_image[:start] + partition + bare_image[start + length :])
    pico.console.wait_connected()
    pico.run_for(100_000)
    pico.console.send(b"\r\n")
    pico.console.expect(b">>> ", 1e6)
    assert pico.console.exec("print(6 * 7)") == "42\n"
