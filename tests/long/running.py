"""Runs one part in a separate process group, and stops it at its time limit."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from long import processes
from long.finding import Found

ROOT = Path(__file__).parents[2]
_LEFT_SECONDS = 3.0
"""In which what a part has started must end after it."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a part went.

    Attributes:
        name: Of the part.
        seed: With which it can be repeated.
        seconds: How long it took.
        done: What was done, in numbers.
        failure: What went wrong; empty where nothing did.
        log: The file with its detailed log.
    """

    name: str
    seed: int
    seconds: float
    done: str
    failure: str
    log: Path

    @property
    def is_good(self) -> bool:
        """Whether no fault was found."""
        return not self.failure


def new_seed() -> int:
    """Returns a seed that is short enough to be typed."""
    return random.SystemRandom().randrange(1_000_000)


def run(found: Found, *, minutes: float, seed: int, options: Mapping[str, Any], logs: Path) -> Outcome:
    """Runs a part to its end or to its time limit.

    Args:
        found: The part.
        minutes: How long it should go on.
        seed: Of everything that is left to chance.
        options: By `Option.field`.
        logs: Where its log and what it keeps are written.

    Returns:
        How it went; whatever it has started has ended.
    """
    kept, log, began = logs / found.name, logs / f"{found.name}.log", time.monotonic()
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"affray-long-{found.name}-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        report = folder / "report.json"
        asked = {"minutes": minutes, "seed": seed, "folder": str(folder), "kept": str(kept), "options": dict(options)}
        (folder / "task.json").write_text(json.dumps({"name": found.name, "report": str(report), **asked}))
        with log.open("wb") as output:
            stopped = _wait(_started(folder, output), 60.0 * (minutes + found.part.grace))
        told = (
            json.loads(report.read_text())
            if report.exists()
            else {"done": "", "failure": "" if stopped else "it ended without a report"}
        )
    if not any(kept.iterdir()):
        shutil.rmtree(kept)
    seconds = time.monotonic() - began
    failure = "\n".join(filter(None, [stopped, told["failure"]]))
    return Outcome(name=found.name, seed=seed, seconds=seconds, done=told["done"], failure=failure, log=log)


def _started(folder: Path, output: Any) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(
        [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support"), os.environ.get("PYTHONPATH", "")]
    )
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-m", "long.inside", str(folder / "task.json")], cwd=ROOT, env=environment,
        stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip


def _wait(process: "subprocess.Popen[bytes]", limit: float) -> str:
    """Waits for a part; returns why it was stopped, or what it left behind."""
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGUSR2)  # it writes into its log where it is
        time.sleep(0.5)
        return f"it was stopped at its time limit of {limit / 60:g} minutes"
    else:
        left = processes.left_behind(_LEFT_SECONDS)
        return f"it left processes behind: {'; '.join(left)}" if left else ""
    finally:
        processes.kill_group(process.pid)
        processes.kill_descendants()
        process.wait()
