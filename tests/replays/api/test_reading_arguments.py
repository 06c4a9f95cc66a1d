"""Arguments of a wrong type are refused by the methods that read a session; nothing bare is raised."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from ledger.audience import Viewer
from ledger.commands import Join
from ledger.entry import Seat, Who
from replays.api.reading_arguments import BadArgument
from replays.api.session import Session

Ask = Callable[[Session, Any], object]

EYES: dict[str, Ask] = {
    "options": lambda session, eyes: session.options(eyes),
    "state": lambda session, eyes: session.state(eyes=eyes),
    "state at": lambda session, eyes: session.state(at=1, eyes=eyes),
    "seen": lambda session, eyes: session.seen(eyes),
    "why": lambda session, eyes: session.why("ann.hit_points", eyes),
    "odds": lambda session, eyes: session.odds(eyes=eyes),
    "luck": lambda session, eyes: session.luck(eyes),
    "audit": lambda session, eyes: session.audit(eyes=eyes),
    "disputes": lambda session, eyes: session.disputes(eyes),
    "dispute": lambda session, eyes: session.dispute("d1", eyes),
    "export": lambda session, eyes: list(session.export(eyes)),
}
OTHERS: dict[str, tuple[str, Ask, tuple[Any, ...]]] = {
    "entries after": ("after", lambda session, value: session.entries(value), ("5", None, 1.0, True)),
    "entries upto": ("upto", lambda session, value: session.entries(0, value), ("5", 1.0)),
    "seen head": ("head", lambda session, value: session.seen(Viewer(), value), ("5",)),
    "why": ("subject", lambda session, value: session.why(value), (None, 5)),
    "odds key": ("key", lambda session, value: session.odds(value), (5,)),
    "odds seed": ("seed", lambda session, value: session.odds(seed=value), ("1", None)),
    "odds choices": ("choices", lambda session, value: session.odds(choices=value), (["x"], {5: "x"}, {"x": 5})),
    "audit head": ("head", lambda session, value: session.audit(value), (5, b"ab")),
    "dispute": ("dispute", lambda session, value: session.dispute(value), (5, None)),
    "export seat": ("seat", lambda session, value: list(session.export(seat=value)), (5, None)),
}


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session.create("memory://", ruleset="gurps_3e")
    made.perform(Join("ann", dict(next(iter(made.game.sheets.values()))), player="kira"))
    return made


@pytest.mark.parametrize(
    "eyes",
    ["kira", None, Who("kira", Seat.PLAYER), Viewer(Seat.PLAYER, cast("Any", ["ann"])), Viewer(cast("Any", "player"))],
    ids=["a name", "none", "a person", "a list of combatants", "a seat's name"],
)
@pytest.mark.parametrize("ask", EYES.values(), ids=EYES)
def test_eyes_that_are_no_viewer_are_refused(session: Session, ask: Ask, eyes: object) -> None:
    with pytest.raises(BadArgument) as refusal:
        ask(session, eyes)

    assert refusal.value.where == "eyes"
    assert refusal.value.accepts.startswith("a Viewer, such as projections.views.seen.viewer(")


@pytest.mark.parametrize(
    ("where", "ask", "value"),
    [
        pytest.param(where, ask, value, id=f"{name} {value!r}")
        for name, (where, ask, values) in OTHERS.items()
        for value in values
    ],
)
def test_other_arguments_of_a_wrong_type_are_refused(session: Session, where: str, ask: Ask, value: object) -> None:
    with pytest.raises(BadArgument) as refusal:
        ask(session, value)

    assert refusal.value.where == where
    assert refusal.value.accepts


def test_the_message_says_what_is_wrong(session: Session) -> None:
    with pytest.raises(BadArgument) as refusal:
        session.state(eyes=cast("Any", "kira"))

    assert str(refusal.value) == (
        "argument/invalid: eyes is a str and no Viewer (accepted: a Viewer, such as "
        "projections.views.seen.viewer(Who('kira', Seat.PLAYER), session.combat))"
    )


def test_right_arguments_are_accepted(session: Session) -> None:
    kira = Viewer(Seat.PLAYER, frozenset({"ann"}))

    assert session.state(eyes=kira).entries == 2
    assert [entry.seq for entry in session.entries(1, 2)] == [2]
    assert session.seen(kira, 2).roster["ann"].player == "kira"
