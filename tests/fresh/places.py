"""Where the README's commands are tried: a new Debian in a folder, or a clean clone with an empty cache."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from machine_settings import MachineSettings

from host_tools.errors import BuildError, CheckFailed, ToolMissing, UsageError
from host_tools.paths import ROOT
from host_tools.toolchain.sources import apt_entries, apt_files, debian_mirrors

SUITE = "bookworm"  # Debian 12
PACKAGES = ("make", "git", "python3", "python3-venv", "ca-certificates")

_SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_HOME = "root"  # below the new Debian
_CLONE = "picocab"

# The mounts belong to a namespace of the command and go with its last process, however it ends: nothing to unmount, and
# whoever removes the folder can never reach this machine's /dev through it.
_NAMESPACE = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
_IN_DEBIAN = """
set -e
root=$1; shift
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do
    mkdir -p "$root$1"
    mount -o bind,ro "$1" "$root$1"
    shift
done
shift
chroot "$root" env -i "$@"
"""


class Place(Protocol):
    """Something that a command of the project can be tried in."""

    def run(self, command: Sequence[str], timeout_s: float) -> int | None:
        """Runs a command in the clone; returns its exit code, or None when it was stopped after `timeout_s`."""


class FreshDebian:
    """A Debian 12 in a folder, with only the packages that the README asks for, and a clone of the project in it.

    Args:
        folder: an empty folder.
        settings: what it takes from this machine.
        pristine: where a new Debian is kept to be copied the next time; made when missing. None: nothing is kept.

    Raises:
        BuildError: debootstrap failed.
    """

    def __init__(self, folder: Path, settings: MachineSettings, pristine: Path | None = None) -> None:
        self._root = folder / "debian"
        if pristine is None:
            _debootstrap(self._root)
        else:
            if not pristine.exists():
                _debootstrap(pristine)
            elif not (pristine / "etc" / "debian_version").is_file():
                raise UsageError(f"{pristine} holds no Debian", "name a folder that does not exist yet")
            _check_call(["cp", "-a", "--reflink=auto", str(pristine), str(self._root)], "copying Debian")
        self._settings = settings
        self._folders = [str(path) for path in settings.folders if self._lacks(path)]
        self._take_settings()
        clone_head(self._root / _HOME / _CLONE)

    def _lacks(self, path: Path) -> bool:
        """Whether the new Debian has nothing of its own at `path`; if it has, that stays."""
        inside = self._root / path.relative_to("/")
        if inside.exists():
            _say(f"pip's settings name {path}, which Debian has too: left out")
        return not inside.exists()

    def _take_settings(self) -> None:
        for path in self._settings.files:
            _copy(path, self._root / path.relative_to("/"))
        for name in self._settings.home_files:
            _copy(Path.home() / name, self._root / _HOME / name)
        etc_apt = self._root / "etc" / "apt"
        (etc_apt / "apt.conf.d" / "90machine").write_text(self._settings.apt, encoding="utf-8")
        (etc_apt / "sources.list").write_text(f"deb {_mirrors()[0]} {SUITE} main\n", encoding="utf-8")

    def run(self, command: Sequence[str], timeout_s: float) -> int | None:
        """As `Place.run`, as root, with nothing of this machine's environment but the settings."""
        variables = {**self._settings.environment, "HOME": f"/{_HOME}", "PATH": _SYSTEM_PATH}
        chdir = f"--chdir=/{_HOME}/{_CLONE}"
        inner = [chdir, *(f"{name}={value}" for name, value in variables.items()), *command]
        arguments = [*_NAMESPACE, "sh", "-c", _IN_DEBIAN, "sh", str(self._root), *self._folders, "--", *inner]
        return _run(arguments, timeout_s)


