"""Mad Mad Monkey, rule by rule, on windows worked out by hand."""

from portable import raises, rule
from rules.draw import RoundStream
from rules.games import mad_mad_monkey as game

IDS = {name: at for at, name in enumerate(game.SYMBOLS)}


def played(top, middle, bottom, lines=game.MAX_LINES):
    """A spin whose window is given as three rows of five symbol names."""
    spin = game.BaseSpin()
    spin.lines = lines
    rows = [row.split() for row in (top, middle, bottom)]
    for reel in range(5):
        for row in range(3):
            spin.window[3 * reel + row] = IDS[rows[row][reel]]
    spin.evaluate()
    return spin


QUIET = "ten jack queen king ace"
QUIET_TOO = "ace king ten jack queen"


@rule("MM-01")
def test_monkey_is_on_reels_2_3_4_only():
    for reel, strip in enumerate(game.STRIPS):
        assert (game.MONKEY in strip) == (reel in (1, 2, 3))


@rule("MM-01")
def test_monkey_stands_in_stacks_of_three():
    for strip in game.STRIPS[1:4]:
        twice = strip + strip
        assert bytes((game.MONKEY,) * 3) in twice
        assert bytes((game.MONKEY,) * 4) not in twice


@rule("MM-01")
def test_monkey_has_no_pay_of_its_own():
    assert list(game.PAYS[6 * game.MONKEY : 6 * game.MONKEY + 6]) == [0] * 6


@rule("MM-01")
def test_monkey_substitutes_for_a_line_symbol():
    spin = played(QUIET, "mango monkey mango queen ace", QUIET_TOO, lines=1)
    assert spin.line_wins() == [(1, IDS["mango"], 3, 2, 20)]
    assert spin.win == 20


@rule("MM-02")
def test_monkey_doubles_once_however_many():
    spin = played(QUIET, "banana monkey monkey banana ten", QUIET_TOO, lines=1)
    assert spin.line_wins() == [(1, IDS["banana"], 4, 2, 2 * 100)]


@rule("MM-02")
def test_monkey_outside_the_paid_run_does_not_double():
    spin = played(QUIET, "banana banana ten monkey ten", QUIET_TOO, lines=1)
    assert spin.line_wins() == [(1, IDS["banana"], 2, 1, 2)]


@rule("MM-03")
def test_best_win_is_chosen_after_multipliers():
    # Two Bananas alone pay 2; with the Monkey as the third they pay 20, doubled.
    spin = played(QUIET, "banana banana monkey ten ace", QUIET_TOO, lines=1)
    assert spin.line_wins() == [(1, IDS["banana"], 3, 2, 40)]


@rule("MM-03")
def test_a_longer_run_is_never_worth_less():
    for symbol in range(len(game.SYMBOLS)):
        pays = list(game.PAYS[6 * symbol : 6 * symbol + 6])
        assert pays == sorted(pays)


@rule("MM-04")
def test_logo_pays_anywhere_times_the_total_bet():
    spin = played("logo jack queen king ten", "ace king ten logo queen", "ten ace jack queen logo", lines=20)
    assert (spin.scatter_count, spin.scatter_win) == (3, 3 * 20)


@rule("MM-04")
def test_monkey_does_not_stand_for_the_logo():
    spin = played("logo monkey monkey monkey ten", "ace king ten jack queen", "ten ace jack queen king", lines=1)
    assert (spin.scatter_count, spin.scatter_win) == (1, 0)
    assert spin.win == 0


@rule("MM-04")
def test_logos_in_a_row_pay_as_scatter_only():
    spin = played(QUIET, "logo logo logo logo logo", QUIET_TOO, lines=1)
    assert spin.line_wins() == []
    assert spin.win == 100


@rule("G-03")
def test_scatter_and_line_wins_add_up():
    spin = played("logo jack logo king ten", "banana banana banana ten queen", "ten ace jack queen king", lines=1)
    assert spin.win == 20 + 1


@rule("G-10")
def test_at_most_one_logo_in_a_window_of_any_reel():
    for strip in game.STRIPS:
        twice = strip + strip[:2]
        for stop in range(len(strip)):
            assert twice[stop : stop + 3].count(bytes((game.LOGO,))) <= 1


@rule("MM-08")
def test_base_strips_have_no_two_bananas_in_a_row():
    pair = bytes((IDS["banana"],) * 2)
    for strip in game.STRIPS:
        assert pair not in strip + strip[:1]


@rule("G-11")
def test_stops_are_drawn_reel_1_to_5():
    seed = bytes(range(16))
    stream = RoundStream(seed)
    expected = [stream.below(len(strip)) for strip in game.STRIPS]
    spin = game.BaseSpin()
    spin.play(RoundStream(seed), 50)
    assert list(spin.stops) == expected
    for reel, strip in enumerate(game.STRIPS):
        for row in range(3):
            assert spin.window[3 * reel + row] == strip[(expected[reel] + row) % len(strip)]


@rule("G-07")
def test_a_seed_replays_the_spin():
    first, second = game.BaseSpin(), game.BaseSpin()
    for number in range(50):
        seed = number.to_bytes(16, "big")
        first.play(RoundStream(seed), 50)
        second.play(RoundStream(seed), 50)
        assert (first.stops, first.window, first.win) == (second.stops, second.window, second.win)


def test_fewer_lines_win_no_more():
    spin = game.BaseSpin()
    for number in range(20):
        wins = []
        for lines in (1, 10, 50):
            spin.play(RoundStream(number.to_bytes(16, "big")), lines)
            wins.append(spin.win)
        assert wins == sorted(wins)


def test_lines_are_fifty_different_ones():
    assert len(set(game.LINE_PATTERNS)) == game.MAX_LINES == 50
    assert len(game.LINES) == 250


def test_play_refuses_a_wrong_number_of_lines():
    spin = game.BaseSpin()
    raises(ValueError, spin.play, RoundStream(bytes(16)), 0)
    raises(ValueError, spin.play, RoundStream(bytes(16)), 51)
