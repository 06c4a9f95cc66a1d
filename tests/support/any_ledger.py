"""A new ledger of each kind that several processes may use."""

from pathlib import Path

import pytest


def new_ledger(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """Returns the address of an empty ledger: ``sqlite`` in a folder, ``postgresql`` or ``nats``."""
    if kind == "postgresql":
        return str(request.getfixturevalue("postgres").database())
    if kind == "nats":
        return str(request.getfixturevalue("nats").ledger())
    return f"sqlite:///{folder}/a.db"
