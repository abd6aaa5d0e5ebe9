"""The line evaluator, on windows worked out by hand and against a plain reading of the rules."""

from array import array

from portable import raises, rule
from rules.draw import RoundStream
from rules.games import haunted_house, mad_hatters, mad_mad_monkey, santa_vs_rudolf
from rules.lines import WIN, Reading, line_table, pay_table

# Symbol 0 is the wild where there is one; 8 and 9 pay nothing.


def pays_of(*rows):
    """The flat table of ten symbols from the pays by count of the first ones."""
    pays = array("i", [0] * 60)
    for symbol, row in enumerate(rows):
        for count, pay in enumerate(row):
            pays[6 * symbol + count] = pay
    return pays


PAYS = pays_of((), (0, 0, 2, 10, 50, 250), (0, 0, 0, 5, 20, 100), (0, 0, 0, 4, 15, 75))
PLAIN = Reading(PAYS)
WILD = Reading(PAYS, wilds=(0,), wild_multiplier=2)
BOTH = Reading(PAYS, wilds=(0,), wild_run=(1,), both_ways=True)
MIDDLE = line_table("22222")


def window(*rows):
    """A window from three rows of five ids."""
    return bytes([rows[row][reel] for reel in range(5) for row in range(3)])


def wins(reading, cells, lines, count):
    """The paying lines as tuples (line from 0, symbol, count, direction, multiplier, pay)."""
    results = array("i", [0] * (WIN * count))
    found = reading.wins(cells, lines, count, results)
    return [tuple(results[WIN * at : WIN * at + WIN]) for at in range(found)]


def middle(reading, *symbols):
    """Symbol, count, direction, multiplier and pay of the middle line on otherwise quiet rows; () for none."""
    found = wins(reading, window((9, 9, 9, 9, 9), symbols, (8, 8, 8, 8, 8)), MIDDLE, 1)
    return found[0][1:] if found else ()


@rule("G-04")
def test_line_runs_from_reel_1_only():
    assert middle(PLAIN, 1, 1, 1, 2, 3) == (1, 3, 0, 1, 10)
    assert middle(PLAIN, 2, 1, 1, 1, 1) == ()
    assert middle(PLAIN, 3, 2, 2, 2, 2) == ()
    assert middle(PLAIN, 1, 1, 2, 1, 1) == (1, 2, 0, 1, 2)


def test_line_pays_by_count():
    found = [middle(PLAIN, *([1] * count + [3] * (5 - count))) for count in range(1, 6)]
    assert found == [(), (1, 2, 0, 1, 2), (1, 3, 0, 1, 10), (1, 4, 0, 1, 50), (1, 5, 0, 1, 250)]


@rule("MM-02")
def test_wild_in_the_run_multiplies_once():
    assert middle(WILD, 1, 0, 1, 2, 3) == (1, 3, 0, 2, 20)
    assert middle(WILD, 1, 0, 0, 1, 3) == (1, 4, 0, 2, 100)
    assert middle(WILD, 0, 0, 0, 0, 1) == (1, 5, 0, 2, 500)
    assert middle(WILD, 1, 1, 2, 0, 1) == (1, 2, 0, 1, 2)
    assert middle(WILD, 1, 1, 1, 2, 0) == (1, 3, 0, 1, 10)
    assert middle(WILD, 0, 0, 0, 0, 0) == ()


@rule("SR-01")
def test_both_ways_pays_the_larger_direction_once():
    assert middle(BOTH, 3, 2, 1, 1, 1) == (1, 3, 1, 1, 10)
    assert middle(BOTH, 2, 2, 0, 1, 1) == (1, 3, 1, 1, 10)
    assert middle(BOTH, 1, 1, 1, 1, 1) == (1, 5, 0, 1, 250)
    assert middle(BOTH, 1, 1, 2, 3, 3) == (1, 2, 0, 1, 2)
    assert middle(BOTH, 2, 2, 2, 3, 3) == (2, 3, 0, 1, 5)


