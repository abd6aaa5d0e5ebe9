"""Programs that the toolchain needs, the Debian packages that hold them, and how they are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ..errors import BuildError, ToolMissing

Progress = Callable[[str], None]

# What `make` installs on a bare Debian: cross compiler with its C library, host compiler (unix port, mpy-cross and the
# emulator's fast path, which needs Python's headers too), cmake for the rp2 port.
DEBIAN_PACKAGES = (
    "cmake",
    "gcc",
    "gcc-arm-none-eabi",
    "libc6-dev",
    "libnewlib-arm-none-eabi",
    "libstdc++-arm-none-eabi-newlib",
    "make",
    "python3-dev",
)

_PACKAGE_OF = {
    "apt-get": "apt",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "arm-none-eabi-nm": "binutils-arm-none-eabi",
    "arm-none-eabi-objcopy": "binutils-arm-none-eabi",
    "cmake": "cmake",
    "gcc": "gcc",
    "make": "make",
}

# Files that a compiler must find beside itself: without them it stops in the middle of the build with a riddle.
_FILES_OF = {
    "gcc": (("crt1.o", "libc6-dev"),),
    "arm-none-eabi-gcc": (
        ("nosys.specs", "libnewlib-arm-none-eabi"),
        ("libstdc++.a", "libstdc++-arm-none-eabi-newlib"),
    ),
}

# Kept from the user's environment; all else (CFLAGS, MAKEFLAGS, language) could change the result.
_KEPT_VARIABLES = ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "http_proxy", "https_proxy", "no_proxy", "APT_CONFIG")


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns an environment of the few variables that cannot change what a tool makes, and `extra`."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {**kept, "LC_ALL": "C", "TZ": "UTC", **(extra or {})}


def require(programs: Iterable[str]) -> None:
    """Checks that programs are on the path, and that compilers among them find their C libraries.

    Raises:
        ToolMissing: names everything that is missing and the Debian package that has it.
    """
    missing: list[tuple[str, str]] = []
    for program in programs:
        if shutil.which(program) is None:
            missing.append((program, _PACKAGE_OF[program]))
            missing += _FILES_OF.get(program, ())
            continue
        for name, package in _FILES_OF.get(program, ()):
            found = subprocess.run(
                [program, f"-print-file-name={name}"], capture_output=True, text=True, env=clean_environment()
            ).stdout.strip()
            if not os.path.isabs(found):
                missing.append((name, package))
    if missing:
        what = ", ".join(f"{program} (Debian package {package})" for program, package in missing)
        packages = " ".join(dict.fromkeys(package for _, package in missing))
        raise ToolMissing(f"missing {what}", f"apt-get install {packages}")


def compiler_version(compiler: str) -> str:
    """Returns the first line of what `compiler --version` prints."""
    output = subprocess.run(
        [compiler, "--version"], capture_output=True, text=True, env=clean_environment(), check=True
    )
    return output.stdout.splitlines()[0]


def run(
    arguments: list[str],
    what: str,
    log: Path,
    progress: Progress,
    folder: Path | None = None,
    extra: Mapping[str, str] | None = None,
) -> None:
    """Runs a program in a clean environment with its output added to `log`; tells percentages that it prints.

    Args:
        arguments: program and its arguments.
        what: the step in a few words, for messages.
        folder: working folder.
        extra: environment variables.

    Raises:
        BuildError: the program failed; with its last line that names an error, and the log's path.
    """
    told = 0
    with log.open("a", encoding="utf-8") as output:
        output.write(f"$ {' '.join(arguments)}\n")
        output.flush()
        with subprocess.Popen(
            arguments,
            cwd=folder,
            env=clean_environment(extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            close_fds=False,  # the store's lock goes along
        ) as process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    output.write(line)
                    percent = re.match(r"\[ *(\d+)%\]", line)
                    if percent and int(percent[1]) >= told + 25:
                        told = int(percent[1]) // 25 * 25
                        progress(f"{what}: {told} %")
            except BaseException:
                process.terminate()
                raise
    code = process.returncode
    if code:
        raise BuildError(f"{what} failed: {_reason(log)}", f"see {log}")


def _reason(log: Path) -> str:
    """The line of a log that most likely says why, in at most 200 characters."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line and not line.startswith("$ ")]
    errors = [line for line in lines if re.search(r"\berror\b|^E: ", line, re.IGNORECASE)]
    return (errors or lines or ["no output"])[-1 if not errors else 0][:200]
