"""JetStream: lost answers, killed writers, deletions, and connections that are lost or lead nowhere."""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from threading import Event
from typing import Any

import pytest
from ledger_records import fill, record_after, records_after, some_records
from nats.aio.msg import Msg
from nats.errors import FlushTimeoutError
from nats_servers import Servers
from server.faults_processes import until

from ledger.chain import Record, genesis
from ledger.entry import Who
from ledger.errors import Busy, Damaged, Full, KeyReused, SessionDeleted, SessionExists, Stale
from ledger.stores import Batch, Head
from ledger.stores.jetstream import JetStreamStore, deletion, uploads
from ledger.stores.jetstream.log import SessionLog
from ledger.stores.jetstream.servers import failing
from ledger.stores.jetstream.servers.errors import Answered, NoAnswer, NotConnected, NotSent, NotWritten
from ledger.stores.jetstream.servers.link import Ack, Link
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.sending import Message, SentRequest
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.servers.writing import BatchWriter, Conflict
from ledger.tombstone import Deletion

KEYS = pytest.mark.parametrize("key", ["k", None], ids=["with a key", "without"])
DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")


class Killed(BaseException):
    """The end of a process in the middle of its work."""


def fail(monkeypatch: pytest.MonkeyPatch, *, times: int, error: type[BaseException], is_sent: bool) -> None:
    """Makes the next writes fail, before or after they are executed."""
    write, left = Link.write, [times]

    def failing(link: Link, *words: object) -> object:
        if not left[0]:
            return write(link, *words)  # type: ignore[arg-type]
        left[0] -= 1
        if is_sent:
            write(link, *words)  # type: ignore[arg-type]
        raise error

    monkeypatch.setattr(Link, "write", failing)


# ------------------------------------------------------------------------------------------------ lost answers


@KEYS
@pytest.mark.parametrize("is_sent", [True, False], ids=["after it was written", "before"])
def test_an_append_whose_answer_is_lost_is_written_once(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch, key: str | None, *, is_sent: bool
) -> None:
    records = fill(store, 3)
    more = records_after(store.head("doors"), ["The ork falls.", "He gets up."])
    fail(monkeypatch, times=2, error=NoAnswer if is_sent else NotSent, is_sent=is_sent)

    assert list(store.append("doors", more, expected=3, key=key)) == more
    assert list(store.read("doors")) == records + more


def test_a_repetition_after_a_lost_answer_does_not_hide_another_writer(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 3)
    head = store.head("doors")
    with closing(JetStreamStore(url)) as other:
        other.append("doors", [record_after(head, "first")], expected=3)
    fail(monkeypatch, times=1, error=NoAnswer, is_sent=False)

    with pytest.raises(Stale):
        store.append("doors", [record_after(head, "second")], expected=3)


def test_a_session_whose_answer_is_lost_is_created_once(store: JetStreamStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, times=1, error=NoAnswer, is_sent=True)
    store.create("doors", some_records(3), sealed={"seed": b"s"}, keys={"k": Batch(1, 2)})

    assert store.sessions() == ["doors"]
    assert list(store.batch("doors", "k")) == some_records(3)[:2]


def test_a_secret_whose_answer_is_lost_is_sealed_once(store: JetStreamStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 1)
    fail(monkeypatch, times=1, error=NoAnswer, is_sent=True)
    store.seal("doors", "seed", b"s")

    assert store.seals("doors") == ["seed"]


def test_a_deletion_whose_answer_is_lost_is_made_once(store: JetStreamStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 2)
    fail(monkeypatch, times=1, error=NoAnswer, is_sent=True)

    assert store.delete("doors", DELETION).entries == 2
    assert len(store.tombstones()) == 1


