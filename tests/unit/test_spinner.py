"""Spins on reels of the test's own and on the games' strips."""

from array import array

from portable import raises, rule
from rules import round as rounds
from rules.draw import RoundStream
from rules.games import GAMES, game_module
from rules.lines import Reading, line_table
from rules.spinner import FREE_SPINS_LIMIT, Bet, Spinner, cells_with, count_symbol, cut_award
from rules.strips import strip_set
from scripted import Script, answered, seed_of, spins_of

LINES = line_table("22222 11111 33333")
PAYS = array("i", [0] * 6 + [0, 0, 0, 5, 20, 100] + [0, 0, 0, 4, 15, 75] + [0] * 42)
STRIPS = (bytes([1, 2, 3, 4]), bytes([1, 2, 3]), bytes([5, 1, 2, 3, 6]), bytes([1, 7, 8, 9]), bytes([1, 1, 1]))


def spun(stops, line_bet=1, lines=3):
    """A spinner after these stops, and its stream."""
    stream = Script(stops)
    spinner = Spinner(stream, Bet(line_bet, lines), LINES)
    spinner.draw(STRIPS)
    return spinner, stream


def lines_of(spinner, multiplier=1, reading=None):
    return list(spinner.line_wins(reading or Reading(PAYS), multiplier))


@rule("G-11")
def test_five_stops_are_drawn_reel_1_to_5_below_the_strips_lengths():
    spinner, stream = spun([3, 0, 4, 2, 1])
    assert stream.asked == [4, 3, 5, 4, 3]
    assert list(spinner.stops) == [3, 0, 4, 2, 1]
    assert spinner.spin_event(7) == ("spin", 7, 3, 0, 4, 2, 1)


@rule("G-10")
def test_window_shows_three_positions_counted_around():
    spinner, _ = spun([3, 0, 4, 2, 1])
    assert list(spinner.window) == [4, 1, 2, 1, 2, 3, 6, 5, 1, 8, 9, 1, 1, 1, 1]


@rule("G-02")
@rule("G-08")
def test_line_wins_are_events_and_add_to_the_win():
    # Top row 1 1 1 7 1, middle row 2 2 2 8 1, bottom row 3 3 3 9 1.
    spinner, _ = spun([0, 0, 1, 1, 0], line_bet=4)
    assert lines_of(spinner) == [("line", 1, 2, 3, 0, 1, 16), ("line", 2, 1, 3, 0, 1, 20)]
    assert spinner.win == 36
    assert lines_of(spinner, multiplier=3) == [("line", 1, 2, 3, 0, 3, 48), ("line", 2, 1, 3, 0, 3, 60)]
    assert spinner.win == 36 + 108


def test_only_enabled_lines_pay():
    spinner, _ = spun([0, 0, 1, 1, 0], lines=1)
    assert lines_of(spinner) == [("line", 1, 2, 3, 0, 1, 16 // 4)]


def test_wild_multiplier_and_mode_multiplier_are_one_in_the_event():
    spinner, _ = spun([0, 0, 1, 1, 0], lines=2)
    reading = Reading(PAYS, wilds=(3,), wild_multiplier=2)
    assert lines_of(spinner, 3, reading) == [("line", 1, 2, 3, 0, 3, 12), ("line", 2, 1, 3, 0, 3, 15)]
    spinner.window[4] = 3
    assert lines_of(spinner, 3, reading) == [("line", 1, 2, 3, 0, 6, 24), ("line", 2, 1, 3, 0, 3, 15)]


def test_draw_starts_a_new_win():
    stream = Script([0, 0, 1, 1, 0] * 2)
    spinner = Spinner(stream, Bet(1, 3), LINES)
    assert spinner.win == 0
    spinner.draw(STRIPS)
    lines_of(spinner)
    assert spinner.win == 9
    spinner.draw(STRIPS)
    assert spinner.win == 0


@rule("G-03")
def test_scatter_pays_times_the_total_bet_and_adds_to_the_lines():
    spinner, _ = spun([0, 0, 1, 1, 0], line_bet=2, lines=3)
    lines_of(spinner)
    pays = (0, 0, 0, 7)
    assert list(spinner.scatter_win(3, pays)) == [("scatter", 3, 1, 42)]
    assert spinner.win == 18 + 42
    assert list(spinner.scatter_win(3, pays, 2)) == [("scatter", 3, 2, 84)]
    assert list(spinner.scatter_win(2, pays)) == []
    assert spinner.win == 18 + 42 + 84


@rule("G-03")
def test_scatters_count_anywhere():
    for cell in range(15):
        window = bytearray(15)
        window[cell] = 5
        assert count_symbol(window, 5) == 1
        assert cells_with(window, 5) == 1 << cell
    assert count_symbol(bytes([5] * 15), 5) == 15
    assert count_symbol(bytes(15), 5) == 0


@rule("G-12")
def test_award_is_cut_to_the_limit_of_a_feature():
    assert FREE_SPINS_LIMIT == 250
    assert [cut_award(10, awarded) for awarded in (0, 239, 240, 241, 249, 250)] == [10, 10, 10, 9, 1, 0]


def test_strips_are_read_from_letters():
    assert strip_set("WAB", ("AB W", "BBB")) == (bytes([1, 2, 0]), bytes([2, 2, 2]))
    raises(ValueError, strip_set, "WAB", ("AX",))


@rule("G-10")
@rule("G-11")
def test_windows_of_real_rounds_show_the_strips_of_their_mode():
    """A spin without wilds laid on it shows its stops; with them all other cells do."""
    for game in GAMES:
        module = game_module(game)
        expanding = {0, 3, 4, 5} if game == "mad_hatters" else set()
        laid = {10, 11, 12, 13} if game == "santa_vs_rudolf" else set()
        # Every mode but the Rudolf Spins, which need a rare full meter.
        unseen = {mode for mode in range(len(module.MODES)) if module.MODES[mode] != "rudolf"}
        number = 0
        while unseen or number < 60:
            number += 1
            assert number < 3000
            events = answered(rounds.play(game, 1, module.MAX_LINES, seed_of(number)), lambda kind, options: options[0])
            assert events[0][1] == 0
            for spin in spins_of(events):
                mode, stops, window = spin[0][1], spin[0][2:], spin[1][1:]
                unseen.discard(mode)
                strips = module.STRIPS[mode]
                for at in range(15):
                    strip = strips[at // 3]
                    drawn = strip[(stops[at // 3] + at % 3) % len(strip)]
                    assert window[at] == drawn or window[at] in laid or (at // 3 == 2 and window[at] in expanding)


@rule("G-11")
def test_first_stops_of_a_round_are_the_first_draws_of_its_stream():
    for game in GAMES:
        module = game_module(game)
        for number in range(20):
            stream = RoundStream(seed_of(number))
            stops = tuple(stream.below(len(strip)) for strip in module.STRIPS[0])
            assert next(rounds.play(game, 1, module.MAX_LINES, seed_of(number))) == ("spin", 0) + stops
