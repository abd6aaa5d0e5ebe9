"""Mutation check of the rules core: are its tests strong enough to notice a changed rule?

One change at a time is made to a copy of `firmware/rules` (another comparison or arithmetic operator, a constant one
more or less, a negated condition, a statement left out), and the unit tests of the rules run on it in a process of
their own. A mutant is killed when a test fails, when the rules cannot be imported or when the tests take far too long.
Docstrings, messages, and the tables of strips, pays and lines are left alone: tables are checked by their own tests.

A run prints the survivors, and exits with 1 when less than 90 % were killed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "firmware" / "rules"
UNIT_TESTS = ROOT / "tests" / "unit"

LEAST_KILLED_PERCENT = 90
MEMORY_BYTES = 1 << 30  # of a mutant that collects events without end

# Module-level data that has tests of its own (strip laws, published figures) or is only shown.
TABLES = {
    "BONUS_TRAIL",
    "COIN_SIZES_MINOR",
    "CUCKOO_VALUES",
    "CUCKOO_WEIGHTS",
    "FEATURES",
    "GAMES",
    "GIFT_PRIZES",
    "ICONS",
    "LINES",
    "LINE_PATTERNS",
    "NAME",
    "NUMBER_WEIGHTS",
    "PAYS",
    "SCATTER_PAYS",
    "SEGMENTS",
    "STRIPS",
    "SYMBOLS",
    "TITLE",
    "_LETTERS",
}

NO_RULES = {"portable.py", "on_cpython.py"}  # what differs between two Pythons

COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}


@dataclass(frozen=True)
class Mutant:
    """One changed rule.

    Attributes:
        path: the source file, relative to firmware/rules.
        line: of the change.
        change: what was changed, to be read.
        source: the whole changed source.
    """

    path: Path
    line: int
    change: str
    source: str


class _Mutator:
    """Makes the mutants of one file: each change is applied to the tree, written out and undone."""

    def __init__(self, path: Path, source: str) -> None:
        self._path = path
        self._tree = ast.parse(source)

    def mutants(self) -> Iterator[Mutant]:
        yield from self._block(self._tree, in_function=False)

    def _mutant(self, node: ast.AST, change: str) -> Mutant:
        line = getattr(node, "lineno", 0)
        return Mutant(self._path, line, change, ast.unparse(ast.fix_missing_locations(self._tree)))

    def _block(self, node: ast.AST, in_function: bool) -> Iterator[Mutant]:
        """The statements of a body and of the bodies in it."""
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if not isinstance(statements, list):
                continue
            for at, statement in enumerate(statements):
                yield from self._statement(statements, at, statement, in_function)

    def _statement(
        self, statements: list[ast.stmt], at: int, statement: ast.stmt, in_function: bool
    ) -> Iterator[Mutant]:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return  # a docstring
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass):
            return
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            if isinstance(statement, ast.FunctionDef):
                yield from self._expressions(statement.args)
            yield from self._block(statement, in_function or isinstance(statement, ast.FunctionDef))
            return
        if not in_function and isinstance(statement, ast.Assign) and _names(statement) & TABLES:
            return
        if in_function and not isinstance(statement, ast.If | ast.While | ast.For | ast.Try | ast.With):
            statements[at] = ast.copy_location(ast.Pass(), statement)
            yield self._mutant(statement, f"left out: {_short(statement)}")
            statements[at] = statement
        if isinstance(statement, ast.Raise):
            return  # its message
        for field, value in ast.iter_fields(statement):
            if field not in ("body", "orelse", "finalbody", "annotation"):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from self._expressions(child)
        if isinstance(statement, ast.AugAssign):
            yield from self._operator(statement)
        if isinstance(statement, ast.If | ast.While) and not isinstance(statement.test, ast.Constant):
            yield from self._negated(statement)
        yield from self._block(statement, in_function)

    def _expressions(self, root: ast.AST) -> Iterator[Mutant]:
        for node in ast.walk(root):
            if isinstance(node, ast.Compare):
                yield from self._comparison(node)
            elif isinstance(node, ast.BinOp):
                yield from self._operator(node)
            elif isinstance(node, ast.BoolOp):
                kept = node.op
                node.op = ast.Or() if isinstance(kept, ast.And) else ast.And()
                yield self._mutant(node, "and -> or" if isinstance(kept, ast.And) else "or -> and")
                node.op = kept
            elif isinstance(node, ast.IfExp):
                yield from self._negated(node)
            elif isinstance(node, ast.Constant):
                yield from self._constant(node)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.Not):
                kept_unary = node.op
                sign = "~" if isinstance(kept_unary, ast.Invert) else "not"
                node.op = ast.UAdd() if isinstance(kept_unary, ast.Invert) else ast.Not()
                operand = node.operand
                if isinstance(kept_unary, ast.Not):
                    node.operand = ast.UnaryOp(ast.Not(), operand)
                yield self._mutant(node, f"{sign} left out")
                node.op, node.operand = kept_unary, operand

    def _comparison(self, node: ast.Compare) -> Iterator[Mutant]:
        for at, kept in enumerate(node.ops):
            for other in COMPARISONS[type(kept)]:
                node.ops[at] = other()
                yield self._mutant(node, f"{SIGNS[type(kept)]} -> {SIGNS[other]}")
            node.ops[at] = kept

    def _operator(self, node: ast.BinOp | ast.AugAssign) -> Iterator[Mutant]:
        kept = node.op
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            return  # a format
        other = ARITHMETIC[type(kept)]
        node.op = other()
        yield self._mutant(node, f"{SIGNS[type(kept)]} -> {SIGNS[other]}")
        node.op = kept

    def _constant(self, node: ast.Constant) -> Iterator[Mutant]:
        kept = node.value
        if isinstance(kept, bool):
            others: list[bool | int] = [not kept]
        elif isinstance(kept, int):
            others = [kept + 1, kept - 1]
        else:
            return
        for other in others:
            node.value = other
            yield self._mutant(node, f"{kept} -> {other}")
        node.value = kept

    def _negated(self, node: ast.If | ast.While | ast.IfExp) -> Iterator[Mutant]:
        kept = node.test
        node.test = ast.UnaryOp(ast.Not(), kept)
        yield self._mutant(node, f"negated: {_short(kept)}")
        node.test = kept


def _names(statement: ast.Assign) -> set[str]:
    return {node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 60 else text[:57] + "..."


def mutants_of(rules: Path) -> list[Mutant]:
    """All mutants of the rules core, file by file in the order of their lines."""
    mutants: list[Mutant] = []
    for path in sorted(rules.rglob("*.py")):
        if path.name not in NO_RULES:
            found = _Mutator(path.relative_to(rules), path.read_text(encoding="utf-8")).mutants()
            mutants += sorted(found, key=lambda mutant: mutant.line)
    return mutants


# What runs in the process of a mutant: the tests of the given files, one after another, up to the first that fails.
_RUN = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_BYTES}, {MEMORY_BYTES}))
firmware, tests, *names = sys.argv[1:]
sys.path[:0] = [firmware, tests]
for name in names:
    module = __import__(name)
    for test in [getattr(module, test) for test in sorted(vars(module)) if test.startswith("test_")]:
        test()
"""


