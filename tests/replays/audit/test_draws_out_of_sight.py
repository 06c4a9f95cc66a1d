"""What an audit discloses to a seat about dice drawn out of its sight and about secret reasons to draw again."""

import pytest
from ambush import GAMES, SEATS, TYPED, WHO, acts, ambush, go_on, strike, viewer

from ledger.commands import DrawDice
from ledger.entry import Who
from replays.api.session import Session


def attacked(game: str) -> Session:
    """Bob shoots at Ann; the table waits for his roll to hit."""
    session = ambush(game)
    go_on(session, acts("bob"))
    strike(session, "bob", "ann")
    go_on(session, lambda rest: bool(rest.dice))
    return session


@pytest.mark.parametrize("who", SEATS, ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_the_reason_of_a_secret_undo_is_no_reason_to_draw_again(game: str, who: Who) -> None:
    session = attacked(game)
    key = session.rests[0].key
    session.perform(DrawDice(key))
    session.undo(why="the sniper was seen", seen_by=())
    session.perform(DrawDice(key))

    again = session.audit(eyes=viewer(who, session.combat)).dice.draws[-1]

    assert (again.key, again.before is None) == (key, False)
    assert again.why.startswith("undone by entry")
    assert "sniper" not in again.why
    assert "sniper" in session.audit().dice.draws[-1].why


@pytest.mark.parametrize("who", SEATS, ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_a_draw_of_a_hidden_combatant_is_counted_and_not_named(game: str, who: Who) -> None:
    session = ambush(game)
    go_on(session, acts(WHO))
    strike(session)
    go_on(session, lambda rest: rest.by == WHO and bool(rest.dice))
    session.perform(DrawDice(session.rests[0].key))

    hers = session.audit(eyes=viewer(who, session.combat)).dice.draws
    whole = session.audit().dice.draws

    assert [draw.nth for draw in hers] == [draw.nth for draw in whole]
    hidden = [place for place, draw in enumerate(whole) if f"/{WHO}/" in draw.key]
    assert hidden
    assert {(hers[place].key, hers[place].faces, hers[place].dice) for place in hidden} == {("", (), "")}
    assert not [draw for draw in hers if WHO in draw.key or TYPED in draw.key]
