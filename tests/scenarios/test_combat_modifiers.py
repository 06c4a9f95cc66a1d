"""Eclipse Phase 1st edition: each row of the Combat Modifiers table, written down a second time (rules/ep.md 1.5)."""

from collections.abc import Iterable

import pytest

from machines.contract.refusals import BadTerms
from machines.eclipse_phase.first.tables.tables import SITUATIONS
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import read

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
    "unaccustomed gravity": -20,
}
BODILY = {"under water": -20, "teleoperated": -10}
"""Rows of physical skills."""
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
MELEE = {"reach advantage": 10, "charging": -10}
DEFENDER = {
    "target has reach advantage": 10,
    "defends with two weapons": 10,
    "defends with three weapons": 20,
    "defends with four weapons": 30,
}
"""Rows for a combatant who is attacked in melee."""
POSITION = {"superior position of the defender": 20}
"""Row of every defender."""
INTERRUPTING = {"receiving a charge": 20}
"""Only for a delayed action."""
AUTOMATIC = {
    "called shot": -10,
    "blind attack": -30,
    "quick aim": 10,
    "complex aim": 30,
    "sweep": 10,
    "extra target": -20,
    "wound": -10,
    "trauma": -10,
    "running in melee": -10,
    "related skill": -30,
}
"""Rows that a rule applies; they are not declared."""

KINDS = {
    "melee": ALWAYS | BODILY | MELEE,
    "ranged": ALWAYS | BODILY | RANGED,
    "thrown": ALWAYS | BODILY | RANGED,
    "psi": ALWAYS,
}
"""By kind of attack: the rows of the attacker's that may be declared."""
ROWS = [(name, value, kind) for kind, rows in KINDS.items() for name, value in rows.items()]
SKILLS = {"melee": "blades", "ranged": "beam weapons", "thrown": "throwing weapons", "psi": "psi assault"}
DEFENSES = {"melee": ("fray", 40), "ranged": ("fray", 20), "thrown": ("fray", 20), "psi": ("will", 40)}


def fight(kind: str, steps: Iterable[str], *, moxie: int = 0, traumas: bool = False) -> Session:
    """A fight in which Ann, with a skill of 50, has the first moment, against Bob with Fray 40 and WIL 20."""
    skill = SKILLS[kind]
    plays = "\n".join(f"[[play]]\n{step}" for step in steps)
    return perform(
        read(f"""
        affray = 1
        title = "An attack"
        ruleset = "eclipse_phase_1e"
        [combatants.ann.sheet]
        init = 60
        durability = 30
        speed = 2
        moxie = {moxie}
        aptitudes = {{ som = 20, wil = 15 }}
        skills = {{ "{skill}" = 50, perception = 50, "unarmed combat" = 50 }}
        weapons.it = {{ kind = "{kind}", skill = "{skill}", damage = "1d10", {_fired(kind)} }}
        [combatants.bob.sheet]
        init = 50
        durability = 30
        aptitudes = {{ som = 20, wil = 20 }}
        skills = {{ fray = 40 }}
        weapons = ["knife"]
        [combatants.carl.sheet]
        init = 40
        durability = 30
        aptitudes = {{ som = 20, wil = 20 }}
        skills = {{ fray = 40 }}
        [[play]]
        begin = {{}}
        [[play]]
        dice = {{ ann = 30, bob = 10, carl = 5 }}
        {plays}
        """)
    )


def _fired(kind: str) -> str:
    return {"ranged": 'modes = ["semi"], beam = true'}.get(kind, "ap = 0")


def attack(*modifiers: str, at: str = '"bob"', more: str = "") -> str:
    named = ", ".join(f'"{each}"' for each in modifiers)
    return f'declare = {{ kind = "attack", by = "ann", at = {at}, using = "it", modifiers = [{named}]{more} }}'


def attacked(kind: str, *modifiers: str, more: str = "") -> Session:
    """An attack up to the dice."""
    return fight(kind, [attack(*modifiers, more=more), f'choose = {{ bob = "{DEFENSES[kind][0]}" }}'])


def targets(session: Session) -> dict[str, int]:
    return {rest["by"]: rest["target"] for rest in session.state().rests}


# ------------------------------------------------------------------------------------------------ declared


@pytest.mark.parametrize(("name", "value", "kind"), ROWS)
def test_a_row_of_the_table_changes_the_attack_by_its_value(name: str, value: int, kind: str) -> None:
    expected = 50 + value

    found = targets(attacked(kind, name))["ann"]

    assert expected == found


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, _, kind in ROWS])
def test_a_row_of_the_attackers_table_leaves_the_defense_as_it_is(name: str, kind: str) -> None:
    expected = DEFENSES[kind][1]

    found = targets(attacked(kind, name))["bob"]

    assert expected == found


