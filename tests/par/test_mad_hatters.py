"""The exact figures of Mad Hatters against complete enumeration with the reference, on small tables."""

from __future__ import annotations

import itertools
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from reference import tables as t

from host_tools.errors import UsageError
from host_tools.par import mad_hatters
from host_tools.par.figures import EXACT, total
from host_tools.reference import mad_hatters as reference
from host_tools.reference.common import Tables
from host_tools.tables import game_tables

HATTERS = ("John", "James", "Jeff")
VALUES = {1: 3, 4: 2, 30: 1}  # of a clock, by weight


def small(**changed: object) -> Tables:
    """Five to six stops a reel, Mad Hats and hatters next to Bunny and Clock on reel 3, few free spins."""
    settings: dict[str, object] = {
        "line_patterns": [[2, 2, 1, 2, 2], [1, 1, 1, 1, 1], [3, 3, 3, 3, 3], [1, 2, 3, 2, 1], [3, 2, 2, 2, 3]],
        "max_lines": 5,
        "strips": {
            "base": [
                t.words("Teapot Bunny Hat CupCake Clock Teapot"),
                t.words("Hat Clock Teapot Bunny CupCake"),
                t.words("Hat Bunny Teapot Clock John CupCake"),
                t.words("Bunny Teapot Hat Clock CupCake"),
                t.words("CupCake Hat Bunny Teapot Clock"),
            ],
            "free": [
                t.words("John Bunny Teapot Clock Hat"),
                t.words("James Clock Bunny Hat Jeff"),
                t.words("John Bunny James Hat Clock Jeff"),
                t.words("Jeff Teapot John Bunny Clock"),
                t.words("Hat Bunny Jeff James John"),
            ],
        },
        "free_spins": t.pays("3:1 4:2 5:3"),
        "cuckoo": {
            "picks": t.pays("3:1 4:2 5:3"),
            "values": [{"value": value, "weight": weight} for value, weight in VALUES.items()],
        },
    }
    return t.mad_hatters(**(settings | changed))


SMALL = small()


class Outcome(NamedTuple):
    """What a stopped window gives at line bet 1, multiplier included."""

    lines: int
    scatter: int
    bunnies: int
    picks: int


def played(tables: Tables, stops: Iterable[int], hatter: str | None, lines: int) -> Outcome:
    """One spin of the reference; its clocks all show the first value."""
    round_, _ = t.scripted_round(tables, [*stops, 0, 0, 0, 0, 0], (0, 1, 2, 3, 4), lines=lines)
    _, bunnies = reference.spin(round_, hatter)
    scatter = sum(int(event[3]) for event in t.named(round_.events, "scatter"))
    picks = sum(int(event[1]) for event in t.named(round_.events, "cuckoo"))
    [(_, spin_win)] = t.named(round_.events, "spin_win")
    return Outcome(int(spin_win) - scatter, scatter, bunnies, picks)


@cache
def outcomes(hatter: str | None, lines: int = 0) -> Counter[Outcome]:
    """All windows of SMALL: the paid spin's, or those of free spins with this hatter."""
    strips = SMALL["strips"]["base" if hatter is None else "free"]
    windows = itertools.product(*(range(len(strip)) for strip in strips))
    return Counter(played(SMALL, stops, hatter, lines or SMALL["max_lines"]) for stops in windows)


def average(counts: Counter[Outcome], what: str) -> Fraction:
    return Fraction(sum(getattr(outcome, what) * n for outcome, n in counts.items()), counts.total())


def spins_of(outcome: Outcome) -> int:
    return int(SMALL["free_spins"].get(str(outcome.bunnies), 0))


MEAN_VALUE = Fraction(sum(value * weight for value, weight in VALUES.items()), sum(VALUES.values()))


def enumerated(hatter: str, lines: int) -> dict[str, Fraction]:
    """Each source as a share of the total bet, by enumeration."""
    base, free = outcomes(None, lines), outcomes(hatter, lines)
    spins = Fraction(sum(spins_of(outcome) * n for outcome, n in base.items()), base.total())
    coins = {
        "lines": average(base, "lines"),
        "scatter": average(base, "scatter"),
        "cuckoo": average(base, "picks") * MEAN_VALUE,
        "free_spins.lines": spins * average(free, "lines"),
        "free_spins.scatter": spins * average(free, "scatter"),
        "free_spins.cuckoo": spins * average(free, "picks") * MEAN_VALUE,
    }
    return {name: value / lines for name, value in coins.items()}


def named(tables: Tables, lines: int | None = None, hatter: str | None = None) -> dict[str, Fraction]:
    return {source.name: source.value for source in mad_hatters.sources(tables, lines, hatter)}


