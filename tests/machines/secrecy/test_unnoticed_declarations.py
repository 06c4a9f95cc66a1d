"""A secret declaration that goes unnoticed is not revealed by a roll of its target."""

from typing import Any

import pytest
from ambush import KIRA, SEATS, TYPED, WHO, acts, ambush, everything, go_on

from ledger import events as e
from ledger.commands import Declare, TypeDice
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.registry import installed
from projections.views.seen import viewer
from replays.api.session import Session

UNNOTICED = [(game, kind) for game in sorted(installed()) for kind in ruleset(game).unnoticed]
TERMS: dict[tuple[str, str], dict[str, Any]] = {("gurps_3e", "feint"): {"at": "bob", "using": "fist"}}
HOW = pytest.mark.parametrize("hidden", [True, False], ids=["hidden combatant", "secret declaration"])
ALL = pytest.mark.parametrize(("game", "kind"), UNNOTICED)


def declared(game: str, kind: str, *, hidden: bool, secret: bool = True) -> Session:
    """Declares it against Bob, and throws all of its dice."""
    session = ambush(game)
    go_on(session, acts(WHO if hidden else "ann"))
    seen_by = () if secret and not hidden else None
    session.perform(Declare(kind, TYPED if hidden else "ann", TERMS[game, kind], seen_by=seen_by))
    while session.combat.exchange.frame is not None:
        assert not (secret and session.state(eyes=viewer(KIRA, session.combat)).rests)
        rest = session.rests[0]
        session.perform(TypeDice(rest.key, (2, 2, 2) if rest.by != "bob" else (4, 4, 4)))
    return session


@ALL
@HOW
def test_no_seat_is_shown_what_is_rolled_against_it(game: str, kind: str, hidden: bool) -> None:
    session = declared(game, kind, hidden=hidden)

    rolled = [event for entry in session.entries() for event in entry.events if isinstance(event, e.RollRequested)]
    keys = {event.key for event in rolled if f"/{kind}/" in event.key and event.by == "bob"}
    assert keys
    for who in SEATS:
        shown = everything(session, who)
        assert not [key for key in keys if key in shown]


@ALL
@HOW
def test_a_recorded_one_is_decided_again_as_it_was(game: str, kind: str, hidden: bool) -> None:
    session = declared(game, kind, hidden=hidden)

    for entry in session.log.entries_of(session.log.timeline.line()):
        before = session.log.state(entry.after)
        if isinstance(entry.command, TypeDice) and f"/{kind}/" in entry.command.key:
            assert entry.command.seen_by == () or before.path.asked[0].by == "ann"
            assert decide(session.game, before, entry.command) == entry.events


@ALL
def test_one_that_is_declared_in_the_open_is_shown(game: str, kind: str) -> None:
    session = declared(game, kind, hidden=False, secret=False)

    for who in SEATS:
        assert f"/{kind}/" in everything(session, who)
