"""Board files as data for the host.

A board file is run as a script and never imported: `adafruit-blinka` installs a top-level module called `board`.
"""

from __future__ import annotations

import runpy
from types import SimpleNamespace

from .errors import UsageError
from .paths import BOARDS

DEFAULT_BOARD = "pico_cabinet"


def load_board(name: str = DEFAULT_BOARD) -> SimpleNamespace:
    """Returns the upper-case names of `boards/<name>/board.py` as attributes.

    Raises:
        UsageError: there is no such board.
    """
    path = BOARDS / name / "board.py"
    if not path.is_file():
        known = ", ".join(sorted(p.parent.name for p in BOARDS.glob("*/board.py")))
        raise UsageError(f"no board called {name!r}", f"known boards: {known}")
    names = runpy.run_path(str(path))
    return SimpleNamespace(**{key: value for key, value in names.items() if key.isupper()})
