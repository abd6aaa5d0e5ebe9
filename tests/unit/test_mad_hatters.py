"""Mad Hatters, rule by rule, on windows worked out by hand."""

from portable import raises, rule
from rules import round as rounds
from rules.games import mad_hatters as game
from scripted import Scene, entry_number, events_of, first_spin, named, names_of, played, spins_of, symbol_ids

# No line pays: reels 1 and 2 share no symbol, and no hatter is there to become wild.
QUIET = (
    "teapot sundae teapot sundae teapot / chocolate_cake teacup chocolate_cake teacup teapot / "
    "teapot cup_cake teapot cup_cake teapot"
)
TOP = "teapot sundae teapot sundae teapot"
BOTTOM = "teapot cup_cake teapot cup_cake teapot"
BUNNIES_3 = "bunny sundae bunny sundae bunny / chocolate_cake teacup teapot teacup teapot / " + BOTTOM
JOHN, JAMES, JEFF = 0, 1, 2
LOW_VALUES = [0, 0, 0, 0, 0]  # draws of five clocks with the first value


def row(middle):
    """A window with these symbols in the middle row."""
    return TOP + " / " + middle + " / " + BOTTOM


def ids(text):
    return symbol_ids(game, text)


def line(middle, line_bet=1):
    """Symbol, count and pay of the middle line alone in the base game, () for none."""
    wins = named(first_spin("mad_hatters", row(middle), line_bet, 1), "line")
    return tuple(wins[0][i] for i in (2, 3, 6)) if wins else ()


def free_spin(window, hatter=JOHN, line_bet=1, lines=1, draws=(), choices=()):
    """The events of a free spin in this window, the first of ten; the others win nothing."""
    events = played(
        "mad_hatters",
        [BUNNIES_3, window] + list(draws) + [QUIET] * 9,
        (hatter,) + tuple(choices),
        line_bet=line_bet,
        lines=lines,
    )
    return spins_of(events)[1]


def free_line(middle, hatter=JOHN, line_bet=1):
    """Symbol, count and pay of the middle line alone in a free spin, () for none."""
    wins = named(free_spin(row(middle), hatter, line_bet), "line")
    return tuple(wins[0][i] for i in (2, 3, 6)) if wins else ()


def value(events):
    """The coins of an event of which there is one."""
    assert len(events) == 1, events
    return events[0][-1]


def clocks(*reels):
    """A quiet window with clocks on these reels, in different rows."""
    rows = [text.split() for text in QUIET.split(" / ")]
    for reel in reels:
        rows[reel % 3][reel - 1] = "cuckoo_clock"
    return " / ".join(" ".join(text) for text in rows)


def bunnies(count):
    """A quiet window with Bunnies on the first reels."""
    rows = [text.split() for text in QUIET.split(" / ")]
    for reel in range(count):
        rows[reel % 3][reel] = "bunny"
    return " / ".join(" ".join(text) for text in rows)


@rule("MH-01")
def test_mad_hat_stands_for_a_symbol():
    assert line("teapot mad_hat teapot jeff sundae") == (6, 3, 12)
    assert line("teapot mad_hat teapot teapot mad_hat") == (6, 5, 400)
    assert line("mad_hat sundae sundae sundae jeff") == (8, 4, 30)


@rule("MH-01")
def test_mad_hat_has_pays_of_its_own_for_two_to_five():
    assert line("mad_hat bunny chocolate_cake teapot teapot") == ()
    assert line("mad_hat mad_hat bunny teapot teapot") == (0, 2, 10)
    assert line("mad_hat mad_hat mad_hat bunny chocolate_cake") == (0, 3, 100)
    assert line("mad_hat mad_hat mad_hat mad_hat bunny") == (0, 4, 1000)
    assert line("mad_hat mad_hat mad_hat mad_hat mad_hat") == (0, 5, 20000)


