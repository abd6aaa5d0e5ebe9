"""What ends every command: one line with the cure on standard error, and the exit code; never a traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.errors import file_error
from host_tools.paths import cache
from host_tools.toolchain.build import _write

COMMAND = (sys.executable, "-c", "import sys; from host_tools.cli import main; sys.exit(main(sys.argv[1:]))")


def picocab(*arguments: str, **environment: str) -> tuple[int, str]:
    ended = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, env={**os.environ, **environment}, timeout=60
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("board", ["nothing", "../boards/pico_cabinet", "pico_cabinet/", ".", ""])
def test_a_board_is_a_name_and_never_a_path(board: str) -> None:
    code, errors = picocab("build", "--board", board)
    assert code == 2
    assert errors == f"picocab: no board called {board!r}: known boards: pico_cabinet\n"


def test_a_cache_that_cannot_be_made_is_one_line_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, errors = picocab("build", XDG_CACHE_HOME=str(tmp_path / "file"))
    assert code == 11
    assert errors.splitlines()[-1] == (
        f"picocab: cannot make the cache folder: Not a directory: {tmp_path}/file/picocab: "
        "set XDG_CACHE_HOME to a folder that can be written"
    )


def test_a_relative_cache_folder_counts_as_not_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.chdir(tmp_path)
    assert cache() == tmp_path / ".cache" / "picocab"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
def test_a_full_disk_under_the_output_is_no_traceback() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run([*COMMAND, "build"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=600)
    assert ended.returncode == 11
    last = ended.stderr.splitlines()[-1]
    assert last == "picocab: No space left on device: make room on that disk and run it again"


def test_a_reader_of_the_output_that_leaves_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([*COMMAND, "build"], stdout=write, stderr=subprocess.PIPE, text=True, timeout=600)
    os.close(write)
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    assert "picocab:" not in ended.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EISDIR])
def test_what_the_system_says_of_a_file_names_it_and_has_a_cure(number: int) -> None:
    error = file_error(OSError(number, os.strerror(number), "some/file"))
    assert error.exit_code == 11
    assert error.what == f"{os.strerror(number)}: some/file"
    assert error.cure


def test_a_result_that_cannot_be_put_in_place_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "result").mkdir()
    with pytest.raises(IsADirectoryError):
        _write(tmp_path / "result", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["result"]
