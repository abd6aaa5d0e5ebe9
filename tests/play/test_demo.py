"""The demo plays what it says, and sees a cabinet that does not add up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from host_tools.errors import CheckFailed
from host_tools.play import demo
from host_tools.play.virtual_cabinet import BOOT_US, VirtualCabinet


def test_demo_plays_up_to_twenty_spins_that_add_up(
    powered: Callable[..., VirtualCabinet], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cabinet = powered()
    report = demo.Demo(cabinet, tmp_path).play(cabinet.wait_event("ready", BOOT_US))
    assert json.loads((tmp_path / "report.json").read_text()) == json.loads(json.dumps(report))
    spins = report["spins"]
    assert 10 <= spins <= 20
    assert len(report["rounds"]) == report["counters"]["GAMES"] == spins
    won = sum(played["win"] for played in report["rounds"])
    assert report["credit_minor"] == 100 * report["coins"] - spins * 50 + won
    assert report["counters"] == {
        "COIN_IN": spins // 2,
        "COIN_OUT": won // 100,
        "GAMES": spins,
        "HAND_PAY": 0,
    }
    assert report["emulated_seconds"] <= 60
    assert {Image.open(tmp_path / name).size for name in report["pictures"]} == {(640, 480)}
    printed = capsys.readouterr().out
    assert [f"spin {number:2d}  seed" in printed for number in (1, spins)] == [True, True]


def test_demo_ends_in_time_whatever_is_left_to_spin(
    cabinet: VirtualCabinet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "_LONGEST_US", 20_000_000)
    report = demo.Demo(cabinet, tmp_path).play({"heap_free": demo.HEAP_FREE_MIN})
    assert 1 <= report["spins"] < 8
    assert report["emulated_seconds"] <= 20


@pytest.mark.parametrize(
    ("break_it", "fault"),
    [
        (lambda cabinet: cabinet.parts.counters["GAMES"].unplug(), "counter of games is 0, should be 2"),
        (lambda cabinet: cabinet.parts.coin_acceptor.glitch(50), "credit after a coin is 200, should be 100"),
    ],
)
def test_demo_sees_what_does_not_add_up(
    cabinet: VirtualCabinet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    break_it: Callable[[VirtualCabinet], None],
    fault: str,
) -> None:
    monkeypatch.setattr(demo, "SPINS", 2)
    monkeypatch.setattr(demo, "FIRST_COINS", 2)
    break_it(cabinet)
    cabinet.pico.run_for(200_000)
    cabinet.events()
    with pytest.raises(CheckFailed, match=f"the demo found .*: {fault}"):
        demo.Demo(cabinet, tmp_path).play({"heap_free": demo.HEAP_FREE_MIN})
    assert json.loads((tmp_path / "report.json").read_text())["faults"]
