"""Finds floating point in the firmware's source (CAB-01): `python -m host_tools.toolchain.float_check FOLDER...`.

MicroPython makes a float from a float literal, from true division, from `float()` and from the few modules that return
one; every such place in the syntax tree is named.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

_MODULES = frozenset({"math", "cmath"})
_CALLS = frozenset({"float", "complex", "time.time", "time.sleep", "asyncio.sleep"})


def floats_in(source: str, name: str) -> Iterator[str]:
    """Yields one line `name:line: what` for each place of `source` that makes or takes a float."""
    for node in ast.walk(ast.parse(source, name)):
        what = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            what = f"the literal {node.value}"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            what = "a true division"
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in _CALLS:
            what = f"a call of {ast.unparse(node.func)}"
        elif isinstance(node, ast.Import | ast.ImportFrom) and not _MODULES.isdisjoint(_modules(node)):
            what = "an import of math"
        if what:
            yield f"{name}:{getattr(node, 'lineno', 0)}: {what}"


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]


def main(arguments: list[str]) -> int:
    """Exit code 1 when a float was found."""
    found = [
        line
        for folder in arguments
        for path in sorted(Path(folder).rglob("*.py"))
        for line in floats_in(path.read_text(encoding="utf-8"), str(path))
    ]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
