"""What the firmware's sources must not contain, and that the check would see it."""

from __future__ import annotations

import pytest

from host_tools.paths import BOARDS, FIRMWARE
from host_tools.toolchain.float_check import floats_in


@pytest.mark.rule("CAB-01")
def test_firmware_has_no_floating_point() -> None:
    paths = [*FIRMWARE.rglob("*.py"), *BOARDS.rglob("*.py")]
    assert len(paths) > 10
    found = [line for path in paths for line in floats_in(path.read_text(encoding="utf-8"), str(path))]
    assert found == []


@pytest.mark.parametrize(
    "source",
    ["x = 0.5", "x = 1 / 2", "x /= 2", "float(3)", "import math", "from math import pi", "import time\ntime.sleep(1)"],
)
def test_float_check_sees(source: str) -> None:
    assert len(list(floats_in(source, "x.py"))) == 1


def test_float_check_lets_integers_pass() -> None:
    assert list(floats_in("x = 7 // 2 << 3\nx %= 5\nasyncio.sleep_ms(5)", "x.py")) == []


@pytest.mark.rule("CAB-50")
def test_firmware_never_imports_random() -> None:
    for path in [*FIRMWARE.rglob("*.py"), *BOARDS.rglob("*.py")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            assert words[:2] not in (["import", "random"], ["from", "random"]), path
