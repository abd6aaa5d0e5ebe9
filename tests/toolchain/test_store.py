"""Results in the cache are whole or not there, whatever happens to the builds that make them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host_tools.errors import BuildError
from host_tools.toolchain.store import build_once

# Builds "result" from two files and leaves a line in "log" for each time it was really made. Between the two files it
# waits as long as a file "wait" exists.
BUILDER = """
import sys, time
from pathlib import Path
from host_tools.toolchain.store import build_once

here = Path(sys.argv[1])

def make(folder):
    with (here / "log").open("a") as log:
        log.write("made\\n")
    (folder / "first").write_text("1")
    (here / "half").touch()
    while (here / "wait").exists():
        time.sleep(0.01)
    (folder / "second").write_text("2")

print(sorted(path.name for path in build_once("result", make, print).iterdir()))
"""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-u", "-c", BUILDER, str(folder)], stdout=subprocess.PIPE, text=True)


def wait_for(condition: Path) -> None:
    deadline = time.monotonic() + 30
    while not condition.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_killed_build_leaves_no_result_and_the_next_one_makes_it(folder: Path) -> None:
    (folder / "wait").touch()
    with start(folder) as builder:
        wait_for(folder / "half")
        os.kill(builder.pid, signal.SIGKILL)
    assert not (folder / "picocab" / "toolchain" / "result").exists()
    (folder / "wait").unlink()
    with start(folder) as builder:
        assert builder.communicate(timeout=30)[0] == "['first', 'second']\n"
    assert (folder / "log").read_text() == "made\n" * 2


COMPILING = """
import sys
from pathlib import Path
from host_tools.toolchain.store import build_once
from host_tools.toolchain.tools import run

here = Path(sys.argv[1])
compiler = f"touch {here}/compiling; while test -e {here}/wait; do sleep 0.05; done"
build_once("result", lambda folder: run(["sh", "-c", compiler], "step", here / "steps", print), print)
"""


def test_build_waits_for_the_compilers_of_a_killed_one(folder: Path) -> None:
    (folder / "wait").touch()
    with subprocess.Popen([sys.executable, "-c", COMPILING, str(folder)]) as killed:
        wait_for(folder / "compiling")
        killed.kill()
    with start(folder) as builder:
        assert builder.stdout is not None
        said = builder.stdout.readline()
        (folder / "wait").unlink()
        assert said == "another build makes result: waiting for it\n"
        assert builder.communicate(timeout=30)[0] == "['first', 'second']\n"


def test_second_build_waits_and_takes_the_first_ones_result(folder: Path) -> None:
    (folder / "wait").touch()
    with start(folder) as first:
        wait_for(folder / "half")
        with start(folder) as second:
            assert second.stdout is not None
            said = second.stdout.readline()
            (folder / "wait").unlink()  # before anything can fail: the first build waits for it
            assert said == "another build makes result: waiting for it\n"
            assert second.communicate(timeout=30)[0] == "['first', 'second']\n"
        assert first.communicate(timeout=30)[0] == "['first', 'second']\n"
    assert (folder / "log").read_text() == "made\n"


def test_failed_build_leaves_no_result(folder: Path) -> None:
    def fail(work: Path) -> None:
        (work / "half").touch()
        raise BuildError("no luck")

    with pytest.raises(BuildError, match="no luck"):
        build_once("result", fail, lambda line: None)
    assert list((folder / "picocab" / "toolchain").iterdir()) == [folder / "picocab" / "toolchain" / "result.lock"]
