"""Frozen figures: what each game returned, by source, when its tables were made final.

A file `frozen/<game>.json` holds the hash of the tables and each source's return; the check recomputes them. Exact ones
must be equal, certified ones within 1e-9. A simulated one is not played again: it is bound to the hash of its tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import FileError, file_error
from ..tables import game_tables
from .digits import integer, integer_text, percent, points
from .figures import CERTIFIED, Source, total
from .sheet import all_sources
from .stored_simulation import read_simulation, simulation_path
from .table_hash import tables_hash

FOLDER = Path(__file__).with_name("frozen")
TOLERANCE = Fraction(1, 10**9)  # of certified figures, as a share of the total bet

Frozen = Mapping[str, Any]


def frozen_path(game: str) -> Path:
    """The file of a game's frozen figures."""
    return FOLDER / f"{game}.json"


def freeze(tables: Mapping[str, Any], sources: Iterable[Source]) -> dict[str, Any]:
    """The figures to freeze, as JSON-ready data; whole numbers are text, as some have hundreds of digits."""
    kept = list(sources)
    return {
        "game": tables["game"],
        "rules_version": tables["rules_version"],
        "tables_sha256": tables_hash(tables),
        "return": _fraction(total(kept)),
        "sources": [
            {
                "source": source.name,
                "kind": source.kind,
                **_fraction(source.value),
                **({"error": _fraction(source.error)} if source.error else {}),
            }
            for source in kept
        ],
    }


def write_frozen(game: str) -> Path:
    """Freezes a game's present figures; returns the file."""
    tables = game_tables(game)
    text = json.dumps(freeze(tables, all_sources(tables)), indent=1)
    FOLDER.mkdir(exist_ok=True)
    frozen_path(game).write_text(text + "\n", encoding="utf-8")
    return frozen_path(game)


def read_frozen(game: str) -> Frozen:
    """The frozen figures of a game.

    Raises:
        FileError: there are none, or they cannot be read.
    """
    path = frozen_path(game)
    try:
        found: Frozen = json.loads(path.read_text(encoding="utf-8"))
        _parsed(found)
    except FileNotFoundError as error:
        raise FileError(f"{game} has no frozen figures", f"write them with: picocab par {game} --freeze") from error
    except OSError as error:
        raise file_error(error) from error
    except json.JSONDecodeError as error:
        raise FileError(f"{path} is no JSON ({error})", f"write it with: picocab par {game} --freeze") from error
    except (ValueError, KeyError, TypeError, ArithmeticError) as error:
        cure = f"write it with: picocab par {game} --freeze"
        raise FileError(f"{path} holds no frozen figures ({error!r})", cure) from error
    return found


def _parsed(frozen: Frozen) -> None:
    """Raises what reading any of the figures would raise."""
    for key in ("game", "tables_sha256"):
        str(frozen[key])
    _value(frozen["return"])
    frozen_sources(frozen)


def frozen_sources(frozen: Frozen) -> list[Source]:
    """The sources as they were frozen."""
    return [
        Source(it["source"], _value(it), it["kind"], _value(it["error"]) if "error" in it else Fraction(0))
        for it in frozen["sources"]
    ]


def check(game: str) -> list[str]:
    """Recomputes a game's figures; returns a line for each that is not the frozen one, and one for changed tables.

    Raises:
        FileError: the game has no frozen figures.
    """
    frozen, tables = read_frozen(game), game_tables(game)
    found = list(differences(frozen, tables, all_sources(tables)))
    played = read_simulation(simulation_path(game))
    if played and played.tables_hash != tables_hash(tables):
        found.append(
            f"{game}: the stored simulation is of other tables; play it again with: "
            f"picocab par {game} --simulate {played.rounds}"
        )
    return found


def differences(
    frozen: Frozen, tables: Mapping[str, Any], sources: Iterable[Source], complete: bool = True
) -> Iterator[str]:
    """Yields what moved, and by how much, between the frozen figures and these.

    Args:
        frozen: of `read_frozen`.
        tables: of the game now.
        sources: its return now.
        complete: these are all of its sources; else those that are left out are not compared.
    """
    game = frozen["game"]
    before = {source.name: source for source in frozen_sources(frozen)}
    now = {source.name: source for source in sources}
    if frozen["tables_sha256"] != tables_hash(tables):
        yield (
            f"{game}: its tables are not those that were frozen; if that is meant, freeze the new figures with: "
            f"picocab par {game} --freeze"
        )
    for name in [*before, *(name for name in now if name not in before)]:
        if name in now or complete:
            yield from _differences(f"{game}: {name}", before.get(name), now.get(name))
    frozen_return = _value(frozen["return"])
    if frozen_return != total(list(before.values())):
        yield f"{game}: the frozen return is not the sum of its frozen sources"
    if complete:
        moved = total(list(now.values())) - frozen_return
        if abs(moved) > sum(_tolerance(source.kind) for source in now.values()):
            yield f"{game}: the return moved by {points(moved)} points, to {percent(frozen_return + moved)} %"


def _differences(name: str, before: Source | None, now: Source | None) -> Iterator[str]:
    if before is None or now is None:
        there = before or now
        assert there is not None
        yield f"{name} is {'gone' if before else 'new'}, {percent(there.value)} %"
        return
    if before.kind != now.kind:
        yield f"{name} was {before.kind} and is {now.kind}"
    moved = now.value - before.value
    if abs(moved) > _tolerance(now.kind):
        yield f"{name} moved by {points(moved)} points, from {percent(before.value)} % to {percent(now.value)} %"
    if before.kind == now.kind == CERTIFIED and not before.error <= 2 * now.error <= 4 * before.error:
        was, bound = (f"{100 * float(source.error):.1e}" for source in (before, now))
        yield f"{name} had an error of at most {was} points and has {bound}"


def _tolerance(kind: str) -> Fraction:
    return TOLERANCE if kind == CERTIFIED else Fraction(0)


def _fraction(value: Fraction) -> dict[str, str]:
    return {"num": integer_text(value.numerator), "den": integer_text(value.denominator)}


def _value(fraction: Mapping[str, str]) -> Fraction:
    return Fraction(integer(fraction["num"]), integer(fraction["den"]))
