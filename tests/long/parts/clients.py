"""Generates clients from the OpenAPI document with three generators, compiles bots that use them, and lets them play."""

from long.part import Failed, Part, Task

PART = Part(
    title="generated clients",
    minutes=1,
    grace=10,
    why=(
        "Each generator is installed into an environment made for it, and its bot plays one fight: once is enough, because "
        "nothing is left to chance. It takes two to four minutes, most of them for the generators' own packages."
    ),
)


def run(task: Task) -> str:
    """Runs the tests of the generated clients; returns how many there were."""
    import re
    import subprocess
    import sys
    from pathlib import Path

    tests = Path(__file__).parents[1] / "clients" / "generated.py"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--basetemp={task.folder / 'made'}",
        tests,
    ]
    done = subprocess.run(command, cwd=tests.parents[3], capture_output=True, text=True)
    task.say(done.stdout[-5_000:])
    found = re.search(r"^(\d+) passed in", done.stdout, re.MULTILINE)
    if done.returncode or found is None:
        raise Failed(f"a generated client fails: {done.stdout[-2_000:]}")
    return f"{found[1]} generators, each with a bot that played a fight"
