"""The tuner: its designs hit the target exactly as it says, with round, monotone figures, the published ones kept."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from host_tools.errors import CheckFailed, UsageError
from host_tools.par import designed_figures, tune, tune_command
from host_tools.par.design_text import module_of, rewritten
from host_tools.par.designed_figures import (
    changed,
    faults,
    figures,
    is_round,
    limit_faults,
    line_count_faults,
    value_at,
)
from host_tools.par.figures import TARGETS, Trigger
from host_tools.par.hatter_balance import MODE, REEL, balanced, gathered
from host_tools.par.mad_hatters import by_hatter
from host_tools.par.sheet import game_mathematics
from host_tools.par.strip_order import spacing_violations, symbols_of
from host_tools.paths import FIRMWARE
from host_tools.tables import GAMES, game_tables, tables_of

Tables = dict[str, Any]

# What games.md marks as published and a tuner could reach.
PUBLISHED = {
    "mad_hatters": [
        ("line_pays", "mad_hat", "5"),
        ("line_pays", "john", "5"),
        ("line_pays", "teapot", "5"),
        ("line_pays", "teapot", "3"),
        ("line_pays", "cup_cake", "2"),
        ("scatter_pays", "5"),
        ("cuckoo", "values", -1, "value"),
    ],
    "haunted_house": [("bonus_trail", -2), ("bonus_trail", -1), ("full_moon", "cashpot_limit")],
}


def source_of(game: str) -> str:
    """The text of a game's source."""
    return (FIRMWARE / "rules" / "games" / f"{game}.py").read_text(encoding="utf-8")


def strips_only(path: tuple[str | int, ...]) -> bool:
    """A choice of what may move."""
    return path[0] == "strips"


def made_up_returns(tables: Tables) -> tune.Returns:
    """A return that is quick to compute: so much for each coin of a pay and each symbol's rank on a strip."""
    rank = {symbol: at for at, symbol in enumerate(tables["symbols"])}
    pays = sum(pay * Fraction(at + 3, 7_000) for at, pay in enumerate(_all_pays(tables)))
    strips = sum(
        rank[symbol] * Fraction(reel + 2, 9_000 if mode == "base" else 11_000)
        for mode in tables["modes"]
        for reel, strip in enumerate(tables["strips"][mode])
        for symbol in strip
    )
    return {"": pays / 10 + strips / 10}


def _all_pays(tables: Tables) -> list[int]:
    return [pay for pays in tables["line_pays"].values() for pay in pays.values()]


# Figures


@pytest.mark.parametrize("value", [1, 7, 19, 20, 25, 95, 100, 110, 125, 300, 350, 1000, 1250, 20_000])
def test_round_pays(value: int) -> None:
    assert is_round(value)


@pytest.mark.parametrize("value", [21, 33, 99, 101, 115, 305, 325, 990, 1001, 1100])
def test_pays_that_are_not_round(value: int) -> None:
    assert not is_round(value)


@pytest.mark.rule("PAR-06")
@pytest.mark.parametrize("game", GAMES)
def test_published_figures_are_no_designed_ones(game: str) -> None:
    tables = game_tables(game)
    designed = {figure.path for figure in figures(tables)}
    for path in PUBLISHED.get(game, []):
        last = path[-1]
        if last == "value":
            path = (*path[:-2], len(tables["cuckoo"]["values"]) - 1, last)
        elif isinstance(last, int):
            path = (*path[:-1], len(tables["bonus_trail"]) + last)
        value_at(tables, path)
        assert path not in designed
    if game == "santa_vs_rudolf":
        assert not designed


@pytest.mark.parametrize("game", ["mad_hatters", "mad_mad_monkey", "haunted_house"])
def test_designed_figures_may_become_round_values_near_their_own(game: str) -> None:
    tables = game_tables(game)
    for figure in figures(tables):
        assert figure.value == value_at(tables, figure.path)
        values = figure.values()
        assert figure.value not in values
        assert all(0 < value <= 2 * figure.value + 1 for value in values)
        if figure.linear:
            assert all(map(is_round, values))


def test_changed_leaves_the_tables_alone() -> None:
    tables = game_tables("mad_hatters")
    other = changed(tables, {("line_pays", "john", "4"): 1, ("strips", "base", 0, 3): "john"})
    assert (other["line_pays"]["john"]["4"], other["strips"]["base"][0][3]) == (1, "john")
    assert tables == game_tables("mad_hatters")


@pytest.mark.parametrize("game", GAMES)
def test_designs_of_the_games_have_no_faults(game: str) -> None:
    assert faults(game_tables(game)) == []


