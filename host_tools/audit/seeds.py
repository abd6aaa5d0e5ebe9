"""Seeds of rounds that reach an event, found by the reference."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..errors import UsageError
from ..reference.common import Event, Tables
from .events import GAMBLE_OPTIONS, KINDS
from .rounds import SEED_BYTES, RoundInputs, play_reference

_PROGRESS_ROUNDS = 1_000
_GAMBLE_LIMIT = 10_000  # coins: offered for nearly every win
_CLAMP_AT = 20  # times the total bet
_RED = GAMBLE_OPTIONS.index("red")
_FREE_MODES = {"mad_hatters": (1,), "mad_mad_monkey": (1,), "santa_vs_rudolf": (2, 3), "haunted_house": (1,)}


@dataclass(frozen=True)
class Goal:
    """An event to reach.

    Attributes:
        meaning: what it is, in words.
        reached: whether the events of a round reach it.
        gamble: what is chosen when the gamble is offered: 0 collect, 1 red; None switches it off.
        clamped: the round is played with a maximum award.
    """

    meaning: str
    reached: Callable[[Sequence[Event]], bool]
    gamble: int | None = None
    clamped: bool = False


def goals(tables: Tables, times: int) -> dict[str, Goal]:
    """The events that seeds can be found for in a game, by name.

    Args:
        times: a big win is at least so many times the total bet, which here is one coin on each line.
    """
    return {
        "no_win": Goal("nothing is won", lambda events: _win(events) == 0),
        "win": Goal("something is won", lambda events: _win(events) > 0),
        "big_win": Goal(
            f"at least {times} x the total bet", lambda events: _win(events) >= times * tables["max_lines"]
        ),
        "clamp": Goal(f"a maximum award of {_CLAMP_AT} x the total bet cuts it", _has("clamp"), clamped=True),
        **_OWN[tables["game"]](tables),
    }


def search(
    tables: Tables, goal: Goal, count: int, start: bytes, tries: int, progress: Callable[[int], None]
) -> Iterator[tuple[RoundInputs, int]]:
    """Yields (inputs, round win) of the first `count` rounds that reach the goal, of seeds that count up from `start`.

    One coin is bet on each line; every choice but the gamble's is the first option offered.

    Args:
        start: the first seed, 16 bytes; as a number it counts up by one.
        tries: how many seeds are looked at; the search ends after them, whatever it found.
        progress: called now and then with how many have been looked at.

    Raises:
        UsageError: the seeds would pass the last one.
    """
    first = int.from_bytes(start, "big")
    if first + tries > 1 << 8 * SEED_BYTES:
        raise UsageError("the seeds would pass the last one", "start from a lower seed")
    lines = tables["max_lines"]
    gamble_limit = 0 if goal.gamble is None else _GAMBLE_LIMIT
    inputs = RoundInputs(tables["game"], 1, lines, start, (), gamble_limit, _CLAMP_AT * lines * goal.clamped)

    def choose(kind: int, options: tuple[int, ...]) -> int:
        return goal.gamble or 0 if KINDS[kind] == "gamble" else options[0]

    found = 0
    for tried in range(tries):
        if tried % _PROGRESS_ROUNDS == 0:
            progress(tried)
        inputs = replace(inputs, seed=(first + tried).to_bytes(SEED_BYTES, "big"))
        events = play_reference(inputs, tables, choose)
        if goal.reached(events):
            choices = tuple(int(event[1]) for event in events if event[0] == "chosen")
            yield replace(inputs, choices=choices), _win(events)
            found += 1
            if found == count:
                return


def _win(events: Sequence[Event]) -> int:
    return int(events[-1][1])


def _has(*names: str) -> Callable[[Sequence[Event]], bool]:
    return lambda events: any(event[0] in names for event in events)


def _times(name: str, at_least: int, first: int | None = None) -> Callable[[Sequence[Event]], bool]:
    """So many events of this name, whose first number is `first` if that is given."""
    return lambda events: sum(event[0] == name and (first is None or event[1] == first) for event in events) >= at_least


def _in_free_spins(tables: Tables, *names: str) -> Callable[[Sequence[Event]], bool]:
    """An event of one of these names after a spin in a mode of free spins."""
    free = _FREE_MODES[tables["game"]]

    def reached(events: Sequence[Event]) -> bool:
        mode: int | str = 0
        for event in events:
            if event[0] == "spin":
                mode = event[1]
            elif event[0] in names and mode in free:
                return True
        return False

    return reached


def _merges(at_least: int) -> Callable[[Sequence[Event]], bool]:
    """So many merges on one spin."""

    def reached(events: Sequence[Event]) -> bool:
        merges = 0
        for event in events:
            merges = 0 if event[0] == "spin" else merges + (event[0] == "merge")
            if merges >= at_least:
                return True
        return False

    return reached


def _mad_hatters(tables: Tables) -> dict[str, Goal]:
    return {
        "scatter": Goal("Bunnies pay", _has("scatter")),
        "free_spins": Goal("free spins start", _has("award")),
        "many_free_spins": Goal("four or five Bunnies award them", lambda events: _most(events, "award") > 10),
        "free_scatter": Goal("Bunnies pay in free spins", _in_free_spins(tables, "scatter")),
        "cuckoo": Goal("the Cuckoo bonus starts", _has("cuckoo")),
        "two_picks": Goal("a Cuckoo bonus of at least two picks", lambda events: _most(events, "cuckoo") >= 2),
        "three_picks": Goal("a Cuckoo bonus of three picks", lambda events: _most(events, "cuckoo") == 3),
        "free_cuckoo": Goal("the Cuckoo bonus starts in free spins", _in_free_spins(tables, "cuckoo")),
        "cuckoo_and_free_spins": Goal("both start on the paid spin", _both_on_paid_spin),
    }


def _mad_mad_monkey(tables: Tables) -> dict[str, Goal]:
    return {
        "scatter": Goal("Logos pay", _has("scatter")),
        "free_spins": Goal("free spins start", _has("award")),
        "retrigger": Goal("free spins award more", _times("award", 2)),
        "gamble": Goal("the gamble is offered; the win is collected", _has("choice"), gamble=0),
        "gamble_won": Goal("a gamble on red is won", lambda events: _most(events, "gamble", 2) > 0, gamble=_RED),
        "gamble_lost": Goal(
            "a gamble on red is lost", lambda events: _has("gamble")(events) and not _win(events), _RED
        ),
        "five_gambles": Goal("red is won five times", _five_won, gamble=_RED),
    }


def _santa_vs_rudolf(tables: Tables) -> dict[str, Goal]:
    return {
        "respin": Goal("a wild gives a re-spin", _times("spin", 1, first=1)),
        "free_spins": Goal("free spins start", _has("award")),
        "merge": Goal("Rudolf and Santa merge", _has("merge")),
        "two_merges": Goal("two merges on one spin", _merges(2)),
        "three_merges": Goal("three merges on one spin", _merges(3)),
        "retrigger": Goal("a merge in free spins awards more", _in_free_spins(tables, "merge")),
        "two_sessions": Goal("free spins start twice in one round", _times("feature_end", 2)),
        "meter": Goal("a meter moves", _has("meter")),
        "gifts": Goal("Santa's Gifts start", _has("gift")),
        "last_gift": Goal("Santa's Gifts reach the third set", lambda events: _most(events, "gift") == 2),
        "rudolf_spins": Goal("Rudolf Spins start", _has("rudolf_spins")),
    }


def _haunted_house(tables: Tables) -> dict[str, Goal]:
    return {
        "scatter": Goal("Houses pay", _has("scatter")),
        "free_spins": Goal("free spins start", _has("award")),
        "retrigger": Goal("free spins award more", _times("award", 2)),
        "trail": Goal("the bonus trail is walked", _has("trail")),
        "full_moon": Goal("Full Moon Money starts", _has("full_moon")),
        "full_moon_repeat": Goal("Full Moon Money repeats a segment", _moon_repeats),
        "full_moon_top": Goal(
            "Full Moon Money reaches its top segment", lambda events: _most(events, "full_moon") == 4
        ),
        "free_full_moon": Goal("Full Moon Money starts in free spins", _in_free_spins(tables, "full_moon")),
    }


_OWN: dict[str, Callable[[Tables], dict[str, Goal]]] = {
    "mad_hatters": _mad_hatters,
    "mad_mad_monkey": _mad_mad_monkey,
    "santa_vs_rudolf": _santa_vs_rudolf,
    "haunted_house": _haunted_house,
}


def _most(events: Sequence[Event], name: str, place: int = 1) -> int:
    """The highest number at this place of the events of one name; 0 without any."""
    return max((int(event[place]) for event in events if event[0] == name), default=0)


def _both_on_paid_spin(events: Sequence[Event]) -> bool:
    names = [event[0] for event in events]
    return "award" in names and "cuckoo" in names[: names.index("award")]


def _five_won(events: Sequence[Event]) -> bool:
    return _times("gamble", 5)(events) and _win(events) > 0


def _moon_repeats(events: Sequence[Event]) -> bool:
    """Two draws of Full Moon Money one after the other from one segment."""
    neighbours = itertools.pairwise(events)
    return any(one[0] == other[0] == "full_moon" and one[1] == other[1] for one, other in neighbours)
