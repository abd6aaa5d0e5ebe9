"""The round's random stream."""

from hashlib import sha256

from portable import raises, rule
from rules.draw import RoundStream

SEED = bytes(range(16))


def pieces(seed, count):
    """The first pieces of a stream, worked out beside it."""
    out = []
    block = 0
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


@rule("CAB-52")
def test_draw_rejects_pieces_past_the_last_multiple():
    n = 40000  # 39 % of all pieces must be rejected
    raw = pieces(SEED, 200)
    kept = [piece for piece in raw if piece < 40000]
    assert len(kept) < len(raw)
    stream = RoundStream(SEED)
    assert [stream.below(n) for _ in range(len(kept))] == kept


class EveryPiece(RoundStream):
    """A stream of all 65,536 pieces, once each."""

    def __init__(self):
        super().__init__(SEED)
        self.piece = 0

    def _next_piece(self):
        self.piece += 1
        return self.piece - 1


@rule("CAB-52")
def test_draw_is_uniform_over_all_pieces():
    for n in (3, 42, 52):
        stream = EveryPiece()
        counts = [0] * n
        for _ in range(65536 // n * n):
            counts[stream.below(n)] += 1
        assert counts == [65536 // n] * n


@rule("G-07")
def test_draw_same_seed_same_stream():
    first, second = RoundStream(SEED), RoundStream(SEED)
    assert [first.below(42) for _ in range(100)] == [second.below(42) for _ in range(100)]
    assert [RoundStream(bytes(16)).below(60000) for _ in range(5)] != [RoundStream(SEED).below(60000) for _ in range(5)]


def test_draw_refuses_a_wrong_seed_and_a_wrong_range():
    raises(ValueError, RoundStream, bytes(15))
    raises(ValueError, RoundStream, bytes(17))
    raises(ValueError, RoundStream(SEED).below, 0)
    raises(ValueError, RoundStream(SEED).below, 65537)
