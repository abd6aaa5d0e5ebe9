"""Frozen figures: what moved is named, and the games still return what was frozen."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from host_tools.errors import FileError
from host_tools.par import frozen, stored_simulation
from host_tools.par.figures import CERTIFIED, EXACT, SIMULATED, TARGETS, Source, total
from host_tools.par.frozen import check, differences, freeze, frozen_sources, read_frozen, write_frozen
from host_tools.par.sheet import all_sources, build_sheet
from host_tools.par.stored_simulation import StoredSimulation, read_simulation, simulation_path
from host_tools.par.table_hash import tables_hash
from host_tools.tables import GAMES, game_tables

from .made_up import CERTIFIED_EXTRA, SIMULATED_EXTRA, MadeUp, made_up_tables

EXACT_GAMES = ("mad_hatters", "mad_mad_monkey", "haunted_house")
Z_999 = 3.2905  # of the 99.9 % interval
LONG_ROUNDS = 10**8


def made_up_sources() -> list[Source]:
    long = Source("long", Fraction(1, 10**5000 + 7))
    return [*MadeUp().sources(made_up_tables()), CERTIFIED_EXTRA, SIMULATED_EXTRA, long]


def moved(change: Source | None = None, **tables: object) -> list[str]:
    """What is reported when one of the made-up sources is changed or the tables are."""
    then = json.loads(json.dumps(freeze(made_up_tables(), made_up_sources())))
    now = [change if change and source.name == change.name else source for source in made_up_sources()]
    return list(differences(then, made_up_tables(**tables), now))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    monkeypatch.setattr(stored_simulation, "FOLDER", tmp_path)
    return tmp_path


# The comparison


def test_figures_survive_freezing_whole() -> None:
    then = json.loads(json.dumps(freeze(made_up_tables(), made_up_sources())))
    assert frozen_sources(then) == made_up_sources()
    assert moved() == []


def test_exact_figure_may_not_move_at_all() -> None:
    tiny = Fraction(1, 10**40)
    lines = next(source for source in made_up_sources() if source.name == "lines")
    found = moved(replace(lines, value=lines.value + tiny))
    assert len(found) == 1  # the return has a certified source, so it may move
    assert found[0].startswith("mad_mad_monkey: lines moved by +0.000000000000 points")


def test_moved_figure_is_named_with_its_distance_in_points() -> None:
    found = moved(Source("bonus", Fraction(3, 100)))
    assert found[0] == (
        "mad_mad_monkey: bonus moved by +0.500000000000 points, from 2.500000000000 % to 3.000000000000 %"
    )
    assert found[1].startswith("mad_mad_monkey: the return moved by +0.500000000000 points, to ")


@pytest.mark.parametrize(("distance", "lines"), [(Fraction(1, 10**9), 0), (Fraction(11, 10**10), 2)])
def test_certified_figure_may_move_by_a_billionth(distance: Fraction, lines: int) -> None:
    assert len(moved(replace(CERTIFIED_EXTRA, value=CERTIFIED_EXTRA.value - distance))) == lines


def test_simulated_figure_is_bound_to_what_was_frozen() -> None:
    found = moved(replace(SIMULATED_EXTRA, value=SIMULATED_EXTRA.value + SIMULATED_EXTRA.error))
    assert found[0].startswith("mad_mad_monkey: race moved by +0.0001")


def test_changed_tables_are_told_even_when_no_figure_moves() -> None:
    found = moved(strips={"base": [["b", "a"]] * 5})
    assert len(found) == 1
    assert "its tables are not those that were frozen" in found[0]
    assert "picocab par mad_mad_monkey --freeze" in found[0]


def test_changed_tables_do_not_hide_what_moved() -> None:
    found = moved(Source("bonus", Fraction(2, 100)), rules_version=8)
    assert len(found) == 3
    assert any("bonus moved by -0.500000000000 points" in line for line in found)


def test_weaker_figure_is_told() -> None:
    assert moved(Source("bonus", Fraction(1, 40), CERTIFIED)) == ["mad_mad_monkey: bonus was exact and is certified"]


@pytest.mark.parametrize(("factor", "lines"), [(Fraction(0), 1), (Fraction(1, 3), 1), (Fraction(9, 10), 0), (3, 1)])
def test_other_bound_is_told(factor: Fraction, lines: int) -> None:
    found = moved(replace(CERTIFIED_EXTRA, error=factor * CERTIFIED_EXTRA.error))
    assert len(found) == lines
    assert all("had an error of at most" in line for line in found)


def test_lost_and_new_sources_are_told() -> None:
    then = freeze(made_up_tables(), made_up_sources())
    now = [replace(source, name="surprise") if source.name == "bonus" else source for source in made_up_sources()]
    found = list(differences(then, made_up_tables(), now))
    assert [line.split(": ")[1].split(",")[0] for line in found] == ["bonus is gone", "surprise is new"]


def test_part_of_the_sources_is_compared_alone() -> None:
    then = freeze(made_up_tables(), made_up_sources())
    assert not list(differences(then, made_up_tables(), made_up_sources()[:1], complete=False))
    other = [Source("lines", Fraction(1))]
    assert len(list(differences(then, made_up_tables(), other, complete=False))) == 1


def test_edited_return_is_told() -> None:
    then = freeze(made_up_tables(), made_up_sources())
    then["return"] = {"num": "1", "den": "1"}
    assert any("not the sum" in line for line in differences(then, made_up_tables(), made_up_sources()))


# The files


def test_frozen_file_is_written_the_same_and_checked(folder: Path) -> None:
    path = frozen.write_frozen("mad_mad_monkey")
    first = path.read_bytes()
    assert path.parent == folder
    assert check("mad_mad_monkey") == []
    assert frozen.write_frozen("mad_mad_monkey").read_bytes() == first


def test_changed_pay_fails_the_check_of_a_real_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = total(all_sources(game_tables("mad_mad_monkey")))
    frozen.write_frozen("mad_mad_monkey")
    changed = game_tables("mad_mad_monkey")
    changed["scatter_pays"]["3"] += 1
    monkeypatch.setattr(frozen, "game_tables", lambda game: changed)
    found = check("mad_mad_monkey")
    distance = frozen.points(total(all_sources(changed)) - before)
    assert "its tables are not those" in found[0]
    assert any(line.startswith("mad_mad_monkey: scatter moved by +") for line in found)
    assert any(f"the return moved by {distance} points" in line for line in found)
    assert not any(": lines moved" in line for line in found)


def test_simulation_of_other_tables_fails_the_check(folder: Path) -> None:
    frozen.write_frozen("mad_mad_monkey")
    tables = {**game_tables("mad_mad_monkey"), "rules_version": -1}
    stored = json.dumps(stored_simulation.simulation_json(tables, 1000, seed=1, workers=1))
    simulation_path("mad_mad_monkey").write_text(stored)
    assert [line for line in check("mad_mad_monkey") if "--simulate 1000" in line]


def test_missing_figures_say_how_to_freeze_them(folder: Path) -> None:
    with pytest.raises(FileError, match="picocab par haunted_house --freeze"):
        read_frozen("haunted_house")
    (folder / "haunted_house.json").write_text("{")
    with pytest.raises(FileError, match="is no JSON"):
        read_frozen("haunted_house")


@pytest.mark.parametrize(
    ("found", "damage"),
    [('"num"', '"numerator"'), ('"num": "', '"num": "x'), ('"tables_sha256"', '"hash"'), ('"return"', '"returned"')],
)
def test_damaged_figures_say_how_to_freeze_them(folder: Path, found: str, damage: str) -> None:
    text = write_frozen("mad_hatters").read_text()
    (folder / "mad_hatters.json").write_text(text.replace(found, damage, 1))
    with pytest.raises(FileError, match="holds no frozen figures"):
        read_frozen("mad_hatters")


# What is frozen


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize("game", GAMES)
def test_game_returns_what_was_frozen(game: str) -> None:
    assert_frozen(game)


def test_failure_by_a_changed_pay_says_which_figure_moved_and_by_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of the failed assertion itself, on the figures and the simulation that are in the repository."""
    game = "mad_mad_monkey"
    before = {source.name: source.value for source in all_sources(game_tables(game))}
    changed = game_tables(game)
    changed["scatter_pays"]["3"] += 1
    now = {source.name: source.value for source in all_sources(changed)}
    monkeypatch.setattr(frozen, "game_tables", lambda game: changed)
    with pytest.raises(AssertionError) as by_figures:
        assert_frozen(game)
    stored = read_simulation(simulation_path(game))
    assert stored
    with pytest.raises(AssertionError) as by_simulation:
        assert_same_tables(stored, changed)
    for failed in (by_figures, by_simulation):
        lines = [line.strip() for line in str(failed.value).splitlines()]
        for name in ("scatter", "free_spins.scatter"):
            moved = frozen.points(now[name] - before[name])
            assert any(line.startswith(f"{game}: {name} moved by {moved} points, from ") for line in lines)
        moved = frozen.points(sum(now.values()) - sum(before.values()))
        assert any(line.startswith(f"{game}: the return moved by {moved} points, to ") for line in lines)
        assert any("the stored simulation is of other tables" in line for line in lines)


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize("game", EXACT_GAMES)
def test_frozen_figures_of_a_game_without_chains_are_exact(game: str) -> None:
    sources = frozen_sources(read_frozen(game))
    # What limits take is known exactly too, and stated to forty places.
    assert {source.kind for source in sources if source.name != "limits"} == {EXACT}
    assert all(source.error < Fraction(1, 10**40) for source in sources)


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize("game", GAMES)
def test_frozen_return_is_on_target(game: str) -> None:
    sources = frozen_sources(read_frozen(game))
    errors = sum(source.error for source in sources)
    assert abs(total(sources) - TARGETS[game]) + errors <= Fraction(5, 10**6)
    for source in sources:
        # What the race of two meters decides is known least: to 0.0001 points.
        allowed = Fraction(1, 10**6) if source.name in ("gifts", "rudolf_spins") else Fraction(1, 10**10)
        assert source.error <= (0 if source.kind == EXACT else allowed), source.name