@pytest.mark.parametrize(
    ("game", "path", "change", "fault"),
    [
        ("mad_hatters", ("line_pays", "jeff", "4"), lambda pays: 10**6, "pays of jeff do not rise"),
        ("mad_hatters", ("line_pays", "james", "5"), lambda pays: 2001, "5 john pay less than 5 james"),
        ("mad_hatters", ("line_pays", "mad_hat", "2"), lambda pays: 1, "2 mad_hat pay less than 2 teacup"),
        ("mad_hatters", ("line_pays", "cup_cake", "2"), lambda pays: 3, "2 teacup pay less than 2 cup_cake"),
        ("haunted_house", ("line_pays", "cherries", "2"), lambda pays: 6, "2 double_bar pay less than 2 cherries"),
        ("mad_hatters", ("scatter_pays", "4"), lambda pays: 300, "scatter pays do not rise"),
        ("mad_hatters", ("cuckoo", "values", 0, "value"), lambda value: 1000, "cuckoo values do not rise"),
        ("mad_hatters", ("cuckoo", "values", 11, "weight"), lambda weight: 99, "more likely than a smaller"),
        ("haunted_house", ("line_pays", "lemon", "5"), lambda pay: 10**5, "5 orange pay less than 5 lemon"),
        ("haunted_house", ("line_pays", "pumpkin", "2"), lambda pay: 1, "2 pumpkin pay less than 2 cherries"),
        ("haunted_house", ("bonus_trail", 0), lambda level: 31, "levels of the bonus trail do not rise"),
        ("haunted_house", ("number_trail", 0, "weight"), lambda weight: 99, "more than one peak"),
    ],
)
def test_faults_of_a_design_are_found(
    game: str, path: tuple[str | int, ...], change: Callable[[int], int], fault: str
) -> None:
    tables = game_tables(game)
    found = faults(changed(tables, {path: change(value_at(tables, path))}))
    assert any(fault in line for line in found)


@pytest.mark.rule("PAR-03")
def test_limits_of_par_03() -> None:
    good = [Trigger("free_spins", Fraction(1, 399)), Trigger("full_moon", Fraction(1, 11_999))]
    assert limit_faults(Fraction(18, 100), good) == []
    assert (
        limit_faults(
            Fraction(40, 100), [Trigger("gifts", Fraction(1, 3900)), Trigger("rudolf_spins", Fraction(1, 3900))]
        )
        == []
    )
    assert limit_faults(Fraction(17, 100), good) == ["hit frequency 17.00%, not 18 % to 40 %"]
    assert limit_faults(Fraction(41, 100), []) == ["hit frequency 41.00%, not 18 % to 40 %"]
    rare = [
        Trigger("free_spins", Fraction(1, 400)),
        Trigger("cuckoo", Fraction(0)),
        Trigger("trail", Fraction(1, 500)),
        Trigger("full_moon", Fraction(1, 12_000)),
        Trigger("bonus", Fraction(1, 2000)),
    ]
    assert len(limit_faults(Fraction(1, 4), rare)) == 5


@pytest.mark.rule("PAR-03")
@pytest.mark.parametrize("game", GAMES)
def test_games_are_within_the_limits_of_par_03(game: str) -> None:
    tables = game_tables(game)
    mathematics = game_mathematics(game)
    assert limit_faults(mathematics.spread(tables).hit_frequency, mathematics.triggers(tables)) == []


@pytest.mark.rule("PAR-01")
def test_hatters_return_the_same_within_a_two_hundredth_of_a_point() -> None:
    returned = by_hatter(game_tables("mad_hatters")).values()
    assert len(returned) == 3
    assert max(returned) - min(returned) < Fraction(5, 10**5)


@pytest.mark.rule("PAR-04")
@pytest.mark.parametrize("game", GAMES)
def test_no_line_count_of_a_game_can_be_beaten(game: str) -> None:
    assert line_count_faults(game_tables(game), tune.returns) == []


@pytest.mark.rule("PAR-04")
def test_line_counts_that_can_be_beaten_are_told() -> None:
    measured = {
        1: {"john": Fraction(1), "jeff": Fraction(1, 2)},
        2: {"john": Fraction(9, 10), "jeff": Fraction(11, 10)},
        3: {"john": Fraction(99_999, 100_000), "jeff": Fraction(0)},
    }
    tables = {"max_lines": 3, "lines_fixed": False}

    def measure(design: Tables, lines: int) -> tune.Returns:
        return measured[lines]

    assert line_count_faults(tables, measure) == ["a return of 100 % or more at 1, 2 lines, up to 110.00%"]
    assert line_count_faults(tables | {"lines_fixed": True}, measure) == []


