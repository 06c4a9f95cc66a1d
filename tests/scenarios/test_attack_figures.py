"""Eclipse Phase 1st edition: figures of attacks that no track shows, each as its page has it."""

import pytest

from ledger.events import FigureFound
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import read

WEAPONS = {
    "blow": '{ kind = "melee", skill = "blades", damage = "1d10" }',
    "grenade": '{ kind = "thrown", skill = "throwing weapons", damage = "1d10", area = "blast", no_som = true }',
    "shot": '{ kind = "ranged", skill = "kinetic weapons", damage = "1d10", modes = ["semi"] }',
    "sleight": '{ kind = "psi", skill = "psi assault", damage = "1d10", armor = "mental", strain = 0 }',
}


def fight(using: str, more: str, *dice: str, skill: int = 50) -> Session:
    """An attack by Ann on Bob, who is surprised, with Bob's SOM 20 and Durability 35."""
    plays = "\n".join(f"[[play]]\ndice = {{ {each} }}" for each in dice)
    return perform(
        read(f"""
        affray = 1
        title = "An attack"
        ruleset = "eclipse_phase_1e"
        [combatants.ann.sheet]
        init = 60
        durability = 30
        aptitudes = {{ som = 20, wil = 15 }}
        [combatants.ann.sheet.skills]
        blades = {skill}
        "throwing weapons" = {skill}
        "kinetic weapons" = {skill}
        "psi assault" = {skill}
        [combatants.ann.sheet.weapons]
        {using} = {WEAPONS[using]}
        [combatants.bob.sheet]
        init = 50
        durability = 35
        wound_threshold = 100
        aptitudes = {{ som = 20, wil = 15 }}
        [[play]]
        begin = {{}}
        [[play]]
        dice = {{ ann = 30, bob = 10 }}
        [[play]]
        declare = {{ kind = "attack", by = "ann", at = "bob", using = "{using}", surprised = true {more} }}
        {plays}
        """)
    )


def figures(session: Session, name: str) -> list[int | str]:
    return [
        event.value
        for entry in session.entries()
        for event in entry.events
        if isinstance(event, FigureFound) and event.name == name
    ]


@pytest.mark.parametrize(("margin", "meters"), [(9, 0), (10, 1), (29, 2), (30, 3)])
@pytest.mark.parametrize("called", ["knockback", "knockdown"])
def test_knocking_back_moves_a_meter_for_each_full_ten_of_the_margin(called: str, margin: int, meters: int) -> None:
    expected = [meters]

    found = figures(fight("blow", f', called = "{called}"', f"ann = {50 - margin}"), "knockback")

    assert expected == found


@pytest.mark.parametrize(("missed_by", "meters"), [(1, 6), (30, 6), (31, 12), (60, 12), (61, 18)])
def test_a_missed_blast_lands_farther_off_the_worse_it_missed(missed_by: int, meters: int) -> None:
    expected = [meters]

    found = figures(fight("grenade", "", f"ann = {35 + missed_by}", "ann = 6", skill=35), "scatter")

    assert expected == found


def test_a_blast_that_was_dodged_scatters_as_far_as_the_die_shows() -> None:
    expected = [6]
    session = perform(
        read(f"""
        affray = 1
        title = "A dodged grenade"
        ruleset = "eclipse_phase_1e"
        [combatants.ann.sheet]
        init = 60
        durability = 30
        aptitudes = {{ som = 20 }}
        skills = {{ "throwing weapons" = 90 }}
        weapons.grenade = {WEAPONS["grenade"]}
        [combatants.bob.sheet]
        init = 50
        durability = 35
        aptitudes = {{ som = 20 }}
        skills = {{ fray = 90 }}
        [[play]]
        begin = {{}}
        [[play]]
        dice = {{ ann = 30, bob = 10 }}
        [[play]]
        declare = {{ kind = "attack", by = "ann", at = "bob", using = "grenade" }}
        [[play]]
        choose = {{ bob = "fray" }}
        [[play]]
        dice = {{ "ann/to-hit" = 12, "bob/defend" = 40 }}
        [[play]]
        dice = {{ ann = 6 }}
        """)
    )

    found = figures(session, "scatter")

    assert expected == found


@pytest.mark.parametrize(("die", "strain"), [(1, 1), (7, 4), (8, 4), (9, 5)])
def test_strain_is_half_a_die_rounded_up(die: int, strain: int) -> None:
    expected = [strain]

    found = figures(fight("sleight", "", "ann = 98", f"ann = {die}"), "dv")

    assert expected == found


@pytest.mark.parametrize(("roll", "margin_adds"), [(46, 0), (45, 5), (16, 5), (15, 10)])
def test_an_excellent_success_adds_five_from_thirty_and_ten_from_sixty(roll: int, margin_adds: int) -> None:
    expected = [3 + margin_adds]

    found = figures(fight("shot", "", f"ann = {roll}", "ann = 3", skill=75), "dv")

    assert expected == found


def test_a_blow_adds_a_tenth_of_som_and_a_shot_does_not() -> None:
    expected = [[5], [3]]

    found = [figures(fight(using, "", "ann = 49", "ann = 3"), "dv") for using in ("blow", "shot")]

    assert expected == found