def test_of_equal_pays_the_longer_run_then_the_lower_symbol_then_left_is_named():
    pays = pays_of((), (0, 0, 0, 5, 5, 9), (0, 0, 0, 5, 7, 9), (0, 0, 5, 5, 7, 9))
    both = Reading(pays, wilds=(0,), both_ways=True)
    assert middle(both, 2, 2, 0, 1, 1) == (1, 3, 1, 1, 5)
    assert middle(both, 1, 1, 0, 2, 2) == (1, 3, 0, 1, 5)
    assert middle(both, 3, 3, 1, 1, 1) == (1, 3, 1, 1, 5)
    assert middle(both, 1, 1, 1, 3, 3) == (1, 3, 0, 1, 5)
    assert middle(both, 1, 0, 1, 1, 2) == (1, 4, 0, 1, 5)
    assert middle(both, 2, 0, 0, 0, 2) == (2, 5, 0, 1, 9)
    own = Reading(pays, wilds=(2, 3), own=3, wild_run=(1,))
    assert middle(own, 3, 3, 3, 0, 0) == (1, 3, 0, 1, 5)
    assert middle(own, 3, 3, 0, 0, 0) == (3, 2, 0, 1, 5)


@rule("MH-08")
def test_wild_with_own_pays_counts_alone():
    pays = pays_of((0, 0, 10, 40, 90, 500), (0, 0, 0, 20, 60, 200), (0, 0, 0, 5, 30, 90))
    reading = Reading(pays, wilds=(0, 1), own=0, wild_run=(1, 2))
    assert middle(reading, 0, 0, 3, 3, 3) == (0, 2, 0, 1, 10)
    assert middle(reading, 0, 0, 1, 3, 3) == (1, 3, 0, 1, 20)
    assert middle(reading, 1, 0, 0, 0, 3) == (1, 4, 0, 1, 60)
    assert middle(reading, 0, 0, 0, 1, 3) == (1, 4, 0, 1, 60)
    assert middle(reading, 0, 0, 0, 0, 3) == (0, 4, 0, 1, 90)
    assert middle(reading, 0, 0, 0, 2, 2) == (2, 5, 0, 1, 90)


def test_run_of_wilds_alone_pays_nothing_unless_the_game_says_so():
    pays = pays_of((0, 0, 10, 20, 30, 40), *([()] * 8 + [(0, 0, 0, 0, 0, 50)]))
    assert middle(Reading(pays, wilds=(0,)), 0, 0, 0, 0, 0) == ()
    assert middle(Reading(pays, wilds=(0,)), 0, 0, 0, 1, 1) == ()
    assert middle(Reading(pays, wilds=(0,), own=0), 0, 0, 0, 0, 0) == (0, 5, 0, 1, 40)


def test_multiplier_is_that_of_the_best_reading():
    pays = pays_of((0, 0, 10), (0, 0, 2, 30))
    reading = Reading(pays, wilds=(0,), own=0, wild_multiplier=3, both_ways=True)
    assert middle(reading, 1, 1, 2, 0, 0) == (0, 2, 1, 3, 30)
    assert middle(reading, 0, 0, 2, 1, 1) == (0, 2, 0, 3, 30)
    assert middle(reading, 1, 1, 1, 2, 0) == (1, 3, 0, 1, 30)


@rule("G-02")
def test_lines_add_up_and_each_pays_its_one_win():
    cells = window((1, 1, 1, 2, 3), (2, 2, 2, 2, 3), (3, 3, 1, 3, 3))
    lines = line_table("11111 33333 22222")
    assert wins(PLAIN, cells, lines, 3) == [(0, 1, 3, 0, 1, 10), (2, 2, 4, 0, 1, 20)]
    assert wins(PLAIN, cells, lines, 2) == [(0, 1, 3, 0, 1, 10)]
    assert wins(PLAIN, cells, lines, 1) == [(0, 1, 3, 0, 1, 10)]


def test_line_table_reads_rows_and_refuses_others():
    assert list(line_table("12321 33333")) == [0, 4, 8, 10, 12, 2, 5, 8, 11, 14]
    assert "five" in raises(ValueError, line_table, "1232")
    raises(ValueError, line_table, "123212")
    assert "1 to 3" in raises(ValueError, line_table, "12421")
    raises(ValueError, line_table, "12021")


def test_pay_table_fills_missing_counts_with_nothing():
    pays = pay_table(("x", "a", "b"), "\n  b 3:4 4:5 5:6\n\n  a 2:20\n")
    assert list(pays) == [0] * 6 + [0, 0, 20, 0, 0, 0] + [0, 0, 0, 4, 5, 6]
    raises(ValueError, pay_table, ("x", "a"), "b 3:4")
    raises(ValueError, pay_table, ("x", "a"), "a 3:x")


