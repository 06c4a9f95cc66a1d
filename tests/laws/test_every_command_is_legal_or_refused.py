"""At every box every command is legal or refused for a reason with a slug; nothing else is ever raised."""

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import ARMED, any_command, attacked, fights, people

from ledger.commands import Adjust, AmendSheet, ApplyModifier, BeginCombat, DrawDice, Join, Note, TypeDice
from ledger.errors import Refused
from machines.engine.decide import decide
from replays.api.session import Session


def _attempt(ask: Callable[[], object]) -> None:
    try:
        ask()
    except Refused as refusal:
        assert "/" in refusal.slug, refusal.slug
        assert refusal.message, refusal.slug


@given(fights(most=30), st.data())
def test_performing_anything_at_any_point_is_answered(fight, data) -> None:
    for _ in range(data.draw(st.integers(1, 12))):
        command, by = data.draw(any_command(fight.session)), data.draw(people())

        _attempt(lambda: fight.session.perform(command, by=by))  # noqa: B023  called at once


@given(fights(most=30), st.data())
def test_deciding_anything_at_any_point_is_answered(fight, data) -> None:
    for _ in range(data.draw(st.integers(1, 12))):
        command = data.draw(any_command(fight.session))

        _attempt(lambda: decide(fight.session.game, fight.session.combat, command))  # noqa: B023


@given(fights(most=30), st.data())
def test_rewinding_undoing_overruling_and_modifying_anything_is_answered(fight, data) -> None:
    session, words = fight.session, st.text(max_size=4)
    keys = st.sampled_from(("ann", "to-hit", "bob/defend", "initiative", "", "/")) | words
    numbers = st.integers(-2, session.log.last + 2)

    _attempt(lambda: session.rewind(data.draw(numbers)))
    _attempt(lambda: session.undo(data.draw(st.sampled_from(("step", "exchange", "turn", "round", "fight", "")))))
    _attempt(
        lambda: session.overrule(
            data.draw(keys), data.draw(st.sampled_from(("dv", "outcome", ""))), data.draw(numbers), why=""
        )
    )
    _attempt(lambda: session.modify(data.draw(keys), data.draw(numbers), why=""))
    _attempt(lambda: session.state(at=data.draw(numbers)))
    _attempt(session.redo)


def _play_on(session: Session) -> None:
    for _ in range(8):
        for one in session.options():
            if not one.refused:
                session.perform(one.command or DrawDice(one.key))
                break


def test_a_sheet_that_loses_the_weapon_in_the_middle_of_its_attack_is_refused_or_the_attack_goes_on() -> None:
    session = attacked()

    _attempt(lambda: session.perform(AmendSheet("ann", {**ARMED, "weapons": {}})))

    _play_on(session)
    assert session.log.last > 8


def test_somebody_who_joins_while_initiative_is_rolled_rolls_too_or_waits_for_the_next_round() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, ARMED))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)))
    session.perform(Join("cyd", ARMED))
    session.perform(TypeDice("r1/bob/initiative", (10,)))

    rolled = {rest.by for rest in session.rests} | {who for who, _ in session.combat.initiative.order}

    assert "cyd" in {rest.by for rest in session.rests} or "cyd" not in rolled, "nobody acts by a roll never thrown"


@pytest.mark.parametrize("value", [2**63, 2**64, -(2**63), 10**30], ids=["63 bits", "64 bits", "below", "30 digits"])
def test_numbers_beyond_all_measure_are_refused_or_kept(value: int) -> None:
    session = attacked()

    _attempt(lambda: session.perform(Adjust("bob", "wounds", value, "a meteor")))
    _attempt(lambda: session.perform(Adjust("bob", "initiative", value, "a meteor")))
    _play_on(session)
    _attempt(lambda: session.modify("initiative", value, why="a meteor"))

    assert Session(session.log.store, session.id).combat == session.combat


def test_text_that_no_line_can_hold_is_refused() -> None:
    session = attacked()

    _attempt(lambda: session.perform(Note("\ud800")))


@pytest.mark.parametrize("dice", ["", "banana", "0d6", "1001d10"])
def test_an_option_with_impossible_dice_is_refused_when_the_session_is_opened(dice: str) -> None:
    with pytest.raises(Refused):
        Session.create("memory://", ruleset="eclipse_phase_1e", options={"initiative_dice": dice})


@example(2)
@given(st.integers(1, 100))
def test_a_modifier_is_as_good_as_none_where_a_roll_is_open_but_has_no_target(value: int) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", ARMED))
    session.perform(BeginCombat())

    _attempt(lambda: session.perform(ApplyModifier("r1/ann/initiative", value, "")))
