"""`picocab build`."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from .build import build as build_all
from .sizes import size_table


def build(args: argparse.Namespace) -> int:
    """Builds for `args.board`; prints the sizes and where the results lie, with `args.json` as one JSON object."""
    result = build_all(args.board, progress=lambda line: print(f"[build] {line}", file=sys.stderr, flush=True))
    fields = asdict(result)
    if args.json:
        print(json.dumps(fields, default=str, indent=1))
        return 0
    for line in size_table(result.sizes):
        print(line)
    if result.unreleased:
        print("unreleased: the sources are not exactly those that the project pins")
    for name in ("firmware_uf2", "romfs", "full_uf2", "manifest"):
        print(f"{name:<12} {fields[name]}")
    return 0
