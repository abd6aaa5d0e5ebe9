"""Haunted House, rule by rule, on windows worked out by hand."""

from portable import rule
from rules import round as rounds
from rules.games import haunted_house as game
from scripted import Scene, Script, entry_number, events_of, first_spin, named, names_of, played, spins_of, symbol_ids

TOP = "lemon orange lemon orange lemon"
BOTTOM = "grapes watermelon grapes watermelon grapes"
# No line pays: reels 1 and 2 share no symbol.
QUIET = TOP + " / plum bell plum bell plum / " + BOTTOM
HOUSES_3 = (
    "lemon haunted_house lemon orange lemon / haunted_house bell plum haunted_house plum / "
    "grapes watermelon grapes watermelon grapes"
)
SPINS_3 = game.SCATTER_PAYS[3] * 20
CHERRIES, PLUM, SINGLE, DOUBLE, TRIPLE = 0, 3, 7, 8, 9
LAST = len(game.BONUS_TRAIL)


def row(middle):
    """A window with these symbols in the middle row."""
    return TOP + " / " + middle + " / " + BOTTOM


def with_icons(*numbers):
    """The quiet window with these icons, reel by reel and top to bottom."""
    rows = [text.split() for text in QUIET.split(" / ")]
    for at, number in enumerate(numbers):
        rows[at % 3][at // 3] += ":%d" % number
    return " / ".join(" ".join(text) for text in rows)


def middle_line(events):
    """Symbol, count and pay of line 1, () for none."""
    wins = [event for event in named(events, "line") if event[1] == 1]
    return tuple(wins[0][i] for i in (2, 3, 6)) if wins else ()


def line(middle):
    """Line 1 of the paid spin with this middle row."""
    return middle_line(first_spin("haunted_house", row(middle)))


def free_line(middle):
    """Line 1 of a free spin with this middle row."""
    return middle_line(spins_of(played("haunted_house", [HOUSES_3, 0, row(middle)]))[1])


def pay(symbol, count):
    return game.PAYS[6 * symbol + count]


def number_draw(spins):
    """The draw of the number trail that gives so many free spins."""
    return entry_number(game.NUMBER_WEIGHTS, spins - 1)


def icons_of(mode, reel):
    """The numbers on a strip."""
    return [int(digit) for digit in game.ICONS[mode][reel].decode()]


def positions(segment):
    """The positions of a segment as tuples (multiplier, feature, weight)."""
    return [tuple(segment[at : at + 3]) for at in range(0, len(segment), 3)]


MOON = [positions(segment) for segment in game.SEGMENTS]


def weights_of(segment):
    return [weight for _, _, weight in MOON[segment]]


def entry_of(segment, feature):
    """The first position of a segment with this feature."""
    return [position[1] for position in MOON[segment]].index(feature)


def full_moon(segments, draws, line_bet=1):
    """The events of the Full Moon trail on other segments, each position with weight 1."""
    kept = game.SEGMENTS
    game.SEGMENTS = [game.segment_table(", ".join(place + " 1" for place in segment)) for segment in segments]
    script = Script(draws)
    bet = rounds.Bet(line_bet, 20)
    try:
        events = events_of(game._full_moon(script, bet))
    finally:
        game.SEGMENTS = kept
    assert not script.numbers
    return events


@rule("HH-01")
def test_line_runs_from_reel_1_and_pays_its_highest_win():
    assert line("plum plum plum bell plum") == (PLUM, 3, pay(PLUM, 3))
    assert line("bell plum plum plum plum") == ()
    assert line("plum plum bell plum plum") == ()
    assert line("plum plum plum plum plum") == (PLUM, 5, pay(PLUM, 5))


@rule("HH-01")
def test_pays_rise_with_count_and_rank():
    for symbol in range(12):
        pays = list(game.PAYS[6 * symbol : 6 * symbol + 6])
        assert pays == sorted(pays)
    for symbol in range(TRIPLE):
        for count in (3, 4, 5):
            assert 0 < pay(symbol, count) <= pay(symbol + 1, count)


@rule("HH-01")
def test_cherries_and_bars_pay_for_two():
    assert line("cherries cherries plum bell plum") == (CHERRIES, 2, pay(CHERRIES, 2))
    assert line("double_bar double_bar plum bell plum") == (DOUBLE, 2, pay(DOUBLE, 2))
    assert line("triple_bar triple_bar plum bell plum") == (TRIPLE, 2, pay(TRIPLE, 2))
    assert line("single_bar single_bar plum bell plum") == ()


@rule("HH-02")
def test_pumpkin_is_on_free_strips_only():
    for strip in game.STRIPS[game.BASE]:
        assert game.PUMPKIN not in strip
    for strip in game.STRIPS[game.FREE]:
        assert game.PUMPKIN in strip


@rule("HH-02")
def test_pumpkin_stands_for_a_symbol_in_free_spins():
    assert free_line("plum pumpkin plum bell plum") == (PLUM, 3, pay(PLUM, 3))
    assert free_line("plum pumpkin pumpkin plum plum") == (PLUM, 5, pay(PLUM, 5))
    assert line("plum pumpkin plum bell plum") == ()


@rule("HH-02")
def test_line_takes_the_best_of_pumpkin_run_and_substituted_run():
    assert free_line("pumpkin cherries plum bell plum") == (CHERRIES, 2, pay(CHERRIES, 2))
    # Pumpkin x2 = 10 is less than Plum x3 = 15; but Pumpkin x3 = 100 is more than Plum x4 = 40.
    assert free_line("pumpkin pumpkin plum bell plum") == (PLUM, 3, 15)
    assert free_line("pumpkin pumpkin pumpkin plum bell") == (game.PUMPKIN, 3, 100)
    assert free_line("pumpkin pumpkin haunted_house plum bell") == (game.PUMPKIN, 2, 10)
    assert free_line("pumpkin pumpkin pumpkin pumpkin pumpkin") == (game.PUMPKIN, 5, pay(game.PUMPKIN, 5))


@rule("HH-02")
def test_pumpkin_pays_are_never_below_another_symbols():
    for symbol in range(12):
        for count in range(6):
            assert pay(game.PUMPKIN, count) >= pay(symbol, count)
    assert pay(game.PUMPKIN, 1) == 0 < pay(game.PUMPKIN, 2)


@rule("HH-03")
def test_houses_pay_anywhere_times_the_total_bet():
    for count, middle in ((2, "haunted_house bell plum bell haunted_house"), (5, " ".join(["haunted_house"] * 5))):
        events = first_spin("haunted_house", row(middle))
        assert named(events, "scatter") == [("scatter", count, 1, game.SCATTER_PAYS[count] * 20)]
        assert named(events, "line") == []
    assert named(first_spin("haunted_house", row("haunted_house bell plum bell plum")), "scatter") == []
    assert list(game.SCATTER_PAYS) == sorted(game.SCATTER_PAYS)
    assert game.SCATTER_PAYS[1] == 0 < game.SCATTER_PAYS[2]


@rule("HH-03")
@rule("HH-02")
def test_pumpkin_does_not_stand_for_the_house():
    events = played("haunted_house", [HOUSES_3, 0, row("haunted_house pumpkin pumpkin bell plum")])
    spin = spins_of(events)[1]
    assert named(spin, "scatter") == []
    assert middle_line(spin) == ()


@rule("HH-04")
def test_number_trail_decides_the_free_spins():
    for spins in (1, 7, 15):
        events = played("haunted_house", [HOUSES_3, number_draw(spins)] + [QUIET] * spins)
        assert named(events, "number_trail", "award") == [
            ("number_trail", spins - 1, spins),
            ("award", spins),
        ]
        assert [event[1] for event in named(events, "spin")] == [game.BASE] + [game.FREE] * spins
        assert events[-2:] == [("feature_end", 0), ("round_win", SPINS_3)]
        assert "choice" not in names_of(events)


@rule("HH-04")
def test_number_trail_is_one_weighted_draw_of_1_to_15():
    assert list(game.NUMBER_TRAIL) == list(range(1, 16))
    assert len(game.NUMBER_WEIGHTS) == 15 and min(game.NUMBER_WEIGHTS) > 0
    scene = Scene("haunted_house", [HOUSES_3, sum(game.NUMBER_WEIGHTS) - 1] + [QUIET] * 15)
    with scene:
        events = events_of(rounds.play("haunted_house", 1, 20, bytes(16)))
    assert scene.script.asked[5] == sum(game.NUMBER_WEIGHTS)
    assert named(events, "award") == [("award", 15)]


@rule("HH-04")
def test_two_houses_start_no_free_spins_and_four_do():
    assert "award" not in names_of(played("haunted_house", [row("haunted_house bell plum bell haunted_house")]))
    four = row("haunted_house haunted_house haunted_house haunted_house plum")
    assert named(played("haunted_house", [four, 0, QUIET]), "award") == [("award", 1)]


@rule("HH-05")
def test_houses_in_free_spins_draw_again_and_add():  # worked example 11
    # Five free spins; three Houses on the third, when two are left; the trail draws 7: nine are left.
    draws = [HOUSES_3, number_draw(5), QUIET, QUIET, HOUSES_3, number_draw(7)] + [QUIET] * 9
    events = played("haunted_house", draws)
    assert named(events, "award") == [("award", 5), ("award", 7)]
    spins = spins_of(events)
    assert len(spins) == 1 + 3 + 9
    assert names_of(spins[3]) == ["spin", "window", "scatter", "spin_win", "number_trail", "award"]
    assert named(events, "feature_end") == [("feature_end", SPINS_3)]


@rule("HH-05")
def test_retrigger_at_the_trails_15_on_the_last_free_spin():
    draws = [HOUSES_3, number_draw(1), HOUSES_3, number_draw(15)] + [QUIET] * 15
    events = played("haunted_house", draws)
    assert named(events, "award") == [("award", 1), ("award", 15)]
    assert len(spins_of(events)) == 17


@rule("HH-05")
@rule("G-12")
def test_free_spins_end_at_250():
    draw = number_draw(15)
    draws = [HOUSES_3, draw] + [HOUSES_3, draw] * 17 + [QUIET] * 233
    events = played("haunted_house", draws)
    assert named(events, "award") == [("award", 15)] * 16 + [("award", 10), ("award", 0)]
    assert named(events, "number_trail") == [("number_trail", 14, 15)] * 18
    assert len(named(events, "spin")) == 251


@rule("HH-06")
@rule("HH-07")
def test_icons_add_up_to_the_level_which_alone_pays():  # worked example 11
    events = played("haunted_house", [with_icons(2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1)])
    due = game.BONUS_TRAIL[5]
    assert names_of(events) == ["spin", "window", "spin_win", "icons", "trail", "round_win"]
    assert events[-3:] == [("icons", 6), ("trail", 6, due), ("round_win", due)]


@rule("HH-06")
def test_icons_of_every_cell_count():
    for at in range(15):
        events = played("haunted_house", [with_icons(*([0] * at + [1 + at % 3]))])
        assert named(events, "icons") == [("icons", 1 + at % 3)]
        assert named(events, "trail") == [("trail", 1 + at % 3, game.BONUS_TRAIL[at % 3])]


@rule("HH-06")
def test_the_20_lines_cover_every_position():
    assert set(game.LINES) == set(range(15))
    assert len(game.LINES) == 100


@rule("HH-06")
def test_icons_are_those_of_the_strip_positions():
    for mode in (game.BASE, game.FREE):
        for reel, strip in enumerate(game.STRIPS[mode]):
            numbers = icons_of(mode, reel)
            assert len(game.ICONS[mode][reel]) == len(strip)
            assert set(numbers) <= {0, 1, 2, 3} and max(numbers) > 0
            assert [game.icon(mode, reel, len(strip) + at) for at in range(3)] == numbers[:3]
        for shift in range(40):
            stops = [(shift * 7 + reel) % len(game.STRIPS[mode][reel]) for reel in range(5)]
            due = 0
            for reel in range(5):
                twice = icons_of(mode, reel) * 2
                due += sum(twice[stops[reel] : stops[reel] + 3])
            assert game.icon_sum(mode, stops) == due


@rule("HH-06")
def test_level_starts_at_zero_on_every_spin():
    draws = [HOUSES_3, number_draw(2), with_icons(2), with_icons(3)]
    events = played("haunted_house", draws)
    assert named(events, "icons") == [("icons", 2), ("icons", 3)]


@rule("HH-07")
def test_sum_of_zero_wins_nothing():
    assert names_of(played("haunted_house", [QUIET])) == ["spin", "window", "spin_win", "round_win"]


@rule("HH-07")
def test_every_level_pays_its_multiplier():
    for level in range(1, LAST):
        threes, rest = divmod(level, 3)
        events = played("haunted_house", [with_icons(*([3] * threes + [rest]))])
        assert named(events, "trail") == [("trail", level, game.BONUS_TRAIL[level - 1])]
        assert events[-1] == ("round_win", game.BONUS_TRAIL[level - 1])


@rule("HH-07")
@rule("HH-08")
def test_sum_past_the_end_is_the_last_level():
    # Every icon a 3: 45 is far past the end. The first Full Moon draw is a Collect.
    for numbers in ([3] * 15, [1] * LAST):
        events = played("haunted_house", [with_icons(*numbers), 0])
        assert named(events, "icons", "trail") == [("icons", sum(numbers)), ("trail", LAST, 0)]
        assert named(events, "full_moon_win") == [("full_moon_win", MOON[0][0][0])]


@rule("HH-07")
def test_trail_is_no_longer_than_the_largest_sum():
    for mode in (game.BASE, game.FREE):
        largest = 0
        for reel in range(5):
            around = icons_of(mode, reel) * 2
            largest += max(sum(around[stop : stop + 3]) for stop in range(len(around) // 2))
        assert largest >= LAST


@rule("HH-07")
def test_last_level_but_one_is_30_and_levels_rise():
    paying = list(game.BONUS_TRAIL[:-1])
    assert paying[-1] == 30
    assert paying == sorted(set(paying)) and paying[0] > 0
    assert game.BONUS_TRAIL[-1] == game.FULL_MOON


@rule("HH-08")
def test_last_level_starts_full_moon_instead_of_a_multiplier():
    advance = entry_of(0, game.ADVANCE)
    events = played("haunted_house", [with_icons(*[1] * LAST), entry_number(weights_of(0), advance), 0])
    first, second = MOON[0][advance][0], MOON[1][0][0]
    assert events[3:] == [
        ("icons", LAST),
        ("trail", LAST, 0),
        ("full_moon", 0, advance, first),
        ("full_moon", 1, 0, first + second),
        ("full_moon_win", first + second),
        ("round_win", first + second),
    ]


@rule("HH-09")
def test_full_moon_adds_repeats_advances_and_collects():  # worked example 11
    low = ("1 collect", "5 repeat", "10 advance")
    high = ("7 repeat", "100 collect")
    events = full_moon((low, high), (1, 2, 1))
    assert events == [("full_moon", 0, 1, 5), ("full_moon", 0, 2, 15), ("full_moon", 1, 1, 115), ("full_moon_win", 115)]


@rule("HH-09")
def test_full_moon_repeats_in_a_chain():
    low = ("1 collect", "5 repeat", "10 advance")
    high = ("7 repeat", "100 collect")
    events = full_moon((low, high), (1, 1, 1, 1, 2, 0, 0, 0, 1), line_bet=1)
    assert [event[1:] for event in named(events, "full_moon")] == [
        (0, 1, 5),
        (0, 1, 10),
        (0, 1, 15),
        (0, 1, 20),
        (0, 2, 30),
        (1, 0, 37),
        (1, 0, 44),
        (1, 0, 51),
        (1, 1, 151),
    ]
    assert events[-1] == ("full_moon_win", 151)


@rule("HH-09")
def test_full_moon_wins_the_cashpot_times_the_line_bet():
    assert full_moon((("30 collect",),), (0,), line_bet=3) == [("full_moon", 0, 0, 30), ("full_moon_win", 90)]


@rule("HH-09")
def test_full_moon_draws_each_segment_by_its_weights():
    for segment in range(len(MOON)):
        assert min(weights_of(segment)) > 0
        moves = [entry_number(weights_of(level), entry_of(level, game.ADVANCE)) for level in range(segment)]
        for entry, (_, feature, _) in enumerate(MOON[segment]):
            if feature == game.COLLECT:
                script = Script(moves + [entry_number(weights_of(segment), entry)])
                events = events_of(game._full_moon(script, rounds.Bet(1, 20)))
                assert script.asked == [sum(weights_of(level)) for level in range(segment + 1)]
                cashpot = sum(MOON[level][entry_of(level, game.ADVANCE)][0] for level in range(segment))
                assert events[-2] == ("full_moon", segment, entry, cashpot + MOON[segment][entry][0])


@rule("HH-09")
def test_top_segment_has_no_advance_and_each_other_has_all_features():
    for segment in MOON:
        features = {feature for _, feature, _ in segment}
        top = segment == MOON[-1]
        assert features == ({game.REPEAT, game.COLLECT} if top else {game.ADVANCE, game.REPEAT, game.COLLECT})
    assert game.FEATURES == ("advance", "repeat", "collect")
    assert (game.ADVANCE, game.REPEAT, game.COLLECT) == (0, 1, 2)


@rule("HH-09")
def test_segments_are_richer_from_one_to_the_next():
    means = []
    for segment in MOON:
        weight = sum(position[2] for position in segment)
        means.append(1000 * sum(position[0] * position[2] for position in segment) // weight)
    assert means == sorted(set(means))


@rule("HH-10")
def test_cashpot_is_cut_to_10000_and_collected():  # worked example 11
    low = ("9990 repeat", "50 repeat", "10 repeat")
    assert full_moon((low,), (0, 1)) == [
        ("full_moon", 0, 0, 9990),
        ("full_moon", 0, 1, 10000),
        ("full_moon_win", 10000),
    ]
    assert full_moon((low,), (0, 2))[-1] == ("full_moon_win", 10000)
    low = ("9999 repeat", "1 repeat", "2 collect")
    assert full_moon((low,), (0, 2))[-2:] == [("full_moon", 0, 2, 10000), ("full_moon_win", 10000)]
    assert game.CASHPOT_LIMIT == 10000


@rule("HH-11")
def test_icon_trail_runs_in_free_spins():
    draws = [HOUSES_3, number_draw(3), with_icons(2), QUIET, with_icons(*[1] * LAST), 0]
    events = played("haunted_house", draws)
    moon = MOON[0][0][0]
    assert named(events, "trail") == [("trail", 2, game.BONUS_TRAIL[1]), ("trail", LAST, 0)]
    feature = game.BONUS_TRAIL[1] + moon
    assert events[-2:] == [("feature_end", feature), ("round_win", SPINS_3 + feature)]


@rule("HH-12")
@rule("G-11")
def test_order_on_one_spin():
    window = (
        "lemon:3 haunted_house:3 lemon:3 orange:3 lemon:3 / plum plum plum haunted_house plum / "
        "grapes watermelon grapes watermelon haunted_house"
    )
    # The Full Moon is drawn first (its second position, a Collect), then the number trail.
    assert MOON[0][1][1] == game.COLLECT
    draws = [window, entry_number(weights_of(0), 1), number_draw(3), QUIET, QUIET, QUIET]
    events = played("haunted_house", draws)
    assert named(events, "full_moon", "award") == [("full_moon", 0, 1, MOON[0][1][0]), ("award", 3)]
    assert names_of(events)[:12] == [
        "spin",
        "window",
        "line",
        "scatter",
        "spin_win",
        "icons",
        "trail",
        "full_moon",
        "full_moon_win",
        "number_trail",
        "award",
        "spin",
    ]
    assert names_of(events)[-2:] == ["feature_end", "round_win"]
    plums, moon = pay(PLUM, 3), MOON[0][1][0]
    assert named(events, "spin_win")[0] == ("spin_win", plums + SPINS_3)
    assert events[-1] == ("round_win", plums + SPINS_3 + moon)


@rule("G-10")
def test_at_most_one_house_in_a_window_of_any_reel():
    for strips in game.STRIPS:
        assert len(strips) == 5
        for strip in strips:
            around = strip + strip[:2]
            assert game.HOUSE in strip
            for stop in range(len(strip)):
                assert list(around[stop : stop + 3]).count(game.HOUSE) <= 1


def test_symbols_are_named_from_the_lowest():
    assert symbol_ids(game, "cherries lemon single_bar triple_bar pumpkin haunted_house") == [0, 1, 7, 9, 10, 11]
