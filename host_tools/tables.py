"""Every number of a game as JSON-ready data (the format is in firmware/rules/ROUNDS.md): the one place where host tools
take the tables from the firmware's rules."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from .core import rules
from .errors import UsageError

_TITLES = {
    "mad_hatters": "Mad Hatters",
    "mad_mad_monkey": "Mad Mad Monkey",
    "santa_vs_rudolf": "Santa vs Rudolf",
    "haunted_house": "Haunted House",
}
GAMES: tuple[str, ...] = tuple(rules("games").GAMES)


def game_tables(game: str) -> dict[str, Any]:
    """The tables of a game.

    Raises:
        UsageError: there is no such game.
    """
    if game not in GAMES:
        raise UsageError(f"no game is called {game!r}", f"games: {', '.join(GAMES)}")
    return tables_of(rules("games").game_module(game))


def tables_of(module: ModuleType) -> dict[str, Any]:
    """The tables of a game's module, which need not be the one that the cabinet plays."""
    tables = _common(module)
    tables.update(_OWN[module.NAME](module))
    return tables


def _common(module: ModuleType) -> dict[str, Any]:
    names = module.SYMBOLS
    return {
        "game": module.NAME,
        "title": _TITLES[module.NAME],
        "rules_version": rules("round").RULES_VERSION,
        "symbols": list(names),
        "line_patterns": [[int(row) for row in pattern] for pattern in module.LINE_PATTERNS.split()],
        "lines_fixed": module.LINES_FIXED,
        "max_lines": module.MAX_LINES,
        "max_line_bet": module.MAX_LINE_BET,
        "coin_sizes_minor": list(module.COIN_SIZES_MINOR),
        "modes": list(module.MODES),
        "strips": {
            mode: [[names[symbol] for symbol in strip] for strip in strips]
            for mode, strips in zip(module.MODES, module.STRIPS, strict=True)
        },
        "line_pays": {
            name: pays
            for symbol, name in enumerate(names)
            if (pays := _by_count(module.PAYS[6 * symbol : 6 * symbol + 6]))
        },
        "free_spins_limit": rules("spinner").FREE_SPINS_LIMIT,
    }


def _by_count(values: Any) -> dict[str, int]:
    return {str(count): int(value) for count, value in enumerate(values) if value}


def _mad_hatters(module: ModuleType) -> dict[str, Any]:
    names = module.SYMBOLS
    return {
        "wild": names[module.MAD_HAT],
        "hatters": [names[hatter] for hatter in module.HATTERS],
        "clock": names[module.CLOCK_SYMBOL],
        "scatter_symbol": names[module.BUNNY],
        "scatter_pays": _by_count(module.SCATTER_PAYS),
        "free_spins": _by_count(module.FREE_SPINS),
        "free_multiplier": module.FREE_MULTIPLIER,
        "cuckoo": {
            "picks": _by_count(module.CUCKOO_PICKS),
            "values": [
                {"value": value, "weight": weight}
                for value, weight in zip(module.CUCKOO_VALUES, module.CUCKOO_WEIGHTS, strict=True)
            ],
        },
    }


def _mad_mad_monkey(module: ModuleType) -> dict[str, Any]:
    names = module.SYMBOLS
    return {
        "wild": names[module.MONKEY],
        "wild_multiplier": module.WILD_MULTIPLIER,
        "scatter_symbol": names[module.LOGO],
        "scatter_pays": _by_count(module.SCATTER_PAYS),
        "free_spins_from": module.FREE_SPINS_FROM,
        "free_spins": module.FREE_SPINS,
        "free_multiplier": module.FREE_MULTIPLIER,
        "gambles": module.GAMBLES,
        "gamble": {
            "cards": module.CARDS,
            "colour_factor": module.COLOUR_FACTOR,
            "suit_factor": module.SUIT_FACTOR,
        },
    }


def _santa_vs_rudolf(module: ModuleType) -> dict[str, Any]:
    names = module.SYMBOLS
    return {
        "wilds": {name: name for name in ("rudolf", "santa", "merged", "reindeer")},
        "wild_run_pays_as": names[module.SLEIGH],
        "merge_free_spins": module.MERGE_FREE_SPINS,
        "merge_free_spins_limit": module.MERGE_FREE_SPINS_LIMIT,
        "free_merge_free_spins": module.FREE_MERGE_FREE_SPINS,
        "meter_length": module.METER_LENGTH,
        "gifts": {
            "sets": [{"prizes": list(prizes)} for prizes in module.GIFT_PRIZES],
            "max_multiplier": module.GIFT_MAX_MULTIPLIER,
        },
        "rudolf_spins": {
            "spins": module.RUDOLF_SPINS,
            "reindeer": module.RUDOLF_WILDS,
            "cap": module.RUDOLF_SPIN_CAP,
        },
    }


def _haunted_house(module: ModuleType) -> dict[str, Any]:
    names = module.SYMBOLS
    return {
        "strips": {
            mode: [
                [[names[symbol], module.icon(number, reel, at)] for at, symbol in enumerate(strip)]
                for reel, strip in enumerate(module.STRIPS[number])
            ]
            for number, mode in enumerate(module.MODES)
        },
        "wild": names[module.PUMPKIN],
        "scatter_symbol": names[module.HOUSE],
        "scatter_pays": _by_count(module.SCATTER_PAYS),
        "free_spins_from": module.FREE_SPINS_FROM,
        "number_trail": [
            {"spins": spins, "weight": weight}
            for spins, weight in zip(module.NUMBER_TRAIL, module.NUMBER_WEIGHTS, strict=True)
        ],
        "bonus_trail": [None if level == module.FULL_MOON else level for level in module.BONUS_TRAIL],
        "full_moon": {
            "segments": [
                [
                    {
                        "multiplier": segment[at],
                        "feature": module.FEATURES[segment[at + 1]],
                        "weight": segment[at + 2],
                    }
                    for at in range(0, len(segment), 3)
                ]
                for segment in module.SEGMENTS
            ],
            "cashpot_limit": module.CASHPOT_LIMIT,
        },
    }


_OWN = {
    "mad_hatters": _mad_hatters,
    "mad_mad_monkey": _mad_mad_monkey,
    "santa_vs_rudolf": _santa_vs_rudolf,
    "haunted_house": _haunted_house,
}
