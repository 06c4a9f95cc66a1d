"""Writers that repeat each command under its idempotency key until it is acknowledged."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
from server.processes import PATIENCE, Table

from ledger.stores import open_store
from replays.sessions.record.verify import verify

PAUSE = 0.02
"""Maximum seconds after which a command without an acknowledgement is repeated."""


class Writer:
    """A client that writes notes into sessions in turn, each with an idempotency key.

    Args:
        name: The beginning of their keys.
        url: The address of the server.
        tables: The sessions.
        matching: Whether each command has an `If-Match` header with the head that its writer knows.
    """

    def __init__(self, name: str, url: str, tables: Sequence[Table], *, matching: bool = False) -> None:
        self.acknowledged: dict[str, tuple[str, int]] = {}
        self.refusals: Counter[str] = Counter()
        self.unheard = 0
        self.conflicts: list[tuple[int, int]] = []
        self.failure: BaseException | None = None
        self._name, self._url, self._tables, self._matching = name, url, tables, matching
        self._known = {table.session: 0 for table in tables}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Lets the writers finish what they began."""
        self._ended.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), f"{self._name} hangs"
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            with httpx.Client(base_url=self._url, timeout=PATIENCE) as client:
                number = 0
                while not self._ended.is_set():
                    number += 1
                    self._write(client, self._tables[number % len(self._tables)], f"{self._name}-{number}")
                    if self._matching:  # the writer that has just written knows the number first, and would always win
                        time.sleep(2 * PAUSE)
        except BaseException as error:
            self.failure = error

    def _write(self, client: httpx.Client, table: Table, key: str) -> None:
        began, attempts = time.monotonic(), list[str]()
        while True:
            tried = time.monotonic() - began
            assert tried < PATIENCE, f"{key} is never acknowledged: {', '.join(attempts)}"
            try:
                answer = self._asked(client, table, key)
            except httpx.TransportError as error:
                self.unheard += 1
                attempts.append(f"{tried:.1f} s {type(error).__name__}")
            else:
                if self._heard(table, key, answer):
                    return
                attempts.append(f"{tried:.1f} s {answer.json()['slug']}")
            time.sleep(PAUSE * random.random())

    def _asked(self, client: httpx.Client, table: Table, key: str) -> httpx.Response:
        headers = {**table.as_("gm"), "Idempotency-Key": key}
        if self._matching:
            headers["If-Match"] = f'"{self._known[table.session]}"'
        return client.post(f"{table.path}/commands", headers=headers, json={"type": "Note", "text": key})

    def _heard(self, table: Table, key: str, answer: httpx.Response) -> bool:
        """Returns whether it is acknowledged."""
        said: dict[str, Any] = answer.json()
        if answer.status_code == 201:
            assert len(said["entries"]) == 1
            self.acknowledged[key] = table.session, said["entries"][0]["seq"]
            self._known[table.session] = said["last"]
            return True
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        self.refusals[said["slug"]] += 1
        if answer.status_code == 409:
            assert said["slug"] == "log/stale"
            self.conflicts.append((self._known[table.session], said["actual"]))
            self._known[table.session] = said["actual"]
        else:
            assert answer.status_code == 503, answer.text
        return False


@contextmanager
def writing(writers: Sequence[Writer]) -> Iterator[None]:
    """Lets the writers write within the block; then they finish."""
    try:
        yield
    finally:
        for writer in writers:
            writer.end()


def wait_for_more(writers: Sequence[Writer], more: int = 1) -> None:
    """Waits until each has that many more acknowledged."""
    before = [len(writer.acknowledged) for writer in writers]
    deadline = time.monotonic() + PATIENCE
    while any(len(writer.acknowledged) < old + more for writer, old in zip(writers, before, strict=True)):
        assert time.monotonic() < deadline, [(each.refusals, each.failure) for each in writers]
        time.sleep(0.01)


def check_log(ledger: str, writers: Sequence[Writer], tables: Sequence[Table]) -> None:
    """Checks that every acknowledged note is there at its number, once, with nothing else, and that the chain holds."""
    store = open_store(ledger)
    try:
        written = [written_in(store, table.session) for table in tables]
        for table in tables:
            verify(store, table.session)
    finally:
        store.close()
    found = [pair for notes in written for pair in notes.items()]
    known = {key: where for writer in writers for key, where in writer.acknowledged.items()}
    assert dict(found) == known
    assert len(found) == len(known)


def written_in(store: Any, session: str) -> dict[str, tuple[str, int]]:
    """Returns the notes of a session with their numbers, checked for duplicates and gaps."""
    lines = [(record.seq, msgspec.json.decode(record.line)) for record in store.read(session)]
    assert [seq for seq, _ in lines] == list(range(1, len(lines) + 1))
    notes = [(line["command"]["text"], (session, seq)) for seq, line in lines if line["command"]["type"] == "Note"]
    assert len(dict(notes)) == len(notes)
    return dict(notes)
