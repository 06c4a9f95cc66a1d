"""Lost files are detected: examining the folder finds as much as examining each file."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledger.stores.opened_files import OpenedFiles, identity

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
    elif what == "wait":  # as if the folder had not changed for long
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
    for name in NAMES[:2]:  # the third does not exist yet
        (folder / name).write_bytes(b"1")
    opened = {str(folder / name): identity(str(folder / name)) for name in NAMES}
    places = OpenedFiles(opened)
    for what, name in doings:
        do(what, folder, name)
        lost = [path for path, before in opened.items() if identity(path) != before]
        assert places.lost() == next(iter(lost), None)


SECOND = 10**9
GRAINS = {"a nanosecond": 1, "a tick": 10**7, "a second": SECOND, "two seconds, as FAT": 2 * SECOND}


@pytest.mark.parametrize("grain", GRAINS.values(), ids=GRAINS)
@given(
    doings=st.lists(
        st.tuples(st.sampled_from(DOINGS[:5]), st.sampled_from(NAMES), st.integers(0, 4 * SECOND)), max_size=12
    ),
    since=st.integers(0, 2 * SECOND),
)
@example(doings=[("another", NAMES[2], 0), ("delete", NAMES[1], 0)], since=SECOND // 2)
@example(doings=[("another", NAMES[2], 0), ("delete", NAMES[1], 0)], since=SECOND * 3 // 2)
def test_the_folder_tells_as_much_however_coarse_its_times_are(
    tmp_path_factory: pytest.TempPathFactory, grain: int, doings: list[tuple[str, str, int]], since: int
) -> None:
    folder = tmp_path_factory.mktemp("places")
    for name in NAMES[:2]:
        (folder / name).write_bytes(b"1")
    opened = {str(folder / name): identity(str(folder / name)) for name in NAMES}
    places, clock, before = OpenedFiles(opened), [1_700_000_000 * SECOND + since], os.stat(folder).st_mtime_ns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.stores.opened_files.time.time_ns", lambda: clock[0])
        for what, name, passes in [("write", NAMES[0], 0), *doings]:
            do(what, folder, name)
            if os.stat(folder).st_mtime_ns != before:  # changed, at a time that this file system can store
                before = clock[0] // grain * grain
                os.utime(folder, ns=(before, before))
            lost = [path for path, each in opened.items() if identity(path) != each]
            assert places.lost() == next(iter(lost), None)
            clock[0] += passes


def test_a_folder_that_stands_still_is_all_that_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / NAMES[0]).write_bytes(b"1")
    places = OpenedFiles({str(tmp_path / NAMES[0]): identity(str(tmp_path / NAMES[0]))})
    asked: list[str] = []
    monkeypatch.setattr("ledger.stores.opened_files.identity", lambda path: asked.append(path) or identity(path))
    now = time.time_ns() // SECOND * SECOND
    for fraction, passed, is_settled in (
        (0, 4 * SECOND, True), (0, SECOND // 2, False), (7, SECOND // 2, True), (7, SECOND // 20, False)
    ):  # fmt: skip
        at = now + fraction
        monkeypatch.setattr("ledger.stores.opened_files.time.time_ns", lambda at=at, passed=passed: at + passed)
        os.utime(tmp_path, ns=(at, at))
        places.lost()
        asked.clear()
        places.lost()
        assert asked == ([] if is_settled else [str(tmp_path / NAMES[0])])
        now += SECOND
