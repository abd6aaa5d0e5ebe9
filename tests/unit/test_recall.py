"""Rounds run again through the choices that were made."""

from cabinet.recall import resume
from portable import raises, rule
from rules import round as rounds
from rules.games import GAMES
from scripted import LINES, named, names_of, rounds_with_features


@rule("G-07")
def test_resume_stops_at_the_first_choice_that_was_not_made():
    for game in GAMES:
        for seed, choices, events in rounds_with_features(game):
            asked = named(events, "choice") + [None]
            for made in range(len(choices) + 1):
                resumed = rounds.play(game, 1, LINES[game], seed, 1000)
                assert resume(resumed, choices[:made], list) == asked[made]


@rule("G-07")
def test_resume_goes_on_as_an_uninterrupted_round_and_feeds_at_every_event():
    for game in GAMES:
        for seed, choices, events in rounds_with_features(game):
            asked = [at for at, event in enumerate(events) if event[0] == "choice"]
            for made, at in enumerate(asked):
                fed = []
                resumed = rounds.play(game, 1, LINES[game], seed, 1000)
                resume(resumed, choices[:made], lambda fed=fed: fed.append(None))
                assert len(fed) == at + 1
                rest = []
                for option in choices[made:]:
                    event = resumed.send(option)
                    while event[0] not in ("choice", "round_win"):
                        rest.append(event[0])
                        event = next(resumed)
                    rest.append(event[0])
                assert rest == names_of(events[at + 1 :])
                assert event == events[-1]


def test_resume_refuses_more_choices_than_the_round_asks_for():
    for game in GAMES:
        for seed, choices, _ in rounds_with_features(game):
            resumed = rounds.play(game, 1, LINES[game], seed, 1000)
            raises(ValueError, resume, resumed, list(choices) + [0], list)
