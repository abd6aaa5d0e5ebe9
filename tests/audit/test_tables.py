"""`picocab tables`: the JSON holds every number, and so does the text."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from host_tools.paths import FIRMWARE, ROOT
from host_tools.tables import GAMES, game_tables

from .command import Picocab, refused

games = pytest.mark.parametrize("game", GAMES)


@games
def test_json_is_the_game_s_tables(picocab: Picocab, game: str) -> None:
    assert picocab("tables", game, "--json").json == game_tables(game)


@games
def test_json_has_the_documented_keys_and_no_other(picocab: Picocab, game: str) -> None:
    page = (FIRMWARE / "rules" / "ROUNDS.md").read_text(encoding="utf-8")
    tables_part = page[page.index("## Tables") : page.index("## Rounds on the command line")]
    common, own = tables_part.split("| game | further keys |")
    row = next(line for line in own.splitlines() if line.startswith(f"| {game} "))
    documented = set(re.findall(r"`(\w+)`", common + row))
    assert picocab("tables", game, "--json").json.keys() - documented == set()


def strips_in(text: str, mode: str) -> list[list[Any]]:
    """The strips of a mode, read back from the text; a symbol with an icon as [name, icon]."""
    lines = text[text.index(f"strips of mode {mode},") :].splitlines()
    header = lines[1]
    starts = [header.index(f"reel {reel}") for reel in range(1, 6)] + [1000]
    strips: list[list[Any]] = [[] for _ in range(5)]
    for number, line in enumerate(lines[2:]):
        if not line.strip():
            break
        assert int(line[: starts[0]]) == number
        for reel in range(5):
            if cell := line[starts[reel] : starts[reel + 1]].strip():
                strips[reel].append(cell)
    return strips


@games
def test_text_holds_all_strips_lines_and_pays(picocab: Picocab, game: str) -> None:
    text = picocab("tables", game).out
    tables = game_tables(game)
    for mode in tables["modes"]:
        wanted = [
            [cell if isinstance(cell, str) else f"{cell[0]} +{cell[1]}" if cell[1] else cell[0] for cell in strip]
            for strip in tables["strips"][mode]
        ]
        assert strips_in(text, mode) == wanted
    for symbol, pays in tables["line_pays"].items():
        row = [str(pays.get(str(count), "-")) for count in range(1, 6)]
        assert [symbol, *row] in [line.split() for line in text.splitlines()]
    drawn = text[text.index("lines, first to last") :].splitlines()[1:]
    patterns = []
    while drawn[0].strip():
        numbers, *rows = drawn[:4]
        for place in range(len(numbers.split())):
            columns = list(zip(*(row.split()[place] for row in rows), strict=True))
            patterns.append([column.index("#") + 1 for column in columns])
        drawn = drawn[4:]
    assert patterns == tables["line_patterns"]


def numbers_of(value: Any) -> list[int]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers_of(part)]
    if isinstance(value, list):
        return [number for part in value for number in numbers_of(part)]
    return [value] if isinstance(value, int) and not isinstance(value, bool) else []


@games
def test_text_holds_every_number_of_the_features(picocab: Picocab, game: str) -> None:
    text = picocab("tables", game).out
    words = re.findall(r"\d+", text[: text.index("lines, first to last")])
    tables = {key: value for key, value in game_tables(game).items() if key not in ("strips", "line_patterns")}
    for number in numbers_of(tables):
        words.remove(str(number))  # each as often as the tables have it


def test_unknown_game_is_refused(picocab: Picocab) -> None:
    assert "no game is called 'chess': games: mad_hatters, " in refused(picocab("tables", "chess"))


def test_reader_that_leaves_early_is_no_error() -> None:
    program = "import sys; from host_tools.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "tables", "haunted_house"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0
