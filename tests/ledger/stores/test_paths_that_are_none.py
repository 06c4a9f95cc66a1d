"""A text that no file can have as its path is refused wherever a path is given."""

from pathlib import Path

import pytest

from ledger.errors import Unusable
from ledger.stores import open_store

WRONG = ["a\0b", "\ud800", "a" * 300]


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("name", WRONG, ids=["null byte", "half a letter", "too long"])
def test_a_ledger(name: str, create: bool, tmp_path: Path) -> None:
    with pytest.raises(Unusable) as refusal:
        open_store(f"sqlite:///{tmp_path}/{name}.db", create=create)
    assert refusal.value.where == "ledger"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", WRONG, ids=["null byte", "half a letter", "too long"])
def test_a_heads_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unusable) as refusal:
        open_store(f"sqlite:///{tmp_path}/a.db", heads=str(tmp_path / name))
    assert refusal.value.where == "heads"
