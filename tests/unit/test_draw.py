"""The round's random stream."""

from hashlib import sha256

from portable import raises, rule
from rules.draw import RoundStream
from scripted import Script

SEED = bytes(range(16))


def pieces(seed, count, block=0):
    """Pieces of a stream from the start of a block, worked out beside it."""
    out = []
    while len(out) < count:
        digest = sha256(seed + block.to_bytes(4, "big")).digest()
        out += [digest[at] * 256 + digest[at + 1] for at in range(0, 32, 2)]
        block += 1
    return out[:count]


@rule("G-07")
def test_draw_below_65536_gives_the_stream_itself():
    stream = RoundStream(SEED)
    assert [stream.below(65536) for _ in range(40)] == pieces(SEED, 40)


@rule("G-07")
def test_draw_known_answer():
    # SHA-256 of twenty zero bytes is de47c9b2 7eb8d300 ...: block 0 of the all-zero seed.
    stream = RoundStream(bytes(16))
    assert [stream.below(65536) for _ in range(4)] == [0xDE47, 0xC9B2, 0x7EB8, 0xD300]
    assert RoundStream(bytes(16)).below(42) == 0xDE47 % 42


@rule("G-07")
def test_draw_counts_blocks_in_four_bytes():
    for block in (255, 256, 65535, 65536, 0x01020304):
        stream = RoundStream(SEED)
        stream._counter = block
        assert [stream.below(65536) for _ in range(20)] == pieces(SEED, 20, block)


@rule("CAB-52")
def test_draw_rejects_pieces_past_the_last_multiple():
    n = 40000  # 39 % of all pieces must be rejected
    raw = pieces(SEED, 200)
    kept = [piece for piece in raw if piece < 40000]
    assert len(kept) < len(raw)
    stream = RoundStream(SEED)
    assert [stream.below(n) for _ in range(len(kept))] == kept


class Pieces(RoundStream):
    """A stream of chosen pieces: a sequence of numbers below 65,536."""

    def __init__(self, chosen):
        super().__init__(SEED)
        self.chosen = chosen
        self.at = 0

    def _next_block(self):
        block = bytearray()
        for piece in self.chosen[self.at : self.at + 16]:
            block.append(piece >> 8)
            block.append(piece & 255)
        self.at += 16
        self._block = bytes(block)
        self._used = 0


@rule("CAB-52")
@rule("G-10")
def test_draw_is_uniform_over_all_pieces():
    for n in (3, 42, 52):
        stream = Pieces(range(65536))
        counts = [0] * n
        for _ in range(65536 // n * n):
            counts[stream.below(n)] += 1
        assert counts == [65536 // n] * n


@rule("CAB-52")
def test_draw_rejects_just_what_is_past_the_last_multiple():
    # 65,535 is the last multiple of 3 that fits: 65,534 is taken, 65,535 is not.
    stream = Pieces((65534, 65535, 65535, 7))
    assert stream.below(3) == 65534 % 3
    assert stream.below(3) == 7 % 3
    # 65,536 is a multiple of 4: nothing is rejected.
    assert Pieces((65535, 7)).below(4) == 3


@rule("G-07")
def test_draw_same_seed_same_stream():
    first, second = RoundStream(SEED), RoundStream(SEED)
    assert [first.below(42) for _ in range(100)] == [second.below(42) for _ in range(100)]
    assert [RoundStream(bytes(16)).below(60000) for _ in range(5)] != [RoundStream(SEED).below(60000) for _ in range(5)]


def test_draw_takes_ranges_of_1_to_65536():
    stream = RoundStream(SEED)
    assert stream.below(1) == 0
    assert 0 <= stream.below(65536) < 65536
    for n in (0, -1, 65537):
        assert "1 to 65536" in raises(ValueError, stream.below, n)


def test_draw_refuses_a_seed_that_is_not_16_bytes():
    for seed in (bytes(15), bytes(17), b"", "0123456789abcdef", 16, None, [0] * 16):
        assert "16 bytes" in raises(ValueError, RoundStream, seed)
    assert RoundStream(bytearray(SEED)).below(65536) == pieces(SEED, 1)[0]


def test_draw_leaves_the_seed_alone():
    seed = bytearray(SEED)
    stream = RoundStream(seed)
    for _ in range(20):
        stream.below(9)
    assert seed == SEED


@rule("G-11")
def test_weighted_draw_gives_each_entry_as_often_as_its_weight():
    weights = (2, 0, 3, 1)
    stream = Script(range(6))
    assert [stream.weighted(weights) for _ in range(6)] == [0, 0, 2, 2, 2, 3]
    assert stream.asked == [6] * 6
    stream = Script([0])
    assert stream.weighted([5]) == 0


@rule("G-11")
def test_weighted_draw_uses_one_number_of_the_stream():
    stream = RoundStream(SEED)
    raw = pieces(SEED, 10)
    number = raw[0] % 10
    assert stream.weighted((4, 6)) == (0 if number < 4 else 1)
    assert stream.below(65536) == raw[1]


def shuffles(count, wanted):
    """What a shuffle gives for every possible row of its draws."""
    results = []
    rows = [[]]
    for at in range(wanted):
        rows = [row + [number] for row in rows for number in range(count - at)]
    for row in rows:
        stream = Script(row)
        things = list(range(count))
        assert stream.shuffle(things, wanted) is None
        assert not stream.numbers and sorted(things) == list(range(count))
        results.append(tuple(things[:wanted]))
    return results


@rule("G-11")
def test_shuffle_makes_every_order_once():
    for count, wanted, orders in ((4, 3, 24), (5, 4, 120), (5, 2, 20), (3, 0, 1)):
        results = shuffles(count, wanted)
        assert len(results) == len(set(results)) == orders


@rule("G-11")
def test_shuffle_changes_each_place_with_a_drawn_one():
    stream = Script([3, 0, 2])
    things = bytearray(b"abcde")
    stream.shuffle(things, 3)
    assert things == b"dbeac"
    assert stream.asked == [5, 4, 3]