@pytest.mark.parametrize(("name", "value"), DEFENDER.items())
def test_a_row_of_the_defenders_changes_the_defense_only(name: str, value: int) -> None:
    expected = {"ann": 50, "bob": 40 + value}

    assert expected == targets(attacked("melee", name))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_superior_position_helps_every_defender(kind: str) -> None:
    expected = {"ann": 50, "bob": DEFENSES[kind][1] + POSITION["superior position of the defender"]}

    assert expected == targets(attacked(kind, *POSITION))


def test_a_smartlink_and_a_laser_sight_are_worth_ten_together() -> None:
    expected = 60

    found = targets(attacked("ranged", "smartlink", "laser sight"))["ann"]

    assert expected == found


def test_weapons_in_a_defenders_hands_are_counted_once() -> None:
    expected = 50

    found = targets(attacked("melee", "defends with two weapons", "defends with four weapons"))["bob"]

    assert expected == found


@pytest.mark.parametrize("name", sorted(RANGED))
def test_a_row_of_shots_is_refused_in_melee(name: str) -> None:
    expected = "terms/invalid"

    with pytest.raises(BadTerms) as refusal:
        attacked("melee", name)

    assert expected == refusal.value.slug


@pytest.mark.parametrize("name", sorted(MELEE | DEFENDER | INTERRUPTING))
def test_a_row_of_melee_is_refused_for_shots(name: str) -> None:
    expected = "terms/invalid"

    with pytest.raises(BadTerms) as refusal:
        attacked("ranged", name)

    assert expected == refusal.value.slug


@pytest.mark.parametrize("name", sorted(BODILY | RANGED | MELEE))
def test_a_row_of_bodies_is_refused_for_minds(name: str) -> None:
    expected = "terms/invalid"

    with pytest.raises(BadTerms) as refusal:
        attacked("psi", name)

    assert expected == refusal.value.slug


def test_a_charge_adds_a_die_of_damage() -> None:
    expected = "2d10"
    session = fight("melee", [attack("charging", more=", surprised = true"), "dice = { ann = 40 }"])

    found = session.state().rests[0]["dice"]

    assert expected == found


def test_whoever_waits_receives_a_charge_at_plus_twenty() -> None:
    expected = 70
    steps = [
        'declare = { kind = "delay", by = "ann" }',
        'declare = { kind = "quick", by = "bob" }',
        'declare = { kind = "act", by = "ann" }',
        attack("receiving a charge"),
        'choose = { bob = "fray" }',
    ]

    found = targets(fight("melee", steps))["ann"]

    assert expected == found


# ------------------------------------------------------------------------------------------------ applied by a rule


@pytest.mark.parametrize("name", sorted(AUTOMATIC))
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_row_that_a_rule_applies_is_not_declared(name: str, kind: str) -> None:
    expected = "terms/invalid"

    with pytest.raises(BadTerms) as refusal:
        attacked(kind, name)

    assert expected == refusal.value.slug


@pytest.mark.parametrize("called", ["bypass armor", "disarm", "specific target"])
@pytest.mark.parametrize("kind", ["melee", "ranged", "thrown"])
def test_a_called_shot_is_ten_harder(called: str, kind: str) -> None:
    expected = 50 + AUTOMATIC["called shot"]

    found = targets(attacked(kind, more=f', called = "{called}"'))["ann"]

    assert expected == found


@pytest.mark.parametrize("called", ["knockback", "knockdown", "subdual"])
def test_what_is_not_meant_to_hurt_is_no_harder(called: str) -> None:
    expected = 50

    found = targets(attacked("melee", more=f', called = "{called}"'))["ann"]

    assert expected == found


@pytest.mark.parametrize(("heard", "expected"), [(50, 50 + AUTOMATIC["blind attack"]), (51, 4)])
def test_a_blind_attack_is_thirty_harder_or_left_to_the_moxie_stat(heard: int, expected: int) -> None:
    blind = attack("superior position", more=", blind = true")
    steps = [blind, f"dice = {{ ann = {heard} }}", 'choose = { bob = "fray" }']
    changed = {50: ALWAYS["superior position"], 51: 0}

    found = targets(fight("melee", steps, moxie=4))["ann"]

    assert expected + changed[heard] == found


@pytest.mark.parametrize("kind", ["ranged", "thrown"])
def test_a_quick_aim_is_worth_ten_for_the_next_shot_only(kind: str) -> None:
    expected = 50 + AUTOMATIC["quick aim"]
    steps = ['declare = { kind = "aim", by = "ann", at = "bob" }', attack(), 'choose = { bob = "fray" }']

    found = targets(fight(kind, steps))["ann"]

    assert expected == found


