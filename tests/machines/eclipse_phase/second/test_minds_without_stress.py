"""Stress has no effect on a combatant whose sheet has `stress = false`, whatever else the sheet states."""

from ledger.commands import BeginCombat, Choose, Declare, Join, TypeDice
from replays.api.session import Session

SCARE = {"kind": "melee", "skill": "guns", "damage": "2d10", "harms": "stress", "armor": "mental"}


def test_a_mind_without_stress_has_no_traumas_despite_a_trauma_threshold() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_2e")
    session.perform(
        Join(
            "bob",
            {
                "durability": 30,
                "init": 9,
                "aptitudes": {"som": 20, "wil": 20},
                "skills": {"guns": 60},
                "weapons": {"scare": SCARE},
            },
        )
    )
    session.perform(
        Join(
            "drone",
            {
                "durability": 30,
                "init": 1,
                "stress": False,
                "aptitudes": {"som": 20},
                "trauma_threshold": 2,
                "insanity_rating": 5,
                "skills": {"fray": 10},
            },
        )
    )
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(TypeDice(rest.key, (3,)))
    session.perform(Declare("attack", "bob", {"at": "drone", "using": "scare"}))
    session.perform(Choose("r1/bob/a1/attack/defense", "none"))
    session.perform(TypeDice("r1/bob/a1/attack/to-hit", (5,)))
    while session.rests and "damage" not in session.rests[0].key:
        session.perform(Choose(session.rests[0].key, "pass"))
    session.perform(TypeDice(session.rests[0].key, (10, 9)))

    assert session.combat.wounds.count("drone", "traumas") == 0
    assert not session.combat.conditions.has("drone", "mind_lost")
