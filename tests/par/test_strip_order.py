"""Orders of strips: they keep the spacing of the design, and a strip that breaks it is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from host_tools.errors import UsageError
from host_tools.par.designed_figures import changed
from host_tools.par.strip_order import Spacing, order, spacing, spacing_violations, symbols_of, violations
from host_tools.tables import GAMES, game_tables

APART = Spacing(apart=(frozenset({"s", "w"}),))


def windows(strip: Sequence[Any]) -> list[list[str]]:
    """All windows of a strip."""
    symbols = symbols_of(strip)
    around = symbols + symbols[:2]
    return [around[stop : stop + 3] for stop in range(len(symbols))]


def shows(strip: Sequence[str], piece: Sequence[str]) -> bool:
    """Whether a piece stands somewhere on a strip, counted around."""
    around = [*strip, *strip]
    return any(around[at : at + len(piece)] == list(piece) for at in range(len(strip)))


def with_strip(game: str, mode: str, reel: int, text: str) -> dict[str, Any]:
    """The tables of a game with another strip."""
    return changed(game_tables(game), {("strips", mode, reel): text.split()})


@pytest.mark.rule("G-10")
@pytest.mark.parametrize("game", GAMES)
def test_strips_of_the_games_keep_their_spacing(game: str) -> None:
    assert spacing_violations(game_tables(game)) == []


@pytest.mark.rule("MH-02")
@pytest.mark.rule("MH-05")
def test_mad_hat_on_reel_3_never_covers_bunny_or_clock() -> None:
    tables = game_tables("mad_hatters")
    special = {tables["wild"], tables["scatter_symbol"], tables["clock"]}
    for mode in tables["modes"]:
        for window in windows(tables["strips"][mode][2]):
            assert sum(symbol in special for symbol in window) <= 1


@pytest.mark.rule("G-10")
@pytest.mark.parametrize("game", ["mad_hatters", "mad_mad_monkey", "haunted_house"])
def test_windows_of_a_reel_show_one_scatter_at_most(game: str) -> None:
    tables = game_tables(game)
    for strips in tables["strips"].values():
        for strip in strips:
            assert all(window.count(tables["scatter_symbol"]) <= 1 for window in windows(strip))


@pytest.mark.parametrize(
    ("game", "mode", "reel", "strip", "fault"),
    [
        ("mad_hatters", "base", 2, "mad_hat john bunny john james jeff", "share a window"),
        ("mad_hatters", "free", 2, "john james jeff cuckoo_clock john mad_hat", "share a window"),
        ("mad_hatters", "base", 0, "bunny john james jeff john bunny", "share a window"),
        ("mad_hatters", "base", 0, "bunny john john john john teacup", "4 john in a row"),
        ("mad_mad_monkey", "base", 1, "logo monkey monkey banana ten jack", "2 monkey in a row"),
        ("mad_mad_monkey", "base", 0, "logo monkey monkey monkey banana ten", "there is a monkey"),
        ("mad_mad_monkey", "base", 4, "banana logo ten jack banana", "2 banana in a row"),
        ("mad_mad_monkey", "free", 4, "banana logo ten jack king", "no stack of banana"),
        ("mad_mad_monkey", "free", 4, "banana banana logo ten logo", "share a window"),
        ("santa_vs_rudolf", "base", 0, "rudolf ten rudolf jack ace king", "share a window"),
        ("santa_vs_rudolf", "base", 0, "rudolf ten ace jack santa king", "there is a santa"),
        ("santa_vs_rudolf", "base_respin", 2, "rudolf ten ace jack", "there is a rudolf"),
        ("santa_vs_rudolf", "free", 3, "rudolf ten santa jack ace king", "share a window"),
        ("santa_vs_rudolf", "rudolf", 3, "santa ten ace jack", "there is a santa"),
        ("haunted_house", "base", 3, "haunted_house lemon haunted_house plum", "share a window"),
        ("haunted_house", "base", 3, "haunted_house lemon pumpkin plum", "there is a pumpkin"),
    ],
)
def test_a_broken_strip_is_found(game: str, mode: str, reel: int, strip: str, fault: str) -> None:
    found = spacing_violations(with_strip(game, mode, reel, strip))
    assert found
    assert all(line.startswith(f"{mode} reel {reel + 1}: ") for line in found)
    assert any(fault in line for line in found)


def test_positions_are_counted_around_the_strip() -> None:
    assert violations(list("sababaw"), APART) == ["w at 6 and s at 0 share a window"]
    assert violations(list("sababwa"), APART) == ["w at 5 and s at 0 share a window"]
    assert violations(list("sabawbb"), APART) == []
    assert violations(list("aabaa"), Spacing()) == ["4 a in a row at 3"]


@pytest.mark.parametrize("game", GAMES)
def test_orders_of_the_games_counts_keep_the_spacing(game: str) -> None:
    tables = game_tables(game)
    for mode in tables["modes"]:
        for reel, strip in enumerate(tables["strips"][mode]):
            counts, keep = Counter(symbols_of(strip)), spacing(tables, mode, reel)
            for seed in range(3):
                found = order(counts, keep, seed)
                assert Counter(found) == counts
                assert violations(found, keep) == []


def test_order_follows_from_the_seed_alone() -> None:
    counts = {"a": 5, "b": 4, "s": 2, "c": 3}
    assert order(counts, APART, 1) == order(dict(reversed(counts.items())), APART, 1)
    assert len({tuple(order(counts, APART, seed)) for seed in range(10)}) > 5


def test_pieces_stand_on_the_strip_as_they_are() -> None:
    piece = ["a", "b", "x", "x", "c", "a"]
    for seed in range(20):
        found = order({"a": 6, "b": 4, "c": 4, "x": 2, "s": 1}, APART, seed, [piece])
        assert shows(found, piece)
        assert Counter(found) == {"a": 6, "b": 4, "c": 4, "x": 2, "s": 1}


def test_runs_have_the_lengths_that_are_asked_for() -> None:
    keep = Spacing(runs={"m": (3,), "b": (1,)}, stacked=frozenset({"c"}))
    for seed in range(20):
        text = "".join(order({"m": 6, "b": 3, "c": 4, "d": 5}, keep, seed))
        around = (text * 3).replace("mmm", "M")
        assert "M" in around
        assert "m" not in around[2:-2]
        assert "bb" not in text + text[0]
        assert "cc" in text + text[0]


@pytest.mark.parametrize(
    ("counts", "keep", "pieces", "message"),
    [
        ({"s": 2, "w": 1, "a": 5}, APART, [], "no order"),
        ({"m": 4, "a": 5}, Spacing(runs={"m": (3,)}), [], "do not fit their runs"),
        ({"a": 2, "b": 2}, Spacing(), [["a", "b", "a", "a"]], "more than its counts"),
    ],
)
def test_impossible_orders_are_refused(
    counts: dict[str, int], keep: Spacing, pieces: list[list[str]], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        order(counts, keep, 1, pieces)
