"""Writing down what was decided: once for a key, again where others wrote first, and never over somebody's head."""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.commands import Command, Note
from ledger.entry import Entry, Request, Seat, Who
from ledger.errors import Busy, KeyReused, Refused, Stale, Unsure
from ledger.events import Noted
from ledger.fingerprint import fingerprint
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.sessions.log import Draft, Log
from replays.sessions.writer import ANYWHERE, Writer, secretly

GM, KIRA = Who("gm", Seat.GM), Who("kira", Seat.PLAYER)
NOON = "2024-11-03T12:00:00.000Z"


class Table:
    """One session, written to by a writer whose drafts are counted, and by others."""

    def __init__(self) -> None:
        store = MemoryStore()
        self.others = Session.create(store, ruleset="eclipse_phase_1e")
        self.log = Log(store, self.others.id)
        self.asked_of_older: list[tuple[Entry, Command]] = []
        self.is_same = False
        self.writer = Writer(self.log, lambda: NOON, self._is_same)
        self.drafted = 0

    def _is_same(self, log: Log, entry: Entry, command: Command) -> bool:
        assert log is self.log
        self.asked_of_older.append((entry, command))
        return self.is_same

    def drafts(
        self, *words: str, by: Who = GM, before: Callable[[int], object] = lambda _: None
    ) -> Callable[[], list[Draft]]:
        def made() -> list[Draft]:
            self.drafted += 1
            last, head = self.log.last, self.log.head
            found = [
                Draft(Note(text), (Noted(text, ""),), by, last + nth if nth else head, self.log.rules_version)
                for nth, text in enumerate(words)
            ]
            before(self.drafted)
            return found

        return made

    def write(self, *words: str, **options: Any) -> list[Entry]:
        by, before = options.pop("by", GM), options.pop("before", lambda _: None)
        arguments = {"expected": None, "batch": None, **options}
        return self.writer.write(self.drafts(*words, by=by, before=before), Note(words[0]), by, **arguments)


@pytest.fixture
def table() -> Table:
    return Table()


def texts(session: Session) -> list[str]:
    return [event.text for entry in session.entries() for event in entry.events if isinstance(event, Noted)]


# ------------------------------------------------------------------------------------------------ others write, too


def test_what_is_written_has_its_time_and_its_place(table: Table) -> None:
    (entry,) = table.write("a")

    assert (entry.seq, entry.at, entry.by, entry.command) == (2, NOON, GM, Note("a"))
    assert table.log.last == 2


def test_where_others_wrote_first_it_is_drafted_again(table: Table) -> None:
    (entry,) = table.write("a", before=lambda nth: table.others.perform(Note(f"other {nth}")) if nth < 3 else None)

    assert (entry.seq, entry.after, table.drafted) == (4, 3, 3)
    table.others.log.refresh()
    assert texts(table.others) == ["other 1", "other 2", "a"]


def test_who_knows_the_last_entry_is_told_where_there_is_a_later_one(table: Table) -> None:
    table.others.perform(Note("other"))

    with pytest.raises(Stale) as before:
        table.write("a", expected=1)
    assert (before.value.expected, before.value.actual, table.drafted) == (1, 2, 1)
    with pytest.raises(Stale) as between:
        table.write("a", expected=2, before=lambda _: table.others.perform(Note("another")))
    assert (between.value.expected, between.value.actual, table.drafted) == (2, 3, 2)
    assert isinstance(between.value.__cause__, Stale)  # the store's own, for whoever reads the traceback
    assert table.log.last == 3
    with pytest.raises(Stale):
        table.write("a", expected=4)
    assert [entry.seq for entry in table.write("a", expected=3)] == [4]


def test_a_log_that_has_not_read_the_latest_yet_reads_it_before_it_refuses(table: Table) -> None:
    table.others.perform(Note("other"))

    (entry,) = table.write("a", expected=2)

    assert (entry.seq, table.drafted) == (3, 1)


def test_what_is_refused_is_tried_again_only_where_others_have_written(table: Table) -> None:
    def refuse(nth: int) -> None:
        if nth == 1:
            table.others.perform(Note("other"))
        raise Refused(f"no {nth}", where="here")

    with pytest.raises(Refused, match="no 2"):
        table.write("a", before=refuse)
    assert table.drafted == 2


