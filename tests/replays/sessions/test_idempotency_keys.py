"""Idempotency keys and clocks: whatever a program gives, a session is written that can be opened again, or refused."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.commands import ApplyModifier, BeginCombat, Join, Note, Rewind, TypeDice
from ledger.entry import Who
from ledger.errors import BadCommand, BadIdempotencyKey, KeyReused, Refused, Unreadable
from ledger.events import Noted
from replays.api.session import Session
from replays.corrections.change import Change
from replays.sessions.log import Draft, Log

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
BAD_KEYS: dict[str, Any] = {
    "a number": 5,
    "bytes": b"k",
    "a UUID": UUID(int=7),
    "a list": ["k"],
    "nothing in it": "",
    "half a letter": "\ud800",
    "an escape": "\x1b[2J",
    "a null": "\x00",
    "a line end": "key\n",
    "a letter that turns the text around it": "\u202eyek",
    "256 letters": "k" * 256,
    "5 MB": "k" * 5_000_000,
}
GOOD_KEYS = ("k", "k" * 255, "Schlüssel 龍", "0b1f5f4e-8a4e-4c5e-9d1e-7d6a4c3b2a10", "a b", " ")
BAD_TIMES: dict[str, Any] = {
    "nothing": None,
    "a fraction": 1.5,
    "a number": 1730662200,
    "a datetime": datetime(2024, 11, 3, tzinfo=UTC),
    "bytes": b"2024-11-03T19:30:00.000Z",
    "no time": "half past seven",
    "no day of any month": "2024-02-30T19:30:00.000Z",
    "half a letter": "2024-11-03T19:30:00.000\ud800",
    "a time of nowhere": "2024-11-03T19:30:00",
}
ASKED: dict[str, Callable[[Session, Any], object]] = {
    "perform": lambda session, key: session.perform(Note("x"), batch=key),
    "rewind": lambda session, key: session.rewind(2, batch=key),
    "undo": lambda session, key: session.undo(batch=key),
    "redo": lambda session, key: session.redo(batch=key),
    "modify": lambda session, key: session.modify("r1/ann/initiative", 5, why="x", batch=key),
    "overrule": lambda session, key: session.overrule("ann/initiative", "score", 9, why="x", batch=key),
    "amend": lambda session, key: session.amend(2, Change(set={"name": "Ann"}), why="x", batch=key),
}


@pytest.fixture(params=["memory", "sqlite"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/fight.db"
    with closing(Session.create(url, ruleset="eclipse_phase_1e", session="one")) as session:
        session.perform(Join("ann", SHEET))
        session.perform(BeginCombat())
        yield session


def check_opens_again(session: Session) -> None:
    again = Session(session.log.store, session.id)
    assert again.combat == session.combat
    assert again.log.verify().seq == session.log.last


# ------------------------------------------------------------------------------------------------ keys


@pytest.mark.parametrize("key", BAD_KEYS.values(), ids=BAD_KEYS)
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_key_that_is_none_is_refused_whatever_is_asked_for_and_nothing_is_written(
    session: Session, ask: Callable[[Session, Any], object], key: Any
) -> None:
    before = session.log.last
    with pytest.raises(BadIdempotencyKey) as refused:
        ask(session, key)
    assert (refused.value.slug, refused.value.where) == ("command/bad-key", "batch")
    assert "1 to 255" in refused.value.accepts
    assert len(str(refused.value)) < 300
    assert session.log.store.head(session.id).seq == before
    check_opens_again(session)


@pytest.mark.parametrize("key", GOOD_KEYS)
def test_a_key_is_any_visible_text_of_up_to_255_letters(session: Session, key: str) -> None:
    first = session.perform(Note("x"), batch=key)
    assert session.perform(Note("x"), batch=key) == first
    check_opens_again(session)


@given(key=st.one_of(st.text(max_size=300), st.integers(), st.binary(), st.floats(), st.booleans()))
def test_with_any_key_a_note_is_refused_or_written_once_and_the_session_opens_again(key: Any) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    try:
        first = session.perform(Note("x"), batch=key)
    except Refused:
        assert session.log.store.head(session.id).seq == 1
    else:
        assert session.perform(Note("x"), batch=key) == first
        assert list(session.log.store.keys(session.id)) == [key]
    check_opens_again(session)


# ------------------------------------------------------------------------------------------------ clocks


@pytest.mark.parametrize("at", BAD_TIMES.values(), ids=BAD_TIMES)
def test_a_clock_that_tells_no_time_writes_nothing(session: Session, at: Any) -> None:
    before = session.log.last
    wrong = Session(session.log.store, session.id, clock=lambda: at)
    with pytest.raises(BadCommand) as refused:
        wrong.perform(Note("x"))
    assert refused.value.where == "at"
    assert "2024-11-03T19:30:00.000Z" in refused.value.accepts
    assert session.log.store.head(session.id).seq == before
    check_opens_again(session)


@pytest.mark.parametrize("at", BAD_TIMES.values(), ids=BAD_TIMES)
def test_a_clock_that_tells_no_time_begins_nothing(session: Session, at: Any) -> None:
    with pytest.raises(BadCommand):
        Session.create(session.log.store, ruleset="eclipse_phase_1e", session="two", clock=lambda: at)
    assert list(session.log.store.sessions()) == ["one"]


# ------------------------------------------------------------------------------------------------ entries


UNREADABLE: dict[str, Callable[[Draft], Draft]] = {
    "an event with a number for words": lambda draft: _with(draft, events=(Noted(5, ""),)),
    "an event with a fraction": lambda draft: _with(draft, events=(Noted("x", "", seen_by=(1.5,)),)),
    "a version that is none": lambda draft: _with(draft, rules_version="1"),
    "a place that is none": lambda draft: _with(draft, after=1.0),
    "an origin that is none": lambda draft: _with(draft, origin="1"),
    "a seat that is none": lambda draft: _with(draft, by=Who("gm", "king")),
}


def _with(draft: Draft, **fields: Any) -> Draft:
    return Draft(
        **{name: fields.get(name, getattr(draft, name)) for name in draft.__struct_fields__}  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("wrong", UNREADABLE.values(), ids=UNREADABLE)
def test_an_entry_that_could_not_be_read_again_is_not_written_nor_those_with_it(
    session: Session, wrong: Callable[[Draft], Draft]
) -> None:
    log = Log(session.log.store, session.id)
    good = Draft(Note("x"), (Noted("x", ""),), Who("gm"), log.head, 1)
    with pytest.raises(Unreadable, match=f"entry {log.last + 2} "):
        log.append([good, wrong(good)], "2024-11-03T19:30:00.000Z", [b"s" * 16, b"t" * 16])
    assert session.log.store.head(session.id).seq == session.log.last
    assert log.last == session.log.last
    check_opens_again(session)


# ------------------------------------------------------------------------------------------------ repeats


def test_a_request_that_comes_to_the_same_command_as_another_is_another(session: Session) -> None:
    before = session.log.last
    undone = session.undo("step", why="x", batch="k")
    assert isinstance(undone.command, Rewind)
    with pytest.raises(KeyReused):
        session.rewind(undone.command.to, why="x", batch="k")
    with pytest.raises(KeyReused):
        session.undo("round", why="x", batch="k")
    with pytest.raises(KeyReused):
        session.redo(why="x", batch="k")
    assert session.undo("step", why="x", batch="k") == undone
    assert session.log.last == before + 1


@pytest.mark.parametrize("more", [{}, {"seen_by": ("ann",)}, {"seen_by": ()}, {"given_at": "r1/ann/initiative"}])
@pytest.mark.parametrize("key", ["r1/ann/initiative", "ann/initiative", "initiative"])
@pytest.mark.parametrize("when", ["before the roll", "after it"])
def test_a_modifier_that_is_asked_for_again_is_answered_whatever_became_of_the_roll(
    session: Session, more: dict[str, Any], key: str, when: str
) -> None:
    roll = TypeDice("r1/ann/initiative", (50,))
    if when == "after it":
        session.perform(roll)
    first = session.perform_all(ApplyModifier(key, 5, "early", **more), batch="k")
    if when == "before the roll":
        session.perform(roll)
    last = session.log.last
    session.perform(Note("and so on"))
    assert session.perform_all(ApplyModifier(key, 5, "early", **more), batch="k") == first
    with pytest.raises(KeyReused):
        session.perform_all(ApplyModifier(key, 6, "early", **more), batch="k")
    assert session.log.last == last + 1


@pytest.mark.parametrize("key", ["r1/ann/initiative", "ann/initiative", "initiative"])
@pytest.mark.parametrize("seen_by", [None, (), ("ann",)])
def test_a_modifier_on_an_open_roll_is_as_secret_as_it_was_asked_for_however_the_roll_is_called(
    session: Session, key: str, seen_by: tuple[str, ...] | None
) -> None:
    entry = session.perform(ApplyModifier(key, 5, "early", seen_by=seen_by))
    assert isinstance(entry.command, ApplyModifier)
    assert (entry.command.key, entry.command.seen_by) == ("r1/ann/initiative", seen_by)
    assert {event.seen_by for event in entry.events} == {seen_by}
