"""JetStream: messages that are removed or altered behind our back are reported, and never passed over in silence."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count
from typing import Any

import pytest
from ledger_records import fill, record_after, records_after, some_records
from nats_servers import Node, Servers, running

from ledger.chain import check, genesis
from ledger.entry import Who
from ledger.errors import Broken, Damaged
from ledger.stores import Batch, Head
from ledger.stores.jetstream import JetStreamStore, appending, in_order, uploads
from ledger.stores.jetstream.messages import Created, Deleted, encode, entries_of
from ledger.stores.jetstream.recent import RecentRecords
from ledger.stores.jetstream.servers.link import EXPECTED
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.stored import Stored
from ledger.tombstone import Deletion
from replays.api.session import Session
from replays.sessions.record import checkpoints
from replays.sessions.record.verify import verify

DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")


@pytest.fixture
def full(store: JetStreamStore, monkeypatch: pytest.MonkeyPatch) -> JetStreamStore:
    """A ledger whose session has messages of every kind, an append in parts among them."""
    monkeypatch.setattr(appending, "LARGEST", 2_000)
    monkeypatch.setattr(uploads, "PART", 1_000)
    monkeypatch.setattr(in_order, "_PAUSE", 0.0)
    store.create("doors", some_records(2), sealed={"seed": b"s"}, keys={"first": Batch(1, 2)})
    _go_on(store, 1, "one")
    store.seal("doors", "issued", b"i")
    _go_on(store, 1, None)
    _go_on(store, 9, "many")
    store.seal("doors", "revoked", b"r")
    _go_on(store, 2, "two")
    return store


def _go_on(store: JetStreamStore, count: int, key: str | None) -> None:
    head = store.head("doors")
    store.append("doors", records_after(head, ["The ork kicks the door in."] * count), expected=head.seq, key=key)


def _purge(store: JetStreamStore, subject: str, **options: int) -> None:
    store._streams.reader.ask(f"STREAM.PURGE.{_place(store).stream}", {"filter": subject, **options})


def _place(store: JetStreamStore) -> SessionNames:
    return store._streams.names.place("doors")


def _everything(store: JetStreamStore) -> tuple[object, ...]:
    """Returns all that a store has of a session, with its chain checked."""
    records = [*check(store.read("doors"), genesis("doors"))]
    batches = {key: [*store.batch("doors", key)] for key in store.keys("doors")}
    secrets = {name: store.unseal("doors", name) for name in store.seals("doors")}
    return store.head("doors"), records, batches, secrets, store.unseal("doors", "unknown")


class Forger:
    """Makes the stream of the session anew with other messages, as one who has the servers can.

    Args:
        store: The ledger.
    """

    def __init__(self, store: JetStreamStore) -> None:
        self.messages = [*store._streams.reader.scan(_place(store).stream, ">", 1)]
        self._store = store
        self._names = store._streams.names

    def kind(self, message: Stored) -> str:
        """Returns of what kind a message is: the second token of its subject."""
        return message.subject.split(".")[1]

    def forge(self, changes: Mapping[int, bytes | None]) -> None:
        """Stores all messages, but some with another content, or, for None, another one in their place."""
        stream, ask = _place(self._store).stream, self._store._streams.reader.ask
        config = json.loads(ask(f"STREAM.INFO.{stream}", {}))["config"]
        ask(f"STREAM.DELETE.{stream}", {})
        ask(f"STREAM.CREATE.{stream}", {**config, "first_seq": self.messages[0].seq})
        other = self._names.subject("probe", self._names.shard_of("doors"), "write")
        for each in self.messages:
            content = changes.get(each.seq, each.payload)
            written = Message(other, b"") if content is None else Message(each.subject, content)
            assert self._store._streams.writer.write([written]) == each.seq


def _purge_first(store: JetStreamStore) -> None:
    place = store._streams.names.place("doors")
    store._streams.reader.ask(f"STREAM.PURGE.{place.stream}", {"filter": place.log, "keep": 2})


def _purge_all(store: JetStreamStore) -> None:
    place = store._streams.names.place("doors")
    store._streams.reader.ask(f"STREAM.PURGE.{place.stream}", {"filter": place.log})


@pytest.mark.parametrize("remove", [_purge_first, _purge_all], ids=["the first entries", "all entries"])
def test_entries_that_are_removed_behind_our_back_are_reported(
    store: JetStreamStore, url: str, remove: Callable[[JetStreamStore], None]
) -> None:
    _fill_with_keys(store, 5)
    remove(store)
    with closing(JetStreamStore(url, patience=1.0)) as other, pytest.raises(Damaged):
        list(other.read("doors"))


def test_a_session_whose_beginning_is_removed_behind_our_back_is_reported(store: JetStreamStore, url: str) -> None:
    fill(store, 3)
    place = store._streams.names.place("doors")
    store._streams.reader.ask(f"STREAM.PURGE.{place.stream}", {"filter": place.session})
    with closing(JetStreamStore(url, patience=1.0)) as other:
        for use in (
            other.head,
            other.create,
            lambda session: other.create(session, [record_after(Head(0, genesis(session)))]),
        ):
            with pytest.raises(Damaged):
                use("doors")


def test_a_session_of_which_only_the_log_is_left_is_listed_after_the_others(store: JetStreamStore, url: str) -> None:
    fill(store, 3)
    store.create("other", some_records(1))
    _purge(store, _place(store).session)
    with closing(JetStreamStore(url, patience=1.0)) as other:
        assert other.sessions() == ["other", "doors"]
        with pytest.raises(Damaged):
            other.head("doors")


def _created(session: str) -> bytes:
    return encode(Created(session, "another mark"))


@pytest.mark.parametrize(
    "content",
    [b"{}", b"", b"\xff", encode([1]), _created("other"), _created("unheard of"), encode(Deleted("other", b"", True))],
)
def test_a_session_whose_message_is_altered_is_listed_last_and_hides_no_other(
    store: JetStreamStore, url: str, content: bytes
) -> None:
    fill(store, 3)
    store.create("other", some_records(1))
    store._streams.writer.write([Message(_place(store).session, content)])
    with closing(JetStreamStore(url, patience=1.0)) as anew:
        assert anew.sessions() == ["other", "doors"]
        assert anew.head("other").seq == 1
        for use in (anew.head, anew.keys, anew.seals, lambda session: list(anew.read(session))):
            with pytest.raises(Damaged) as refused:
                use("doors")
            assert refused.value.where == _place(store).session


@pytest.mark.parametrize("token", ["=", "=x", "=_w", "junk"])
def test_a_message_that_is_of_no_session_hides_none(store: JetStreamStore, url: str, token: str) -> None:
    fill(store, 3)
    for kind in ("session", "log"):
        store._streams.writer.write([Message(store._streams.names.subject(kind, 0, token), b"{}")])
    with closing(JetStreamStore(url, patience=1.0)) as other:
        assert other.sessions()[0] == "doors"
        assert other.head("doors").seq == 3


def test_what_is_no_checkpoint_is_read_as_that_of_another_version(store: JetStreamStore, url: str) -> None:
    fill(store, 3)
    store._streams.writer.write([Message(_place(store).checkpoint, b"hello")])
    with closing(JetStreamStore(url, patience=1.0)) as other:
        assert other.checkpoint("doors") == b"hello"
        assert not checkpoints.is_current(b"hello")


def test_verify_reports_sealed_secrets_that_are_removed_or_cannot_be_read(store: JetStreamStore, url: str) -> None:
    Session.create(store, ruleset="eclipse_phase_1e", session="doors")
    before = verify(store, "doors")
    store.seal("doors", "issued", b"i")
    assert verify(store, "doors") == before
    place = _place(store).seal("issued")
    for harm in (lambda: store._streams.writer.write([Message(place, b"\x92\x01")]), lambda: _purge(store, place)):
        harm()
        with closing(JetStreamStore(url, patience=1.0)) as other, pytest.raises(Damaged):
            verify(other, "doors")


def test_a_log_that_is_removed_whole_is_reported_also_without_keys(store: JetStreamStore, url: str) -> None:
    store.create("doors", some_records(2))
    store.create("empty")
    _purge_all(store)
    with closing(JetStreamStore(url, patience=1.0)) as other:
        for use in (other.head, lambda session: list(other.read(session))):
            with pytest.raises(Damaged, match="entry 2, which was there, is not there"):
                use("doors")
        assert other.head("empty").seq == 0


def test_keys_that_are_removed_behind_our_back_are_reported(store: JetStreamStore, url: str) -> None:
    fill(store, 1)
    added = record_after(store.head("doors"))
    store.append("doors", [added], expected=1, key="knock")
    place = store._streams.names.place("doors")
    store._streams.reader.ask(f"STREAM.PURGE.{place.stream}", {"filter": f"{place.keys}.*"})
    with (
        closing(JetStreamStore(url, patience=1.0)) as other,
        pytest.raises(Damaged, match="idempotency key of entry 2"),
    ):
        other.append("doors", [record_after(Head(2, added.digest))], expected=2, key="knock")


def test_a_message_cannot_be_deleted_alone(store: JetStreamStore) -> None:
    fill(store, 3)
    place = store._streams.names.place("doors")
    answer = json.loads(store._streams.reader.ask(f"STREAM.MSG.DELETE.{place.stream}", {"seq": 2}))
    assert "error" in answer
    assert [record.seq for record in store.read("doors")] == [1, 2, 3]


def test_an_entry_of_a_stranger_breaks_the_chain(store: JetStreamStore, url: str) -> None:
    fill(store, 2)
    tip = store._log.look("doors")
    forged = record_after(Head(2, genesis("elsewhere")), "The ork was never here.")
    place = store._streams.names.place("doors")
    store._link.write([Message(place.log, encode(entries_of([forged], None)), {EXPECTED: str(tip.place)})])
    with closing(JetStreamStore(url)) as other:
        assert other.head("doors").seq == tip.head.seq + 1
        with pytest.raises(Broken):
            list(check(other.read("doors"), genesis("doors")))


def test_a_number_that_is_used_twice_is_reported(store: JetStreamStore, url: str) -> None:
    fill(store, 2)
    last = store._log.look("doors").place
    again = some_records(2)[1]
    place = store._streams.names.place("doors")
    store._link.write([Message(place.log, encode(entries_of([again], None)), {EXPECTED: str(last)})])
    with closing(JetStreamStore(url)) as other, pytest.raises(Damaged):
        list(other.read("doors"))


def test_a_message_that_is_not_ours_is_reported(store: JetStreamStore, url: str) -> None:
    fill(store, 2)
    last = store._log.look("doors").place
    place = store._streams.names.place("doors")
    store._link.write([Message(place.log, b"hello", {EXPECTED: str(last)})])
    with closing(JetStreamStore(url)) as other, pytest.raises(Damaged):
        other.head("doors")


def _fill_with_keys(store: JetStreamStore, keys: int) -> None:
    """Creates a session with an entry without a key, and one more for each key: 1, 2 …"""
    fill(store, 1)
    for number in range(1, keys + 1):
        _go_on(store, 1, f"{number}")


def test_an_earlier_key_that_is_removed_is_reported_when_the_session_is_opened(store: JetStreamStore, url: str) -> None:
    _fill_with_keys(store, 3)
    _purge(store, _place(store).key("1"))
    again = [record_after(store.head("doors"))]
    with closing(JetStreamStore(url, patience=1.0)) as other:
        with pytest.raises(Damaged, match="the idempotency key of entry 2"):
            other.append("doors", again, expected=4, key="1")
        with pytest.raises(Damaged, match="the idempotency key of entry 2"):
            other.keys("doors")


def test_a_repetition_that_a_removed_key_allowed_is_reported(store: JetStreamStore, url: str) -> None:
    """The process that has the session open does not count its keys again; the next one that writes does."""
    _fill_with_keys(store, 2)
    _purge(store, _place(store).key("1"))
    _go_on(store, 1, "1")
    with closing(JetStreamStore(url, patience=1.0)) as other:
        for use in (
            lambda: other.append("doors", [record_after(other.head("doors"))], expected=4),
            lambda: other.batch("doors", "1"),
            lambda: other.keys("doors"),
        ):
            with pytest.raises(Damaged, match="entry 4 has the idempotency key of entry 2"):
                use()


def test_a_session_whose_key_was_removed_can_be_read_and_deleted(store: JetStreamStore, url: str) -> None:
    records = fill(store, 1)
    records += store.append("doors", [record_after(store.head("doors"))], expected=1, key="1")
    _purge(store, _place(store).key("1"))
    with closing(JetStreamStore(url, patience=1.0)) as other:
        assert list(other.read("doors")) == records
        assert other.delete("doors", DELETION).entries == 2


def test_a_key_that_is_removed_while_others_write_is_reported(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each key that is added while they are counted takes the place of one that is missing."""
    store.create("doors")
    for number in range(5):
        _go_on(store, 1, f"{number}")
    _purge(store, _place(store).key("1"))
    last, numbers = StreamReader.last, count(5)

    def last_after_another(reader: StreamReader, stream: str, subject: str) -> Stored | None:
        if reader is not store._streams.reader and subject == _place(store).log:
            _go_on(store, 1, f"{next(numbers)}")
        return last(reader, stream, subject)

    monkeypatch.setattr(StreamReader, "last", last_after_another)
    with closing(JetStreamStore(url, patience=1.0)) as other:
        head = other.head("doors")
        with pytest.raises(Damaged, match="the idempotency key of entry 2"):
            other.append("doors", [record_after(head)], expected=head.seq)


