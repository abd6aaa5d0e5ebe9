"""`make check-fresh`: do the README's commands work on a new machine, and fast enough?

Makes a Debian 12 by debootstrap that has nothing but what the README asks for, clones the project's last commit into it
and runs the commands with an empty cache. Where no Debian can be made, a clean clone with an empty cache and a new home
stands in, which does not show missing packages. Uses the standard library only, so that any Python 3.11 can run it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from machine_settings import read_settings
from places import CleanClone, FreshDebian, Place, why_no_debian

from host_tools.errors import CheckFailed, PicocabError, UsageError, file_error
from host_tools.paths import cache

# A command that is too slow goes on, so that its time is known, but not for ever.
_STOP_AT_LIMITS = 2


@dataclass(frozen=True)
class Step:
    """A command of the README and the seconds it may take."""

    group: str
    command: tuple[str, ...]
    limit_s: float


STEPS = (
    Step("demo", ("make", "run", "DEMO=1"), 600),
    Step("demo", ("make", "run", "DEMO=1"), 40),
    Step("test", ("make", "test"), 900),
)


@dataclass(frozen=True)
class Outcome:
    """How a step ended; `exit_code` is None when it was stopped, `seconds` is None when it was not run at all."""

    step: Step
    seconds: float | None
    exit_code: int | None

    @property
    def verdict(self) -> str:
        """`ok`, or what is wrong."""
        if self.seconds is None:
            return "not run"
        if self.exit_code is None:
            return "stopped"
        if self.exit_code:
            return "failed"
        return "ok" if self.seconds <= self.step.limit_s else "too slow"


def run_steps(place: Place, steps: Sequence[Step]) -> list[Outcome]:
    """Runs the steps in order; after a failure the other steps of its group are not run."""
    outcomes: list[Outcome] = []
    broken: set[str] = set()
    for step in steps:
        if step.group in broken:
            outcomes.append(Outcome(step, None, None))
            continue
        print(f"[fresh] $ {' '.join(step.command)}", flush=True)
        started = time.monotonic()
        exit_code = place.run(step.command, _STOP_AT_LIMITS * step.limit_s)
        outcomes.append(Outcome(step, time.monotonic() - started, exit_code))
        if exit_code != 0:
            broken.add(step.group)
    return outcomes


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Returns the lines of the table of outcomes."""
    lines = [f"{'command':<18}{'seconds':>9}{'limit':>7}{'exit code':>11}  verdict"]
    for outcome in outcomes:
        seconds = "-" if outcome.seconds is None else f"{outcome.seconds:.1f}"
        code = "-" if outcome.exit_code is None else str(outcome.exit_code)
        command = " ".join(outcome.step.command)
        lines.append(f"{command:<18}{seconds:>9}{outcome.step.limit_s:>7.0f}{code:>11}  {outcome.verdict}")
    return lines


def check(only: str | None, keep: bool, pristine: Path | None) -> None:
    """Makes the place, runs the steps, prints the table, removes the place.

    Args:
        only: the group of steps to run; None for all.
        keep: leave the folder for a look at it.
        pristine: as for `FreshDebian`.

    Raises:
        CheckFailed: a step failed or was too slow.
    """
    folder = Path(tempfile.mkdtemp(prefix="picocab-fresh-", dir=os.environ.get("TMPDIR") or cache()))
    try:
        reason = why_no_debian()
        settings = read_settings()
        if reason is None:
            place: Place = FreshDebian(folder, settings, pristine)
            where = "a new Debian 12"
        else:
            print(f"[fresh] NO DEBIAN: {reason}. A clean clone with an empty cache stands in.", flush=True)
            place = CleanClone(folder, settings)
            where = f"a clean clone with an empty cache, not on a new Debian: {reason}"
        load = os.getloadavg()[0]
        outcomes = run_steps(place, [step for step in STEPS if only in (None, step.group)])
        print("\n" + "\n".join(table(outcomes)))
        print(f"in {where}; {os.cpu_count()} cores, load average {load:.1f} before the first command", flush=True)
    finally:
        if keep:
            print(f"[fresh] kept: {folder}", flush=True)
        else:
            shutil.rmtree(folder)
    bad = [outcome for outcome in outcomes if outcome.verdict != "ok"]
    if bad:
        command = " ".join(bad[0].step.command)
        raise CheckFailed(f"{len(bad)} of {len(outcomes)} commands are not ok, the first: {command} {bad[0].verdict}")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the check; errors end in one line on standard error."""
    parser = argparse.ArgumentParser(description="Runs the README's commands on a new Debian 12 and times them.")
    parser.add_argument("--only", choices=("demo", "test"), help="run only these commands")
    parser.add_argument("--keep", action="store_true", help="do not remove the temporary folder")
    parser.add_argument("--reuse", type=Path, metavar="DIR", help="keep a new Debian in DIR and copy it the next time")
    args = parser.parse_args(argv)
    # So that `finally` cleans up after this signal too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        if args.reuse and not args.reuse.resolve().parent.is_dir():
            raise UsageError(f"{args.reuse.parent} does not exist", "make it, or name another folder")
        check(args.only, args.keep, args.reuse and args.reuse.resolve())
    except (PicocabError, OSError) as error:
        shown = file_error(error) if isinstance(error, OSError) else error
        print(f"picocab: {shown}", file=sys.stderr)
        return shown.exit_code
    except KeyboardInterrupt:
        print("picocab: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
