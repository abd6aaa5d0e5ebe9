"""Mad Mad Monkey, rule by rule, on windows worked out by hand."""

from portable import raises, rule
from rules import round as rounds
from rules.games import mad_mad_monkey as game
from scripted import Scene, Script, events_of, first_spin, named, names_of, played, spins_of

TOP = "10 J Q K A"
BOTTOM = "A K 10 J Q"
# No line pays: reels 1 and 2 share no symbol.
QUIET = "10 J Q K A / mango papaya mango coconut A / A K 10 J Q"
LOGOS_3 = "logo J Q K A / mango logo logo coconut A / A K 10 J Q"
WIN_400 = "pineapple J Q K A / pineapple pineapple pineapple pineapple pineapple / A K 10 J Q"  # on the middle line
BANANA, PINEAPPLE, MANGO = 2, 3, 5
COLLECT, RED, BLACK, CLUBS, DIAMONDS, HEARTS, SPADES = range(7)
OFFER = ("choice", 3, 0, 1, 2, 3, 4, 5, 6)


def row(middle):
    """A window with these symbols in the middle row."""
    return TOP + " / " + middle + " / " + BOTTOM


def line(middle):
    """Symbol, count, multiplier and pay of the middle line alone in the base game, () for none."""
    wins = named(first_spin("mad_mad_monkey", row(middle), lines=1), "line")
    return tuple(wins[0][i] for i in (2, 3, 5, 6)) if wins else ()


def free_spin(window, lines=1):
    """The events of a free spin in this window, the first of ten; the others win nothing."""
    return spins_of(played("mad_mad_monkey", [LOGOS_3, window] + [QUIET] * 9, lines=lines))[1]


def free_line(middle):
    """Symbol, count, multiplier and pay of the middle line alone in a free spin, () for none."""
    wins = named(free_spin(row(middle)), "line")
    return tuple(wins[0][i] for i in (2, 3, 5, 6)) if wins else ()


def pay(symbol, count):
    return game.PAYS[6 * symbol + count]


def gambled(choices, cards, limit=50000, window=WIN_400):
    """The events of a round that wins 400 coins, then is gambled."""
    return played("mad_mad_monkey", [window] + list(cards), choices, lines=1, gamble_limit=limit)


@rule("MM-01")
def test_monkey_is_on_reels_2_3_4_only():
    for strips in game.STRIPS:
        for reel, strip in enumerate(strips):
            assert (game.MONKEY in strip) == (reel in (1, 2, 3))


@rule("MM-01")
def test_monkey_stands_in_stacks_of_at_most_three():
    for strips in game.STRIPS:
        for strip in strips[1:4]:
            around = strip + strip
            assert bytes((game.MONKEY,) * 3) in around
            assert bytes((game.MONKEY,) * 4) not in around


@rule("MM-01")
def test_monkey_has_no_pay_of_its_own():
    assert list(game.PAYS[6 * game.MONKEY : 6 * game.MONKEY + 6]) == [0] * 6
    assert line("monkey monkey monkey logo J") == ()


@rule("MM-01")
def test_monkey_stands_for_a_line_symbol():
    assert line("mango monkey mango queen ace") == (MANGO, 3, 2, 2 * pay(MANGO, 3))
    assert line("mango monkey monkey monkey mango") == (MANGO, 5, 2, 2 * pay(MANGO, 5))


@rule("MM-02")
def test_win_is_doubled_once_however_many_monkeys():  # worked example 10
    assert line("banana monkey monkey banana ten") == (BANANA, 4, 2, 2 * pay(BANANA, 4))
    assert line("banana monkey banana banana ten") == (BANANA, 4, 2, 2 * pay(BANANA, 4))
    assert line("banana banana banana banana ten") == (BANANA, 4, 1, pay(BANANA, 4))


@rule("MM-02")
def test_monkey_outside_the_paid_run_does_not_double():  # worked example 10
    assert line("banana banana ten monkey ten") == (BANANA, 2, 1, pay(BANANA, 2))
    assert line("mango mango mango queen monkey") == (MANGO, 3, 1, pay(MANGO, 3))
    assert line("mango mango queen monkey mango") == ()


