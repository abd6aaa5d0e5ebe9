"""Small invented tables of the four games, windows written as text, and rounds with scripted draws."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from host_tools.reference.common import Event, Round, Tables
from host_tools.reference.play import fixed_choices
from host_tools.reference.stream import Stream

SEED = bytes(range(16))


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


TWENTY_LINES = [
    [int(row) for row in pattern]
    for pattern in words(
        "22222 11111 33333 12321 32123 11211 33233 23332 21112 21212 "
        "23232 12121 32323 22122 22322 12221 32223 13131 31313 13331"
    )
]


def lines(count: int) -> list[list[int]]:
    """That many different line patterns, the twenty first."""
    others = (list(rows) for rows in itertools.product((1, 2, 3), repeat=5) if list(rows) not in TWENTY_LINES)
    return [*TWENTY_LINES, *others][:count]


def grid(text: str) -> list[str]:
    """A window from its rows, top to bottom, parted by slashes."""
    rows = [row.split() for row in text.split("/")]
    assert [len(row) for row in rows] == [5, 5, 5], text
    return [rows[row][reel] for reel in range(5) for row in range(3)]


def strips(text: str) -> list[list[str]]:
    """Five strips that are three long: stop 0 on every reel shows this window."""
    window = grid(text)
    return [window[3 * reel : 3 * reel + 3] for reel in range(5)]


def pays(text: str) -> dict[str, int]:
    """Pays by count from `count:coins` pairs."""
    return {count: int(coins) for count, coins in (pair.split(":") for pair in text.split())}


class ScriptedStream(Stream):
    """Draws that the test wrote down; `asked` collects the range of each."""

    def __init__(self, draws: Iterable[int]) -> None:
        super().__init__(SEED)
        self._draws = list(draws)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        assert self._draws, f"draw {len(self.asked) + 1}, below({n}), is not in the script"
        draw = self._draws.pop(0)
        assert 0 <= draw < n, f"draw {len(self.asked) + 1} is {draw}, below({n}) was asked"
        self.asked.append(n)
        return draw

    def assert_used_up(self) -> None:
        assert not self._draws, f"draws left: {self._draws}"


def scripted_round(
    tables: Tables, draws: Iterable[int] = (), choices: Sequence[int] = (), *, line_bet: int = 1, lines: int = 0
) -> tuple[Round, ScriptedStream]:
    """A round whose draws and choices the test wrote down; 0 lines are all."""
    round_ = Round(tables, line_bet, lines or tables["max_lines"], SEED, fixed_choices(choices))
    stream = ScriptedStream(draws)
    round_.stream = stream
    return round_, stream


def named(events: Iterable[Event], *names: str) -> list[Event]:
    """The events of these names, in order."""
    return [event for event in events if event[0] in names]


def names(events: Iterable[Event]) -> list[str]:
    """The names of the events, windows and lines left out."""
    return [str(event[0]) for event in events if event[0] not in ("window", "line")]


QUIET_HATTERS = "Teapot Cake Sundae Teapot Jeff / Sundae Jeff Teacup Cake Teapot / Cake Teapot CupCake Jeff Sundae"


def mad_hatters(**changed: Any) -> Tables:
    return {
        "game": "mad_hatters",
        "rules_version": 1,
        "symbols": words("Hat Bunny Clock John James Jeff Teapot Cake Sundae Teacup CupCake"),
        "line_patterns": lines(30),
        "lines_fixed": False,
        "max_lines": 30,
        "max_line_bet": 10,
        "coin_sizes_minor": [1, 2, 5, 10, 20, 25, 50],
        "modes": ["base", "free"],
        "strips": {
            "base": [
                words("Teapot Bunny Sundae Hat CupCake John Clock Cake Teacup Jeff James Teapot Sundae"),
                words("Cake Sundae Clock Teapot Jeff Bunny CupCake Hat Teacup James John Cake"),
                words("Teacup CupCake Bunny Teapot Cake Clock Sundae Jeff John Hat James Teapot Cake Sundae"),
                words("Jeff Teapot Clock CupCake James Sundae Teacup Bunny Hat John Cake"),
                words("Sundae Cake Bunny John Teapot Jeff Clock James Teacup CupCake Hat Teapot"),
            ],
            "free": [
                words("Hat Teapot Bunny Sundae CupCake John Clock Cake Teacup Jeff James"),
                words("Cake Sundae Clock Teapot Jeff Bunny CupCake Hat Teacup James John"),
                words("Teacup CupCake Bunny Teapot Cake Clock Sundae Jeff John Hat James"),
                words("Jeff Teapot Clock CupCake James Sundae Teacup Bunny Hat John Cake"),
                words("Sundae Cake Bunny John Teapot Jeff Clock James Teacup CupCake Hat"),
            ],
        },
        "line_pays": {
            "Hat": pays("2:10 3:200 4:1500 5:20000"),
            "John": pays("3:100 4:500 5:2000"),
            "James": pays("3:80 4:300 5:1000"),
            "Jeff": pays("3:60 4:200 5:800"),
            "Teapot": pays("3:12 4:60 5:400"),
            "Cake": pays("3:10 4:50 5:300"),
            "Sundae": pays("3:8 4:40 5:200"),
            "Teacup": pays("2:3 3:6 4:30 5:150"),
            "CupCake": pays("2:2 3:5 4:20 5:100"),
        },
        "scatter_symbol": "Bunny",
        "scatter_pays": pays("3:3 4:20 5:300"),
        "free_spins_limit": 250,
        "wild": "Hat",
        "hatters": ["John", "James", "Jeff"],
        "clock": "Clock",
        "free_spins": pays("3:10 4:25 5:50"),
        "free_multiplier": 2,
        "cuckoo": {
            "picks": {"3": 1, "4": 2, "5": 3},
            "values": [{"value": 5, "weight": 3}, {"value": 20, "weight": 2}, {"value": 450, "weight": 1}],
        },
        **changed,
    }


def mad_mad_monkey(**changed: Any) -> Tables:
    return {
        "game": "mad_mad_monkey",
        "rules_version": 1,
        "symbols": words("Monkey Logo Banana Mango Papaya Coconut A K Q J 10 9"),
        "line_patterns": lines(50),
        "lines_fixed": False,
        "max_lines": 50,
        "max_line_bet": 1,
        "coin_sizes_minor": [1, 2, 5, 10, 20, 25, 50],
        "modes": ["base", "free"],
        "strips": {
            "base": [
                words("Banana Mango A Logo K 10 Papaya Q J Coconut 9"),
                words("Mango Banana Monkey Monkey Monkey K Logo A 10 Coconut 9 Papaya Q J"),
                words("Papaya A Monkey Monkey Banana K Q Logo J Mango 10 9 Coconut"),
                words("Q K Banana A Logo Monkey Monkey Monkey J Papaya 10 Mango 9 Coconut"),
                words("9 10 J Q Logo K A Coconut Papaya Mango Banana"),
            ],
            "free": [
                words("Banana Banana Banana Mango A Logo K Papaya Q J"),
                words("Banana Banana Monkey Monkey Monkey K Logo A Coconut"),
                words("Banana Banana Banana A Monkey Monkey Monkey K Logo Q"),
                words("Banana Banana A Logo Monkey Monkey Monkey J Papaya 10"),
                words("Banana Banana Banana 10 J Q Logo K A Mango"),
            ],
        },
        "line_pays": {
            "Banana": pays("2:4 3:25 4:100 5:1000"),
            "Mango": pays("2:3 3:15 4:60 5:300"),
            "Papaya": pays("3:12 4:50 5:250"),
            "Coconut": pays("3:10 4:40 5:200"),
            "A": pays("3:8 4:30 5:120"),
            "K": pays("3:8 4:30 5:120"),
            "Q": pays("3:5 4:20 5:100"),
            "J": pays("3:5 4:20 5:100"),
            "10": pays("3:4 4:15 5:80"),
            "9": pays("3:4 4:15 5:80"),
        },
        "scatter_symbol": "Logo",
        "scatter_pays": pays("2:1 3:4 4:15 5:100"),
        "free_spins_limit": 250,
        "wild": "Monkey",
        "wild_multiplier": 2,
        "free_spins_from": 3,
        "free_spins": 10,
        "free_multiplier": 3,
        "gambles": 5,
        **changed,
    }


# Strips with wilds: a Rudolf at position 0, a Santa at position 5, nothing else of the kind for the rest of the ring.
LENGTH = 60
NONE = 1
"""A stop that shows no wild."""
RUDOLF_ROW = {1: 0, 2: LENGTH - 1, 3: LENGTH - 2}
"""The stop that shows the Rudolf in this row."""
SANTA_ROW = {1: 5, 2: 4, 3: 3}


def with_wilds(first: str, fifth: str) -> list[str]:
    """A strip with these symbols at positions 0 and 5."""
    ring = [first, *words("A K Q J"), fifth, *words("List Globe 10 Bells")]
    rest = words("K A J Q Sack Sleigh 10 Globe List Bells")
    return [*ring, *rest * (LENGTH // 10 - 1)]


def santa_vs_rudolf(**changed: Any) -> Tables:
    quiet = [["A", "K", "Q"], ["J", "10", "List"], ["Bells", "Globe", "Sack"], ["K", "Q", "J"], ["10", "A", "Globe"]]
    main = [with_wilds("rudolf", "Sack"), *quiet[1:4], with_wilds("A", "santa")]
    both = with_wilds("rudolf", "santa")
    return {
        "game": "santa_vs_rudolf",
        "rules_version": 1,
        "symbols": words("Sleigh Sack Bells Globe List A K Q J 10 rudolf santa merged reindeer"),
        "line_patterns": TWENTY_LINES,
        "lines_fixed": True,
        "max_lines": 20,
        "max_line_bet": 10,
        "coin_sizes_minor": [1, 2, 3, 4, 5],
        "modes": ["base", "base_respin", "free", "free_respin", "rudolf_spins"],
        "strips": {
            "base": main,
            "base_respin": main,
            "free": [both] * 5,
            "free_respin": [both] * 5,
            "rudolf_spins": quiet,
        },
        "line_pays": {
            "Sleigh": pays("5:500 4:150 3:20"),
            "Sack": pays("5:400 4:100 3:15"),
            "Bells": pays("5:300 4:80 3:10"),
            "Globe": pays("5:200 4:60 3:5"),
            "List": pays("5:150 4:50 3:5"),
            "A": pays("5:100 4:30 3:4"),
            "K": pays("5:75 4:25 3:3"),
            "Q": pays("5:60 4:20 3:3"),
            "J": pays("5:60 4:15 3:2"),
            "10": pays("5:60 4:15 3:2"),
        },
        "free_spins_limit": 250,
        "wilds": {"rudolf": "rudolf", "santa": "santa", "merged": "merged", "reindeer": "reindeer"},
        "wild_run_pays_as": "Sleigh",
        "merge_free_spins": 10,
        "merge_free_spins_limit": 30,
        "free_merge_free_spins": 4,
        "meter_length": 8,
        "gifts": {
            "sets": [{"prizes": [100, 60, 20]}, {"prizes": [200, 80, 140]}, {"prizes": [40, 50, 250]}],
            "max_multiplier": 4,
        },
        "rudolf_spins": {"spins": 3, "reindeer": 5, "cap": 9000},
        **changed,
    }


def stops(reel1: int = 0, reel5: int = 0) -> list[int]:
    """Five stops of the main game: a Rudolf in that row of reel 1, a Santa in that row of reel 5, 0 for none."""
    return [RUDOLF_ROW[reel1] if reel1 else NONE, 0, 0, 0, SANTA_ROW[reel5] if reel5 else NONE]


def free_stops(rudolfs: dict[int, int] | None = None, santas: dict[int, int] | None = None) -> list[int]:
    """Five stops of free spins: wilds by reel, 1 to 5, and row."""
    drawn = [NONE] * 5
    for reel, row in (rudolfs or {}).items():
        drawn[reel - 1] = RUDOLF_ROW[row]
    for reel, row in (santas or {}).items():
        drawn[reel - 1] = SANTA_ROW[row]
    return drawn


def plain(text: str) -> list[list[tuple[str, int]]]:
    """Strips of Haunted House that are three long; `Plum:2` carries an icon."""
    return [[(cell.split(":")[0], int((cell + ":0").split(":")[1])) for cell in strip] for strip in strips(text)]


QUIET_HOUSE = "Lemon Plum Bell Orange Grapes / Orange Grapes Plum Lemon Bell / Bell Lemon Grapes Plum Orange"


def haunted_house(**changed: Any) -> Tables:
    fruit = words("Lemon Plum Cherries Bell Orange Grapes SingleBar Watermelon DoubleBar TripleBar House Lemon Orange")
    base = [
        [(fruit[(turn + place) % 13], (0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0)[place]) for place in range(13)]
        for turn in (0, 4, 7, 2, 9)
    ]
    free = [[*strip, ("Pumpkin", 0), ("Plum", 1)] for strip in base]
    return {
        "game": "haunted_house",
        "rules_version": 1,
        "symbols": words(
            "Cherries Lemon Orange Plum Bell Grapes Watermelon SingleBar DoubleBar TripleBar Pumpkin House"
        ),
        "line_patterns": TWENTY_LINES,
        "lines_fixed": True,
        "max_lines": 20,
        "max_line_bet": 1,
        "coin_sizes_minor": [1, 2, 5, 10, 20, 25, 50],
        "modes": ["base", "free"],
        "strips": {"base": base, "free": free},
        "line_pays": {
            "Cherries": pays("2:2 3:4 4:10 5:20"),
            "Lemon": pays("3:5 4:15 5:30"),
            "Orange": pays("3:6 4:18 5:40"),
            "Plum": pays("3:8 4:20 5:50"),
            "Bell": pays("3:10 4:25 5:60"),
            "Grapes": pays("3:12 4:30 5:80"),
            "Watermelon": pays("3:15 4:40 5:100"),
            "SingleBar": pays("3:20 4:60 5:200"),
            "DoubleBar": pays("2:3 3:30 4:100 5:400"),
            "TripleBar": pays("2:5 3:50 4:200 5:1000"),
            "Pumpkin": pays("2:5 3:60 4:300 5:2000"),
        },
        "scatter_symbol": "House",
        "scatter_pays": pays("2:1 3:3 4:15 5:100"),
        "free_spins_limit": 250,
        "wild": "Pumpkin",
        "free_spins_from": 3,
        "number_trail": [{"spins": 1, "weight": 2}, {"spins": 7, "weight": 3}, {"spins": 15, "weight": 1}],
        "bonus_trail": [1, 2, 3, 5, 8, 12, 30, None],
        "full_moon": {
            "segments": [
                [
                    {"multiplier": 5, "feature": "repeat", "weight": 3},
                    {"multiplier": 10, "feature": "advance", "weight": 2},
                    {"multiplier": 2, "feature": "collect", "weight": 1},
                ],
                [
                    {"multiplier": 50, "feature": "repeat", "weight": 1},
                    {"multiplier": 100, "feature": "collect", "weight": 1},
                    {"multiplier": 20, "feature": "advance", "weight": 1},
                ],
                [
                    {"multiplier": 500, "feature": "collect", "weight": 1},
                    {"multiplier": 1000, "feature": "repeat", "weight": 1},
                ],
            ],
            "cashpot_limit": 10000,
        },
        **changed,
    }