@rule("MH-01")
def test_mad_hat_stands_for_neither_bunny_nor_clock():
    events = played("mad_hatters", [row("bunny mad_hat bunny teapot jeff")], lines=1)
    assert names_of(events) == ["spin", "window", "spin_win", "round_win"]
    events = played("mad_hatters", [row("cuckoo_clock mad_hat cuckoo_clock teapot jeff")], lines=1)
    assert names_of(events) == ["spin", "window", "spin_win", "round_win"]
    assert line("bunny mad_hat mad_hat bunny bunny") == ()


@rule("MH-02")
def test_mad_hat_expands_over_reel_3_whatever_its_row():
    for middle in range(3):
        rows = [text.split() for text in (TOP, "teapot sundae jeff teapot sundae", BOTTOM)]
        rows[middle][2] = "mad_hat"
        events = first_spin("mad_hatters", " / ".join(" ".join(text) for text in rows), lines=1)
        assert named(events, "window")[0][7:10] == (0, 0, 0)


@rule("MH-02")
def test_expanded_mad_hat_pays_on_the_lines_of_all_rows():  # worked example 7
    window = "jeff cup_cake mad_hat sundae sundae / teapot teapot teacup jeff sundae / sundae jeff john jeff teapot"
    events = first_spin("mad_hatters", window, line_bet=10, lines=1)
    assert named(events, "line") == [("line", 1, 6, 3, 0, 1, 120)]
    assert events[-1] == ("spin_win", 120)


@rule("MH-02")
def test_mad_hat_on_another_reel_does_not_expand():
    events = first_spin("mad_hatters", row("teapot mad_hat sundae mad_hat jeff"), lines=1)
    window = named(events, "window")[0][1:]
    assert [cell for cell in range(15) if window[cell] == game.MAD_HAT] == [4, 10]


@rule("MH-02")
def test_bunnies_and_clocks_are_counted_before_the_mad_hat_expands():
    window = "bunny sundae mad_hat sundae bunny / chocolate_cake teacup teapot teacup teapot / " + (
        "teapot cup_cake bunny cup_cake teapot"
    )
    events = first_spin("mad_hatters", window, lines=1)
    assert named(events, "scatter") == [("scatter", 3, 1, 3)]
    assert named(events, "window")[0][7:10] == (0, 0, 0)
    window = "sundae cuckoo_clock mad_hat cuckoo_clock jeff / teapot teacup teapot teacup teapot / " + (
        "teapot cup_cake cuckoo_clock cup_cake teapot"
    )
    events = played("mad_hatters", [window] + LOW_VALUES, (0,), lines=1)
    assert named(events, "cuckoo")[0][1] == 1


@rule("MH-02")
def test_mad_hat_does_not_expand_in_free_spins():  # worked example 7, second half
    window = "jeff cup_cake mad_hat sundae sundae / teapot teapot teacup jeff sundae / sundae jeff john jeff teapot"
    events = free_spin(window, hatter=JAMES, line_bet=10)
    assert names_of(events) == ["spin", "window", "spin_win"]
    assert events[2] == ("spin_win", 0)
    assert events[1][7:10] == tuple(ids("mad_hat teacup john"))


@rule("MH-03")
def test_bunnies_pay_times_the_total_bet_and_award_spins():
    for count, spins in ((3, 10), (4, 25), (5, 50)):
        events = played("mad_hatters", [bunnies(count)] + [QUIET] * spins, (JOHN,), line_bet=2, lines=7)
        pay = game.SCATTER_PAYS[count] * 2 * 7
        assert named(events, "scatter") == [("scatter", count, 1, pay)]
        assert named(events, "award") == [("award", spins)]
        assert [event[1] for event in named(events, "spin")] == [game.BASE] + [game.FREE] * spins
        assert events[-2:] == [("feature_end", 0), ("round_win", pay)]
    assert list(game.SCATTER_PAYS) == sorted(game.SCATTER_PAYS)


@rule("MH-03")
def test_one_or_two_bunnies_pay_and_award_nothing():
    for count in (1, 2):
        events = played("mad_hatters", [bunnies(count)], lines=30)
        assert names_of(events) == ["spin", "window", "spin_win", "round_win"]