@rule("MM-02")
def test_monkey_at_the_end_of_the_run_doubles():
    assert line("mango mango monkey queen ace") == (MANGO, 3, 2, 2 * pay(MANGO, 3))


@rule("MM-03")
def test_best_win_is_chosen_after_multipliers():
    # Two Bananas alone pay 2; with the Monkey as the third they pay 20, doubled.
    assert line("banana banana monkey ten ace") == (BANANA, 3, 2, 2 * pay(BANANA, 3))
    assert pay(BANANA, 2) < pay(BANANA, 3)


@rule("MM-03")
def test_longer_run_is_never_worth_less():
    for symbol in range(len(game.SYMBOLS)):
        pays = list(game.PAYS[6 * symbol : 6 * symbol + 6])
        assert pays == sorted(pays)


@rule("MM-04")
def test_logos_pay_anywhere_times_the_total_bet():
    windows = (
        "logo J Q K 10 / A K 10 J Q / 10 A J Q K",
        "logo J Q K 10 / A K 10 logo Q / 10 A J Q K",
        "logo J Q K 10 / A K 10 logo Q / 10 A J Q logo",
        "logo J Q K 10 / A K logo logo Q / 10 A J Q logo",
        "logo J Q K 10 / A K logo logo Q / 10 logo J Q logo",
    )
    for count, window in enumerate(windows, 1):
        events = named(first_spin("mad_mad_monkey", window, lines=20), "scatter")
        due = game.SCATTER_PAYS[count] * 20
        assert events == ([("scatter", count, 1, due)] if count > 1 else [])
        assert (due > 0) == (count > 1)
    assert list(game.SCATTER_PAYS) == sorted(game.SCATTER_PAYS)


@rule("MM-04")
@rule("MM-01")
def test_monkey_does_not_stand_for_the_logo():
    events = played("mad_mad_monkey", [row("logo monkey monkey monkey ten")], lines=1)
    assert names_of(events) == ["spin", "window", "spin_win", "round_win"]


@rule("MM-04")
def test_logo_in_a_stack_of_monkeys_is_counted_and_ends_the_run():
    # Reel 2: Monkey, Logo, Monkey. Lines: middle (Mango, Logo), top (Mango, Monkey, Mango), bottom (A, Monkey, 10).
    window = "mango monkey mango K A / mango logo mango logo A / A monkey 10 J Q"
    events = first_spin("mad_mad_monkey", window, lines=3)
    assert named(events, "line") == [("line", 2, MANGO, 3, 0, 2, 2 * pay(MANGO, 3))]
    assert named(events, "scatter") == [("scatter", 2, 1, game.SCATTER_PAYS[2] * 3)]


@rule("MM-04")
def test_logos_in_a_row_pay_as_scatter_only():
    events = first_spin("mad_mad_monkey", row("logo logo logo logo logo"), lines=1)
    assert names_of(events) == ["spin", "window", "scatter", "spin_win"]
    assert events[-1] == ("spin_win", game.SCATTER_PAYS[5])


@rule("MM-05")
def test_three_four_and_five_logos_start_ten_free_spins():
    for middle in ("mango logo logo coconut A", "mango logo logo logo A", "mango logo logo logo logo"):
        events = played("mad_mad_monkey", ["logo J Q K A / " + middle + " / A K 10 J Q"] + [QUIET] * 10)
        assert named(events, "award") == [("award", 10)]
        assert [event[1] for event in named(events, "spin")] == [game.BASE] + [game.FREE] * 10
        assert names_of(events)[-2:] == ["feature_end", "round_win"]


@rule("MM-05")
def test_two_logos_start_none():
    events = played("mad_mad_monkey", ["logo J Q K A / mango logo mango coconut A / A K 10 J Q"], lines=1)
    assert names_of(events) == ["spin", "window", "scatter", "spin_win", "round_win"]


