"""Dice that lie are not thrown again: where a pool has grown, only what is missing beside them is taken."""

import pytest
from secret_fights import BAD, HIT, eyes, met, strike, until, waits_for

from ledger.commands import ApplyModifier, BeginCombat, Command, DrawDice, Join, TypeDice
from ledger.entry import Seat, Who
from ledger.errors import LieAlready, Refused
from ledger.events import DiceRolled
from projections.views.released import released
from projections.views.seen import viewer
from replays.api.session import Session
from replays.corrections.change import Change
from replays.table.table import Table

KEY = "r1/ann/initiative"
LIE = (1, 2, 3, 4, 5, 6)
KIRA = Who("kira", Seat.PLAYER)
SHEET = {"reaction": 3, "intuition": 3}


def grown(first: Command, *, policy: str = "sticky") -> Session:
    """Ann has rolled six dice for initiative; then she has two more."""
    session = Session.create("memory://", ruleset="shadowrun_4e", policies={"dice": policy})
    for command in (Join("ann", SHEET, player="kira"), Join("bob", SHEET), BeginCombat()):
        session.perform(command)
    session.perform(first, by=KIRA)
    session.perform(ApplyModifier(KEY, 2, "the fog lifts"))
    return session


def lying(session: Session) -> tuple[int, ...]:
    return session.waiting.known_faces(session.rests[0])


def other(faces: tuple[int, ...]) -> tuple[int, ...]:
    return (faces[0] % 6 + 1, *faces[1:])


@pytest.mark.parametrize("policy", ["sticky", "fresh"])
@pytest.mark.parametrize("first", [TypeDice(KEY, LIE), DrawDice(KEY)], ids=["typed", "drawn"])
def test_faces_that_lie_are_not_replaced(first: Command, policy: str) -> None:
    session = grown(first, policy=policy)
    lie, last = lying(session), session.log.last
    shown = " ".join(map(str, lie))

    for faces in ((*other(lie), 6, 6), (6, 6, *other(lie)), (6,), (6,) * 3, lie, (*lie, 6), ()):
        with pytest.raises(LieAlready, match=f"6 lie already: {shown}; 2 are missing") as refusal:
            session.perform(TypeDice(KEY, faces), by=KIRA)
        assert refusal.value.slug == "dice/lie-already"

    assert (session.log.last, lying(session)) == (last, lie)


@pytest.mark.parametrize("first", [TypeDice(KEY, LIE), DrawDice(KEY)], ids=["typed", "drawn"])
def test_what_is_missing_is_taken_alone_or_behind_what_lies(first: Command) -> None:
    alone, whole = grown(first), grown(first)
    lie = lying(alone)

    written = alone.perform(TypeDice(KEY, (6, 5)), by=KIRA).command
    again = whole.perform(TypeDice(KEY, (*lying(whole), 6, 5)), by=KIRA).command

    assert isinstance(written, TypeDice)
    assert isinstance(again, TypeDice)
    assert (written.faces, again.faces[-2:]) == ((*lie, 6, 5), (6, 5))
    usual = "typed" if isinstance(first, TypeDice) else "drawn"
    assert written.provenance == again.provenance == (*(usual,) * 6, "typed", "typed")


def test_dice_that_lie_in_secret_are_not_replaced_either() -> None:
    """The refusal names the dice to the gamemaster; to a seat it discloses only what that seat sees."""
    session = grown(TypeDice(KEY, LIE, seen_by=()))
    assert lying(session) == LIE

    with pytest.raises(Refused, match="6 lie already: 1 2 3 4 5 6; 2 are missing"):
        session.perform(TypeDice(KEY, (6,) * 8))
    with pytest.raises(Refused) as refusal:
        session.perform(TypeDice(KEY, (6,) * 8), by=KIRA)
    assert "1 2 3 4 5 6" not in str(refusal.value)


def test_at_the_table_faces_that_lie_are_not_replaced() -> None:
    session = grown(TypeDice(KEY, LIE))
    table = Table(session, KIRA)

    assert "6 lie already: 1 2 3 4 5 6; 2 are missing" in str(table.submit("6 6 6 6 6 6 6 6"))
    table.submit("6 6")

    written = session.log.entry(session.log.last).command
    assert isinstance(written, TypeDice)
    assert written.faces == (*LIE, 6, 6)


@pytest.mark.parametrize("more", [TypeDice(KEY, (6, 5)), TypeDice(KEY, (*LIE, 6, 5)), DrawDice(KEY)], ids=str)
def test_a_roll_is_as_secret_as_the_dice_that_lie_of_it(more: Command) -> None:
    """Throwing the missing dice in the open does not disclose those that lie already."""
    session = grown(TypeDice(KEY, LIE, seen_by=()))

    written = session.perform(more)

    hers = viewer(KIRA, session.combat)
    told = [event for entry in session.entries() for event in released(entry, hers).events]
    assert written.command.seen_by == ()
    assert {event.faces for event in told if isinstance(event, DiceRolled)} == {()}
    assert "r1/ann/initiative" not in [each.key for each in session.audit(eyes=hers).rolls if each.faces]


def test_dice_that_lie_in_the_open_stay_so_where_the_others_are_secret() -> None:
    session = grown(TypeDice(KEY, LIE))

    written = session.perform(TypeDice(KEY, (6, 5), seen_by=()))

    assert written.command.seen_by == ()
    first = next(entry.command for entry in session.entries() if isinstance(entry.command, TypeDice))
    assert (first.faces, first.seen_by) == (LIE, None)


def test_a_seat_is_asked_for_what_is_missing_beside_secret_dice_and_not_told_which_lie() -> None:
    session = grown(TypeDice(KEY, LIE, seen_by=()))

    hers, gms = (Table(session, who).question().rolls[0] for who in (KIRA, Who("gm", Seat.GM)))

    assert (hers.missing, hers.known_faces) == (gms.missing, ()) == ("2d6", ())
    assert gms.known_faces == LIE
    assert "2d6 more beside 6 that are hidden" in hers.words
    assert "2d6 more beside 1 2 3 4 5 6" in gms.words


@pytest.mark.parametrize(
    ("game", "weapon", "damage"), [("eclipse_phase_1e", "claws", "3d10"), ("gurps_3e", "spear", "3d+2")]
)
def test_damage_is_as_secret_as_the_dice_that_lie_of_it(game: str, weapon: str, damage: str) -> None:
    session = met(game, None)
    strike(session)
    until(session, waits_for(session, "damage"), {"to-hit": HIT[game], "defend": BAD[game]})
    session.perform(TypeDice(session.rests[0].key, (1,), seen_by=()))
    session.amend(2, Change(set={f"sheet.weapons.{weapon}.damage": damage}), why="sharpened")
    rest = session.rests[0]
    assert (session.waiting.known_faces(rest), session.waiting.known_faces(rest, eyes(session))) == ((1,), ())
    assert session.waiting.count(rest) == 1

    written = session.perform(TypeDice(rest.key, (1, 1)))

    assert written.command.seen_by == ()
    told = [event.faces for event in released(written, eyes(session)).events if isinstance(event, DiceRolled)]
    assert told == [()]
