"""Whole rounds: inputs, choices, replay, the round's win and its limits."""

from portable import raises, rule
from rules import choice
from rules import round as rounds
from rules.draw import RoundStream
from rules.games import GAMES, game_module
from scripted import LINES, answered, events_of, named, names_of, played, rounds_with_features, seed_of

SEED = bytes(range(16))
# Events whose last number joins the round's win.
WINS = ("spin_win", "cuckoo_pick", "trail", "full_moon_win", "gifts_win")

MM_QUIET = "10 J Q K A / mango papaya mango coconut A / A K 10 J Q"
MM_LOGOS = "logo J Q K A / mango logo logo coconut A / A K 10 J Q"
MM_PINEAPPLES = "pineapple J Q K A / pineapple pineapple pineapple pineapple pineapple / A K 10 J Q"


def policies():
    """Ways to choose: the first option, the last, and one that wanders but always in the same way."""
    wander = RoundStream(SEED)
    return (
        lambda kind, options: options[0],
        lambda kind, options: options[-1],
        lambda kind, options: options[wander.below(len(options))],
    )


@rule("G-02")
@rule("G-03")
def test_line_and_scatter_wins_add_up():
    # Two lines and two Logos: middle line Pineapple x5, top line Mango x3.
    window = "mango mango mango logo A / pineapple pineapple pineapple pineapple pineapple / A K 10 J logo"
    events = played("mad_mad_monkey", [window], lines=2)
    assert [event[0] for event in events] == ["spin", "window", "line", "line", "scatter", "spin_win", "round_win"]
    assert [event[-1] for event in events[2:]] == [400, 10, 2, 412, 412]


@rule("G-04")
def test_games_that_pay_one_way_pay_from_the_left_only():
    for game, symbol, other, third in (
        ("mad_hatters", "sundae", "teapot", "teacup"),
        ("mad_mad_monkey", "mango", "papaya", "jack"),
        ("haunted_house", "plum", "bell", "grapes"),
    ):
        quiet = "{0} {1} {0} {1} {0}".format(other, third)
        row = "%s %s %s %s %s" % (other, symbol, symbol, symbol, symbol)
        assert named(played(game, [quiet + " / " + row + " / " + quiet]), "line") == []
        row = "%s %s %s %s %s" % (symbol, symbol, symbol, symbol, other)
        wins = named(played(game, [quiet + " / " + row + " / " + quiet]), "line")
        assert [event[2:5] for event in wins if event[1] == 1] == [(game_module(game).SYMBOLS.index(symbol), 4, 0)]


@rule("G-06")
def test_features_play_at_the_bet_and_lines_of_the_spin_that_started_them():
    bunnies = "bunny sundae bunny sundae bunny / teapot teacup teapot teacup teapot / cup_cake teapot jeff jeff jeff"
    quiet = " / ".join(["jeff teacup teapot teacup teapot"] * 3)
    for line_bet, lines in ((1, 1), (10, 30), (3, 7)):
        draws = [bunnies, bunnies] + [quiet] * 9
        events = played("mad_hatters", draws, (0,), line_bet=line_bet, lines=lines)
        pays = [event[3] for event in named(events, "scatter")]
        assert pays == [3 * line_bet * lines, 2 * 3 * line_bet * lines]
        assert max([event[1] for event in named(events, "line")] + [0]) <= lines


@rule("G-07")
def test_same_inputs_and_choices_give_the_same_round():
    for game in GAMES:
        for seed, choices, events in rounds_with_features(game):
            assert events_of(rounds.play(game, 1, LINES[game], seed, 1000), choices) == events


@rule("G-07")
def test_other_seeds_give_other_rounds():
    for game in GAMES:
        stops = {next(rounds.play(game, 1, LINES[game], seed_of(number))) for number in range(50)}
        assert len(stops) > 45


@rule("G-07")
@rule("MH-10")
def test_picks_make_no_draw():
    """Whatever is picked, the hidden values are the same: they were drawn before."""
    number = 0
    while "cuckoo" not in names_of(answered(rounds.play("mad_hatters", 1, 30, seed_of(number)), policies()[0])):
        number += 1
    seed = seed_of(number)
    shown = {named(answered(rounds.play("mad_hatters", 1, 30, seed), policy), "cuckoo")[0] for policy in policies()}
    assert len(shown) == 1


