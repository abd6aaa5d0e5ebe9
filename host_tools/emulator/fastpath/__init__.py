"""The compiled fast path: built on demand into the cache folder, loaded from there.

The extension is compiled against the `.pxd` files of the installed rp2040py and depends on the Python ABI, so the build
is keyed by both and by our own sources.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from ... import paths
from ...errors import EmulatorError, ToolMissing

_SOURCES = Path(__file__).parent
_MODULE = "_fastpath"
_SETUP = """\
from Cython.Build import cythonize
from setuptools import Extension, setup

flags = ["-O3", "-std=gnu11", "-fno-strict-aliasing", "-fwrapv"]
setup(name="fastpath", ext_modules=cythonize([Extension("_fastpath", ["_fastpath.pyx"], extra_compile_args=flags)]))
"""

_loaded: ModuleType | None = None


def _silent(_: str) -> None:
    pass


def load(rp2040py_version: str, progress: Callable[[str], None] = _silent) -> ModuleType:
    """The compiled module, built first when this combination of sources, rp2040py and Python has none yet.

    Raises:
        ToolMissing: no C compiler, or Python's headers are not installed.
        EmulatorError: the compiler failed.
    """
    global _loaded
    if _loaded is None:
        folder = paths.cache() / "fastpath" / _key(rp2040py_version)
        library = folder / (_MODULE + str(sysconfig.get_config_var("EXT_SUFFIX")))
        if not library.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with _lock(folder / "lock"):
                if not library.exists():
                    progress("compiling the emulator's fast path (once)")
                    _build(library)
        _loaded = _import(library)
    return _loaded


def _key(rp2040py_version: str) -> str:
    digest = hashlib.sha256(f"{rp2040py_version} {sys.version} {sysconfig.get_platform()} {_SETUP}".encode())
    for source in _source_files():
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _source_files() -> list[Path]:
    return sorted([*_SOURCES.glob("*.h"), *_SOURCES.glob("*.pyx")])


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """One process builds, the others wait for it."""
    with path.open("w") as file:
        try:
            import fcntl
        except ImportError:  # no such lock on this system: two builds at once end with the same library
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _check_tools() -> None:
    for package in ("Cython", "setuptools"):
        if importlib.util.find_spec(package) is None:
            raise ToolMissing(
                f"{package} is not installed, which compiles the emulator's fast path",
                f'install it: "pip install {package}"',
            )
    compiler = (os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")).split()[0]
    if shutil.which(compiler) is None:
        raise ToolMissing(
            f"no C compiler ({compiler}) for the emulator's fast path", 'install one: "apt-get install build-essential"'
        )
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    if not headers.exists():
        raise ToolMissing(
            f"Python's headers are missing ({headers}) for the emulator's fast path",
            'install them: "apt-get install python3-dev"',
        )


def _build(library: Path) -> None:
    _check_tools()
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        for source in _source_files():
            shutil.copy(source, scratch)
        (Path(scratch) / "setup.py").write_text(_SETUP)
        command = [sys.executable, "setup.py", "build_ext", "--inplace"]
        result = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
        built = Path(scratch) / library.name
        if result.returncode or not built.exists():
            log = library.parent / "build.log"
            log.write_text(result.stdout + result.stderr)
            raise EmulatorError("the emulator's fast path did not compile", f"see {log}")
        os.replace(built, library)


def _import(library: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(_MODULE, library)
    if spec is None or spec.loader is None:
        raise EmulatorError(f"cannot load {library}", "delete that folder and try again")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module  # Cython's own classes look their module up by name
    spec.loader.exec_module(module)
    return module
