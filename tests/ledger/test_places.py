"""Whether files are still where they were opened: asking the folder tells as much as asking each file."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.stores.places import Places, identity

NAMES = ("ledger.db", "ledger.db-wal", "ledger.db-shm")
DOINGS = ("write", "delete", "replace", "restore", "another", "wait", "replace the folder")


def do(what: str, folder: Path, name: str) -> None:
    file, aside = folder / name, folder / f"{name}.aside"
    if what == "write":
        file.open("ab").close()
        os.utime(file)
    elif what == "delete" and file.exists():
        file.rename(aside)
    elif what == "replace":
        other = folder / "other"
        other.write_bytes(b"other")
        other.replace(file)
    elif what == "restore" and aside.exists():
        aside.replace(file)
    elif what == "another":
        (folder / "another").write_bytes(b"")
    elif what == "wait":  # as if a folder had stood still for long
        os.utime(folder, ns=(0, folder.stat().st_mtime_ns - 10**12))
    elif what == "replace the folder":
        folder.rename(folder.with_name("moved") if not folder.with_name("moved").exists() else folder)
        folder.mkdir(exist_ok=True)


@given(doings=st.lists(st.tuples(st.sampled_from(DOINGS), st.sampled_from(NAMES)), max_size=12))
def test_the_folder_tells_as_much_as_each_file(
    tmp_path_factory: pytest.TempPathFactory, doings: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("places") / "here"
    folder.mkdir()
    for name in NAMES[:2]:  # the third is not there yet
        (folder / name).write_bytes(b"1")
    opened = {str(folder / name): identity(str(folder / name)) for name in NAMES}
    places = Places(opened)
    for what, name in doings:
        do(what, folder, name)
        lost = [path for path, before in opened.items() if identity(path) != before]
        assert places.lost() == next(iter(lost), None)
