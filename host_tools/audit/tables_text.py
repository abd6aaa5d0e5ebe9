"""A game's tables to read: strips, pays, lines, features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..reference.common import REELS, ROWS, Tables

_LINES_ABREAST = 10
_DRAWN = {"game", "title", "rules_version", "symbols", "line_patterns", "modes", "strips", "line_pays", "scatter_pays"}


def tables_text(tables: Tables) -> Iterator[str]:
    """Yields the lines of text that show all of the tables' numbers."""
    yield f"{tables['title']} ({tables['game']}), rules version {tables['rules_version']}"
    yield ""
    yield "symbols: " + ", ".join(f"{number} {name}" for number, name in enumerate(tables["symbols"]))
    for key, value in tables.items():
        if key not in _DRAWN:
            yield from _value(key, value)
    yield ""
    yield from _pays(tables)
    yield ""
    yield from _lines(tables["line_patterns"])
    for mode in tables["modes"]:
        yield ""
        yield from _strips(mode, tables["strips"][mode])


def _value(key: str, value: Any, indent: str = "") -> Iterator[str]:
    if isinstance(value, dict) and not any(isinstance(part, dict | list) for part in value.values()):
        yield f"{indent}{key}: {_pairs(value)}"
    elif isinstance(value, dict):
        yield f"{indent}{key}:"
        for part_key, part in value.items():
            yield from _value(part_key, part, indent + "  ")
    elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        yield f"{indent}{key}:"
        for number, part in enumerate(value):
            if isinstance(part, dict) and not any(isinstance(inner, dict | list) for inner in part.values()):
                yield f"{indent}  {number}: {_pairs(part)}"
            else:
                yield from _value(str(number), part, indent + "  ")
    elif isinstance(value, list):
        yield f"{indent}{key}: {' '.join('-' if part is None else str(part) for part in value)}"
    else:
        yield f"{indent}{key}: {value}"


def _pairs(value: dict[str, Any]) -> str:
    return ", ".join(f"{key} {part}" for key, part in value.items())


def _pays(tables: Tables) -> Iterator[str]:
    width = max(map(len, tables["symbols"]))
    yield "pays, coins per line coin"
    yield f"  {'':<{width}}" + "".join(f"{count:>7}" for count in range(1, REELS + 1))
    for symbol, pays in tables["line_pays"].items():
        yield f"  {symbol:<{width}}" + _by_count(pays)
    if "scatter_pays" in tables:
        yield "scatter pays, times the total bet"
        yield f"  {tables['scatter_symbol']:<{width}}" + _by_count(tables["scatter_pays"])


def _by_count(pays: dict[str, int]) -> str:
    return "".join(f"{pays.get(str(count), '-'):>7}" for count in range(1, REELS + 1))


def _lines(patterns: Sequence[Sequence[int]]) -> Iterator[str]:
    yield f"lines, first to last ({len(patterns)})"
    for first in range(0, len(patterns), _LINES_ABREAST):
        abreast = patterns[first : first + _LINES_ABREAST]
        yield "  " + "  ".join(f"{first + number:<{REELS}}" for number in range(1, len(abreast) + 1)).rstrip()
        for row in range(1, ROWS + 1):
            yield "  " + "  ".join("".join("#" if at == row else "." for at in pattern) for pattern in abreast)


def _strips(mode: str, strips: Sequence[Sequence[Any]]) -> Iterator[str]:
    columns = [[_cell(cell) for cell in strip] for strip in strips]
    width = 2 + max(len(cell) for column in columns for cell in column)
    yield f"strips of mode {mode}, lengths {' '.join(str(len(column)) for column in columns)}"
    yield "  stop  " + "".join(f"{f'reel {reel}':<{width}}" for reel in range(1, REELS + 1)).rstrip()
    for stop in range(max(map(len, columns))):
        cells = (column[stop] if stop < len(column) else "" for column in columns)
        yield f"  {stop:>4}  " + "".join(f"{cell:<{width}}" for cell in cells).rstrip()


def _cell(cell: Any) -> str:
    """A symbol's name; Haunted House's symbols hold a number icon."""
    if isinstance(cell, str):
        return cell
    name, icon = cell
    return f"{name} +{icon}" if icon else str(name)
