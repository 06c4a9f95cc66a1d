"""Runs writers in separate processes: some are killed while they write, some write concurrently.

Run as a program, this module is such a writer: ``ledger_writers.py on URL SESSION PREFIX``, ``ledger_writers.py for URL SESSION
SECONDS``, ``ledger_writers.py open URL SESSION`` or ``ledger_writers.py silent URL SESSION``. A ledger may be given as the path of a file.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from ledger_records import record_after

from ledger.chain import check, genesis
from ledger.errors import Stale
from ledger.stores import Head, Store, open_store

SESSION = "doors"


def killed_writers(
    ledger: Path | str, rounds: int, *, seed: int = 1, settled: Callable[[], None] = lambda: None
) -> int:
    """Kills a writer `rounds` times, and checks the ledger each time.

    After each kill nothing acknowledged may be lost, there is at most one more entry than acknowledged ones, the chain
    holds, and repeating the command whose acknowledgement never came leaves it there once.

    Args:
        ledger: Where it is made.
        rounds: How many writers are killed.
        seed: Of how long each lives.
        settled: Waits until nothing is left of the last one, not even in a server.

    Returns:
        How often an entry was there that had not been acknowledged.
    """
    lives, url = random.Random(seed), _url(ledger)
    with closing(open_store(url)) as store:
        store.create(SESSION)
        known = store.head(SESSION)
    unheard = 0
    for prefix in (f"round-{number}" for number in range(rounds)):
        acknowledged = _killed_writer(url, prefix, lives)
        settled()
        with closing(open_store(url)) as store:
            unheard += _look_after_kill(store, known, acknowledged)
            known = _repeat_last(store, prefix, known.seq + len(acknowledged))
    with closing(open_store(url)) as store:
        assert [record.seq for record in check(store.read(SESSION), genesis(SESSION))] == list(range(1, known.seq + 1))
    return unheard


def _killed_writer(url: str, prefix: str, lives: random.Random) -> list[tuple[int, str]]:
    """Starts a writer, kills it, and returns the numbers and keys that it had acknowledged."""
    with _writer("on", url, SESSION, prefix) as process:
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(lives.randrange(1, 60))]
        time.sleep(lives.random() * 0.002)  # at any point of an append
        process.send_signal(signal.SIGKILL)
        heard += process.stdout.readlines()
        assert process.wait() == -signal.SIGKILL
    return [(int(seq), key) for seq, key in (line.split() for line in heard if line.endswith("\n"))]


def _look_after_kill(store: Store, known: Head, acknowledged: Sequence[tuple[int, str]]) -> int:
    """Returns whether there is one more entry than acknowledged ones."""
    new = list(check(store.read(SESSION, known.seq), known.digest, known.seq))
    assert [seq for seq, _ in acknowledged] == list(range(known.seq + 1, known.seq + len(acknowledged) + 1))
    for (seq, key), record in zip(acknowledged, new, strict=False):
        assert list(store.batch(SESSION, key)) == [record]
        assert record.seq == seq
    assert len(new) - len(acknowledged) in (0, 1)
    return len(new) - len(acknowledged)


def _repeat_last(store: Store, prefix: str, heard: int) -> Head:
    (previous,) = store.read(SESSION, heard - 1, heard)
    again = record_after(Head(heard, previous.digest), _text(heard + 1), at="2024-11-03T19:31:00.000Z")
    stored = list(store.read(SESSION, heard)) or [again]
    assert list(store.append(SESSION, [again], expected=heard, key=f"{prefix}-{again.seq}")) == stored
    assert store.head(SESSION).seq == heard + 1
    return store.head(SESSION)


def shares(ledger: Path | str, sessions: Sequence[str], seconds: float) -> list[tuple[int, int]]:
    """Runs concurrent writers on one ledger, one for each named session; a session may be named twice.

    Returns:
        For each writer the number of entries it wrote, and how often it was stale.
    """
    said = _at_once([("for", _url(ledger), session, seconds) for session in sessions])
    return [(int(written), int(stale)) for written, stale in map(str.split, said)]


def opened_at_once(ledger: Path | str, sessions: Sequence[str]) -> None:
    """Opens a new ledger in several processes at the same time, each of which creates a session."""
    _at_once([("open", _url(ledger), session) for session in sessions])


def killed_before_notify(url: str, session: str) -> None:
    """Runs a writer on a PostgreSQL ledger that is killed between the commit of an entry and its NOTIFY."""
    with _writer("silent", url, session) as process:
        assert process.wait() == -signal.SIGKILL


def _url(ledger: Path | str) -> str:
    return f"sqlite:///{ledger}" if isinstance(ledger, Path) else ledger


def _at_once(commands: Sequence[Sequence[object]]) -> list[str]:
    writers = [_writer(*command) for command in commands]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    said = [writer.communicate()[0] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * len(writers)
    return said


def _writer(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, *map(str, words)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


# ------------------------------------------------------------------------------------------------ in the writers


def _text(seq: int) -> str:
    return f"Entry {seq}: " + "the ork kicks the door in. " * 8


def _write_until_killed(url: str, session: str, prefix: str) -> None:
    store = open_store(url)
    head = store.head(session)
    while True:
        record = record_after(head, _text(head.seq + 1))
        key = f"{prefix}-{record.seq}"
        store.append(session, [record], expected=head.seq, key=key)
        os.write(1, f"{record.seq} {key}\n".encode())
        head = Head(record.seq, record.digest)


def _write_for(url: str, session: str, seconds: str) -> None:
    store = open_store(url)
    written = stale = 0
    _wait()
    head = store.head(session)
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        record = record_after(head, _text(head.seq + 1))
        try:
            store.append(session, [record], expected=head.seq, key=f"{os.getpid()}-{written}-{stale}")
        except Stale:
            stale += 1
            head = store.head(session)
        else:
            written += 1
            head = Head(record.seq, record.digest)
    store.close()
    print(written, stale)


def _write_and_die(url: str, session: str) -> None:
    from ledger.stores.postgres.notifier import Notifier  # only where its library is installed

    store = open_store(url)
    head = store.head(session)
    Notifier.add = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    store.append(session, [record_after(head)], expected=head.seq)


def _create(url: str, session: str) -> None:
    _wait()
    with closing(open_store(url)) as store:
        store.create(session)


def _wait() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    todo: dict[str, Callable[..., None]] = {
        "on": _write_until_killed,
        "for": _write_for,
        "open": _create,
        "silent": _write_and_die,
    }
    todo[sys.argv[1]](*sys.argv[2:])
