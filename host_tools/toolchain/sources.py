"""MicroPython's source and the libraries it builds with, as files of Debian's trixie.

The machine's own apt fetches them into a private state: same mirror and proxies, but suite trixie and only Debian's
archive keyring, so that apt checks the signature and every hash whatever release the machine runs. On top of that the
versions known to the project are pinned by SHA-256. `PICOCAB_SOURCES=DIR` takes the files from a folder instead.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import BuildError, ToolMissing
from ..paths import cache
from .tools import Progress, clean_environment, run

SUITE = "trixie"
SOURCES_VARIABLE = "PICOCAB_SOURCES"

# Debian's archive keyring as its package names it, newest first.
_KEYRINGS = (
    Path("/usr/share/keyrings/debian-archive-keyring.pgp"),
    Path("/usr/share/keyrings/debian-archive-keyring.gpg"),
)

# Suites that only Debian's main archive has: tells its mirror from other entries of the machine's configuration.
_DEBIAN_SUITES = {
    *("stable", "oldstable", "oldoldstable", "testing", "unstable", "sid"),
    *("bullseye", "bookworm", "trixie", "forky", "duke"),
}


@dataclass(frozen=True)
class Package:
    """One of the packages that the build needs.

    Attributes:
        name: Debian's name of the package.
        source: True for the upstream tarball of a source package, False for a binary package that holds sources.
        series: the versions that the recipe builds; a version is in the series when it starts with it.
        version: the pinned version.
        sha256: of the pinned version's file.
    """

    name: str
    source: bool
    series: str
    version: str
    sha256: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the package's file name, with the version as group 1."""
        end = r"\.orig\.tar\.(?:xz|bz2|gz)" if self.source else r"_all\.deb"
        return re.compile(rf"{re.escape(self.name)}_([^_]+?){end}")

    def builds(self, version: str) -> bool:
        """Whether `version` belongs to the series ("1.25.0" takes "1.25.0+ds" and not "1.25.01")."""
        return re.match(rf"{re.escape(self.series)}(?!\d)", version) is not None


MICROPYTHON = Package(
    "micropython", True, "1.25.0", "1.25.0+ds", "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea"
)
MBEDTLS = Package("mbedtls", True, "3.6", "3.6.6", "8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a")
PICO_SDK = Package(
    "pico-sdk-source", False, "2.1.1", "2.1.1-1", "507a3ca37636641bc90239d7c04dc9dc28c5008087a8162102ea94d2273153d3"
)
TINYUSB = Package(
    "tinyusb-source",
    False,
    "0.18.0",
    "0.18.0+dfsg-1",
    "01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e",
)
PACKAGES = (MICROPYTHON, MBEDTLS, PICO_SDK, TINYUSB)


@dataclass(frozen=True)
class SourceFile:
    """The file of a package: its version as in the file's name, and its SHA-256 in hex."""

    package: Package
    path: Path
    version: str
    sha256: str

    @property
    def pinned(self) -> bool:
        """Whether this is the very file that the project pins."""
        return self.sha256 == self.package.sha256


@dataclass(frozen=True)
class AptEntry:
    """One line or stanza of apt's sources: an archive, with the suites and components taken from it."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]


def fetch_sources(progress: Progress) -> tuple[SourceFile, ...]:
    """Returns one file for each of `PACKAGES`, downloaded when the cache does not hold it.

    Raises:
        ToolMissing: the machine has no apt; set `PICOCAB_SOURCES` or `MICROPY_DIR`.
        BuildError: a file is missing in `PICOCAB_SOURCES`, cannot be downloaded, or is not what it should be.
    """
    given = os.environ.get(SOURCES_VARIABLE)
    if given:
        files = find_sources(Path(given))
    else:
        folder = cache() / "sources"
        folder.mkdir(exist_ok=True)
        if _missing(folder):
            _download(folder, progress)
        files = find_sources(folder)
    for file in files:
        if not file.pinned:
            progress(
                f"warning: {file.path.name} is not the pinned {file.package.version}: the result is marked unreleased"
            )
    return files


def save_sources(folder: Path, progress: Progress) -> list[Path]:
    """Copies the files into `folder`, for builds without a network (`PICOCAB_SOURCES`); returns the copies."""
    folder.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copy2(file.path, folder)) for file in fetch_sources(progress)]


def find_sources(folder: Path) -> tuple[SourceFile, ...]:
    """Returns one file for each of `PACKAGES` from a folder; of several versions the pinned one.

    Raises:
        BuildError: a file is missing, has a version that the recipe does not build, or has the pinned version's name
            and another content.
    """
    missing = _missing(folder)
    if missing:
        names = ", ".join(f"{package.name} {package.version}" for package in missing)
        raise BuildError(
            f"no sources of {names} in {folder}", "save them with host_tools.toolchain.sources.save_sources"
        )
    return tuple(_choose(package, folder) for package in PACKAGES)


def _missing(folder: Path) -> list[Package]:
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [package for package in PACKAGES if not any(package.pattern.fullmatch(name) for name in names)]


def _choose(package: Package, folder: Path) -> SourceFile:
    found = []
    for path in sorted(folder.iterdir()):
        match = package.pattern.fullmatch(path.name)
        if match:
            found.append(SourceFile(package, path, match[1].replace("%2b", "+"), _sha256(path)))
    usable = [file for file in found if package.builds(file.version)]
    if not usable:
        raise BuildError(
            f"{found[-1].path.name} is not {package.name} {package.series}",
            f"give saved sources by {SOURCES_VARIABLE}, or a checkout by MICROPY_DIR",
        )
    chosen = next((file for file in usable if file.version == package.version), usable[-1])
    if chosen.version == package.version and not chosen.pinned:
        raise BuildError(
            f"{chosen.path} is corrupt: SHA-256 {chosen.sha256[:16]}..., pinned is {package.sha256[:16]}...",
            "delete it and build again",
        )
    return chosen


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download(folder: Path, progress: Progress) -> None:
    """Fetches all files by apt from the first Debian mirror of the machine's configuration that has them."""
    cure = f"give saved sources by {SOURCES_VARIABLE}, or a checkout by MICROPY_DIR"
    if shutil.which("apt-get") is None:
        raise ToolMissing("this machine has no apt to fetch Debian's sources", cure)
    mirrors = debian_mirrors(apt_entries(apt_files()))
    keyring = next((path for path in _KEYRINGS if path.exists()), None)
    if not mirrors or keyring is None:
        raise BuildError(
            "this machine's apt knows no Debian mirror" if not mirrors else "Debian's archive keyring is not installed",
            cure,
        )
    log = folder / "apt.log"
    log.unlink(missing_ok=True)
    failures: list[BuildError] = []
    for mirror in mirrors:
        try:
            with tempfile.TemporaryDirectory(prefix="apt-", dir=folder) as state:
                _download_from(mirror, keyring, Path(state), log, progress)
                for file in find_sources(Path(state)):
                    os.replace(file.path, folder / file.path.name.replace("%2b", "+"))
            return
        except BuildError as error:
            failures.append(error)
    raise BuildError(failures[0].what, f"check the network (log: {log}), or {cure}")