# Sources


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize("hatter", HATTERS)
def test_sources_are_those_of_all_windows(hatter: str) -> None:
    expected = enumerated(hatter, 5)
    assert named(SMALL, hatter=hatter) == expected
    assert all(value > 0 for value in expected.values())


@pytest.mark.rule("PAR-04")
@pytest.mark.parametrize("lines", [1, 4])
def test_sources_of_fewer_lines_are_those_of_the_rows_they_cross(lines: int) -> None:
    assert named(SMALL, lines, "James") == enumerated("James", lines)


@pytest.mark.rule("PAR-04")
def test_cuckoo_alone_weighs_more_with_fewer_lines() -> None:
    one, five = named(SMALL, 1), named(SMALL, 5)
    assert one["cuckoo"] == 5 * five["cuckoo"]
    assert one["free_spins.cuckoo"] == 5 * five["free_spins.cuckoo"]
    assert one["scatter"] == five["scatter"]
    assert one["free_spins.scatter"] == five["free_spins.scatter"]


@pytest.mark.rule("MH-04")
def test_return_is_the_mean_over_the_hatters() -> None:
    returns = mad_hatters.by_hatter(SMALL)
    assert list(returns) == list(HATTERS)
    assert returns == {name: sum(enumerated(name, 5).values()) for name in HATTERS}
    assert len(set(returns.values())) == 3
    assert total(mad_hatters.sources(SMALL)) == sum(returns.values()) / 3
    assert mad_hatters.by_hatter(SMALL, 1)["Jeff"] == sum(enumerated("Jeff", 1).values())


def test_sources_are_all_exact() -> None:
    assert {(source.kind, source.error) for source in mad_hatters.sources(SMALL)} == {(EXACT, 0)}


@pytest.mark.parametrize(("lines", "hatter"), [(0, None), (6, None), (None, "Hatty")])
def test_sources_refuse_what_the_game_has_not(lines: int | None, hatter: str | None) -> None:
    with pytest.raises(UsageError):
        mad_hatters.sources(SMALL, lines, hatter)


def test_sources_of_the_game_take_under_50_ms() -> None:
    tables = game_tables("mad_hatters")
    took = []
    for _ in range(8):
        start = time.process_time()
        mad_hatters.sources(tables)
        took.append(time.process_time() - start)
    assert min(took) < 0.050


# Traps, on strips of three: each window shows the whole strip


def certain(base: str, free: str, **changed: object) -> Tables:
    return small(strips={"base": t.strips(base), "free": t.strips(free)}, **changed)


BUNNIES_AND_CLOCKS = "Bunny Bunny Bunny Bunny Bunny / Clock Clock Clock Clock Clock / Jeff Cake Hat Cake Jeff"
FREE = "Bunny Bunny Bunny Bunny Bunny / Clock Clock Clock Clock Clock / Jeff Cake John Cake Jeff"


@pytest.mark.rule("MH-02")
@pytest.mark.rule("MH-05")
def test_bunnies_and_clocks_count_before_the_expansion() -> None:
    found = named(certain(BUNNIES_AND_CLOCKS, FREE), hatter="John")
    assert found["scatter"] == 300
    assert found["cuckoo"] == 3 * MEAN_VALUE / 5
    assert found["free_spins.scatter"] == 3 * 2 * 300


@pytest.mark.rule("MH-06")
@pytest.mark.rule("MH-11")
def test_cuckoo_plays_in_free_spins_and_is_not_doubled() -> None:
    found = named(certain(BUNNIES_AND_CLOCKS, FREE))
    assert found["free_spins.cuckoo"] == 3 * found["cuckoo"]


@pytest.mark.rule("MH-07")
def test_free_spins_do_not_retrigger() -> None:
    always = named(certain(BUNNIES_AND_CLOCKS, FREE))
    never = named(certain(BUNNIES_AND_CLOCKS, FREE.replace("Bunny Bunny Bunny ", "Cake Cake Cake ")))
    assert always["free_spins.cuckoo"] == never["free_spins.cuckoo"]


@pytest.mark.rule("MH-09")
def test_only_adjacent_clocks_make_a_group() -> None:
    split = "Bunny Jeff Jeff Jeff Bunny / Clock Clock Cake Clock Clock / Jeff Cake Hat Cake Jeff"
    assert named(certain(split, FREE))["cuckoo"] == 0
    right = "Bunny Jeff Jeff Jeff Bunny / Clock Cake Clock Clock Clock / Jeff Cake Hat Cake Jeff"
    assert named(certain(right, FREE))["cuckoo"] == MEAN_VALUE / 5


