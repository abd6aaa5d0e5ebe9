"""What a new system takes from this machine to reach the same networks: names, trust, proxies, pip's settings."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Variables that say how to reach a network. Where pip caches is not among them: the cache must be empty.
_VARIABLE = re.compile(r"PIP_\w+|(?:https?|no|all)_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE", re.IGNORECASE)
_LEFT_OUT = {"PIP_CACHE_DIR"}

_SYSTEM_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt")
_PIP_FILES = ("/etc/pip.conf", "/etc/xdg/pip/pip.conf")
_PIP_HOME_FILES = (".config/pip/pip.conf", ".pip/pip.conf")


@dataclass(frozen=True)
class MachineSettings:
    """Settings to hand on.

    Attributes:
        environment: variables that commands get.
        files: absolute paths to copy to the same place.
        home_files: paths below the home folder to copy to the new one.
        folders: absolute paths of local package folders that pip's settings name.
        apt: lines of an apt configuration file.
    """

    environment: dict[str, str]
    files: tuple[Path, ...]
    home_files: tuple[Path, ...]
    folders: tuple[Path, ...]
    apt: str


def read_settings() -> MachineSettings:
    """Returns the settings of this machine and this user."""
    environment = {
        name: value for name, value in os.environ.items() if _VARIABLE.fullmatch(name) and name not in _LEFT_OUT
    }
    home_files = [Path(name) for name in _PIP_HOME_FILES if (Path.home() / name).is_file()]
    pip_files = [Path(name) for name in (*_PIP_FILES, environment.get("PIP_CONFIG_FILE", "")) if Path(name).is_file()]
    pip_texts = [
        path.read_text(encoding="utf-8") for path in (*pip_files, *(Path.home() / name for name in home_files))
    ]
    apt = _apt_settings()
    named = named_paths([*environment.values(), *pip_texts, apt.replace('"', " ")])
    files = [Path(name) for name in _SYSTEM_FILES if Path(name).is_file()]
    files += [*pip_files, *(path for path in named if path.is_file())]
    folders = [path.parent if path.name == "simple" else path for path in named if path.is_dir()]
    return MachineSettings(
        environment,
        tuple(dict.fromkeys(files)),
        tuple(home_files),
        tuple(dict.fromkeys(path for path in folders if path != Path("/"))),
        apt,
    )


def named_paths(texts: Iterable[str]) -> list[Path]:
    """Returns the absolute paths and the paths of file URLs that stand in `texts` and exist."""
    words = [word.rstrip(";,") for text in texts for word in text.split()]
    paths = [Path(unquote(urlsplit(word).path) if word.startswith("file://") else word) for word in words]
    return [path for path in dict.fromkeys(paths) if path.is_absolute() and path.exists()]


def _apt_settings() -> str:
    """How apt reaches its archives. Not its hooks, which run programs that a new system does not have."""
    try:
        return subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
