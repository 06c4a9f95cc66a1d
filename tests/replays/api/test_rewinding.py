"""Undo, redo and going back: repeated under a key, in secret, in a closed session, in a record that rules have not made."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger.commands import CloseSession, Join, Note, Reveal, Rewind
from ledger.entry import Entry, Seat, StoredRequest, Who
from ledger.errors import BadCommand, Inconsistent, KeyReused, NoSuchEntry
from ledger.events import Rewound
from ledger.requests.fingerprint import fingerprint
from machines.contract.refusals import NotAllowed, NotOpen
from replays.api.request import ANYWHERE
from replays.api.session import GM, Session
from replays.sessions import undo as rewinding
from replays.sessions.record import stored_records
from replays.sessions.undo import NothingToRedo, NothingToUndo

KIRA = Who("kira", Seat.PLAYER)
SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
Ask = Callable[..., Entry]


@pytest.fixture
def session() -> Session:
    """Returns a session with notes at entries 2 to 4; the last is the gamemaster's and has an idempotency key."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Note("a"))
    session.perform(Note("b"))
    session.perform(Note("c", seen_by=()), batch="note")
    return session


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries have no fingerprint, as in older logs."""
    entry = stored_records.entry
    monkeypatch.setattr(stored_records, "entry", lambda record: msgspec.structs.replace(entry(record), request=None))


def rewound(entry: Entry) -> tuple[int, str, object]:
    """To where, why, and who may see why."""
    assert isinstance(entry.command, Rewind)
    to, why, seen_by = entry.command.to, entry.command.why, entry.command.seen_by
    assert Rewound(to, why, seen_by=seen_by if why else None) in entry.events
    return to, why, seen_by


# ------------------------------------------------------------------------------------------------ who may see why


@pytest.mark.parametrize("ask", ["rewind", "undo"])
def test_a_reason_is_as_secret_as_what_is_taken_back_and_as_it_is_asked_to_be(session: Session, ask: str) -> None:
    def back(**words: object) -> tuple[int, str, object]:
        made = session.undo(**words) if ask == "undo" else session.rewind(session.log.head - 1, **words)  # type: ignore[arg-type]
        return rewound(made)

    assert back(why="misread") == (3, "misread", ())
    assert back(why="misread") == (2, "misread", None)
    session.redo()
    assert back() == (2, "", None)
    session.redo()
    assert back(why="hush", seen_by=()) == (2, "hush", ())
    session.redo()
    assert back(seen_by=("ann",)) == (2, "", ("ann",))
    assert rewound(session.redo(why="hush", seen_by=("ann",))) == (3, "hush", ("ann",))


def test_a_rewinding_is_the_first_of_what_it_writes(session: Session) -> None:
    session.perform(Join("ann", SHEET, unseen=True))
    last = session.log.last
    session.perform_all(Reveal(who="ann"))

    entries = [session.undo(), session.redo(), session.rewind(last)]

    assert [entry.seq for entry in entries] == [session.log.last - 2, session.log.last - 1, session.log.last]


# ------------------------------------------------------------------------------------------------ who may ask


def test_who_may_not_rewind_is_told_so_before_anything_else(session: Session) -> None:
    for ask in (
        lambda: session.rewind(99, by=KIRA),
        lambda: session.undo("week", by=KIRA),
        lambda: session.redo(by=KIRA),
    ):
        with pytest.raises(NotAllowed):
            ask()


@pytest.mark.parametrize("words", [{"why": "\ud800"}, {"seen_by": 5}])
def test_a_reason_that_cannot_be_written_is_refused_before_the_place(session: Session, words: dict[str, Any]) -> None:
    for ask in (
        lambda: session.rewind(99, **words),
        lambda: session.undo("week", **words),
        lambda: session.redo(**words),
    ):
        with pytest.raises(BadCommand):
            ask()


def test_in_a_closed_session_that_is_told_and_not_what_else_stands_against_it(session: Session) -> None:
    session.perform(CloseSession())

    for ask in (lambda: session.undo("week"), session.undo, session.redo):
        with pytest.raises(NotOpen):
            ask()


# ------------------------------------------------------------------------------------------------ repeats

ASKS: dict[str, tuple[Callable[[Session], Ask], tuple[dict[str, object], ...]]] = {
    "undo": (lambda session: session.undo, ({"span": "step"}, {"span": "exchange"})),
    "redo": (lambda session: session.redo, ({}, {})),
    "rewind": (lambda session: session.rewind, ({"to": 2}, {"to": 1})),
}


@pytest.mark.parametrize("ask", ASKS)
def test_under_a_key_it_is_done_once_and_something_else_under_it_refused(session: Session, ask: str) -> None:
    method, (same, different) = ASKS[ask]
    other = "undo" if ask == "redo" else "redo"
    session.undo()
    done = method(session)(**same, why="why", seen_by=(), batch="k")

    assert method(session)(**same, why="why", seen_by=(), batch="k") == done
    for words in ({"why": "because", "seen_by": ()}, {"why": "why"}, {"why": "why", "seen_by": ("ann",)}):
        with pytest.raises(KeyReused):
            method(session)(**same, **words, batch="k")
    if different:
        with pytest.raises(KeyReused):
            method(session)(**different, why="why", seen_by=(), batch="k")
    with pytest.raises(KeyReused):
        ASKS[other][0](session)(why="why", seen_by=(), batch="k")
    assert session.log.last == done.seq


def test_what_is_kept_of_a_request_under_a_key_stays_what_it_is(session: Session) -> None:
    """It is compared with what later versions make of the same request."""
    undone = session.undo("step", why="why", seen_by=(), batch="a").request
    redone = session.redo(why="why", batch="b").request
    back = session.rewind(2, why="why", batch="c").request

    assert undone == StoredRequest("a", fingerprint(GM, ("undo", "step", "why", "seen by", [])), 1)
    assert redone == StoredRequest("b", fingerprint(GM, ("redo", "why")), 1)
    assert back == StoredRequest("c", fingerprint(GM, (Rewind(2, "why"),)), 1)


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("seen_by", [None, ()])
@pytest.mark.parametrize("ask", ASKS)
def test_so_it_is_in_an_older_log(session: Session, ask: str, seen_by: tuple[str, ...] | None) -> None:
    method, (same, different) = ASKS[ask]
    session.undo()
    done = method(session)(**same, why="why", seen_by=seen_by, batch="k")
    session.perform(Note("since then"))

    assert method(session)(**same, why="why", seen_by=seen_by, batch="k").seq == done.seq
    with pytest.raises(KeyReused):
        method(session)(**same, why="because", seen_by=seen_by, batch="k")
    with pytest.raises(KeyReused):
        method(session)(**same, why="why", seen_by=("bob",), batch="k")
    if different:
        with pytest.raises(KeyReused):
            method(session)(**different, why="why", seen_by=seen_by, batch="k")
    with pytest.raises(KeyReused):
        session.undo(batch="note")


def test_another_key_and_another_expectation_are_another_request(session: Session) -> None:
    assert session.undo(batch="k").seq == 5
    assert session.undo(batch="l", expected=5).seq == 6
    with pytest.raises(NothingToUndo):
        session.undo("exchange", batch="m")
    session.redo()
    session.redo()
    with pytest.raises(NothingToRedo):
        session.redo()
    with pytest.raises(NoSuchEntry):
        session.rewind(ANYWHERE)


def test_who_listens_is_given_what_was_undone_and_nothing_waits(session: Session) -> None:
    heard: list[int] = []
    session.listen(lambda entries: heard.extend(entry.seq for entry in entries))

    made = [session.undo(), session.redo(), session.rewind(2)]

    assert heard == [entry.seq for entry in made]
    assert session.waiting.entries() == ()


# ------------------------------------------------------------------------------------------------ forged records


def test_where_an_undo_fails_on_a_record_that_rules_have_not_made_it_is_refused_with_the_entry(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise KeyError("r1/ann/initiative")

    monkeypatch.setattr(rewinding, "target", broken)
    with pytest.raises(KeyError):  # today's rules decide all as it is recorded: the mistake is ours
        session.undo()

    refusal = Inconsistent("today's rules decide entry 3 otherwise", where="entry 3", accepts="x")
    monkeypatch.setattr(session.consistency, "refusal", lambda: refusal)
    with pytest.raises(Inconsistent):
        session.undo()
