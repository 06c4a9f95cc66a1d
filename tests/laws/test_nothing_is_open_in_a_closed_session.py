"""A closed session has no rests, accepts no writes, and can still be read."""

from collections.abc import Callable
from typing import Any

import pytest
from hostile import plain_command
from hypothesis import given
from strategies import fights

from ledger.commands import (
    COMMANDS,
    Amend,
    ApplyModifier,
    BeginCombat,
    CloseSession,
    Command,
    Join,
    Note,
    OpenDispute,
    OpenSession,
    Overrule,
    Reveal,
    SettleDispute,
    TypeDice,
)
from ledger.errors import Refused
from machines.contract.refusals import NotOpen
from replays.api.session import Session
from replays.corrections.change import Change

ROLL = "r1/ann/initiative"
FACES = Change(set={"faces": [12]})
SHEET = {"init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40}}


def _closed() -> Session:
    """Returns a session with a roll, a figure, a dispute and an undo, closed by a request with an idempotency key."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for command in (Join("ann", SHEET), BeginCombat(), TypeDice(ROLL, (50,)), OpenDispute("4", "no")):
        session.perform(command)
    session.perform(Note("taken back"))
    session.undo()
    session.perform(CloseSession("done"), batch="close")
    return session


def _fit(kind: type[Command]) -> Command:
    """Returns a command of a type that names existing combatants, keys and entries."""
    fit: dict[type, Command] = {
        OpenSession: OpenSession("again", "eclipse_phase_1e"),
        ApplyModifier: ApplyModifier(ROLL, 5, "late"),
        Overrule: Overrule(ROLL, "score", 9, "my word"),
        Reveal: Reveal(),
        Amend: Amend(4, {"set": {"faces": [12]}}, "misread"),
        OpenDispute: OpenDispute(ROLL, "it cannot be"),
        SettleDispute: SettleDispute("d1", "upheld", "it lies there"),
    }
    return fit.get(kind) or plain_command(kind)


WRITING: dict[str, Callable[[Session], Any]] = {
    "rewind": lambda session: session.rewind(3),
    "undo": lambda session: session.undo(),
    "undo a round": lambda session: session.undo("round"),
    "redo": lambda session: session.redo(),
    "overrule": lambda session: session.overrule(ROLL, "score", 9, why="my word"),
    "modify": lambda session: session.modify(ROLL, 5, why="late"),
    "amend": lambda session: session.amend(4, FACES, why="misread"),
    "amend by its key": lambda session: session.amend(ROLL, FACES, why="misread"),
    "preview": lambda session: session.preview(4, FACES),
    "preview of a modifier": lambda session: session.preview_roll(ApplyModifier(ROLL, 5, "late")),
    "preview of an overruling": lambda session: session.preview_roll(Overrule(ROLL, "score", 9, "my word")),
}
"""The methods that write, except `perform`, and their previews."""


@given(fights(most=30))
def test_closing_leaves_no_rest_and_does_not_change_the_entry_before(fight) -> None:
    session = fight.session
    before = session.combat
    head = session.log.head

    session.perform(CloseSession("done"))

    assert session.combat.rests == session.combat.path.asked == ()
    assert session.options() == ()
    closed = session.state()
    assert closed.active is None
    with pytest.raises(NotOpen):
        session.perform(CloseSession("again"))

    assert session.log.state(head) == before


def _check_refused(session: Session, ask: Callable[[Session], Any]) -> None:
    last, state = session.log.last, session.state()

    with pytest.raises(Refused) as refused:
        ask(session)

    assert refused.value.slug == "session/not-open"
    assert (session.log.last, session.state()) == (last, state)


@pytest.mark.parametrize("kind", COMMANDS)
def test_no_command_is_performed_in_a_closed_session(kind: type[Command]) -> None:
    _check_refused(_closed(), lambda session: session.perform(_fit(kind)))


@pytest.mark.parametrize("method", WRITING)
def test_no_method_writes_to_a_closed_session_or_previews_a_refused_change(method: str) -> None:
    _check_refused(_closed(), WRITING[method])


def test_what_if_questions_about_a_closed_session_are_answered() -> None:
    session = _closed()
    last = session.log.last

    report = session.whatif(4, FACES)

    assert report.shifts
    assert session.log.last == last
    assert session.dispute("d1").challenge.about == "4"
    assert session.audit().is_sound


def test_a_repeated_request_that_closed_the_session_gets_the_stored_response() -> None:
    session = _closed()

    again = session.perform(CloseSession("done"), batch="close")

    assert again.seq == session.log.last