@pytest.mark.rule("MH-02")
def test_return_depends_on_the_order_of_reel_3() -> None:
    others = [["Cake"] * 3, ["Cake"] * 3, ["Teapot"] * 3, ["Teapot"] * 3]

    def lines(reel_3: str) -> Fraction:
        strips = [*others[:2], t.words(reel_3), *others[2:]]
        return named(small(strips={"base": strips, "free": strips}))["lines"]

    assert lines("Hat Hat Jeff Jeff Jeff Jeff") == Fraction(4, 6) * 10
    assert lines("Hat Jeff Jeff Hat Jeff Jeff") == 10
    assert lines("Jeff Jeff Jeff Hat Jeff Jeff") == Fraction(3, 6) * 10


@pytest.mark.rule("MH-02")
@pytest.mark.rule("MH-05")
def test_reel_3_expands_by_the_mad_hat_or_by_the_hatter_never_by_both() -> None:
    calm = "Cake Cake {} Jeff Jeff / Cake Cake James Jeff Jeff / Cake Cake Teacup Jeff Jeff"
    bunnies = "Bunny Bunny Bunny Jeff Jeff / Cake Cake Hat Jeff Jeff / Cake Cake Jeff Jeff Jeff"
    found = {
        (symbol, hatter): named(certain(bunnies, calm.format(symbol)), hatter=hatter)["free_spins.lines"]
        for symbol in ("Hat", "Sundae")
        for hatter in ("James", "John")
    }
    # Cake x3 on every line, or on those that cross the Mad Hat's row, or on none.
    assert found == {
        ("Hat", "James"): 2 * 10,
        ("Sundae", "James"): 2 * 10,
        ("Hat", "John"): Fraction(2 * 10, 3),
        ("Sundae", "John"): 0,
    }


# Triggers


@pytest.mark.rule("PAR-03")
def test_triggers_are_those_of_all_windows() -> None:
    base = outcomes(None)
    free = outcomes("John")
    spins = Fraction(sum(spins_of(outcome) * n for outcome, n in base.items()), base.total())
    expected = {
        "free_spins": Fraction(sum(n for outcome, n in base.items() if spins_of(outcome)), base.total()),
        "cuckoo": Fraction(sum(n for outcome, n in base.items() if outcome.picks), base.total()),
        "free_spins.cuckoo": spins * Fraction(sum(n for outcome, n in free.items() if outcome.picks), free.total()),
    }
    assert {trigger.name: trigger.probability for trigger in mad_hatters.triggers(SMALL)} == expected


# Spread: the complete law of a round, made by folding

Weights = dict[int, int]


def fold(one: Weights, other: Weights) -> Weights:
    result: Counter[int] = Counter()
    for a, weight in one.items():
        for b, other_weight in other.items():
            result[a + b] += weight * other_weight
    return result


def picked(picks: int) -> Weights:
    """The law of what the first clocks picked of five give."""
    result: Counter[int] = Counter()
    for clocks in itertools.product(VALUES, repeat=5):
        weight = 1
        for value in clocks:
            weight *= VALUES[value]
        result[sum(clocks[:picks])] += weight
    return result


def spin_law(counts: Counter[Outcome]) -> Weights:
    law: Counter[int] = Counter()
    for picks in {outcome.picks for outcome in counts}:
        wins: Counter[int] = Counter()
        for outcome, windows in counts.items():
            if outcome.picks == picks:
                wins[outcome.lines + outcome.scatter] += windows
        law.update(fold(wins, picked(picks)))
    return law


def round_parts(hatter: str) -> Iterator[tuple[Weights, Fraction]]:
    """The law of the round's win by number of free spins, and the probability of one unit of weight."""
    base, free = outcomes(None), spin_law(outcomes(hatter))
    for spins in {spins_of(outcome) for outcome in base}:
        law = spin_law(Counter({outcome: n for outcome, n in base.items() if spins_of(outcome) == spins}))
        for _ in range(spins):
            law = fold(law, free)
        unit = base.total() * sum(VALUES.values()) ** 5 * sum(free.values()) ** spins
        yield law, Fraction(1, unit)


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize("hatter", ["John", "Jeff"])
def test_spread_is_that_of_complete_rounds(hatter: str) -> None:
    moments = [Fraction(0)] * 3
    for law, unit in round_parts(hatter):
        for power in range(3):
            moments[power] += sum(win**power * weight for win, weight in law.items()) * unit
    assert moments[0] == 1
    assert moments[1] / 5 == mad_hatters.by_hatter(SMALL)[hatter]
    spread = mad_hatters.spread(SMALL, hatter)
    assert spread.variance == (moments[2] - moments[1] ** 2) / 25
    assert spread.mean == moments[1] / 5
    assert spread.kind == EXACT


def test_spread_takes_the_first_hatter_unless_told() -> None:
    assert mad_hatters.spread(SMALL).variance == mad_hatters.spread(SMALL, "John").variance
    assert mad_hatters.spread(SMALL).variance != mad_hatters.spread(SMALL, "James").variance


