"""Writes a design into the source of a game's tables: only the literals that differ are replaced, comments stay."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from ..errors import UsageError
from ..tables import tables_of
from .strip_order import symbols_of

Tables = Mapping[str, Any]


def module_of(source: str, game: str) -> ModuleType:
    """The module that a source of a game's tables makes, apart from the one that is in use."""
    module = ModuleType(f"rules.games.{game}")
    module.__package__ = "rules.games"
    exec(compile(source, game, "exec"), module.__dict__)
    return module


def rewritten(source: str, design: Tables) -> str:
    """The source with the figures of a design.

    Args:
        source: text of firmware/rules/games/<game>.py.
        design: tables as `game_tables` gives them, of the same game.

    Raises:
        UsageError: the design differs in something that is not written as a literal of the source.
    """
    module = module_of(source, design["game"])
    assignments = {
        target.id: node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    edits: list[tuple[int, int, str]] = []
    for name, written in _written(module, design).items():
        for node, text in zip(_literals(assignments[name], written), written, strict=True):
            if _value(ast.parse(text, mode="eval").body, module) != _value(node, module):
                edits.append((*_span(node, source), text))
    for first, last, text in sorted(edits, reverse=True):
        source = source[:first] + text + source[last:]
    if tables_of(module_of(source, design["game"])) != design:
        raise UsageError(
            f"a figure of {design['game']} is not written as a number or text in its source", "change it by hand"
        )
    return source


def _span(node: ast.expr, source: str) -> tuple[int, int]:
    """Where an expression starts and ends in its source, which is ASCII."""
    starts = [0, *itertools.accumulate(map(len, source.splitlines(keepends=True)))]
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _value(node: ast.expr, module: ModuleType) -> Any:
    """What an expression of the source stands for, names of the module included."""
    return eval(compile(ast.Expression(node), module.__name__, "eval"), dict(module.__dict__))


def _literals(node: ast.expr, written: Sequence[str]) -> list[ast.expr]:
    """The parts of an assignment's value to be written: texts of the wanted kind in order, else the value itself."""
    if written and written[0][:1] in "\"'b":
        kind = type(ast.literal_eval(written[0]))
        found = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, kind)]
        return sorted(found, key=lambda part: (part.lineno, part.col_offset))
    return [node]


def _written(module: ModuleType, design: Tables) -> dict[str, list[str]]:
    """Name of an assignment -> its literals as text, in order."""
    found = {
        "STRIPS": [
            f'"{"".join(module._LETTERS[module.SYMBOLS.index(symbol)] for symbol in symbols_of(strip))}"'
            for mode in design["modes"]
            for strip in design["strips"][mode]
        ],
        "PAYS": [_pays_text(design)],
    }
    if "scatter_pays" in design:
        found["SCATTER_PAYS"] = [_by_count(design["scatter_pays"])]
    found.update(_OWN[design["game"]](module, design))
    return found


def _pays_text(design: Tables) -> str:
    rows = [
        " ".join([symbol, *(f"{count}:{pay}" for count, pay in sorted(pays.items()))])
        for symbol, pays in design["line_pays"].items()
    ]
    return '"""\n' + "".join(f"    {row}\n" for row in rows) + '    """'


def _by_count(counts: Mapping[str, int]) -> str:
    return repr(tuple(counts.get(str(count), 0) for count in range(6)))


def _mad_hatters(module: ModuleType, design: Tables) -> Iterator[tuple[str, list[str]]]:
    values = design["cuckoo"]["values"]
    yield "CUCKOO_VALUES", [repr(tuple(entry["value"] for entry in values))]
    yield "CUCKOO_WEIGHTS", [repr(tuple(entry["weight"] for entry in values))]


def _mad_mad_monkey(module: ModuleType, design: Tables) -> Iterator[tuple[str, list[str]]]:
    return iter(())


def _santa_vs_rudolf(module: ModuleType, design: Tables) -> Iterator[tuple[str, list[str]]]:
    yield "GIFT_PRIZES", [repr(tuple(tuple(gifts["prizes"]) for gifts in design["gifts"]["sets"]))]


def _haunted_house(module: ModuleType, design: Tables) -> Iterator[tuple[str, list[str]]]:
    yield (
        "ICONS",
        [
            f'b"{"".join(str(icon) for _, icon in strip)}"'
            for mode in design["modes"]
            for strip in design["strips"][mode]
        ],
    )
    levels = ["FULL_MOON" if level is None else str(level) for level in design["bonus_trail"]]
    yield "BONUS_TRAIL", [f"({', '.join(levels)})"]
    yield "NUMBER_WEIGHTS", [repr(tuple(entry["weight"] for entry in design["number_trail"]))]
    yield (
        "SEGMENTS",
        [
            '"' + ", ".join(f"{entry['multiplier']} {entry['feature']} {entry['weight']}" for entry in segment) + '"'
            for segment in design["full_moon"]["segments"]
        ],
    )


_OWN = {
    "mad_hatters": _mad_hatters,
    "mad_mad_monkey": _mad_mad_monkey,
    "santa_vs_rudolf": _santa_vs_rudolf,
    "haunted_house": _haunted_house,
}