def dear_cuckoo() -> Tables:
    """Mad Hatters with all cuckoo values as likely as the smallest."""
    tables = game_tables("mad_hatters")
    entries = tables["cuckoo"]["values"]
    return changed(tables, {("cuckoo", "values", at, "weight"): entries[0]["weight"] for at in range(len(entries))})


@pytest.mark.rule("MH-10")
@pytest.mark.rule("PAR-04")
def test_cuckoo_of_few_lines_can_make_a_game_beatable() -> None:
    tables = dear_cuckoo()
    fault = line_count_faults(tables, tune.returns)
    assert len(fault) == 1
    assert fault[0].startswith("a return of 100 % or more at 1, 2")
    highest = max(tune.returns(tables, 1).values())
    assert highest > max(tune.returns(tables).values())
    assert fault[0].endswith(f"up to {float(highest):.2%}")


# Coarse and fine


@pytest.mark.rule("PAR-01")
def test_fine_finds_exact_designs_and_says_what_changed() -> None:
    tables = game_tables("mad_mad_monkey")
    target = made_up_returns(tables)[""] + Fraction(1, 500)
    found = tune.fine(tables, target, made_up_returns, most=8)
    assert len(found) == 8
    costs = []
    for candidate in found:
        assert candidate.steps
        changes = {path: value for step in candidate.steps for path, value in step.changes.items()}
        assert candidate.tables == changed(tables, changes)
        assert candidate.returns == made_up_returns(candidate.tables)
        assert abs(candidate.returns[""] - target) <= tune.TOLERANCE
        assert faults(candidate.tables) == spacing_violations(candidate.tables) == []
        gain = sum(step.gain for step in candidate.steps)
        assert gain == pytest.approx(float(candidate.returns[""] - made_up_returns(tables)[""]), abs=1e-12)
        costs.append(sum(step.cost for step in candidate.steps))
    assert costs == sorted(costs)


def test_fine_moves_only_what_may_move() -> None:
    tables = game_tables("mad_mad_monkey")
    target = made_up_returns(tables)[""] + Fraction(1, 500)
    for candidate in tune.fine(tables, target, made_up_returns, most=5, movable=strips_only):
        assert changed(candidate.tables, {("strips",): tables["strips"]}) == tables
    assert tune.fine(tables, target, made_up_returns, movable=lambda path: False) == []


def test_design_on_target_comes_first_unchanged() -> None:
    tables = game_tables("mad_mad_monkey")
    target = made_up_returns(tables)[""]
    first = tune.fine(tables, target, made_up_returns, most=2, movable=strips_only)[0]
    assert first.steps == ()
    assert first.tables == tables


def test_steps_that_move_the_choices_apart_are_left_out() -> None:
    tables = game_tables("mad_mad_monkey")
    aces = tables["line_pays"]["ace"]["5"]

    def by_choice(design: Tables) -> tune.Returns:
        plain = made_up_returns(design)[""]
        return {"one": plain, "other": plain + (design["line_pays"]["ace"]["5"] - aces) * Fraction(1, 5000)}

    target = made_up_returns(tables)[""] + Fraction(1, 350)
    found = tune.fine(tables, target, by_choice, most=5, movable=lambda path: path[0] == "line_pays")
    assert found
    for candidate in found:
        assert candidate.tables["line_pays"]["ace"]["5"] == aces
        assert tune.distance(candidate.returns, target) <= tune.TOLERANCE


@pytest.mark.parametrize("move", [Fraction(-1, 40), Fraction(1, 40)])
def test_coarse_comes_near_and_keeps_specials_and_spacing(move: Fraction) -> None:
    tables = game_tables("mad_mad_monkey")
    target = tune.returns(tables)[""] + move
    found = tune.coarse(tables, target, seed=3)
    assert tune.distance(tune.returns(found), target) <= tune.NEAR
    assert spacing_violations(found) == []
    for mode in tables["modes"]:
        for before, after in zip(tables["strips"][mode], found["strips"][mode], strict=True):
            assert len(before) == len(after)
            for special in (tables["wild"], tables["scatter_symbol"]):
                assert [at for at, it in enumerate(after) if it == special] == [
                    at for at, it in enumerate(before) if it == special
                ]
    assert changed(found, {("strips",): tables["strips"]}) == tables
    assert tune.coarse(tables, target, seed=3) == found


def test_coarse_keeps_icons() -> None:
    tables = game_tables("haunted_house")
    found = tune.coarse(tables, tune.returns(tables)[""] + Fraction(1, 50), seed=1)
    assert found != tables
    for mode in tables["modes"]:
        for before, after in zip(tables["strips"][mode], found["strips"][mode], strict=True):
            assert [icon for _, icon in before] == [icon for _, icon in after]


