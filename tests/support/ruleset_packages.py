"""Finds the package of a ruleset: its code, tables and books."""

import sys
from pathlib import Path
from types import ModuleType

from machines.contract.ruleset import ruleset
from machines.registry import installed


def package_of(game: str) -> ModuleType:
    """Returns the package in which a ruleset is registered, such as ``machines.gurps_3e``."""
    ruleset(game)
    return sys.modules[installed()[game].module]


def folder_of(game: str) -> Path:
    """Returns the folder of that package."""
    file = package_of(game).__file__
    assert file is not None
    return Path(file).parent
