"""The menu of a turn: its options in order, urgent options, and interrupts of other combatants."""

from itertools import takewhile

import pytest
from duels import met

from ledger.commands import Declare
from ledger.events import ConditionGained
from machines.contract.action import possible
from machines.contract.ruleset import ruleset
from projections.combat import Combat, fold

HELD = {"eclipse_phase_1e": "subdued", "eclipse_phase_2e": "grappled"}
FREE = {
    "eclipse_phase_1e": ["attack", "full_defense", "suppress", "task", "aim", "reload", "move", "delay", "complex", "quick"],
    "eclipse_phase_2e": ["move", "attack", "full_defense", "suppress", "reload", "task", "aim", "delay", "quick", "complex"],
}  # fmt: skip


def ann(edition: str, *conditions: str) -> Combat:
    """Returns a fight in which Ann has some conditions."""
    return fold([ConditionGained("ann", each, None, "", "", "", "") for each in conditions], met(edition).combat)


@pytest.mark.parametrize("edition", HELD)
def test_a_free_combatant_has_all_actions_except_breaking_free(edition: str) -> None:
    assert FREE[edition] == [each.option for each in possible(ruleset(edition).kinds, ann(edition), "ann")]


def test_a_held_combatant_may_break_free_and_guard_their_mind() -> None:
    found = possible(ruleset("eclipse_phase_1e").kinds, ann("eclipse_phase_1e", "subdued"), "ann")

    assert [each.label for each in found] == [
        "break free", "full defense of the mind", "Complex Action", "Quick Action (3 left)",
    ]  # fmt: skip


def test_a_holder_may_keep_hold() -> None:
    found = {
        each.option: each.label
        for each in possible(ruleset("eclipse_phase_2e").kinds, ann("eclipse_phase_2e", "grappling"), "ann")
    }

    assert found["hold"] == "keep hold of somebody"


def test_a_fleeing_combatant_may_move_or_take_quick_actions() -> None:
    found = possible(ruleset("eclipse_phase_2e").kinds, ann("eclipse_phase_2e", "fleeing"), "ann")

    assert [each.option for each in found] == ["move", "quick", "complex"]


@pytest.mark.parametrize("edition", HELD)
def test_urgent_actions_are_offered_first(edition: str) -> None:
    offers = ruleset(edition).offers(ann(edition, HELD[edition], "disoriented", "prone"), "ann")

    urgent = takewhile(lambda each: each.kind not in ("attack", "move"), offers)

    assert {(each.kind, *(name for name, value in each.terms.items() if value is True)) for each in urgent} == {
        ("break_free",),
        ("full_defense", "mental"),
        ("complex", "regain"),
        ("quick", "stand"),
    }


@pytest.mark.parametrize("edition", HELD)
def test_a_combatant_who_delays_or_suppresses_may_interrupt(edition: str) -> None:
    found = list(ruleset(edition).interrupts(ann(edition, "delaying", "suppressing")))

    assert {"act", "suppressed"} <= {each.kind for each in found if each.by == "ann"}
    assert not {"act", "suppressed"} & {each.kind for each in found if each.by == "bob"}


def test_actions_against_fire_and_damage_are_offered() -> None:
    game, state = ruleset("eclipse_phase_2e"), ann("eclipse_phase_2e", "pistol_broken", "on_fire")

    words = game.offered_words(state, Declare("complex", "ann"))
    offers = [each.terms for each in game.offers(state, "ann") if each.kind == "complex"]

    assert (words["repair"], words["extinguish"]) == (("pistol_broken",), ("ann",))
    assert [each.get("repair") or each.get("extinguish") for each in offers[:2]] == ["ann", "pistol_broken"]


def test_own_weapons_and_fitting_ammunition_are_offered() -> None:
    for edition in HELD:
        game, state = ruleset(edition), ann(edition)
        for kind in ("reload", "suppress"):
            found = game.offered_words(state, Declare(kind, "ann"))
            assert found["weapon"] == found["using"] != ()
        attack = game.offered_words(state, Declare("attack", "ann", {"using": "no such weapon"}))
        assert set(attack["called"]) <= {row.name for row in game.tables["called_shots"]}
        assert attack["mode"] == ()
