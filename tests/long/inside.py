"""Runs one part in this process, as `long.running` starts it: ``python -m long.inside TASK.json``."""

import faulthandler
import json
import signal
import sys
import traceback
from pathlib import Path

from long.finding import found
from long.part import Task


def main(path: str) -> int:
    """Performs the task of a file, writes the report it names, and returns the exit code."""
    asked = json.loads(Path(path).read_text())
    task = Task(
        minutes=asked["minutes"], seed=asked["seed"], folder=Path(asked["folder"]), kept=Path(asked["kept"]),
        options=asked["options"],
    )  # fmt: skip
    done = failure = ""
    try:
        done = found(asked["name"]).run(task)
    except BaseException as error:
        traceback.print_exc()
        failure = f"{type(error).__name__}: {error}".strip()
    Path(asked["report"]).write_text(json.dumps({"done": done, "failure": failure}))
    return 1 if failure else 0


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR2)
    sys.exit(main(sys.argv[1]))