@pytest.mark.rule("PAR-01")
def test_tune_hits_a_target_two_points_off() -> None:
    tables = game_tables("mad_mad_monkey")
    target = tune.returns(tables)[""] - Fraction(2, 100)
    found = tune.tune(tables, target, seed=1, most=1, movable=strips_only)
    assert abs(tune.returns(found[0].tables)[""] - target) <= Fraction(5, 1_000_000)
    assert faults(found[0].tables) == spacing_violations(found[0].tables) == []


# The three hatters


def alike() -> Tables:
    """Mad Hatters with short strips and hatters of equal pays and counts, who differ by their neighbours on reel 3."""
    tables = game_tables("mad_hatters")
    low = ["teapot", "chocolate_cake", "sundae", "teacup", "cup_cake"]
    reel = [*tables["hatters"], *low, *tables["hatters"], *low, "mad_hat"]
    third = [*tables["hatters"] * 2, *low * 3, "cup_cake", "sundae", "mad_hat"]
    changes: dict[tuple[str | int, ...], Any] = {
        ("line_pays", hatter): dict(tables["line_pays"]["john"]) for hatter in tables["hatters"]
    }
    changes["strips", MODE] = [reel, reel, third, reel, reel]
    return changed(tables, changes)


def test_gathered_strip_has_each_hatter_in_one_run_between_the_given_symbols() -> None:
    tables = game_tables("mad_hatters")
    beside = {"john": ("teapot", "cup_cake", "teacup", "sundae"), "jeff": ("sundae", "teacup", "sundae", "cup_cake")}
    strip = gathered(tables, 1, beside)["strips"][MODE][REEL]
    before = tables["strips"][MODE][REEL]
    assert Counter(strip) == Counter(before)
    around = [*strip, *strip]
    for hatter, some in beside.items():
        piece = [*some[:2], *[hatter] * before.count(hatter), *some[2:]]
        assert any(around[at : at + len(piece)] == piece for at in range(len(strip)))
    plain = gathered(tables, 1)
    assert spacing_violations(plain) == []
    for hatter in tables["hatters"]:
        around = [*plain["strips"][MODE][REEL]] * 2
        assert any(
            around[at : at + before.count(hatter)] == [hatter] * before.count(hatter) for at in range(len(before))
        )


@pytest.mark.rule("MH-04")
def test_hatters_are_balanced_by_their_neighbours_alone() -> None:
    tables = gathered(alike(), 1)
    start = tune.returns(tables)
    middle = sum(start.values()) / 3
    found = balanced(tables, middle, 0.1, Fraction(1, 100_000), 1, tune.returns)
    assert found is not None
    after = tune.returns(found)
    assert max(after.values()) - min(after.values()) <= Fraction(1, 100_000) < max(start.values()) - min(start.values())
    assert Counter(found["strips"][MODE][REEL]) == Counter(tables["strips"][MODE][REEL])
    assert changed(found, {("strips", MODE, REEL): tables["strips"][MODE][REEL]}) == tables
    assert spacing_violations(found) == []


def test_hatters_that_cannot_be_balanced_are_told() -> None:
    tables = gathered(alike(), 1)
    far = tune.returns(tables)["john"] + Fraction(1, 2)
    assert balanced(tables, far, 0.01, Fraction(1, 100_000), 1, tune.returns) is None


# The source


@pytest.mark.parametrize("game", GAMES)
def test_source_of_the_present_design_stays_as_it_is(game: str) -> None:
    assert rewritten(source_of(game), game_tables(game)) == source_of(game)


def other_design(game: str) -> Tables:
    """The tables of a game with a change of everything that a tuner may change."""
    tables = game_tables(game)
    changes: dict[tuple[str | int, ...], Any] = {figure.path: figure.value + 1 for figure in figures(tables)}
    for mode in tables["modes"]:
        for reel, strip in enumerate(tables["strips"][mode]):
            changes["strips", mode, reel] = strip[1:] + strip[:1]
    if game == "haunted_house":
        changes["strips", "base", 1, 0] = ["triple_bar", 3]
    if game == "santa_vs_rudolf":
        first, *rest = (gifts["prizes"] for gifts in tables["gifts"]["sets"])
        changes["gifts", "sets", 0, "prizes"] = [first[0] - 5, first[1], first[2] + 5]
        assert rest
    return changed(tables, changes)


