"""A PAR sheet as plain text of at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from .sections import Section, sections
from .sheet import Sheet

WIDTH = 100
_GAP = "  "


def text_sheet(sheet: Sheet) -> Iterator[str]:
    """Yields the lines of a sheet."""
    yield f"{sheet.title} ({sheet.game}): PAR sheet at {sheet.lines} lines"
    for section in sections(sheet):
        yield ""
        yield section.title
        yield "-" * len(section.title)
        yield from _table(section)
        for note in section.notes:
            yield from textwrap.wrap(note, WIDTH, subsequent_indent=_GAP)


def _table(section: Section) -> Iterator[str]:
    table = [section.head, *section.rows] if section.head else list(section.rows)
    if not table:
        return
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        cells = [
            cell.rjust(width) if column and section.head else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield _GAP.join(cells).rstrip()
