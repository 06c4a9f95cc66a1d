"""One request on its way through the pipeline: load, prepare, decide, append, publish; and what is done over."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ledger.commands import (
    Adjust,
    Amend,
    ApplyModifier,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    Join,
    Leave,
    Note,
    Overrule,
    Reveal,
    Rewind,
    TypeDice,
)
from ledger.entry import Entry, StoredRequest
from ledger.errors import Busy, KeyReused, Stale, Unsure
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import UnknownCombatant
from replays.api.pipeline import Decided, Handled, Pipeline
from replays.api.request import Request
from replays.api.session import GM, Session
from replays.corrections.diff import Report
from replays.sessions import ports
from replays.views.view_cache import ViewCache

SHEET: dict[str, Any] = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
NOON = "2024-11-03T12:00:00.000Z"
ANN, BOB, ATTACK = "r1/ann/initiative", "r1/bob/initiative", "r1/ann/a1/attack"


class Store(MemoryStore):
    """Lets a test do something each time before a request is written."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Callable[[], object] = lambda: None
        self.appended = 0

    def append(self, *given: Any, **named: Any) -> Any:
        self.appended += 1
        self.before()
        return super().append(*given, **named)


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def session(store: Store) -> Session:
    """Ann (2) and Bob (3) are here."""
    session = Session.create(store, ruleset="eclipse_phase_1e", session="S")
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET))
    store.appended = 0
    return session


@pytest.fixture
def fought(session: Session) -> Session:
    """They have rolled Initiative (5, 6), Ann has attacked (7), Bob is to dodge (8)."""
    for command in (BeginCombat(), TypeDice(ANN, (90,)), TypeDice(BOB, (10,))):
        session.perform(command)
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose(f"{ATTACK}/defense", "fray"))
    return session


def pipeline(session: Session) -> Pipeline:
    return Pipeline(session.log, ViewCache(session.log), lambda *_: (7,), lambda: NOON)


def by_another(store: Store, command: Command) -> Callable[[], None]:
    """Returns a function that writes a command once, through another session."""

    def write() -> None:
        store.before = lambda: None
        Session(store, "S").perform(command)

    return write


# ------------------------------------------------------------------------------------------------ load


def test_under_a_key_it_is_done_once_and_its_answer_is_the_same_whatever_was_written_since(session: Session) -> None:
    way, heard = pipeline(session), list[Sequence[Entry]]()
    request = Request(Note("x"), batch="k", expected=3)
    first = way.handle(request)
    session.perform(Note("y"))
    way.listeners.add(heard.append)

    assert way.handle(request) == Handled(first.entries)
    assert (heard, session.log.last) == ([], 5)
    with pytest.raises(KeyReused):
        way.handle(request._replace(command=Note("z")))


def test_what_the_caller_expects_to_be_last_is_last(session: Session, store: Store) -> None:
    other = Session(store, "S")
    way = pipeline(session)

    assert way.handle(Request(Note("x"), expected=3)).entries[0].seq == 4
    other.log.refresh()
    other.perform(Note("y"))
    assert way.handle(Request(Note("z"), expected=5)).entries[0].seq == 6
    for expected in (0, 5, 7):
        with pytest.raises(Stale) as refusal:
            way.handle(Request(Note("z"), expected=expected))
        assert f"has 6 entries, not {expected}" in refusal.value.message
    assert session.log.last == 6


# ------------------------------------------------------------------------------------------------ done over


def test_where_somebody_else_writes_meanwhile_it_is_done_over_on_what_they_wrote(
    session: Session, store: Store
) -> None:
    store.before = by_another(store, Note("by another"))

    (entry,) = pipeline(session).handle(Request(Note("x"))).entries

    assert (entry.seq, entry.after) == (5, 4)


def test_but_not_where_the_caller_expected_nobody_to(session: Session, store: Store) -> None:
    store.before = by_another(store, Note("by another"))

    with pytest.raises(Stale) as refusal:
        pipeline(session).handle(Request(Note("x"), expected=3))

    assert "has 4 entries, not 3" in refusal.value.message
    assert session.log.last == 4


def test_what_is_refused_is_asked_again_where_others_have_written_and_only_then(session: Session, store: Store) -> None:
    Session(store, "S").perform(Join("zoe", SHEET))

    assert pipeline(session).handle(Request(Leave("zoe"))).entries[0].seq == 5
    with pytest.raises(UnknownCombatant):
        pipeline(session).handle(Request(Leave("kim")))


def test_where_others_always_write_first_it_is_given_up(session: Session, store: Store) -> None:
    def always() -> None:
        raise Stale(3, 4)

    store.before = always

    with pytest.raises(Busy) as refusal:
        pipeline(session).handle(Request(Note("x")))

    assert store.appended == 1000
    assert refusal.value.message == "other writers came first 1000 times in a row"
    assert (refusal.value.where, refusal.value.accepts) == ("session", "try again")


def test_what_may_have_been_written_is_not_written_again(session: Session, store: Store) -> None:
    def lost() -> None:
        by_another(store, Note("by another"))()
        raise Unsure("lost", where="store")

    store.before = lost

    with pytest.raises(Unsure):
        pipeline(session).handle(Request(Note("x")))

    assert store.appended == 2  # the other's, too