@rule("G-07")
def test_a_round_goes_on_after_any_event_from_its_choices_so_far():
    for game in GAMES:
        for seed, choices, events in rounds_with_features(game, most=2):
            for stop in range(0, min(len(events), 120), 3):
                abandoned = rounds.play(game, 1, LINES[game], seed, 1000)
                left = list(choices)
                option = None
                for _ in range(stop):
                    option = left.pop(0) if abandoned.send(option)[0] == "choice" else None
                # Power is cut here: the round is played again from its inputs and choices, then to its end.
                assert events_of(rounds.play(game, 1, LINES[game], seed, 1000), choices) == events


def next_spin(game_round, choices, events):
    """Plays a round on to the next `spin_win` or to its end; adds its events; False at the end."""
    option = None
    if events and events[-1][0] == "choice":
        option = choices[len(named(events, "chosen"))]
    while True:
        try:
            event = game_round.send(option)
        except StopIteration:
            return False
        events.append(("window",) + tuple(event[1]) if event[0] == "window" else event)
        option = choices[len(named(events, "chosen"))] if event[0] == "choice" else None
        if event[0] == "spin_win":
            return True


@rule("G-07")
def test_rounds_that_run_side_by_side_do_not_meet():
    """Spin by spin: an abandoned round leaves nothing behind for the next one."""
    for game in GAMES:
        pair = rounds_with_features(game, most=2)[-2:]
        running = [[rounds.play(game, 1, LINES[game], seed, 1000), choices, []] for seed, choices, _ in pair]
        more = [True, True]
        while any(more):
            more = [going and next_spin(*one) for going, one in zip(more, running)]
        assert [one[2] for one in running] == [events for _, _, events in pair]


@rule("G-08")
def test_round_is_credited_once_at_its_end_with_all_its_wins():
    for game in GAMES:
        for seed, _, _ in rounds_with_features(game):
            for policy in policies():
                events = answered(rounds.play(game, 1, LINES[game], seed), policy)
                assert names_of(events).count("round_win") == 1
                due = sum(event[-1] for event in named(events, *WINS))
                assert events[-1] == ("round_win", due)
                inside = 0
                started = None  # the wins before the present feature
                for event in events:
                    if event[0] in WINS:
                        inside += event[-1]
                    elif event[0] == "award" and started is None:
                        started = inside
                    elif event[0] == "feature_end":
                        assert event[1] == inside - started
                        started = None


@rule("G-08")
def test_spin_win_is_its_lines_and_its_scatter():
    for game in GAMES:
        for _, _, events in rounds_with_features(game):
            due = 0
            for event in events:
                if event[0] == "spin":
                    due = 0
                elif event[0] in ("line", "scatter"):
                    due += event[-1]
                elif event[0] == "spin_win":
                    assert event[1] == due
            assert names_of(events).count("spin_win") == names_of(events).count("spin")


@rule("G-09")
def test_maximum_award_cuts_the_round_and_is_an_event():
    assert played("mad_mad_monkey", [MM_PINEAPPLES], lines=1, max_award=399)[-3:] == [
        ("spin_win", 400),
        ("clamp", 400, 399),
        ("round_win", 399),
    ]
    for limit in (0, 400, 401):
        events = played("mad_mad_monkey", [MM_PINEAPPLES], lines=1, max_award=limit)
        assert events[-2:] == [("spin_win", 400), ("round_win", 400)]


@rule("G-09")
def test_maximum_award_counts_a_feature_in():
    draws = [MM_LOGOS, MM_PINEAPPLES] + [MM_QUIET] * 9
    events = played("mad_mad_monkey", draws, lines=1, max_award=1000)
    assert events[-3:] == [("feature_end", 1200), ("clamp", 1203, 1000), ("round_win", 1000)]


@rule("G-09")
@rule("MM-09")
def test_maximum_award_cuts_before_and_after_the_gamble():
    events = played("mad_mad_monkey", [MM_PINEAPPLES, 13], (1, 0), lines=1, gamble_limit=10000, max_award=300)
    assert events[3:] == [
        ("spin_win", 400),
        ("clamp", 400, 300),
        ("choice", 3, 0, 1, 2, 3, 4, 5, 6),
        ("chosen", 1),
        ("gamble", 13, 600),
        ("choice", 3, 0, 1, 2, 3, 4, 5, 6),
        ("chosen", 0),
        ("clamp", 600, 300),
        ("round_win", 300),
    ]


