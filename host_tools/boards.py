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
    known = {path.parent.name: path for path in BOARDS.glob("*/board.py")}
    if name not in known:  # never a path: results go to a folder of this name
        raise UsageError(f"no board called {name!r}", f"known boards: {', '.join(sorted(known))}")
    names = runpy.run_path(str(known[name]))
    return SimpleNamespace(**{key: value for key, value in names.items() if key.isupper()})