def test_an_aim_at_somebody_else_is_worth_nothing() -> None:
    expected = 50
    steps = ['declare = { kind = "aim", by = "ann", at = "carl" }', attack(), 'choose = { bob = "fray" }']

    found = targets(fight("ranged", steps))["ann"]

    assert expected == found


def test_a_complex_aim_is_worth_thirty_in_the_next_phase_and_for_one_shot() -> None:
    expected = [50 + AUTOMATIC["complex aim"], 50]
    aim = 'declare = { kind = "aim", by = "ann", at = "bob", complex = true }'
    steps = [aim, 'choose = { ann = "end" }', 'choose = { bob = "end" }', 'choose = { carl = "end" }', attack()]
    steps += ['choose = { bob = "fray" }']
    hit = ['dice = { "ann/to-hit" = 80, "bob/defend" = 98 }', 'choose = { ann = "fire_again" }', "dice = { ann = 1 }"]
    again = [*steps, *hit, attack(), 'choose = { bob = "fray" }']

    found = [targets(fight("ranged", each))["ann"] for each in (steps, again)]

    assert expected == found


def test_a_beam_is_swept_on_to_the_same_target_at_plus_ten() -> None:
    expected = 50 + AUTOMATIC["sweep"]
    steps = [attack(more=", surprised = true"), "dice = { ann = 98 }", attack(), 'choose = { bob = "fray" }']

    found = targets(fight("ranged", steps))["ann"]

    assert expected == found


def test_a_second_shot_at_somebody_else_is_twenty_harder() -> None:
    expected = 50 + AUTOMATIC["extra target"]
    steps = [
        attack(more=", surprised = true"),
        "dice = { ann = 98 }",
        attack(at='"carl"'),
        'choose = { carl = "fray" }',
    ]

    found = targets(fight("ranged", steps))["ann"]

    assert expected == found


def test_two_targets_of_one_blow_are_twenty_harder_each() -> None:
    expected = [50 + AUTOMATIC["extra target"]] * 2
    first = [attack(at='["bob", "carl"]'), 'choose = { bob = "fray" }']
    second = [*first, "dice = { ann = 98, bob = 98 }", 'choose = { carl = "fray" }']

    found = [targets(fight("melee", steps))["ann"] for steps in (first, second)]

    assert expected == found


@pytest.mark.parametrize(("what", "name"), [("wounds", "wound"), ("traumas", "trauma")])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_wounds_and_traumas_are_ten_each_to_attack_and_to_defend(what: str, name: str, kind: str) -> None:
    skill, value = DEFENSES[kind]
    expected = {"ann": 50 + AUTOMATIC[name], "bob": value + 2 * AUTOMATIC[name]}
    adjusted = [
        f'adjust = {{ who = "{who}", what = "{what}", value = {count}, why = "an earlier fight" }}'
        for who, count in (("ann", 1), ("bob", 2))
    ]

    found = targets(fight(kind, [*adjusted, attack(), f'choose = {{ bob = "{skill}" }}']))

    assert expected == found


@pytest.mark.parametrize(("kind", "value"), [("melee", -10), ("ranged", -20), ("thrown", -20)])
def test_whoever_runs_attacks_worse(kind: str, value: int) -> None:
    expected = 50 + value
    steps = ['declare = { kind = "move", by = "ann", how = "run" }', attack(), 'choose = { bob = "fray" }']

    found = targets(fight(kind, steps))["ann"]

    assert expected == found


@pytest.mark.parametrize(("kind", "name"), [("melee", "charging"), ("ranged", "running"), ("thrown", "running")])
def test_whoever_runs_and_says_so_pays_once(kind: str, name: str) -> None:
    expected = 50 + KINDS[kind][name]
    steps = ['declare = { kind = "move", by = "ann", how = "run" }', attack(name), 'choose = { bob = "fray" }']

    found = targets(fight(kind, steps))["ann"]

    assert expected == found


def test_every_row_that_a_rule_applies_has_its_printed_figure() -> None:
    expected = AUTOMATIC

    found = {row.name: row.value for row in SITUATIONS.values() if row.automatic}

    assert expected == found


def test_the_table_has_the_printed_rows_and_no_others() -> None:
    expected = ALWAYS | BODILY | RANGED | MELEE | DEFENDER | POSITION | INTERRUPTING | AUTOMATIC

    found = {row.name: row.value for row in SITUATIONS.values()}

    assert expected == found
