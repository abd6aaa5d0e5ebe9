"""`picocab verify`: all implementations agree, and it would be noticed if they did not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from host_tools.audit import other_cores
from host_tools.audit.other_cores import UnixCore
from host_tools.audit.rounds import RULES_VERSION, RoundInputs, play_on_core
from host_tools.audit.verify import Checker, drawn_round
from host_tools.emulator.pico import Pico
from host_tools.emulator.server import serve
from host_tools.errors import CheckFailed
from host_tools.paths import FIRMWARE
from host_tools.tables import GAMES, game_tables
from host_tools.toolchain.uf2 import flash_bytes

from .command import Picocab, refused

ROUNDS = 20_000
MICROPYTHON_ROUNDS = 5_000
BOARD_ROUNDS = 20

MH_SOURCE = Path("rules") / "games" / "mad_hatters.py"


def counts(reference: int, micropython: int, board: int) -> dict[str, dict[str, int]]:
    each = {
        "reference": reference,
        "core on CPython": reference,
        "core on MicroPython": micropython,
        "core on the board": board,
    }
    return dict.fromkeys(GAMES, each)


def test_core_reference_and_micropython_agree(picocab: Picocab, micropython: Path) -> None:
    result = picocab(
        f"verify --rounds {ROUNDS} --micropython-rounds {MICROPYTHON_ROUNDS} --micropython {micropython} --json"
    )
    assert result.code == 0, result
    assert result.json["differences"] == []
    assert result.json["equal_rounds"] == counts(ROUNDS, MICROPYTHON_ROUNDS, 0)
    assert result.json["rules_version"] == RULES_VERSION


def verify_on(pico: Pico, picocab: Picocab, arguments: str) -> Any:
    if not pico.console.connected:
        pico.console.wait_connected()
    with serve(pico, tcp=False, pace=False) as server:
        return picocab(f"verify --micropython none --port {server.pty_path} --json {arguments}")


def test_cabinet_agrees_with_its_own_rules(picocab: Picocab, flash_image: bytes) -> None:
    result = verify_on(Pico(flash_image), picocab, f"--rounds {BOARD_ROUNDS}")
    assert result.code == 0, result
    assert result.json["equal_rounds"] == counts(BOARD_ROUNDS, 0, BOARD_ROUNDS)
    assert result.err.count("with the board's own rules") == 4


def test_board_without_a_program_agrees_with_copied_rules(picocab: Picocab, firmware_uf2: Path) -> None:
    result = verify_on(Pico(flash_bytes([firmware_uf2])), picocab, f"--rounds 2 --board-rounds {BOARD_ROUNDS}")
    assert result.code == 0, result
    assert result.json["equal_rounds"] == counts(2, 0, 2)  # never more than --rounds
    assert result.err.count("copying the rules of") == 4


def test_cabinet_is_restarted_afterwards(picocab: Picocab, flash_image: bytes) -> None:
    pico = Pico(flash_image)
    assert verify_on(pico, picocab, "mad_hatters --rounds 1 --copy").code == 0
    pico.run_for(3_000_000)
    assert pico.console.connected == 2
    result = verify_on(pico, picocab, "mad_hatters --rounds 1")
    assert result.code == 0
    assert "the board's own rules" in result.err  # nothing of the copy is left


def test_cabinet_with_other_rules_is_refused(
    picocab: Picocab, flash_image: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_cores, "RULES_VERSION", RULES_VERSION + 1)
    result = verify_on(Pico(flash_image), picocab, "mad_hatters --rounds 1")
    assert result.code == 6
    assert f"plays rules version {RULES_VERSION}, this picocab version {RULES_VERSION + 1}" in result.err
    assert "--copy" in result.err


def changed_tables(path: Path, **changed: Any) -> Path:
    """A file with Mad Hatters' tables, in which five Cup Cakes pay one coin more."""
    tables = game_tables("mad_hatters")
    tables["line_pays"]["cup_cake"]["3"] += 1
    path.write_text(json.dumps({**tables, **changed}))
    return path


