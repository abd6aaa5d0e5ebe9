"""The check of the README's commands: what it hands on, when it stops, and what it calls ok."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_fresh import Outcome, Step, run_steps
from machine_settings import named_paths, read_settings
from places import CleanClone


@pytest.fixture
def clone(tmp_path: Path) -> CleanClone:
    """A clean clone of the last commit."""
    return CleanClone(tmp_path, read_settings())


def test_named_paths_finds_paths_and_file_urls(tmp_path: Path) -> None:
    index = tmp_path / "an index"
    index.mkdir()
    texts = [
        f"[global]\nfind-links = {tmp_path}\n",
        f"extra = https://host/x file://{tmp_path}/an%20index {tmp_path}/no",
    ]
    assert named_paths(texts) == [tmp_path, index]


def test_settings_leave_the_cache_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIP_CACHE_DIR", "/var/cache/pip")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    settings = read_settings()
    assert "PIP_CACHE_DIR" not in settings.environment
    assert settings.environment["PIP_FIND_LINKS"] == str(tmp_path)
    assert tmp_path in settings.folders


def test_clean_clone_has_a_home_and_a_cache_of_its_own(clone: CleanClone, tmp_path: Path) -> None:
    script = f'test "$HOME" = {tmp_path}/home && test "$XDG_CACHE_HOME" = {tmp_path}/cache && test ! -e .venv'
    assert clone.run(["sh", "-c", script], 10) == 0
    assert clone.run(["make", "help"], 10) == 0


def test_clean_clone_stops_a_command_with_all_its_children(clone: CleanClone, tmp_path: Path) -> None:
    late = tmp_path / "late"
    assert clone.run(["sh", "-c", f"(sleep 1; touch {late}) & wait"], 0.2) is None
    assert clone.run(["sleep", "1.2"], 10) == 0
    assert not late.exists()


def test_run_steps_leaves_out_what_follows_a_failure(clone: CleanClone) -> None:
    steps = [Step("demo", ("false",), 10), Step("demo", ("true",), 10), Step("test", ("true",), 10)]
    outcomes = run_steps(clone, steps)
    assert [outcome.verdict for outcome in outcomes] == ["failed", "not run", "ok"]


@pytest.mark.parametrize(
    ("seconds", "exit_code", "verdict"),
    [(40.0, 0, "ok"), (40.1, 0, "too slow"), (1.0, 2, "failed"), (120.0, None, "stopped"), (None, None, "not run")],
)
def test_outcome_tells_slow_from_failed(seconds: float | None, exit_code: int | None, verdict: str) -> None:
    assert Outcome(Step("demo", ("make",), 40), seconds, exit_code).verdict == verdict
