"""Eclipse Phase 1st edition: each row of the Combat Modifiers table, written down a second time (rules/ep.md 1.5)."""

import pytest

from machines.refusals import BadTerms
from machines.ruleset import ruleset
from replays.player import perform
from replays.script import read
from replays.session import Session

ALWAYS = {
    "off-hand": -20,
    "superior position": 20,
    "touch-only": 20,
    "two-handed weapon in one hand": -20,
    "small target": -10,
    "very small target": -30,
    "large target": 10,
    "very large target": 30,
    "minor visibility": -10,
    "major visibility": -20,
}
RANGED = {
    "smartlink": 10,
    "laser sight": 10,
    "behind cover": -10,
    "running": -20,
    "in melee": -30,
    "target in minor cover": -10,
    "target in moderate cover": -20,
    "target in major cover": -30,
    "target prone and far": -10,
    "target hidden": -60,
    "indirect fire": -30,
}
MELEE = {"reach advantage": 10}
DEFENDER = {"target has reach advantage": 10}
"""The same row, for whoever is attacked."""

NOT_YET = {
    "called shot": "called shots are not implemented",
    "quick aim": "aiming is an action that is not implemented",
    "complex aim": "aiming is an action that is not implemented",
    "sweep": "beam sweeps are not implemented",
    "extra target": "several targets of one action are not implemented",
    "blind attack": "its own test is not implemented",
    "charging": "it also adds 1d10 to the damage: not implemented",
    "receiving a charge": "delayed actions are not implemented",
}
"""Rows of the printed table that are left out on purpose, and why."""

ROWS = [
    *((name, value, "melee") for name, value in (ALWAYS | MELEE).items()),
    *((name, value, "ranged") for name, value in (ALWAYS | RANGED).items()),
]


def attacked(kind: str, *modifiers: str) -> Session:
    """An attack with a skill of 50 against Fray 40, up to the dice."""
    skill = {"melee": "blades", "ranged": "kinetic weapons"}[kind]
    named = ", ".join(f'"{each}"' for each in modifiers)
    return perform(
        read(f"""
        affray = 1
        title = "An attack"
        ruleset = "eclipse_phase_1e"
        [combatants.ann.sheet]
        init = 60
        durability = 30
        aptitudes = {{ som = 20 }}
        skills = {{ "{skill}" = 50 }}
        weapons.it = {{ kind = "{kind}", skill = "{skill}", damage = "1d10" }}
        [combatants.bob.sheet]
        init = 50
        durability = 30
        aptitudes = {{ som = 20 }}
        skills = {{ fray = 40 }}
        [[play]]
        begin = {{}}
        [[play]]
        dice = {{ ann = 30, bob = 10 }}
        [[play]]
        declare = {{ kind = "attack", by = "ann", at = "bob", using = "it", modifiers = [{named}] }}
        [[play]]
        choose = {{ bob = "fray" }}
        """)
    )


def targets(session: Session) -> dict[str, int]:
    return {rest["by"]: rest["target"] for rest in session.state().rests}


@pytest.mark.parametrize(("name", "value", "kind"), ROWS)
def test_a_row_of_the_table_changes_the_attack_by_its_value(name: str, value: int, kind: str) -> None:
    expected = 50 + value

    found = targets(attacked(kind, name))["ann"]

    assert expected == found


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, _, kind in ROWS])
def test_a_row_of_the_attackers_table_leaves_the_defense_as_it_is(name: str, kind: str) -> None:
    expected = {"melee": 40, "ranged": 20}[kind]

    found = targets(attacked(kind, name))["bob"]

    assert expected == found


@pytest.mark.parametrize(("name", "value"), DEFENDER.items())
def test_a_row_of_the_defenders_changes_the_defense_only(name: str, value: int) -> None:
    expected = {"ann": 50, "bob": 40 + value}

    assert expected == targets(attacked("melee", name))


def test_a_smartlink_and_a_laser_sight_are_worth_ten_together() -> None:
    expected = 60

    found = targets(attacked("ranged", "smartlink", "laser sight"))["ann"]

    assert expected == found


@pytest.mark.parametrize("name", sorted(RANGED))
def test_a_row_of_shots_is_refused_in_melee(name: str) -> None:
    expected = "terms/invalid"

    with pytest.raises(BadTerms) as refusal:
        attacked("melee", name)

    assert expected == refusal.value.slug


@pytest.mark.parametrize("name", sorted(MELEE))
def test_a_row_of_melee_is_refused_for_shots(name: str) -> None:
    expected = "terms/invalid"

    with pytest.raises(BadTerms) as refusal:
        attacked("ranged", name)

    assert expected == refusal.value.slug


def test_the_table_has_the_printed_rows_and_no_others() -> None:
    expected = set(ALWAYS | RANGED | MELEE | DEFENDER)

    found = {row.name for row in ruleset("eclipse_phase_1e").tables["modifiers"]}

    assert expected == found
    assert not found & set(NOT_YET)