# ------------------------------------------------------------------------------------------------ decide


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (Note("x"), [("Note", 8, None)]),
        (Rewind(6), [("Rewind", 8, None)]),
        (ApplyModifier("ann/to-hit", 10, "x"), [("ApplyModifier", 8, None)]),
        (ApplyModifier(BOB, 1, "x"), [("ApplyModifier", 5, None), ("TypeDice", 9, 6)]),
        (Overrule(BOB, "score", 79, "x"), [("Overrule", 5, 6)]),
        (Amend(7, {"set": {"terms.modifiers": []}}, "x"), [("Amend", 6, None), ("Declare", 9, 7), ("Choose", 10, 8)]),
    ],
)
def test_each_kind_of_request_is_decided_in_its_own_way(
    fought: Session, command: Command, written: list[tuple[str, int, int | None]]
) -> None:
    entries = pipeline(fought).handle(Request(command)).entries

    found = [(type(entry.command).__name__, entry.after, entry.origin) for entry in entries]
    assert found[: len(written)] == written


def test_of_an_amendment_there_is_a_report_and_of_nothing_else(fought: Session) -> None:
    amended = pipeline(fought).handle(Request(Amend(5, {"dice": {ANN: [91]}}, "x"), batch="k"))

    assert isinstance(amended.report, Report)
    assert amended.report.misread[0].after == (91,)
    assert pipeline(fought).handle(Request(Note("x"))).report is None
    assert Decided([]) == Decided([], None)


@pytest.mark.parametrize("consent", [False, True])
def test_an_amendment_has_the_consent_of_its_request(
    fought: Session, monkeypatch: pytest.MonkeyPatch, consent: bool
) -> None:
    asked: list[Any] = []
    way = pipeline(fought)
    correction = way._amending.correction

    def heard(command: Amend, by: Any, *, consent: bool) -> Any:
        asked.append((by, consent))
        return correction(command, by, consent=consent)

    monkeypatch.setattr(way._amending, "correction", heard)
    way.handle(Request(Amend(5, {"dice": {ANN: [91]}}, "x"), consent=consent))

    assert asked == [(GM, consent)]


def test_what_waits_comes_behind_what_it_waited_for(fought: Session) -> None:
    fought.perform(TypeDice(f"{ATTACK}/to-hit", (97,)))
    fought.perform(Amend(7, {"drop": True}, "x"))

    entries = pipeline(fought).handle(Request(Declare("attack", "ann", {"at": "bob", "using": "club"}))).entries

    assert [type(entry.command) for entry in entries] == [Declare, Choose, TypeDice]


def test_what_is_still_so_of_somebody_is_revealed_behind_their_name_each_on_the_one_before(session: Session) -> None:
    session.perform(Join("sniper", SHEET, unseen=True, seen_by=()))
    unseen = next(who for who in session.combat.roster.who if who.startswith("unseen-"))
    for _ in range(2):
        session.perform(Note("x"))
    for level in (1, 2):
        session.perform(Adjust(unseen, "wounds", level, "x", seen_by=()))
    session.perform(Note("x"))
    session.rewind(8)

    entries = pipeline(session).handle(Request(Reveal(who="sniper"))).entries

    assert [type(entry.command) for entry in entries] == [Reveal, Reveal, Reveal]
    assert [(entry.seq, entry.after) for entry in entries] == [(11, 8), (12, 11), (13, 12)]
    assert [entry.command.entry for entry in entries] == [4, 7, 8]  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------------ append, publish


def test_the_first_entry_keeps_of_a_request_its_key_and_how_many_answer_it(fought: Session) -> None:
    way, request = pipeline(fought), Request(Note("x"), batch="k")

    (note,) = way.handle(request).entries
    assert (note.request, note.at) == (StoredRequest("k", request.fingerprint, 1), NOON)
    (plain,) = way.handle(Request(Note("x"))).entries
    assert plain.request is None
    first, second = way.handle(Request(Amend(plain.seq, {"set": {"text": "y"}}, "x"))).entries
    assert (first.request, second.request) == (StoredRequest("", "", 2), None)
    first, *others = way.handle(Request(Amend(5, {"dice": {ANN: [91]}}, "x"))).entries
    assert first.request == StoredRequest("", "", 1 + len(others))
    assert {entry.request for entry in others} == {None}
    assert Session(fought.log.store, "S").log.verify()


def test_all_who_listen_are_given_what_was_written_once_it_is_in_the_log(session: Session) -> None:
    way, heard = pipeline(session), list[tuple[str, int, int]]()
    for name in "ab":
        way.listeners.add(lambda entries, name=name: heard.append((name, entries[0].seq, session.log.last)))  # type: ignore[misc]

    way.handle(Request(Note("x")))

    assert heard == [("a", 4, 4), ("b", 4, 4)]


def test_dice_are_drawn_by_the_drawer_that_it_was_given(fought: Session) -> None:
    drawn = Session.create("memory://", ruleset="eclipse_phase_1e", draw=ports.draw)
    drawn.perform(Join("ann", SHEET))
    drawn.perform(BeginCombat())
    (entry,) = pipeline(drawn).handle(Request(DrawDice(ANN))).entries

    assert entry.command.faces == (7,)  # type: ignore[attr-defined]
