"""The page on what players see and infer names both lists, and is right about initiatives."""

import re
from pathlib import Path

import pytest

from ledger.commands import ApplyModifier, BeginCombat, Join, TypeDice
from ledger.entry import Seat, Who
from ledger.events import DiceRolled
from projections.views.released import DISCLOSED_TO_ALL, SET_ASIDE
from projections.views.seen import shown, viewer
from replays.api.session import Session

PAGE = Path(__file__).parents[3] / "machines/secrecy/WHAT_PLAYERS_SEE.md"
KIRA = Who("kira", Seat.PLAYER)
SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
KEY = "r1/ann/initiative"


@pytest.mark.parametrize("listed", [DISCLOSED_TO_ALL, SET_ASIDE], ids=["told to all", "set aside"])
def test_the_page_names_each_row_of_a_list_in_its_order(listed: dict[str, str]) -> None:
    rows = re.findall(r"^\| ([^|`-][^|`]*) \|", PAGE.read_text(), re.MULTILINE)

    assert [row for row in rows if row in listed] == [*listed]


def _initiative(*, in_secret: bool) -> tuple[Session, list[tuple[int, ...]]]:
    """Returns a session with Ann's initiative, which has a secret modifier of 7, and the faces that Kira sees."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, SHEET, player="kira" if who == "bob" else ""))
    session.perform(BeginCombat())
    session.perform(ApplyModifier(KEY, 7, "it lies in wait", seen_by=()))
    session.perform(TypeDice(KEY, (55,), seen_by=() if in_secret else None))
    session.perform(TypeDice("r1/bob/initiative", (9,)))
    events = shown(session.entries(), viewer(KIRA, session.combat))
    return session, [each.faces for each in events if isinstance(each, DiceRolled) and each.key == KEY]


def test_an_open_initiative_die_beside_the_order_tells_the_hidden_modifier() -> None:
    session, faces = _initiative(in_secret=False)

    (score,) = (score for who, score in session.state(eyes=viewer(KIRA, session.combat)).initiative if who == "ann")
    assert faces == [(55,)]
    assert score is not None
    assert score - 60 - 55 == 7


def test_an_initiative_thrown_in_secret_shows_no_die() -> None:
    session, faces = _initiative(in_secret=True)

    assert faces == [()]
    assert ("ann", 122) in session.state(eyes=viewer(KIRA, session.combat)).initiative