def test_planted_difference_is_shown_with_the_command_that_replays_it(picocab: Picocab, tmp_path: Path) -> None:
    tables = changed_tables(tmp_path / "tables.json")
    verify = f"verify mad_hatters --rounds 2000 --micropython none --tables {tables}"
    result = picocab(verify)
    line = refused(result, 10)
    assert "1 differences found: replay the first: picocab play mad_hatters --rules-version" in line

    what, by_reference, by_core, command, *_ = result.out.splitlines()
    number = int(what.split()[2].rstrip(":"))
    position = int(what.split()[4])
    assert what == f"mad_hatters, round {number}: event {position} differs"
    assert by_reference.split()[:2] == ["reference", "line"]
    assert by_core.split()[:4] == ["core", "on", "CPython", "line"]
    wanted, found = by_reference.split()[2:], by_core.split()[4:]
    assert wanted[:-1] == found[:-1]
    assert wanted[2] == "3"
    assert game_tables("mad_hatters")["symbols"][int(wanted[1])] == "cup_cake"

    event = picocab(f"{command.strip()} --json").json[position]
    assert event["symbol"] == "cup_cake"
    assert event["pay"] == int(found[-1])
    (difference,) = picocab(f"{verify} --json").json["differences"]
    assert f"  {difference['replay']}" == command
    assert (difference["number"], difference["position"]) == (number, position)
    earlier = picocab(f"verify mad_hatters --rounds {number} --micropython none --tables {tables}")
    assert earlier.code == 0, "the first round that differs is shown"


def test_workers_do_not_change_the_result(picocab: Picocab, tmp_path: Path) -> None:
    tables = changed_tables(tmp_path / "tables.json")
    verify = f"verify mad_hatters --rounds 3000 --micropython none --json --tables {tables}"
    one, three = (picocab(f"{verify} --workers {workers}").json for workers in (1, 3))
    assert one["differences"] == three["differences"] != []
    assert one["equal_rounds"] == three["equal_rounds"]


