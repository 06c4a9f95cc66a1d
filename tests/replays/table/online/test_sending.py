"""Lines of people who are elsewhere: answers beside a line, refusals, modifiers that wait, tables that are dropped."""

import gc
from typing import Any
from weakref import ref

import pytest

from ledger.commands import ApplyModifier, Choose, Command, DrawDice, Note
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from machines.contract.refusals import NotAllowed
from replays.api.session import GM, Session
from replays.sessions.log import Log
from replays.table.language.grammar import NotUnderstood
from replays.table.online.sending import found, only_previews, only_reads, sent
from replays.table.online.tables import Tables
from replays.table.online.understanding import understood
from replays.table.table import Table
from replays.table.verbs import Verb

KIRA, ZOE = Who("kira", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)


@pytest.fixture
def session() -> Session:
    """Returns a fight in which the gamemaster's Ann acts before Kira's Bob."""
    session = Session.create("memory://", ruleset="gurps_3e")
    table = Table(session, GM)
    for line in ("add ann=swordsman bob=brawler@kira", "begin"):
        assert table.submit(line).refused is None
    while session.combat.turn.who != "ann":
        rest = session.rests[0]
        session.perform(Choose(rest.key, "end"))
    return session


@pytest.fixture
def table(session: Session) -> Table:
    return Table(session, GM, files=False)


@pytest.fixture
def brawl() -> Session:
    """Returns a fight of the gamemaster's Ann and Kira's Bob, who may defend against her attack."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    table = Table(session, GM)
    for line in ("add ann=thug bob=thug@kira", "begin", "ann 80", "bob 3"):
        assert table.submit(line).refused is None
    return session


# ------------------------------------------------------------------------------------------------ answers


def test_a_line_is_written_under_its_key_also_if_others_wrote_in_the_middle(
    session: Session, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process writes after the log was read and before the line is performed; the line stands alone."""
    other, verb_of = Session(session.log.store, session.id), table.verb

    def written(line: str) -> Verb | None:
        monkeypatch.undo()
        other.perform(Note("from elsewhere"))
        return verb_of(line)

    monkeypatch.setattr(table, "_stands_alone", lambda line: bool(written(line)))
    with session.keyed("k1", ("note once",)):
        _, entries = sent(table, "note once")

    assert [getattr(entry.command, "text", "") for entry in entries] == ["once"]
    assert session.under_key("k1", ("note once",), GM) == entries


def test_a_line_that_asks_writes_with_its_answers_and_not_without(table: Table) -> None:
    last = table.session.log.last
    asked, written = sent(table, "note")
    assert (asked.asks, written, table.session.log.last) == ("what to note", [], last)

    done, written = sent(table, "note", ["he fell"])
    assert (done.asks, done.refused, [entry.seq for entry in written]) == ("", "", [last + 1])


def test_a_line_that_wrote_is_not_refused_but_names_what_was_not_done(table: Table) -> None:
    done, written = sent(table, "note rain", ["y"])

    assert [type(entry.command) for entry in written] == [Note]
    assert done.refused.startswith("table/not-understood: the line asks nothing")
    with pytest.raises(NotUnderstood):
        sent(table, "show", ["y"])


