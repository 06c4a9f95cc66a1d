"""The menu of an Action Phase: its options in their order, what is offered first, and with what others may break in."""

import pytest
from duels import met

from ledger.commands import Declare
from ledger.events import ActionSpent, ConditionGained, Event, TurnBegan
from machines.contract.action import possible
from machines.contract.ruleset import ruleset
from projections.combat import Combat, fold

GAME = ruleset("shadowrun_4e")
SHEETS = [sheet.get("magic", 0) for sheet in GAME.sheets.values()]
SAMURAI, MAGE = 0, next(nth for nth, magic in enumerate(SHEETS) if magic)


def acting(*events: Event, sheet: int = SAMURAI) -> Combat:
    """Ann's Action Phase in a fight with Bob."""
    return fold((TurnBegan("ann"), *events), met(GAME.name, sheet).combat)


def gained(condition: str) -> ConditionGained:
    return ConditionGained("ann", condition, None, "", "", "", "")


def options(combat: Combat) -> list[str]:
    return [each.option for each in possible(GAME.kinds, combat, "ann")]


def test_a_phase_that_begins_has_all_actions_of_whoever_shoots() -> None:
    assert options(acting()) == [
        "attack", "aim", "simple", "shift", "full_defense", "suppress", "reload", "complex", "delay", "move", "free",
    ]  # fmt: skip


def test_whoever_has_magic_casts_and_summons_and_suppresses_nothing() -> None:
    found = options(acting(sheet=MAGE))

    assert found[4:7] == ["cast", "summon", "full_defense"]
    assert "suppress" not in found


def test_a_simple_action_that_is_left_allows_nothing_that_takes_the_whole_phase() -> None:
    combat = acting(ActionSpent("ann", "simple", 1))

    assert [each.label for each in possible(GAME.kinds, combat, "ann")] == [
        "attack", "take aim", "Simple Action (1 left)", "go to another plane", "move", "Free Action (0 left)",
    ]  # fmt: skip


def test_a_phase_that_is_used_up_leaves_moving_alone() -> None:
    assert options(acting(ActionSpent("ann", "complex", 1))) == ["move"]


def test_whoever_has_begun_to_act_delays_no_more() -> None:
    found = options(acting(ActionSpent("ann", "free", 1)))

    assert "delay" not in found
    assert "complex" in found


def test_urgent_actions_are_offered_first() -> None:
    first, second, third, *_ = GAME.offers(acting(gained("prone"), gained("katana_dropped")), "ann")

    assert (first.kind, first.terms["stand"]) == ("simple", True)
    assert (second.kind, second.terms["repair"]) == ("simple", "katana_dropped")
    assert third.kind == "attack"


@pytest.mark.parametrize(
    ("condition", "break_in"),
    [("delaying", Declare("act", "ann")), ("suppressing", Declare("suppressed", "ann", {"at": "bob"}))],
)
def test_a_combatant_who_delays_or_suppresses_may_interrupt(condition: str, break_in: Declare) -> None:
    assert break_in in list(GAME.interrupts(acting(gained(condition))))
    assert break_in not in list(GAME.interrupts(acting()))


def test_full_defense_breaks_in_on_others_alone() -> None:
    assert [each.by for each in GAME.interrupts(acting()) if each.kind == "full_defense"] == ["bob"]


def test_an_open_roll_may_be_bought_and_edge_be_spent_on_it() -> None:
    mine = [each.kind for each in GAME.interrupts(met(GAME.name).combat) if each.by == "ann"]

    assert mine == ["full_defense", "edge", "buy", "extra_pass", "go_first"]


def test_one_s_own_weapons_spells_and_mishaps_are_offered() -> None:
    samurai, mage = acting(gained("katana_dropped")), acting(sheet=MAGE)

    shot = GAME.offered_words(samurai, Declare("attack", "ann", {"using": "ingram smartgun x"}))

    assert "katana" in shot["using"]
    assert shot["mode"] == ("burst", "long burst", "full burst")
    assert GAME.offered_words(samurai, Declare("simple", "ann"))["repair"] == ("katana_dropped",)
    assert "manabolt" in GAME.offered_words(mage, Declare("cast", "ann"))["spell"]