def plain_win(symbols, pays, wilds, own, wild_run, wild_multiplier, both_ways):
    """The win of one line as the rules say it: every reading of either direction, then the best."""
    best = None
    for direction in (0, 1) if both_ways else (0,):
        run = list(symbols)
        if direction:
            run.reverse()
        named = [symbol for symbol in run if symbol not in wilds][:1] + list(wild_run)
        readings = [(symbol, tuple(wilds) + (symbol,)) for symbol in named]
        if own >= 0:
            readings.append((own, (own,)))
        for symbol, counted in readings:
            count = 0
            while count < 5 and run[count] in counted:
                count += 1
            multiplier = wild_multiplier if [one for one in run[:count] if one in wilds] else 1
            pay = pays[6 * symbol + count] * multiplier
            reading = (pay, count, -symbol, -direction, multiplier)
            if pay and (best is None or reading > best):
                best = reading
    return best and (-best[2], best[1], -best[3], best[4], best[0])


def compared(stream, windows, symbols, lines, pays, **setup):
    """Evaluates random windows of these symbols both ways round; returns how many lines paid."""
    rules = {"wilds": (), "own": -1, "wild_run": (), "wild_multiplier": 1, "both_ways": False}
    rules.update(setup)
    reading = Reading(pays, **rules)
    paid = 0
    for _ in range(windows):
        cells = bytes([symbols[stream.below(len(symbols))] for _ in range(15)])
        count = 1 + stream.below(len(lines) // 5)
        due = []
        for line in range(count):
            symbols_of_line = [cells[at] for at in lines[5 * line : 5 * line + 5]]
            win = plain_win(symbols_of_line, pays, **rules)
            if win:
                due.append((line,) + win)
        assert wins(reading, cells, lines, count) == due
        paid += len(due)
    return paid


@rule("G-02")
@rule("MH-08")
@rule("MM-03")
@rule("SR-01")
@rule("HH-02")
def test_readings_of_the_games_agree_with_the_plain_one():
    stream = RoundStream(bytes(range(16)))
    paying = tuple(range(3, 11))
    game = mad_hatters
    assert compared(stream, 30, (0, 3, 9, 10), game.LINES, game.PAYS, wilds=(0,), own=0, wild_run=paying) > 100
    for hatter in game.HATTERS:
        setup = {"wilds": (0, hatter), "own": 0, "wild_run": paying}
        assert compared(stream, 30, (0, 0, 1, hatter, 6, 9), game.LINES, game.PAYS, **setup) > 100
    game = mad_mad_monkey
    assert compared(stream, 30, (0, 1, 2, 3, 11), game.LINES, game.PAYS, wilds=(0,), wild_multiplier=2) > 100
    game = santa_vs_rudolf
    setup = {"wilds": (10, 11, 12, 13), "wild_run": (0,), "both_ways": True}
    assert compared(stream, 60, (0, 4, 8, 9, 10, 11, 12, 13), game.LINES, game.PAYS, **setup) > 100
    game = haunted_house
    assert compared(stream, 60, (0, 3, 9, 10, 11), game.LINES, game.PAYS, wilds=(10,), own=10) > 100


def test_readings_of_invented_games_agree_with_the_plain_one():
    """Small pays that rise with the count, with many ties, so that every tie-break is used."""
    stream = RoundStream(bytes(16))
    lines = line_table("22222 12321 33211 11111 33333")
    paid = 0
    for number in range(90):
        wilds = ((0,), (0, 1), (), (0, 5), (1,))[number % 5]
        pays = pays_of(*([0, 0] + sorted(stream.below(4) for _ in range(4)) for _ in range(6)))
        paid += compared(
            stream,
            12,
            (0, 0, 1, 1, 2, 3, 4, 5),
            lines,
            pays,
            wilds=wilds,
            own=wilds[-1] if wilds and number % 2 else -1,
            wild_run=((), (2,), (2, 3, 4))[number % 3],
            wild_multiplier=1 + number // 2 % 3,
            both_ways=number // 3 % 2 == 1,
        )
    assert paid > 500