@rule("MH-03")
@rule("MH-06")
@rule("MH-07")
def test_five_bunnies_in_the_base_game_and_in_free_spins():  # worked example 9
    draws = [bunnies(5), bunnies(5)] + [QUIET] * 49
    events = played("mad_hatters", draws, (JEFF,), line_bet=2, lines=30)
    assert named(events, "scatter") == [("scatter", 5, 1, 18000), ("scatter", 5, 2, 36000)]
    assert named(events, "award") == [("award", 50)]
    assert named(events, "feature_end", "round_win") == [("feature_end", 36000), ("round_win", 54000)]


@rule("MH-04")
def test_hatter_is_asked_before_the_first_free_spin_and_is_wild_in_all():
    sundaes = row("sundae john sundae teapot jeff")
    events = played("mad_hatters", [BUNNIES_3] + [sundaes] * 10, (JOHN,), lines=1)
    names = names_of(events)
    at = names.index("choice")
    assert names[at - 1] == "award" and names[at + 1] == "chosen" and names[at + 2] == "spin"
    assert events[at] == ("choice", 0, 0, 1, 2)
    assert events[at + 1] == ("chosen", JOHN)
    assert named(events, "line") == [("line", 1, 8, 3, 0, 2, 16)] * 10
    assert names.count("choice") == 1


@rule("MH-04")
def test_each_hatter_that_is_chosen_is_wild():
    for hatter, name in enumerate(("john", "james", "jeff")):
        assert free_line("sundae %s sundae teapot teacup" % name, hatter) == (8, 3, 16)
        for other in range(3):
            if other != hatter:
                assert free_line("sundae %s sundae teapot teacup" % name, other) == ()


@rule("MH-04")
def test_chosen_hatter_stands_for_neither_bunny_nor_clock():
    events = free_spin(row("bunny john bunny teapot jeff"))
    assert named(events, "scatter", "line") == []
    events = free_spin(row("cuckoo_clock john cuckoo_clock teapot jeff"))
    assert named(events, "cuckoo") == []


@rule("MH-04")
def test_hatter_that_is_no_option_is_refused():
    for option in (3, -1, None):
        with Scene("mad_hatters", [BUNNIES_3] + [QUIET] * 10):
            message = raises(ValueError, events_of, rounds.play("mad_hatters", 1, 1, bytes(16)), [option])
        assert "option" in message


@rule("MH-05")
def test_chosen_hatter_expands_on_reel_3():
    window = "teapot sundae james sundae teapot / sundae sundae teacup teapot jeff / " + BOTTOM
    events = free_spin(window, hatter=JAMES)
    assert events[1][7:10] == tuple(ids("james james james"))
    assert named(events, "line") == [("line", 1, 8, 3, 0, 2, 16)]


@rule("MH-05")
def test_other_hatters_are_ordinary_symbols_in_free_spins():
    window = "teapot sundae james sundae teapot / sundae sundae teacup teapot jeff / " + BOTTOM
    events = free_spin(window, hatter=JEFF)
    assert events[1][7:10] == tuple(ids("james teacup teapot"))
    assert named(events, "line") == []
    assert free_line("james james james teapot sundae", JEFF) == (4, 3, 40)


@rule("MH-05")
def test_chosen_hatter_is_ordinary_on_reel_3_of_the_base_game():
    window = "teapot sundae john sundae teapot / sundae sundae teacup teapot jeff / " + BOTTOM
    events = first_spin("mad_hatters", window, lines=1)
    assert events[1][7:10] == tuple(ids("john teacup teapot"))
    assert events[-1] == ("spin_win", 0)


