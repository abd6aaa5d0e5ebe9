"""The hash by which figures are bound to the tables they were computed from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def tables_hash(tables: Mapping[str, Any]) -> str:
    """SHA-256 of the tables without their title, as ASCII JSON with sorted keys and no spaces."""
    bare = {key: value for key, value in tables.items() if key != "title"}
    return hashlib.sha256(json.dumps(bare, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
