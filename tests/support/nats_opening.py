"""Opens a ledger in NATS in a new process, while servers are away: it works, or is refused in time.

Run as a program: ``python nats_opening.py URL SESSION KEY PATIENCE``; it prints a line of JSON.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
from ledger_records import content_of, record_after

from ledger.chain import Record
from ledger.errors import Stale, StoreRefused
from ledger.stores.jetstream import JetStreamStore
from ledger.stores.store import PATIENCE

_STARTING = 15.0
"""Seconds that a new process may take on a busy machine beside its work."""
_FIRST_READ = 300
"""How many of the last entries are read before the append."""
_READ = 20
"""How many of the last entries are read again after the append."""


class Deed(msgspec.Struct, frozen=True):
    """An append or a read of the new process.

    Attributes:
        began: On the machine's monotonic clock.
        ended: On the machine's monotonic clock.
        after: The entry before the first that was read; for an append the one before it.
        count: How many entries were read or appended.
        content: What `content_of` returns for them.
        digest: The digest of the last one, in hexadecimal digits.
    """

    began: float
    ended: float
    after: int
    count: int
    content: str
    digest: str


class Opening(msgspec.Struct, frozen=True):
    """What a new process has done, or why it was refused.

    Attributes:
        seconds: From the attempt to open the ledger until the end of everything.
        refused: The slug of the refusal; empty where there was none.
        message: Its message.
        deeds: A read of up to 300 of the last entries, an append, and a read of the last 20.
    """

    seconds: float
    refused: str = ""
    message: str = ""
    deeds: tuple[Deed, ...] = ()


def open_in_new_process(url: str, session: str, key: str, patience: float = PATIENCE) -> Opening:
    """Opens a ledger in a new process, which reads a session and appends one entry.

    Raises:
        AssertionError: The process ends with an error that is no refusal of the store.
        subprocess.TimeoutExpired: The process does not end in time.
    """
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here.parent.parent)])}
    process = subprocess.run(
        [sys.executable, __file__, url, session, key, str(patience)],
        stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=3 * patience + _STARTING, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr) == (0, b""), process.stderr.decode()[-2000:]
    return msgspec.json.decode(process.stdout, type=Opening)


def _main(url: str, session: str, key: str, patience: str) -> None:
    began = time.monotonic()
    refused = message = ""
    deeds = tuple[Deed, ...]()
    try:
        deeds = _work(url, session, key, float(patience))
    except StoreRefused as refusal:
        refused, message = refusal.slug, refusal.message
    print(msgspec.json.encode(Opening(time.monotonic() - began, refused, message, deeds)).decode())


def _work(url: str, session: str, key: str, patience: float) -> tuple[Deed, ...]:
    store = JetStreamStore(url, patience=patience)
    try:
        before = _read(store, session, max(0, store.head(session).seq - _FIRST_READ))
        began = time.monotonic()
        appended = _deed(began, [_append(store, session, key)])
        return before, appended, _read(store, session, max(0, appended.after - _READ))
    finally:
        store.close()


def _append(store: JetStreamStore, session: str, key: str) -> Record:
    while True:
        head = store.head(session)
        try:
            (record,) = store.append(session, [record_after(head, key)], expected=head.seq, key=key)
        except Stale:
            continue
        return record


def _read(store: JetStreamStore, session: str, after: int) -> Deed:
    began = time.monotonic()
    records = list(store.read(session, after))
    assert [record.seq for record in records] == list(range(after + 1, after + len(records) + 1))
    return _deed(began, records)


def _deed(began: float, records: list[Record]) -> Deed:
    ended, after = time.monotonic(), records[0].seq - 1
    return Deed(began, ended, after, len(records), content_of(records), records[-1].digest.hex())


if __name__ == "__main__":
    _main(*sys.argv[1:])