def _download_from(mirror: str, keyring: Path, state: Path, log: Path, progress: Progress) -> None:
    for name in ("lists/partial", "archives/partial"):
        (state / name).mkdir(parents=True)
    (state / "status").touch()
    (state / "debian.sources").write_text(
        f"Types: deb deb-src\nURIs: {mirror}\nSuites: {SUITE}\nComponents: main\n"
        f"Targets: Packages Sources\nSigned-By: {keyring}\n",
        encoding="utf-8",
    )
    settings = {
        "Dir::State": state,
        "Dir::State::lists": state / "lists",
        "Dir::State::status": state / "status",
        "Dir::Cache": state,
        "Dir::Cache::archives": state / "archives",
        "Dir::Etc::sourcelist": state / "debian.sources",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "APT::Default-Release": "",
        "APT::Update::Error-Mode": "any",
        "Acquire::Languages": "none",
    }
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        settings["APT::Sandbox::User"] = "root"  # the sandbox's user cannot write into root's cache
    apt = ["apt-get", "-q", *(f"-o{name}={value}" for name, value in settings.items())]
    sources = [package.name for package in PACKAGES if package.source]
    binaries = [package.name for package in PACKAGES if not package.source]
    progress(f"fetching the package lists of Debian {SUITE} (about 20 MB)")
    run([*apt, "update"], "fetching Debian's package lists", log, progress, state)
    progress("fetching the sources of MicroPython, Pico SDK, TinyUSB and mbedTLS (about 15 MB)")
    run([*apt, "--only-source", "--download-only", "source", *sources], "fetching sources", log, progress, state)
    run([*apt, "download", *binaries], "fetching sources", log, progress, state)


def apt_files() -> list[Path]:
    """Returns the files that hold the sources of the machine's apt, as its own configuration names them."""
    shell = subprocess.run(
        ["apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"],
        capture_output=True,
        text=True,
        env=clean_environment(),
    ).stdout
    names = dict(re.findall(r"^(\w+)='(.*)'$", shell, re.MULTILINE))
    files = [Path(names["LIST"])] if names.get("LIST") else []
    if names.get("PARTS"):
        files += sorted(path for path in Path(names["PARTS"]).glob("*") if path.suffix in (".list", ".sources"))
    return [path for path in files if path.is_file()]


def apt_entries(files: Iterable[Path]) -> list[AptEntry]:
    """Reads apt's sources: `.sources` files as deb822 stanzas, all others line by line."""
    entries: list[AptEntry] = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        entries += parse_deb822(text) if path.suffix == ".sources" else parse_one_line(text)
    return entries


def parse_one_line(text: str) -> list[AptEntry]:
    """Reads entries of the form `deb [options] uri suite component ...`; cdrom entries are left out."""
    entries = []
    for line in text.splitlines():
        match = re.match(r"\s*deb(?:-src)?\s+(?:\[[^]]*\]\s*)?(\S+)\s+(\S+)([^#]*)", line)
        if match and not match[1].startswith("cdrom:"):
            entries.append(AptEntry(match[1], (match[2],), tuple(match[3].split())))
    return entries


def parse_deb822(text: str) -> list[AptEntry]:
    """Reads enabled stanzas of `Types`, `URIs`, `Suites`, `Components`."""
    entries = []
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for stanza in re.split(r"\n\s*\n", "\n".join(lines)):
        fields = {name.lower(): value for name, value in re.findall(r"^([\w-]+):((?:.*)(?:\n[ \t].*)*)", stanza, re.M)}
        if "uris" not in fields or fields.get("enabled", "yes").strip().lower() in ("no", "false", "0", "off"):
            continue
        suites, components = (tuple(fields.get(name, "").split()) for name in ("suites", "components"))
        entries += [AptEntry(uri, suites, components) for uri in fields["uris"].split()]
    return entries


def debian_mirrors(entries: Sequence[AptEntry]) -> list[str]:
    """Returns the addresses that serve Debian's main archive, those whose path ends in `debian` first."""
    found = [
        entry.uri for entry in entries if "main" in entry.components and not _DEBIAN_SUITES.isdisjoint(entry.suites)
    ]
    return sorted(dict.fromkeys(found), key=lambda uri: not uri.rstrip("/").endswith("debian"))
