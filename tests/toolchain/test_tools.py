"""Missing tools are named with their Debian package; failing ones with their message."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from host_tools.errors import BuildError, ToolMissing
from host_tools.toolchain import tools


def test_missing_tools_are_all_named_with_their_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing) as caught:
        tools.require(["make", "cmake", "arm-none-eabi-gcc"])
    assert caught.value.what == (
        "missing make (Debian package make), cmake (Debian package cmake), "
        "arm-none-eabi-gcc (Debian package gcc-arm-none-eabi), nosys.specs (Debian package libnewlib-arm-none-eabi), "
        "libstdc++.a (Debian package libstdc++-arm-none-eabi-newlib)"
    )
    assert caught.value.cure == (
        "apt-get install make cmake gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib"
    )


def test_compiler_without_its_c_library_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # What gcc answers for a file that it cannot find: the bare name.
    (tmp_path / "arm-none-eabi-gcc").write_text('#!/bin/sh\necho "${1#-print-file-name=}"\n')
    (tmp_path / "arm-none-eabi-gcc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    with pytest.raises(ToolMissing, match=r"missing nosys\.specs \(Debian package libnewlib-arm-none-eabi\)"):
        tools.require(["arm-none-eabi-gcc"])


def test_every_missing_thing_is_in_the_list_that_make_installs() -> None:
    installed = {*tools.DEBIAN_PACKAGES, "binutils-arm-none-eabi"}  # gcc-arm-none-eabi depends on it
    assert installed >= set(tools._PACKAGE_OF.values()) - {"apt"}
    assert installed >= {package for files in tools._FILES_OF.values() for _, package in files}


def test_user_flags_do_not_reach_the_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CFLAGS", "-Ofast")
    log = tmp_path / "log"
    code = "import os; print(sorted(os.environ))"
    tools.run([sys.executable, "-c", code], "listing", log, lambda line: None, extra={"SOURCE_DATE_EPOCH": "1"})
    names = log.read_text().splitlines()[1]
    assert "CFLAGS" not in names
    assert "SOURCE_DATE_EPOCH" in names
    assert "'PATH'" in names


def test_failure_is_told_with_its_reason_and_its_log(tmp_path: Path) -> None:
    code = "print('working'); print('x.c:3: error: bad thing'); print('make: stopped'); raise SystemExit(2)"
    with pytest.raises(BuildError) as caught:
        tools.run([sys.executable, "-c", code], "compiling", tmp_path / "log", lambda line: None)
    assert str(caught.value) == f"compiling failed: x.c:3: error: bad thing: see {tmp_path / 'log'}"


def test_percentages_become_progress(tmp_path: Path) -> None:
    said: list[str] = []
    code = "for percent in (0, 10, 26, 49, 50, 99, 100): print(f'[{percent:3}%] x')"
    tools.run([sys.executable, "-c", code], "compiling", tmp_path / "log", said.append)
    assert said == ["compiling: 25 %", "compiling: 50 %", "compiling: 75 %", "compiling: 100 %"]