@pytest.mark.parametrize("game", GAMES)
def test_design_is_written_into_the_source_and_nothing_else_changes(game: str) -> None:
    source, design = source_of(game), other_design(game)
    text = rewritten(source, design)
    assert tables_of(module_of(text, game)) == design != game_tables(game)
    for old, new in zip(source.splitlines(), text.splitlines(), strict=True):
        assert old.partition("#")[1:] == new.partition("#")[1:]
        if not set(new) & set("\"'0123456789:"):
            assert old == new


@pytest.mark.parametrize("game", GAMES)
def test_written_source_is_formatted(game: str, tmp_path: Path) -> None:
    path = tmp_path / f"{game}.py"
    path.write_text(rewritten(source_of(game), other_design(game)), encoding="utf-8")
    config = FIRMWARE.parent / "pyproject.toml"
    command = [sys.executable, "-m", "ruff", "format", "--check", "--config", str(config), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_design_that_is_no_literal_of_the_source_is_refused() -> None:
    design = changed(game_tables("mad_hatters"), {("max_lines",): 29})
    with pytest.raises(UsageError, match="not written"):
        rewritten(source_of("mad_hatters"), design)


# The command


def run(*words: str) -> int:
    """Runs `picocab tune`."""
    parser = argparse.ArgumentParser()
    tune_command.add_tune_arguments(parser)
    return tune_command.tune(parser.parse_args(words))


def test_command_writes_the_design_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = "mad_mad_monkey"
    target = tune.returns(game_tables(game))[""] + Fraction(1, 1000)
    monkeypatch.setitem(TARGETS, game, target)
    monkeypatch.setattr("host_tools.paths.FIRMWARE", tmp_path / "firmware")
    path = tmp_path / "firmware" / "rules" / "games" / f"{game}.py"
    path.parent.mkdir(parents=True)
    path.write_text(source_of(game), encoding="utf-8")
    assert run(game, "--keep", "line_pays", "--keep", "scatter_pays", "--count", "2", "--design", "2", "--write") == 0
    written = tables_of(module_of(path.read_text(encoding="utf-8"), game))
    assert abs(tune.returns(written)[""] - target) <= tune.TOLERANCE
    assert written["line_pays"] == game_tables(game)["line_pays"]
    shown = capsys.readouterr().out
    assert "design 2:" in shown
    assert "+++ b/firmware/rules/games/mad_mad_monkey.py" in shown
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_command_writes_no_design_that_misses_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = "mad_mad_monkey"
    monkeypatch.setitem(TARGETS, game, tune.returns(game_tables(game))[""] + Fraction(1, 1000))
    monkeypatch.setattr("host_tools.paths.FIRMWARE", tmp_path / "firmware")
    monkeypatch.setattr(designed_figures, "_HITS", (Fraction(98, 100), Fraction(99, 100)))
    path = tmp_path / "firmware" / "rules" / "games" / f"{game}.py"
    path.parent.mkdir(parents=True)
    path.write_text(source_of(game), encoding="utf-8")
    with pytest.raises(CheckFailed, match="hit frequency"):
        run(game, "--keep", "line_pays", "--keep", "scatter_pays", "--count", "1", "--write")
    assert path.read_text(encoding="utf-8") == source_of(game)


@pytest.mark.rule("PAR-04")
def test_command_writes_no_design_that_can_be_beaten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, design = "mad_hatters", dear_cuckoo()
    monkeypatch.setattr("host_tools.tables.game_tables", lambda game: design)
    monkeypatch.setitem(TARGETS, game, max(tune.returns(design).values()))
    monkeypatch.setattr("host_tools.paths.FIRMWARE", tmp_path / "firmware")
    path = tmp_path / "firmware" / "rules" / "games" / f"{game}.py"
    path.parent.mkdir(parents=True)
    path.write_text(source_of(game), encoding="utf-8")
    keep = [word for part in ("strips", "line_pays", "scatter_pays", "cuckoo") for word in ("--keep", part)]
    with pytest.raises(CheckFailed, match="100 % or more at 1, 2"):
        run(game, *keep, "--count", "1", "--write")
    assert path.read_text(encoding="utf-8") == source_of(game)


@pytest.mark.parametrize(
    "words", [("no_such_game",), ("mad_hatters", "--design", "6"), ("mad_hatters", "--count", "0")]
)
def test_command_refuses_wrong_arguments(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(*words)


def test_reordered_strips_hold_the_same_symbols() -> None:
    for game in GAMES:
        before = game_tables(game)
        after = tune_command._reordered(before, 4321)
        assert spacing_violations(after) == []
        assert after["strips"] != before["strips"]
        for mode in before["modes"]:
            for old, new in zip(before["strips"][mode], after["strips"][mode], strict=True):
                assert Counter(symbols_of(old)) == Counter(symbols_of(new))