@rule("MM-05")
@rule("G-06")
def test_free_spins_play_the_lines_of_the_trigger():
    window = "mango mango mango K A / A mango mango logo logo / mango mango mango J Q"
    for lines in (1, 2, 3):
        events = free_spin(window, lines)
        assert [event[1] for event in named(events, "line")] == [2, 3][: lines - 1]
        assert named(events, "scatter") == [("scatter", 2, 1, game.SCATTER_PAYS[2] * lines)]


@rule("MM-06")
def test_line_wins_are_tripled_in_free_spins():
    assert free_line("mango mango mango queen ace") == (MANGO, 3, 3, 3 * pay(MANGO, 3))
    assert free_line("banana banana ten monkey ten") == (BANANA, 2, 3, 3 * pay(BANANA, 2))


@rule("MM-06")
def test_two_monkeys_in_a_free_spin_win_pay_six_times():  # worked example 10
    assert free_line("banana monkey monkey banana ten") == (BANANA, 4, 6, 6 * pay(BANANA, 4))


@rule("MM-06")
def test_scatter_is_not_tripled():
    events = free_spin("logo J Q K A / mango logo mango coconut A / A K 10 J Q", lines=50)
    assert named(events, "scatter") == [("scatter", 2, 1, game.SCATTER_PAYS[2] * 50)]


@rule("MM-07")
def test_three_logos_in_free_spins_add_ten():
    events = played("mad_mad_monkey", [LOGOS_3, QUIET, LOGOS_3] + [QUIET] * 18, lines=1)
    assert named(events, "award") == [("award", 10), ("award", 10)]
    spins = spins_of(events)
    assert len(spins) == 21
    assert names_of(spins[2]) == ["spin", "window", "scatter", "spin_win", "award"]
    assert named(events, "feature_end") == [("feature_end", game.SCATTER_PAYS[3])]


@rule("MM-07")
def test_retrigger_on_the_last_free_spin_goes_on():
    events = played("mad_mad_monkey", [LOGOS_3] + [QUIET] * 9 + [LOGOS_3] + [QUIET] * 10, lines=1)
    assert len(spins_of(events)) == 21


@rule("MM-07")
@rule("G-12")
def test_free_spins_end_at_250():
    # Ten spins and 24 times ten more are 250; Logos after that are paid and award nothing.
    events = played("mad_mad_monkey", [LOGOS_3] + [LOGOS_3] * 26 + [QUIET] * 224, lines=1)
    assert named(events, "award") == [("award", 10)] * 25 + [("award", 0)] * 2
    assert len(named(events, "spin")) == 251
    assert named(events, "feature_end") == [("feature_end", 26 * game.SCATTER_PAYS[3])]


@rule("MM-08")
def test_base_strips_have_no_two_bananas_in_a_row_and_free_strips_have_stacks():
    pair = bytes((BANANA,) * 2)
    for strip in game.STRIPS[game.BASE]:
        assert pair not in strip + strip[:1]
        assert BANANA in strip
    for strip in game.STRIPS[game.FREE]:
        assert pair in strip + strip[:1]


@rule("G-10")
def test_at_most_one_logo_in_a_window_of_any_reel():
    for strips in game.STRIPS:
        assert len(strips) == 5
        for strip in strips:
            around = strip + strip[:2]
            assert game.LOGO in strip
            for stop in range(len(strip)):
                assert list(around[stop : stop + 3]).count(game.LOGO) <= 1


@rule("MM-09")
def test_win_may_be_gambled_or_collected():
    events = gambled((COLLECT,), ())
    assert events[2:] == [
        ("line", 1, PINEAPPLE, 5, 0, 1, 400),
        ("spin_win", 400),
        OFFER,
        ("chosen", COLLECT),
        ("round_win", 400),
    ]


@rule("MM-09")
def test_gamble_is_offered_once_for_trigger_and_free_spins_together():
    draws = [LOGOS_3, row("mango mango mango queen ace")] + [QUIET] * 9 + [0]
    events = played("mad_mad_monkey", draws, (CLUBS, COLLECT), lines=1, gamble_limit=10000)
    total = game.SCATTER_PAYS[3] + 3 * pay(MANGO, 3)
    assert events[-7:] == [
        ("feature_end", 3 * pay(MANGO, 3)),
        OFFER,
        ("chosen", CLUBS),
        ("gamble", 0, 4 * total),
        OFFER,
        ("chosen", COLLECT),
        ("round_win", 4 * total),
    ]
    assert names_of(events).count("choice") == 2