@pytest.mark.rule("PAR-02")
@pytest.mark.parametrize("game", GAMES)
def test_stored_simulation_agrees_with_the_computed_figures(game: str) -> None:
    """The split, hit frequency, triggers and standard deviation of at least 1e8 rounds."""
    stored = read_simulation(simulation_path(game))
    assert stored, f"no simulation is stored; play it with: picocab par {game} --simulate {LONG_ROUNDS}"
    tables = game_tables(game)
    assert_same_tables(stored, tables)
    assert stored.rounds >= LONG_ROUNDS
    made = build_sheet(tables, stored)
    assert_within(stored.value, made.value, stored.error)
    computed = {source.name: source.value for source in made.sources}
    for name, (value, error) in stored.sources.items():
        assert_within(value, computed[name], error, name)
    assert_within(stored.hit_frequency, made.spread.hit_frequency, of_chance(made.spread.hit_frequency, stored))
    compared = [it for it in made.triggers if it.name in stored.triggers]
    assert len(compared) >= 2
    for it in compared:
        error = of_chance(it.probability, stored) if it.once else of_groups(it.probability, stored)
        assert_within(stored.triggers[it.name] / stored.rounds, it.probability, error, it.name)
    if made.spread.kind != SIMULATED:  # else it is this simulation's own
        assert abs(stored.sigma - made.sigma) <= Z_999 * stored.sigma_error


def assert_frozen(game: str) -> None:
    found = check(game)
    assert not found, "\n".join(found)


def assert_same_tables(stored: StoredSimulation, tables: Mapping[str, Any]) -> None:
    assert stored.tables_hash == tables_hash(tables), "\n".join(check(tables["game"]))


def assert_within(simulated: float, computed: Fraction, error: float, name: str = "return") -> None:
    distance = simulated - float(computed)
    assert abs(distance) <= Z_999 * error, f"{name}: z = {distance / error:.2f}"


def of_chance(probability: Fraction, stored: StoredSimulation) -> float:
    """Standard error of the share of rounds in which something happens that has this chance."""
    return math.sqrt(probability * (1 - probability) / stored.rounds)


def of_groups(mean: Fraction, stored: StoredSimulation) -> float:
    """The same, at most, of what happens several times in a round: Var[N] <= E[N^2], taken to be at most 4 E[N]."""
    return math.sqrt(4 * mean / stored.rounds)
