"""The folders of the project."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root of the project, with `pyproject.toml`."""
TESTS = ROOT / "tests"
