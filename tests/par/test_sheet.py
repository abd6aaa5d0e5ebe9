"""The PAR sheet: figures that follow by hand from a made-up game, and the sheets of the real games."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from host_tools.errors import FileError
from host_tools.par import digits, sheet, simulation, stored_simulation
from host_tools.par.figures import CERTIFIED, EXACT, SIMULATED, TARGETS, Source, Spread, total
from host_tools.par.html_sheet import html_sheet
from host_tools.par.json_sheet import json_sheet
from host_tools.par.sections import Section, sections, z_score
from host_tools.par.sheet import Sheet, all_sources, build_sheet
from host_tools.par.stored_simulation import StoredSimulation, read_simulation, simulation_json
from host_tools.par.table_hash import tables_hash
from host_tools.par.text_sheet import text_sheet
from host_tools.tables import game_tables

from .made_up import CERTIFIED_EXTRA, SIMULATED_EXTRA, MadeUp, made_up_tables

EXACT_GAMES = ("mad_hatters", "mad_mad_monkey", "haunted_house")
BOTH_MODES = "enumeration of both modes"
LONG = 10**5000 + 7  # more digits than Python turns into text

PLAYED = StoredSimulation(
    command="picocab simulate mad_mad_monkey --rounds 1000 --seed 1",
    tables_hash=tables_hash(made_up_tables()),
    rounds=1000,
    total_bet=4,
    value=1.2,
    error=0.1,
    sources={"lines": (1.19, 0.01), "bonus": (0.02, 0.001), "feature": (0.02, 0.0)},
    sigma=10.5,
    hit_frequency=0.31,
    triggers={"bonus": 97, "free_spins.bonus": 0},
    histogram=((0, 690), (1, 100), (2, 100), (4, 90), (8, 10), (20, 0), (40, 10)),
    largest=70,
    convergence=((100, 1.3), (316, 1.1), (1000, 1.2)),
)


def made_up(extra: Source | None = None, played: StoredSimulation | None = None) -> Sheet:
    return build_sheet(made_up_tables(), played, MadeUp(extra))


def section(made: Sheet, key: str) -> Section:
    return next(part for part in sections(made) if part.key == key)


def verdict(made: Sheet, route: str) -> str:
    return next(row for row in section(made, "routes").rows if row[1] == route)[3]


@pytest.fixture(scope="module", params=EXACT_GAMES)
def real(request: pytest.FixtureRequest) -> Sheet:
    return build_sheet(game_tables(request.param))


# Digits


@pytest.mark.parametrize("value", [0, 1, -1, 10**4299, LONG, -LONG], ids=["0", "1", "-1", "widest", "long", "-long"])
def test_integers_of_any_length_survive_text(value: int) -> None:
    assert digits.integer(digits.integer_text(value)) == value


def test_text_of_long_integer_has_all_digits() -> None:
    assert digits.integer_text(LONG) == "1" + "0" * 4999 + "7"


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(1, 3), 3, "33.333"),
        (Fraction(2, 3), 3, "66.667"),
        (Fraction(-1, 200), 1, "-0.5"),
        (Fraction(-1, 10**9), 2, "0.00"),
        (Fraction(3), 0, "300"),
        (Fraction(LONG, 2 * LONG), 2, "50.00"),
    ],
)
def test_percent_is_rounded_from_the_fraction(value: Fraction, places: int, text: str) -> None:
    assert digits.percent(value, places) == text


def test_points_always_have_a_sign() -> None:
    assert [digits.points(Fraction(n, 1000), 1) for n in (-1, 0, 1)] == ["-0.1", "+0.0", "+0.1"]


def test_long_fraction_is_shown_by_its_ends() -> None:
    text = digits.short_fraction(Fraction(LONG, 3**6))
    assert text == "10000000...00000007 / 729  (5001 and 3 digits)"
    assert digits.short_fraction(Fraction(22, 7)) == "22 / 7"


# The hash of the tables


def test_hash_holds_every_number_but_not_the_title() -> None:
    tables = game_tables("mad_hatters")
    assert tables_hash(tables) == tables_hash({**tables, "title": "Another"})
    assert tables_hash(tables) == tables_hash(dict(reversed(tables.items())))
    assert tables_hash(tables) == tables_hash(json.loads(json.dumps(tables)))
    tables["strips"]["free"][4][3] = tables["strips"]["free"][4][4] + "x"
    assert tables_hash(tables) != tables_hash(game_tables("mad_hatters"))


# Figures


@pytest.mark.rule("PAR-01")
def test_return_is_the_sum_of_its_sources() -> None:
    made = made_up()
    assert made.value == Fraction(476, 400) + Fraction(1, 40) + Fraction(16, 1000)
    assert made.target == TARGETS["mad_mad_monkey"]
    assert digits.points(made.value - made.target) in section(made, "return").rows[2][1]


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize(
    ("extra", "kind", "bound", "error"),
    [
        (None, EXACT, 0, 0),
        (CERTIFIED_EXTRA, CERTIFIED, Fraction(1, 10**12), 0),
        (SIMULATED_EXTRA, SIMULATED, 0, 1e-6),
    ],
)
def test_return_is_as_sure_as_its_weakest_source(extra: Source, kind: str, bound: Fraction, error: float) -> None:
    made = made_up(extra)
    assert made.kind == kind
    assert sheet.uncertainty(made.sources) == (bound, pytest.approx(error))
    assert kind in section(made, "return").rows[0][1]
    assert json_sheet(made)["rtp"]["kind"] == kind


def test_bounds_add_up_and_standard_errors_add_in_squares() -> None:
    bounds = [replace(CERTIFIED_EXTRA, error=Fraction(n)) for n in (1, 2)]
    errors = [replace(SIMULATED_EXTRA, error=Fraction(n)) for n in (3, 4)]
    assert sheet.uncertainty([*bounds, *errors]) == (3, 5)


def test_limits_are_sources_of_their_own() -> None:
    class Limited(MadeUp):
        def limit_source(self, tables: Mapping[str, Any], lines: int | None = None) -> Source:
            return Source("limits", Fraction(-1, 100 * (lines or 4)))

    plain, limited = all_sources(made_up_tables(), 2, MadeUp()), all_sources(made_up_tables(), 2, Limited())
    assert total(limited) - total(plain) == Fraction(-1, 200)
    assert limited[-1].name == "limits"


def test_volatility_index_is_the_half_width_of_one_round_at_90_percent() -> None:
    assert made_up().volatility_index == pytest.approx(16.44853627, abs=1e-7)


@pytest.mark.parametrize(("confidence", "quantile"), [(90, 1.644854), (95, 1.959964), (99, 2.575829)])
def test_spread_narrows_with_the_root_of_the_rounds(confidence: int, quantile: float) -> None:
    made = made_up()
    for rounds in (1000, 10**8):
        low, high = made.interval(rounds, confidence)
        assert (low + high) / 2 == pytest.approx(float(made.value))
        assert (high - low) / 2 == pytest.approx(quantile * 10 / math.sqrt(rounds), rel=1e-6)


def test_bands_hold_all_windows_and_their_return() -> None:
    bands = {band.label: band for band in made_up().bands}
    assert list(bands)[:3] == ["0", "below 1", "1 to 2"]
    assert list(bands)[-1] == "100 to 200"  # bands above are empty
    shares = {label: (band.probability * 100, band.share) for label, band in bands.items() if band.probability}
    assert shares == {
        "0": (70, 0),
        "below 1": (20, Fraction(40, 400)),
        "1 to 2": (9, Fraction(36, 400)),
        "100 to 200": (1, Fraction(400, 400)),
    }


def test_simulated_bands_are_cut_where_the_exact_ones_are() -> None:
    bands = {band.label: band.simulated for band in made_up(played=PLAYED).bands}
    assert bands["0"] == 0.69
    assert bands["below 1"] == 0.2
    assert bands["1 to 2"] == 0.09
    assert bands["10 to 20"] == 0.01
    assert math.fsum(share for share in bands.values() if share) == pytest.approx(1)
    assert set(sheet.BAND_EDGES[1:]) <= {Fraction(edge) for edge in simulation.BIN_EDGES}


def test_simulation_of_other_tables_is_left_out() -> None:
    tables = made_up_tables(strips={"base": [["a", "c"]] * 5})
    assert build_sheet(tables, PLAYED, MadeUp()).simulation is None
    assert made_up(played=PLAYED).simulation is PLAYED


@pytest.mark.rule("PAR-04")
def test_every_line_count_states_why_it_differs() -> None:
    made = made_up()
    assert [at.lines for at in made.line_counts] == [1, 2, 3, 4]
    one, *_, most = made.line_counts
    assert one.value == Fraction(476, 400) + Fraction(1, 10) + Fraction(1, 1000)
    assert (one.per_line_bet, one.by_line) == (("bonus",), ("feature",))
    assert most.value == made.value
    assert not most.per_line_bet + most.by_line
    notes = section(made, "lines").notes
    assert len(notes) == 2
    assert notes[0].endswith(": bonus")
    assert notes[1].endswith(": feature")


@pytest.mark.rule("PAR-04")
def test_fixed_lines_have_no_other_counts() -> None:
    made = build_sheet(made_up_tables(lines_fixed=True), None, MadeUp())
    assert not made.line_counts
    assert section(made, "lines").notes == ("all 4 lines are always played",)


def test_choices_mix_into_one_spread() -> None:
    class Chosen(MadeUp):
        def by_hatter(self, tables: Mapping[str, Any]) -> dict[str, Fraction]:
            return {"one": Fraction(1), "other": Fraction(2)}

        def spread(self, tables: Mapping[str, Any], hatter: str | None = None) -> Spread:
            assert hatter
            mean = Fraction(1 if hatter == "one" else 2)
            return Spread(Fraction(3, 10), 2 + 2 * mean, EXACT, self.paid_spin, mean)

    made = build_sheet(made_up_tables(hatters=["one", "other"]), None, Chosen())
    # The mean of the squares 4 + 1 and 6 + 4, less the square of the mean 1.5.
    assert made.spread.variance == Fraction(15, 2) - Fraction(9, 4)
    assert made.spread.mean == Fraction(3, 2)
    assert [row[0] for row in section(made, "choices").rows] == ["one", "other"]
    assert section(made, "choices").notes[0].startswith("between the best and the worst: 100.000000000000")


def test_routes_show_a_closed_form_that_enumeration_contradicts() -> None:
    assert verdict(made_up(), "enumeration of all windows") == "equal"
    wrong = replace(made_up(), sources=(Source("lines", Fraction(475, 400)),))
    assert verdict(wrong, "enumeration of all windows") == "differs by +0.250000000000 points"


@pytest.mark.parametrize(
    ("extra", "distance", "told"),
    [
        (None, Fraction(0), "equal"),
        (None, Fraction(-1, 10**12), "differs by -0.000000000100 points"),
        (CERTIFIED_EXTRA, Fraction(-1, 10**12), "within the error"),
        (CERTIFIED_EXTRA, Fraction(11, 10**13), "differs by +0.000000000110 points"),
        (SIMULATED_EXTRA, Fraction(1, 100), "differs by +1.000000000000 points"),
    ],
)
def test_routes_compare_the_complete_round_of_both_modes(extra: Source | None, distance: Fraction, told: str) -> None:
    made = made_up(extra)
    assert all(row[1] != BOTH_MODES for row in section(made, "routes").rows)  # it has no such figure
    counted = replace(made, spread=replace(made.spread, mean=made.value + distance))
    assert verdict(counted, BOTH_MODES) == told


@pytest.mark.rule("PAR-02")
def test_simulation_is_compared_in_standard_errors() -> None:
    rows = {row[0]: row for row in section(made_up(played=PLAYED), "simulation").rows}
    assert rows["complete round"][4] == f"{(1.2 - 1.231) / 0.1:+.3f}"
    assert rows["lines"][4] == "+0.000"
    assert rows["hit frequency"][4] == f"{0.01 / math.sqrt(0.3 * 0.7 / 1000):+.3f}"
    assert rows["feature: bonus"][4] == f"{-0.003 / math.sqrt(0.1 * 0.9 / 1000):+.3f}"
    assert rows["feature: free spins: bonus"][3:] == ("", "")  # comes in groups


def test_error_of_simulated_sigma_is_not_below_that_of_the_wins_themselves() -> None:
    # Wins of 0 or 100 total bets: fourth central moment and sigma follow from the chance of a win.
    wins, rounds = 50, 1000
    mean = wins / rounds * 100
    variance = wins / rounds * 100**2 - mean**2
    fourth = (wins * (100 - mean) ** 4 + (rounds - wins) * mean**4) / rounds
    error = math.sqrt((fourth - variance**2) / rounds) / (2 * math.sqrt(variance))
    played = replace(
        PLAYED,
        value=mean,
        sigma=math.sqrt(variance),
        histogram=((0, rounds - wins), (1, 0), (400, wins), (800, 0)),
        largest=400,
    )
    assert error <= played.sigma_error <= 1.2 * error


def test_z_score_without_spread_is_zero_or_infinite() -> None:
    assert z_score(1.0, 1.0, 0.0) == 0
    assert z_score(1.0, 2.0, 0.0) == -math.inf


# Formats


@pytest.mark.parametrize("played", [None, PLAYED])
@pytest.mark.parametrize("extra", [None, CERTIFIED_EXTRA, SIMULATED_EXTRA, Source("long", Fraction(1, LONG))])
def test_text_fits_100_columns_and_shows_every_source(extra: Source | None, played: StoredSimulation | None) -> None:
    made = made_up(extra, played)
    lines = list(text_sheet(made))
    assert max(map(len, lines)) <= 100
    for source in made.sources:
        assert any(line.startswith(source.name) and digits.percent(source.value) in line for line in lines)


def test_json_has_the_promised_keys_and_whole_fractions() -> None:
    made = made_up(SIMULATED_EXTRA, PLAYED)
    found = json.loads(json.dumps(json_sheet(made)))
    assert {"game", "rtp", "target", "split", "hit_frequency", "sigma", "triggers", "max_award"} <= found.keys()
    assert Fraction(found["rtp"]["num"], found["rtp"]["den"]) == made.value
    assert found["rtp"]["percent"] == pytest.approx(100 * float(made.value), abs=1e-12)
    assert found["target"] == 95.4
    assert found["hit_frequency"] == 0.3
    assert found["hit_frequency_exact"] == {"num": 3, "den": 10, "percent": 30}
    assert found["simulation"]["hit_frequency"] == 0.31
    assert found["gamble_neutral"] is None
    assert (found["sigma"], found["sigma_error"]) == (10, 0)
    assert sum(Fraction(it["num"], it["den"]) for it in found["split"]) == made.value
    assert found["split"][-1] == {
        "source": "race",
        "num": 1,
        "den": 16,
        "percent": 6.25,
        "kind": SIMULATED,
        "error": pytest.approx(1e-4),
    }
    assert [it["mean_games"] for it in found["triggers"]] == [10, None]
    assert [it["once"] for it in found["triggers"]] == [True, False]
    assert found["max_award"]["coins"] == 4000
    assert found["max_award"]["total_bets"] == 100
    assert (found["max_award"]["of"], found["max_award"]["bounded"]) == ("round", True)
    assert found["simulation"]["z"] == pytest.approx((1.2 - float(made.value)) / 0.1)


def test_largest_bonus_of_a_game_without_a_largest_round_is_named_so() -> None:
    plain = made_up()
    made = replace(plain, award=replace(plain.award, of="bonus", bounded=False))
    for sheet_, name in ((plain, "award"), (made, "bonus")):
        assert section(sheet_, "award").title == f"Largest {name}"
        assert f"coins, the largest {name}<" in html_sheet(sheet_)
    found = json_sheet(made)["max_award"]
    assert (found["of"], found["bounded"]) == ("bonus", False)


def test_simulated_deviation_shows_its_error() -> None:
    plain = made_up()
    made = replace(plain, spread=replace(plain.spread, kind=SIMULATED, error=0.0625))
    row = dict(section(made, "return").rows)["standard deviation"]
    assert row == "10.000000 total bets (simulated, standard error at most 0.062500)"
    assert json_sheet(made)["sigma_error"] == 0.0625
    assert dict(section(plain, "return").rows)["standard deviation"] == "10.000000 total bets (exact)"


def test_page_stands_alone_and_escapes_text() -> None:
    page = html_sheet(made_up(CERTIFIED_EXTRA, PLAYED))
    assert "then &lt;nothing&gt; more" in page
    assert page.count("<svg") == 3
    without_names = page.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    assert "http" not in without_names
    assert "<script" not in page
    for part in page.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")
    ids = [part.split('"')[0] for part in page.split('<clipPath id="')[1:]]
    assert len(ids) == len(set(ids))  # else a plot is cut by the frame of another


def test_page_without_simulation_has_two_plots() -> None:
    page = html_sheet(made_up())
    assert page.count("<svg") == 2
    assert "--simulate" in page


def test_page_does_not_follow_the_users_settings_of_matplotlib() -> None:
    import matplotlib

    page = html_sheet(made_up())
    with matplotlib.rc_context({"font.family": "monospace", "axes.facecolor": "black", "svg.fonttype": "none"}):
        assert html_sheet(made_up()) == page


def test_json_has_intervals_the_right_way_round_and_bounds_in_points() -> None:
    made = made_up(CERTIFIED_EXTRA)
    found = json_sheet(made)
    assert found["rtp"]["bound"] == pytest.approx(100 * float(CERTIFIED_EXTRA.error))
    for row in found["spread"]:
        low, high = made.interval(row["rounds"], row["confidence"])
        assert (row["low"], row["high"]) == pytest.approx((100 * low, 100 * high))
        assert row["low"] < row["high"]


def test_sheets_are_the_same_bytes_in_another_process() -> None:
    program = (
        "import json, sys; from par.test_sheet import *; made = made_up(SIMULATED_EXTRA, PLAYED)\n"
        "sys.stdout.write(html_sheet(made) + json.dumps(json_sheet(made)) + chr(10).join(text_sheet(made)))"
    )
    root = Path(__file__).parents[1]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": day, "TZ": "UTC"},
            check=True,
            capture_output=True,
        ).stdout
        for seed, day in (("1", "0"), ("2", "1700000000"))
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith(b"<!DOCTYPE html>")


# The stored simulation


def test_stored_simulation_keeps_the_return_on_the_way(tmp_path: Path) -> None:
    tables = game_tables("mad_mad_monkey")
    file = tmp_path / "mad_mad_monkey.simulation.json"
    file.write_text(json.dumps(simulation_json(tables, 200_000, seed=3, workers=1)))
    stored = read_simulation(file)
    assert stored is not None
    assert stored.tables_hash == tables_hash(tables)
    assert stored.command == "picocab simulate mad_mad_monkey --rounds 200000 --seed 3"
    rounds, share = stored.convergence[0]
    assert rounds < 200_000
    assert share == float(simulation.simulate(tables, rounds, 3).share())
    assert stored.convergence[-1] == (200_000, stored.value)
    assert sum(rounds for _, rounds in stored.histogram) == stored.rounds == 200_000
    assert "Simulation of 200,000 rounds" in list(text_sheet(build_sheet(tables, stored)))


def test_stored_simulation_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mad_hatters.simulation.json"
    assert read_simulation(file) is None
    file.write_text("{}")
    with pytest.raises(FileError, match="picocab par mad_hatters --simulate"):
        read_simulation(file)
    assert stored_simulation.simulation_path("mad_hatters").name == file.name


# Real games


@pytest.mark.rule("PAR-01", "PAR-02")
def test_enumeration_confirms_the_closed_form_of_the_paid_spin(real: Sheet) -> None:
    assert verdict(real, "enumeration of all windows") == "equal"
    assert {source.kind for source in real.sources if source.name != "limits"} == {EXACT}
    assert all(source.error < Fraction(1, 10**40) for source in real.sources)


@pytest.mark.rule("PAR-01", "PAR-02")
def test_enumeration_of_both_modes_confirms_the_complete_round(real: Sheet) -> None:
    parts = sheet.game_mathematics(real.game)
    tables = game_tables(real.game)
    limits = [parts.limit_source(tables)] if hasattr(parts, "limit_source") else []
    assert real.spread.mean == total([*parts.sources(tables), *limits])  # as fractions, of thousands of digits
    # The sheet states the limits to forty places.
    assert abs(real.spread.mean - real.value) <= (Fraction(1, 10**40) if limits else 0)
    assert verdict(real, BOTH_MODES) == ("within the error" if limits else "equal")


@pytest.mark.rule("PAR-01")
def test_exact_part_of_a_certified_return_is_a_whole_fraction(real: Sheet) -> None:
    rows = dict(section(real, "return").rows)
    if real.kind == EXACT:
        assert "exact part" not in rows
        return
    num, den = rows["exact part"].split(" = ")[1].split(" / ")
    assert Fraction(int(num), int(den)) == total([source for source in real.sources if source.kind == EXACT])


@pytest.mark.rule("MM-09")
def test_only_a_game_with_a_gamble_tells_that_it_is_neutral(real: Sheet) -> None:
    rows = dict(section(real, "return").rows)
    has_gamble = real.game == "mad_mad_monkey"
    assert rows.get("gamble") == ("neutral for every policy (proven)" if has_gamble else None)
    assert json_sheet(real)["gamble_neutral"] is (True if has_gamble else None)


def test_gamble_that_is_not_neutral_is_told() -> None:
    gamble = {"cards": 52, "colour_factor": 2, "suit_factor": 5}
    made = build_sheet(made_up_tables(gambles=3, gamble=gamble), None, MadeUp())
    assert dict(section(made, "return").rows)["gamble"] == "not neutral: a policy changes the return"
    assert json_sheet(made)["gamble_neutral"] is False


@pytest.mark.rule("PAR-03", "PAR-05")
def test_sheet_of_a_real_game_is_complete(real: Sheet) -> None:
    keys = [part.key for part in sections(real)]
    assert {"return", "sources", "routes", "features", "lines", "spread", "wins", "award", "origin"} <= set(keys)
    with_simulation = replace(real, simulation=read_simulation(stored_simulation.simulation_path(real.game)))
    for made in (real, with_simulation):
        assert max(map(len, text_sheet(made))) <= 100
    found = json.loads(json.dumps(json_sheet(real)))
    assert found["max_award"]["sequence"]
    assert sum(band.share for band in real.bands) <= real.value
    assert 0 < real.spread.hit_frequency < 1
    assert html_sheet(real) == html_sheet(real)