def test_names(first: str) -> list[str]:
    """The unit tests that concern the rules, those of one module first."""
    names = [
        path.stem
        for path in sorted(UNIT_TESTS.glob("test_*.py"))
        if any(
            line.startswith(("from rules", "import rules")) for line in path.read_text(encoding="utf-8").splitlines()
        )
    ]
    return sorted(names, key=lambda name: (name != f"test_{first}", name))


def survives(firmware: Path, first: str, timeout_s: float) -> bool:
    """Whether the unit tests pass on the rules in a folder."""
    command = [sys.executable, "-B", "-c", _RUN, str(firmware), str(UNIT_TESTS), *test_names(first)]
    try:
        result = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0


def tried(mutant: Mutant | None, timeout_s: float) -> bool:
    """Whether a mutant (None for the rules as they are) survives the tests."""
    with tempfile.TemporaryDirectory(prefix="picocab-mutant-") as folder:
        rules = Path(folder) / "rules"
        for package in (RULES, RULES.parent / "cabinet"):  # a test of the rules runs rounds again as the cabinet does
            shutil.copytree(package, Path(folder) / package.name, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
        first = "lines"
        if mutant is not None:
            (rules / mutant.path).write_text(mutant.source, encoding="utf-8")
            first = mutant.path.stem
        return survives(Path(folder), first, timeout_s)


def main() -> int:
    parser = argparse.ArgumentParser(description="mutation check of firmware/rules")
    parser.add_argument("--sample", type=int, help="try only so many mutants, drawn by --seed (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    parser.add_argument("--only", default="", help="only files whose path has this text in it")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at once (default: 1)")
    arguments = parser.parse_args()

    mutants = [mutant for mutant in mutants_of(RULES) if arguments.only in mutant.path.as_posix()]
    everything = len(mutants)
    if arguments.sample is not None and arguments.sample < everything:
        chosen = random.Random(arguments.seed).sample(range(everything), arguments.sample)
        mutants = [mutants[at] for at in sorted(chosen)]

    started = time.monotonic()
    if not tried(None, timeout_s=300):
        print("the tests fail on the rules as they are")
        return 1
    timeout_s = 10 + 10 * (time.monotonic() - started)
    print(f"{len(mutants)} of {everything} mutants, time-out {timeout_s:.0f} s each", flush=True)

    survivors: list[Mutant] = []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda mutant: tried(mutant, timeout_s), mutants)
        for number, (mutant, survived) in enumerate(zip(mutants, results, strict=True), 1):
            if survived:
                survivors.append(mutant)
                print(f"survived: firmware/rules/{mutant.path.as_posix()}:{mutant.line}: {mutant.change}", flush=True)
            if number % 50 == 0:
                print(f"{number} tried, {number - len(survivors)} killed", flush=True)

    killed = len(mutants) - len(survivors)
    percent = 100 * killed / max(1, len(mutants))
    print(f"killed {killed} of {len(mutants)} mutants, {percent:.1f} %; survived {len(survivors)}")
    return 0 if percent >= LEAST_KILLED_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
