"""The simulator: the same rounds as the reference when given its draws, and the exact return with draws of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from host_tools.errors import CheckFailed, FileError, ToolMissing, UsageError
from host_tools.par import simulation
from host_tools.par.compiled import COMPILED
from host_tools.par.figures import Source
from host_tools.par.frozen import frozen_sources, read_frozen
from host_tools.par.simulation import (
    CHUNK_ROUNDS,
    TOTAL,
    Counted,
    Simulated,
    kernels_hash,
    play_rounds,
    rounds_per_s,
    simulate,
    z_scores,
)
from host_tools.par.simulators import kernels, random_state, simulator
from host_tools.par.table_hash import tables_hash
from host_tools.reference import common
from host_tools.reference.common import Event
from host_tools.reference.play import play
from host_tools.reference.stream import Stream
from host_tools.tables import GAMES, game_tables

Tables = dict[str, Any]
Draw = tuple[int, int]

EDGES = (1, 10, 100, 1000)
NO_DRAWS = np.zeros((0, 2), np.int64)


# The same draws, the same rounds


def _recorded_round(tables: Tables, number: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Event], list[Draw]]:
    """A round on the reference with random choices, and its draws and choices in order, each with its bound."""
    draws: list[Draw] = []
    chooser = random.Random(number)

    class Recorded(Stream):
        def below(self, n: int) -> int:
            draw = super().below(n)
            draws.append((n, draw))
            return draw

    def choose(kind: int, options: tuple[int, ...]) -> int:
        at = chooser.randrange(len(options))
        draws.append((len(options), at))
        return options[at]

    monkeypatch.setattr(common, "Stream", Recorded)
    seed = number.to_bytes(16, "big")
    return play(tables, line_bet=1, lines=tables["max_lines"], seed=seed, choose=choose), draws


def _replayed_round(tables: Tables, draws: list[Draw]) -> Counted:
    """The round that the kernel makes of recorded draws; it must use all of them."""
    game = tables["game"]
    state = np.zeros(kernels.RANDOM_WORDS, np.uint64)
    counted = play_rounds(_played_by(tables), game, EDGES, 0, 1, state, np.array(draws, np.int64))
    assert state[kernels.RANDOM_WORDS - 1] == len(draws)
    return counted


_BUILT: dict[int, tuple[Tables, Any]] = {}


def _played_by(tables: Tables) -> Any:
    if id(tables) not in _BUILT:
        build = simulator(tables["game"]).kernel_tables
        _BUILT[id(tables)] = tables, build(tables, None) if "hatters" in tables else build(tables)
    return _BUILT[id(tables)][1]


def _told(tables: Tables, events: list[Event]) -> tuple[Counter[str], Counter[str], bool]:
    """Coins by source, triggers, and whether the paid spin won, as the events of a round tell them."""
    wins: Counter[str] = Counter()
    triggers: Counter[str] = Counter()
    santa = tables["game"] == "santa_vs_rudolf"
    hit = free = bonus = False
    spins = scatter = 0
    for name, *numbers in events:
        inside = "free_spins." if free else ""
        coins = int(numbers[-1]) if numbers else 0
        if name == "spin":
            spins += 1
            scatter = 0
        elif name == "scatter":
            scatter = coins
            wins[f"{inside}scatter"] += coins
        elif name == "spin_win":
            if santa and spins > 1 and not free:
                inside = "respins."
            wins["rudolf_spins" if bonus else f"{inside}lines"] += coins - scatter
        elif name == "cuckoo":
            triggers[f"{inside}cuckoo"] += 1
        elif name == "cuckoo_pick":
            wins[f"{inside}cuckoo"] += coins
        elif name == "trail":
            feature = "full_moon" if int(numbers[0]) == len(tables["bonus_trail"]) else "trail"
            triggers[feature] += 1
            triggers[f"{feature}.base"] += not free
            wins[f"{inside}trail"] += coins
        elif name == "full_moon_win":
            wins[f"{inside}full_moon"] += coins
        elif name == "merge":
            triggers[f"{inside}merges"] += 1
        elif name == "gifts_win":
            triggers["gifts"] += 1
            wins["gifts"] += coins
        elif name == "rudolf_spins":
            triggers["rudolf_spins"] += 1
            bonus = True
        elif name == "award":
            triggers["free_spins" if not free else "free_spins.retrigger"] += 1
            free = True
        elif name == "feature_end":
            free = bonus = False
        if spins == 1 and not free and name in ("spin_win", "cuckoo_pick", "trail", "full_moon_win"):
            hit = hit or coins > 0
    if santa:
        triggers["bonus"] = triggers["gifts"] + triggers["rudolf_spins"]
        del triggers["free_spins.retrigger"]  # its merges are counted instead
    assert sum(wins.values()) == events[-1][1]
    return +wins, +triggers, hit


def _strip(chooser: random.Random, length: int, fillers: list[str], special: dict[int, str]) -> list[str]:
    """A strip of random symbols with special ones at their places."""
    return [special.get(at) or chooser.choice(fillers) for at in range(length)]


def _eventful_tables(game: str, length: int = 13) -> Tables:
    """Small tables on which all that is rare in the game happens often, the more so the shorter their strips are."""
    tables = game_tables(game)
    chooser = random.Random(game)
    pays = list(tables["line_pays"])
    if game == "mad_hatters":
        fillers = [name for name in pays if name != "mad_hat"][:6]
        strips = [_strip(chooser, length, fillers, {0: "bunny", 4: "cuckoo_clock", 8: "mad_hat"}) for _ in range(10)]
        changed = {"strips": {"base": strips[:5], "free": strips[5:]}}
    elif game == "mad_mad_monkey":
        wild = {0: "logo", 5: "monkey", 6: "monkey", 7: "monkey"}
        strips = [_strip(chooser, length, pays[:4], wild if 0 < reel < 4 else {0: "logo"}) for reel in [*range(5)] * 2]
        changed = {"strips": {"base": strips[:5], "free": strips[5:]}, "free_spins_limit": 25}
    elif game == "haunted_house":
        fillers = [name for name in pays if name != "pumpkin"][:5]
        strips = [_strip(chooser, length, fillers, {0: "haunted_house"}) for _ in range(5)]
        strips += [_strip(chooser, length, fillers, {0: "haunted_house", 5: "pumpkin"}) for _ in range(5)]
        iconed = [[[symbol, chooser.choice((0, 0, 1, 2))] for symbol in strip] for strip in strips]
        moon = {**tables["full_moon"], "cashpot_limit": 60}
        changed = {"strips": {"base": iconed[:5], "free": iconed[5:]}, "free_spins_limit": 25, "full_moon": moon}
    else:
        ends: list[dict[int, str]] = [{0: "rudolf"}, {}, {}, {}, {0: "santa"}]
        both: list[dict[int, str]] = [{0: "rudolf", 20: "santa"}] * 5
        lengths = {"base": 13, "base_respin": 13, "free": 40, "free_respin": 40, "rudolf": 13}
        wilds = {"base": ends, "base_respin": ends, "free": both, "free_respin": both, "rudolf": [{}] * 5}
        changed = {
            "strips": {
                mode: [_strip(chooser, lengths[mode], pays[:4], reel) for reel in wilds[mode]]
                for mode in tables["modes"]
            },
            "free_spins_limit": 22,
            "meter_length": 3,
            "rudolf_spins": {**tables["rudolf_spins"], "cap": 1500},
        }
    return {**tables, **changed}


def _compare_rounds(tables: Tables, rounds: int, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Compares rounds with the reference; returns how often each trigger, a clamp and an award of 0 happened."""
    kernel = simulator(tables["game"])
    seen: Counter[str] = Counter()
    for number in range(rounds):
        events, draws = _recorded_round(tables, number, monkeypatch)
        counted = _replayed_round(tables, draws)
        wins, triggers, hit = _told(tables, events)
        where = f"{tables['game']} round {number}"
        assert +Counter(dict(zip(kernel.sources, counted.wins, strict=True))) == wins, where
        assert +Counter(dict(zip(kernel.triggers, counted.triggers, strict=True))) == triggers, where
        total = wins.total()
        assert counted.hits == hit, where
        assert counted.largest == total, where
        assert counted.squares == [wins[name] ** 2 for name in kernel.sources] + [total**2], where
        assert counted.histogram.index(1) == sum(total >= edge for edge in EDGES), where
        seen += triggers
        seen["clamp"] += any(event[0] == "clamp" for event in events)
        seen["award 0"] += ("award", 0) in events
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_kernel_plays_the_rounds_of_the_reference(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare_rounds(game_tables(game), 2000, monkeypatch)


@pytest.mark.parametrize(
    ("game", "rounds", "rare"),
    [
        ("mad_hatters", 1000, ("free_spins", "cuckoo", "free_spins.cuckoo")),
        ("mad_mad_monkey", 1000, ("free_spins", "free_spins.retrigger", "award 0")),
        (
            "haunted_house",
            1000,
            ("free_spins", "free_spins.retrigger", "award 0", "trail", "full_moon", "full_moon.base"),
        ),
        (
            "santa_vs_rudolf",
            200,
            ("free_spins", "merges", "free_spins.merges", "gifts", "rudolf_spins", "award 0", "clamp"),
        ),
    ],
)
def test_kernel_plays_rare_features_like_the_reference(
    game: str, rounds: int, rare: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = _compare_rounds(_eventful_tables(game), rounds, monkeypatch)
    for what in rare:
        assert seen[what] >= 5, f"{what}: {seen}"


@pytest.mark.skipif(not COMPILED, reason="without numba it is the plain loop that is tested")
def test_plain_loops_count_the_same_as_compiled_ones() -> None:
    program = (
        "from host_tools.par.simulation import simulate\n"
        "from host_tools.par.compiled import COMPILED\n"
        "from host_tools.tables import GAMES, game_tables\n"
        "assert not COMPILED\n"
        "for game in GAMES:\n"
        "    print(repr(simulate(game_tables(game), 500, 7)))\n"
    )
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PICOCAB_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.splitlines() == [repr(simulate(game_tables(game), 500, 7)) for game in GAMES]


# Draws


def test_random_words_are_those_of_the_published_generator() -> None:
    # The vector of the reference implementation by Blackman and Vigna, from the state 1, 2, 3, 4.
    state = np.zeros(kernels.RANDOM_WORDS, np.uint64)
    state[:4] = 1, 2, 3, 4
    with np.errstate(over="ignore"):
        words = [int(kernels._next_word(state)) for _ in range(6)]
    assert words == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
    ]


@pytest.mark.parametrize("n", [1, 2, 7, 32, 37, 42, 75, 257, 52_000, 65_535, 65_536])
def test_draws_below_a_number_have_no_bias(n: int) -> None:
    """Of all 65,536 pieces those that are accepted fall on each number equally often."""
    state = random_state(1, 0)
    counts: Counter[int] = Counter()
    with np.errstate(over="ignore"):
        for piece in range(65_536):
            before = state[:4].copy()
            state[4:6] = piece, 1  # a word that has only this piece left
            number = kernels._below(state, NO_DRAWS, n)
            if (state[:4] == before).all():  # else it was rejected and another word was drawn
                counts[number] += 1
    assert counts == dict.fromkeys(range(n), 65_536 // n)


def test_chunks_have_random_states_of_their_own() -> None:
    states = {random_state(seed, number)[:4].tobytes() for seed in range(20) for number in range(20)}
    assert len(states) == 400
    spawned = np.random.SeedSequence(5).spawn(3)[2].generate_state(4, np.uint64)
    assert (random_state(5, 2)[:4] == spawned).all()


def test_recorded_draws_of_another_round_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = game_tables("mad_hatters")
    _, draws = _recorded_round(tables, 1, monkeypatch)
    with pytest.raises(ValueError, match="not those of this round"):
        _replayed_round(tables, [(n + 1, number) for n, number in draws])
    with pytest.raises(ValueError, match="not those of this round"):
        _replayed_round(tables, draws[:-1])


# The result


ROUNDS = 3 * CHUNK_ROUNDS + 1000


@pytest.fixture(scope="module")
def done() -> Simulated:
    return simulate(game_tables("mad_mad_monkey"), ROUNDS, 3)


def test_result_does_not_depend_on_the_number_of_workers(done: Simulated) -> None:
    played: list[int] = []
    assert simulate(game_tables("mad_mad_monkey"), ROUNDS, 3, workers=2, progress=played.append) == done
    assert sorted(played) == [1000, CHUNK_ROUNDS, CHUNK_ROUNDS, CHUNK_ROUNDS]


def test_cluster_has_the_same_result(done: Simulated) -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="inproc"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert simulate(game_tables("mad_mad_monkey"), ROUNDS, 3, client=client) == done


def test_cluster_of_other_sources_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        monkeypatch.setattr(client, "run", lambda function: {"tcp://elsewhere": "other"})
        with pytest.raises(ToolMissing, match="tcp://elsewhere plays by other sources"):
            simulate(game_tables("mad_mad_monkey"), ROUNDS, 1, client=client)


def test_kernels_hash_tells_other_sources(tmp_path: Path) -> None:
    folder = tmp_path / "par"
    shutil.copytree(Path(simulation.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert kernels_hash(folder) == kernels_hash()
    changed = folder / "simulators" / "kernels.py"
    changed.write_text(changed.read_text().replace("1", "2", 1))
    assert kernels_hash(folder) != kernels_hash()


def test_killed_worker_is_told() -> None:
    children = set(multiprocessing.active_children())

    def kill(_: int) -> None:
        for child in set(multiprocessing.active_children()) - children:
            os.kill(child.pid or 0, signal.SIGKILL)

    with pytest.raises(CheckFailed, match="a worker process was killed"):
        simulate(game_tables("mad_mad_monkey"), 8_000_000, 1, workers=2, progress=kill)


def test_another_seed_has_another_result(done: Simulated) -> None:
    assert simulate(game_tables("mad_mad_monkey"), ROUNDS, 4).wins != done.wins


def test_counts_belong_together(done: Simulated) -> None:
    assert done.rounds == sum(done.histogram) == ROUNDS
    assert done.wins[TOTAL] == sum(coins for source, coins in done.wins.items() if source != TOTAL)
    assert done.largest**2 <= done.squares[TOTAL] <= done.largest * done.wins[TOTAL]
    highest = max(at for at, rounds in enumerate(done.histogram) if rounds)
    assert done.edges[highest - 1] <= done.largest
    assert highest == len(done.edges) or done.largest < done.edges[highest]
    chunks = [CHUNK_ROUNDS, 2 * CHUNK_ROUNDS, ROUNDS]
    assert [rounds for rounds, _ in done.path] == chunks
    assert done.path[-1] == (ROUNDS, done.wins[TOTAL])
    first = simulate(game_tables("mad_mad_monkey"), CHUNK_ROUNDS, 3)
    assert first.path == done.path[:1]


def test_largest_awards_of_a_chunk_do_not_overflow() -> None:
    """A line pay as high as the sums allow, on every line of every spin."""
    tables = game_tables("mad_mad_monkey")
    pay = 3 * 10**9 // 50
    one = {"base": [["banana"] * 3] * 5, "free": [["banana"] * 3] * 5}
    huge = {**tables, "strips": one, "line_pays": {"banana": {"5": pay}}}
    counted = simulate(huge, CHUNK_ROUNDS, 1)
    assert counted.wins[TOTAL] == CHUNK_ROUNDS * 50 * pay
    assert counted.squares[TOTAL] == CHUNK_ROUNDS * (50 * pay) ** 2
    assert counted.sigma() == 0


def test_hatter_is_the_one_that_was_chosen() -> None:
    tables = _eventful_tables("mad_hatters")
    chosen = [simulate(tables, 20_000, 1, hatter=hatter) for hatter in tables["hatters"]]
    shares = {float(one.share("free_spins.lines")) for one in chosen}
    assert len(shares) == 3
    mixed = simulate(tables, 20_000, 1)
    error = sum(one.standard_error() for one in chosen)
    assert abs(float(mixed.share() - sum(one.share() for one in chosen) / 3)) < 2 * error


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rounds": 0}, "0 rounds"),
        ({"seed": -1}, "seed -1"),
        ({"workers": 0}, "0 workers"),
        ({"hatter": "john"}, "no hatter to choose"),
    ],
)
def test_impossible_simulation_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        simulate(game_tables("haunted_house"), **{"rounds": 1, "seed": 1, **changed})


def test_unknown_hatter_is_refused() -> None:
    with pytest.raises(UsageError, match="no hatter is called"):
        simulate(game_tables("mad_hatters"), 1, 1, hatter="alice")


def test_rate_is_measured_with_whole_rounds() -> None:
    assert rounds_per_s("mad_hatters", 0.05) > 100


# The exact return


def test_z_scores_count_standard_errors(done: Simulated) -> None:
    exact = [
        Source(name, done.share(name) - Fraction(2 * done.standard_error(name))) for name in done.wins if name != TOTAL
    ]
    scores = z_scores(done, exact)
    assert scores.keys() == done.wins.keys()
    for source in exact:
        assert scores[source.name] == pytest.approx(2)
    without = sum(float(source.value) for source in exact)
    assert scores[TOTAL] == pytest.approx((float(done.share()) - without) / done.standard_error())
    cut = Source("free_spins.limit", -Fraction(done.standard_error()))
    assert z_scores(done, [*exact, cut])[TOTAL] == pytest.approx(scores[TOTAL] + 1)
    with pytest.raises(ValueError, match=exact[0].name):
        z_scores(done, exact[1:])


def test_z_score_of_a_source_that_never_won(done: Simulated) -> None:
    never = replace(done, wins=done.wins | {"scatter": 0}, squares=done.squares | {"scatter": 0})
    nothing = [Source(name, Fraction(0)) for name in never.wins if name != TOTAL]
    assert z_scores(never, nothing)["scatter"] == 0
    some = [replace(source, value=Fraction(1, 10)) for source in nothing]
    assert z_scores(never, some)["scatter"] == -np.inf


def _limits(mathematics: Any, tables: Tables) -> list[Source]:
    """What the limits cut off the return, where the game's `sources` leave it out."""
    return [getattr(mathematics, name)(tables) for name in ("limit_source", "cut_source") if hasattr(mathematics, name)]


def _exact(tables: Tables) -> list[Source]:
    """The return as it was frozen when that was for these tables, else computed, which can take a minute."""
    with contextlib.suppress(FileError):
        frozen = read_frozen(tables["game"])
        if frozen["tables_sha256"] == tables_hash(tables):
            return frozen_sources(frozen)
    mathematics = _mathematics(tables["game"])
    return [*mathematics.sources(tables), *_limits(mathematics, tables)]


def _mathematics(game: str) -> Any:
    """The module of the game's exact figures."""
    return import_module(f"host_tools.par.{game}")


@pytest.mark.rule("PAR-02")
@pytest.mark.parametrize("game", GAMES)
def test_million_rounds_agree_with_the_exact_return(game: str) -> None:
    tables = game_tables(game)
    scores = z_scores(simulate(tables, 1_000_000, 11), _exact(tables))
    assert abs(scores[TOTAL]) < 3.5, scores
    # There are many of them, and those of rare features are far from normal.
    assert all(abs(score) < 5 for score in scores.values()), scores


@pytest.mark.rule("PAR-02")
@pytest.mark.parametrize("game", ["mad_hatters", "mad_mad_monkey", "haunted_house"])
def test_rare_features_agree_with_the_exact_figures(game: str) -> None:
    """On small tables, as a million rounds of the real game see too few to tell what they return."""
    mathematics = _mathematics(game)
    tables = _eventful_tables(game, length=26) | {"free_spins_limit": 250}
    if "full_moon" in tables:
        tables["full_moon"] = game_tables(game)["full_moon"]
    simulated = simulate(tables, 300_000, 12)
    scores = z_scores(simulated, mathematics.sources(tables))
    assert all(abs(score) < 4 for score in scores.values()), scores
    for trigger in mathematics.triggers(tables):
        mean = float(trigger.probability) * simulated.rounds
        # Triggers in free spins come in bunches, their number spreads more than a Poisson number.
        assert abs(simulated.triggers[trigger.name] - mean) < 8 * mean**0.5, trigger.name


@pytest.mark.rule("PAR-02")
@pytest.mark.parametrize("game", ["mad_hatters", "mad_mad_monkey", "haunted_house"])
def test_spread_agrees_with_the_exact_figures(game: str) -> None:
    mathematics, tables = _mathematics(game), _eventful_tables(game, length=26)
    chosen = {"hatter": tables["hatters"][1]} if "hatters" in tables else {}
    exact = mathematics.spread(tables, **chosen)
    simulated = simulate(tables, 300_000, 14, **chosen)
    hits = float(exact.hit_frequency)
    assert abs(simulated.hit_frequency - hits) < 3.5 * (hits * (1 - hits) / simulated.rounds) ** 0.5
    assert simulated.sigma() == pytest.approx(float(exact.variance) ** 0.5, rel=0.02)


@pytest.mark.rule("PAR-02")
@pytest.mark.parametrize("game", ["mad_mad_monkey", "haunted_house"])
def test_limits_cut_what_the_exact_figures_say(game: str) -> None:
    mathematics, tables = _mathematics(game), _eventful_tables(game)
    simulated = simulate(tables, 300_000, 13)
    limits = _limits(mathematics, tables)
    assert abs(z_scores(simulated, mathematics.sources(tables) + limits)[TOTAL]) < 3.5
    assert z_scores(simulated, mathematics.sources(tables))[TOTAL] < -10  # so much would be missed without them
