"""Santa vs Rudolf, rule by rule, on windows and chains of re-spins worked out by hand."""

from portable import raises, rule
from rules import round as rounds
from rules.games import santa_vs_rudolf as game
from scripted import (
    Scene,
    Script,
    cell,
    events_of,
    first_spin,
    named,
    names_of,
    played,
    seed_of,
    spins_of,
    symbol_ids,
)

GAME = "santa_vs_rudolf"
TOP = "A 10 Q A 10"
BOTTOM = "list globe 10 Q globe"
# No line pays: reels 1 and 2 share no symbol, nor do reels 4 and 5.
QUIET = TOP + " / J K list J K / " + BOTTOM
CELLS = bytes(range(15))
FREE_10 = [QUIET] * 10
RUDOLF, SANTA, MERGED, REINDEER = 10, 11, 12, 13
FIVE_FIRST = [0, 0, 0, 0, 0]  # draws of a Rudolf Spin that put the Reindeers on cells 0 to 4


def wilds(*places):
    """The quiet window with wilds such as "R12": Rudolf on reel 1, row 2."""
    rows = [text.split() for text in QUIET.split(" / ")]
    for place in places:
        rows[int(place[2]) - 1][int(place[1]) - 1] = "rudolf" if place[0] == "R" else "santa"
    return " / ".join(" ".join(text) for text in rows)


# Rudolf and Santa meet on reel 3 on the second re-spin; neither a wild nor a re-spin is left after the free spins.
TO_MERGE = [wilds("R12", "S52"), QUIET, QUIET]


def row(middle):
    """A window with these symbols in the middle row."""
    return TOP + " / " + middle + " / " + BOTTOM


def line(middle):
    """Symbol, count, direction and pay of line 1 with this middle row, () for none."""
    wins = [event for event in named(first_spin(GAME, row(middle)), "line") if event[1] == 1]
    return tuple(wins[0][i] for i in (2, 3, 4, 6)) if wins else ()


