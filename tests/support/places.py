"""The folders of the project."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""Of the project: where `pyproject.toml` is."""
TESTS = ROOT / "tests"