@rule("MH-05")
def test_bunnies_and_clocks_are_counted_before_the_hatter_expands():
    window = "bunny sundae john sundae bunny / chocolate_cake teacup teapot teacup teapot / " + (
        "teapot cup_cake bunny cup_cake teapot"
    )
    events = free_spin(window, lines=4)
    assert named(events, "scatter") == [("scatter", 3, 2, 2 * 3 * 4)]
    assert events[1][7:10] == tuple(ids("john john john"))
    window = "sundae cuckoo_clock john cuckoo_clock jeff / teapot teacup teapot teacup teapot / " + (
        "teapot cup_cake cuckoo_clock cup_cake teapot"
    )
    events = free_spin(window, draws=LOW_VALUES, choices=(4,))
    assert named(events, "cuckoo")[0][1] == 1
    assert events[1][7:10] == tuple(ids("john john john"))


@rule("MH-05")
def test_mad_hat_on_reel_3_is_covered_by_the_hatter():
    window = "teapot sundae john sundae teapot / mad_hat mad_hat mad_hat teapot jeff / " + BOTTOM
    events = free_spin(window)
    # Two Mad Hats and John: John x3 = 25 and Teapot x4 = 50; three Mad Hats would have been 100.
    assert named(events, "line") == [("line", 1, 6, 4, 0, 2, 100)]


@rule("MH-06")
def test_free_spin_wins_are_doubled():
    assert line("teapot teapot teapot jeff sundae", 10) == (6, 3, 120)
    assert free_line("teapot teapot teapot jeff sundae", line_bet=10) == (6, 3, 240)


@rule("MH-06")
def test_free_spin_line_is_doubled_through_the_hatter():  # worked example 8
    assert free_line("teapot john teapot bunny jeff") == (6, 3, 24)


@rule("MH-07")
def test_three_and_four_bunnies_in_free_spins_award_nothing():
    for count in (3, 4):
        events = free_spin(bunnies(count), lines=30)
        assert names_of(events) == ["spin", "window", "scatter", "spin_win"]
        assert events[2] == ("scatter", count, 2, 2 * game.SCATTER_PAYS[count] * 30)


@rule("MH-08")
def test_five_real_mad_hats_pay_the_mad_hat():  # worked example 8
    assert free_line("mad_hat mad_hat mad_hat mad_hat mad_hat") == (0, 5, 40000)


@rule("MH-08")
def test_hatter_does_not_make_a_mad_hat_pay():  # worked example 8
    assert free_line("john mad_hat mad_hat mad_hat mad_hat") == (3, 5, 4000)
    assert free_line("mad_hat john mad_hat mad_hat mad_hat") == (3, 5, 4000)
    assert free_line("mad_hat mad_hat mad_hat mad_hat john") == (3, 5, 4000)
    assert free_line("john mad_hat mad_hat mad_hat mad_hat", JEFF) == (3, 5, 4000)


@rule("MH-08")
def test_line_takes_the_best_of_its_readings():
    # Mad Hat x2 = 10, John x3 = 25 and Teapot x4 = 50.
    assert free_line("mad_hat mad_hat john teapot sundae") == (6, 4, 100)
    # Mad Hat x2 = 10; Cup Cake x3 = 4.
    assert free_line("mad_hat mad_hat cup_cake teapot sundae") == (0, 2, 20)
    # John x3 = 25, with the Mad Hat; Teacup x4 = 20.
    assert free_line("john mad_hat john teacup sundae") == (3, 3, 50)
    # Mad Hat x4 = 1000; John x5 = 2000.
    assert free_line("mad_hat mad_hat mad_hat mad_hat john", JEFF) == (3, 5, 4000)
    assert line("mad_hat mad_hat mad_hat mad_hat sundae") == (0, 4, 1000)
    # Mad Hat x3 = 100 is more than Sundae x4 = 30, but not than Sundae x5 = 150.
    assert line("mad_hat mad_hat mad_hat sundae teapot") == (0, 3, 100)
    assert line("mad_hat mad_hat mad_hat sundae sundae") == (8, 5, 150)


@rule("MH-08")
def test_reel_3_expanded_by_a_mad_hat_counts_as_mad_hats():
    window = "teapot sundae mad_hat sundae teapot / mad_hat mad_hat teacup sundae teapot / " + BOTTOM
    assert named(first_spin("mad_hatters", window, lines=1), "line") == [("line", 1, 0, 3, 0, 1, 100)]


