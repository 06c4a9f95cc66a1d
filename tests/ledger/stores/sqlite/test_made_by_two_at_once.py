"""A ledger that another process is creating during the inspection does not count as damaged."""

from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ledger.errors import Damaged
from ledger.stores.sqlite import SqliteStore, file


@pytest.mark.parametrize("before", [0, 1, 2, 3], ids=["first", "second", "third", "fourth"])
def test_a_ledger_comes_into_being_between_two_looks(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looks, look = str(tmp_path / "fight.db"), 0, file._size
    with ExitStack() as others:

        def looked(at: str) -> int | None:
            nonlocal looks
            looks += 1
            if looks == before + 1:
                with monkeypatch.context() as patched:
                    patched.setattr(file, "_size", look)
                    others.enter_context(closing(SqliteStore(path))).create("A")
            return look(at)

        monkeypatch.setattr(file, "_size", looked)
        with closing(SqliteStore(path)) as store:
            assert list(store.sessions()) == ["A"] or looks <= before


def test_an_empty_file_beside_a_log_is_still_told(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    with closing(SqliteStore(str(path))) as store:
        store.create("A")
        log = Path(f"{path}-wal").read_bytes()
    path.unlink()
    Path(f"{path}-wal").write_bytes(log)

    with pytest.raises(Damaged, match="its latest writes are still in"):
        SqliteStore(str(path))
