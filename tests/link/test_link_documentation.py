"""The documentation of the link is that of its tables, and every event of the firmware is in them."""

from __future__ import annotations

import ast
import struct

from link import messages
from rules.games import GAMES
from rules.games.mad_hatters import CUCKOO_PICKS
from rules.spinner import FREE_SPINS_LIMIT

from host_tools.paths import FIRMWARE

LINES = [line for line in messages.MESSAGES.splitlines() if line]
ROWS = [messages.by_name(line.split()[1]) for line in LINES]


def table(first_column: str) -> list[list[str]]:
    """The rows of the table of the README that begins with that column, its cells without code marks."""
    lines = (FIRMWARE / "link" / "README.md").read_text(encoding="utf-8").splitlines()
    (start,) = (at for at, line in enumerate(lines) if line.startswith(f"| {first_column} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().replace("`", "") for cell in line.strip("|").split("|")])
    return rows


def test_messages_are_documented() -> None:
    assert table("id") == [
        [f"{number:02x}", name, form, ", ".join(fields), f"{rest} {item}".strip()]
        for number, name, form, fields, rest, item in ROWS
    ]


def test_meters_regions_and_reasons_are_documented() -> None:
    assert table("meter") == [[str(number), name] for number, name in enumerate(messages.METERS.split())]
    assert table("region") == [[str(number), name] for number, name in enumerate(messages.REGIONS)]
    assert table("reason") == [line.split(" ", 1) for line in messages.REASONS.splitlines() if line]


def test_table_of_messages_is_sound() -> None:
    assert len({row[0] for row in ROWS}) == len({row[1] for row in ROWS}) == len(ROWS)
    assert [row[0] for row in ROWS] == sorted(row[0] for row in ROWS)
    for number, name, form, fields, rest, item in ROWS:
        assert messages.by_id(number) == (number, name, form, fields, rest, item)
        assert len(struct.unpack(form, bytes(struct.calcsize(form)))) == len(fields)
        assert form.startswith("<")
        assert item in ("", "B", "H", "I", "Q", "s")
        assert bool(rest) is bool(item)
        if number < messages.ANSWER:
            assert messages.by_id(number | messages.ANSWER) is not None
            assert struct.calcsize(form) <= messages.REQUEST_BYTES_MAX


def test_names_of_games_fit() -> None:
    assert all(len(name.encode()) <= 16 for name in GAMES)


def test_the_longest_round_fits() -> None:
    """Three picks in every spin, the paid one too, and one hatter; no other game asks more than a few times."""
    choices = max(CUCKOO_PICKS) * (FREE_SPINS_LIMIT + 1) + 1
    assert choices == 754
    assert struct.calcsize(messages.by_name("round")[2]) + choices <= messages.BODY_BYTES_MAX


def test_every_event_of_the_firmware_is_a_message_with_the_same_fields() -> None:
    seen = set()
    for path in FIRMWARE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Dict):
                continue
            values = {key.value: value for key, value in zip(node.keys, node.values, strict=True) if _is_text(key)}
            name = values.pop("event", None)
            if isinstance(name, ast.Constant):
                *_, fields, rest, _ = messages.by_name(name.value)
                assert set(values) == {*fields, rest} - {""}, f"{path}: event {name.value}"
                seen.add(name.value)
    assert seen == {row[1] for row in ROWS if row[0] >= messages.FIRST_EVENT}


def _is_text(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)