@rule("G-09")
def test_maximum_award_holds_in_every_game():
    for game in GAMES:
        for seed, _, events in rounds_with_features(game):
            if events[-1][1] > 1 and "gamble" not in names_of(events):
                limit = events[-1][1] - 1
                cut = answered(rounds.play(game, 1, LINES[game], seed, 0, limit), lambda kind, options: options[0])
                total = sum(event[-1] for event in named(cut, *WINS))
                assert cut[-1] == ("round_win", min(limit, total))
                assert named(cut, "clamp") == ([("clamp", total, limit)] if total > limit else [])


@rule("MM-09")
def test_only_mad_mad_monkey_is_gambled():
    for game in GAMES:
        kinds = set()
        for _, _, events in rounds_with_features(game):
            kinds |= {event[1] for event in named(events, "choice")}
        assert (choice.GAMBLE in kinds) == (game == "mad_mad_monkey")


def refused(*arguments):
    """The message of a round that is refused before it starts."""
    return raises(ValueError, rounds.play, *arguments)


def test_rules_have_a_version():
    """A record of another version is refused: whoever changes what a round gives raises it."""
    assert rounds.RULES_VERSION == 2


def test_a_line_bet_that_the_game_does_not_take_is_refused():
    for game, most in (("mad_hatters", 10), ("mad_mad_monkey", 1), ("santa_vs_rudolf", 10), ("haunted_house", 1)):
        for line_bet in (0, -1, most + 1, 1.0, "1", None):
            message = refused(game, line_bet, LINES[game], SEED)
            assert "bet" in message
        for line_bet in (1, most):
            assert next(rounds.play(game, line_bet, LINES[game], SEED))[0] == "spin"


def test_a_number_of_lines_that_the_game_does_not_take_is_refused():
    for game in GAMES:
        fixed = game in ("santa_vs_rudolf", "haunted_house")
        for lines in (0, -1, LINES[game] + 1, 1.5, "20", None) + ((1, LINES[game] - 1) if fixed else ()):
            assert "lines" in refused(game, 1, lines, SEED)
        for lines in (LINES[game],) if fixed else (1, LINES[game]):
            assert next(rounds.play(game, 1, lines, SEED))[0] == "spin"


def test_other_bad_inputs_are_refused():
    assert "game" in refused("tic_tac_toe", 1, 1, SEED)
    assert "game" in refused(None, 1, 1, SEED)
    assert "game" in refused((), 1, 1, SEED)
    for game in GAMES:
        assert "16 bytes" in refused(game, 1, LINES[game], SEED[:15])
        assert "16 bytes" in refused(game, 1, LINES[game], "0123456789abcdef")
        assert "limit" in refused(game, 1, LINES[game], SEED, -1)
        assert "limit" in refused(game, 1, LINES[game], SEED, 0, -1)
        assert "limit" in refused(game, 1, LINES[game], SEED, 0.5)
        assert "limit" in refused(game, 1, LINES[game], SEED, 0, None)


def test_a_choice_that_is_no_option_ends_the_round_with_an_error():
    for option in (7, -1, None, "0", 1.0, (0,), ()):
        chooser = choice.choose(choice.CLOCK, [0, 1, 4])
        assert next(chooser) == ("choice", 1, 0, 1, 4)
        assert "none of the options" in raises(ValueError, chooser.send, option)
        raises(StopIteration, next, chooser)
    chooser = choice.choose(choice.GIFT, [2])
    assert next(chooser) == ("choice", 2, 2)
    assert chooser.send(2) == ("chosen", 2)
    raises(StopIteration, next, chooser)


def test_games_are_found_by_name():
    for game in GAMES:
        module = game_module(game)
        assert game == module.NAME
        assert len(module.LINES) == 5 * module.MAX_LINES == 5 * LINES[game]
        assert len(module.STRIPS) == len(module.MODES)
        assert len(module.PAYS) == 6 * len(module.SYMBOLS)
        assert len(set(module.LINE_PATTERNS.split())) == module.MAX_LINES
    assert (choice.HATTER, choice.CLOCK, choice.GIFT, choice.GAMBLE) == (0, 1, 2, 3)


def test_more_lines_win_no_less():
    for game in ("mad_hatters", "mad_mad_monkey"):
        for number in range(30):
            wins = []
            for lines in (1, 7, LINES[game]):
                events = answered(rounds.play(game, 1, lines, seed_of(number)), lambda kind, options: options[0])
                wins.append(events[-1][1])
            assert wins == sorted(wins)
