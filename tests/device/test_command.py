"""`picocab flash` as a user meets it: one line and an exit code, or a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from host_tools.cli import main
from host_tools.device.image import Image
from host_tools.device.transport import Transport
from host_tools.emulator.server import serve

from .board import boots_as, start
from .images import code_of


@pytest.fixture
def new_file(tmp_path: Path, new_image: Image) -> Path:
    path = tmp_path / "new.romfs"
    path.write_bytes(new_image.data)
    return path


def test_flash_reports_as_json(
    old_flash: bytes, new_image: Image, new_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pico = start(old_flash)
    with serve(pico, tcp=False, pace=False) as server:
        assert main(["flash", "--port", str(server.pty_path), "--image", str(new_file), "--json"]) == 0
        output = capsys.readouterr()
    report = json.loads(output.out)
    assert report["sha256"] == new_image.sha256.hex()
    assert report["verified"] is True
    assert (report["port"], report["blocks_total"]) == (server.pty_path, 288)
    assert 0 < report["blocks_sent"] < 10
    assert "blocks written" in output.err
    assert code_of(pico.flash.image()) == new_image.data
    assert boots_as(pico.flash.image()) == "new"


def test_flash_says_what_it_did(old_flash: bytes, new_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve(start(old_flash), tcp=False, pace=False) as server:
        for expected in ("of 288 blocks sent", "nothing to send, all 288 blocks are right"):
            assert main(["flash", "--port", str(server.pty_path), "--image", str(new_file)]) == 0
            assert expected in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--image", "NEW", "--port", "/dev/ttyACM99"], 5, "no port /dev/ttyACM99"),
        (["--image", "NEW", "--port", "socket://127.0.0.1:1"], 5, "nothing listens on socket://127.0.0.1:1"),
        (["--image", "none.romfs", "--port", "/dev/ttyACM99"], 7, "cannot read none.romfs"),
        (["--image", "TORN", "--port", "/dev/ttyACM99"], 7, "is torn"),
        (["--uf2", "TORN"], 7, "no UF2"),
        (["--uf2", "NEW", "--port", "/dev/ttyACM99"], 2, "--uf2 goes to the boot drive: leave out --port"),
        (["--board", "toaster"], 2, "no board called 'toaster'"),
    ],
)
def test_flash_failure_is_one_line_and_a_code(
    new_file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    torn = new_file.with_name("torn")
    torn.write_bytes(new_file.read_bytes()[:-1000])
    files = {"NEW": str(new_file), "TORN": str(torn)}
    assert main(["flash", *(files.get(argument, argument) for argument in arguments)]) == code
    output = capsys.readouterr()
    assert output.out == ""
    (line,) = output.err.splitlines()
    assert line.startswith("picocab: ")
    assert message in line


def test_flash_to_a_busy_port(old_flash: bytes, new_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve(start(old_flash), tcp=False, pace=False) as server, Transport(str(server.pty_path)):
        assert main(["flash", "--port", str(server.pty_path), "--image", str(new_file)]) == 5
    assert "is busy: close the program that uses it" in capsys.readouterr().err
