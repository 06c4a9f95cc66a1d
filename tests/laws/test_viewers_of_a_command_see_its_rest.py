"""Every viewer of a command also sees the rest that it was given at."""

import pytest
from ambush import GAMES, WATCHER, WHO, acts, ambush, go_on, strike
from hypothesis import given
from strategies import ANSWERS, fights

from ledger.audience import Viewer
from ledger.commands import Note
from ledger.entry import Seat, Who
from projections.views.seen import viewer
from replays.api.session import Session

PEOPLE = (WATCHER, Who("kira", Seat.PLAYER), Who("ben", Seat.PLAYER))


@pytest.mark.parametrize("game", GAMES)
def test_public_words_do_not_name_the_roll_of_a_hidden_combatants_attacker(game: str) -> None:
    session = ambush(game)
    go_on(session, acts("bob"))
    strike(session, "bob", at=WHO)
    asked = session.rests[0].key

    note = session.perform(Note("so far so good"))
    named = session.perform(Note("so far so bad", given_at=asked))

    assert asked not in {rest["key"] for rest in session.state(eyes=viewer(WATCHER, session.combat)).rests}
    assert (note.command.given_at, named.command.given_at) == (None, None)


@given(fights(secrets=True, moves=(*ANSWERS * 4, "note", "adjust")))
def test_every_viewer_of_a_command_sees_its_rest(fight) -> None:
    session: Session = fight.session
    for who in PEOPLE:
        eyes: Viewer = viewer(who, session.combat)
        for entry in session.entries():
            if entry.command.given_at is not None and eyes.may_see(entry.command.seen_by):
                seen = session.state(entry.after, eyes)
                assert entry.command.given_at in {rest["key"] for rest in seen.rests}
