"""The line evaluator: the plain and the fast version, on windows worked out by hand."""

from array import array

from portable import raises, rule
from rules.draw import RoundStream
from rules.games import mad_mad_monkey as game
from rules.lines import evaluate, evaluate_plain, line_table

PAYS = array("i", [0] * 6 + [0, 0, 2, 10, 50, 250] + [0, 0, 0, 5, 20, 100] + [0, 0, 0, 4, 15, 75])
MIDDLE = line_table(["22222"])


def window(*rows):
    """A window from three rows of five ids."""
    return bytes(rows[row][reel] for reel in range(5) for row in range(3))


def middle(symbols, multiplier=2):
    """The result of the middle line (symbol, count, multiplier, win) on otherwise quiet rows; both evaluators agree."""
    cells = window((9, 9, 9, 9, 9), symbols, (8, 8, 8, 8, 8))
    results = array("i", [0] * 4)
    plain = array("i", [0] * 4)
    total = evaluate(cells, MIDDLE, 1, PAYS, 0, multiplier, results)
    assert evaluate_plain(cells, MIDDLE, 1, PAYS, 0, multiplier, plain) == total
    assert list(plain) == list(results)
    assert total == results[3]
    return tuple(results)


@rule("G-04")
def test_line_runs_from_reel_1_only():
    assert middle((1, 1, 1, 2, 3)) == (1, 3, 1, 10)
    assert middle((2, 1, 1, 1, 1)) == (2, 1, 1, 0)
    assert middle((3, 2, 2, 2, 2))[3] == 0


def test_line_pays_by_count():
    assert [middle(tuple([1] * count + [3] * (5 - count)))[3] for count in range(1, 6)] == [0, 2, 10, 50, 250]


def test_line_wild_substitutes_and_doubles_once():
    assert middle((1, 0, 1, 2, 3)) == (1, 3, 2, 20)
    assert middle((1, 0, 0, 1, 3)) == (1, 4, 2, 100)
    assert middle((1, 0, 0, 0, 1)) == (1, 5, 2, 500)


def test_line_wild_outside_the_run_does_not_double():
    assert middle((1, 1, 2, 0, 1)) == (1, 2, 1, 2)
    assert middle((1, 1, 1, 2, 0)) == (1, 3, 1, 10)


def test_line_wild_multiplier_is_the_games():
    assert middle((1, 0, 1, 2, 3), multiplier=6)[3] == 60


@rule("G-02")
def test_lines_add_up_and_each_pays_its_one_win():
    cells = window((1, 1, 1, 2, 3), (2, 2, 2, 2, 3), (3, 3, 1, 3, 3))
    lines = line_table(["11111", "22222", "33333"])
    results = array("i", [0] * 12)
    assert evaluate(cells, lines, 3, PAYS, 0, 2, results) == 10 + 20 + 0
    assert [results[at] for at in (3, 7, 11)] == [10, 20, 0]
    assert evaluate(cells, lines, 1, PAYS, 0, 2, results) == 10


def test_line_table_reads_rows_and_refuses_others():
    assert list(line_table(["12321"])) == [0, 4, 8, 10, 12]
    raises(ValueError, line_table, ["1232"])
    raises(ValueError, line_table, ["12421"])


def test_evaluators_agree_on_random_windows():
    stream = RoundStream(bytes(16))
    fast = array("i", [0] * 200)
    plain = array("i", [0] * 200)
    for _ in range(300):
        cells = bytes(stream.below(12) for _ in range(15))
        lines = 1 + stream.below(50)
        arguments = (cells, game.LINES, lines, game.PAYS, game.MONKEY, 2)
        assert evaluate(*arguments, fast) == evaluate_plain(*arguments, plain)
        assert list(fast) == list(plain)