@rule("MH-09")
def test_clocks_on_adjacent_reels_give_picks():  # worked example 9
    for reels, picks in (
        ((1, 2, 3), 1),
        ((2, 3, 4), 1),
        ((3, 4, 5), 1),
        ((1, 2, 3, 5), 1),
        ((1, 3, 4, 5), 1),
        ((1, 2, 3, 4), 2),
        ((2, 3, 4, 5), 2),
        ((1, 2, 3, 4, 5), 3),
    ):
        events = played("mad_hatters", [clocks(*reels)] + LOW_VALUES, range(picks), lines=1)
        assert named(events, "cuckoo")[0][1] == picks
        assert len(named(events, "cuckoo_pick")) == picks


@rule("MH-09")
def test_clocks_that_are_not_three_in_a_row_give_none():  # worked example 9
    for reels in ((1, 2, 4, 5), (1, 3, 5), (1, 2, 4), (2, 3, 5), (4, 5), (1,)):
        events = played("mad_hatters", [clocks(*reels)], lines=1)
        assert names_of(events) == ["spin", "window", "spin_win", "round_win"]


@rule("MH-10")
def test_picked_clocks_win_their_values_times_the_line_bet():
    entries = (3, 11, 0, 7, 11)
    numbers = [entry_number(game.CUCKOO_WEIGHTS, entry) for entry in entries]
    values = tuple(game.CUCKOO_VALUES[entry] for entry in entries)
    events = played("mad_hatters", [clocks(1, 2, 3, 4, 5)] + numbers, (4, 0, 3), line_bet=10, lines=2)
    assert named(events, "cuckoo") == [("cuckoo", 3) + values]
    assert named(events, "cuckoo_pick") == [
        ("cuckoo_pick", 4, 10 * values[4]),
        ("cuckoo_pick", 0, 10 * values[0]),
        ("cuckoo_pick", 3, 10 * values[3]),
    ]
    assert named(events, "choice") == [("choice", 1, 0, 1, 2, 3, 4), ("choice", 1, 0, 1, 2, 3), ("choice", 1, 1, 2, 3)]
    assert events[-1] == ("round_win", 10 * (values[4] + values[0] + values[3]))


@rule("MH-10")
def test_no_clock_is_picked_twice():
    for option in (2, 5, -1):
        with Scene("mad_hatters", [clocks(1, 2, 3, 4)] + LOW_VALUES):
            raises(ValueError, events_of, rounds.play("mad_hatters", 1, 1, bytes(16)), [2, option])


@rule("MH-10")
def test_clock_values_are_weighted_draws():
    assert len(game.CUCKOO_VALUES) == len(game.CUCKOO_WEIGHTS)
    scene = Scene("mad_hatters", [clocks(1, 2, 3)] + LOW_VALUES)
    with scene:
        events_of(rounds.play("mad_hatters", 1, 1, bytes(16)), [0])
    assert scene.script.asked[5:] == [sum(game.CUCKOO_WEIGHTS)] * 5


@rule("MH-10")
@rule("MH-11")
def test_cuckoo_in_free_spins_is_not_doubled():  # worked example 9
    best = sum(game.CUCKOO_WEIGHTS) - 1
    for lines in (1, 30):
        draws = [BUNNIES_3, clocks(2, 3, 4), 0, best, 0, 0, 0] + [QUIET] * 9
        events = played("mad_hatters", draws, (JOHN, 1), line_bet=10, lines=lines)
        assert named(events, "cuckoo_pick") == [("cuckoo_pick", 1, 4500)]
        scatter = 3 * 10 * lines
        assert named(events, "feature_end", "round_win") == [("feature_end", 4500), ("round_win", scatter + 4500)]


