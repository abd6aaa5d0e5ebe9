"""The race of the meters and the sessions against whole boards that carry their counts, one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest
from reference import tables as t

from host_tools.errors import CheckFailed
from host_tools.par.chain import Certified
from host_tools.par.santa_vs_rudolf import merges as merges_module
from host_tools.par.santa_vs_rudolf.half_boards import HalfBoards
from host_tools.par.santa_vs_rudolf.merges import COUNTED, merge_law
from host_tools.par.santa_vs_rudolf.respins import respins
from host_tools.par.santa_vs_rudolf.sessions import session
from par.wild_windows import wild_windows

np = pytest.importorskip("numpy")

from host_tools.par.santa_vs_rudolf.meters import MERGES, Race, race  # noqa: E402

LENGTH = 2
TABLES = t.santa_vs_rudolf(meter_length=LENGTH, free_spins_limit=9, free_merge_free_spins=3)

Strips = Sequence[Sequence[str]]


def ring(wild: str | None, length: int, second: str | None = None) -> list[str]:
    """A strip with a wild at its start, and perhaps another four places on."""
    return [wild or "A", "K", "Q", "J", second or "A", *["K"] * (length - 5)]


PLAIN = ring(None, 5)
# Rudolfs that land in re-spins, Santas of the first spin; the same mirrored; both in re-spins.
CASES: dict[str, tuple[Strips, Strips]] = {
    "rudolfs": (
        [ring("rudolf", 9), ring("santa", 8), ring("rudolf", 10, "santa"), ring("santa", 11), ring("santa", 8)],
        [ring("rudolf", 20), PLAIN, PLAIN, PLAIN, PLAIN],
    ),
    "santas": (
        [ring("rudolf", 9), ring("rudolf", 8), ring("santa", 10, "rudolf"), ring("rudolf", 11), ring("santa", 8)],
        [PLAIN, PLAIN, PLAIN, PLAIN, ring("santa", 20)],
    ),
    "both": (
        [ring("rudolf", 12), PLAIN, PLAIN, ring("rudolf", 10), ring("santa", 8)],
        [PLAIN, PLAIN, PLAIN, ring("rudolf", 25), ring("santa", 20)],
    ),
}


def walked(case: str, spaces: tuple[int, int] | None) -> tuple[dict[tuple[int, int, int], float], list[float]]:
    """Follow whole boards until all chains have ended or filled a meter that has so many spaces; None never fills.

    Returns:
        (Rudolfs that left, Santas that left, merges) -> chance of chains that end so; chances that a meter fills.
    """
    first, again = (wild_windows(strips) for strips in CASES[case])
    ended: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    filled = [0.0, 0.0]
    boards: dict[tuple[int, ...], float] = {(r, s, 0, 0, 0): chance for r, s, chance in first}
    while sum(boards.values()) > 1e-14:
        moved: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for (r, s, rudolfs, santas, merges), chance in boards.items():
            if not r | s:
                ended[rudolfs, santas, merges] += chance
                continue
            if spaces:
                rudolfs += (r >> 12).bit_count()
                if rudolfs >= spaces[0]:  # Rudolfs are counted first
                    filled[0] += chance
                    continue
                santas += (s & 7).bit_count()
                if santas >= spaces[1]:
                    filled[1] += chance
                    continue
            r, s = r << 3 & 0x7FFF, s >> 3
            merged, covered = r & s, r | s
            for lr, ls, landing in again:
                board = (r & ~merged | lr & ~covered, s & ~merged | ls & ~covered)
                moved[*board, rudolfs, santas, merges + merged.bit_count()] += chance * landing
        boards = moved
    return dict(ended), filled


@cache
def raced(case: str) -> tuple[Race, list[Fraction], Certified]:
    first, again = CASES[case]
    chain = respins(TABLES, first, again, TABLES["line_patterns"])
    boards = HalfBoards(TABLES, first, again)
    return race(TABLES, boards, chain.ends), merge_law(boards, len(chain.ends)), chain.mean_merges


@pytest.mark.rule("SR-09", "SR-10", "PAR-01")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("rudolf_spaces", [1, 2])
@pytest.mark.parametrize("santa_spaces", [1, 2])
def test_first_full_meter_is_that_of_whole_boards(case: str, rudolf_spaces: int, santa_spaces: int) -> None:
    found, _, _ = raced(case)
    ended, filled = walked(case, (rudolf_spaces, santa_spaces))
    at = rudolf_spaces - 1, santa_spaces - 1
    assert (found.rudolf[at], found.santa[at]) == pytest.approx(filled, abs=1e-12)
    quiet = np.zeros((LENGTH, LENGTH, MERGES + 1))
    for (rudolfs, santas, merges), chance in ended.items():
        quiet[rudolfs, santas, min(merges, MERGES)] += chance
    ours = found.quiet[:rudolf_spaces, :santa_spaces]
    assert ours == pytest.approx(quiet[:rudolf_spaces, :santa_spaces], abs=1e-12)
    assert found.error < 1e-6


@pytest.mark.rule("PAR-01")
@pytest.mark.parametrize("case", ["rudolfs", "santas"])
def test_merge_law_is_that_of_whole_boards(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, law, mean = raced(case)
    ended, _ = walked(case, None)
    expected = [0.0] * (1 + max(merges for _, _, merges in ended))
    for (_, _, merges), chance in ended.items():
        expected[merges] += chance
    assert len(law) == COUNTED
    counted = [float(chance) for chance in law]
    assert counted == pytest.approx((expected + [0.0] * COUNTED)[:COUNTED], rel=1e-9, abs=1e-13)
    assert float(mean.value) == pytest.approx(sum(merges * chance for merges, chance in enumerate(expected)), rel=1e-11)
    # Few merges are not counted one by one, and their mean is known to be as small as it is.
    assert sum(law) <= 1
    assert 0 <= mean.high - sum(count * chance for count, chance in enumerate(law)) < Fraction(1, 10**6)
    # Where counting ends does not change what is counted.
    boards = HalfBoards(TABLES, *CASES[case])
    some = merge_law(boards, 20)
    monkeypatch.setattr(merges_module, "COUNTED", 3)
    assert merge_law(boards, 20) == some[:3]


@pytest.mark.rule("G-12", "PAR-01")
def test_spins_cut_lie_between_bounds_whatever_is_counted() -> None:
    """With a law that is cut short, the bounds still hold what a longer law finds."""
    raced_, law, mean = raced("rudolfs")
    for award in (1, 4, 9):
        full, short = (session(TABLES, award, mean, raced_, law[:counted]).cut for counted in (COUNTED, 2))
        assert short.low < full.low <= full.high < short.high
        assert full.error < Fraction(1, 10**6) < short.error
    far = t.santa_vs_rudolf(meter_length=LENGTH, free_spins_limit=2000, free_merge_free_spins=3)
    out_of_reach = session(far, 1, mean, raced_, law).cut
    assert 0 <= out_of_reach.low < Fraction(1, 10**20)


@pytest.mark.rule("SR-08", "SR-10", "G-12", "PAR-01")
@pytest.mark.parametrize("award", [1, 4, 9])
def test_session_equals_a_recursion_over_its_spins(award: int) -> None:
    raced_, law, mean = raced("rudolfs")
    found = session(TABLES, award, mean, raced_, law)
    more, limit = TABLES["free_merge_free_spins"], TABLES["free_spins_limit"]

    @cache
    def bonuses(left: int, awarded: int, rudolfs: int, santas: int) -> tuple[float, float]:
        if not left:
            return 0.0, 0.0
        spaces = LENGTH - rudolfs - 1, LENGTH - santas - 1
        won = [raced_.rudolf[spaces], raced_.santa[spaces]]
        for (r, s, merges), chance in np.ndenumerate(raced_.quiet):
            if rudolfs + r < LENGTH and santas + s < LENGTH:
                granted = min(more * merges, limit - awarded)
                later = bonuses(left - 1 + granted, awarded + granted, rudolfs + r, santas + s)
                won = [sum_ + chance * more_ for sum_, more_ in zip(won, later, strict=True)]
        return won[0], won[1]

    chances = [1 - float(sum(law[1:])), *map(float, law[1:])]

    @cache
    def played(left: int, awarded: int) -> float:
        if not left:
            return 0.0
        spins = 1.0
        for merges, chance in enumerate(chances):
            granted = min(more * merges, limit - awarded)
            spins += chance * played(left - 1 + granted, awarded + granted)
        return spins

    expected = bonuses(award, award, 0, 0)
    for ours, theirs in zip((found.rudolf_spins, found.gifts), expected, strict=True):
        assert float(ours.value) == pytest.approx(theirs, rel=1e-12)
        assert ours.low < Fraction(theirs) < ours.high
    # More merges than the law counts count as none, which `cut` allows for in its error.
    assert float(found.spins.value) == pytest.approx(award / (1 - more * float(mean.value)), rel=1e-12)
    assert abs(float(found.spins.value) - played(award, award) - float(found.cut.value)) <= float(found.cut.error)


def test_session_that_would_not_end_is_refused() -> None:
    raced_, law, _ = raced("rudolfs")
    with pytest.raises(CheckFailed, match="wins one more"):
        session(TABLES, 10, Certified.exact(Fraction(1, 3)), raced_, law)
