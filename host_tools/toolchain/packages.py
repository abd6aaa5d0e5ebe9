"""Installs the Debian packages that the build needs, or names them: `python3 -m host_tools.toolchain.packages`.

Runs before the project's environment exists, so it uses the standard library only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from .tools import DEBIAN_PACKAGES


def missing_packages() -> list[str]:
    """The packages of `DEBIAN_PACKAGES` that dpkg does not know as installed."""
    query = ["dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n", *DEBIAN_PACKAGES]
    result = subprocess.run(query, capture_output=True, text=True, check=False)
    installed = {line.split()[0] for line in result.stdout.splitlines() if line.endswith(" installed")}
    return [package for package in DEBIAN_PACKAGES if package not in installed]


def main() -> int:
    """Exit code 0 when all is there or the system has no dpkg; later steps name what they miss by themselves."""
    if shutil.which("dpkg-query") is None or shutil.which("apt-get") is None:
        return 0
    missing = missing_packages()
    if not missing:
        return 0
    if os.geteuid() != 0:
        # Perhaps the tools come from elsewhere; the build checks each and says what it cannot find.
        print(f"[setup] not installed by dpkg: {' '.join(missing)}; if the build misses them: apt-get install them")
        return 0
    print(f"[setup] installing {' '.join(missing)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "-qq", "update"],
        ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", *missing],
    ):
        result = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
        if result.returncode:
            print(f"picocab: {' '.join(command[:3])} failed: install {' '.join(missing)} by hand", file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
