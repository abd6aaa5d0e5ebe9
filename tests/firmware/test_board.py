"""The board file against the chip, against itself and against its wiring page."""

from __future__ import annotations

import re

import pytest

from host_tools.boards import load_board
from host_tools.errors import UsageError
from host_tools.paths import BOARDS

BOARD_NAMES = sorted(path.parent.name for path in BOARDS.glob("*/board.py"))
ON_THE_HEADER = {*range(23), 26, 27, 28}  # GPIO 23, 24, 25 serve the Pico's own regulator, USB sense and LED
SUFFIXES = ("_HZ", "_BAUD", "_MS", "_PX", "_MINOR", "_BYTES", "_LOW", "_SPI", "_MADCTL", "_INVERTED")


def pins(board: object) -> dict[str, int]:
    """The lines of a board file: names with a plain number that is not a quantity."""
    return {
        name: value
        for name, value in vars(board).items()
        if isinstance(value, int) and not isinstance(value, bool) and not name.endswith(SUFFIXES)
    }


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_board_lines_fit_the_chip(name: str) -> None:
    board = load_board(name)
    used = [*pins(board).values(), *board.SPARE]
    assert len(pins(board)) == 21
    assert sorted(used) == sorted(ON_THE_HEADER), "each pin of the header once, used or spare"
    assert board.INPUTS_LOAD == board.INPUTS_CLOCK + 1
    assert board.OUTPUTS_LATCH == board.OUTPUTS_CLOCK + 1


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_board_chains_hold_each_name_once(name: str) -> None:
    board = load_board(name)
    assert len(board.INPUTS) == len(set(board.INPUTS)) == 16
    assert len(board.OUTPUTS) == len(set(board.OUTPUTS)) == 16
    assert set(board.INPUTS_ACTIVE_LOW) <= set(board.INPUTS)
    assert {"MAIN_DOOR", "CASH_BOX_DOOR", "METER_SENSE"}.isdisjoint(board.INPUTS_ACTIVE_LOW), "a cut wire reads open"


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_board_flash_map_covers_the_flash_without_overlap(name: str) -> None:
    board = load_board(name)
    areas = sorted(
        (board.FLASH_FIRMWARE, board.FLASH_ROMFS, board.FLASH_JOURNAL_A, board.FLASH_JOURNAL_B, board.FLASH_DATA)
    )
    at = 0
    for start, length in areas:
        assert start == at
        assert length % 4096 == 0
        at += length
    assert at == board.FLASH_BYTES


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_wiring_page_says_what_the_board_file_says(name: str) -> None:
    board = load_board(name)
    page = (BOARDS / name / "WIRING.md").read_text(encoding="utf-8")
    lines = dict(re.findall(r"^\| ([A-Z0-9_]+) \| (\d+) \| \d+ \|", page, re.MULTILINE))
    assert {line: int(gpio) for line, gpio in lines.items()} == pins(board)
    listed = re.findall(r"^\| (\d+) \| ([A-Z0-9_]+) \|", page, re.MULTILINE)
    assert [listed_name for _, listed_name in listed] == [*board.INPUTS, *board.OUTPUTS]
    on_when = dict(re.findall(r"^\| \d+ \| ([A-Z0-9_]+) \| (low|high)", page, re.MULTILINE))
    assert {line for line, level in on_when.items() if level == "low"} == set(board.INPUTS_ACTIVE_LOW)


def test_unknown_board_is_named() -> None:
    with pytest.raises(UsageError, match="pico_cabinet"):
        load_board("nothing")
