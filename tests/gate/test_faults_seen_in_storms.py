"""The checks of the storm of NATS servers accept what a ledger may do, and find what it must not do."""

import time
from dataclasses import replace

import pytest
from ledger_records import content_of, fill, some_records
from long.part import Failed
from long.storms.linear import Clients, Done, ReadEntries, check_entries, check_history
from long.storms.wedges import STATED, Look, Seen, Span

from ledger.chain import Record
from ledger.errors import Damaged
from ledger.stores import Head
from ledger.stores.memory import MemoryStore

LOG = some_records(6)


# ------------------------------------------------------------------------------------------------ entries that are read


def read(after: int, records: list[Record], *, count: int | None = None) -> Done:
    """A read of some entries after one."""
    entries = ReadEntries(after, len(records) if count is None else count, content_of(records))
    return Done(0, False, 0.0, 1.0, after + len(records), records[-1].digest, entries)


def test_entries_as_in_the_log_are_accepted() -> None:
    history = [read(0, LOG), read(0, LOG[:2]), read(3, LOG[3:5]), Done(0, True, 0.0, 1.0, 1, LOG[0].digest)]

    check_entries(history, LOG)
    check_history(history[:1], [record.digest for record in LOG])


@pytest.mark.parametrize(
    "wrong",
    [
        read(0, [*LOG[:2], Record(3, b"another line", LOG[2].secret, LOG[2].digest)]),
        read(0, [*LOG[:2], Record(3, LOG[2].line, bytes(16), LOG[2].digest)]),
        read(0, [*LOG[:1], LOG[2], LOG[1]]),
        read(1, LOG[:2]),
        read(0, LOG[:3], count=2),
        read(0, [*LOG, *LOG]),
    ],
    ids=["another line", "another secret", "another order", "another place", "one missing", "beyond the end"],
)
def test_entries_that_are_not_those_of_the_log_are_found(wrong: Done) -> None:
    with pytest.raises(Failed, match=r"altered|torn"):
        check_entries([wrong], LOG)


class FaultyStore(MemoryStore):
    """A store whose reads can be spoiled."""

    spoil = staticmethod(lambda records: records)

    def read(self, session, after=0, upto=None):
        """Yields records, spoiled."""
        return iter(self.spoil(list(super().read(session, after, upto))))


def played(store: MemoryStore) -> tuple[list[Done], list[Record]]:
    """Lets a client use a store for a moment; returns what it did, and the log."""
    clients = Clients(lambda: store, "doors", 1)
    deadline = time.monotonic() + 30
    while len(clients.history) < 300 and time.monotonic() < deadline and clients._threads[0].is_alive():
        time.sleep(0.01)
    clients.end()
    return clients.history, list(MemoryStore.read(store, "doors"))


def test_clients_read_some_of_the_last_entries_and_now_and_then_all() -> None:
    store = FaultyStore()
    fill(store, 3)
    history, log = played(store)

    check_history(history, [record.digest for record in log])
    check_entries(history, log)
    counts = [done.entries.count for done in history if done.entries is not None]
    assert len(counts) > 50
    assert min(counts) <= 6
    assert any(count > 70 for count in counts)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda records: records[:-2],
        lambda records: [*records[:-1], replace_line(records[-1])],
        lambda records: records[1:],
        lambda records: records[:0],
    ],
    ids=["own write unseen", "altered", "the first missing", "nothing"],
)
def test_a_store_that_reads_badly_is_found(spoil) -> None:
    store = FaultyStore()
    fill(store, 3)
    store.spoil = spoil
    with pytest.raises(Failed):
        history, log = played(store)
        check_history(history, [record.digest for record in log])
        check_entries(history, log)


def replace_line(record: Record) -> Record:
    """Returns a record with another line."""
    return Record(record.seq, record.line + b" ", record.secret, record.digest)


def test_damage_that_a_reader_reports_is_no_reason_to_try_again() -> None:
    class DamagedStore(MemoryStore):
        def head(self, session: str) -> Head:
            head = super().head(session)
            if head.seq > 10:
                raise Damaged("an entry is not there", where="entry 10")
            return head

    store = DamagedStore()
    fill(store, 3)
    with pytest.raises(Failed, match="Damaged"):
        played(store)


# ------------------------------------------------------------------------------------------------ outages and wedges


def looks(good: list[tuple[float, float]], upto: float = 100.0) -> list[Look]:
    """Looks twice a second, of which those within some times are good."""
    times = [number / 2 for number in range(int(2 * upto))]
    return [Look(at, at + 0.5, any(low <= at < high for low, high in good)) for at in times]


def seen(*, health: list[tuple[float, float]], ready: list[tuple[float, float]]) -> Seen:
    """One shard that accepts writes until 20 and from 40 on."""
    acks = [at / 4 for at in range(80)] + [40 + at / 4 for at in range(80)]
    return Seen({0: acks}, looks(health), {"one": looks(ready)})


def test_writes_that_stop_while_all_is_healthy_are_a_wedge_whether_or_not_it_is_reported() -> None:
    wedge = seen(health=[(0, 100)], ready=[(0, 100)])

    assert [(round(each.began), round(each.ended)) for each in wedge.wedges()] == [(20, 40)]
    assert wedge.longest_good_gap() == pytest.approx(20.25)
    with pytest.raises(Failed, match="never"):
        wedge.check()


def test_writes_that_stop_while_servers_are_unwell_are_an_outage() -> None:
    outage = seen(health=[(0, 19), (36, 100)], ready=[(0, 23), (40, 100)])

    assert (len(outage.outages()), outage.wedges()) == (1, [])
    assert 3 < outage.check() < STATED


@pytest.mark.parametrize(
    ("ready", "reason"),
    [([(0, 26), (40, 100)], "reported it after 6"), ([(0, 23), (33, 34), (40, 100)], "that writes are accepted")],
    ids=["too late", "taken back"],
)
def test_an_outage_that_is_reported_badly_is_found(ready: list[tuple[float, float]], reason: str) -> None:
    with pytest.raises(Failed, match=reason):
        seen(health=[(0, 100)], ready=ready).check()


def test_writes_that_wait_while_all_is_healthy_are_counted() -> None:
    outage = seen(health=[(0, 19), (36, 100)], ready=[(0, 23), (40, 100)])
    writes = [Span(1, 7), Span(1, 5), Span(15, 40), Span(14, 60)]

    assert outage.waits(writes) == [6, 24]


def test_nothing_seen_shows_nothing() -> None:
    whole = seen(health=[(0, 100)], ready=[(0, 23), (40, 100)])
    whole.check()
    for part in ({"acks": {}}, {"acks": {0: []}}, {"health": []}, {"ready": {}}, {"ready": {"one": []}}):
        with pytest.raises(Failed, match="was not seen"):
            replace(whole, **part).check()