def test_what_may_have_been_written_is_not_tried_again(table: Table) -> None:
    def lose(_: int) -> None:
        table.others.perform(Note("other"))
        raise Unsure("the line is dead", where="store")

    with pytest.raises(Unsure):
        table.write("a", before=lose)
    assert table.drafted == 1


def test_after_a_thousand_times_it_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> list[Entry]:
        raise Stale(1, 2)

    monkeypatch.setattr(table.log, "append", late)
    with pytest.raises(Busy, match="others have written first 1000 times over") as refusal:
        table.write("a")
    assert (refusal.value.where, refusal.value.accepts, table.drafted) == ("session", "try again", 1000)


# ------------------------------------------------------------------------------------------------ keys


def test_under_a_key_it_is_written_once_and_answered_again(table: Table) -> None:
    first = table.write("a", "b", batch="k")
    table.write("c")

    assert [entry.request for entry in first] == [Request("k", fingerprint(GM, (Note("a"),)), 2), None]
    assert table.write("a", batch="k") == first
    assert table.writer.known(Note("a"), GM, "k") == first
    assert table.drafted == 2
    assert table.writer.known(Note("a"), GM, "another") == []
    assert table.writer.known(Note("a"), GM, None) == []


@pytest.mark.parametrize(("words", "by"), [("b", GM), ("a", KIRA)])
def test_another_request_or_another_person_under_a_key_is_refused(table: Table, words: str, by: Who) -> None:
    table.write("a", batch="k")

    with pytest.raises(KeyReused, match="the key 'k' belongs to another") as refusal:
        table.write(words, by=by, batch="k")
    assert (refusal.value.where, refusal.value.accepts, table.drafted) == ("batch", "a new key", 1)


def test_a_request_is_known_by_what_was_asked_where_that_is_more_than_the_command(table: Table) -> None:
    first = table.write("a", batch="k", asked=("undo", "step"))

    assert first[0].request == Request("k", fingerprint(GM, ("undo", "step")), 1)
    assert table.writer.known(Note("b"), GM, "k", ("undo", "step")) == first
    for asked in ((), ("undo", "turn")):
        with pytest.raises(KeyReused):
            table.writer.known(Note("a"), GM, "k", asked)


def test_what_others_wrote_under_the_key_is_taken_in_with_the_answer(table: Table) -> None:
    table.others.perform(Note("a"), batch="k", by=GM)

    assert [entry.seq for entry in table.write("a", batch="k")] == [2]
    assert (table.log.last, table.drafted) == (2, 0)


def test_without_a_key_only_several_entries_are_marked_as_one_request(table: Table) -> None:
    assert [entry.request for entry in table.write("a")] == [None]
    assert [entry.request for entry in table.write("a", "b")] == [Request("", "", 2), None]
    assert [entry.request for entry in table.write("a", "b", "c")] == [Request("", "", 3), None, None]


@pytest.mark.parametrize(("by", "is_same", "is_known"), [(GM, True, True), (GM, False, False), (KIRA, True, False)])
def test_of_an_older_entry_without_fingerprint_it_is_asked_whether_person_and_command_are_the_same(
    table: Table, monkeypatch: pytest.MonkeyPatch, by: Who, is_same: bool, is_known: bool
) -> None:
    table.write("c")
    records = [each for each in table.log.store.read(table.log.session) if each.seq == 2]
    monkeypatch.setattr(table.log, "answered", lambda _: records)
    table.is_same = is_same

    if is_known:
        assert [entry.seq for entry in table.writer.known(Note("c"), by, "k")] == [2]
        assert [(entry.seq, command) for entry, command in table.asked_of_older] == [(2, Note("c"))]
    else:
        with pytest.raises(KeyReused):
            table.writer.known(Note("c"), by, "k")


# ------------------------------------------------------------------------------------------------ small words


def test_a_secret_request_says_to_whom_and_an_open_one_nothing() -> None:
    assert secretly(None) == ()
    assert secretly(()) == ("seen by", [])
    assert secretly(("ann", "bob")) == ("seen by", ["ann", "bob"])


def test_the_placeholder_is_the_number_of_no_entry(table: Table) -> None:
    with pytest.raises(Refused):
        table.log.check(ANYWHERE)
