"""Copying: from any kind of ledger to any other, in parts of any size, interrupted anywhere, and completed."""

import random
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from damaging import SESSION, play, rewrite
from hypothesis import given
from hypothesis import strategies as st
from ledger_records import fill, record_after, records_after, some_records
from nats_servers import Servers
from postgres_server import Server

from ledger.chain import check, genesis
from ledger.errors import Broken, Damaged, NotMigrated, Sealed, StoreRefused
from ledger.stores import Batch, Head, Store, open_store
from ledger.stores.postgres import PostgresStore
from ledger.stores.sqlite import SqliteStore
from ledger.stores.sqlite.schema import SPAN
from replays.exports.copying import appends, ledger_copy
from replays.exports.copying.appends import divide, take_first
from replays.exports.copying.ledger_copy import copy_sessions
from replays.exports.copying.session_copier import Copied, SessionDiffers
from replays.exports.session_problems import SessionProblem
from replays.server.callers.tokens import Scope, Signer, Tokens
from replays.sessions.record.verify import verify


class Interrupted(BaseException):
    """The copy is interrupted here. It is no `Exception`, so that the tested code does not catch it."""


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def contents(address: str) -> dict[str, object]:
    """Returns everything of a ledger that is copied."""
    with closing(open_store(address, create=False)) as store:
        return {session: contents_of(store, session) for session in store.sessions()}


def contents_of(store: Store, session: str) -> object:
    sealed = {name: store.unseal(session, name) for name in store.seals(session)}
    return list(store.read(session)), dict(store.keys(session)), sealed


def add(store: Store, session: str, entries: int, chance: random.Random) -> None:
    """Appends entries in batches, of which most have a key."""
    while entries > 0:
        count = chance.choice([1, 1, 1, 2, 3])
        head = store.head(session)
        key = f"{session}-{head.seq}" if chance.random() < 0.6 else None
        texts = [f"round {number} " * chance.randint(1, 9) for number in range(count)]
        store.append(session, records_after(head, texts), expected=head.seq, key=key)
        entries -= count


def make(address: str, sizes: dict[str, int], chance: random.Random) -> None:
    """Adds sessions with keys and secrets to a ledger."""
    with closing(open_store(address)) as store, store.together():
        for session, size in sizes.items():
            store.create(session, sealed={"token 1": chance.randbytes(20)})
            add(store, session, size, chance)


@pytest.fixture(params=["sqlite", "postgres", "nats"])
def new_ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Returns the address of another ledger without sessions at each call."""
    names = iter(range(9))
    if request.param == "sqlite":
        yield lambda: url(tmp_path / f"other-{next(names)}.db")
    elif request.param == "postgres":
        yield request.getfixturevalue("postgres").database
    else:
        servers: Servers = request.getfixturevalue("nats")
        yield servers.ledger
        servers.clear()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets sessions be created with a few entries, and continued by a few."""
    set_sizes(monkeypatch, 3_000, 2_000, 10)


def set_sizes(patch: pytest.MonkeyPatch, first: int, page: int, group: int) -> None:
    patch.setattr(appends, "FIRST", first)
    patch.setattr(appends, "PAGE", page)
    patch.setattr(ledger_copy, "GROUP", group)


def how(results: Iterator[Copied | SessionProblem]) -> list[tuple[str, str, int]]:
    """Returns how each session was copied, with the number of the entries that were added."""
    return [(one.session, one.how, one.added) for one in results if isinstance(one, Copied)]


# ------------------------------------------------------------------------------------------------ kinds of ledgers


def test_a_ledger_goes_from_kind_to_kind_and_back_unchanged(postgres: Server, nats: Servers, tmp_path: Path) -> None:
    first, last = url(tmp_path / "first.db"), url(tmp_path / "last.db")
    with closing(open_store(first)) as store:
        play(store)
        Tokens(Signer(["a key"]), store).issue(SESSION, Scope.GM, "ann")
    make(first, {"DOORS": 40, "LAST": 3}, random.Random(1))
    before = contents(first)
    try:
        ledgers = [first, postgres.database(), nats.ledger(), last]
        for source, target in pairwise(ledgers):
            assert [each[1] for each in how(copy_sessions(source, target))] == ["new"] * 3
            assert contents(target) == before
        with closing(open_store(last)) as store:
            verify(store, SESSION)
            assert store.sessions()[-1] == "LAST"  # the others may have changed places
    finally:
        nats.clear()


