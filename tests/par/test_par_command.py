"""`picocab par`: its output, its files and its errors."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from host_tools.errors import CheckFailed, FileError, ToolMissing, UsageError
from host_tools.par import command, frozen, stored_simulation
from host_tools.par.digits import percent
from host_tools.par.figures import total
from host_tools.par.sheet import all_sources
from host_tools.tables import game_tables

GAME = "mad_mad_monkey"
Run = Callable[..., int]


@pytest.fixture
def run() -> Run:
    def run(*words: object) -> int:
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        args = parser.parse_args(["par", *map(str, words)])
        code: int = args.run(args)
        return code

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(frozen, "FOLDER", tmp_path / "figures")
    monkeypatch.setattr(stored_simulation, "FOLDER", tmp_path / "figures")
    return tmp_path / "figures"


def test_sheet_is_printed_to_be_read(run: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GAME) == 0
    text = capsys.readouterr().out
    assert text.startswith("Mad Mad Monkey (mad_mad_monkey): PAR sheet at 50 lines\n")
    assert f"{percent(total(all_sources(game_tables(GAME))))} % (certified" in text
    assert f"picocab par {GAME} --simulate 100000000" in text


def test_sheet_is_printed_as_json_and_written_as_page(
    run: Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "sheet.html"
    assert run(GAME, "--json", "--html", page) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"] == GAME
    assert sum(Fraction(int(it["num"]), int(it["den"])) for it in found["split"][:2]) == total(
        all_sources(game_tables(GAME))[:2]
    )
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_page_comes_with_the_sheet(run: Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(GAME, "--html", tmp_path / "sheet.html")
    out, err = capsys.readouterr()
    assert out.startswith("Mad Mad Monkey (mad_mad_monkey): PAR sheet")
    assert "sheet.html: written" in err


def test_return_at_some_lines_is_printed_by_source(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    sources = all_sources(game_tables("mad_hatters"), 7)
    run("mad_hatters", "--lines", 7)
    text = capsys.readouterr().out
    assert all(percent(source.value) in text for source in sources)
    run("mad_hatters", "--lines", 7, "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["lines"] == 7
    assert Fraction(found["rtp"]["num"], found["rtp"]["den"]) == total(sources)


@pytest.mark.parametrize(("game", "lines"), [("mad_hatters", 0), ("mad_hatters", 31), ("haunted_house", 5)])
def test_lines_that_a_game_has_not_are_refused(run: Run, game: str, lines: int) -> None:
    with pytest.raises(UsageError):
        run(game, "--lines", lines)


def test_unknown_game_is_refused(run: Run) -> None:
    with pytest.raises(UsageError, match="no game is called 'poker'"):
        run("poker")


@pytest.mark.parametrize("words", [(), (GAME, "--freeze"), (GAME, "--lines", "3"), (GAME, "--simulate", "10")])
def test_page_needs_the_sheet_of_one_game(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="--html writes the sheet of one game"):
        run(*words, "--html", tmp_path / "sheet.html")
    assert not list(tmp_path.iterdir())


def test_frozen_figures_are_written_and_checked(run: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FileError, match="no frozen figures"):
        run(GAME, "--check")
    assert run(GAME, "--freeze") == 0
    assert run(GAME, "--check") == 0
    file = folder / f"{GAME}.json"
    figures = json.loads(file.read_text(encoding="utf-8"))
    figures["sources"][0]["num"] += "0"
    file.write_text(json.dumps(figures), encoding="utf-8")
    capsys.readouterr()
    with pytest.raises(CheckFailed):
        run(GAME, "--check")
    assert f"{GAME}: lines moved by -" in capsys.readouterr().out


def test_simulation_is_stored_and_shown(run: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(GAME, "--simulate", 3000) == 0
    assert (folder / f"{GAME}.simulation.json").is_file()
    run(GAME)
    assert "Simulation of 3,000 rounds" in capsys.readouterr().out
    with pytest.raises(UsageError):
        run(GAME, "--simulate", 0)


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_missing_package_is_named(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for module in list(sys.modules):
        if module.split(".")[0] == package or module in ("host_tools.par.html_sheet", "host_tools.par.plots"):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ToolMissing, match=rf"{package} is not installed: .*pip install -e '\.\[par\]'"):
        run(GAME, "--html", tmp_path / "sheet.html")


def test_check_of_all_games_goes_on_after_one_that_cannot_be_computed(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(game: str) -> list[str]:
        if game == "mad_hatters":
            raise UsageError("its tables are none", "mend them")
        return [f"{game}: lines moved"] if game == "haunted_house" else []

    monkeypatch.setattr("host_tools.par.frozen.check", check)
    with pytest.raises(CheckFailed):
        run("--check")
    assert capsys.readouterr().out.splitlines() == [
        "mad_hatters: its tables are none: mend them",
        "haunted_house: lines moved",
    ]
    with pytest.raises(UsageError):
        run("mad_hatters", "--check")
