"""The cabinet in a person's hands: commands by terminal, what comes back, how to reach it by mpremote."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.play.terminal import Terminal
from host_tools.play.virtual_cabinet import VirtualCabinet


@pytest.fixture
def type_at(cabinet: VirtualCabinet, monkeypatch: pytest.MonkeyPatch) -> Callable[[float, str], None]:
    """Types text into the terminal at an emulated time, in microseconds from now."""
    reader, writer = os.pipe()
    monkeypatch.setattr(sys, "stdin", os.fdopen(reader))
    return lambda us, text: cabinet.pico.at(us, lambda: os.write(writer, text.encode())) and None


def test_terminal_takes_coins_and_buttons_until_quit(
    cabinet: VirtualCabinet,
    type_at: Callable[[float, str], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    type_at(0, "coin 2\nstate\n")
    type_at(500_000, "start\n")
    type_at(2_500_000, f"picture {tmp_path / 'panel.png'}\nlift\nhold start\nstate\nquit\n")
    Terminal(cabinet).run()
    lines = capsys.readouterr().out.splitlines()
    (connect,) = [line.split()[-1] for line in lines if "mpremote connect" in line]
    assert connect.startswith("/dev/")
    assert any("picocab flash --port socket://127.0.0.1:" in line for line in lines)
    assert [line.count("'event': 'coin'") for line in lines].count(1) == 2
    rounds = [ast.literal_eval(line.strip()) for line in lines if "'event': 'round'" in line]
    assert len(rounds) == 1
    assert "not understood: lift; help lists the commands" in lines
    assert "not understood: hold start; help lists the commands" in lines
    first, last = (line for line in lines if "lamps on:" in line)
    assert "credit 0.00" in first
    assert "GAMES 0" in first
    assert "GAMES 1" in last
    won = rounds[0]["win"]
    assert f"credit {(150 + won) / 100:.2f};" in last
    assert (tmp_path / "panel.png").read_bytes().startswith(b"\x89PNG")


def test_coin_comes_back_while_inhibited(
    cabinet: VirtualCabinet, type_at: Callable[[float, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    cabinet.pico.console.interrupt()
    cabinet.pico.run_for(500_000)
    type_at(0, "coin\nquit\n")
    Terminal(cabinet).run()
    assert "  the acceptor is inhibited: the coin comes back" in capsys.readouterr().out.splitlines()


def test_terminal_stays_up_without_input(
    cabinet: VirtualCabinet, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: SIM115
    started_ns = cabinet.pico.now_ns

    def ctrl_c() -> None:
        raise KeyboardInterrupt

    cabinet.pico.at(300_000, ctrl_c)
    Terminal(cabinet).run()
    assert capsys.readouterr().out.endswith("\nswitched off\n")
    assert cabinet.pico.now_ns - started_ns > 299_999_000
