"""At every box every command is performed or refused with a slug; no other exception is raised."""

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
def test_any_command_at_any_point_is_performed_or_refused(fight, data) -> None:
    for _ in range(data.draw(st.integers(1, 12))):
        command, by = data.draw(any_command(fight.session)), data.draw(people())

        _attempt(lambda: fight.session.perform(command, by=by))  # noqa: B023  called at once


@given(fights(most=30), st.data())
def test_any_command_at_any_point_is_decided_or_refused(fight, data) -> None:
    for _ in range(data.draw(st.integers(1, 12))):
        command = data.draw(any_command(fight.session))

        _attempt(lambda: decide(fight.session.game, fight.session.combat, command))  # noqa: B023


@given(fights(most=30), st.data())
def test_any_rewind_undo_overrule_and_modifier_is_performed_or_refused(fight, data) -> None:
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


def test_a_sheet_that_loses_the_weapon_of_a_running_attack_is_refused_or_the_attack_continues() -> None:
    session = attacked()

    _attempt(lambda: session.perform(AmendSheet("ann", {**ARMED, "weapons": {}})))

    _play_on(session)
    assert session.log.last > 8


def test_a_combatant_who_joins_during_initiative_rolls_too_or_waits_for_the_next_round() -> None:
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
def test_extreme_numbers_are_refused_or_stored(value: int) -> None:
    session = attacked()

    _attempt(lambda: session.perform(Adjust("bob", "wounds", value, "a meteor")))
    _attempt(lambda: session.perform(Adjust("bob", "initiative", value, "a meteor")))
    _play_on(session)
    _attempt(lambda: session.modify("initiative", value, why="a meteor"))

    assert Session(session.log.store, session.id).combat == session.combat


def test_text_that_cannot_be_encoded_is_refused() -> None:
    session = attacked()

    _attempt(lambda: session.perform(Note("\ud800")))


@pytest.mark.parametrize("dice", ["", "banana", "0d6", "1001d10"])
def test_an_option_with_impossible_dice_is_refused_when_the_session_is_opened(dice: str) -> None:
    with pytest.raises(Refused):
        Session.create("memory://", ruleset="eclipse_phase_1e", options={"initiative_dice": dice})


@example(2)
@given(st.integers(1, 100))
def test_a_modifier_has_no_effect_on_an_open_roll_without_a_target(value: int) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", ARMED))
    session.perform(BeginCombat())

    _attempt(lambda: session.perform(ApplyModifier("r1/ann/initiative", value, "")))
