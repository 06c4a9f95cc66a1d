"""Checks the options of a session against the decisions of the rules."""

from ledger.errors import Refused
from machines.engine.decide import decide
from replays.api.session import Session


def check_offers(session: Session) -> None:
    """Checks that legal options are accepted, and that refused ones are refused for the listed reason."""
    for one in session.options():
        if one.command is None:
            continue
        try:
            decide(session.game, session.combat, one.command)
        except Refused as refusal:
            assert str(refusal) == one.refused
        else:
            assert one.refused == ""


def check_can_go_on(session: Session) -> None:
    """Checks that a running fight waits for a rest that has a legal answer."""
    combat = session.combat
    if combat.clock.fighting and combat.roster.here():
        assert combat.rests
        for rest in combat.rests:
            mine = [one for one in session.options() if one.key == rest.key]

            assert any(not one.refused for one in mine), rest.key
