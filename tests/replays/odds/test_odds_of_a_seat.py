"""Odds that a player asks for about their own roll, where whoever attacks them is hidden from them."""

import pytest
from ambush import GAMES, KIRA, WHO, acts, ambush, go_on, strike

from ledger.commands import Choose, TypeDice
from ledger.dice import parse
from ledger.errors import Refused
from projections.views.seen import viewer
from replays.api.session import Session

REFUSED = "odds/secret: the chances rest on what is hidden from you (accepted: ask the gamemaster)"


def _defends(game: str) -> Session:
    """The ambusher has struck at Bob, who is to throw the dice of his defense."""
    session = ambush(game)
    go_on(session, acts(WHO))
    strike(session, WHO)
    for _ in range(8):
        rest = next((each for each in session.rests if each.dice and each.by == "bob"), None)
        if rest is not None:
            return session
        rest = session.rests[0]
        if rest.dice:
            face = 2 if game == "gurps_3e" else 5
            session.perform(TypeDice(rest.key, (face,) * len(parse(rest.dice).sides)))
        else:
            offered = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next(each for each in ("fray", "dodge", "block") if each in offered)))
    raise AssertionError("Bob never defended")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("names_it", [False, True], ids=["what is waited for", "by its key"])
def test_odds_that_rest_on_somebody_hidden_are_refused_for_that_reason(game: str, names_it: bool) -> None:
    session = _defends(game)
    key = next(rest.key for rest in session.rests if rest.by == "bob") if names_it else None

    with pytest.raises(Refused) as refusal:
        session.odds(key, eyes=viewer(KIRA, session.combat))

    assert str(refusal.value) == REFUSED