@pytest.mark.usefixtures("small")
def test_a_session_is_continued_as_often_as_its_source_is(new_ledger: Callable[[], str], tmp_path: Path) -> None:
    source, target, back = url(tmp_path / "fight.db"), new_ledger(), new_ledger()
    chance = random.Random(2)
    make(source, {"DOORS": 20, "SMALL": 1}, chance)
    assert [each[1] for each in how(copy_sessions(source, target))] == ["new", "new"]
    for entries in (1, 30):
        with closing(open_store(source)) as store:
            before = store.head("DOORS").seq
            add(store, "DOORS", entries, chance)
            store.seal("DOORS", f"token {entries} more", b"secret")
            added = store.head("DOORS").seq - before
        assert how(copy_sessions(source, target)) == [("DOORS", "continued", added), ("SMALL", "unchanged", 0)]
        assert how(copy_sessions(source, target)) == [("DOORS", "unchanged", 0), ("SMALL", "unchanged", 0)]
        assert contents(target) == contents(source)
    list(copy_sessions(target, back))
    assert contents(back) == contents(source)


def test_secrets_that_were_sealed_since_are_added_alone(tmp_path: Path) -> None:
    source, target = url(tmp_path / "fight.db"), url(tmp_path / "other.db")
    make(source, {"DOORS": 5}, random.Random(3))
    list(copy_sessions(source, target))
    with closing(open_store(source)) as store:
        store.seal("DOORS", "token 2", b"new")
    with closing(open_store(target)) as store:
        store.seal("DOORS", "token of the copy", b"its")
    assert how(copy_sessions(source, target)) == [("DOORS", "continued", 0)]
    assert how(copy_sessions(source, target)) == [("DOORS", "unchanged", 0)]
    with closing(open_store(target)) as store:
        assert store.unseal("DOORS", "token 2") == b"new"


def test_the_source_may_be_continued_while_it_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = url(tmp_path / "fight.db"), url(tmp_path / "other.db")
    make(source, {"DOORS": 8}, random.Random(4))
    create = SqliteStore.create
    with closing(open_store(source)) as writer:
        ends = writer.head("DOORS")

        def continued(store: SqliteStore, *args: Any, **kwargs: Any) -> None:
            add(writer, "DOORS", 5, random.Random(5))
            create(store, *args, **kwargs)

        monkeypatch.setattr(SqliteStore, "create", continued)
        (done,) = copy_sessions(source, target)
        assert isinstance(done, Copied)
        assert (done.entries, done.digest) == (ends.seq, ends.digest.hex())
        list(copy_sessions(source, target))
    assert contents(target) == contents(source)


# ------------------------------------------------------------------------------------------------ other contents


@pytest.fixture
def pair(new_ledger: Callable[[], str], tmp_path: Path) -> tuple[str, str]:
    """Two ledgers, each with other sessions of the same ids: with and without a common beginning."""
    source, target = url(tmp_path / "fight.db"), new_ledger()
    with closing(open_store(source)) as old, closing(open_store(target)) as new:
        for store, text in ((old, "they flee"), (new, "they fight")):
            fill(store, 4, "FORKED")
            store.append("FORKED", [record_after(store.head("FORKED"), text)], expected=4)
            store.create("OTHER", records_after(Head(0, genesis("OTHER")), [text, text]))
            fill(store, 3, "KEYS")
            fill(store, 3, "SECRETS")
            store.seal("SECRETS", "token", text.encode())
        old.append("KEYS", [record_after(old.head("KEYS"))], expected=3, key="a key")
        new.append("KEYS", [record_after(new.head("KEYS"))], expected=3)
    make(source, {"SOUND": 3}, random.Random(6))
    return source, target


def test_a_session_that_differs_is_refused_and_not_changed(pair: tuple[str, str]) -> None:
    source, target = pair
    before = contents(target)
    done = {one.session: one for one in copy_sessions(source, target)}
    assert isinstance(done.pop("SOUND"), Copied)
    for session, one in done.items():
        assert isinstance(one, SessionProblem)
        assert isinstance(one.refusal, SessionDiffers), session
        assert not one.is_damage
    assert "other idempotency keys" in str(done["KEYS"])
    assert "other sealed secrets" in str(done["SECRETS"])
    after = contents(target)
    del after["SOUND"]
    assert after == before


def test_a_copy_that_ends_within_a_request_is_refused(tmp_path: Path) -> None:
    source, target = url(tmp_path / "fight.db"), url(tmp_path / "other.db")
    with closing(open_store(source)) as old, closing(open_store(target)) as new:
        records = some_records(3)
        old.create("doors", records, keys={"all three": Batch(1, 3)})
        new.create("doors", records[:2])
    (one,) = copy_sessions(source, target)
    assert isinstance(one, SessionProblem)
    assert isinstance(one.refusal, SessionDiffers)


