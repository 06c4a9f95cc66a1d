"""Installs packages of npm in a temporary folder, and runs their programs."""

import subprocess
from pathlib import Path

PATIENCE = 300


def run(*command: str, cwd: Path) -> str:
    """Runs a program, and returns its output.

    Raises:
        AssertionError: The program failed.
    """
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, (command, done.stdout[-4000:], done.stderr[-4000:])
    return done.stdout


def install(folder: Path, *packages: str) -> None:
    """Installs packages, given with their versions, in a folder; its scripts are ES modules."""
    (folder / "package.json").write_text('{"type": "module", "private": true}', "utf-8")
    run("npm", "install", "--silent", "--no-audit", "--no-fund", *packages, cwd=folder)
