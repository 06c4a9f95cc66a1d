"""A value of a wrong type or beyond its bound, in any field of any command, is refused with a slug; nothing is written."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hostile import FIELDS, WRONG, plain_command
from strategies import ARMED, attacked

from ledger.commands import (
    Adjust,
    Amend,
    AmendSheet,
    ApplyModifier,
    BeginCombat,
    Choose,
    CloseSession,
    Command,
    Declare,
    DrawDice,
    EndCombat,
    Join,
    Leave,
    Note,
    OpenDispute,
    OpenSession,
    Overrule,
    PassTime,
    Reveal,
    Rewind,
    SettleDispute,
    TypeDice,
)  # fmt: skip
from ledger.errors import BadCommand, Refused
from replays.api.session import Session
from replays.corrections.change import Change

by_value = pytest.mark.parametrize("value", WRONG, ids=range(len(WRONG)))
HONEST: dict[type[Command], Command] = {
    type(command): command
    for command in (
        Join("cyd", ARMED), AmendSheet("ann", ARMED), Leave("bob"), BeginCombat(), EndCombat(), Declare("attack", "ann", {"at": "bob", "using": "club"}),
        Choose("r1/ann/a1/attack/defense", "fray"), TypeDice("r1/ann/a1/attack/to-hit", (12,)), DrawDice("r1/ann/a1/attack/to-hit"),
        ApplyModifier("r1/ann/initiative", 10, "fog"), Overrule("r1/ann/initiative", "target", 10, "so"), Adjust("ann", "wounds", 1, "so"),
        PassTime(1, "hours"), Note("so"), Rewind(3), Amend(5, {"set": {"faces": [7]}}, "so"), OpenDispute("4", "no"), SettleDispute("d1", "upheld", "no"),
        Reveal(), OpenSession("A brawl", "eclipse_phase_1e"), CloseSession(),
    )
}  # fmt: skip
"""Commands that are plausible in a fight; for other types of commands one with valid types."""


def refused(ask: Callable[[], object]) -> str:
    """Returns the slug of a refusal; empty where the call is not refused."""
    try:
        ask()
    except Refused as refusal:
        assert "/" in refusal.slug
        assert refusal.message
        return refusal.slug
    return ""


@pytest.mark.parametrize(("kind", "field"), FIELDS, ids=lambda each: getattr(each, "__name__", each))
def test_any_value_in_any_field_of_any_command_is_accepted_or_refused(kind: type[Command], field: str) -> None:
    session = attacked()
    for value in WRONG:
        before = session.log.last, session.combat
        command = msgspec.structs.replace(HONEST.get(kind, plain_command(kind)), **{field: value})

        if refused(lambda: session.perform(command)):  # noqa: B023  called at once
            assert (session.log.last, session.combat) == before
        else:
            assert Session(session.log.store, session.id).combat == session.combat
            session = attacked()


@pytest.mark.parametrize("field", ["title", "ruleset", "profile", "options", "policies", "source", "by", "session"])
def test_a_session_is_not_created_with_wrong_values(field: str) -> None:
    for value in WRONG:
        given: dict[str, Any] = {"ruleset": "eclipse_phase_1e", field: value}

        refused(lambda: Session.create("memory://", **given))  # noqa: B023


PATHS = [
    "who",
    "name",
    "sheet.skills.fray",
    "sheet.weapons",
    "faces",
    "terms.at",
    "terms",
    "kind",
    "by",
    "key",
    "player",
    "sheet",
    ".",
    "x.",
    ".x",
]


@by_value
def test_any_value_of_an_amendment_is_accepted_or_refused(value: Any) -> None:
    session = attacked()
    for seq in (2, 5, 7):
        for path in (*PATHS, ""):
            before = session.log.last

            if refused(lambda: session.amend(seq, Change(set={path: value}), why="so", consent=True)):  # noqa: B023
                assert session.log.last == before
            else:
                session = attacked()


@by_value
def test_any_argument_of_a_session_is_accepted_or_refused(value: Any) -> None:
    session = attacked()
    for ask in (
        lambda: session.rewind(value), lambda: session.rewind(3, why=value), lambda: session.undo(value), lambda: session.undo(why=value),
        lambda: session.redo(why=value), lambda: session.overrule(value, "target", 3, why="so"), lambda: session.overrule("initiative", value, 3, why="so"),
        lambda: session.overrule("initiative", "target", value, why="so"), lambda: session.modify(value, 3, why="so"), lambda: session.modify("initiative", value, why="so"),
        lambda: session.amend(value, Change(drop=True), why="so"), lambda: session.amend(5, value, why="so"), lambda: session.amend(5, Change(dice=value), why="so"),
        lambda: session.amend(5, Change(insert=value), why="so"), lambda: session.amend(5, Change(insert=(value,)), why="so"),
        lambda: session.amend(5, Change(dice={"r1/ann/initiative": value}), why="so"), lambda: session.amend(5, Change(set=value), why="so"),
        lambda: session.amend(5, Change(drop=value), why="so"), lambda: session.preview(4, Change(drop=True), why=value), lambda: session.whatif(value, Change(drop=True)),
        lambda: session.state(value), lambda: session.odds(declare=value),
        lambda: session.odds(declare=Declare(value, "ann")), lambda: session.odds(declare=Declare("attack", value)), lambda: session.odds(declare=Declare("attack", "ann", value)),
        lambda: session.odds(declare=Declare("attack", "ann", {"at": value, "using": "club"})),
    ):  # fmt: skip
        refused(ask)


def test_values_of_an_amendment_have_the_bounds_of_commands() -> None:
    session = attacked()
    session.perform(Note("so"))
    for change in (
        Change(set={"text": "x" * 20_001}),
        Change(insert=({"note": "x" * 20_001},)),
        Change(insert=({"adjust": {"who": "bob", "what": "wounds", "value": 10**7, "why": "so"}},)),
    ):
        before = session.log.last
        with pytest.raises(BadCommand):
            session.amend(session.log.last, change, why="so")
        with pytest.raises(BadCommand):
            session.preview(session.log.last, change, why="so")
        assert session.log.last == before


def test_an_entry_beyond_todays_bound_stays_when_another_is_amended() -> None:
    from drafting import drafts  # the log was written before there was a bound

    session = attacked()
    long = drafts(session, Note("x" * 30_000))
    session.log.append(long, "2024-11-03T19:30:00.000Z", [bytes(16)])

    session.amend(5, Change(set={"faces": [20]}), why="misread")

    assert [entry.command for entry in session.entries() if isinstance(entry.command, Note)] == [
        Note("x" * 30_000, given_at="r1/ann/a1/attack/defense")
    ] * 2
