"""What another combatant spends on a hidden combatant's roll is as hidden as the roll."""

import pytest
from ambush import GAMES, KIRA, SEATS, TYPED, WHO, acts, ambush, go_on, strike

from ledger.commands import Choose, Declare, DrawDice
from ledger.entry import Who
from ledger.events import ResourceSpent
from machines.secrecy.hidden_names import owners
from projections.views.seen import viewer
from replays.api.session import Session
from replays.views.seat_log import seen_log


def spending(game: str) -> Session:
    """Plays an attack of the ambusher on Bob in which everything is spent that can be spent on a roll."""
    session = ambush(game)
    go_on(session, acts(WHO))
    strike(session)
    while rests := [rest for rest in session.rests if f"/{WHO}/" in rest.key and "/attack/" in rest.key]:
        rest = rests[0]
        session.perform(DrawDice(rest.key) if rest.dice else Choose(rest.key, rest.options[-1].option))
    return session


@pytest.mark.parametrize("who", SEATS, ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_no_seat_sees_anything_under_the_key_of_a_hidden_combatants_roll(game: str, who: Who) -> None:
    session = spending(game)
    theirs = {
        key for entry in session.entries() for key, by in owners(session.log.state(entry.seq)).items() if by == WHO
    }
    log = seen_log(session.log, viewer(who, session.combat))

    found = [event for entry in log.entries() for event in entry.events if getattr(event, "key", "") in theirs]

    assert len(theirs) > 1
    assert found == []


def test_what_is_spent_of_the_threat_pool_is_seen_by_the_gamemaster_alone() -> None:
    session = spending("eclipse_phase_2e")
    logs = [session.log, seen_log(session.log, viewer(KIRA, session.combat))]

    spent, shown = (
        [event.who for entry in log.entries() for event in entry.events if isinstance(event, ResourceSpent)]
        for log in logs
    )

    assert spent.count("ann") == 1
    assert shown.count("ann") == 0


def test_a_point_of_the_threat_pool_to_act_first_in_secret_is_seen_by_the_gamemaster_alone() -> None:
    session = ambush("eclipse_phase_2e")
    go_on(session, acts("ann"))

    entry = session.perform(Declare("take_initiative", TYPED, {"pool": "threat"}))

    spent = [event for event in entry.events if isinstance(event, ResourceSpent)]
    assert [(event.who, event.seen_by) for event in spent] == [("ann", ())]
