"""A file that has reached its maximum size is refused as a full disk: nothing is written, and reading still works."""

import errno
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import ROOT, TESTS

from ledger.errors import Full, Unusable
from ledger.stores.sqlite.errors import refusal

PROGRAM = """
import resource, sys
from contextlib import closing
sys.path[:0] = {paths!r}
from ledger_records import fill, record_after
from ledger.chain import check, genesis
from ledger.errors import Refused
from ledger.stores.sqlite import SqliteStore

path, limit = sys.argv[1], int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
told = "room enough"
try:
    with closing(SqliteStore(path)) as store:
        fill(store, 10)
        for _ in range(400):
            head = store.head("doors")
            store.append("doors", [record_after(head, "The ork kicks the door in. " * 100)], expected=head.seq)
except Refused as refusal:
    told = refusal.slug
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with closing(SqliteStore(path)) as store:
    for session in store.sessions():
        list(check(store.read(session), genesis(session)))
print(told)
"""


@pytest.mark.parametrize("kilobytes", [0, 1, 8, 20, 33, 64, 100, 300, 900])
def test_a_limit_on_the_size_of_files_is_a_full_disk(tmp_path: Path, kilobytes: int) -> None:
    code = PROGRAM.format(paths=[str(TESTS / "support"), str(ROOT)])
    command = [sys.executable, "-c", code, str(tmp_path / "fight.db"), str(kilobytes * 1024 or 1)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert done.stdout == "store/full\n", done.stderr


@contextmanager
def limited(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def failed_write() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    return error


def test_a_failed_write_is_a_full_disk_only_where_a_file_has_reached_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "fight.db"
    path.write_bytes(bytes(10_000))
    Path(f"{path}-wal").write_bytes(bytes(50_000))
    assert type(refusal(failed_write(), str(path))) is Unusable
    with limited(50_000):
        assert type(refusal(failed_write(), str(path))) is Full
    with limited(900_000):
        assert type(refusal(failed_write(), str(path))) is Unusable


@pytest.mark.parametrize("bits", [31, 32])
def test_a_file_that_fills_what_its_file_system_can_number_is_full(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "fight.db"
    with open(path, "wb") as file:
        file.truncate(2**bits - 4096)  # sparse
    assert type(refusal(failed_write(), str(path))) is Full


def test_the_systems_own_word_for_it_is_a_full_disk() -> None:
    assert type(refusal(OSError(errno.EFBIG, os.strerror(errno.EFBIG)), "fight.db")) is Full
