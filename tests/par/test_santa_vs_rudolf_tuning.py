"""The tuner of Santa vs Rudolf: exact gains, and designs that keep what must be kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any

import pytest
from reference import tables as t

from host_tools.errors import CheckFailed
from host_tools.par.designed_figures import Path, changed, is_round, value_at
from host_tools.par.santa_vs_rudolf import triggers, tuning
from host_tools.par.santa_vs_rudolf.pieces import BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN
from host_tools.par.santa_vs_rudolf.tuning import (
    certified_return,
    frequent_bonuses,
    gift_moves,
    good_prizes,
    near,
    replacements,
    tune,
)
from host_tools.par.strip_order import spacing, violations
from host_tools.par.tune import TOLERANCE, Candidate, Step

pytest.importorskip("numpy")

Tables = dict[str, Any]

PAYS = {
    "Sleigh": {"3": 20, "4": 150, "5": 500},
    "A": {"3": 6, "4": 30, "5": 100},
    "K": {"3": 4, "4": 25, "5": 75},
    "Q": {"3": 3, "4": 20, "5": 60},
    "J": {"3": 2, "4": 10, "5": 50},
}
PLAIN = [symbol for symbol in t.words("Sleigh A K Q J A Sleigh Q K J") for _ in range(3)]
WILD = {"rudolf", "santa"}
GIFTS = [[20, 40, 60], [50, 80, 130], [100, 160, 300]]


def ring(turn: int, *wilds: str) -> list[str]:
    """Stacks of three, some symbols replaced by wilds that are far apart."""
    strip = [*PLAIN[turn:], *PLAIN[:turn]]
    for number, wild in enumerate(wilds):
        strip[1 + 6 * number] = wild
    return strip


@cache
def _small() -> Tables:
    return t.santa_vs_rudolf(
        line_patterns=t.lines(6),
        max_lines=6,
        line_pays=PAYS,
        strips={
            "base": [ring(0, "rudolf"), *map(ring, (2, 8, 13)), ring(3, "santa")],
            "base_respin": [ring(turn) for turn in (5, 13, 8, 2, 9)],
            "free": [ring(1, "rudolf", "rudolf"), *map(ring, (4, 6, 7)), ring(11, "santa", "santa")],
            "free_respin": [ring(turn) for turn in (14, 2, 8, 13, 17)],
            "rudolf_spins": [ring(turn) for turn in (0, 12, 3, 15, 7)],
        },
        meter_length=3,
        gifts={"sets": [{"prizes": prizes} for prizes in GIFTS], "max_multiplier": 4},
        rudolf_spins={"spins": 3, "reindeer": 5, "cap": 30_000},
    )


def small() -> Tables:
    """A small game with frequent bonuses and short chains: no wilds land in re-spins."""
    return changed(_small(), {})


def after(tables: Tables, steps: tuple[Step, ...] | list[Step]) -> Tables:
    """The tables after some steps."""
    for step in steps:
        tables = changed(tables, step.changes)
    return tables


def differing(before: Tables, now: Tables) -> dict[str, list[int]]:
    """Mode -> reels whose strips differ."""
    found = {
        mode: [reel for reel in range(5) if before["strips"][mode][reel] != now["strips"][mode][reel]]
        for mode in before["modes"]
    }
    return {mode: reels for mode, reels in found.items() if reels}


# Gains


@pytest.mark.parametrize("mode", [BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN])
def test_gain_of_a_replacement_is_the_difference_of_two_returns(mode: int) -> None:
    tables = small()
    steps = replacements(tables, mode)
    assert {step.apart for step in steps} == {("strips", tables["modes"][mode])}
    start = certified_return(tables)[0]
    for step in steps[:: len(steps) // 4]:
        # The limit of free spins, which the gains leave out, is far away here.
        assert float(certified_return(after(tables, [step]))[0] - start) == pytest.approx(
            step.gain, rel=1e-6, abs=1e-13
        )


def test_gains_of_different_parts_add_up() -> None:
    tables = small()
    parts = [*(replacements(tables, mode)[7] for mode in (BASE_RESPIN, FREE, FREE_RESPIN, RUDOLF_SPIN))]
    parts.append(gift_moves(tables)[0])
    found = certified_return(after(tables, parts))[0] - certified_return(tables)[0]
    assert float(found) == pytest.approx(sum(step.gain for step in parts), rel=1e-6)


def test_replacements_stay_near_in_rank_and_leave_some_of_a_symbol() -> None:
    tables = small()
    ranks = list(tables["line_pays"])
    seen = set()
    for step in replacements(tables, FREE):
        ((path, symbol),) = step.changes.items()
        before = value_at(tables, path)
        assert path[:2] == ("strips", "free")
        assert 0 < abs(ranks.index(before) - ranks.index(symbol)) <= 3
        assert value_at(after(tables, [step]), path[:-1]).count(before) >= 2
        seen.add((path[2], before, symbol))
    assert len(seen) > 30


def test_replacement_keeps_stacks_where_it_can() -> None:
    strip = t.words("A A K Q J Q Q Sleigh J J J A")
    tables = changed(small(), {("strips", "rudolf_spins", 2): strip})
    names = {
        (path[3], symbol) for step in replacements(tables, RUDOLF_SPIN) for path, symbol in step.changes.items()
        if path[2] == 2
    }  # fmt: skip
    # Places where a run grows, or where one makes way for another; no stack of three is broken in its middle.
    assert {(3, "K"), (3, "J"), (4, "K"), (8, "Q")} <= names
    assert 9 not in {at for at, _ in names}


# Gifts


@pytest.mark.rule("SR-12")
def test_gifts_move_between_two_sets_and_keep_their_sum() -> None:
    tables = small()
    start = certified_return(tables)[0]
    steps = gift_moves(tables)
    assert len(steps) > 3
    assert len({step.gain for step in steps}) == len(steps)
    for step in steps:
        sets = [one["prizes"] for one in after(tables, [step])["gifts"]["sets"]]
        prizes, before = list(chain(*sets)), list(chain(*GIFTS))
        assert sum(prizes) == sum(before) == 940
        assert good_prizes(sets)
        assert all(map(is_round, prizes))
        assert sum(one != other for one, other in zip(prizes, before, strict=True)) == 2
    step = max(steps, key=lambda one: one.gain)
    assert float(certified_return(after(tables, [step]))[0] - start) == pytest.approx(step.gain, rel=1e-9)


@pytest.mark.parametrize(
    ("sets", "good"),
    [
        (GIFTS, True),
        ([[20, 40, 55], [50, 85, 130], [100, 160, 300]], True),
        ([[20, 40, 61], [50, 80, 129], [100, 160, 300]], False),
        ([[20, 40, 60], [50, 80, 135], [100, 160, 295]], False),
        ([[20, 40, 50], [50, 80, 130], [100, 160, 310]], False),
        ([[40, 20, 60], [50, 80, 130], [100, 160, 300]], False),
        ([[20, 40, 60], [20, 80, 130], [100, 160, 300]], False),
        ([[20, 40, 60], [50, 80, 300], [100, 160, 300]], False),
        ([[0, 40, 60], [50, 80, 130], [100, 160, 320]], False),
    ],
)
def test_prizes_are_round_and_rise(sets: list[list[int]], good: bool) -> None:
    assert good_prizes(sets) is good


# Bonuses


def bonuses(tables: Tables) -> Fraction:
    """How often both bonuses together are played."""
    return next(trigger.probability for trigger in triggers(tables) if trigger.name == "bonus")


@pytest.mark.rule("PAR-03")
def test_wilds_join_in_mirrored_pairs_until_bonuses_are_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = small()
    monkeypatch.setattr(tuning, "RAREST", bonuses(tables) * Fraction(101, 100))
    steps = frequent_bonuses(tables)
    assert len(steps) == 1
    design = after(tables, steps)
    assert bonuses(design) >= tuning.RAREST
    assert set(differing(tables, design)) == {"free"}
    joined = []
    for reel, (before, now) in enumerate(zip(tables["strips"]["free"], design["strips"]["free"], strict=True)):
        more = Counter(now) - Counter(before)
        joined += [(wild, reel) for wild in more]
        assert set(Counter(before) - Counter(now)) <= {"J"}
        assert len(now) == len(before)
        assert violations(now, spacing(tables, "free", reel)) == []
    (rudolf, santa) = sorted(joined)
    assert (rudolf[0], santa[0]) == ("rudolf", "santa")
    assert rudolf[1] + santa[1] == 4
    # No other pair that is enough has rarer bonuses.
    for reel in range(5):
        other = bonuses(changed(tables, tuning._pair(tables, reel)))
        assert other >= bonuses(design) or other < tuning.RAREST


def test_more_pairs_join_when_one_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = small()
    once = max(bonuses(changed(tables, tuning._pair(tables, reel))) for reel in range(5))
    monkeypatch.setattr(tuning, "RAREST", once * Fraction(101, 100))
    steps = frequent_bonuses(tables)
    assert len(steps) == 2
    assert bonuses(after(tables, steps)) >= tuning.RAREST


def test_strips_without_room_for_wilds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "RAREST", Fraction(10**6))
    with pytest.raises(CheckFailed, match="no more wilds fit"):
        frequent_bonuses(small(), movable=lambda path: path[0] != "strips")


# Designs


def test_coarse_comes_near_by_the_strips_of_base_respins_alone() -> None:
    tables = small()
    start = certified_return(tables)[0]
    for move in (Fraction(-3, 100), Fraction(3, 100)):
        told: list[str] = []
        steps = near(tables, start + move, told.append)
        design = after(tables, steps)
        # Not NEAR itself: the gains of so small a game are large.
        assert abs(certified_return(design)[0] - start - move) <= abs(move) / 10
        assert set(differing(tables, design)) == {"base_respin"}
        assert len(told) >= len(steps) > 0
    assert near(tables, start + tuning.NEAR / 2) == []
    assert near(tables, start + 1, movable=lambda path: path[0] != "strips") == []


def kept(tables: Tables, found: list[Candidate], target: Fraction) -> None:
    """Asserts that designs hit the target and keep what must be kept."""
    for candidate in found:
        value, error = certified_return(candidate.tables)
        assert candidate.returns == {"": value}
        assert abs(value - target) + error <= TOLERANCE
        assert candidate.tables == after(tables, candidate.steps)
        assert candidate.tables["strips"]["base"] == tables["strips"]["base"]
        fixed: Mapping[Path, Any] = {("strips",): tables["strips"], ("gifts",): tables["gifts"]}
        assert changed(candidate.tables, fixed) == tables
        for mode in tables["modes"]:
            for before, now in zip(tables["strips"][mode], candidate.tables["strips"][mode], strict=True):
                assert [at for at, it in enumerate(now) if it in WILD] == [
                    at for at, it in enumerate(before) if it in WILD
                ]


@pytest.mark.rule("PAR-01")
def test_designs_hit_the_target_least_changed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = small()
    monkeypatch.setattr(tuning, "RAREST", Fraction(0))
    target = certified_return(tables)[0] + Fraction(2, 100)
    found = tune(tables, target=target, most=3)
    assert len(found) == 3
    kept(tables, found, target)
    costs = [sum(step.cost for step in candidate.steps) for candidate in found]
    assert costs == sorted(costs)
    assert tune(tables, target=target, most=1) == found[:1]


def test_design_on_target_comes_first_unchanged() -> None:
    tables = small()
    target = certified_return(tables)[0]
    found = tune(tables, target=target, most=1)
    assert [(candidate.steps, candidate.tables) for candidate in found] == [((), tables)]


def test_only_what_may_move_does() -> None:
    tables = small()
    gifts = max(gift_moves(tables), key=lambda step: step.gain)
    target = certified_return(after(tables, [gifts]))[0]
    found = tune(tables, target=target, most=2, movable=lambda path: path[0] == "gifts")
    assert found
    kept(tables, found, target)
    for candidate in found:
        assert candidate.tables["strips"] == tables["strips"]


def test_designs_whose_rudolf_spins_pass_the_cap_are_left_out() -> None:
    tables = small()
    over = changed(tables, {("rudolf_spins", "cap"): 10})
    with pytest.raises(CheckFailed, match="cap"):
        tune(over, target=Fraction(1), most=1)
