"""Luck: what dice showed against what was expected of them."""

from fractions import Fraction
from itertools import cycle

import pytest

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, TypeDice
from ledger.entry import Seat, Who
from replays import Session
from replays.api.run_script import perform
from replays.odds.luck import FEWEST_DICE, Faces, NoDice, luck, two_sided
from replays.scripts import format as scripts

SHEET = {
    "init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 50},
    "weapons": {"fist": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10"}},
}  # fmt: skip


def brawl(*faces: int) -> Session:
    """Ann and Bob; what is drawn comes from these faces, again and again."""
    given = cycle(faces or (50,))
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="luck", draw=lambda *_: (next(given),))
    for who, player in (("ann", "kira"), ("bob", "gm")):
        session.perform(Join(who, SHEET, player=player))
    session.perform(BeginCombat())
    for who, face in (("ann", 80), ("bob", 10)):
        session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
    return session


def swing(session: Session, attack: int, defense: int) -> None:
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "fist"}))
    session.perform(Choose(session.rests[0].key, "fray"))
    session.perform(TypeDice(session.rests[0].key, (attack,)))
    session.perform(TypeDice(session.rests[0].key, (defense,)))


def rounds(session: Session, count: int) -> None:
    """Both end their turns, and initiative is drawn anew."""
    for _ in range(count):
        while session.rests[0].options:
            session.perform(Choose(session.rests[0].key, "end"))
        while session.rests[0].dice:
            session.perform(DrawDice(session.rests[0].key))


def test_successes_are_compared_with_the_sum_of_their_exact_chances():
    session = brawl()
    swing(session, 70, 90)
    found = {one.who: one for one in luck(session.log).successes}

    # Fifty: 00 to 50 without 99. Forty: 00 to 40.
    assert (found["kira"].tests, found["kira"].successes, found["kira"].expected) == (1, 0, Fraction(51, 100))
    assert (found["gm"].tests, found["gm"].successes, found["gm"].expected) == (1, 0, Fraction(41, 100))
    assert found["kira"].p is None
    assert not found["kira"].unusual


def test_faces_are_told_by_person_by_die_and_by_provenance():
    session = brawl()
    swing(session, 20, 90)
    found = {(one.by, one.who, one.sides): one for one in luck(session.log).faces}

    assert found["person", "kira", 100].dice == 2
    assert found["person", "kira", 100].mean == 50
    assert found["person", "gm", 100].expected == Fraction(99, 2)
    assert found["die", "", 100].dice == 4
    assert found["provenance", "typed", 100].dice == 4


def test_small_samples_are_told_without_any_significance():
    session = brawl()
    said = luck(session.log)

    assert said.dice < FEWEST_DICE
    assert all(one.z is None and one.p is None and not one.unusual for one in said.faces)
    assert said.comparisons == 0


def test_a_die_that_always_shows_ninety_nine_is_unusual_and_a_fair_one_is_not():
    biased, fair = brawl(99), brawl(*range(0, 100, 3))
    rounds(biased, 40)
    rounds(fair, 40)
    always, sometimes = drawn(biased), drawn(fair)

    assert (always.dice, always.mean, always.unusual) == (80, 99, True)
    assert always.z is not None
    assert always.z > 10
    assert sometimes.p is not None
    assert (sometimes.unusual, sometimes.p > Fraction(1, 20)) == (False, True)


def drawn(session: Session) -> Faces:
    return next(one for one in luck(session.log).faces if one.who == "drawn")


def test_dice_of_what_was_overruled_count_once():
    session = perform(scripts.read(scripts.find_script("stoya")[1], "stoya"))
    said = luck(session.log)

    assert sum(one.dice for one in said.faces if one.by == "die") == said.dice
    assert {one.sides: one.dice for one in said.faces if one.by == "die"} == {100: 11, 10: 5}
    assert said.not_standing == 0
    session.overrule("stoya/knockdown", "outcome", "failure", why="a test")
    assert luck(session.log).dice == said.dice


def test_dice_that_were_taken_back_are_told_beside_the_others():
    session = brawl()
    swing(session, 70, 90)
    before = luck(session.log).dice
    session.undo("exchange")
    said = luck(session.log)

    assert (said.dice, said.not_standing) == (before - 2, 2)


def test_secret_rolls_count_for_whoever_may_see_them():
    session = brawl()
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "fist"}))
    session.perform(Choose(session.rests[0].key, "fray"))
    session.perform(TypeDice(session.rests[0].key, (20,)))
    session.perform(TypeDice(session.rests[0].key, (90,), seen_by=()), by=Who("gm"))
    kira = Viewer(Seat.PLAYER, frozenset({"ann"}))

    assert luck(session.log).dice == 4
    assert luck(session.log, kira).dice == 3
    assert {one.who for one in luck(session.log, kira).successes} <= {"kira"}


def test_a_session_without_dice_is_refused():
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="nothing yet")
    with pytest.raises(NoDice) as refusal:
        luck(session.log)

    assert (refusal.value.slug, refusal.value.where) == ("luck/no-dice", "session")


@pytest.mark.parametrize("name", list(scripts.examples()))
def test_every_shipped_fight_is_measured_with_all_its_tests(name):
    said = luck(perform(scripts.read(scripts.find_script(name)[1], name)).log)

    assert said.unreckoned == 0
    assert all(0 <= one.expected <= one.tests for one in said.successes)
    assert sum(one.dice for one in said.faces if one.by == "person") == said.dice
    assert sum(one.dice for one in said.faces if one.by == "provenance") == said.dice


def test_the_exact_tail_is_twice_the_smaller_one_and_never_more_than_one():
    assert two_sided([Fraction(1, 2)] * 4, 0) == pytest.approx(1 / 8)
    assert two_sided([Fraction(1, 2)] * 4, 2) == 1
    assert two_sided([Fraction(1), Fraction(0)], 1) == 1
