"""Who joins in secret is, until they are revealed, in nothing that a player or a spectator is shown."""

import pytest
from ambush import GAMES, NAME, SEATS, TYPED, WHO, acts, ambush, everything, go_on


@pytest.mark.parametrize("policy", ["nothing", "someone"])
@pytest.mark.parametrize("game", GAMES)
def test_name_score_and_sheet_are_in_nothing_that_is_shown_until_the_reveal(game: str, policy: str) -> None:
    session = ambush(game, policy)
    go_on(session, acts(WHO))
    for who in SEATS:
        shown = everything(session, who)
        assert NAME not in shown and TYPED not in shown
        assert (WHO in shown) == (policy == "someone"), shown
