"""Rounds whose draws are written down in the test, with windows written as text.

A window is its three rows, top to bottom, parted by slashes: `A J Q A 10 / bells bells rudolf K K / list globe 10 Q A`.
A number icon of Haunted House follows its symbol: `plum:2`.
"""

from rules import round as rounds
from rules.draw import RoundStream
from rules.games import game_module

SHORT = {"a": "ace", "k": "king", "q": "queen", "j": "jack", "10": "ten"}
MOST_EVENTS = 20000
LINES = {"mad_hatters": 30, "mad_mad_monkey": 50, "santa_vs_rudolf": 20, "haunted_house": 20}


class Script(RoundStream):
    """A stream of chosen numbers; `asked` collects the range of each draw."""

    def __init__(self, numbers):
        super().__init__(bytes(16))
        self.numbers = list(numbers)
        self.asked = []

    def below(self, n):
        assert self.numbers, "draw number %d was not written down" % len(self.asked)
        number = self.numbers.pop(0)
        assert 0 <= number < n, "%d is not below %d" % (number, n)
        self.asked.append(n)
        return number


def symbol_ids(module, text):
    """The ids of symbol names."""
    names = [word.split(":")[0].lower() for word in text.split()]
    return [module.SYMBOLS.index(SHORT.get(name, name)) for name in names]


def columns(rows):
    """Three rows of five things, reel by reel and top to bottom."""
    assert [len(row) for row in rows] == [5, 5, 5], rows
    return [rows[row][reel] for reel in range(5) for row in range(3)]


def cells(module, text):
    """The 15 ids of a window."""
    return bytes(columns([symbol_ids(module, row) for row in text.split("/")]))


def icons(text):
    """The 15 number icons of a window, as digits."""
    rows = [[word.split(":")[1] if ":" in word else "0" for word in row.split()] for row in text.split("/")]
    return "".join(columns(rows)).encode()


def cell(reel, row):
    """The cell of reel 1 to 5, row 1 to 3."""
    return 3 * (reel - 1) + row - 1


class Scene:
    """A game on reels that hold just the windows of the test: window k is stop 3 k of every reel, in every mode.

    Args:
        game: name of the game.
        draws: in order, a window as text (a spin that shows it) or a number of any other draw.
    """

    def __init__(self, game, draws):
        self.module = game_module(game)
        windows = []
        numbers = []
        for draw in draws:
            if isinstance(draw, str):
                if draw not in windows:
                    windows.append(draw)
                numbers += [3 * windows.index(draw)] * 5
            else:
                numbers.append(draw)
        self.script = Script(numbers)
        self._strips = self._reels([cells(self.module, window) for window in windows])
        self._icons = self._reels([icons(window) for window in windows])

    @staticmethod
    def _reels(windows):
        return tuple(b"".join([window[3 * reel : 3 * reel + 3] for window in windows]) for reel in range(5))

    def __enter__(self):
        module = self.module
        modes = len(module.MODES)
        self._kept = (module.STRIPS, getattr(module, "ICONS", None), rounds.RoundStream)
        module.STRIPS = (self._strips,) * modes
        if self._kept[1]:
            module.ICONS = (self._icons,) * modes
        rounds.RoundStream = lambda seed: self.script
        return self

    def __exit__(self, *_exception):
        self.module.STRIPS, kept_icons, rounds.RoundStream = self._kept
        if kept_icons:
            self.module.ICONS = kept_icons


def events_of(game_round, choices=()):
    """All events of a round with these choices, each of which must be asked for; windows as tuples."""
    events = []
    left = list(choices)
    option = None
    while True:
        try:
            event = game_round.send(option)
        except StopIteration:
            assert not left, "choices that nobody asked for"
            return events
        assert len(events) < MOST_EVENTS, "the round does not end"
        if event[0] == "window":
            event = ("window",) + tuple(event[1])
        events.append(event)
        option = left.pop(0) if event[0] == "choice" else None


def played(game, draws, choices=(), line_bet=1, lines=None, gamble_limit=0, max_award=0):
    """The events of a round that uses just these draws (see Scene) and choices."""
    scene = Scene(game, draws)
    with scene:
        lines = scene.module.MAX_LINES if lines is None else lines
        events = events_of(rounds.play(game, line_bet, lines, bytes(16), gamble_limit, max_award), choices)
    assert not scene.script.numbers, "%d numbers were not drawn" % len(scene.script.numbers)
    return events


def first_spin(game, window, line_bet=1, lines=None):
    """The events of a round up to the first `spin_win`, in a window of the paid spin."""
    scene = Scene(game, [window])
    events = []
    with scene:
        lines = scene.module.MAX_LINES if lines is None else lines
        for event in rounds.play(game, line_bet, lines, bytes(16)):
            events.append(("window",) + tuple(event[1]) if event[0] == "window" else event)
            if event[0] == "spin_win":
                return events


def named(events, *names):
    """The events of these names."""
    return [event for event in events if event[0] in names]


def names_of(events):
    """The names of events in their order."""
    return [event[0] for event in events]


def spins_of(events):
    """The events of a round parted by spin: each part begins with its `spin`."""
    parts = []
    for event in events:
        if event[0] == "spin":
            parts.append([])
        parts[-1].append(event)
    return parts


def answered(game_round, policy):
    """All events of a round in which policy(kind, options) chooses; windows as tuples."""
    events = []
    option = None
    while True:
        try:
            event = game_round.send(option)
        except StopIteration:
            return events
        assert len(events) < MOST_EVENTS, "the round does not end"
        if event[0] == "window":
            event = ("window",) + tuple(event[1])
        events.append(event)
        option = policy(event[1], event[2:]) if event[0] == "choice" else None


def entry_number(weights, entry):
    """The first number of a weighted draw that gives this entry."""
    return sum(weights[:entry])


def seed_of(number):
    """A seed of 16 bytes from a number."""
    return number.to_bytes(16, "big")


_FOUND = {}


def rounds_with_features(game, most=4):
    """Rounds of real seeds, three plain ones and others with a feature, as (seed, choices, events)."""
    if game not in _FOUND:
        _FOUND[game] = search(game, 4)
    return _FOUND[game][: 3 + most]


def search(game, most):
    """The first three rounds and the first others with a feature."""
    found = []
    for number in range(8000):
        seed = seed_of(number)
        choices = []

        def chosen(kind, options, choices=choices):
            choices.append(options[len(choices) % len(options)])
            return choices[-1]

        events = answered(rounds.play(game, 1, LINES[game], seed, 1000), chosen)
        if number < 3 or named(events, "award", "cuckoo", "full_moon", "gift"):
            found.append((seed, choices, events))
        if len(found) == 3 + most:
            return found
    raise AssertionError("no round of %s has a feature" % game)
