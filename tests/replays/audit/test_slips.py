"""Slips: where the gamemaster's word went before the rule, and what would be different without it."""

import pytest
from hypothesis import given
from strategies import attacked, fights

from ledger.commands import Adjust, Choose, TypeDice
from ledger.entry import Who
from replays.api.run_script import perform
from replays.audit.overrides import Slip, slips
from replays.scripts.format import examples, read

TO_HIT, DEFEND, DAMAGE = (f"r1/ann/a1/attack/{role}" for role in ("to-hit", "defend", "damage"))
ZOE, MAX = Who("zoe"), Who("max")


def _hit():
    """Ann has hit Bob with 7 against 50; he failed to defend."""
    session = attacked()
    session.perform(Choose(session.rests[0].key, "fray"))
    session.perform(TypeDice(TO_HIT, (7,)))
    session.perform(TypeDice(DEFEND, (90,)))
    return session


def _wounded(face: int = 5):
    session = _hit()
    session.perform(TypeDice(DAMAGE, (face,)))
    return session


def _only(session) -> Slip:
    (slip,) = slips(session.log)
    return slip


def test_stoyas_printed_example_is_a_slip_the_rule_says_26_the_book_21():
    slip = _only(perform(read(examples()["stoya"].read_bytes())))

    assert ("overrule", "r1/assassin/a2/attack/damage", "dv", 26, 21) == (
        slip.kind, slip.about, slip.figure, slip.rule_says, slip.gm_says,
    )  # fmt: skip
    assert [("stoya", "damage", 21, 26)] == [(s.who, s.what, s.before, s.after) for s in slip.without.shifts]
    assert not slip.without.flips
    assert not slip.without.waits


@pytest.mark.parametrize("name", sorted(set(examples()) - {"stoya"}))
def test_the_other_shipped_fights_go_by_the_rules(name):
    assert [] == list(slips(perform(read(examples()[name].read_bytes())).log))


def test_the_person_who_overruled_is_named_also_where_another_figure_of_it_was_overruled_later():
    session = _wounded()
    session.overrule(DAMAGE, "dv", 3, why="it was the flat", by=ZOE)
    session.overrule(TO_HIT, "outcome", "critical success", why="look at it", by=MAX)
    found = {slip.figure: slip for slip in slips(session.log)}

    assert {"dv": "zoe (gm)", "outcome": "max (gm)"} == {figure: slip.by for figure, slip in found.items()}
    assert 3 == found["dv"].gm_says


def test_an_outcome_that_was_overruled_would_have_been_another_fight():
    session = _wounded()
    session.overrule(TO_HIT, "outcome", "failure", why="she slipped", by=MAX)
    slip = _only(session)

    assert ("success", "failure") == (slip.rule_says, slip.gm_says)
    assert TO_HIT in {flip.key for flip in slip.without.flips}
    assert not slip.without.is_same


def test_a_modifier_after_the_fact_is_a_slip_and_one_before_the_dice_is_none():
    session = _hit()
    session.modify(TO_HIT, -60, why="the lamp was out", by=MAX)
    slip = _only(session)

    assert ("modifier", TO_HIT, 0, -60, "max (gm)") == (slip.kind, slip.about, slip.rule_says, slip.gm_says, slip.by)
    assert ("failure", "success") == next((f.before, f.after) for f in slip.without.flips if f.key == TO_HIT)
    earlier = attacked()
    earlier.perform(Choose(earlier.rests[0].key, "fray"))
    earlier.modify(TO_HIT, -60, why="the lamp is out")
    assert [] == list(slips(earlier.log))


def test_an_adjustment_is_a_slip_with_what_was_so_by_the_rules():
    session = attacked()
    session.perform(Adjust("bob", "tracks.damage", 9, "he fell before"), by=ZOE)
    slip = _only(session)

    assert ("adjustment", "bob", "tracks.damage", 0, 9, "he fell before", "zoe (gm)") == (
        slip.kind, slip.about, slip.figure, slip.rule_says, slip.gm_says, slip.why, slip.by,
    )  # fmt: skip
    assert ("bob", "damage", 9, 0) in [(s.who, s.what, s.before, s.after) for s in slip.without.shifts]


def test_a_slip_that_was_undone_is_none():
    session = attacked()
    session.perform(Adjust("bob", "tracks.damage", 9, "he fell before"))
    session.undo()

    assert [] == list(slips(session.log))


def test_what_would_be_different_is_left_open_where_finding_out_is_too_much():
    session = attacked()
    session.perform(Adjust("bob", "tracks.damage", 9, "he fell before"))

    assert [None] == [slip.without for slip in slips(session.log, budget=0)]


@given(fights(most=30))
def test_every_word_of_the_gamemaster_that_stands_is_a_slip_and_nothing_is_written(fight) -> None:
    log = fight.session.log
    before = log.last
    standing = list(log.entries_of(log.timeline.line()))
    words = sum(type(event).__name__ in ("Overruled", "Adjusted") for entry in standing for event in entry.events)

    found = list(slips(log))

    assert words == sum(slip.kind != "modifier" for slip in found)
    assert before == log.last
