"""What a session offers, checked against what the rules decide."""

from ledger.errors import Refused
from machines.engine.decide import decide
from replays.api.session import Session


def check_offers(session: Session) -> None:
    """What is offered as legal is legal, and what is refused is refused for the reason that was given."""
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
    """A fight that goes on waits for something that can be answered."""
    combat = session.combat
    if combat.clock.fighting and combat.roster.here():
        assert combat.rests
        for rest in combat.rests:
            mine = [one for one in session.options() if one.key == rest.key]

            assert any(not one.refused for one in mine), rest.key
