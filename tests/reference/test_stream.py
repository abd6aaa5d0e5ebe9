"""The random stream, against digests made by sha256sum, and the draws built on it."""

from __future__ import annotations

import pytest

from host_tools.reference.common import shuffle, weighted
from host_tools.reference.stream import Stream

from .tables import SEED, ScriptedStream

# SHA-256 of the bytes 0 to 15 followed by 00000000 and by 00000001.
BLOCKS = (
    "855d3b82555ea5b90c7f50936e97413aaf21d250473a02e769bca0ef283669a2"
    "b08645421176609dbfe79f23110202082215bd7dedb15bd07f3b8395d99144a8"
)


@pytest.mark.rule("G-07")
def test_stream_is_sha256_of_seed_and_counter_in_16_bit_pieces() -> None:
    stream = Stream(SEED)
    assert "".join(f"{stream.below(65536):04x}" for _ in range(32)) == BLOCKS


@pytest.mark.rule("G-07")
def test_below_rejects_pieces_past_the_last_whole_multiple() -> None:
    stream = Stream(SEED)
    # The pieces are 34141, 15234, 21854, 42425, 3199: the fourth is not below 40,000.
    assert [stream.below(40000) for _ in range(4)] == [34141, 15234, 21854, 3199]
    assert Stream(SEED).below(34141) == 15234  # 34141 itself is the first number rejected
    assert Stream(SEED).below(34142) == 34141


def test_below_one_uses_up_a_piece() -> None:
    stream = Stream(SEED)
    assert stream.below(1) == 0
    assert stream.below(65536) == 0x3B82


@pytest.mark.parametrize("n", [0, 65537])
def test_below_refuses_an_impossible_range(n: int) -> None:
    with pytest.raises(AssertionError, match="outside 1 to 65536"):
        Stream(SEED).below(n)


def test_weighted_takes_the_first_running_sum_above_the_number() -> None:
    entries = [{"weight": 2}, {"weight": 0}, {"weight": 3}]
    assert [weighted(ScriptedStream([number]), entries) for number in range(5)] == [0, 0, 2, 2, 2]


@pytest.mark.rule("G-11")
def test_shuffle_draws_only_what_is_wanted() -> None:
    stream = ScriptedStream([14, 0, 12])
    cells = list(range(15))
    shuffle(stream, cells, 3)
    assert cells[:3] == [14, 1, 0]  # 0 went to place 14 by the first change and is found there by the third
    assert stream.asked == [15, 14, 13]


def test_whole_shuffle_reaches_every_order_once() -> None:
    orders = set()
    for draws in ((a, b) for a in range(3) for b in range(2)):
        things = [0, 1, 2]
        shuffle(ScriptedStream(draws), things, 2)
        orders.add(tuple(things))
    assert len(orders) == 6