def other_firmware(folder: Path, old: str, new: str) -> Path:
    """A copy of the firmware's rules with a change in Mad Hatters."""
    shutil.copytree(FIRMWARE / "rules", folder / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    source = (folder / MH_SOURCE).read_text(encoding="utf-8")
    assert source.count(old) == 1
    (folder / MH_SOURCE).write_text(source.replace(old, new), encoding="utf-8")
    return folder


def test_difference_on_micropython_is_found_in_its_block(tmp_path: Path, micropython: Path) -> None:
    firmware = other_firmware(tmp_path, "FREE_MULTIPLIER = 2 ", "FREE_MULTIPLIER = 3 ")
    core = UnixCore(micropython, firmware)
    try:
        outcome = Checker({"mad_hatters": game_tables("mad_hatters")}, core).check("mad_hatters", range(600), 600)
    finally:
        core.close()
    difference = outcome.difference
    assert difference is not None
    assert outcome.rounds == 600  # core and reference agree
    assert (difference.expected_by, difference.found_by) == ("core on CPython", "core on MicroPython")
    expected, found = difference.expected.split(), difference.found.split()
    assert expected[0] == found[0]
    assert int(found[-1]) * 2 == int(expected[-1]) * 3


def test_error_on_micropython_is_a_difference(tmp_path: Path, micropython: Path) -> None:
    firmware = other_firmware(tmp_path, 'yield ("award", spins)', "spins // 0")
    core = UnixCore(micropython, firmware)
    try:
        outcome = Checker({"mad_hatters": game_tables("mad_hatters")}, core).check("mad_hatters", range(600), 600)
    finally:
        core.close()
    assert outcome.difference is not None
    assert outcome.difference.expected.startswith("award ")
    assert outcome.difference.found.startswith("error ZeroDivisionError: ")


def test_broken_tables_are_a_difference(picocab: Picocab, tmp_path: Path) -> None:
    tables = changed_tables(tmp_path / "tables.json", scatter_pays=None)
    result = picocab(f"verify mad_hatters --rounds 10 --micropython none --tables {tables}")
    assert result.code == 10
    assert "error AttributeError: " in result.out


def test_micropython_refuses_a_round_of_other_rules(micropython: Path) -> None:
    line = RoundInputs("mad_hatters", 1, 30, bytes(16)).line()
    version, rest = line.split(" ", 1)
    assert version == str(RULES_VERSION)
    core = UnixCore(micropython)
    try:
        assert core.event_lines(line)[-1].startswith("round_win ")
        with pytest.raises(CheckFailed, match=f"ValueError: rules version 9, not {RULES_VERSION}"):
            core.event_lines(f"9 {rest}")
    finally:
        core.close()


def test_round_that_lacks_a_choice_ends_in_an_error(micropython: Path) -> None:
    seed = bytes.fromhex("00000000000000000000000000000136")  # three Bunnies
    core = UnixCore(micropython)
    try:
        assert core.event_lines(RoundInputs("mad_hatters", 1, 30, seed).line())[-1].startswith("error IndexError")
        assert core.event_lines(RoundInputs("mad_hatters", 1, 30, seed, (7,)).line())[-1].startswith("error ValueError")
    finally:
        core.close()


@pytest.mark.parametrize("program", ["/bin/cat", "/bin/true", "/nowhere/micropython"])
def test_program_that_is_no_micropython_is_refused(picocab: Picocab, program: str) -> None:
    line = refused(picocab(f"verify mad_hatters --rounds 1 --micropython {program}"))
    assert program in line
    assert "give MicroPython's unix port" in line


def test_wrong_arguments_are_refused(picocab: Picocab, tmp_path: Path) -> None:
    assert "no game is called 'chess'" in refused(picocab("verify chess --rounds 1"))
    assert "name its --port" in refused(picocab("verify --rounds 1 --micropython none --board-rounds 1"))
    assert picocab("verify --rounds 0").code == 2
    port = picocab("verify --rounds 1 --micropython none --port /dev/ttyACM99")
    assert port.code == 5
    assert port.out == ""

    tables = changed_tables(tmp_path / "tables.json")
    assert "--tables is for one game" in refused(picocab(f"verify --rounds 1 --tables {tables}"))
    one = "verify mad_hatters --rounds 1 --micropython none --tables"
    assert "cannot read" in refused(picocab(f"{one} {tmp_path}/none.json"))
    assert "does not hold the tables of mad_mad_monkey" in refused(
        picocab(f"verify mad_mad_monkey --rounds 1 --tables {tables}")
    )
    tables.write_text("{")
    assert "is no JSON" in refused(picocab(f"{one} {tables}"))
    changed_tables(tables, rules_version=RULES_VERSION + 1)
    assert f"has rules version {RULES_VERSION + 1}" in refused(picocab(f"{one} {tables}"))
    tables.write_text(json.dumps({"game": "mad_hatters", "rules_version": RULES_VERSION}))
    assert "has no clock: write it with: picocab tables mad_hatters --json" in refused(picocab(f"{one} {tables}"))


def test_drawn_rounds_use_all_bets_lines_limits_and_choices() -> None:
    wanted = {"mad_hatters": {0: 3, 1: 5}, "mad_mad_monkey": {3: 7}, "santa_vs_rudolf": {}, "haunted_house": {}}
    for game in GAMES:
        tables = game_tables(game)
        bets, lines, limits, awards = set(), set(), set(), set()
        chosen: dict[int, set[int]] = {}
        for number in range(8_000):
            inputs, choose = drawn_round(tables, number)
            bets.add(inputs.line_bet)
            lines.add(inputs.lines)
            limits.add(inputs.gamble_limit)
            awards.add(inputs.max_award)
            kind = -1
            for event in play_on_core(inputs, choose) if wanted[game] else ():
                if event[0] == "choice":
                    kind = int(event[1])
                elif event[0] == "chosen":
                    chosen.setdefault(kind, set()).add(int(event[1]))
        assert bets == set(range(1, tables["max_line_bet"] + 1))
        assert lines == ({tables["max_lines"]} if tables["lines_fixed"] else set(range(1, tables["max_lines"] + 1)))
        assert 0 in limits
        assert min(limits - {0}) < 50 < 5_000 < max(limits)
        assert 0 in awards
        assert min(awards - {0}) < 50 < 1_500 < max(awards)
        assert {kind: len(options) for kind, options in chosen.items()} == wanted[game]


def test_drawn_round_follows_from_its_number() -> None:
    tables = game_tables("mad_mad_monkey")
    one, two, other = (drawn_round(tables, number)[0] for number in (7, 7, 8))
    assert one == two != other
    assert one.line() == "2 mad_mad_monkey 1 27 a2ff93233a2d1c91ba0097fe5fb75ea8 19 0 -"
