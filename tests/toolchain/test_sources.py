"""Finding Debian's mirror in the machine's apt configuration, and telling good source files from bad ones."""

from __future__ import annotations

import hashlib
import io
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from host_tools.errors import BuildError, ToolMissing
from host_tools.toolchain import source_tree, sources
from host_tools.toolchain.sources import AptEntry

ONE_LINE = """\
# deb http://old.example/debian bookworm main
deb http://mirror.example/debian bookworm main contrib # the main archive
deb-src http://mirror.example/debian bookworm main
deb [arch=amd64 signed-by=/etc/apt/keyrings/x.asc] https://tools.example/apt cloud-bookworm main
   deb http://mirror.example/debian-security bookworm-security main
deb cdrom:[Debian GNU/Linux 12]/ bookworm main
"""

DEB822 = """\
Types: deb deb-src
# http://snapshot.example/archive
URIs: http://mirror.example/debian
 http://second.example/debian/
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
Enabled: no

Types: deb
URIs: mirror+file:/etc/apt/mirrors/list
Suites: trixie
Components:
 main
 contrib
"""


def test_one_line_form_is_read_with_options_and_comments() -> None:
    assert sources.parse_one_line(ONE_LINE) == [
        AptEntry("http://mirror.example/debian", ("bookworm",), ("main", "contrib")),
        AptEntry("http://mirror.example/debian", ("bookworm",), ("main",)),
        AptEntry("https://tools.example/apt", ("cloud-bookworm",), ("main",)),
        AptEntry("http://mirror.example/debian-security", ("bookworm-security",), ("main",)),
    ]


def test_deb822_form_is_read_with_comments_lists_and_disabled_stanzas() -> None:
    assert sources.parse_deb822(DEB822) == [
        AptEntry("http://mirror.example/debian", ("bookworm", "bookworm-updates"), ("main",)),
        AptEntry("http://second.example/debian/", ("bookworm", "bookworm-updates"), ("main",)),
        AptEntry("mirror+file:/etc/apt/mirrors/list", ("trixie",), ("main", "contrib")),
    ]


def test_files_are_read_by_their_kind(tmp_path: Path) -> None:
    (tmp_path / "a.list").write_text(ONE_LINE)
    (tmp_path / "b.sources").write_text(DEB822)
    assert len(sources.apt_entries([tmp_path / "a.list", tmp_path / "b.sources"])) == 7