def test_a_server_that_is_behind_is_not_believed_that_a_key_is_new(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create("doors", some_records(2))
    written = store.append("doors", records_after(store.head("doors"), ["once"]), expected=2, key="k1")
    real, behind = Link.page, [3]

    def page(link: Link, stream: str, request: dict[str, Any], seconds: float = 3.0) -> list[Stored]:
        answer = real(link, stream, request, seconds)
        if behind[0]:
            behind[0] -= 1
            return []  # as the leader of an earlier term, which has nothing of it yet
        return answer

    monkeypatch.setattr(Link, "page", page)

    assert list(store.batch("doors", "k1")) == list(written)
    assert behind == [0]


def test_what_the_leader_of_an_earlier_term_has_not_is_read_from_another_server(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)
    place = store._streams.names.place("doors")
    old = store._streams.reader.last(place.stream, place.log)
    store.append("doors", records_after(store.head("doors"), ["one more"]), expected=2)
    monkeypatch.setattr(StreamReader, "last", lambda *_: old)

    assert store.head("doors").seq == 3


def test_while_the_leader_is_away_what_is_behind_is_no_damage(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 3)
    with closing(JetStreamStore(url, patience=0.5)) as other:
        assert other.head("doors").seq == 3
        monkeypatch.setattr(StreamReader, "last", lambda *_: None)
        monkeypatch.setattr(StreamReader, "last_together", lambda *_: {})
        monkeypatch.setattr(other._sessions, "look", other._sessions.known)
        with pytest.raises(Damaged):
            other.head("doors")
        monkeypatch.setattr(StreamReader, "is_leaderless", lambda *_: True)
        with pytest.raises(Busy):
            other.head("doors")


def test_a_key_is_as_safe_after_an_hour_as_after_a_second(store: JetStreamStore, url: str) -> None:
    """The servers forget a message's id after two minutes; a key's message has a place in the stream for ever."""
    records = fill(store, 1)
    more = [record_after(store.head("doors"), "once")]
    store.append("doors", more, expected=1, key="k")
    with closing(JetStreamStore(url)) as later:
        assert list(later.append("doors", [record_after(later.head("doors"), "once")], expected=2, key="k")) == more
        with pytest.raises(KeyReused):
            later.append("doors", [record_after(later.head("doors"), "twice")], expected=2, key="k")
        later.append("doors", [record_after(later.head("doors"), "once")], expected=2, key="another")
    assert list(store.read("doors"))[:2] == records + more


def test_of_several_that_create_one_session_at_once_all_others_are_refused_as_late(url: str) -> None:
    """The leader refuses a conflict with what is being stored, before anyone can read that."""
    stores, found = [JetStreamStore(url) for _ in range(6)], Counter[str]()

    def create(store: JetStreamStore, session: str) -> None:
        try:
            store.create(session)
            found["created"] += 1
        except SessionExists:
            found["exists"] += 1

    with ExitStack() as stack, ThreadPoolExecutor(len(stores)) as threads:
        for store in stores:
            stack.enter_context(closing(store))
        for number in range(60):
            list(threads.map(create, stores, [f"doors {number}"] * len(stores)))
    assert found == {"created": 60, "exists": 300}


# ------------------------------------------------------------------------------------------------ large appends


def large(head: Head, count: int = 5_000, size: int = 1_000) -> list:
    return records_after(head, ["x" * size + str(number) for number in range(count)])


@KEYS
def test_five_thousand_entries_are_appended_whole(store: JetStreamStore, key: str | None) -> None:
    fill(store, 2)
    more = large(store.head("doors"))
    store.append("doors", more, expected=2, key=key)

    assert store.head("doors") == Head(5_002, more[-1].digest)
    assert list(store.read("doors", 4_990)) == more[4_988:]
    assert list(store.read("doors", 2)) == more
    if key is not None:
        assert store.keys("doors") == {"k": Batch(3, 5_000)}
        assert list(store.append("doors", more, expected=2, key=key)) == more


def test_a_writer_that_is_killed_in_a_large_append_leaves_nothing_to_be_read(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = fill(store, 2)
    more = large(store.head("doors"))
    with monkeypatch.context() as killing:
        parts = []

        def store_or_die(streams: Streams, subject: str, part: bytes) -> int:
            if len(parts) == 3:
                raise Killed
            parts.append(subject)
            return real(streams, subject, part)

        real = uploads._store
        killing.setattr(uploads, "_store", store_or_die)
        with pytest.raises(Killed):
            store.append("doors", more, expected=2, key="k")
    with closing(JetStreamStore(url)) as other:
        assert list(other.read("doors")) == records
        assert other.keys("doors") == {}
        assert other.batch("doors", "k") == []
        monkeypatch.setattr(uploads, "_ABANDONED", -1)
        assert uploads.sweep(other._streams) == 1
        other.append("doors", more, expected=2, key="k")
        assert uploads.sweep(other._streams) == 0
        assert list(other.read("doors")) == records + more


def test_a_large_append_that_is_refused_leaves_no_parts(store: JetStreamStore, url: str) -> None:
    fill(store, 2)
    head = store.head("doors")
    with closing(JetStreamStore(url)) as other:
        other.append("doors", [record_after(head)], expected=2)
    with pytest.raises(Stale):
        store.append("doors", large(head, 1_500), expected=2)
    until(lambda: parts_of(store) == [])  # a server that answers may be a moment behind


def parts_of(store: JetStreamStore) -> list[object]:
    place = store._streams.names.place("doors")
    return list(store._streams.reader.scan(place.stream, f"{place.parts}.*", 1))


def test_a_large_append_for_which_there_is_no_room_leaves_no_parts(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)
    write = BatchWriter.write

    def full(writer: BatchWriter, batch: Any) -> int:
        if len(batch) > 1:
            raise Answered({"err_code": 10077, "description": "maximum bytes exceeded"})
        return write(writer, batch)

    monkeypatch.setattr(BatchWriter, "write", full)
    with pytest.raises(Full):
        store.append("doors", large(store.head("doors"), 1_500), expected=2)
    until(lambda: parts_of(store) == [])  # a server that answers may be a moment behind


def test_a_large_session_that_is_already_there_leaves_no_parts(store: JetStreamStore) -> None:
    store.create("doors")
    with pytest.raises(SessionExists):
        store.create("doors", large(Head(0, genesis("doors")), 1_500))
    until(lambda: parts_of(store) == [])  # a server that answers may be a moment behind


def test_parts_are_kept_where_a_refused_append_may_have_been_written(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = fill(store, 2)
    more = large(store.head("doors"), 1_500)
    write = BatchWriter.write

    def write_unheard(writer: BatchWriter, batch: Any) -> int:
        seq = write(writer, batch)
        if batch[-1].headers:  # not a part
            raise Conflict(may_be_own=True)
        return seq

    def break_down(*_: Any, **__: Any) -> Any:
        raise Damaged("the servers answer nonsense", where="session")

    with monkeypatch.context() as failing:
        failing.setattr(BatchWriter, "write", write_unheard)
        failing.setattr(SessionLog, "look", break_down)
        with pytest.raises(Damaged):
            store.append("doors", more, expected=2)
    with closing(JetStreamStore(url)) as other:
        assert list(other.read("doors")) == records + more


def test_a_session_with_many_keys_and_secrets_is_created_whole(store: JetStreamStore) -> None:
    records = some_records(3_000)
    keys = {f"key {number} {'k' * 200}": Batch(number, 1) for number in range(1, 3_001)}
    sealed = {f"name {number}": bytes(100) for number in range(2_000)}
    store.create("doors", records, sealed=sealed, keys=keys)

    assert store.keys("doors") == keys
    assert store.seals("doors") == sorted(sealed)
    repeat = next(iter(keys))
    assert list(store.append("doors", [records[0]], expected=0, key=repeat)) == records[:1]
    store.delete("doors", DELETION)
    assert store.sessions() == []


# ------------------------------------------------------------------------------------------------ deletion


@pytest.mark.parametrize("step", ["before the tombstone", "after the tombstone", "before anything is removed"])
def test_a_deletion_that_was_interrupted_is_completed_by_the_next_reader(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    fill(store, 2)
    store.seal("doors", "seed", b"s")
    entomb = deletion._entomb

    def die(*words: Any) -> Any:
        if step == "after the tombstone":
            entomb(*words)
        raise Killed

    with monkeypatch.context() as killing:
        if step == "before anything is removed":
            killing.setattr(Streams, "purge", die)
        else:
            killing.setattr(deletion, "_entomb", die)
        with pytest.raises(Killed):
            store.delete("doors", DELETION)
    with closing(JetStreamStore(url)) as other:
        assert other.sessions() == []
        for ask in (other.head, other.seals):
            with pytest.raises(SessionDeleted):
                ask("doors")
        assert len(other.tombstones()) == 1
        place = other._streams.names.place("doors")
        until(lambda: not other._streams.reader.count(place.stream, f"{place.seals}.*"))  # a server may be behind


def test_a_deletion_that_cannot_be_completed_now_does_not_claim_that_nothing_was_written(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)

    def unreachable(*_: Any) -> Any:
        raise NotWritten("no server answers")

    with monkeypatch.context() as failing:
        failing.setattr(deletion, "_entomb", unreachable)
        with pytest.raises(Busy) as found:
            store.delete("doors", DELETION)
    assert "nothing was written" not in found.value.message
    with closing(JetStreamStore(url)) as other, pytest.raises(SessionDeleted):
        other.head("doors")


# ------------------------------------------------------------------------------------------------ connections


def test_a_server_that_ends_the_connection_for_good_is_connected_to_again(store: JetStreamStore, url: str) -> None:
    """The library gives up after an error of the server, such as one of expired credentials."""
    records, link = fill(store, 2), store._link
    store.news(0.01)
    closed = link._client
    too_long = "x" * 5_000  # a line of control that the server does not accept
    link._do(closed.publish(too_long, b""), 3)
    until(lambda: link._client is not closed and link._client.is_connected)

    assert closed.is_closed
    store.append("doors", [record_after(store.head("doors"))], expected=2)
    assert list(store.read("doors", 0, 2)) == records
    while store.news(0.5) != set():  # what was missed is looked up
        pass
    with closing(JetStreamStore(url)) as other:
        other.append("doors", [record_after(other.head("doors"))], expected=3)
    assert store.news(5.0) == {"doors"}


def test_a_late_answer_to_a_flush_that_was_given_up_keeps_the_connection(
    nats: Servers, store: JetStreamStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fill(store, 2)
    link = store._link
    before = link._client.stats["reconnects"]
    node = next(each for each in nats.nodes if each.port == link._client.connected_url.port)
    monkeypatch.setattr("ledger.stores.jetstream.servers.link.ATTEMPT", 0.0)  # and one second more
    node.pause()
    link.flush()
    node.go_on()
    monkeypatch.undo()
    link.flush()

    assert store.head("doors").seq == 2
    assert (link._client.stats["reconnects"], caplog.messages) == (before, [])


def test_a_flush_that_is_never_answered_is_no_fault(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ended = Event()

    async def never(_: float) -> None:
        await asyncio.sleep(1.3)
        ended.set()
        raise FlushTimeoutError

    monkeypatch.setattr("ledger.stores.jetstream.servers.link.ATTEMPT", 0.0)  # and one second more
    monkeypatch.setattr(store._link._client, "flush", never)
    store._link.flush()
    assert ended.wait(10)
    store._link._do(asyncio.sleep(0.1), 3)
    gc.collect()
    assert caplog.messages == []


def test_a_server_without_a_leader_is_left_although_it_answers(
    nats: Servers, store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is cut off answers that it knows no leader, and goes on answering what needs none."""
    fill(store, 2)
    nats.wait_until_equal(store._streams.names.place("doors").stream, store._log.look("doors").place)
    forced: list[float] = []
    link, now, later = store._link, time.monotonic(), 0.0
    place, answer = store._streams.names.place("doors"), link._requests.answer

    async def force() -> None:
        forced.append(later)

    def answered(request: SentRequest, seconds: float) -> Msg:
        given = answer(request, seconds)
        if b"io.nats.jetstream.api" in given.data:
            given.data = b'{"error":{"code":503,"err_code":10008,"description":"temporarily unavailable"}}'
        return given

    monkeypatch.setattr(link._client, "force_reconnect", force)
    monkeypatch.setattr(link._requests, "answer", answered)
    for later in (0.0, 4.0, 8.0):
        monkeypatch.setattr("ledger.stores.jetstream.servers.link.time.monotonic", lambda later=later: now + later)
        assert b"10008" in link.ask("$JS.API.INFO")
        assert link.find(place.stream, {"last_by_subj": place.log}) is not None
    link._do(asyncio.sleep(0), 1)
    assert forced == [8.0]


def test_an_append_is_not_stale_because_a_server_is_behind(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leader of an earlier term answers with an older head until a write shows that others have taken over."""
    fill(store, 3)
    old, look, written = store._log.look("doors"), store._log.look, list[str]()
    with closing(JetStreamStore(url)) as other:
        other.append("doors", [record_after(old.head, "The ork falls.")], expected=3)
        head = other.head("doors")
    write = store._streams.writer.write

    def noted(messages: Sequence[Message]) -> int:
        seq = write(messages)
        written.append(messages[-1].subject)
        return seq

    monkeypatch.setattr(store._streams.writer, "write", noted)
    monkeypatch.setattr(store._log, "look", lambda session: look(session) if written else old)
    more = [record_after(head, "He gets up.")]
    assert list(store.append("doors", more, expected=4)) == more
    assert [subject.split(".")[1] for subject in written] == ["probe", "log"]


ACKNOWLEDGED = b'{"stream":"log","seq":7}'


@pytest.mark.parametrize(
    ("answers", "seconds", "is_left"),
    [
        ([NotSent("no server answers")] * 3, 0.0, True),
        ([NoAnswer("no answer")] * 3, 0.0, True),
        ([ACKNOWLEDGED] * 3, 1.5, True),
        ([NoAnswer("no answer"), ACKNOWLEDGED, NoAnswer("no answer")], 0.0, False),
        ([ACKNOWLEDGED] * 3, 0.5, False),
    ],
    ids=["nothing takes the writes", "nothing answers", "each answer is slow", "some fail, far apart", "all is well"],
)
def test_a_server_is_left_at_which_writes_fail_or_are_slow_for_a_while(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch, answers: Sequence[Exception | bytes], seconds: float, *,
    is_left: bool,
) -> None:  # fmt: skip
    """A server that is cut off goes on answering what is read."""
    fill(store, 2)
    forced: list[float] = []
    link, now, later = store._link, time.monotonic(), 0.0

    async def force() -> None:
        forced.append(later)

    def answered(_: SentRequest, __: float) -> Msg:
        nonlocal later
        later += seconds
        answer = answers[int(later / 4)]
        if isinstance(answer, Exception):
            raise answer
        return Msg(link._client, data=answer)

    monkeypatch.setattr(link._client, "force_reconnect", force)
    monkeypatch.setattr("ledger.stores.jetstream.servers.link.time.monotonic", lambda: now + later)
    for began in (0.0, 4.0, 8.0):
        later = began
        assert b"io.nats.jetstream.api" in link.ask("$JS.API.INFO")
        with monkeypatch.context() as within, suppress(NotSent, NoAnswer):
            within.setattr(link._requests, "answer", answered)
            link.write([Message("log", b"")])
    link._do(asyncio.sleep(0), 1)
    assert forced == ([8.0 + seconds] if is_left else [])


def test_a_server_counts_as_failing_that_refuses_beside_an_append_in_flight(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A leader that is cut off keeps what others have sent it: it can neither store nor forget that."""
    with closing(JetStreamStore(url, patience=1.2)) as store:
        (first, *_) = fill(store, 1)
        noticed: list[float] = []

        def refused(_: Sequence[Message]) -> int:
            raise Conflict(may_be_own=False)

        monkeypatch.setattr(store._streams.writer, "write", refused)
        monkeypatch.setattr(store._link, "notice_failure", noticed.append)
        with pytest.raises(Busy):
            store.append("doors", [record_after(Head(1, first.digest))], expected=1)
        assert noticed
        assert len(set(noticed)) == 1  # it began with the append


def test_a_ledger_is_opened_although_the_servers_have_no_leader_at_first(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, left = Link.ask, [5]

    def without_leader(link: Link, *words: Any) -> bytes:
        if left[0]:
            left[0] -= 1
            return b'{"error":{"code":503,"err_code":10008,"description":"temporarily unavailable"}}'
        return ask(link, *words)

    monkeypatch.setattr(Link, "ask", without_leader)
    with closing(JetStreamStore(url)) as store:
        assert store.sessions() == []
    left[0], answers = 0, [b'{"total":4,"streams":[],"missing":["one-of-them"]}'] * 3

    def without_one(link: Link, *words: Any) -> bytes:
        return answers.pop() if answers and words[0].endswith("STREAM.LIST") else ask(link, *words)

    with monkeypatch.context() as missing:
        missing.setattr(Link, "ask", without_one)
        with closing(JetStreamStore(url)) as store:
            assert (store.sessions(), answers) == ([], [])
    left[0] = 1_000
    with pytest.raises(Busy):
        JetStreamStore(url, patience=0.5)


def test_one_slow_answer_after_a_quiet_time_keeps_the_connection(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[str] = []
    link = store._link

    async def force() -> None:
        forced.append("another connection")

    monkeypatch.setattr(link._client, "force_reconnect", force)
    now = time.monotonic()
    for later, connections in ((60.0, 0), (63.0, 0), (67.0, 1), (68.0, 1)):
        monkeypatch.setattr("ledger.stores.jetstream.servers.link.time.monotonic", lambda later=later: now + later)
        link.notice_failure(now + later - 1)
        link._do(asyncio.sleep(0), 1)
        assert len(forced) == connections, later


def test_a_lost_connection_of_our_own_says_nothing_about_a_leader(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 2)
    ask, lost = Link.ask, [NotConnected("there is no connection")]

    def asked(link: Link, *words: Any) -> bytes:
        if lost:
            raise lost.pop()
        return ask(link, *words)

    monkeypatch.setattr(Link, "ask", asked)
    monkeypatch.setattr(Link, "find", lambda *_: pytest.fail("a server was asked that may be behind"))
    assert store._log.look("doors").head.seq == 2


def test_batches_that_are_written_at_the_same_time_have_one_deadline(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/ready` would otherwise wait once for each shard while the servers are gone."""
    given: list[float] = []

    def no_answer(_link: Link, _request: object, seconds: float) -> None:
        given.append(seconds)
        time.sleep(0.1)
        raise NoAnswer("no answer")

    monkeypatch.setattr(Link, "_answer", no_answer)
    outcomes = store._link.write_each([[Message("nowhere", b"")]] * 4, 0.3)
    monkeypatch.undo()
    assert [type(each) for each in outcomes] == [NoAnswer] * 4
    assert all(seconds <= most for seconds, most in zip(given, (0.3, 0.2, 0.1, 0.0), strict=True))


def test_all_shards_are_probed_with_writes(nats: Servers, store: JetStreamStore) -> None:
    store.check_there()
    names = store._streams.names

    def counts() -> list[int]:
        subjects = [names.subject("probe", shard, "write") for shard in range(names.shards)]
        return [store._streams.reader.count(*each) for each in zip(names.logs, subjects, strict=True)]

    until(lambda: counts() == [1] * names.shards)  # a server may be behind


def _refused_as_stale(store: JetStreamStore, records: list[Record], key: str) -> bool:
    with pytest.raises(Stale):
        store.append("doors", records, expected=records[0].seq - 1, key=key)
    return True


@pytest.mark.parametrize(
    "use",
    [
        lambda store, third: store.append("doors", third, expected=2, key="third"),
        lambda store, third: _refused_as_stale(store, third, "fifth"),
        lambda store, _: store.batch("doors", "third"),
        lambda store, _: store.keys("doors"),
        lambda store, _: store.unseal("doors", "issued"),
        lambda store, _: list(store.read("doors")),
    ],
    ids=["a repeated key", "a new key", "a batch", "all keys", "a secret", "entries"],
)
def test_a_server_that_stays_behind_is_left(
    store: JetStreamStore,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    use: Callable[[JetStreamStore, list[Record]], object],
) -> None:
    """Otherwise what is known to be there is asked of it until the patience is used up, and then once more."""
    monkeypatch.setattr(failing, "_PERIOD", 1.0)
    fill(store, 2)
    with closing(JetStreamStore(url, patience=20.0)) as other:
        assert other.head("doors").seq == 2
        place, behind, page = store._streams.names.place("doors"), other._link.server, Link.page
        known = store._streams.reader.last(place.stream, place.log)
        assert known is not None
        third = [record_after(other.head("doors"))]
        store.append("doors", third, expected=2, key="third")
        store.append("doors", records_after(store.head("doors"), ["again"]), expected=3, key="fourth")
        store.seal("doors", "issued", b"i")

        def lagging(link: Link, stream: str, request: Mapping[str, Any], seconds: float) -> list[Stored]:
            found = page(link, stream, request, seconds)
            is_behind = link is other._link and link.server == behind
            return [each for each in found if each.seq <= known.seq] if is_behind else found

        monkeypatch.setattr(Link, "page", lagging)
        began = time.monotonic()
        assert use(other, third)
        assert other._link.server != behind
        assert time.monotonic() - began < 10.0


def test_a_server_is_left_at_which_other_writers_are_always_first(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that catches up is slower than the others for a minute: those who write there would never have a turn."""
    monkeypatch.setattr(failing, "_PERIOD", 1.0)
    fill(store, 2)
    with closing(JetStreamStore(url, patience=20.0)) as other:
        slow, write = other._link.server, Link.write

        def written(link: Link, messages: Sequence[Message], seconds: float) -> Ack:
            if link is other._link and link.server == slow:
                head = store.head("doors")
                store.append("doors", [record_after(head)], expected=head.seq)
            return write(link, messages, seconds)

        monkeypatch.setattr(Link, "write", written)
        began, refused = time.monotonic(), 0
        while other._link.server == slow:
            head = other.head("doors")
            try:
                other.append("doors", [record_after(head)], expected=head.seq, key="k")
            except Stale:
                refused += 1
            assert time.monotonic() - began < 10.0
        assert refused > 1
        head = other.head("doors")
        assert other.append("doors", [record_after(head)], expected=head.seq, key="k2")


def test_a_writer_that_is_first_now_and_then_stays_at_its_server(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing, "_PERIOD", 0.2)
    monkeypatch.setattr(Link, "leave", lambda _: pytest.fail("its server was left"))
    fill(store, 2)
    with closing(JetStreamStore(url, patience=20.0)) as other:
        began, accepted = time.monotonic(), 0
        while time.monotonic() - began < 1.0:
            head = other.head("doors")
            if accepted % 2:
                store.append("doors", [record_after(head)], expected=head.seq)
            with suppress(Stale):
                other.append("doors", [record_after(head)], expected=head.seq)
            accepted += 1
        assert accepted > 4
