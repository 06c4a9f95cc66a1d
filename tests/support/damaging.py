"""Makes stored sessions with one defect: a row that is removed, moved, doubled, emptied or overwritten."""

import signal
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

import msgspec

from ledger.chain import Record
from ledger.commands import BeginCombat, Choose, Declare, Join, Note, TypeDice
from ledger.stores import Store, open_store
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite.schema import SPAN
from replays.api.session import Session
from replays.corrections.change import Change

SESSION = "01JD3KABCDEFGHJKMNPQRSTVWX"
ATTACK = "r1/ann/a1/attack"
SHEET = {
    "init": 60, "durability": 40, "wound_threshold": 8, "aptitudes": {"som": 20},
    "skills": {"clubs": 50, "fray": 40}, "armor": {"kinetic": 4, "energy": 4},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip

GARBAGE = b"\x00\xff\x05 no entry \x80"


class TookTooLong(BaseException):
    """A call did not end in time. It is no `Exception`, so that the tested code does not catch it."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Interrupts the block if it does not end in time.

    Args:
        seconds: The time limit, far above the expected time.

    Raises:
        TookTooLong: The block did not end in time.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise TookTooLong(f"it has not ended after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def play(store: Store) -> Session:
    """Plays a fight with an undo, an overrule and an amendment."""
    session = Session.create(store, ruleset="eclipse_phase_1e", title="A brawl", session=SESSION)
    session.perform(Join("ann", SHEET, "Ann"))
    session.perform(Join("bob", SHEET, "Bob", "kira"))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)))
    session.perform(TypeDice("r1/bob/initiative", (10,)))
    session.perform(Note("the lights go out"))
    session.undo(why="they do not")
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}), batch="first blow")
    session.perform(Choose(f"{ATTACK}/defense", "fray"))
    session.perform(TypeDice(f"{ATTACK}/to-hit", (22,)))
    session.perform(TypeDice(f"{ATTACK}/defend", (71,)))
    session.perform(TypeDice(f"{ATTACK}/damage", (3, 4)))
    session.overrule(f"{ATTACK}/damage", "dv", 9, why="the club is cracked")
    session.amend(f"{ATTACK}/defend", Change(dice={f"{ATTACK}/defend": (17,)}), why="misread", batch="correction")
    return session


@cache
def fight() -> MemoryStore:
    """Returns the fight; it is played once."""
    store = MemoryStore()
    play(store)
    return store


def recorded() -> list[Record]:
    """Returns the records of the fight."""
    return list(fight().read(SESSION))


def damages(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Yields every way to damage one row or to swap two, each with a name, in the order of the rows' numbers."""
    last = len(records)
    for gone in range(last):
        kept = [*records[:gone], *records[gone + 1 :]]
        yield f"without {gone + 1}", kept
        yield f"without {gone + 1}, renumbered", _numbered(kept)
    for row in range(last):
        for other in range(row + 1, last):
            swapped = list(records)
            swapped[row], swapped[other] = swapped[other], swapped[row]
            yield f"{row + 1} and {other + 1} swapped", _numbered(swapped)
        yield f"{row + 1} doubled", _numbered([*records[: row + 1], *records[row:]])
        if row < last - 1:
            yield f"{row + 1} at the end", _numbered([*records[:row], *records[row + 1 :], records[row]])
    for row, record in enumerate(records):
        for what, changed in _spoiled(record, records[row - 1]):
            yield f"{row + 1} {what}", [*records[:row], changed, *records[row + 1 :]]
    for number in (0, last + 2, 3 * last, SPAN - 1):
        yield f"the last is {number}", [*records[:-1], msgspec.structs.replace(records[-1], seq=number)]
        yield f"the first is {number}", [*records[1:], msgspec.structs.replace(records[0], seq=number)]


def _numbered(records: Sequence[Record]) -> list[Record]:
    return [msgspec.structs.replace(record, seq=seq) for seq, record in enumerate(records, 1)]


def _spoiled(record: Record, other: Record) -> Iterator[tuple[str, Record]]:
    """Yields a row with other contents."""
    for field in ("line", "secret", "digest"):
        whole = getattr(record, field)
        contents = {
            "empty": b"", "garbage": GARBAGE, "zero": bytes(len(whole)), "of another row": getattr(other, field),
            "cut by one": whole[:-1], "cut in the middle": whole[: len(whole) // 2], "longer by one": whole + b"}",
        }  # fmt: skip
        for what, content in contents.items():
            yield f"{field} {what}", msgspec.structs.replace(record, **{field: content})
    for what, line in altered_lines(record):
        yield f"with {what}", msgspec.structs.replace(record, line=line)


def altered_lines(record: Record) -> Iterator[tuple[str, bytes]]:
    """Yields lines that are valid JSON with a wrong position of the entry."""
    plain = msgspec.json.decode(record.line)
    seq = record.seq
    changes = [{"seq": seq + 1}, {"seq": 0}, {"seq": -seq}, {"seq": "1"}, {"v": 0}, {"events": []}, {"command": {}}]
    changes += [{"after": after} for after in (seq, seq + 1, seq + 1000, -1, 2**64, None)]
    changes += [{"origin": origin} for origin in (seq, seq + 1, 0, -1)]
    if plain["command"]["type"] == "Rewind":
        changes += [{"command": {**plain["command"], "to": to}} for to in (seq, seq + 1, -1, 10**9)]
    for change in changes:
        yield str(change), msgspec.json.encode({**plain, **change})
    yield "a list", b"[]"
    yield "nothing in it", b"{}"
    yield "brackets without end", b'{"v":' + b"[" * 100_000


def in_memory(records: Sequence[Record]) -> MemoryStore:
    """Returns a store with these records, valid or not, and the other data of the fight."""
    store, whole = MemoryStore(), fight()
    sealed = {name: whole.unseal(SESSION, name) or b"" for name in whole.seals(SESSION)}
    store.create(SESSION, sealed=sealed, keys=whole.keys(SESSION))
    store._logs[SESSION].records.extend(records)
    return store


def unprotected(path: Path) -> None:
    """Creates a ledger with the fight, without the triggers that protect it."""
    with closing(open_store(f"sqlite:///{path}")) as store:
        play(store)
    rewrite(path, "PRAGMA journal_mode=DELETE")
    Path(f"{path}-heads").unlink(missing_ok=True)


def rewrite(path: Path, *statements: str) -> None:
    """Yields a connection to a ledger whose protecting triggers were dropped."""
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        for (name,) in shell.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            shell.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            shell.execute(statement)


def cut(path: Path, count: int = 1, session: int = 1) -> None:
    """Deletes the last entries of a session; the heads file is unchanged.

    Args:
        path: The ledger.
        count: How many entries.
        session: The session's number.
    """
    here = f"id BETWEEN {session * SPAN} AND {session * SPAN + SPAN - 1}"
    rewrite(
        path, f"DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE {here} ORDER BY id DESC LIMIT {count})"
    )


def put(path: Path, records: Sequence[Record]) -> None:
    """Replaces the records of a ledger's only session.

    Its heads file is deleted, because it would show the loss before the entries are read.
    """
    Path(f"{path}-heads").unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM entries")
        rows = [(SPAN + record.seq, record.line, record.secret, record.digest) for record in records]
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