class CleanClone:
    """A clone of the project on this machine, with an empty cache and a new home.

    Args:
        folder: an empty folder.
        settings: what the new home takes from the old one.
    """

    def __init__(self, folder: Path, settings: MachineSettings) -> None:
        self._clone = folder / _CLONE
        for name in settings.home_files:
            _copy(Path.home() / name, folder / "home" / name)
        (folder / "home").mkdir(exist_ok=True)
        self._environment = {
            **settings.environment,
            "HOME": str(folder / "home"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            # Python version switchers look for their Pythons in the old home: name this one.
            "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', _SYSTEM_PATH)}",
        }
        clone_head(self._clone)

    def run(self, command: Sequence[str], timeout_s: float) -> int | None:
        """As `Place.run`, as this user."""
        return _run(command, timeout_s, self._clone, self._environment)


def why_no_debian() -> str | None:
    """Returns why a Debian cannot be made here, or None; installs debootstrap when that is all that is missing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can run debootstrap"
    if not _mirrors():
        return "this machine's apt knows no Debian mirror"
    if not _succeeds([*_NAMESPACE, "sh", "-c", "mount -t proc proc /proc"]):
        return "this system allows no mounts (a container without privileges?)"
    if shutil.which("debootstrap", path=_SYSTEM_PATH) is None:
        _say("installing debootstrap")
        install = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends", "debootstrap"]
        if not (_succeeds(["apt-get", "-qq", "update"]) and _succeeds(install)):
            return "debootstrap is not installed, and apt cannot install it"
    return None


def clone_head(target: Path) -> None:
    """Clones the project's last commit; says so when files differ from it.

    Raises:
        ToolMissing: git is not installed.
        CheckFailed: git cannot clone.
    """
    if shutil.which("git") is None:
        raise ToolMissing("git is not installed", "install git")
    changes = subprocess.run(["git", "-C", str(ROOT), "status", "--porcelain"], capture_output=True, text=True).stdout
    if changes:
        _say(f"the last commit is tested, without {len(changes.splitlines())} changed or new files")
    _check_call(["git", "clone", "--quiet", "--no-local", str(ROOT), str(target)], "cloning the project")


def _mirrors() -> list[str]:
    """Mirrors of this machine's apt that debootstrap can use as well."""
    found = debian_mirrors(apt_entries(apt_files())) if shutil.which("apt-config") else []
    return [mirror for mirror in found if mirror.startswith(("http://", "https://", "file:/"))]


def _debootstrap(root: Path) -> None:
    part = root.with_name(f"{root.name}.part")
    log = root.with_name(f"{root.name}.log")
    _say(f"making a Debian 12 with {', '.join(PACKAGES)} (about 70 s)")
    environment = {**os.environ, "PATH": _SYSTEM_PATH, **_apt_proxies()}
    arguments = [*_NAMESPACE, "debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE]
    with log.open("w", encoding="utf-8") as output:
        code = subprocess.run(
            [*arguments, str(part), _mirrors()[0]],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        ).returncode
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    log.unlink()
    if code:
        shutil.rmtree(part, ignore_errors=True)
        reasons = [line for line in lines if line.startswith(("E:", "W:"))] or lines or ["no output"]
        raise BuildError(f"debootstrap failed: {reasons[-1][:200]}", "run `debootstrap` by hand to see more")
    part.rename(root)


def _apt_proxies() -> dict[str, str]:
    """The proxies of apt's settings, as variables for debootstrap's downloads."""
    names = ["apt-config", "shell", "http_proxy", "Acquire::http::Proxy", "https_proxy", "Acquire::https::Proxy"]
    output = subprocess.run(names, capture_output=True, text=True).stdout
    return {name: value for name, value in re.findall(r"^(\w+)='(.*)'$", output, re.MULTILINE) if value != "DIRECT"}


def _run(
    command: Sequence[str], timeout_s: float, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> int | None:
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)  # a link in the new Debian would lead out of it
    shutil.copyfile(source, target)


def _check_call(command: Sequence[str], what: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        lines = result.stderr.strip().splitlines() or ["no output"]
        reason = next((line for line in lines if line.startswith("fatal: ")), lines[-1])
        raise CheckFailed(f"{what} failed: {reason[:200]}")


def _succeeds(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def _say(line: str) -> None:
    print(f"[fresh] {line}", flush=True)
