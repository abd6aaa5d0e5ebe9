"""The return of Santa vs Rudolf put together: against complete rounds of the simulator, on tables full of features."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from functools import cache

import pytest
from reference import tables as t

from host_tools.errors import CheckFailed, UsageError
from host_tools.par import santa_vs_rudolf
from host_tools.par.figures import CERTIFIED, EXACT, SIMULATED, total
from host_tools.par.santa_vs_rudolf.pieces import pieces
from host_tools.par.simulation import TOTAL, Simulated, simulate
from host_tools.reference import santa_vs_rudolf as reference
from host_tools.reference.common import Tables, window_at

pytest.importorskip("numpy")

LINES = [[2, 2, 2, 2, 2], [1, 2, 3, 2, 1], [1, 1, 1, 1, 2]]
PLAIN = t.words("Sleigh A K Q Sack J")


def ring(wild: str | None, length: int) -> list[str]:
    """A strip with a wild at its start."""
    strip = [PLAIN[place % len(PLAIN)] for place in range(length)]
    return [wild, *strip[1:]] if wild else strip


def small(**changed: object) -> Tables:
    """Short strips with many wilds, meters of three spaces, a limit that sessions reach."""
    plain = [ring(None, length) for length in (5, 6, 7)]
    settings: dict[str, object] = {
        "line_patterns": LINES,
        "max_lines": len(LINES),
        "strips": {
            "base": [ring("rudolf", 5), *plain, ring("santa", 6)],
            "base_respin": [ring("rudolf", 13), *plain[::-1], ring("santa", 12)],
            "free": [ring("rudolf", 9), ring("santa", 10), ring("rudolf", 11), ring(None, 7), ring("santa", 8)],
            "free_respin": [ring("rudolf", 20), *plain, ring("santa", 25)],
            "rudolf_spins": [ring(None, length) for length in (5, 6, 5, 7, 6)],
        },
        "free_spins_limit": 14,
        "merge_free_spins": 4,
        "merge_free_spins_limit": 6,
        "free_merge_free_spins": 3,
        "meter_length": 3,
    }
    return t.santa_vs_rudolf(**{**settings, **changed})


@cache
def simulated() -> Simulated:
    return simulate(small(), 1 << 16, seed=2)


@pytest.mark.rule("PAR-01", "PAR-02", "SR-06", "SR-07", "SR-08", "SR-10")
def test_return_is_that_of_simulated_rounds() -> None:
    tables, played = small(), simulated()
    shares = {source.name: float(source.value) for source in santa_vs_rudolf.sources(tables)}
    limits = float(santa_vs_rudolf.limit_source(tables).value)
    assert limits < 0
    # The simulator sees what the limit takes off in the lines of free spins.
    shares["free_spins.lines"] += limits
    shares[TOTAL] = sum(shares.values())
    for name, share in shares.items():
        assert abs(float(played.share(name)) - share) < 3.5 * played.standard_error(name), name


@pytest.mark.rule("PAR-03")
def test_triggers_are_those_of_simulated_rounds() -> None:
    played = simulated()
    found = {trigger.name: float(trigger.probability) for trigger in santa_vs_rudolf.triggers(small())}
    assert found["bonus"] == pytest.approx(found["gifts"] + found["rudolf_spins"])
    for name in ("free_spins", "gifts", "rudolf_spins"):
        # Sessions of one round hang together: some more of them than independent ones would vary.
        error = (2 * played.triggers[name]) ** 0.5 / played.rounds
        assert abs(played.triggers[name] / played.rounds - found[name]) < 3.5 * error, name


def test_sources_say_what_they_are() -> None:
    tables = small()
    found = [*santa_vs_rudolf.sources(tables), santa_vs_rudolf.limit_source(tables)]
    assert [source.name for source in found if source.kind == EXACT] == ["lines"]
    assert all(source.kind == CERTIFIED and 0 < source.error < abs(source.value) / 1000 for source in found[1:5])
    assert all(source.error < Fraction(1, 10**12) for source in found if source.name.endswith("s.lines"))


@pytest.mark.rule("PAR-04")
def test_bonuses_pay_per_line_bet_whatever_the_lines() -> None:
    tables = small(lines_fixed=False)
    one, all_ = (
        {source.name: source.value for source in santa_vs_rudolf.sources(tables, lines)} for lines in (1, None)
    )
    assert one["gifts"] == all_["gifts"] * len(LINES)
    assert one["lines"] == all_["lines"]
    for lines in (0, len(LINES) + 1):
        with pytest.raises(UsageError):
            santa_vs_rudolf.sources(tables, lines)


@pytest.mark.rule("SR-01")
def test_lines_other_than_fixed_ones_are_refused() -> None:
    tables = small()
    assert tables["lines_fixed"]
    for lines in (1, len(LINES) - 1, len(LINES) + 1):
        for figure in (santa_vs_rudolf.sources, santa_vs_rudolf.limit_source):
            with pytest.raises(UsageError, match=f"{lines} lines: all {len(LINES)} lines are always played"):
                figure(tables, lines)
    assert santa_vs_rudolf.sources(tables, len(LINES)) == santa_vs_rudolf.sources(tables)


@pytest.mark.rule("SR-14")
def test_rudolf_spin_over_its_cap_is_refused() -> None:
    rudolf_spins = {**small()["rudolf_spins"], "cap": 100}
    with pytest.raises(CheckFailed, match="over its cap of 100"):
        santa_vs_rudolf.sources(small(rudolf_spins=rudolf_spins))


def test_pieces_follow_the_prizes() -> None:
    before, gifts = pieces(small()), {"sets": [{"prizes": [0, 0, 0]}] * 3, "max_multiplier": 4}
    after = pieces(small(gifts=gifts))
    assert after.gifts == 0 < before.gifts
    assert after.sessions == before.sessions
    assert total(santa_vs_rudolf.sources(small(gifts=gifts))) < total(santa_vs_rudolf.sources(small()))


@pytest.mark.rule("PAR-02", "PAR-03")
def test_spread_counts_all_windows_of_the_paid_spin() -> None:
    tables = small(strips={**small()["strips"], "base": [ring("rudolf", 4), *[ring(None, 3)] * 3, ring("santa", 4)]})
    found = santa_vs_rudolf.spread(tables, rounds=2000)
    strips = tables["strips"]["base"]
    pays = [
        sum(win.pay for win in reference.line_wins(tables, window_at(strips, stops), len(LINES), 1))
        for stops in itertools.product(*(range(len(strip)) for strip in strips))
    ]
    assert found.paid_spin == {pay: pays.count(pay) for pay in sorted(set(pays))}
    assert found.hit_frequency == Fraction(sum(pay > 0 for pay in pays), len(pays))
    assert found.kind == SIMULATED
    played = simulate(tables, 2000, seed=1)
    assert float(found.variance) == pytest.approx(played.sigma() ** 2)
    # Other rounds have another sigma, as far away as the error tells; more rounds have a smaller error.
    other = simulate(tables, 2000, seed=3).sigma()
    assert 0 < abs(other - played.sigma()) < 4 * found.error
    assert santa_vs_rudolf.spread(tables, rounds=1 << 14).error < found.error


@pytest.mark.rule("PAR-05", "SR-12")
def test_largest_award_is_the_largest_bonus() -> None:
    tables = small()
    best = santa_vs_rudolf.largest_award(tables)
    spin = santa_vs_rudolf.largest.best_rudolf_spin(tables, LINES)
    assert spin is not None
    assert best.coins == 10 * max(3760, 3 * spin.coins)
    assert best.sequence[0] == f"largest bonus: Rudolf Spins, {best.coins} coins"
    assert (best.of, best.bounded) == ("bonus", False)
    assert "each of 3 Rudolf spins: stops" in best.sequence[1]
    assert f"lines {10 * spin.coins}" in best.sequence[1]
    assert best.sequence[1].count("reindeer") == 5
    cut = santa_vs_rudolf.largest_award(small(rudolf_spins={**tables["rudolf_spins"], "cap": 1}))
    assert cut.coins == 37600
    assert cut.sequence[0] == "largest bonus: Santa's Gifts, 37600 coins"
    assert "1 x line bet at most" in cut.sequence[1]


@pytest.mark.rule("PAR-05")
def test_windows_of_the_largest_award_pay_what_they_say() -> None:
    tables = small()
    shown = {}
    for step in santa_vs_rudolf.largest_award(tables).sequence:
        if found := re.fullmatch(r"(.*): stops [\d ]+, window (.*), lines (\d+)", step):
            rows = [row.split() for row in found[2].split(" / ")]
            window = [rows[row][reel] for reel in range(5) for row in range(3)]
            assert sum(win.pay for win in reference.line_wins(tables, window, len(LINES), 10)) == int(found[3])
            shown[found[1]] = window
    assert list(shown) == [
        "each of 3 Rudolf spins",
        "best paid spin",
        "best re-spin of the main game",
        "best of at most 14 free spins",
    ]
