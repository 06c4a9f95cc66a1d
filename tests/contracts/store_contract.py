"""The contract of all stores as tests. The tests of a store inherit `StoreContract` and open the store."""

import tempfile
import tracemalloc
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, ClassVar

import pytest
from drawing import examples
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from ledger_records import fill, record_after, records_after, some_records

from ledger.chain import Record, check, genesis
from ledger.entry import Who
from ledger.errors import (
    BadCommand,
    KeyReused,
    NoSuchSession,
    ReadOnly,
    Sealed,
    SessionDeleted,
    SessionExists,
    Stale,
    TombstoneBroken,
)
from ledger.stores import Batch, Head, Store, log_pages, open_store
from ledger.stores.memory import MemoryStore
from ledger.tombstone import Deletion, Tombstone, TombstoneRecord
from ledger.tombstone import check as check_tombstones

DELETION = Deletion(Who("Ana"), "2024-11-04T09:00:00.000Z", "The player asked for it.")


class StoreContract:
    """Base class of a store's tests, which override `open_in`."""

    survives: ClassVar[bool] = True
    """Whether the content survives when the same folder is opened again."""

    def open_in(self, folder: Path) -> Store:
        """Opens the store in a folder, creating it if it is missing."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """An empty store."""
        store = self.open_in(tmp_path)
        yield store
        store.close()

    # -------------------------------------------------------------------------------------------- sessions

    def test_a_log_begins_with_its_first_records_or_not_at_all(self, store: Store) -> None:
        records = some_records(3, "doors")
        store.create("doors", records)

        assert list(store.read("doors")) == records
        with pytest.raises(SessionExists):
            store.create("doors", records)
        with pytest.raises(AssertionError):
            store.create("windows", records[1:])
        assert list(store.sessions()) == ["doors"]

    def test_a_new_store_has_no_sessions(self, store: Store) -> None:
        assert list(store.sessions()) == []

    def test_sessions_are_listed_in_the_order_in_which_they_were_created(self, store: Store) -> None:
        names = ["windows", "doors", "Ünïcødé 龍", "", "a/b?c#d%20", "DOORS"]
        for name in names:
            store.create(name)
        assert list(store.sessions()) == names

    def test_a_session_cannot_be_created_twice(self, store: Store) -> None:
        records = fill(store, 2)
        with pytest.raises(SessionExists):
            store.create("doors")
        assert list(store.read("doors")) == records

    def test_an_unknown_session_is_refused_by_every_method_at_the_call(self, store: Store) -> None:
        store.create("windows")
        calls: list[Callable[[], object]] = [
            lambda: store.append("doors", some_records(1), expected=0),
            lambda: store.append("doors", some_records(1), expected=0, key="k"),
            lambda: store.read("doors"),
            lambda: store.head("doors"),
            lambda: store.batch("doors", "k"),
            lambda: store.keys("doors"),
            lambda: store.seal("doors", "seed", b"s"),
            lambda: store.unseal("doors", "seed"),
            lambda: store.seals("doors"),
        ]
        for call in calls:
            with pytest.raises(NoSuchSession):
                call()
        assert list(store.sessions()) == ["windows"]

    @pytest.mark.parametrize("wrong", ["\ud800", "doors\udfff", 5, None, b"doors"])
    def test_every_method_refuses_invalid_text_as_id_key_and_name(self, store: Store, wrong: Any) -> None:
        records = fill(store, 2)
        late = [record_after(store.head("doors"))]
        calls: dict[str, list[Callable[[], object]]] = {
            "session": [
                lambda: store.create(wrong),
                lambda: store.append(wrong, some_records(1), expected=0),
                lambda: store.read(wrong),
                lambda: store.head(wrong),
                lambda: store.batch(wrong, "k"),
                lambda: store.keys(wrong),
                lambda: store.seal(wrong, "seed", b"s"),
                lambda: store.unseal(wrong, "seed"),
                lambda: store.seals(wrong),
                lambda: store.delete(wrong, DELETION),
            ],
            "key": [
                lambda: store.create("windows", some_records(1, "windows"), keys={wrong: Batch(1, 1)}),
                lambda: store.batch("doors", wrong),
                *([lambda: store.append("doors", late, expected=2, key=wrong)] if wrong is not None else []),
            ],
            "name": [
                lambda: store.create("windows", sealed={wrong: b"s"}),
                lambda: store.seal("doors", wrong, b"s"),
                lambda: store.unseal("doors", wrong),
            ],
        }
        for what, each in calls.items():
            for call in each:
                with pytest.raises(BadCommand) as refused:
                    call()
                assert refused.value.where == what
        assert list(store.sessions()) == ["doors"]
        assert list(store.read("doors")) == records
        assert (store.keys("doors"), store.seals("doors")) == ({}, [])

    @pytest.mark.parametrize(
        "text", ["", " ", "\x00", "a\x00b", "\n", "Ünïcødé 龍", "\U0001f3b2", "\ufffd", "' OR 1=1", "x" * 2_000]
    )
    def test_any_valid_text_is_stored_unchanged_as_id_key_and_name(self, store: Store, text: str) -> None:
        store.create(text, sealed={text: b"s"})
        records = some_records(2, text)
        store.append(text, records, expected=0, key=text)
        assert list(store.sessions()) == [text]
        assert list(store.batch(text, text)) == records
        assert store.keys(text) == {text: Batch(1, 2)}
        assert store.seals(text) == [text]
        assert store.unseal(text, text) == b"s"
        store.delete(text, DELETION)
        with pytest.raises(SessionDeleted):
            store.head(text)

    def test_sessions_are_independent_streams(self, store: Store) -> None:
        doors, windows = fill(store, 3, "doors"), fill(store, 5, "windows")
        more = record_after(store.head("doors"))
        store.append("doors", [more], expected=3)
        assert list(store.read("doors")) == [*doors, more]
        assert list(store.read("windows")) == windows

    # -------------------------------------------------------------------------------------------- appending

    def test_an_empty_log_ends_at_the_digest_that_the_first_entry_continues(self, store: Store) -> None:
        store.create("doors")
        assert store.head("doors") == Head(0, genesis("doors"))
        assert list(store.read("doors")) == []

    def test_entries_are_numbered_without_a_gap_and_the_chain_holds(self, store: Store) -> None:
        store.create("doors")
        for texts in (["one"], ["two", "three"], ["four"]):
            head = store.head("doors")
            store.append("doors", records_after(head, texts), expected=head.seq)
        assert [record.seq for record in check(store.read("doors"), genesis("doors"))] == [1, 2, 3, 4]

    def test_append_returns_what_it_wrote_and_moves_the_head(self, store: Store) -> None:
        store.create("doors")
        records = some_records(2)
        assert list(store.append("doors", records, expected=0)) == records
        assert store.head("doors") == Head(2, records[-1].digest)

    def test_records_come_back_byte_for_byte(self, store: Store) -> None:
        store.create("doors")
        texts = ["", "Ünïcødé 龍 🎲", 'quotes " and \\ and \n and \x7f', "NUL \x00 inside", "ä" * 70_000]
        records = records_after(Head(0, genesis("doors")), texts)
        odd = Record(6, b"\x00\xff no JSON at all \x00", bytes(range(16)), bytes(range(32)))
        store.append("doors", [*records, odd], expected=0)
        back = list(store.read("doors"))
        assert back == [*records, odd]
        assert {type(part) for record in back for part in (record.line, record.secret, record.digest)} == {bytes}

    @pytest.mark.parametrize("expected", [0, 1, 2, 4, 5, 100])
    def test_a_stale_writer_is_refused_with_the_actual_head(self, store: Store, expected: int) -> None:
        records = fill(store, 3)
        late = records_after(Head(expected, b"\x00" * 32), ["I was late.", "Twice."])
        for key in (None, "k"):
            with pytest.raises(Stale) as refused:
                store.append("doors", late, expected=expected, key=key)
            assert (refused.value.expected, refused.value.actual) == (expected, 3)
        assert list(store.read("doors")) == records
        assert list(store.batch("doors", "k")) == []

    def test_a_key_whose_append_was_stale_is_still_free(self, store: Store) -> None:
        fill(store, 3)
        with pytest.raises(Stale):
            store.append("doors", some_records(1), expected=0, key="k")
        again = [record_after(store.head("doors"))]
        assert list(store.append("doors", again, expected=3, key="k")) == again

    @pytest.mark.parametrize("numbers", [[], [2], [0], [1, 3], [1, 1], [1, 2, 4], [2, 1]])
    def test_records_with_wrong_numbers_raise_an_error(self, store: Store, numbers: list[int]) -> None:
        store.create("doors")
        records = [Record(number, b'{"command":{}}', b"", b"") for number in numbers]
        with pytest.raises(AssertionError):
            store.append("doors", records, expected=0)
        assert store.head("doors").seq == 0

    def test_a_big_batch_is_appended_whole(self, store: Store) -> None:
        records = fill(store, 2_345)
        assert list(store.read("doors")) == records
        assert store.head("doors").seq == 2_345

    # -------------------------------------------------------------------------------------------- idempotency

    def test_a_repeat_with_the_same_key_writes_nothing_and_returns_the_stored_records(self, store: Store) -> None:
        store.create("doors")
        first = records_after(store.head("doors"), ["one", "two"])
        store.append("doors", first, expected=0, key="k")
        store.append("doors", [record_after(store.head("doors"), "between")], expected=2)
        for expected in (0, 2, 3, 7):
            later = Head(expected, b"\x01" * 32)
            repeat = [record_after(later, "one", at="2024-11-04T00:00:00.000Z")]
            repeat.append(record_after(Head(expected + 1, repeat[0].digest), "two"))
            assert list(store.append("doors", repeat, expected=expected, key="k")) == first
        assert store.head("doors").seq == 3

    def test_a_big_batch_can_be_repeated(self, store: Store) -> None:
        store.create("doors")
        records = some_records(1_234)
        store.append("doors", records, expected=0, key="k")
        assert list(store.append("doors", records, expected=0, key="k")) == records
        assert list(store.batch("doors", "k")) == records

    @pytest.mark.parametrize("texts", [["another"], ["one", "two", "three"], ["one", "another"], ["two", "one"]])
    def test_a_key_cannot_be_reused_for_other_commands(self, store: Store, texts: list[str]) -> None:
        store.create("doors")
        first = records_after(store.head("doors"), ["one", "two"])
        store.append("doors", first, expected=0, key="k")
        for head in (Head(0, genesis("doors")), store.head("doors")):
            with pytest.raises(KeyReused):
                store.append("doors", records_after(head, texts), expected=head.seq, key="k")
        assert list(store.read("doors")) == first

    def test_the_same_commands_may_be_repeated_with_another_key_or_none(self, store: Store) -> None:
        store.create("doors")
        for key in ("k", "K", "", None, None, "k "):
            head = store.head("doors")
            store.append("doors", [record_after(head)], expected=head.seq, key=key)
        assert store.head("doors").seq == 6

    def test_each_session_has_separate_keys(self, store: Store) -> None:
        for session in ("doors", "windows"):
            store.create(session)
            records = records_after(store.head(session), [session])
            store.append(session, records, expected=0, key="k")
            assert list(store.batch(session, "k")) == records

    def test_an_unknown_key_has_no_batch(self, store: Store) -> None:
        fill(store, 1)
        assert list(store.batch("doors", "k")) == []

    # -------------------------------------------------------------------------------------------- reading

    def test_a_range_has_the_entries_within_it(self, store: Store) -> None:
        fill(store, 3, "before")
        records = fill(store, 1_200)
        fill(store, 3, "behind")
        for after in (0, 1, 499, 500, 501, 1_199, 1_200, 5_000):
            assert list(store.read("doors", after)) == records[after:]
            for upto in (0, 1, 500, 501, 1_000, 1_200, 9_000, 2**40):
                assert list(store.read("doors", after, upto)) == records[after:upto]

    def test_reading_ends_at_the_head_of_the_call_despite_concurrent_writes(self, store: Store) -> None:
        records = fill(store, 1_100)
        read = []
        for record in store.read("doors"):
            read.append(record)
            if record.seq % 100 == 1:
                head = store.head("doors")
                store.append("doors", [record_after(head)], expected=head.seq)
        assert read == records
        assert store.head("doors").seq == 1_111

    def test_entries_of_any_size_are_read_in_order_and_in_limited_pages(self, store: Store) -> None:
        sizes = [
            1,
            log_pages.BYTES // 5,
            log_pages.BYTES,
            1,
            1,
            2 * log_pages.BYTES,
            log_pages.BYTES // 3,
            1,
            *[log_pages.BYTES // 7] * 20,
        ]
        records = records_after(Head(0, genesis("doors")), ["x" * (size // 2) for size in sizes])
        store.create("doors", records)
        assert list(store.read("doors")) == records
        for after in range(len(records) + 1):
            assert list(store.read("doors", after, after + 9)) == records[after : after + 9]
        if not self.survives:  # they are in memory anyway
            return
        tracemalloc.start()
        try:
            assert sum(len(record.line) for record in store.read("doors")) > 6 * log_pages.BYTES
            assert tracemalloc.get_traced_memory()[1] < 5 * log_pages.BYTES
        finally:
            tracemalloc.stop()

    def test_concurrent_and_abandoned_reads_are_independent(self, store: Store) -> None:
        records = fill(store, 1_100)
        abandoned = store.read("doors")
        next(abandoned)
        assert list(zip(store.read("doors"), store.read("doors"), strict=True)) == list(
            zip(records, records, strict=True)
        )
        assert list(abandoned) == records[1:]

    # -------------------------------------------------------------------------------------------- beside the log

    def test_a_sealed_value_can_be_read_and_is_not_in_the_log(self, store: Store) -> None:
        records = fill(store, 1)
        store.seal("doors", "seed", b"\x00secret\xff")
        assert store.unseal("doors", "seed") == b"\x00secret\xff"
        assert list(store.read("doors")) == records

    def test_a_sealed_value_has_one_name_and_session(self, store: Store) -> None:
        store.create("doors")
        store.create("windows")
        store.seal("doors", "seed", b"secret")
        assert store.unseal("doors", "salt") is None
        assert store.unseal("windows", "seed") is None

    def test_a_value_sealed_at_the_beginning_is_stored_with_the_first_records(self, store: Store) -> None:
        records = some_records(2)
        store.create("doors", records, sealed={"seed": b"\x00secret\xff", "salt": b""})
        assert store.unseal("doors", "seed") == b"\x00secret\xff"
        assert store.unseal("doors", "salt") == b""
        assert list(store.read("doors")) == records
        with pytest.raises(Sealed):
            store.seal("doors", "seed", b"another")

    def test_no_value_is_sealed_for_a_session_that_does_not_exist(self, store: Store) -> None:
        store.create("doors", sealed={"seed": b"secret"})
        with pytest.raises(SessionExists):
            store.create("doors", sealed={"seed": b"another", "salt": b"more"})
        with pytest.raises(AssertionError):
            store.create("windows", some_records(2)[1:], sealed={"seed": b"another"})
        assert store.unseal("doors", "seed") == b"secret"
        assert store.unseal("doors", "salt") is None
        assert list(store.sessions()) == ["doors"]

    @pytest.mark.parametrize("again", [b"secret", b"another"])
    def test_a_value_cannot_be_sealed_twice(self, store: Store, again: bytes) -> None:
        store.create("doors")
        store.seal("doors", "seed", b"secret")
        with pytest.raises(Sealed):
            store.seal("doors", "seed", again)
        assert store.unseal("doors", "seed") == b"secret"

    def test_the_names_of_sealed_values_are_listed(self, store: Store) -> None:
        store.create("doors", sealed={"seed": b"secret"})
        store.create("windows")
        store.seal("doors", "a token", b"")
        assert list(store.seals("doors")) == ["a token", "seed"]
        assert list(store.seals("windows")) == []

    # -------------------------------------------------------------------------------------------- news

    def test_waiting_for_news_returns_after_a_write(self, store: Store) -> None:
        fill(store, 2)
        _all_news(store)
        heard: list[Collection[str] | None] = []
        ready = Barrier(2)

        def wait() -> None:
            ready.wait()
            heard.append(store.news(30.0))

        waiting = Thread(target=wait)
        waiting.start()
        ready.wait()
        store.append("doors", [record_after(store.head("doors"))], expected=2)
        waiting.join(30.0)
        assert len(heard) == 1
        assert heard[0] is None or "doors" in heard[0]

    def test_a_write_before_waiting_is_reported_once(self, store: Store) -> None:
        fill(store, 2)
        _all_news(store)
        fill(store, 1, "windows")
        news = store.news(30.0)
        assert news is None or "windows" in news
        assert _is_quiet(store)

    def test_sealing_a_value_is_reported_as_news(self, store: Store) -> None:
        fill(store, 1)
        _all_news(store)
        store.seal("doors", "revoked/1", b"")
        news = store.news(30.0)
        assert news is None or "doors" in news

    def test_waiting_without_news_ends_at_the_timeout(self, store: Store) -> None:
        _all_news(store)
        assert _is_quiet(store)

    def test_writes_by_other_stores_of_the_same_ledger_are_news(self, tmp_path: Path) -> None:
        if not self.survives:
            pytest.skip("nobody else can open this store")
        one, other = self.open_in(tmp_path), self.open_in(tmp_path)
        fill(one, 1)
        _all_news(other)
        one.append("doors", [record_after(one.head("doors"))], expected=1)
        news = other.news(30.0)
        assert news is None or "doors" in news
        one.close()
        other.close()

    # -------------------------------------------------------------------------------------------- checkpoints

    def test_a_session_has_its_last_checkpoint_and_no_other_has_it(self, store: Store) -> None:
        records = fill(store, 2)
        fill(store, 1, "windows")
        assert store.checkpoint("doors") is None
        store.keep_checkpoint("doors", b"\x00first\xff" * 1000)
        store.keep_checkpoint("doors", b"\x00second\xff")
        assert store.checkpoint("doors") == b"\x00second\xff"
        assert store.checkpoint("windows") is None
        assert list(store.read("doors")) == records

    def test_an_unknown_session_has_no_checkpoint(self, store: Store) -> None:
        for ask in (lambda: store.keep_checkpoint("doors", b"fold"), lambda: store.checkpoint("doors")):
            with pytest.raises(NoSuchSession):
                ask()

    def test_a_checkpoint_is_stored_in_the_commit_of_an_entry(self, store: Store, tmp_path: Path) -> None:
        records = fill(store, 2)
        with store.together():
            store.keep_checkpoint("doors", b"fold")
            store.append("doors", [record_after(store.head("doors"))], expected=len(records))
        assert (store.head("doors").seq, store.checkpoint("doors")) == (3, b"fold")
        if self.survives:
            with closing(self.open_in(tmp_path)) as other:
                assert (other.head("doors").seq, other.checkpoint("doors")) == (3, b"fold")

    def test_a_deleted_session_leaves_no_checkpoint(self, store: Store) -> None:
        fill(store, 2)
        fill(store, 1, "windows")
        for session in ("doors", "windows"):
            store.keep_checkpoint(session, b"fold")
        store.delete("doors", DELETION)
        assert store.checkpoint("windows") == b"fold"
        with pytest.raises(SessionDeleted):
            store.keep_checkpoint("doors", b"fold")

    # -------------------------------------------------------------------------------------------- deletion

    def test_deleting_a_session_leaves_only_a_tombstone(self, store: Store) -> None:
        store.create("doors", sealed={"seed": b"secret"})
        records = some_records(3)
        store.append("doors", records, expected=0, key="k")
        fill(store, 2, "windows")
        told = store.delete("doors", DELETION)
        assert told == Tombstone(1, 1, "doors", 3, records[-1].digest.hex(), DELETION.at, DELETION.by, DELETION.why)
        assert list(store.sessions()) == ["windows"]
        assert list(check_tombstones(store.tombstones())) == [told]

    def test_every_method_refuses_a_deleted_session_with_person_and_time(self, store: Store) -> None:
        store.create("doors", sealed={"seed": b"secret"})
        store.append("doors", some_records(3), expected=0, key="k")
        store.delete("doors", DELETION)
        self._check_deleted(store, "doors")

    def _ways_to_ask(self, session: str) -> list[Callable[[Store], object]]:
        first, fourth = some_records(1, session), some_records(4, session)[3:]
        return [
            lambda store: store.create(session),
            lambda store: store.create(session, first, sealed={"seed": b"another"}),
            lambda store: store.append(session, first, expected=0),
            lambda store: store.append(session, first, expected=0, key="k"),
            lambda store: store.append(session, fourth, expected=3),
            lambda store: store.append(session, fourth, expected=3, key="other"),
            lambda store: store.read(session),
            lambda store: store.head(session),
            lambda store: store.batch(session, "k"),
            lambda store: store.keys(session),
            lambda store: store.seal(session, "seed", b"s"),
            lambda store: store.seal(session, "salt", b"s"),
            lambda store: store.unseal(session, "seed"),
            lambda store: store.seals(session),
            lambda store: store.keep_checkpoint(session, b"fold"),
            lambda store: store.checkpoint(session),
            lambda store: store.delete(session, DELETION),
        ]

    def _check_deleted(self, store: Store, session: str) -> None:
        for _ in range(2):  # once with the store's cache of the session, once without
            for ask in self._ways_to_ask(session):
                with pytest.raises(SessionDeleted) as refused:
                    ask(store)
                assert refused.value.slug == "session/deleted"
                assert all(word in refused.value.message for word in ("Ana (gm)", DELETION.at, DELETION.why))
        assert len(store.tombstones()) == 1

    def test_an_empty_log_can_be_deleted(self, store: Store) -> None:
        store.create("doors")
        told = store.delete("doors", DELETION, expected=0)
        assert (told.entries, told.last) == (0, genesis("doors").hex())
        assert list(store.sessions()) == []

    def test_an_unknown_session_cannot_be_deleted(self, store: Store) -> None:
        fill(store, 1, "windows")
        with pytest.raises(NoSuchSession) as refused:
            store.delete("doors", DELETION)
        assert not isinstance(refused.value, SessionDeleted)
        assert list(store.tombstones()) == []

    def test_a_stale_deletion_is_refused(self, store: Store) -> None:
        records = fill(store, 3)
        for expected in (0, 2, 4):
            with pytest.raises(Stale) as refused:
                store.delete("doors", DELETION, expected=expected)
            assert (refused.value.expected, refused.value.actual) == (expected, 3)
        assert list(store.read("doors")) == records
        assert store.delete("doors", DELETION, expected=3).entries == 3

    def test_a_deletion_with_invalid_text_is_refused(self, store: Store) -> None:
        records = fill(store, 1)
        with pytest.raises(BadCommand):
            store.delete("doors", Deletion(DELETION.by, DELETION.at, "\ud800"))
        assert list(store.read("doors")) == records
        assert list(store.tombstones()) == []

    def test_a_missing_or_altered_tombstone_breaks_the_chain(self, store: Store) -> None:
        names = ["doors", "windows", "Ünïcødé 龍", ""]
        for name in names:
            fill(store, 2, name)
        for name in reversed(names):
            store.delete(name, Deletion(Who("Ana"), DELETION.at, f"{name} 龍"))
        stones = list(store.tombstones())
        assert [stone.session for stone in check_tombstones(stones)] == names[::-1]
        for index, stone in enumerate(stones):
            other = stone.line.replace(b"Ana", b"Bob")
            for wrong in (
                [*stones[:index], *stones[index + 1 :]],
                [*stones[:index], TombstoneRecord(stone.number, other, stone.digest), *stones[index + 1 :]],
            ):
                if wrong == stones[:-1]:
                    continue  # the last entry: only the heads file shows that it is missing
                with pytest.raises(TombstoneBroken) as broken:
                    list(check_tombstones(wrong))
                assert broken.value.where == f"tombstone {index + 1}"

    def test_deletion_is_news(self, store: Store) -> None:
        fill(store, 2)
        _all_news(store)
        store.delete("doors", DELETION)
        news = store.news(30.0)
        assert news is None or "doors" in news

    def test_other_stores_of_the_same_ledger_see_a_deletion(self, tmp_path: Path) -> None:
        if not self.survives:
            pytest.skip("nobody else can open this store")
        one, other = self.open_in(tmp_path), self.open_in(tmp_path)
        fill(one, 3)
        asking = [(self.open_in(tmp_path), ask) for ask in self._ways_to_ask("doors")]
        for each, _ in [(other, None), *asking]:
            assert each.head("doors").seq == 3
        one.delete("doors", DELETION)
        for each, ask in asking:  # both stores have the session in their caches
            with pytest.raises(SessionDeleted):
                ask(each)
            each.close()
        self._check_deleted(other, "doors")
        self._check_deleted(one, "doors")
        one.close()
        other.close()
        again = self.open_in(tmp_path)
        self._check_deleted(again, "doors")
        again.close()

    def test_a_read_during_a_deletion_is_refused_or_complete(self, store: Store) -> None:
        records = fill(store, 1_100)
        reading = store.read("doors")
        assert next(reading) == records[0]
        store.delete("doors", DELETION)
        read = []
        try:
            read.extend(reading)
        except SessionDeleted:
            return
        assert read == records[1:]

    def test_a_big_session_is_deleted_completely_and_others_are_unchanged(self, store: Store) -> None:
        before = fill(store, 3, "before")
        fill(store, 2_345)
        behind = fill(store, 3, "behind")
        store.delete("doors", DELETION)
        assert list(store.read("before")) == before
        assert list(store.read("behind")) == behind
        store.append("behind", [record_after(store.head("behind"))], expected=3)
        fill(store, 1, "later")
        assert list(store.sessions()) == ["before", "behind", "later"]

    def test_a_session_can_be_deleted_in_a_group_commit(self, store: Store, tmp_path: Path) -> None:
        fill(store, 2)
        fill(store, 1, "windows")
        with store.together():
            store.append("doors", [record_after(store.head("doors"))], expected=2)
            assert store.delete("doors", DELETION).entries == 3
            with pytest.raises(SessionDeleted):
                store.append("doors", some_records(4)[3:], expected=3)
            store.append("windows", [record_after(store.head("windows"))], expected=1)
        self._check_deleted(store, "doors")
        assert store.head("windows").seq == 2

    def test_sessions_are_deleted_while_others_are_written(self, store: Store) -> None:
        doomed = [f"doomed {number}" for number in range(6)]
        for name in doomed:
            fill(store, 30, name)
        store.create("doors")
        start = Barrier(3)

        def write() -> None:
            start.wait()
            for number in range(20):
                _append_somehow(store, "doors", f"entry {number}")

        def delete(names: Sequence[str]) -> None:
            start.wait()
            for name in names:
                store.delete(name, DELETION)

        threads = [Thread(target=write), *(Thread(target=delete, args=(doomed[part::2],)) for part in range(2))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert list(store.sessions()) == ["doors"]
        assert [record.seq for record in check(store.read("doors"), genesis("doors"))] == list(range(1, 21))
        assert sorted(stone.session for stone in check_tombstones(store.tombstones())) == doomed

    def test_one_of_two_concurrent_deletions_succeeds(self, store: Store) -> None:
        fill(store, 3)
        start, refused = Barrier(4), list[SessionDeleted]()

        def delete() -> None:
            start.wait()
            try:
                store.delete("doors", DELETION)
            except SessionDeleted as error:
                refused.append(error)

        threads = [Thread(target=delete) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refused) == 3
        assert len(store.tombstones()) == 1

    def test_an_append_during_a_deletion_is_written_or_refused(self, store: Store) -> None:
        for number in range(5):
            name = f"doors {number}"
            store.create(name)
            start = Barrier(2)

            def write(name: str = name, start: Barrier = start) -> None:
                start.wait()
                with suppress(SessionDeleted):
                    for text in range(20):
                        _append_somehow(store, name, f"entry {text}")

            thread = Thread(target=write)
            thread.start()
            start.wait()
            told = store.delete(name, DELETION)
            thread.join()
            assert 0 <= told.entries <= 20
            with pytest.raises(SessionDeleted):
                store.head(name)
        assert len(list(check_tombstones(store.tombstones()))) == 5

    # -------------------------------------------------------------------------------------------- other processes

    def test_others_read_the_ledger_at_its_reading_address(self, store: Store) -> None:
        records = some_records(3, "windows")
        store.create("windows", records)
        assert (store.reading_address is None) == isinstance(store, MemoryStore)
        if store.reading_address is not None:
            with closing(open_store(store.reading_address, create=False, only_read=True)) as other:
                assert list(other.read("windows")) == records
                assert other.reading_address == store.reading_address
                with pytest.raises(ReadOnly):
                    other.append("windows", [record_after(other.head("windows"))], expected=3)
            assert store.head("windows").seq == 3

    # -------------------------------------------------------------------------------------------- together

    def test_a_group_commit_is_stored(self, store: Store, tmp_path: Path) -> None:
        assert isinstance(store.one_writer, bool)
        store.create("windows")
        with store.together():
            store.append("windows", some_records(2, "windows"), expected=0, key="k")
            store.create("doors", some_records(3, "doors"))
            store.seal("windows", "seed", b"s")
            assert store.head("windows").seq == 2
            repeated = store.append("windows", some_records(2, "windows"), expected=0, key="k")
            assert list(repeated) == list(store.read("windows")) == some_records(2, "windows")
        assert list(store.read("doors")) == some_records(3, "doors")
        assert list(store.batch("windows", "k")) == some_records(2, "windows")
        assert store.unseal("windows", "seed") == b"s"
        if self.survives:
            other = self.open_in(tmp_path)
            assert other.head("doors").seq == 3
            other.close()

    def test_a_refusal_in_a_group_commit_does_not_affect_the_others(self, store: Store) -> None:
        store.create("doors")
        store.create("windows")
        with store.together():
            store.append("doors", some_records(2, "doors"), expected=0)
            with pytest.raises(Stale):
                store.append("windows", some_records(4, "windows")[3:], expected=3)
            with pytest.raises(SessionExists):
                store.create("windows", some_records(1, "windows"))
        assert (store.head("doors").seq, store.head("windows").seq) == (2, 0)

    def test_a_group_commit_is_kept_even_if_it_ends_with_an_error(self, store: Store) -> None:
        store.create("doors")
        with pytest.raises(ZeroDivisionError), store.together():
            store.append("doors", some_records(2, "doors"), expected=0)
            _ = 1 / 0
        assert store.head("doors").seq == 2

    def test_threads_write_during_a_group_commit(self, store: Store) -> None:
        names = [f"door {number}" for number in range(4)]
        for name in names:
            store.create(name)
        start = Barrier(4)

        def write(name: str) -> None:
            start.wait()
            for _ in range(5):
                with store.together():
                    store.append(name, [record_after(store.head(name))], expected=store.head(name).seq)

        threads = [Thread(target=write, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [store.head(name).seq for name in names] == [5, 5, 5, 5]

    # -------------------------------------------------------------------------------------------- threads, time
    def test_threads_that_share_a_store_lose_nothing(self, store: Store) -> None:
        store.create("doors")
        start = Barrier(4)

        def write(name: str) -> None:
            start.wait()
            for number in range(15):
                _append_somehow(store, "doors", f"{name} {number}")

        threads = [Thread(target=write, args=(f"thread {number}",)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [record.seq for record in check(store.read("doors"), genesis("doors"))] == list(range(1, 61))

    def test_a_reopened_store_has_all_entries(self, tmp_path: Path) -> None:
        if not self.survives:
            pytest.skip("this store is gone with its process")
        store = self.open_in(tmp_path)
        records = fill(store, 600)
        more = [record_after(store.head("doors"))]
        store.append("doors", more, expected=600, key="k")
        store.seal("doors", "seed", b"secret")
        store.create("windows", sealed={"seed": b"another"})
        store.close()

        store = self.open_in(tmp_path)
        assert list(store.sessions()) == ["doors", "windows"]
        assert list(store.read("doors")) == [*records, *more]
        assert list(store.append("doors", more, expected=600, key="k")) == more
        assert store.unseal("doors", "seed") == b"secret"
        assert store.head("windows") == Head(0, genesis("windows"))
        assert store.unseal("windows", "seed") == b"another"
        store.close()

    def test_closing_twice_does_no_harm(self, tmp_path: Path) -> None:
        store = self.open_in(tmp_path)
        store.close()
        store.close()

    # -------------------------------------------------------------------------------------------- anything

    def test_it_behaves_like_a_model_of_lists(self) -> None:
        run_state_machine_as_test(
            lambda: StoreMachine(self.open_in, survives=self.survives),  # type: ignore[arg-type]
            settings=settings(
                max_examples=examples(100),
                stateful_step_count=25,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


def _is_quiet(store: Store) -> bool:
    news = store.news(0.05)
    return news is not None and not news


def _all_news(store: Store) -> None:
    while (news := store.news(0.05)) is None or news:
        pass


def _append_somehow(store: Store, session: str, text: str) -> None:
    while True:
        head = store.head(session)
        try:
            store.append(session, [record_after(head, text)], expected=head.seq, key=text)
        except Stale:
            continue
        return


_SESSIONS = st.sampled_from(["doors", "windows", "roofs", "attics"])
_KEYS = st.sampled_from([None, "k", "l", "m"])
_TEXTS = st.lists(st.sampled_from(["one", "two", "three"]), min_size=1, max_size=3)


class StoreMachine(RuleBasedStateMachine):
    """Compares a store with a model of lists and dictionaries."""

    def __init__(self, open_in: Callable[[Path], Store], *, survives: bool) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._open_in = open_in
        self._survives = survives
        self._store = open_in(Path(self._folder.name))
        self._logs: dict[str, list[Record]] = {}
        self._batches: dict[tuple[str, str], tuple[list[str], list[Record]]] = {}
        self._sealed: dict[tuple[str, str], bytes] = {}
        self._deleted: list[str] = []

    @rule(session=_SESSIONS)
    def create(self, session: str) -> None:
        if session in self._deleted:
            with pytest.raises(SessionDeleted):
                self._store.create(session)
        elif session in self._logs:
            with pytest.raises(SessionExists):
                self._store.create(session)
        else:
            self._store.create(session)
            self._logs[session] = []

    @rule(session=_SESSIONS, texts=_TEXTS, key=_KEYS, off=st.sampled_from([0, 0, 0, 0, 1, -1, -2]))
    def append(self, session: str, texts: list[str], key: str | None, off: int) -> None:
        log = self._logs.get(session, [])
        expected = max(0, len(log) + off)
        previous = log[expected - 1].digest if 0 < expected <= len(log) else genesis(session)
        records = records_after(Head(expected, previous), texts)
        refused = self._refused(session, texts, key, expected)
        if refused is not None:
            with pytest.raises(refused):
                self._store.append(session, records, expected=expected, key=key)
            return
        stored = list(self._store.append(session, records, expected=expected, key=key))
        assert stored == self._appended(session, texts, key, records)

    def _refused(self, session: str, texts: list[str], key: str | None, expected: int) -> type[Exception] | None:
        if session not in self._logs:
            return SessionDeleted if session in self._deleted else NoSuchSession
        if key is not None and (session, key) in self._batches:
            return None if self._batches[session, key][0] == texts else KeyReused
        return None if expected == len(self._logs[session]) else Stale

    def _appended(self, session: str, texts: list[str], key: str | None, records: list[Record]) -> Sequence[Record]:
        if key is not None and (session, key) in self._batches:
            return self._batches[session, key][1]
        self._logs[session] += records
        if key is not None:
            self._batches[session, key] = texts, records
        return records

    @rule(session=_SESSIONS, name=st.sampled_from(["seed", "salt"]), secret=st.binary(max_size=40))
    def seal(self, session: str, name: str, secret: bytes) -> None:
        if session not in self._logs:
            return
        if (session, name) in self._sealed:
            with pytest.raises(Sealed):
                self._store.seal(session, name, secret)
        else:
            self._store.seal(session, name, secret)
            self._sealed[session, name] = secret

    @rule(session=_SESSIONS, off=st.sampled_from([None, 0, 1]))
    def delete(self, session: str, off: int | None) -> None:
        log = self._logs.get(session, [])
        expected = None if off is None else len(log) + off
        refused = self._refused(session, [], None, len(log) + (off or 0))
        if refused is not None:
            with pytest.raises(refused):
                self._store.delete(session, DELETION, expected=expected)
            return
        assert self._store.delete(session, DELETION, expected=expected).entries == len(log)
        del self._logs[session]
        self._deleted.append(session)
        self._batches = {name: batch for name, batch in self._batches.items() if name[0] != session}
        self._sealed = {name: secret for name, secret in self._sealed.items() if name[0] != session}

    @rule(session=_SESSIONS, after=st.integers(0, 12), upto=st.none() | st.integers(0, 12))
    def read(self, session: str, after: int, upto: int | None) -> None:
        if session in self._logs:
            assert list(self._store.read(session, after, upto)) == self._logs[session][after:upto]

    @rule()
    def reopen(self) -> None:
        if self._survives:
            self._store.close()
            self._store = self._open_in(Path(self._folder.name))

    @invariant()
    def everything_is_as_in_the_model(self) -> None:
        assert list(self._store.sessions()) == list(self._logs)
        assert [stone.session for stone in check_tombstones(self._store.tombstones())] == self._deleted
        for session, log in self._logs.items():
            assert list(self._store.read(session)) == log
            last = log[-1] if log else None
            assert self._store.head(session) == (Head(last.seq, last.digest) if last else Head(0, genesis(session)))
        for (session, key), (_, records) in self._batches.items():
            assert list(self._store.batch(session, key)) == records
        for (session, name), secret in self._sealed.items():
            assert self._store.unseal(session, name) == secret

    @invariant()
    def what_remembers_its_heads_bears_it_out(self) -> None:
        report = self._store.heads.examine() if self._store.heads is not None else None
        if report is not None:
            assert report.holds
            assert set(report.sessions) == {*self._logs, *self._deleted}
            assert report.unmarked == report.torn == ()

    def teardown(self) -> None:
        self._store.close()
        self._folder.cleanup()
