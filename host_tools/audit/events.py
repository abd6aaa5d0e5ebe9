"""Events with names for their numbers: as JSON objects and as lines to read (the formats are in ROUNDS.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..reference.common import REELS, ROWS, Event, Tables

KINDS = ("hatter", "clock", "gift", "gamble")
GAMBLE_OPTIONS = ("collect", "red", "black", "clubs", "diamonds", "hearts", "spades")
_DIRECTIONS = ("left", "right")
_METERS = ("rudolf", "santa")
_SUITS = GAMBLE_OPTIONS[3:]

# The numbers of each event in order; a star takes all that follow.
_FIELDS: dict[str, tuple[str, ...]] = {
    "spin": ("mode", "*stops"),
    "window": ("*reels",),
    "merge": ("cell",),
    "line": ("line", "symbol", "count", "direction", "multiplier", "pay"),
    "scatter": ("count", "multiplier", "pay"),
    "spin_win": ("coins",),
    "cuckoo": ("picks", "*values"),
    "cuckoo_pick": ("clock", "coins"),
    "icons": ("sum",),
    "trail": ("level", "coins"),
    "full_moon": ("segment", "entry", "cashpot"),
    "full_moon_win": ("coins",),
    "number_trail": ("entry", "spins"),
    "award": ("spins",),
    "meter": ("which", "value"),
    "gift": ("set", "position", "item", "coins", "multiplier"),
    "gifts_win": ("coins",),
    "rudolf_spins": (),
    "feature_end": ("coins",),
    "choice": ("kind", "*options"),
    "chosen": ("option",),
    "gamble": ("card", "coins"),
    "clamp": ("before", "after"),
    "round_win": ("coins",),
}


def named(tables: Tables, event: Event) -> dict[str, Any]:
    """The event as a JSON-ready object: `event` and a key for each of its numbers, ids replaced by names."""
    numbers: list[Any] = list(event[1:])
    result: dict[str, Any] = {"event": event[0]}
    for place, field in enumerate(_FIELDS[str(event[0])]):
        if field.startswith("*"):
            result[field[1:]] = numbers[place:]
        else:
            result[field] = numbers[place]
    names: dict[str, Sequence[str]] = {
        "mode": tables["modes"],
        "symbol": tables["symbols"],
        "direction": _DIRECTIONS,
        "kind": KINDS,
        "which": _METERS,
    }
    for key in result.keys() & names.keys():
        result[key] = names[key][result[key]]
    if "reels" in result:
        symbols = [tables["symbols"][number] for number in result["reels"]]
        result["reels"] = [symbols[ROWS * reel : ROWS * reel + ROWS] for reel in range(REELS)]
    return result


def option_names(tables: Tables, kind: int, options: Sequence[int]) -> list[str]:
    """What a choice offers, each as its number and, where it has one, its name."""
    names: Sequence[str] = ()
    if KINDS[kind] == "hatter":
        names = tables["hatters"]
    elif KINDS[kind] == "gamble":
        names = GAMBLE_OPTIONS
    return [f"{option} {names[option]}" if names else str(option) for option in options]


def text(tables: Tables, event: Event) -> str:
    """The event to read, one line of text; a window three."""
    match named(tables, event):
        case {"event": "spin", "mode": mode, "stops": stops}:
            return f"spin: {mode}, stops {' '.join(map(str, stops))}"
        case {"event": "window", "reels": reels}:
            width = max(map(len, tables["symbols"]))
            rows = (" ".join(f"{reel[row]:<{width}}" for reel in reels).rstrip() for row in range(ROWS))
            return "\n".join(f"    {row}" for row in rows)
        case {"event": "merge", "cell": cell}:
            return f"  merge on reel {cell // ROWS + 1}, row {cell % ROWS + 1}"
        case {"event": "line", "line": line, "symbol": symbol, "count": count, "direction": direction, **rest}:
            return f"  line {line}: {count} {symbol} from the {direction}{_times(rest)} pay {rest['pay']}"
        case {"event": "scatter", "count": count, **rest}:
            return f"  scatter: {count} {tables['scatter_symbol']}{_times(rest)} pay {rest['pay']}"
        case {"event": "spin_win", "coins": coins}:
            return f"  spin win {coins}"
        case {"event": "cuckoo", "picks": picks, "values": values}:
            return f"cuckoo bonus: {picks} picks of {' '.join(map(str, values))} x the line bet"
        case {"event": "cuckoo_pick", "clock": clock, "coins": coins}:
            return f"  clock {clock} wins {coins}"
        case {"event": "icons", "sum": total}:
            return f"  numbers on the reels: {total}"
        case {"event": "trail", "level": level, "coins": coins}:
            return f"  bonus trail, level {level}: " + (f"wins {coins}" if coins else "Full Moon Money")
        case {"event": "full_moon", "segment": segment, "entry": entry, "cashpot": cashpot}:
            landed = tables["full_moon"]["segments"][segment][entry]
            return (
                f"  segment {segment}, entry {entry}: {landed['multiplier']} and {landed['feature']}, cashpot {cashpot}"
            )
        case {"event": "full_moon_win", "coins": coins}:
            return f"  Full Moon Money wins {coins}"
        case {"event": "number_trail", "entry": entry, "spins": spins}:
            return f"number trail: entry {entry}, {spins} spins"
        case {"event": "award", "spins": spins}:
            return f"{spins} free spins awarded"
        case {"event": "meter", "which": which, "value": value}:
            return f"  {which}'s meter: {value} of {tables['meter_length']}"
        case {"event": "gift", "set": number, "position": position, "item": item, "coins": coins, "multiplier": factor}:
            held = ("prize", "prize", "prize", "multiplier step", "end")[item]
            won = f", {coins} coins" if coins else ""
            return f"  gift set {number}, position {position}: {held}{won}, multiplier {factor}"
        case {"event": "gifts_win", "coins": coins}:
            return f"gifts win {coins}"
        case {"event": "rudolf_spins"}:
            return "Rudolf Spins"
        case {"event": "feature_end", "coins": coins}:
            return f"end of the feature: won {coins}"
        case {"event": "choice", "kind": kind, "options": options}:
            return f"choice of a {kind}: {', '.join(option_names(tables, KINDS.index(kind), options))}"
        case {"event": "chosen", "option": option}:
            return f"  chosen: {option}"
        case {"event": "gamble", "card": card, "coins": coins}:
            return f"  card {card} ({_SUITS[card // 13]}): the win is now {coins}"
        case {"event": "clamp", "before": before, "after": after}:
            return f"cut to the maximum: {before} to {after}"
        case {"event": "round_win", "coins": coins}:
            return f"round win {coins}"
        case other:
            raise AssertionError(f"no text for {other}")


def _times(win: dict[str, Any]) -> str:
    return f" x {win['multiplier']}" if win["multiplier"] != 1 else ""