# ------------------------------------------------------------------------------------------------ interruptions


def interrupt(patch: pytest.MonkeyPatch, kind: type[Store], step: int, *, is_written: bool) -> None:
    """Interrupts the writes of a kind of store at a step, before or after it."""
    steps: list[str] = []

    def written(do: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        steps.append(do.__name__)
        is_last = len(steps) == step
        if is_last and not is_written:
            raise Interrupted
        result = do(*args, **kwargs)
        if is_last:
            raise Interrupted
        return result

    for name in ("create", "append", "seal"):
        patch.setattr(kind, name, watched(written, getattr(kind, name)))


def watched(written: Callable[..., Any], do: Callable[..., Any]) -> Callable[..., Any]:
    return lambda store, *args, **kwargs: written(do, store, *args, **kwargs)


def check_usable(address: str, source: dict[str, Any]) -> None:
    """Checks that each session of an incomplete copy is a beginning of the source's."""
    with closing(open_store(address)) as store:
        for session in store.sessions():
            records = list(check(store.read(session), genesis(session)))
            assert records == source[session][0][: len(records)]
            assert store.head(session).seq == len(records)
            ends = {key: each.first + each.count - 1 for key, each in source[session][1].items()}
            assert dict(store.keys(session)) == {
                key: each for key, each in source[session][1].items() if ends[key] <= len(records)
            }


@given(
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=4),
    limits=st.tuples(st.integers(1, 9_000), st.integers(1, 6_000), st.integers(1, 40)),
    seed=st.integers(0, 2**32),
    steps=st.lists(st.tuples(st.integers(1, 25), st.booleans()), max_size=4),
)
def test_a_copy_that_is_interrupted_anywhere_is_usable_and_is_completed(
    sizes: list[int], limits: tuple[int, int, int], seed: int, steps: list[tuple[int, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        source, target = url(Path(folder) / "fight.db"), url(Path(folder) / "other.db")
        make(source, {f"S{number}": size for number, size in enumerate(sizes)}, random.Random(seed))
        whole = contents(source)
        set_sizes(patch, *limits)
        for step, is_written in steps:
            with patch.context() as inner:
                interrupt(inner, SqliteStore, step, is_written=is_written)
                try:
                    list(copy_sessions(source, target))
                except Interrupted:
                    check_usable(target, whole)
        assert {each for _, each, _ in how(copy_sessions(source, target))} <= {"new", "continued", "unchanged"}
        assert contents(target) == whole
        assert {each for _, each, _ in how(copy_sessions(source, target))} == {"unchanged"}


@pytest.mark.usefixtures("small")
def test_a_copy_is_interrupted_at_each_step_while_several_sessions_are_copied(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = url(tmp_path / "fight.db"), postgres.database()
    make(source, {f"S{number}": 14 for number in range(4)}, random.Random(7))
    whole = contents(source)
    for step in range(1, 30, 3):
        with monkeypatch.context() as inner:
            interrupt(inner, PostgresStore, step, is_written=step % 2 == 0)
            try:
                list(copy_sessions(source, target))
            except Interrupted:
                check_usable(target, whole)
    list(copy_sessions(source, target))
    assert contents(target) == whole


COPYING = """
import sys
from replays.exports.copying import appends, ledger_copy
from replays.exports.copying.ledger_copy import copy_sessions
appends.FIRST, appends.PAGE, ledger_copy.GROUP = 9_000, 6_000, 30
for _ in copy_sessions(sys.argv[1], sys.argv[2], watch=lambda done, total: print(done, flush=True)):
    pass
print("whole", flush=True)
"""


def test_a_copy_that_is_killed_again_and_again_is_completed(new_ledger: Callable[[], str], tmp_path: Path) -> None:
    source, target, chance = url(tmp_path / "fight.db"), new_ledger(), random.Random(8)
    make(source, {f"S{number}": 60 for number in range(8)}, chance)
    whole = contents(source)
    for _ in range(4):
        process = subprocess.Popen([sys.executable, "-c", COPYING, source, target], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(chance.randint(1, 12)):
            process.stdout.readline()
        time.sleep(chance.random() * 0.02)  # at any point of a write
        process.send_signal(signal.SIGKILL)
        process.communicate()
        check_usable(target, whole)
    list(copy_sessions(source, target))
    assert contents(target) == whole


# ------------------------------------------------------------------------------------------------ parts


def test_no_write_separates_the_entries_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    records = some_records(12)
    keys = {"a": Batch(2, 3), "b": Batch(5, 1), "c": Batch(9, 4)}
    set_sizes(monkeypatch, 1, 1_000, 1)
    left = iter(records)
    assert [each.seq for each in take_first(left, keys)] == [1]
    parts = [(each.key, [record.seq for record in each.records]) for each in divide(left, keys)]
    assert parts == [("a", [2, 3, 4]), ("b", [5]), (None, [6, 7]), (None, [8]), ("c", [9, 10, 11, 12])]
    assert [each.seq for each in take_first(iter(records[:4]), {"a": Batch(1, 3)})] == [1, 2, 3]
    with pytest.raises(Damaged, match="and to another one"):
        list(divide(iter(records), {"a": Batch(2, 3), "d": Batch(4, 1)}))


def test_a_refused_secret_is_an_error_of_the_whole_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = url(tmp_path / "fight.db"), url(tmp_path / "other.db")
    make(source, {"DOORS": 5}, random.Random(9))
    list(copy_sessions(source, target))
    with closing(open_store(source)) as store:
        store.seal("DOORS", "token 2", b"new")

    def refused(*_: object) -> None:
        raise Sealed("another writer was faster", where="token 2")

    monkeypatch.setattr(SqliteStore, "seal", refused)
    with pytest.raises(Sealed):
        list(copy_sessions(source, target))


def test_progress_counts_every_entry_once(new_ledger: Callable[[], str], tmp_path: Path) -> None:
    source, target = url(tmp_path / "fight.db"), new_ledger()
    make(source, {"DOORS": 20, "SMALL": 2}, random.Random(10))
    for _ in range(2):
        seen: list[tuple[int, int]] = []
        done = list(copy_sessions(source, target, watch=lambda *each, seen=seen: seen.append(each)))
        entries = sum(one.entries for one in done if isinstance(one, Copied))
        assert sum(done for done, _ in seen) == entries
        assert {total for _, total in seen} == {entries}


def test_a_damaged_part_of_a_session_is_not_appended(tmp_path: Path) -> None:
    source, target = tmp_path / "fight.db", url(tmp_path / "other.db")
    make(url(source), {"DOORS": 5}, random.Random(11))
    list(copy_sessions(url(source), target))
    before = contents(target)
    with closing(open_store(url(source))) as store:
        add(store, "DOORS", 5, random.Random(12))
        last = store.head("DOORS").seq
    rewrite(source, f"UPDATE entries SET secret = zeroblob(16) WHERE id = {SPAN + last - 1}")
    (one,) = copy_sessions(url(source), target)
    assert isinstance(one, SessionProblem)
    assert isinstance(one.refusal, Broken)
    assert contents(target) == before


def test_a_long_session_takes_no_more_memory_than_its_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = url(tmp_path / "fight.db"), url(tmp_path / "other.db")
    set_sizes(monkeypatch, 300_000, 200_000, 100)
    with closing(open_store(source)) as store:
        fill(store, 0, "doors")
        for _ in range(20):
            head = store.head("doors")
            store.append("doors", records_after(head, ["a word " * 800] * 60), expected=head.seq)
    list(copy_sessions(source, url(tmp_path / "warm.db"), ["doors"]))
    tracemalloc.start()
    try:
        list(copy_sessions(source, target))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4_000_000  # the session has 6.7 million bytes
    assert contents(target) == contents(source)


def test_a_database_has_to_be_migrated_first(postgres: Server, nats: Servers, tmp_path: Path) -> None:
    source = url(tmp_path / "fight.db")
    make(source, {"DOORS": 1}, random.Random(13))
    for empty in (postgres.empty(), nats.empty()):
        for addresses in ((source, empty), (empty, source)):
            with pytest.raises(NotMigrated):
                list(copy_sessions(*addresses))


def test_a_copy_is_refused_soon_once_too_few_servers_are_there(
    nats: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not given the time that a whole session may take in a database: each write to JetStream is small."""
    monkeypatch.setattr(ledger_copy, "PATIENCE", 2.0)
    source, target = url(tmp_path / "a.db"), nats.ledger()
    with closing(open_store(source)) as store:
        for number in range(60):
            store.create(f"session {number}", some_records(1, f"session {number}"))
    copied = copy_sessions(source, target)
    try:
        assert isinstance(next(copied), Copied)
        for node in nats.nodes[1:]:
            node.kill()
        began = time.monotonic()
        with pytest.raises(StoreRefused):
            list(copied)
        assert time.monotonic() - began < 30.0
    finally:
        for node in nats.nodes[1:]:
            node.start()
        nats.wait_until_healthy()
    assert {*contents(source)} >= {*contents(target)}
    assert all(isinstance(each, Copied) for each in copy_sessions(source, target))
    assert contents(source) == contents(target)
