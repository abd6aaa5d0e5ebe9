"""`picocab simulate` as a user meets it: what it prints, and what it says when it cannot."""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
from typing import Any

import pytest

from host_tools.errors import PicocabError, PortError, ToolMissing, UsageError
from host_tools.par import simulate_command
from host_tools.par.simulate_command import add_parser, connected
from host_tools.par.simulation import simulate
from host_tools.tables import game_tables

GAME = "haunted_house"


def _run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    args = parser.parse_args(["simulate", *arguments])
    code: int = args.run(args)
    return code


def test_json_holds_what_was_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(GAME, "--rounds", "3000", "--seed", "5", "--workers", "1", "--json") == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    done = simulate(game_tables(GAME), 3000, 5)
    assert (printed["game"], printed["seed"], printed["rounds"], printed["total_bet"]) == (GAME, 5, 3000, 20)
    assert printed["return"] == float(done.share())
    assert printed["sigma"] == done.sigma()
    assert printed["hit_frequency"] == done.hits / 3000
    assert printed["triggers"] == done.triggers
    assert sum(source["coins"] for source in printed["sources"].values()) == printed["coins"]
    assert sum(one["rounds"] for one in printed["histogram"]) == 3000
    assert printed["convergence"] == [[3000, printed["return"]]]
    for of in [printed, *printed["sources"].values()]:
        (low, high), (lowest, highest) = of["interval_95"], of["interval_99_9"]
        assert high - low == pytest.approx(2 * 1.959964 * of["standard_error"], rel=1e-6)
        assert highest - lowest == pytest.approx(2 * 3.290527 * of["standard_error"], rel=1e-6)
        assert (low + high) / 2 == pytest.approx(of["return"])


def test_text_shows_return_triggers_and_histogram(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(GAME, "--rounds", "3000", "--seed", "5", "--workers", "1") == 0
    captured = capsys.readouterr()
    done = simulate(game_tables(GAME), 3000, 5)
    rows = {line[:24].strip(): line[24:].split() for line in captured.out.splitlines()[1:]}
    assert captured.out.splitlines()[0] == "Haunted House: 3,000 rounds of 20 coins, seed 5"
    assert rows["total"][0] == f"{100 * float(done.share()):.4f}"
    assert rows["free_spins.lines"][0] == f"{100 * float(done.share('free_spins.lines')):.4f}"
    assert rows["free_spins"] == [str(done.triggers["free_spins"]), f"{3000 / done.triggers['free_spins']:,.1f}"]
    assert rows["no win"][0] == f"{done.histogram[0]:,}"
    assert "rounds/s" in captured.err


def test_hatter_is_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("mad_hatters", "--rounds", "2000", "--hatter", "james", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["coins"] == simulate(game_tables("mad_hatters"), 2000, 1, hatter="james").wins["total"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("mad_dogs", "--rounds", "1"), UsageError, "no game is called 'mad_dogs'"),
        ((GAME, "--rounds", "1", "--seed", "-1"), UsageError, "seed -1"),
        (("mad_hatters", "--rounds", "1", "--hatter", "alice"), UsageError, "no hatter is called 'alice'"),
        ((GAME, "--rounds", "1", "--hatter", "john"), UsageError, "no hatter to choose"),
        ((GAME, "--rounds", "1", "--dask", "somewhere"), UsageError, "no address of a scheduler"),
    ],
)
def test_wrong_argument_is_told(arguments: tuple[str, ...], error: type[PicocabError], message: str) -> None:
    with pytest.raises(error, match=message):
        _run(*arguments)


@pytest.mark.parametrize("rounds", ["0", "-5", "1e6", "many", ""])
def test_rounds_are_a_number_from_one_up(rounds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        _run(GAME, f"--rounds={rounds}")
    assert stopped.value.code == 2
    assert "no number from 1 up" in capsys.readouterr().err


@pytest.mark.parametrize("workers", ["1", "2", "3"])
def test_workers_and_cluster_exclude_each_other(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        _run(GAME, "--rounds", "1", "--workers", workers, "--dask", "tcp://127.0.0.1:8786")
    assert stopped.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


def test_plain_loops_are_told_to_the_user() -> None:
    program = (
        "import argparse, sys\n"
        "from host_tools.par.simulate_command import add_parser\n"
        "parser = argparse.ArgumentParser()\n"
        "add_parser(parser.add_subparsers())\n"
        f"args = parser.parse_args(['simulate', '{GAME}', '--rounds', '20', '--workers', '1'])\n"
        "sys.exit(args.run(args))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PICOCAB_PLAIN": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "uncompiled" in done.stderr
    assert "20 rounds" in done.stdout


def test_missing_numpy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ToolMissing, match="numpy is not installed"):
        _run(GAME, "--rounds", "1", "--workers", "1")


def test_missing_dask_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    with pytest.raises(ToolMissing, match=r"dask\.distributed is not installed"):
        _run(GAME, "--rounds", "1", "--dask", "tcp://127.0.0.1:8786")


def test_unreachable_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dask.distributed")
    monkeypatch.setattr(simulate_command, "_CONNECT_S", 0.5)
    with socket.socket() as unused:  # bound but not listening: nothing answers there
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(PortError, match=f"no Dask scheduler answers at {address}"):
            _run(GAME, "--rounds", "1", "--dask", address)


def test_cluster_plays_what_this_machine_plays(capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("dask.distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        assert _run(GAME, "--rounds", "150000", "--dask", cluster.scheduler_address, "--json") == 0
        with connected(cluster.scheduler_address) as client:
            assert len(client.nthreads()) == 2
    on_cluster = json.loads(capsys.readouterr().out)
    assert _run(GAME, "--rounds", "150000", "--workers", "1", "--json") == 0
    assert on_cluster == json.loads(capsys.readouterr().out)


def test_cluster_without_workers_is_told() -> None:
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
        ) as cluster,
        pytest.raises(PortError, match="has no workers"),
    ):
        _run(GAME, "--rounds", "1", "--dask", cluster.scheduler_address)
