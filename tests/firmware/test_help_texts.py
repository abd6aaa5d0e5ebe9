"""The help texts: every game has one, and every line fits the panel in the face it is drawn with."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from host_tools.core import rules
from host_tools.paths import FIRMWARE
from host_tools.toolchain.asset_formats import Font, decode_font
from host_tools.toolchain.assets import build_assets

HELP = runpy.run_path(str(FIRMWARE / "ui" / "help_texts.py"))["HELP"]
LINE_PX = 304


@pytest.fixture(scope="module")
def face(tmp_path_factory: pytest.TempPathFactory) -> Font:
    folder: Path = tmp_path_factory.mktemp("assets")
    build_assets(folder, lambda line: None)
    return decode_font((folder / "fonts" / "text10.bin").read_bytes())


def test_every_game_has_help_that_ends_with_the_malfunction_line() -> None:
    assert tuple(HELP) == rules("games").GAMES
    for lines in HELP.values():
        assert lines[-1] == "A malfunction voids all pays and plays."


@pytest.mark.parametrize("game", HELP)
def test_every_line_of_help_fits_the_panel(game: str, face: Font) -> None:
    too_wide = {line: face.width(line) for line in HELP[game] if face.width(line) > LINE_PX}
    assert too_wide == {}


@pytest.mark.parametrize("game", HELP)
def test_help_says_the_numbers_that_the_game_plays_by(game: str) -> None:
    module = rules("games").game_module(game)
    text = " ".join(HELP[game])
    assert text.startswith(f"{module.MAX_LINES} lines pay from")
    for name in ("FREE_SPINS", "MERGE_FREE_SPINS", "FREE_MERGE_FREE_SPINS", "METER_LENGTH"):
        number = getattr(module, name, 0)
        for spins in number if isinstance(number, tuple) else (number,):
            assert not spins or str(spins) in text