def test_a_roll_that_cannot_be_drawn_by_itself_does_not_make_the_line_refused(
    brawl: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, perform = Table(brawl, GM, files=False), brawl.perform
    sent(table, "dice all")
    sent(table, "ann: attack bob unarmed")

    def refusing(command: Command, **more: Any) -> Entry:
        if isinstance(command, DrawDice):
            raise NotAllowed("no dice today")
        return perform(command, **more)

    monkeypatch.setattr(brawl, "perform", refusing)
    done, written = sent(table, "none")

    assert [type(entry.command) for entry in written] == [Choose]
    assert done.lines == ("✗ seat/not-allowed: no dice today",)


def test_no_answer_is_left_for_the_next_line(table: Table) -> None:
    sent(table, "note")

    with pytest.raises(Refused):
        sent(table, "he fell")


# ------------------------------------------------------------------------------------------------ who executes it


@pytest.mark.parametrize(
    "line", ["luck", "?", "why", "log", "help", "secret luck", "secret secret audit", "/show", "export x"]
)
def test_what_only_reads_needs_no_writer(table: Table, line: str) -> None:
    last = table.session.log.last

    assert only_reads(table, line)
    try:
        found(table, line)
    except Refused:
        pass
    assert table.session.log.last == last


@pytest.mark.parametrize(
    "line", ["", "1", "note x", "secret note x", "secret", "secret 1", "dice all", "defaults", "undo", "amend 2 drop"]
)
def test_what_may_write_does(table: Table, line: str) -> None:
    assert not only_reads(table, line)


def test_a_correction_is_previewed_without_the_writer_until_a_yes(table: Table) -> None:
    line = "amend 2 sheet.st=14"

    assert only_previews(table, line, ())
    assert only_previews(table, line, ("why not",))
    assert not only_previews(table, line, ("why not", "Y"))
    assert only_previews(table, "20 was 60", ())
    assert not only_previews(table, "modify bob 1 no", ())
    last = table.session.log.last
    assert found(table, line, ["stronger"]).asks == "amend it? y/n"
    assert found(table, line, ["stronger", "n"]).lines
    assert table.session.log.last == last


# ------------------------------------------------------------------------------------------------ modifiers


def modifiers(session: Session) -> list[int]:
    return [entry.command.value for entry in session.entries() if isinstance(entry.command, ApplyModifier)]


def kept(session: Session) -> list[str]:
    commands = [entry.command for entry in session.entries()]
    return [each.text for each in commands if isinstance(each, Note) and each.about == "table/modifier"]


def test_a_modifier_that_waits_is_noted_once_and_undone_with_its_line(brawl: Session) -> None:
    head, table = brawl.log.head, Table(brawl, GM, files=False)
    sent(table, "ann: attack bob unarmed -10 rain")
    for line in ("note x", "note y"):
        sent(table, line)
    assert (modifiers(brawl), kept(brawl)) == ([], ["r1/ann/a1/attack/to-hit -10 rain"])

    sent(table, "undo 2", ["y"])
    done, _ = sent(table, "undo")
    assert not done.asks
    assert brawl.log.head == head


def test_a_modifier_is_applied_by_the_table_of_who_typed_it_when_another_has_chosen(brawl: Session) -> None:
    session, tables = brawl, Tables()
    sent(tables.of(session, GM), "ann: attack bob unarmed -10 rain")
    assert (modifiers(session), len(kept(session))) == ([], 1)

    _, line = sent(tables.of(session, KIRA), "none")
    written = tables.go_on(session, line)
    assert [type(entry.command) for entry in written] == [ApplyModifier]
    assert tables.go_on(session, line) == []
    assert modifiers(session) == [-10]


def test_a_modifier_waits_at_a_table_that_is_opened_anew_unless_its_declaration_was_undone(brawl: Session) -> None:
    session, table = brawl, Table(brawl, GM, files=False)
    sent(table, "ann: attack bob unarmed -10 rain")
    assert [each.value for each in Table(session, GM).attached.waiting(session.combat)] == [-10]

    sent(table, "undo")
    sent(table, "ann: attack bob unarmed")
    assert Table(session, GM).attached.waiting(session.combat) == ()
    assert Table(session, KIRA).attached.waiting(session.combat) == ()


# ------------------------------------------------------------------------------------------------ tables


def test_a_person_has_one_table_as_long_as_the_session_is_in_use(session: Session) -> None:
    tables = Tables()

    assert tables.of(session, GM) is tables.of(session, GM)
    assert tables.of(session, GM) is not tables.of(session, KIRA)
    again = Session(session.log.store, session.id)
    assert tables.of(again, GM) is not tables.of(session, GM)


def test_tables_do_not_keep_a_session_alive() -> None:
    tables, session = Tables(), Session.create("memory://", ruleset="gurps_3e")
    for who in (GM, KIRA, ZOE):
        sent(tables.of(session, who), "help")
        understood(tables.of(session, who), "attack")
    there = ref(session)
    del session
    gc.collect()

    assert there() is None


def test_a_new_table_decodes_no_entry_but_notes_about_tables(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        session.perform(Note(f"rain {number}"))
    sent(Table(session, GM, files=False), "dice all")
    monkeypatch.setattr(Log, "entries", lambda *_: pytest.fail("the whole log was decoded"))

    assert Table(session, GM, files=False).dice == "all"
    assert Table(session, ZOE, files=False).dice == "ask"


def test_several_answers_of_a_player_are_one_request() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for line in ("add ann=thug bob=thug@kira eve=thug@kira", "begin"):
        assert Table(session, GM).submit(line).refused is None
    kira = Table(session, KIRA, files=False)

    _, written = sent(kira, "bob 3 eve 4")
    assert [entry.request.entries if entry.request else 0 for entry in written] == [2, 0]
