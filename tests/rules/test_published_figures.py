"""Every published figure of the games, typed by hand a second time: core and reference share their tables."""

from __future__ import annotations

from types import ModuleType

import pytest
from rules.games import haunted_house, mad_hatters, mad_mad_monkey, santa_vs_rudolf
from rules.lines import line_table

pytestmark = pytest.mark.rule("PAR-06")


def pays(module: ModuleType, name: str) -> dict[int, int]:
    """What a symbol pays, by count."""
    at = 6 * module.SYMBOLS.index(name)
    return {count: module.PAYS[at + count] for count in range(6) if module.PAYS[at + count]}


def pay_for_two(module: ModuleType) -> set[str]:
    """The symbols that pay for two of a kind."""
    return {name for name in module.SYMBOLS if 2 in pays(module, name)}


# Rows top to bottom of each line, drawn by hand: x marks the cell of the reel.
SANTA_LINES = """
..... xxxxx ..... x...x ..x.. xx.xx ..... ..... .xxx. .x.x. ..... x.x.x ..... ..x.. ..... x...x ..... x.x.x .x.x. x...x
xxxxx ..... ..... .x.x. .x.x. ..x.. ..x.. x...x x...x x.x.x x.x.x .x.x. .x.x. xx.xx xx.xx .xxx. .xxx. ..... ..... .....
..... ..... xxxxx ..x.. x...x ..... xx.xx .xxx. ..... ..... .x.x. ..... x.x.x ..... ..x.. ..... x...x .x.x. x.x.x .xxx.
"""


def drawn_lines(picture: str) -> list[str]:
    """Line patterns from their picture."""
    rows = [row.split() for row in picture.strip().splitlines()]
    return [
        "".join(str(1 + next(row for row in range(3) if rows[row][line][reel] == "x")) for reel in range(5))
        for line in range(len(rows[0]))
    ]


def test_santa_vs_rudolf_has_the_published_lines() -> None:
    lines = drawn_lines(SANTA_LINES)
    assert len(lines) == 20
    assert santa_vs_rudolf.LINE_PATTERNS.split() == lines
    assert line_table(" ".join(lines)) == santa_vs_rudolf.LINES


def test_santa_vs_rudolf_is_played_on_20_fixed_lines_at_bet_levels_1_to_10() -> None:
    assert (santa_vs_rudolf.MAX_LINES, santa_vs_rudolf.LINES_FIXED, santa_vs_rudolf.MAX_LINE_BET) == (20, True, 10)


def test_santa_vs_rudolf_coin_values() -> None:
    coins = "0.01 0.02 0.03 0.04 0.05 0.06 0.07 0.08 0.09 0.10 0.12 0.15 0.20 0.25 0.35 0.50 0.75"
    coins += " 1.00 1.25 1.50 2.00 2.50 3.75 5.00 7.50 10.00 15.00 20.00"
    assert [int(coin.replace(".", "")) for coin in coins.split()] == list(santa_vs_rudolf.COIN_SIZES_MINOR)


@pytest.mark.parametrize(
    ("name", "three", "four", "five"),
    [
        ("sleigh", 20, 150, 500),
        ("sack", 15, 100, 400),
        ("bells", 10, 80, 300),
        ("globe", 5, 60, 200),
        ("list", 5, 50, 150),
        ("ace", 4, 30, 100),
        ("king", 3, 25, 75),
        ("queen", 3, 20, 60),
        ("jack", 2, 15, 60),
        ("ten", 2, 15, 60),
    ],
)
def test_santa_vs_rudolf_pays(name: str, three: int, four: int, five: int) -> None:
    assert pays(santa_vs_rudolf, name) == {3: three, 4: four, 5: five}


def test_santa_vs_rudolf_wilds_have_no_pays() -> None:
    assert santa_vs_rudolf.SYMBOLS[10:] == ("rudolf", "santa", "merged", "reindeer")
    assert [pays(santa_vs_rudolf, name) for name in santa_vs_rudolf.SYMBOLS[10:]] == [{}] * 4


def test_santa_vs_rudolf_caps_at_bet_level_10() -> None:
    prizes = sum(sum(prizes) for prizes in santa_vs_rudolf.GIFT_PRIZES)
    assert prizes * santa_vs_rudolf.GIFT_MAX_MULTIPLIER * 10 == 37_600
    assert santa_vs_rudolf.RUDOLF_SPIN_CAP * 10 == 90_000
    assert len(santa_vs_rudolf.GIFT_PRIZES) == 3
    assert all(len(prizes) == 3 for prizes in santa_vs_rudolf.GIFT_PRIZES)