@pytest.mark.rule("PAR-03")
def test_hit_frequency_counts_lines_scatter_and_cuckoo_of_the_paid_spin() -> None:
    base = outcomes(None)
    hits = sum(n for outcome, n in base.items() if outcome.lines or outcome.scatter or outcome.picks)
    spread = mad_hatters.spread(SMALL)
    assert spread.hit_frequency == Fraction(hits, base.total())
    assert any(outcome.picks and not outcome.lines + outcome.scatter for outcome in base)


def test_paid_spin_has_every_window_once() -> None:
    expected: Counter[int] = Counter()
    for outcome, windows in outcomes(None).items():
        expected[outcome.lines + outcome.scatter] += windows
    assert mad_hatters.spread(SMALL).paid_spin == expected


@pytest.mark.rule("MH-10")
def test_clocks_alone_make_the_spread_of_independent_values() -> None:
    clocks = "Jeff Cake Jeff Cake Jeff / Clock Clock Clock Clock Clock / Jeff Cake Cake Cake Jeff"
    law = picked(3)
    weight = sum(law.values())
    mean = Fraction(sum(value * n for value, n in law.items()), weight)
    square = Fraction(sum(value**2 * n for value, n in law.items()), weight)
    spread = mad_hatters.spread(certain(clocks, clocks))
    assert spread.variance == (square - mean**2) / 25
    assert spread.hit_frequency == 1


# Largest award


def replayed(tables: Tables) -> int:
    """Plays the steps of the largest award on the reference and returns what the round wins."""
    award = mad_hatters.largest_award(tables)
    entries = tables["cuckoo"]["values"]
    best = max(range(len(entries)), key=lambda at: entries[at]["value"])
    draw = sum(entry["weight"] for entry in entries[:best])
    draws: list[int] = []
    choices: list[int] = []
    for step in award.sequence:
        if chosen := re.fullmatch(r"choose (\w+)", step):
            choices.append(tables["hatters"].index(chosen[1]))
            continue
        times = int(found[1]) if (found := re.search(r"each of the (\d+) free spins", step)) else 1
        stops = re.search(r"stops ((?:\d+ ?)+)", step)
        cuckoo = re.search(r"cuckoo (\d) x", step)
        assert stops
        for _ in range(times):
            draws += map(int, stops[1].split())
            if cuckoo:
                draws += [draw] * 5
                choices += range(int(cuckoo[1]))
    round_, stream = t.scripted_round(tables, draws, choices, line_bet=award.line_bet)
    win = reference.play_round(round_)
    stream.assert_used_up()
    assert award.line_bet == tables["max_line_bet"]
    assert win == award.coins
    return win


@pytest.mark.rule("PAR-05")
@pytest.mark.parametrize("free_spins", [{}, SMALL["free_spins"]])
@pytest.mark.parametrize("value", [30, 100_000])
def test_largest_award_is_the_largest_of_all_windows(free_spins: dict[str, int], value: int) -> None:
    def best(hatter: str) -> int:
        return max(outcome.lines + outcome.scatter + outcome.picks * value for outcome in outcomes(hatter))

    free = max(best(hatter) for hatter in HATTERS)
    expected = max(
        outcome.lines + outcome.scatter + outcome.picks * value + free_spins.get(str(outcome.bunnies), 0) * free
        for outcome in outcomes(None)
    )
    values = [{"value": 5, "weight": 2}, {"value": value, "weight": 1}, {"value": 4, "weight": 3}]
    tables = small(free_spins=free_spins, cuckoo=SMALL["cuckoo"] | {"values": values})
    assert replayed(tables) == expected * tables["max_line_bet"]


@pytest.mark.rule("PAR-05")
def test_largest_award_chooses_the_best_hatter() -> None:
    bunnies = "Bunny Bunny Bunny Jeff Jeff / Cake Cake Hat Jeff Jeff / Cake Cake Jeff Jeff Jeff"
    calm = "James James James Teapot Teapot / James James Cake Teapot Teapot / James James Jeff Teapot Teapot"
    tables = certain(bunnies, calm)
    assert "choose James" in mad_hatters.largest_award(tables).sequence
    assert replayed(tables) > 0


@pytest.mark.rule("PAR-05")
def test_largest_award_of_the_game_is_reached_by_its_sequence() -> None:
    assert replayed(game_tables("mad_hatters")) > 0


# The game's own strips


@pytest.mark.rule("MH-02")
def test_base_reel_3_never_shows_bunny_or_clock_with_a_mad_hat() -> None:
    tables = game_tables("mad_hatters")
    strip = tables["strips"]["base"][2]
    for stop in range(len(strip)):
        window = {strip[(stop + row) % len(strip)] for row in range(3)}
        assert tables["wild"] not in window or not window & {tables["scatter_symbol"], tables["clock"]}, stop