@rule("MH-12")
def test_cuckoo_is_played_before_the_free_spins():
    window = (
        "bunny cuckoo_clock bunny sundae bunny / cuckoo_clock teacup cuckoo_clock teacup teapot / "
        "teapot cup_cake teapot cup_cake teapot"
    )
    events = played("mad_hatters", [window] + LOW_VALUES + [QUIET] * 10, (0, JAMES), lines=1)
    assert names_of(events)[:12] == [
        "spin",
        "window",
        "scatter",
        "spin_win",
        "cuckoo",
        "choice",
        "chosen",
        "cuckoo_pick",
        "award",
        "choice",
        "chosen",
        "spin",
    ]
    assert events[-1] == ("round_win", 3 + game.CUCKOO_VALUES[0])
    assert named(events, "feature_end") == [("feature_end", 0)]


@rule("MH-13")
def test_two_of_a_kind_may_use_wilds():
    assert line("teacup mad_hat teapot jeff sundae") == (9, 2, 2)
    assert line("mad_hat cup_cake teapot jeff sundae") == (10, 2, 2)
    assert line("cup_cake cup_cake teapot jeff sundae") == (10, 2, 2)
    assert line("teapot mad_hat sundae jeff sundae") == ()


@rule("MH-13")
def test_run_of_wilds_alone_counts_for_the_symbol_that_pays_most():
    # Two James are Teacup x2 or Cup Cake x2, both 2: the lower symbol id is named.
    assert free_line("james james bunny jeff sundae", JAMES) == (9, 2, 4)
    assert free_line("jeff mad_hat cuckoo_clock teapot sundae", JEFF) == (9, 2, 4)
    # Five Jeffs as John: 2000.
    assert free_line("jeff jeff jeff jeff jeff", JEFF) == (3, 5, 4000)
    # Three Jeffs as John (25) are more than Jeff's own three (15).
    assert free_line("jeff jeff jeff cuckoo_clock sundae", JEFF) == (3, 3, 50)


@rule("MH-13")
def test_mad_hat_pays_are_never_below_another_symbols():
    for symbol in range(1, len(game.SYMBOLS)):
        for count in range(6):
            assert game.PAYS[count] >= game.PAYS[6 * symbol + count]


def test_pays_fall_with_the_rank_and_rise_with_the_count():
    for symbol in range(3, 11):
        pays = list(game.PAYS[6 * symbol : 6 * symbol + 6])
        assert pays == sorted(pays)
        if symbol < 10:
            for count in (3, 4, 5):
                assert pays[count] >= game.PAYS[6 * symbol + 6 + count]


@rule("G-10")
def test_strips_hold_one_bunny_and_one_clock_a_window():
    for strips in game.STRIPS:
        assert len(strips) == 5
        for strip in strips:
            around = strip + strip[:2]
            for stop in range(len(strip)):
                window = list(around[stop : stop + 3])
                assert window.count(game.BUNNY) <= 1
                assert window.count(game.CLOCK_SYMBOL) <= 1
            assert game.BUNNY in strip and game.CLOCK_SYMBOL in strip


@rule("MH-02")
@rule("MH-05")
def test_bunny_and_clock_keep_away_from_what_expands_on_reel_3():
    # Three positions apart: a window never shows both, so that an expansion hides neither.
    for strips, expanding in ((game.STRIPS[game.BASE], (game.MAD_HAT,)), (game.STRIPS[game.FREE], ())):
        strip = strips[2]
        special = (game.BUNNY, game.CLOCK_SYMBOL) + expanding
        around = strip + strip[:2]
        for stop in range(len(strip)):
            assert len({symbol for symbol in around[stop : stop + 3] if symbol in special}) <= 1


def test_value_of_a_spin_is_its_lines_and_its_scatter():
    window = "bunny teapot bunny sundae bunny / teapot teapot teapot teacup jeff / sundae cup_cake jeff cup_cake teapot"
    events = first_spin("mad_hatters", window, line_bet=3, lines=1)
    assert value(named(events, "line")) == 36
    assert value(named(events, "scatter")) == 9
    assert events[-1] == ("spin_win", 45)
