"""Sessions with many records are created in one transaction of many messages: whole, or not at all."""

from contextlib import closing
from random import Random
from threading import Thread

import psycopg
import pytest
from ledger_records import records_after, some_records
from slow_route import slowed

from ledger.chain import Record, genesis
from ledger.errors import Damaged, Refused, SessionExists, Unsure
from ledger.stores import Batch, Head
from ledger.stores.postgres import PostgresStore, bulk

COUNT = 2_500


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """More records than a message takes."""
    return some_records(COUNT)


def keys_of(records: list[Record]) -> dict[str, Batch]:
    """Returns a key for each record."""
    return {f"key {record.seq}": Batch(record.seq, 1) for record in records}


def test_a_long_session_is_created_with_its_keys_and_secrets(store: PostgresStore, records: list[Record]) -> None:
    keys = keys_of(records)
    store.create("doors", records, sealed={"seed": b"secret"}, keys=keys)
    assert list(store.read("doors")) == records
    assert store.keys("doors") == keys
    assert store.unseal("doors", "seed") == b"secret"
    with pytest.raises(SessionExists):
        store.create("doors", records, keys=keys)


def test_the_messages_of_an_import_do_not_each_wait_for_an_answer(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn between sending and receiving costs the time that a network takes to the server and back."""
    turns: list[int] = []
    with slowed(url, 0.001) as (route, slow), closing(PostgresStore(slow)) as store:
        store.create("first")
        for session, unanswered in (("pipelined", bulk._UNANSWERED), ("one by one", 1)):
            before = route.turns
            monkeypatch.setattr(bulk, "_UNANSWERED", unanswered)
            store.create(session, some_records(40_000, session))
            turns.append(route.turns - before)
            assert store.head(session).seq == 40_000
    assert turns[1] >= 40_000 / bulk.RECORDS > 2 * turns[0]


def test_no_message_has_more_than_its_bytes_and_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "BYTES", 1_000)
    records = records_after(Head(0, genesis("doors")), ["x" * (number * 37 % 500) for number in range(200)])
    assert bulk.is_large(records, {})
    chunks = list(bulk._chunks(records))
    assert [record for chunk in chunks for record in chunk] == records
    assert all(sum(len(record.line) for record in chunk[:-1]) < 1_000 for chunk in chunks)


@pytest.mark.parametrize("place", [0, 999, 1_700])
def test_an_import_that_fails_in_the_middle_leaves_nothing(
    store: PostgresStore, records: list[Record], monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    chunks = bulk._chunks

    def torn(given):
        return [[each for each in chunk if each.seq != place + 1] for chunk in chunks(given)]

    monkeypatch.setattr(bulk, "_chunks", torn)
    monkeypatch.setattr(bulk, "_UNANSWERED", 2)
    with pytest.raises(Damaged):  # by the trigger: a log has no gaps
        store.create("doors", [*records, *records_after(Head(COUNT, records[-1].digest), ["the end"])])
    monkeypatch.undo()
    assert store.sessions() == []
    store.create("doors", records)
    assert list(store.read("doors")) == records


def test_a_key_that_is_refused_in_the_middle_leaves_nothing(store: PostgresStore, records: list[Record]) -> None:
    keys = {
        **keys_of(records),
        Random(1).randbytes(9_000).hex(): Batch(1, 1),
        **{f"more {number}": Batch(1, 1) for number in range(1_500)},
    }
    with pytest.raises(Refused):
        store.create("doors", records, keys=keys)
    assert store.sessions() == []


def test_a_connection_that_ends_in_the_middle_leaves_nothing(
    store: PostgresStore, records: list[Record], url: str
) -> None:
    refused: list[Refused] = []

    def create() -> None:
        with pytest.raises(Unsure) as error:
            store.create("doors", records, keys=keys_of(records))
        refused.append(error.value)

    with closing(psycopg.connect(url)) as other, closing(psycopg.connect(url, autocommit=True)) as shell:
        other.execute("LOCK TABLE affray.batches")  # the records are written, and the keys wait
        creating = Thread(target=create)
        creating.start()
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        while not shell.execute(ended).fetchall():
            pass
        creating.join()
    assert refused
    assert store.sessions() == []
    store.create("doors", records)
    assert store.head("doors").seq == COUNT