def test_mirrors_are_debian_archives_only_and_each_once() -> None:
    entries = sources.parse_deb822(DEB822) + sources.parse_one_line(ONE_LINE)
    assert sources.debian_mirrors(entries) == [
        "http://mirror.example/debian",
        "http://second.example/debian/",
        "mirror+file:/etc/apt/mirrors/list",
    ]


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.25.0", True), ("1.25.0+ds", True), ("1.25.0+ds2", True), ("1.25.01", False), ("1.26.0", False)],
)
def test_series_takes_revisions_and_no_other_version(version: str, expected: bool) -> None:
    assert sources.MICROPYTHON.builds(version) is expected


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with one small file for each package, pinned as it is."""
    pinned = []
    for package in sources.PACKAGES:
        end = ".orig.tar.xz" if package.source else "_all.deb"
        path = tmp_path / f"{package.name}_{package.version}{end}"
        path.write_bytes(package.name.encode())
        pinned.append(replace(package, sha256=hashlib.sha256(path.read_bytes()).hexdigest()))
    monkeypatch.setattr(sources, "PACKAGES", tuple(pinned))
    monkeypatch.setenv("PICOCAB_SOURCES", str(tmp_path))
    return tmp_path


def test_saved_sources_are_used_without_a_word_when_pinned(packages: Path) -> None:
    said: list[str] = []
    files = sources.fetch_sources(said.append)
    assert [file.package.name for file in files] == ["micropython", "mbedtls", "pico-sdk-source", "tinyusb-source"]
    assert all(file.pinned for file in files)
    assert said == []


def test_saved_sources_can_be_saved_again(packages: Path, tmp_path: Path) -> None:
    copies = sources.save_sources(tmp_path / "usb stick", lambda line: None)
    assert [path.name for path in copies] == [file.path.name for file in sources.find_sources(packages)]


def test_newer_revision_builds_with_a_warning(packages: Path) -> None:
    (packages / "mbedtls_3.6.6.orig.tar.xz").unlink()
    (packages / "mbedtls_3.6.7.orig.tar.bz2").write_bytes(b"newer")
    said: list[str] = []
    files = sources.fetch_sources(said.append)
    assert [file.version for file in files if not file.pinned] == ["3.6.7"]
    assert said == ["warning: mbedtls_3.6.7.orig.tar.bz2 is not the pinned 3.6.6: the result is marked unreleased"]


def test_pinned_version_is_taken_before_a_newer_one(packages: Path) -> None:
    (packages / "mbedtls_3.6.7.orig.tar.bz2").write_bytes(b"newer")
    assert all(file.pinned for file in sources.find_sources(packages))


def test_changed_content_of_the_pinned_version_is_an_error(packages: Path) -> None:
    (packages / "mbedtls_3.6.6.orig.tar.xz").write_bytes(b"something else")
    with pytest.raises(BuildError, match=r"mbedtls_3\.6\.6\.orig\.tar\.xz is corrupt: SHA-256 .*: delete it"):
        sources.fetch_sources(lambda line: None)


def test_other_upstream_version_is_an_error(packages: Path) -> None:
    (packages / "mbedtls_3.6.6.orig.tar.xz").rename(packages / "mbedtls_4.0.0.orig.tar.xz")
    with pytest.raises(BuildError, match=r"mbedtls_4\.0\.0\.orig\.tar\.xz is not mbedtls 3\.6: .*MICROPY_DIR"):
        sources.fetch_sources(lambda line: None)


def test_missing_file_is_named(packages: Path) -> None:
    (packages / "mbedtls_3.6.6.orig.tar.xz").unlink()
    with pytest.raises(BuildError, match=r"no sources of mbedtls 3\.6\.6 in "):
        sources.fetch_sources(lambda line: None)


def test_machine_without_apt_is_told_what_to_give(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PICOCAB_SOURCES", raising=False)
    with pytest.raises(ToolMissing, match=r"no apt .*PICOCAB_SOURCES.*MICROPY_DIR"):
        sources.fetch_sources(lambda line: None)


def _tar(names: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as archive:
        for name, data in names.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _deb(names: dict[str, bytes]) -> bytes:
    members = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": _tar(names)}
    parts = [
        f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
        for name, data in members.items()
    ]
    return b"!<arch>\n" + b"".join(parts)


def test_archives_unpack_wanted_files_inside_the_tree_only(tmp_path: Path) -> None:
    archive, tree = tmp_path / "a.deb", tmp_path / "tree"
    archive.write_bytes(
        _deb(
            {
                "./usr/src/tinyusb/src/tusb.c": b"wanted",
                "./usr/share/doc/tinyusb-source/copyright": b"not wanted",
                "./usr/src/tinyusb/../../../../../escape.c": b"must not be written",
            }
        )
    )
    source_tree._unpack(sources.SourceFile(sources.TINYUSB, archive, "", ""), tree)
    archive.write_bytes(_tar({"mp-1/py/vm.c": b"wanted", "mp-1/docs/x.rst": b"not", "mp-1/ports/esp32/main.c": b"not"}))
    tarball = archive.rename(tmp_path / "a.tar.xz")
    source_tree._unpack(sources.SourceFile(sources.MICROPYTHON, tarball, "", ""), tree)
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.c"))
    assert found == ["tree/lib/tinyusb/src/tusb.c", "tree/py/vm.c"]


@pytest.mark.parametrize("data", [b"", b"no archive at all", b"!<arch>\n" + b"x" * 60])
def test_broken_archive_is_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "broken.deb"
    path.write_bytes(data)
    with pytest.raises(BuildError, match="delete it and build again"):
        source_tree._unpack(sources.SourceFile(sources.TINYUSB, path, "", ""), tmp_path)


def test_folder_that_is_no_checkout_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MICROPY_DIR", str(tmp_path))
    with pytest.raises(BuildError, match="is no MicroPython checkout"):
        source_tree.source_tree(lambda line: None)


def test_checkout_without_submodules_is_told_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MICROPY_DIR", str(tmp_path))
    (tmp_path / "py").mkdir()
    (tmp_path / "py" / "mpconfig.h").touch()
    with pytest.raises(BuildError, match=r"lib/pico-sdk is empty in .*: run make -C ports/rp2 submodules"):
        source_tree.source_tree(lambda line: None)