def places(events):
    """The wilds of each window, as in `wilds` (M for a merged one), by letter, reel and row."""
    found = []
    for window in named(events, "window"):
        found.append(
            [
                "RSM"[window[1 + at] - RUDOLF] + "%d%d" % (at // 3 + 1, at % 3 + 1)
                for at in CELLS
                if RUDOLF <= window[1 + at] <= MERGED
            ]
        )
    return found


def modes(events):
    return [event[1] for event in named(events, "spin")]


def session(draws, choices=(), line_bet=1):
    """The events of a session of free spins with these draws, from its first award to its end."""
    events = played(GAME, TO_MERGE + list(draws), choices, line_bet=line_bet)
    names = names_of(events)
    return events[names.index("award") : names.index("feature_end") + 1]


def full_rudolf():
    """A session up to a full Rudolf meter: eight Rudolfs that land on reel 5 of free spins and leave at once."""
    return [wilds("R51"), QUIET] * 8 + [QUIET] * 2


def full_santa():
    return [wilds("S11"), QUIET] * 8 + [QUIET] * 2


# -- lines


@rule("SR-01")
def test_larger_direction_is_paid_alone():  # worked example 1
    events = first_spin(GAME, "A J Q A 10 / bells bells rudolf K K / list globe 10 Q globe")
    assert named(events, "line") == [("line", 1, 2, 3, 0, 1, 10)]
    assert events[-1] == ("spin_win", 10)


@rule("SR-01")
def test_five_of_a_kind_is_paid_once():  # worked example 1
    events = first_spin(GAME, row("sack sack sack sack sack"))
    assert named(events, "line") == [("line", 1, 1, 5, 0, 1, 400)]
    assert events[-1] == ("spin_win", 400)


@rule("SR-01")
def test_line_pays_from_right_to_left():
    assert line("Q A K K K") == (6, 3, 1, 3)
    assert line("10 10 10 santa A") == (9, 4, 0, 15)
    assert line("10 sack santa sack sack") == (1, 4, 1, 100)
    assert line("10 10 santa sack sack") == (1, 3, 1, 15)
    assert line("10 J santa sack sack") == (1, 3, 1, 15)
    assert line("J sack sack sack J") == ()


@rule("SR-01")
def test_line_that_pays_both_ways_through_wilds_takes_the_larger():
    # Left: A x4 with two wilds = 30; right: Q x3 = 3.
    assert line("A A rudolf santa Q") == (5, 4, 0, 30)
    # Equal pays: J x3 and 10 x3 both 2; the lower symbol id is named.
    assert line("J J santa 10 10") == (8, 3, 0, 2)
    assert line("10 10 santa J J") == (8, 3, 1, 2)
    # A x4 from the left is found first; from the right only Q, A.
    assert line("A A santa A Q") == (5, 4, 0, 30)


@rule("SR-01")
def test_run_of_wilds_counts_as_sleigh():  # worked example 2
    events = first_spin(GAME, "A 10 Q A 10 / rudolf santa rudolf J K / list globe 10 Q globe")
    assert events[-1] == ("spin_win", 41)
    assert named(events, "line")[0] == ("line", 1, 0, 3, 0, 1, 20)
    assert line("K J santa santa rudolf") == (0, 3, 1, 20)
    assert line("rudolf santa rudolf santa K") == (0, 4, 0, 150)
    assert line("rudolf santa rudolf santa santa") == (0, 5, 0, 500)
    # Four wilds and a Sack: Sack x5 is more than Sleigh x4.
    assert line("rudolf santa rudolf santa sack") == (1, 5, 0, 400)


@rule("SR-01")
def test_wilds_have_no_pay_of_their_own():
    for symbol in (RUDOLF, SANTA, MERGED, REINDEER):
        assert list(game.PAYS[6 * symbol : 6 * symbol + 6]) == [0] * 6


# -- strips


@rule("SR-02")
def test_wilds_are_on_their_reels():
    for mode in (game.BASE, game.BASE_RESPIN):
        for reel, strip in enumerate(game.STRIPS[mode]):
            assert (RUDOLF in strip) == (reel == 0)
            assert (SANTA in strip) == (reel == 4)
    for reel in range(5):
        assert RUDOLF in game.STRIPS[game.FREE][reel] and SANTA in game.STRIPS[game.FREE][reel]
    for strips in game.STRIPS:
        for strip in strips:
            assert MERGED not in strip and REINDEER not in strip


@rule("SR-02")
@rule("G-10")
def test_at_most_one_wild_in_a_window_of_any_reel():
    for strips in game.STRIPS:
        assert len(strips) == 5
        for strip in strips:
            around = strip + strip[:2]
            for stop in range(len(strip)):
                assert sum(symbol >= RUDOLF for symbol in around[stop : stop + 3]) <= 1


@rule("SR-13")
def test_rudolf_spin_strips_hold_no_wilds():
    for strip in game.STRIPS[game.RUDOLF_SPIN]:
        assert max(strip) < RUDOLF


@rule("SR-02")
def test_each_wild_stands_for_a_symbol():
    for wild in ("rudolf", "santa", "merged", "reindeer"):
        assert line("K %s K J 10" % wild) == (6, 3, 0, 3)


# -- walking


@rule("SR-03")
@rule("SR-04")
def test_rudolf_alone_walks_five_respins():
    events = played(GAME, [wilds("R13")] + [QUIET] * 5)
    assert places(events) == [["R13"], ["R23"], ["R33"], ["R43"], ["R53"], []]
    assert modes(events) == [game.BASE] + [game.BASE_RESPIN] * 5
    assert events[-1][0] == "round_win"


@rule("SR-03")
@rule("SR-04")
def test_santa_alone_walks_five_respins():
    events = played(GAME, [wilds("S51")] + [QUIET] * 5)
    assert places(events) == [["S51"], ["S41"], ["S31"], ["S21"], ["S11"], []]
    assert modes(events) == [game.BASE] + [game.BASE_RESPIN] * 5


@rule("SR-03")
def test_spin_without_a_wild_gives_no_respin():
    events = played(GAME, [QUIET])
    assert names_of(events) == ["spin", "window", "spin_win", "round_win"]


@rule("SR-03")
def test_new_wilds_land_in_respins():
    # The second Rudolf lands when the first is on reel 3.
    events = played(GAME, [wilds("R12"), QUIET, wilds("R11")] + [QUIET] * 5)
    assert places(events) == [["R12"], ["R22"], ["R11", "R32"], ["R21", "R42"], ["R31", "R52"], ["R41"], ["R51"], []]


@rule("SR-03")
def test_walking_wild_takes_part_in_the_lines_of_each_respin():
    # Kings on reels 2, 3 of the middle row: with Rudolf on reel 1, then on reel 4 (K K R from reel 2 pays nothing).
    kings = row("J K K J 10")
    events = played(GAME, [row("rudolf K K J 10"), kings, row("K K J J 10"), row("K K K Q 10")] + [QUIET] * 2)
    wins = [[event[2:5] for event in named(spin, "line") if event[1] == 1] for spin in spins_of(events)]
    assert wins == [[(6, 3, 0)], [], [(6, 3, 0)], [(6, 4, 0)], [], []]
    assert events[-1] == ("round_win", sum(event[1] for event in named(events, "spin_win")))
    assert events[-1][1] > 0


@rule("SR-05")
@rule("SR-03")
def test_walkers_that_swap_places_do_not_merge():  # worked example 3
    events = played(GAME, [wilds("R11"), wilds("S51")] + [QUIET] * 5)
    assert places(events) == [["R11"], ["R21", "S51"], ["R31", "S41"], ["S31", "R41"], ["S21", "R51"], ["S11"], []]
    assert named(events, "merge", "award") == []
    assert len(spins_of(events)) == 7


@rule("SR-05")
def test_wilds_in_different_rows_pass_each_other():
    events = played(GAME, [wilds("R11", "S52")] + [QUIET] * 5)
    assert places(events)[2] == ["R31", "S32"]
    assert named(events, "merge") == []


@rule("SR-05")
@rule("SR-06")
@rule("SR-07")
def test_merge_awards_ten_free_spins_then_the_others_go_on():  # worked example 3
    draws = [wilds("R12", "S52"), wilds("R11"), QUIET] + FREE_10 + [QUIET] * 4
    events = played(GAME, draws)
    assert places(events)[:3] == [["R12", "S52"], ["R11", "R22", "S42"], ["R21", "M32"]]
    assert places(events)[3:13] == [[]] * 10
    assert places(events)[13:] == [["R31"], ["R41"], ["R51"], []]
    assert named(events, "merge", "award", "feature_end") == [("merge", cell(3, 2)), ("award", 10), ("feature_end", 0)]
    assert modes(events) == [0, 1, 1] + [2] * 10 + [1] * 4
    merging = spins_of(events)[2]
    assert names_of(merging)[:3] == ["spin", "window", "merge"]
    assert names_of(merging)[-2:] == ["spin_win", "award"]


@rule("SR-05")
def test_merged_wild_counts_in_the_lines_of_its_spin_only():
    events = played(GAME, [wilds("R12", "S52"), QUIET, row("K K J Q 10")] + FREE_10)
    merging = spins_of(events)[2]
    assert [event[2:] for event in named(merging, "line") if event[1] == 1] == [(6, 3, 0, 1, 3)]
    assert named(events, "merge") == [("merge", cell(3, 2))]
    assert modes(events) == [0, 1, 1] + [2] * 10  # it starts no re-spin


@rule("SR-06")
@rule("SR-05")
def test_three_merges_at_once_award_thirty():  # worked example 4
    draws = [wilds("R11", "S53"), wilds("R12", "S52"), wilds("R13", "S51"), QUIET] + [QUIET] * 30
    events = played(GAME, draws)
    assert named(events, "merge") == [("merge", cell(2, 3)), ("merge", cell(3, 2)), ("merge", cell(4, 1))]
    assert named(events, "award") == [("award", 30)]
    assert modes(events) == [0, 1, 1, 1] + [2] * 30
    assert [event[0] for event in events[-2:]] == ["feature_end", "round_win"]


@rule("SR-06")
def test_one_spin_awards_at_most_thirty():
    # The strips allow three merges; on reels with more wilds four at once would award no more.
    draws = [wilds("R11", "S31", "R21", "S41", "R22", "S42", "R23", "S43"), QUIET] + [QUIET] * 30
    events = played(GAME, draws)
    assert len(named(events, "merge")) == 4
    assert named(events, "award") == [("award", 30)]
    assert len(spins_of(events)) == 32


@rule("SR-06")
def test_later_merge_of_the_chain_awards_again():
    draws = [wilds("R12", "S52"), wilds("R11", "S51"), QUIET] + FREE_10 + [QUIET] + FREE_10
    events = played(GAME, draws)
    assert named(events, "merge", "award") == [
        ("merge", cell(3, 2)),
        ("award", 10),
        ("merge", cell(3, 1)),
        ("award", 10),
    ]
    assert modes(events) == [0, 1, 1] + [2] * 10 + [1] + [2] * 10


@rule("SR-05")
def test_landing_under_a_walker_does_not_count():
    # Santa walks onto reel 1 row 2 where a Rudolf is drawn; Rudolf walks onto reel 5 row 1 where a Santa is drawn.
    draws = [wilds("R11", "S52"), QUIET, QUIET, QUIET, wilds("R12", "S51"), QUIET]
    events = played(GAME, draws)
    assert places(events)[4:] == [["S12", "R51"], []]
    assert named(events, "merge") == []


@rule("SR-05")
def test_landing_under_a_merged_wild_does_not_count():
    assert named(session([wilds("R22", "S42"), wilds("R32")] + [QUIET] * 13), "award") == [("award", 10), ("award", 4)]
    walkers = game.Walkers()
    walkers.rudolfs, walkers.santas = 1 << cell(2, 1), 1 << cell(4, 1)
    assert walkers.walk() == (0, 0)
    window = bytearray(15)
    window[cell(3, 1)] = RUDOLF
    walkers.meet(window)
    assert window[cell(3, 1)] == MERGED
    assert not walkers.any()


@rule("SR-15")
def test_wild_that_lands_on_its_own_kind_is_one_wild():
    # A Rudolf walks to reel 2 in free spins, and a Rudolf is drawn in that cell.
    events = session([wilds("R12"), wilds("R22")] + [QUIET] * 13)
    assert places(events)[:6] == [["R12"], ["R22"], ["R32"], ["R42"], ["R52"], []]
    assert named(events, "meter") == [("meter", 0, 1)]


@rule("SR-15")
@rule("SR-03")
@rule("SR-04")
def test_every_wild_of_real_rounds_walks_or_merges():
    """Follows the wilds of whole rounds by the windows alone."""
    followed = 0
    for number in range(160):
        before = None
        for spin in spins_of(events_of_round(number)):
            mode = spin[0][1]
            window = spin[1][1:]
            if mode == game.RUDOLF_SPIN:
                continue
            if mode in (game.BASE_RESPIN, game.FREE_RESPIN) and before is not None:
                rudolfs = {at + 3 for at in CELLS if before[at] == RUDOLF and at < 12}
                santas = {at - 3 for at in CELLS if before[at] == SANTA and at >= 3}
                merged = rudolfs & santas
                assert merged == {at for at in CELLS if window[at] == MERGED}
                assert [event[1] for event in named(spin, "merge")] == sorted(merged)
                assert all(window[at] == RUDOLF for at in rudolfs - merged)
                assert all(window[at] == SANTA for at in santas - merged)
                followed += len(rudolfs) + len(santas)
            else:
                assert MERGED not in window
            before = None if names_of(spin)[-1] == "award" and mode == game.BASE_RESPIN else window
    assert followed > 50


def events_of_round(number):
    """A round of a seed in which the player always takes the first option."""
    option = None
    events = []
    game_round = rounds.play(GAME, 1, 20, seed_of(number))
    while True:
        try:
            event = game_round.send(option)
        except StopIteration:
            return events
        if event[0] == "window":
            event = ("window",) + tuple(event[1])
        events.append(event)
        option = event[2] if event[0] == "choice" else None


# -- free spins


@rule("SR-07")
def test_free_spins_start_on_empty_reels_and_the_frozen_wilds_return():
    # Besides the two that merge, a Santa lands on reel 5 on the merging re-spin itself: frozen there, it then walks.
    draws = [wilds("R12", "S52"), QUIET, wilds("S53")] + FREE_10 + [QUIET] * 5
    events = played(GAME, draws)
    assert places(events)[2] == ["M32", "S53"]
    assert places(events)[3:13] == [[]] * 10
    assert places(events)[13:] == [["S43"], ["S33"], ["S23"], ["S13"], []]


@rule("SR-07")
def test_returned_wilds_merge_again():
    draws = [wilds("R12", "S52"), wilds("R13"), wilds("S53")] + FREE_10 + [QUIET] * 1
    # R13 is on reel 2 when S53 lands on reel 5: they swap between reels 3 and 4 after the free spins.
    events = played(GAME, draws + [QUIET] * 4)
    assert places(events)[13:] == [["R33", "S43"], ["S33", "R43"], ["S23", "R53"], ["S13"], []]
    draws = [wilds("R12", "S52"), wilds("R13", "S53"), QUIET] + FREE_10 + [QUIET] + FREE_10
    assert len(named(played(GAME, draws), "award")) == 2


@rule("SR-08")
def test_merge_in_free_spins_adds_four():
    # Rudolf on reel 2 and Santa on reel 4 land in one free spin and merge on its first re-spin.
    events = session([wilds("R21", "S41"), QUIET] + [QUIET] * 13)
    assert named(events, "award", "merge") == [("award", 10), ("merge", cell(3, 1)), ("award", 4)]
    assert modes(events) == [2, 3] + [2] * 13
    assert names_of(spins_of(events[1:])[1])[-2:] == ["spin_win", "award"]


@rule("SR-08")
def test_two_merges_in_one_free_spin_add_eight():
    events = session([wilds("R21", "S41", "R23", "S43"), QUIET] + [QUIET] * 17)
    assert named(events, "award") == [("award", 10), ("award", 8)]
    assert modes(events) == [2, 3] + [2] * 17


@rule("SR-08")
def test_respins_use_up_no_free_spins():
    events = session([wilds("R41"), QUIET, QUIET] + [wilds("R21"), QUIET, QUIET, QUIET, QUIET] + [QUIET] * 8)
    assert modes(events) == [2, 3, 3, 2, 3, 3, 3, 3] + [2] * 8
    assert events[-1][0] == "feature_end"


@rule("SR-08")
def test_respins_of_the_last_free_spin_are_played_to_the_end():
    events = session([QUIET] * 9 + [wilds("S31"), QUIET, QUIET, QUIET])
    assert modes(events) == [2] * 10 + [3] * 3
    events = session([QUIET] * 9 + [wilds("R21", "S41"), QUIET] + [QUIET] * 4)
    assert modes(events) == [2] * 10 + [3] + [2] * 4


@rule("SR-05")
@rule("SR-08")
def test_merged_wild_of_a_free_spin_is_gone_on_the_next_spin():
    events = session([wilds("R21", "S41"), QUIET, row("K K J Q 10")] + [QUIET] * 12)
    assert places(events)[:3] == [["R21", "S41"], ["M31"], []]


@rule("SR-08")
@rule("G-12")
def test_free_spins_of_a_session_end_at_250():
    # Ten spins and sixty times four more are 250; merges after that add none.
    pair = [wilds("R21", "S41"), QUIET]
    events = session(pair * 62 + [QUIET] * 188)
    assert named(events, "award") == [("award", 10)] + [("award", 4)] * 60 + [("award", 0)] * 2
    assert modes(events).count(game.FREE) == 250


@rule("SR-06")
@rule("G-12")
def test_limit_cuts_the_award_that_passes_it():
    pairs = [wilds("R21", "S41", "R23", "S43"), QUIET]
    events = session(pairs * 31 + [QUIET] * 219)
    assert named(events, "award") == [("award", 10)] + [("award", 8)] * 30 + [("award", 0)]
    pair = [wilds("R21", "S41"), QUIET]
    triple = [wilds("R21", "S41", "R22", "S42", "R23", "S43"), QUIET]
    events = session(pair * 58 + triple + [QUIET] * 191)
    assert named(events, "award")[-2:] == [("award", 4), ("award", 8)]
    assert modes(events).count(game.FREE) == 250


# -- meters


@rule("SR-09")
def test_wild_that_leaves_fills_its_meter_before_the_respin():
    events = session([wilds("R51"), QUIET, wilds("S12"), QUIET] + [QUIET] * 8)
    names = names_of(events)
    first = names.index("meter")
    assert names[first - 1] == "spin_win" and names[first + 1] == "spin"
    assert named(events, "meter") == [("meter", 0, 1), ("meter", 1, 1)]


@rule("SR-09")
def test_main_game_wilds_and_merged_wilds_fill_no_meter():
    assert named(played(GAME, [wilds("R12")] + [QUIET] * 5), "meter") == []
    events = played(GAME, [wilds("R12", "S52"), wilds("R11"), QUIET] + FREE_10 + [QUIET] * 4)
    assert named(events, "meter") == []
    events = session([wilds("R31", "S51"), QUIET] + [QUIET] * 13)
    assert named(events, "merge", "meter") == [("merge", cell(4, 1))]


@rule("SR-09")
def test_wild_fills_its_meter_only_when_it_leaves():
    for row in (1, 2, 3):
        events = session([wilds("S5%d" % row), QUIET, QUIET, QUIET, QUIET, QUIET] + [QUIET] * 9)
        assert named(events, "meter") == [("meter", 1, 1)]
        assert names_of(spins_of(events[1:])[4])[-1] == "meter"
        events = session([wilds("R1%d" % row), QUIET, QUIET, QUIET, QUIET, QUIET] + [QUIET] * 9)
        assert named(events, "meter") == [("meter", 0, 1)]
        assert names_of(spins_of(events[1:])[4])[-1] == "meter"


@rule("SR-09")
def test_each_of_several_leaving_wilds_fills_a_space():
    events = session([wilds("R51", "R52", "R53", "S11"), QUIET] + [QUIET] * 9)
    assert named(events, "meter") == [("meter", 0, 1), ("meter", 0, 2), ("meter", 0, 3), ("meter", 1, 1)]


@rule("SR-10")
def test_full_rudolf_meter_gives_rudolf_spins_after_the_last_spin():
    events = session(full_rudolf() + [QUIET] + FIVE_FIRST + [QUIET] + FIVE_FIRST + [QUIET] + FIVE_FIRST)
    assert named(events, "meter") == [("meter", 0, value) for value in range(1, 9)]
    assert modes(events) == [2, 3] * 8 + [2, 2] + [4] * 3
    assert names_of(events).count("rudolf_spins") == 1
    assert names_of(events)[-1] == "feature_end"


@rule("SR-10")
def test_full_santa_meter_gives_the_gifts():
    layout = [0, 0, 0, 0] * 3 + [0]
    events = session(full_santa() + layout, (0, 4, 4, 4))
    assert named(events, "meter") == [("meter", 1, value) for value in range(1, 9)]
    assert "rudolf_spins" not in names_of(events)
    # In order, set 1 is 20, 40, 60, step, end: the first pick wins 20.
    lines = sum(event[1] for event in named(events, "spin_win"))
    assert events[-2:] == [("gifts_win", game.GIFT_PRIZES[0][0]), ("feature_end", lines + game.GIFT_PRIZES[0][0])]


@rule("SR-10")
def test_seven_spaces_give_no_bonus():
    events = session([wilds("R51", "S11"), QUIET] * 7 + [QUIET] * 3)
    assert named(events, "meter")[-2:] == [("meter", 0, 7), ("meter", 1, 7)]
    assert "rudolf_spins" not in names_of(events) and "choice" not in names_of(events)


@rule("SR-10")
def test_both_meters_filling_in_one_step_give_rudolf_spins_only():  # worked example 5
    draws = [wilds("R51", "S11"), QUIET] * 8 + [QUIET] * 2
    events = session(draws + ([QUIET] + FIVE_FIRST) * 3)
    assert named(events, "meter")[-3:] == [("meter", 0, 7), ("meter", 1, 7), ("meter", 0, 8)]
    assert "choice" not in names_of(events)
    assert names_of(events).count("rudolf_spins") == 1


@rule("SR-10")
def test_a_full_meter_freezes_both():
    # The Santa meter is full first; Rudolfs that leave after that fill nothing.
    draws = [wilds("S11"), QUIET] * 7 + [wilds("S11", "S12"), QUIET, wilds("R51", "S11"), QUIET, QUIET]
    events = session(draws + [0] * 13, (4, 0, 4, 4))
    assert named(events, "meter") == [("meter", 1, value) for value in range(1, 9)]


@rule("SR-10")
def test_each_session_starts_with_empty_meters():
    seven = [wilds("R51"), QUIET] * 7 + [QUIET] * 3
    draws = [wilds("R12", "S52"), wilds("R11", "S51"), QUIET] + seven + [QUIET] + seven
    events = played(GAME, draws)
    assert named(events, "meter") == [("meter", 0, value) for value in range(1, 8)] * 2
    assert "rudolf_spins" not in names_of(events)


@rule("SR-07")
@rule("SR-10")
def test_main_game_goes_on_after_the_bonus():
    draws = [wilds("R12", "S52"), wilds("R11"), QUIET] + full_rudolf() + ([QUIET] + FIVE_FIRST) * 3 + [QUIET] * 4
    events = played(GAME, draws)
    assert modes(events) == [0, 1, 1] + [2, 3] * 8 + [2, 2] + [4] * 3 + [1] * 4
    assert places(events)[-4:] == [["R31"], ["R41"], ["R51"], []]


# -- Santa's Gifts


def gifts(numbers, picks, line_bet=1):
    """The events of Santa's Gifts with these thirteen draws and picks."""
    script = Script(numbers)
    events = events_of(game._gifts(script, rounds.Bet(line_bet, 20)), picks)
    assert not script.numbers
    return events


def order(items):
    """The draws that put a set into this order."""
    things = [0, 1, 2, 3, 4]
    numbers = []
    for at in range(4):
        other = things.index(items[at], at)
        numbers.append(other - at)
        things[at], things[other] = things[other], things[at]
    assert things == list(items)
    return numbers


STEP, END = 3, 4
D1 = [0]  # the draw of offset 1


@rule("SR-11")
def test_gifts_win_the_prizes_times_the_multiplier():  # worked example 6: 100, step, 60, end; end; step, 40, end = 600
    kept = game.GIFT_PRIZES
    game.GIFT_PRIZES = ((100, 60, 1), (2, 3, 4), (40, 5, 6))
    try:
        numbers = order([0, STEP, 1, END, 2]) + order([0, 1, END, 2, STEP]) + order([STEP, 0, END, 1, 2]) + D1
        events = gifts(numbers, (0, 1, 2, 3, 2, 0, 1, 2))
    finally:
        game.GIFT_PRIZES = kept
    assert named(events, "gift") == [
        ("gift", 0, 0, 0, 100, 1),
        ("gift", 0, 1, STEP, 0, 2),
        ("gift", 0, 2, 1, 60, 2),
        ("gift", 0, 3, END, 0, 2),
        ("gift", 1, 2, END, 0, 2),
        ("gift", 2, 0, STEP, 0, 3),
        ("gift", 2, 1, 0, 40, 3),
        ("gift", 2, 2, END, 0, 3),
    ]
    assert events[-1] == ("gifts_win", 600)


@rule("SR-11")
@rule("SR-12")
def test_all_prizes_and_steps_are_3760_times_the_line_bet():  # worked example 6; every set ends at its last item
    picks = (0, 1, 2, 3, 4) * 3
    numbers = order([0, 1, 2, STEP, END]) * 3 + D1
    for line_bet, most in ((1, 3760), (10, 37600)):
        events = gifts(numbers, picks, line_bet)
        assert events[-1] == ("gifts_win", most)
        assert len(named(events, "gift")) == 15
    assert [event[2:] for event in named(events, "choice")[:5]] == [
        (0, 1, 2, 3, 4),
        (1, 2, 3, 4),
        (2, 3, 4),
        (3, 4),
        (4,),
    ]
    assert sum(sum(prizes) for prizes in game.GIFT_PRIZES) == 940


@rule("SR-11")
def test_first_pick_is_never_the_end_item():
    for position in range(5):
        items = [0, 1, 2, STEP]
        items.insert(position, END)
        for draw in range(4):
            other = (position + 1 + draw) % 5
            numbers = order(items) + order([END, 0, 1, 2, STEP]) * 2 + [draw]
            events = gifts(numbers, (position, other, 0, 0))
            shown = named(events, "gift")
            assert shown[0][1:4] == (0, position, items[other])
            assert shown[1][1:4] == (0, other, END)


@rule("SR-11")
def test_offset_changes_nothing_after_the_first_pick_or_in_later_sets():
    for draw in range(4):
        # The first pick is no end item: the second, the end item, stays. Sets 2 and 3 may end at once.
        numbers = order([0, END, 1, 2, STEP]) + order([END, 0, 1, 2, STEP]) * 2 + [draw]
        events = gifts(numbers, (0, 1, 0, 0))
        assert [event[3] for event in named(events, "gift")] == [0, END, END, END]
        assert events[-1] == ("gifts_win", game.GIFT_PRIZES[0][0])


@rule("SR-11")
def test_multiplier_is_at_most_four():
    assert game.GIFT_MAX_MULTIPLIER == 4
    kept = game.GIFT_MAX_MULTIPLIER
    game.GIFT_MAX_MULTIPLIER = 2
    try:
        events = gifts(order([STEP, 0, END, 1, 2]) * 3 + D1, (0, 1, 2) * 3)
    finally:
        game.GIFT_MAX_MULTIPLIER = kept
    assert [event[5] for event in named(events, "gift")] == [2] * 9


@rule("SR-11")
def test_gift_is_not_picked_twice():
    numbers = order([0, 1, 2, STEP, END]) * 3 + D1
    for option in (1, 5, -1):
        raises(ValueError, gifts, numbers, (1, option))


@rule("SR-16")
@rule("G-11")
def test_whole_layout_is_drawn_when_the_gifts_start():
    script = Script(order([2, END, 0, STEP, 1]) + order([END, 0, 1, 2, STEP]) + order([STEP, 2, 1, 0, END]) + [3])
    events = game._gifts(script, rounds.Bet(1, 20))
    assert next(events) == ("choice", 2, 0, 1, 2, 3, 4)
    assert script.numbers == []
    assert script.asked == [5, 4, 3, 2] * 3 + [4]
    script = Script(order([2, END, 0, STEP, 1]) + order([END, 0, 1, 2, STEP]) + order([STEP, 2, 1, 0, END]) + [3])
    layouts, offset = game.gift_layouts(script)
    assert [list(items) for items in layouts] == [[2, END, 0, STEP, 1], [END, 0, 1, 2, STEP], [STEP, 2, 1, 0, END]]
    assert offset == 4


# -- Rudolf Spins


@rule("SR-13")
@rule("G-11")
def test_rudolf_spins_lay_five_reindeers_on_drawn_cells():
    # A shuffle of the cells 0 to 14: the draws 0, 13, 12, 0, 0 take cells 0, 14, then 13 + ... worked out by hand:
    # i=0 j=0: cell 0; i=1 j=14: cell 14 (1 goes to 14); i=2 j=14: cell 1 (2 goes to 14); i=3 j=3: 3; i=4 j=4: 4.
    spins = [QUIET, 0, 13, 12, 0, 0, QUIET] + FIVE_FIRST + [QUIET, 14, 13, 12, 11, 10]
    events = session(full_rudolf() + spins)
    windows = [window[1:] for window in named(events, "window")[-3:]]
    assert [{at for at in CELLS if window[at] == REINDEER} for window in windows] == [
        {0, 14, 1, 3, 4},
        {0, 1, 2, 3, 4},
        {14, 0, 1, 2, 3},
    ]
    assert names_of(events[-40:]).count("choice") == 0


@rule("SR-13")
def test_reindeers_do_not_walk_merge_or_fill_meters():
    events = session(full_rudolf() + ([QUIET] + FIVE_FIRST) * 3)
    names = names_of(events)
    after = events[names.index("rudolf_spins") :]
    assert named(after, "meter", "merge", "award") == []
    assert modes(after) == [4, 4, 4]
    for window in named(after, "window"):
        assert list(window[1:]).count(REINDEER) == 5


@rule("SR-13")
def test_rudolf_spins_are_evaluated_with_the_reindeers_and_add_up():
    events = session(full_rudolf() + ([QUIET] + FIVE_FIRST) * 3, line_bet=2)
    wins = [event[1] for event in named(events, "spin_win")]
    assert wins[-3] == wins[-2] == wins[-1] > 0
    assert events[-1] == ("feature_end", sum(wins))
    # Cells 0 to 4: Reindeers on reel 1 and rows 1, 2 of reel 2; line 2 (top row): R R Q A 10 is Q x3 = 3.
    spin = spins_of(events[1:])[-1]
    assert ("line", 2, 7, 3, 0, 1, 6) in spin


@rule("SR-14")
def test_rudolf_spin_is_clamped_at_9000_times_the_line_bet():
    sleighs = "sleigh sleigh sleigh sleigh sleigh / " * 2 + "sleigh sleigh sleigh sleigh sleigh"
    for line_bet in (1, 10):
        draws = full_rudolf() + ([sleighs] + FIVE_FIRST) + ([QUIET] + FIVE_FIRST) * 2
        events = session(draws, line_bet=line_bet)
        names = names_of(events)
        at = names.index("clamp")
        assert events[at : at + 2] == [("clamp", 10000 * line_bet, 9000 * line_bet), ("spin_win", 9000 * line_bet)]
        assert names.count("clamp") == 1
        assert events[-1] == ("feature_end", sum(event[1] for event in named(events, "spin_win")))
    assert game.RUDOLF_SPINS * game.RUDOLF_SPIN_CAP == 27000


@rule("SR-14")
def test_win_of_just_the_cap_is_not_clamped():
    kept = game.RUDOLF_SPIN_CAP
    sleighs = "sleigh sleigh sleigh sleigh sleigh / " * 2 + "sleigh sleigh sleigh sleigh sleigh"
    game.RUDOLF_SPIN_CAP = 10000
    try:
        events = session(full_rudolf() + ([sleighs] + FIVE_FIRST) * 3)
    finally:
        game.RUDOLF_SPIN_CAP = kept
    assert "clamp" not in names_of(events)
    assert named(events, "spin_win")[-1] == ("spin_win", 10000)


SLEIGH = 0
LINE_CELLS = [list(game.LINES[5 * line : 5 * line + 5]) for line in range(20)]


@rule("SR-14")
def test_strips_of_the_rudolf_spins_never_need_the_clamp():
    """No stops and five Reindeers pay more than 9000.

    The best five of a kind but Sleigh pays 400, so more than 9000 needs eleven lines or more of only Sleighs and wilds.
    So the sets of cells that can be all Sleigh or wild are walked through: a set needs as many Reindeers as the columns
    of the strips leave open in it, and more than five are not there.
    """
    assert max(game.PAYS[6 * symbol + 5] for symbol in range(1, 10)) == 400
    fewest = []  # by reel and set of its three rows: rows of it that no stop can show as Sleigh
    for strip in game.STRIPS[game.RUDOLF_SPIN]:
        around = strip + strip[:2]
        shown = {sum((around[stop + at] == SLEIGH) << at for at in range(3)) for stop in range(len(strip))}
        fewest.append([min(count(rows & ~column) for column in shown) for rows in range(8)])
    masks = [sum(1 << at for at in cells) for cells in LINE_CELLS]
    most = 0
    for cells in range(1 << 15):
        reindeers = sum(fewest[reel][cells >> 3 * reel & 7] for reel in range(5))
        if reindeers <= 5:
            most = max(most, sum(cells & mask == mask for mask in masks))
    assert 500 * most + 400 * (20 - most) <= game.RUDOLF_SPIN_CAP == 9000


def count(mask):
    """The number of bits of a mask of three."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1)


def test_symbols_of_the_walking_wilds():
    assert symbol_ids(game, "rudolf santa merged reindeer") == [RUDOLF, SANTA, MERGED, REINDEER]


@rule("G-11")
def test_draws_of_a_rudolf_spin():
    scene = Scene(GAME, TO_MERGE + full_rudolf() + ([QUIET] + FIVE_FIRST) * 3)
    with scene:
        events_of(rounds.play(GAME, 1, 20, bytes(16)))
    length = scene.script.asked[0]
    assert scene.script.asked[-10:] == [length] * 5 + [15, 14, 13, 12, 11]