@rule("MM-10")
def test_every_card_wins_or_loses_as_it_should():
    for guess in range(1, 7):
        wins = []
        for card in range(52):
            events = gambled((guess,), (card,), limit=401)
            won = events[-1][1]
            assert events[-2] == ("gamble", card, won)
            assert won in (0, 800 if guess in (RED, BLACK) else 1600)
            if won:
                wins.append(card)
        assert (
            wins
            == {
                RED: list(range(13, 39)),
                BLACK: list(range(13)) + list(range(39, 52)),
                CLUBS: list(range(13)),
                DIAMONDS: list(range(13, 26)),
                HEARTS: list(range(26, 39)),
                SPADES: list(range(39, 52)),
            }[guess]
        )


@rule("MM-10")
def test_card_is_one_draw_of_52_after_the_choice():
    script = Script([51])
    gamble = game.gamble_events(script, 10, 1000)
    assert next(gamble) == OFFER
    assert script.asked == []
    assert gamble.send(SPADES) == ("chosen", SPADES)
    assert script.asked == []
    assert next(gamble) == ("gamble", 51, 40)
    assert script.asked == [52]


@rule("MM-10")
def test_lost_gamble_loses_the_stake_and_ends():
    events = gambled((RED,), (0,))
    assert events[-2:] == [("gamble", 0, 0), ("round_win", 0)]


@rule("MM-10")
def test_guess_that_is_no_option_is_refused():
    for option in (7, -1, None):
        with Scene("mad_mad_monkey", [WIN_400, 0]):
            game_round = rounds.play("mad_mad_monkey", 1, 1, bytes(16), 50000)
            assert "option" in raises(ValueError, events_of, game_round, [option])


@rule("MM-11")
def test_at_most_five_gambles():
    events = gambled((RED,) * 5, (13,) * 5, limit=10**9)
    assert named(events, "gamble") == [("gamble", 13, 400 * 2**turn) for turn in range(1, 6)]
    assert events[-1] == ("round_win", 400 * 32)
    assert names_of(events).count("choice") == 5


@rule("MM-11")
def test_gamble_below_the_limit_may_pass_it_and_is_then_collected():
    # Worked example 10 with coins of 0.50: 200 coins, gambled twice, are 400.00; the limit is 500.00; the third makes
    # 800.00.
    window = "J J Q K A / mango mango mango mango mango / A K 10 J Q"
    events = gambled((RED, RED, RED), (20, 30, 13), 1000, window)
    assert named(events, "gamble") == [("gamble", 20, 400), ("gamble", 30, 800), ("gamble", 13, 1600)]
    assert names_of(events).count("choice") == 3
    assert events[-1] == ("round_win", 1600)


@rule("MM-11")
def test_gamble_is_offered_from_a_win_of_one_coin():
    events = gambled((SPADES,), (40,), 2, "logo J Q K A / mango papaya logo coconut A / A K 10 J Q")
    assert events[-4:] == [OFFER, ("chosen", SPADES), ("gamble", 40, 4), ("round_win", 4)]
    assert (game.COLLECT, game.RED, game.BLACK, game.FIRST_SUIT) == (COLLECT, RED, BLACK, CLUBS)


@rule("MM-11")
def test_gamble_is_not_offered_at_the_limit_or_without_a_win():
    assert "choice" not in names_of(gambled((), (), limit=400))
    assert "choice" in names_of(gambled((COLLECT,), (), limit=401))
    assert "choice" not in names_of(gambled((), (), limit=50000, window=QUIET))
    assert "choice" not in names_of(gambled((), (), limit=0))
    assert "choice" not in names_of(gambled((RED,), (20,), limit=800))[7:]


def test_lines_are_fifty_different_ones():
    assert len(set(game.LINE_PATTERNS.split())) == game.MAX_LINES == 50
    assert len(game.LINES) == 250
