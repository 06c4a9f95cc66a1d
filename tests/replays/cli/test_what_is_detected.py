"""The table of what is detected, by what, and what is not: each row is tested against a real file."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from damaging import SESSION, play
from msgspec import structs
from places import ROOT

from ledger import chain
from ledger.chain import Record, genesis
from ledger.stores import open_store
from ledger.stores.sqlite.schema import SPAN
from replays.sessions.log import Log
from replays.sessions.record import checkpoints
from replays.sessions.record.verify import verify

PAGE = ROOT / "replays/audit/DETECTED.md"
LEDGER = Path("affray.db")
EXPORT = Path("fight.jsonl")
Affray = Callable[..., str]


@pytest.fixture
def head(affray: Affray) -> str:
    """Returns a ledger of one session with keys, its export, and a stored head."""
    with closing(open_store(f"sqlite:///{LEDGER}")) as store:
        session = play(store)
        session.undo(why="once", batch="once")
        digest = verify(store, SESSION).digest.hex()
    affray("export", "-o", str(EXPORT))
    affray("verify", "--head", digest)
    with closing(sqlite3.connect(LEDGER, isolation_level=None)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
    return digest


def change(*statements: str, values: tuple[object, ...] = ()) -> None:
    """Executes statements in the file that only its owner can execute."""
    with closing(sqlite3.connect(LEDGER)) as connection, connection:
        for statement in statements:
            connection.execute(statement, values)


def records() -> list[Record]:
    with closing(sqlite3.connect(LEDGER)) as connection:
        rows = connection.execute("SELECT id - ?, line, secret, digest FROM entries ORDER BY id", (SPAN,))
        return [Record(*row) for row in rows]


def rewrite_chain() -> None:
    """Changes the second entry and recomputes every later digest."""
    previous = genesis(SESSION)
    for record in records():
        line = record.line.replace(b'"gm"', b'"player"', 1) if record.seq == 2 else record.line
        previous = chain.seal(previous, line, record.secret)
        change("UPDATE entries SET line = ?, digest = ? WHERE id = ?", values=(line, previous, SPAN + record.seq))


def cut_export() -> None:
    lines = EXPORT.read_bytes().splitlines()
    header, last = json.loads(lines[0]), json.loads(lines[-2])
    header |= {"entries": header["entries"] - 1, "digest": last["digest"]}
    first = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    EXPORT.write_bytes(b"\n".join([first, *lines[1:-1]]) + b"\n")


def a_field(affray: Affray, head: str) -> None:
    change(
        'UPDATE entries SET line = replace(CAST(line AS TEXT), \'"events"\', \'"by":["mallory","gm"],"events"\') WHERE id = ?',
        values=(SPAN + 3,),
    )
    affray("verify", code=1)
    affray("audit", code=1)


def a_blank(affray: Affray, head: str) -> None:
    change("UPDATE entries SET line = CAST(line AS BLOB) || X'20' WHERE id = ?", values=(SPAN + 3,))
    affray("verify", code=1)


def a_row(affray: Affray, head: str) -> None:
    change(f"DELETE FROM entries WHERE id = {SPAN + 3}", f"UPDATE entries SET id = id - 1 WHERE id > {SPAN + 3}")
    affray("show", code=2)
    affray("verify", code=1)


def the_end(affray: Affray, head: str) -> None:
    change("DELETE FROM entries WHERE id > (SELECT max(id) FROM entries) - 2")
    affray("show", code=2)
    affray("verify", code=1)


def a_key(affray: Affray, head: str) -> None:
    change("UPDATE batches SET key = '' WHERE key = 'once'")
    affray("verify", code=1)


def the_seed(affray: Affray, head: str) -> None:
    change("UPDATE sealed SET secret = zeroblob(32) WHERE name = 'dice'")
    affray("verify", code=1)


def the_checkpoint(affray: Affray, head: str) -> None:
    with closing(open_store(f"sqlite:///{LEDGER}")) as store:
        made = Log(store, SESSION).checkpoint()
        state = made.states[made.timeline.head]
        another = structs.replace(state, clock=structs.replace(state.clock, round=99))
        forged = structs.replace(made, states={**made.states, made.timeline.head: another})
        store.keep_checkpoint(SESSION, checkpoints.encode(made))
        affray("verify")
        store.keep_checkpoint(SESSION, checkpoints.encode(forged))
        assert Log(store, SESSION).combat.clock.round == 99
    assert "checkpoint/broken" in affray("verify", code=1)
    assert '"checkpoint/broken"' in affray("verify", "--all", "--json", code=1)


def the_chain(affray: Affray, head: str) -> None:
    rewrite_chain()
    affray("verify", code=1)
    affray("verify", "--head", head, code=1)


def chain_and_heads(affray: Affray, head: str) -> None:
    rewrite_chain()
    Path(f"{LEDGER}-heads").unlink()
    affray("verify")
    affray("verify", "--head", head, code=1)


def a_session(affray: Affray, head: str) -> None:
    change(f"DELETE FROM entries WHERE id > {SPAN}", "DELETE FROM sessions")
    affray("verify", "--all", code=1)


def an_export(affray: Affray, head: str) -> None:
    EXPORT.write_bytes(EXPORT.read_bytes().replace(b'"ann"', b'"eve"', 1))
    affray("verify", str(EXPORT), code=1)
    affray("--ledger", "sqlite:///other.db", "import", str(EXPORT), code=2)


def an_export_cut(affray: Affray, head: str) -> None:
    cut_export()
    affray("verify", str(EXPORT))
    affray("verify", str(EXPORT), "--head", head, code=1)


def a_token(affray: Affray, head: str) -> None:
    change("DELETE FROM sealed WHERE name LIKE 'revoked%'")
    affray("verify")


ROWS: dict[str, Callable[[Affray, str], None]] = {
    "a field of an entry altered, removed, repeated or moved": a_field,
    "a blank added to an entry": a_blank,
    "an entry deleted, swapped or renumbered": a_row,
    "the last entries deleted, or a write-ahead log lost": the_end,
    "an idempotency key lost, emptied, added or moved": a_key,
    "the sealed seed of the dice lost or exchanged": the_seed,
    "the checkpoint altered, and its digest recomputed": the_checkpoint,
    "the whole chain recomputed": the_chain,
    "the chain recomputed and the heads file cut alike": chain_and_heads,
    "a session deleted by hand": a_session,
    "an export altered anywhere": an_export,
    "an export cut short, and its first line with it": an_export_cut,
    "a token's revocation deleted": a_token,
}


def rows_of_the_page() -> Iterator[str]:
    text = PAGE.read_text()
    table = text[text.index("<!-- detected -->") : text.index("<!-- end of detected -->")]
    for line in table.splitlines():
        if line.startswith("| ") and not line.startswith(("| what", "|---")):
            yield line.split("|")[1].strip()


def test_the_table_has_these_rows() -> None:
    assert list(rows_of_the_page()) == list(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_table_is_true(row: str, affray: Affray, head: str) -> None:
    ROWS[row](affray, head)
