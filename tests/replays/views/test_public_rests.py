"""The gamemaster is shown which questions players do not see, or see with other words."""

from io import StringIO

import pytest
from ambush import GAMES, WHO, acts, ambush, go_on, strike
from rich.console import Console
from secret_fights import met, until
from secret_fights import strike as struck

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Seat, Who
from projections.views.seen import viewer
from replays.api.session import GM, Session
from replays.cli import board, screen
from replays.cli.context import public
from replays.table.table import Table
from replays.views.public_rests import NOTHING, WITHOUT, seen_otherwise


def marks(session: Session) -> dict[str, str]:
    return seen_otherwise(session.state().rests, session.state(eyes=Viewer(Seat.SPECTATOR)).rests)


def screen_of(session: Session, who: Who = GM) -> str:
    """Returns the question on a caller's screen, with the prompt."""
    text = StringIO()
    table = Table(session, who)
    asked = table.question()
    board.show_question(Console(file=text, width=200), table, asked)
    return text.getvalue() + board.prompt(table, asked)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_hidden_combatant_is_asked_is_marked_as_seen_by_no_player(game: str) -> None:
    session = ambush(game)
    go_on(session, acts(WHO))

    assert set(marks(session).values()) == {NOTHING}
    assert f"◌ {NOTHING}" in screen_of(session)
    assert "◌" not in screen_of(session, Who("kira", Seat.PLAYER))


@pytest.mark.parametrize("game", GAMES)
def test_where_nothing_is_hidden_nothing_is_marked(game: str) -> None:
    session = met(game, None)
    struck(session)

    assert marks(session) == {}
    assert "◌" not in screen_of(session)


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e"])
def test_a_question_about_a_secret_roll_is_marked_with_the_words_that_players_see(game: str) -> None:
    session = met(game, villain={"moxie": 5} if game == "eclipse_phase_1e" else {"pools": {"vigor": 5}})
    struck(session)
    until(session, lambda: any("moxie" in rest.key or "pool" in rest.key for rest in session.rests), secret=["villain"])
    (rest,) = session.rests
    (public,) = session.state(eyes=Viewer(Seat.SPECTATOR)).rests
    assert public["purpose"] != rest.purpose

    (words,) = marks(session).values()

    assert words.startswith(f"players see: {public['purpose']}")
    assert f"◌ {words}" in screen_of(session)


def test_a_choice_whose_targets_are_hidden_is_marked() -> None:
    session = met("gurps_3e", None)
    struck(session, theirs=["from the side"])
    until(session, lambda: session.rests[0].key.endswith("/defense"), {"to-hit": (3, 3, 3)})
    assert marks(session) == {}

    session = ambush("gurps_3e")
    go_on(session, acts(WHO))
    strike(session, their_elevation=-1)
    go_on(session, lambda rest: rest.key.endswith("/defense"), {WHO: 2})

    assert marks(session) == {session.rests[0].key: WITHOUT}


def test_the_state_of_a_fight_is_marked_for_the_gamemaster_alone() -> None:
    session = ambush("gurps_3e")
    go_on(session, acts(WHO))

    said = []
    for eyes in (EVERYTHING, viewer(Who("kira", Seat.PLAYER), session.combat)):
        text = StringIO()
        shown = session.state(eyes=eyes)
        screen.tracker(Console(file=text, width=200), shown, session.seen(eyes).clock, public(session, eyes))
        said.append(text.getvalue())

    assert f"({NOTHING})" in said[0]
    assert "◌ waiting for" in said[0]
    assert "◌" not in said[1]