def test_santa_vs_rudolf_free_spins_and_meters() -> None:
    assert santa_vs_rudolf.MERGE_FREE_SPINS == 10
    assert santa_vs_rudolf.MERGE_FREE_SPINS_LIMIT == 30
    assert santa_vs_rudolf.FREE_MERGE_FREE_SPINS == 4
    assert santa_vs_rudolf.METER_LENGTH == 8
    assert (santa_vs_rudolf.RUDOLF_SPINS, santa_vs_rudolf.RUDOLF_WILDS) == (3, 5)


def test_mad_hatters_is_played_on_1_to_30_lines_at_1_to_10_coins() -> None:
    assert (mad_hatters.MAX_LINES, mad_hatters.LINES_FIXED, mad_hatters.MAX_LINE_BET) == (30, False, 10)


def test_mad_hatters_pays() -> None:
    assert pays(mad_hatters, "mad_hat")[5] == 20_000
    assert pays(mad_hatters, "john")[5] == 2_000
    assert pays(mad_hatters, "teapot")[5] == 400
    assert pays(mad_hatters, "teapot")[3] == 12
    assert pays(mad_hatters, "cup_cake")[2] == 2
    assert pay_for_two(mad_hatters) == {"mad_hat", "teacup", "cup_cake"}


def test_mad_hatters_symbols_from_the_highest() -> None:
    assert mad_hatters.SYMBOLS == (
        "mad_hat",
        "bunny",
        "cuckoo_clock",
        "john",
        "james",
        "jeff",
        "teapot",
        "chocolate_cake",
        "sundae",
        "teacup",
        "cup_cake",
    )
    assert pays(mad_hatters, "bunny") == pays(mad_hatters, "cuckoo_clock") == {}


def test_mad_hatters_features() -> None:
    assert mad_hatters.SCATTER_PAYS[5] == 300
    assert max(mad_hatters.CUCKOO_VALUES) == 450
    assert list(mad_hatters.FREE_SPINS) == [0, 0, 0, 10, 25, 50]
    assert mad_hatters.FREE_MULTIPLIER == 2
    assert list(mad_hatters.CUCKOO_PICKS) == [0, 0, 0, 1, 2, 3]
    assert mad_hatters.CLOCKS == 5


def test_mad_mad_monkey_is_played_on_1_to_50_lines_with_one_coin() -> None:
    assert (mad_mad_monkey.MAX_LINES, mad_mad_monkey.LINES_FIXED, mad_mad_monkey.MAX_LINE_BET) == (50, False, 1)
    assert len(mad_mad_monkey.SYMBOLS) == 12
    assert mad_mad_monkey.SYMBOLS[:3] == ("monkey", "logo", "banana")


def test_mad_mad_monkey_features() -> None:
    assert mad_mad_monkey.WILD_MULTIPLIER == 2
    assert mad_mad_monkey.FREE_SPINS_FROM == 3
    assert mad_mad_monkey.FREE_SPINS == 10
    assert mad_mad_monkey.FREE_MULTIPLIER == 3
    assert mad_mad_monkey.GAMBLES == 5


def test_haunted_house_is_a_twenty_coin_machine() -> None:
    assert (haunted_house.MAX_LINES, haunted_house.LINES_FIXED, haunted_house.MAX_LINE_BET) == (20, True, 1)


def test_haunted_house_symbols_from_the_lowest() -> None:
    assert haunted_house.SYMBOLS == (
        "cherries",
        "lemon",
        "orange",
        "plum",
        "bell",
        "grapes",
        "watermelon",
        "single_bar",
        "double_bar",
        "triple_bar",
        "pumpkin",
        "haunted_house",
    )


def test_haunted_house_pays_for_two() -> None:
    # The Pumpkin's own two-of-a-kind is a rule of the house (HH-02), not a published figure.
    assert pay_for_two(haunted_house) - {"pumpkin"} == {"cherries", "double_bar", "triple_bar"}


def test_haunted_house_trails() -> None:
    assert haunted_house.BONUS_TRAIL[-2] == 30
    assert haunted_house.CASHPOT_LIMIT == 10_000
    assert list(haunted_house.NUMBER_TRAIL) == list(range(1, 16))


@pytest.mark.rule("G-05")
def test_coin_sizes_of_the_other_games() -> None:
    for module in (mad_hatters, mad_mad_monkey, haunted_house):
        assert list(module.COIN_SIZES_MINOR) == [1, 2, 5, 10, 20, 25, 50]