def test_keys_are_counted_while_others_write_without_a_false_alarm(
    store: JetStreamStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create("doors")
    counted, numbers = StreamReader.count, count(1)
    _go_on(store, 1, "0")

    def count_before_another(reader: StreamReader, stream: str, subjects: str) -> int:
        found = counted(reader, stream, subjects)
        if reader is not store._streams.reader:
            _go_on(store, 1, f"{next(numbers)}")
        return found

    monkeypatch.setattr(StreamReader, "count", count_before_another)
    with closing(JetStreamStore(url)) as other:
        assert other.batch("doors", "0") == [*store.read("doors", 0, 1)]
        assert next(numbers) > 3


def test_a_secret_that_one_server_has_not_yet_is_read_from_another(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    store.seal("doors", "revoked", b"r")
    last, behind = StreamReader.last, [True]

    def last_but_once(reader: StreamReader, stream: str, subject: str) -> Stored | None:
        return None if ".seal." in subject and behind and behind.pop() else last(reader, stream, subject)

    monkeypatch.setattr(StreamReader, "last", last_but_once)
    assert store.unseal("doors", "revoked") == b"r"
    assert not behind


def test_an_answer_of_a_server_that_is_behind_hides_no_secret(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    before = store._streams.reader.last(_place(store).stream, _place(store).session)
    store.seal("doors", "revoked", b"r")
    assert store.unseal("doors", "revoked") == b"r"
    monkeypatch.setattr(StreamReader, "last", lambda *words: before if ".session." in words[2] else None)
    assert store.unseal("doors", "revoked") == b"r"


def test_a_log_that_did_not_count_its_keys_is_read_once(store: JetStreamStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(appending, "entries_of", lambda records, key, _: entries_of(records, key))
        store.create("doors")
        for number in range(3):
            _go_on(store, 1, f"{number}")
    store._sessions.forget("doors")
    pages: list[str] = []
    page = StreamReader._page
    monkeypatch.setattr(StreamReader, "_page", lambda *words, **more: (pages.append("page"), page(*words, **more))[1])
    assert store.head("doors").seq == 3
    first = len(pages)
    assert store.head("doors").seq == 3
    assert (len(pages), first > 0) == (first, True)
    _go_on(store, 1, "3")
    assert store._log.look("doors").keyed == 4


def test_what_one_server_has_lost_is_read_from_another_with_a_warning(
    full: JetStreamStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before, scan, whole = _everything(full), StreamReader.scan, {"log", "part"}

    def lose_the_second(reader: StreamReader, stream: str, subject: str, *words: Any, **more: Any) -> Iterator[Stored]:
        kind = subject.split(".")[1]
        for index, message in enumerate(scan(reader, stream, subject, *words, **more)):
            if index == 1 and kind in whole and message.payload:
                whole.remove(kind)
            else:
                yield message

    monkeypatch.setattr(StreamReader, "scan", lose_the_second)
    full._log.recent = RecentRecords()
    full._sessions.forget("doors")
    assert _everything(full) == before
    assert sorted(message.partition(" of ")[0] for message in caplog.messages) == [
        "a server has lost a part", "a server has lost entry 3",
    ]  # fmt: skip


def test_an_entry_is_asked_for_again_while_only_the_server_that_has_lost_it_answers(
    store: JetStreamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 1)
    _go_on(store, 1, "one")
    _go_on(store, 1, "two")
    records, scan, until = list(store.read("doors")), StreamReader.scan, time.monotonic() + 0.5

    def lose_the_second(reader: StreamReader, *words: Any, **more: Any) -> Iterator[Stored]:
        found = scan(reader, *words, **more)
        return (each for index, each in enumerate(found) if index != 1 or time.monotonic() > until)

    monkeypatch.setattr(StreamReader, "scan", lose_the_second)
    store._log.recent = RecentRecords()
    assert list(store.read("doors")) == records


@pytest.mark.parametrize("name", ["issued", "revoked"])
def test_a_sealed_secret_that_is_removed_is_reported(store: JetStreamStore, url: str, name: str) -> None:
    fill(store, 1)
    with closing(JetStreamStore(url, patience=1.0)) as opened, closing(JetStreamStore(url, patience=1.0)) as other:
        for each in ("issued", "revoked"):
            store.seal("doors", each, b"s")
        assert opened.seals("doors") == ["issued", "revoked"]
        _purge(store, _place(store).seal(name))
        with pytest.raises(Damaged, match=name):
            opened.unseal("doors", name)
        for use in (
            other.unseal,
            lambda session, _: other.seals(session),
            other.unseal,
        ):
            with pytest.raises(Damaged):
                use("doors", name)


# ------------------------------------------------------------------------------------------------ laws


def test_every_subject_that_is_lost_is_reported(full: JetStreamStore, url: str) -> None:
    forger = Forger(full)
    subjects = {each.subject: forger.kind(each) for each in forger.messages}
    assert {"session", "log", "key", "seal", "part"} <= {*subjects.values()}
    for subject, kind in subjects.items():
        if kind != "probe":
            forger.forge({each.seq: None for each in forger.messages if each.subject == subject})
            _assert_reported(url, subject)


def test_every_message_that_is_lost_is_reported_or_is_not_needed(full: JetStreamStore, url: str) -> None:
    forger, before = Forger(full), _everything(full)
    last = {each.subject: each.seq for each in forger.messages}
    for each in forger.messages:
        forger.forge({each.seq: None})
        is_outdated = forger.kind(each) in ("session", "probe") and last[each.subject] != each.seq
        is_mark = forger.kind(each) == "part" and not each.payload
        if is_outdated or is_mark or forger.kind(each) == "probe":
            with closing(JetStreamStore(url, patience=1.0)) as other:
                assert _everything(other) == before
        else:
            _assert_reported(url, each.subject)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.999])
def test_every_altered_byte_of_a_log_is_reported_or_changes_nothing(
    full: JetStreamStore, url: str, part: float
) -> None:
    forger, before = Forger(full), _everything(full)
    reported = 0
    for each in forger.messages:
        if forger.kind(each) in ("log", "key", "part") and each.payload:
            altered = bytearray(each.payload)
            altered[int(part * len(altered))] ^= 1
            forger.forge({each.seq: bytes(altered)})
            with closing(JetStreamStore(url, patience=1.0)) as other:
                try:
                    assert _everything(other) == before, each.subject
                except (Damaged, Broken):
                    reported += 1
    assert reported >= 10


def _assert_reported(url: str, what: str) -> None:
    with closing(JetStreamStore(url, patience=1.0)) as other:
        try:
            found = _everything(other)
        except (Damaged, Broken):
            return
    pytest.fail(f"{what} is missing, and {len(found)} values were read")


# ------------------------------------------------------------------------------------------------ damaged disks


def test_a_flipped_bit_is_read_around_on_one_server_and_reported_on_all(caplog: pytest.LogCaptureFixture) -> None:
    with running() as servers:
        url = servers.ledger(shards=1)
        with closing(JetStreamStore(url)) as store:
            store.create("doors")
            for number in range(20):
                _go_on(store, 1, f"{number}")
            before = _everything(store)
        _flip(servers, servers.nodes[:1])
        for _ in range(60):
            with closing(JetStreamStore(url)) as store:
                assert _everything(store) == before
            if caplog.messages:
                break
        assert "a server has lost entry 10 of" in caplog.messages[0]

        _flip(servers, servers.nodes[1:])
        with closing(JetStreamStore(url)) as store, pytest.raises(Damaged):
            _everything(store)


def _flip(servers: Servers, damaged: Sequence[Node]) -> None:
    """Flips a bit of entry 10 in the files of some servers while none runs."""
    for node in servers.nodes:
        node.stop()
    for node in damaged:
        for file in node.place.glob("jetstream/$G/streams/*/msgs/*.blk"):
            content = bytearray(file.read_bytes())
            if (at := content.find(b'"seq":10,')) >= 0:
                content[at + 2] ^= 1
                file.write_bytes(content)
    for node in servers.nodes:
        node.start()
    servers.wait_until_healthy()
