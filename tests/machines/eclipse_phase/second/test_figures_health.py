"""Figures of the second edition: wounds, their consequences, and healing."""

from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    ROWS,
    Cases,
    Table,
    attacker,
    person,
    to_hit,
)

from ledger.commands import ApplyModifier
from ledger.dice import parse
from machines.eclipse_phase.second.sheet.sheet_access import UNABLE, sheet

CASES = Cases()

# ------------------------------------------------------------------------------------------------ damage and wounds

BODY: dict[str, Any] = {"durability": 30, "wound_threshold": 1000}
SHELL: dict[str, Any] = {"durability": 40, "wound_threshold": 1000, "morph": "synthmorph"}
SOFT: dict[str, Any] = {"durability": 300, "wound_threshold": 7}


def hurt(*blows: int, wounds: int = 0, answers: Any = None, **figures: Any) -> BaseTable:
    """Causes these amounts of damage one by one, outside a fight."""
    table = Table(ann=person(**figures)).adjust("ann", "wounds", wounds)
    for amount in blows:
        table.suffer("ann", amount, {"knockdown": 1, "consciousness": 1, **(answers or {})})
    return table


def out(amount: int, **figures: Any) -> bool:
    return hurt(amount, **figures).has("ann", *UNABLE)


def dead(amount: int, **figures: Any) -> bool:
    return hurt(amount, **figures).has("ann", "dead")


def derived(name: str, *durabilities: int, **figures: Any) -> list[int]:
    tables = [Table(ann=person(durability=each, **figures)) for each in durabilities]
    return [getattr(sheet(table.combat, "ann"), name) for table in tables]


def ignoring(count: int, *traits: str, **figures: Any) -> tuple[int, int]:
    """Returns the target of Guns 60, and the Initiative without its die, with wounds and traits."""
    table = Table(ann=attacker(traits=traits, **figures), bob=person(init=0)).adjust("ann", "wounds", count)
    table.begin(ann=1, bob=1)
    table.declare("attack", "ann", {"defense": "none"}, at="bob", using="it")
    return table.target("to-hit"), table.combat.initiative.scores["ann"] - 1


CASES.row("WND01", [0, 1, 1, 2, 2, 3], lambda: [hurt(dv, **SOFT).wounds("ann") for dv in (6, 7, 13, 14, 20, 21)])
CASES.row("WND02", (0, 12), lambda: let(hurt(6, 6, **SOFT), lambda t: (t.wounds("ann"), t.taken("ann"))))
CASES.row("WND03", [6, 6, 7, 7, 8, 8], lambda: derived("threshold", 30, 32, 33, 35, 38, 40))
CASES.row("WND04", [38, 45, 53, 8], lambda: derived("death", 25, 30, 35, 5))
CASES.row("WND05", [50, 80], lambda: derived("death", 25, 40, morph="synthmorph"))
CASES.row("WND06", ([13], [95]), lambda: (
    derived("threshold", 70, wound_threshold=13), derived("death", 70, death_rating=95)
))  # fmt: skip
CASES.row("WND07", [False, True], lambda: [out(total, **BODY) for total in (29, 30)])
CASES.row("WND08", [False, True], lambda: [out(total, **SHELL) for total in (39, 40)])
CASES.row("WND09", [False, True], lambda: [dead(total, **BODY) for total in (44, 45)])
CASES.row("WND10", [False, True], lambda: [dead(total, **SHELL) for total in (79, 80)])


def falls(*blows: int, som: int = 25, **figures: Any) -> BaseTable:
    return hurt(*blows, **{**SOFT, "aptitudes": {"som": som}, **figures})


def crashes(amount: int) -> tuple[int, bool]:
    """Returns the number of requested crash tests after damage to a vehicle, and whether it has crashed."""
    table = hurt(amount, morph="vehicle", skills={"pilot: ground": 50}, **SOFT)
    return table.asked("crash"), table.has("ann", "crashed")


CASES.row("WND11", 65, lambda: falls(7).target("knockdown"))
CASES.row("WND12", 40, lambda: falls(7, som=20, wounds=1).target("knockdown"))
CASES.row("WND13", 75, lambda: falls(7, morph="synthmorph").target("knockdown"))
CASES.row("WND14", (True, 0, 55, True), lambda: let(falls(14, answers={"consciousness": 56}), lambda t: (
    t.has("ann", "prone"), t.asked("knockdown"), t.target("consciousness"), t.has("ann", "unconscious"),
)))  # fmt: skip
CASES.row("WND15", (True, 45), lambda: let(falls(21), lambda t: (t.has("ann", "prone"), t.target("consciousness"))))
CASES.row("WND16", ([65, 55], 0), lambda: let(falls(7, 7), lambda t: (
    [value for value in t.figures("target") if value in (65, 55)], t.asked("consciousness"),
)))  # fmt: skip
CASES.row("WND17", [(1, False), (0, True)], lambda: [crashes(amount) for amount in (7, 14)])
CASES.row("WND18", (40, 5), lambda: ignoring(5, "pain tolerance 2", "medichines", "adrenal surge"))
CASES.row("WND19", 60, lambda: to_hit(
    ann={"morph": "synthmorph", "pools": {"vigor": 2}}, adjust=[("ann", "wounds", 3)], before=[("ignore", {})] * 2
))  # fmt: skip
CASES.row("WND20", 4, lambda: ignoring(3)[1])

# ------------------------------------------------------------------------------------------------ bleeding


def bleeds(total: int, wounds: int = 1, rolled: int = 98, **figures: Any) -> BaseTable:
    """Plays a fight in which a combatant with wounds reaches a total of damage."""
    table = Table(ann=person(**{**BODY, **figures}), bob=person(skills={"medicine: paramedic": 60})).begin()
    return table.adjust("ann", "wounds", wounds).suffer("ann", total, {"stabilize": rolled})


def bled(total: int, wounds: int, turns: int, **figures: Any) -> BaseTable:
    """Plays a number of Action Turns after that."""
    table = bleeds(total, wounds, **figures)
    for _ in range(turns):
        table.next_turn()
    return table


def helped(wounds: int, modifier: int = 0) -> int:
    """Returns the target of another combatant's Paramedic Test."""
    table = bleeds(30, wounds).end("ann")
    return table.declare("stabilize", "bob", who="ann", modifier=modifier).target("treatment")


def sprayed() -> int:
    """Returns the target of the check against bleeding with healing spray."""
    table = Table(ann=person(**BODY)).adjust("ann", "wounds", 1).suffer("ann", 30)
    key = next(rest.key for rest in table.combat.rests)
    return table.do(ApplyModifier(key, 30, "healing spray")).target("stabilize")


def shaken(damage: int) -> BaseTable:
    """Plays waking an unconscious combatant, whose check succeeds."""
    table = Table(ann=person(aptitudes={"int": 20}, **BODY), bob=person()).suffer("ann", damage)
    return table.adjust("ann", "conditions.unconscious", "").declare("wake", "bob", {"waking": 1}, who="ann")


def smothered(*amounts: int) -> tuple[bool, int]:
    """Returns whether damage without wounds kills, and the number of wounds."""
    table = Table(ann=person(durability=30))
    for amount in amounts:
        table.suffer("ann", amount, wounds=False)
    return table.has("ann", "dead"), table.wounds("ann")


CASES.row("WND21", [1, 0, 0], lambda: [
    bleeds(total, wounds).asked("stabilize") for total, wounds in ((30, 1), (29, 1), (30, 0))
])  # fmt: skip
CASES.row("WND22", 0, lambda: bleeds(40, **SHELL).asked("stabilize"))
CASES.row("WND23", (50, 80), lambda: (bleeds(30).target("stabilize"), sprayed()))
CASES.row("WND24", [1, 2, 3], lambda: [bled(30, wounds, 1).taken("ann") - 30 for wounds in (1, 2, 3)])
CASES.row("WND25", [(43, False), (45, True)], lambda: [
    let(bled(33, 2, turns), lambda t: (t.taken("ann"), t.has("ann", "dead"))) for turns in (5, 6)
])  # fmt: skip
CASES.row("WND26", [(44, False), (45, True)], lambda: [
    let(bled(30, 1, turns), lambda t: (t.taken("ann"), t.has("ann", "dead"))) for turns in (14, 15)
])  # fmt: skip
CASES.row("WND27", (0, True), lambda: let(
    bleeds(30, traits=["medichines"]), lambda t: (t.asked("stabilize"), t.has("ann", "stable"))
))  # fmt: skip
CASES.row("WND28", (40, 70), lambda: (helped(2), helped(2, 30)))
CASES.row("WND29", (33, 3), lambda: let(wounded_bleeding(), lambda t: (t.taken("ann"), t.wounds("ann"))))
CASES.row("WND30", (30, False), lambda: let(shaken(10), lambda t: (t.target("waking"), t.has("ann", "unconscious"))))
CASES.row("WND31", True, lambda: refused(lambda: shaken(30)) or shaken(30).has("ann", *UNABLE))
CASES.row("WND32", ([7], [53]), lambda: (derived("threshold", 35), derived("death", 35)))
CASES.row("WND33", [(False, 0), (True, 0)], lambda: [smothered(30, 10), smothered(30, 10, 10)])


def wounded_bleeding() -> BaseTable:
    """Plays an Action Turn of bleeding with three wounds and a Wound Threshold of 2."""
    table = Table(ann=person(durability=30, wound_threshold=2), bob=person()).begin()
    table.adjust("ann", "tracks.damage", 30).adjust("ann", "wounds", 3).adjust("ann", "conditions.bleeding", "")
    return table.next_turn()


# ------------------------------------------------------------------------------------------------ recovery


def rested(
    hours: int, means: str = "", conditions: str = "", *, damage: int = 12, wounds: int = 1, **body: Any
) -> tuple[int, int]:
    """Returns the remaining damage and wounds after a number of hours, with 6 for each die, 11 for two of a vat."""
    table = Table(ann=person(durability=300, wound_threshold=1000, **body))
    table.adjust("ann", "tracks.damage", damage).adjust("ann", "wounds", wounds)
    table.declare("rest", "ann", hours=hours, means=means, conditions=conditions)
    for rest in table.combat.rests:
        count = len(parse(rest.dice).sides)
        table.answer(
            {"healing": (5, 6) * (count // 2) + (6,) * (count % 2) if means == "healing vat" else (6,) * count}
        )
    return table.taken("ann"), table.wounds("ann")


def well(damage_at: int, wound_at: int, means: str = "", conditions: str = "", **how: Any) -> list[bool]:
    """Returns whether all damage is healed one hour early and in time, and the same for the wound."""
    hours = (damage_at - 1, damage_at, wound_at - 1, wound_at)
    left = [rested(each, means, conditions, **how) for each in hours]
    return [left[0][0] == 0, left[1][0] == 0, left[2][1] == 0, left[3][1] == 0]


ON_TIME = [False, True, False, True]
FLAT = {"biomods": False}
CASES.row("HEA01", ON_TIME, lambda: well(48, 216, **FLAT))
CASES.row("HEA02", ON_TIME, lambda: well(24, 96))
CASES.row("HEA03", ON_TIME, lambda: well(2, 26, "medichines", **FLAT))
CASES.row("HEA04", ON_TIME, lambda: well(2, 4, "healing vat", damage=22, **FLAT))
CASES.row("HEA05", [ON_TIME, ON_TIME], lambda: [well(48, 192, "", "poor"), well(72, 288, "", "harsh")])
CASES.row("HEA06", 0, lambda: rested(12, "healing spray", damage=78)[0])
CASES.row("HEA07", 1, lambda: rested(12, "healing spray", **FLAT)[1])
CASES.row("HEA08", 6, lambda: rested(1, "meds")[0])
CASES.row("HEA09", [12, 6], lambda: [rested(hours)[0] for hours in (11, 12)])
CASES.row("HEA26", [6, 0], lambda: [rested(hours, "fixers", morph="synthmorph")[0] for hours in (1, 2)])

# ------------------------------------------------------------------------------------------------ care


def cared(kind: str, rolled: int, damage: int, wounds: int, *, skill: int = 70, **answers: Any) -> BaseTable:
    """Plays a treatment or repair of Bob by Ann."""
    morph = {"morph": "synthmorph"} if kind == "repair" else {}
    carer = person(skills={"medicine: paramedic": skill, "hardware: robotics": skill})
    table = Table(ann=carer, bob=person(durability=300, wound_threshold=1000, **morph))
    table.adjust("bob", "tracks.damage", damage).adjust("bob", "wounds", wounds)
    return table.declare(kind, "ann", {"treatment": rolled, **answers}, who="bob")


def left(table: BaseTable) -> tuple[int, int]:
    return table.taken("bob"), table.wounds("bob")


def aid(rolled: int, **answers: Any) -> BaseTable:
    return cared("first_aid", rolled, 10, 2, **answers)


def repair_hours(rolled: int, *, skill: int = 70) -> int:
    """Returns the hours of a repair that normally takes 12."""
    return int(cared("repair", rolled, 20, 1, skill=skill).figure("minutes")) // 60


CASES.row("HEA11", (4, 1), lambda: left(aid(31, healing=6)))
CASES.row("HEA12", ["1d10+1d6", "1d10+2d6"], lambda: [aid(rolled).dice("healing") for rolled in (45, 67)])
CASES.row("HEA13", [10, 20, 30], lambda: [
    cared("first_aid", 31, 10, wounds, healing=6).figure("minutes") for wounds in (0, 1, 2)
])  # fmt: skip
CASES.row("HEA14", [10, 14], lambda: [aid(rolled, harm=4).taken("bob") for rolled in (98, 77)])
CASES.row("HEA16", True, lambda: refused(lambda: aid(31, healing=6).declare("first_aid", "ann", who="bob")))
CASES.row("HEA18", 12, lambda: repair_hours(31))
CASES.row("HEA19", 5 * 60, lambda: cared("repair", 31, 23, 0).figure("minutes"))
CASES.row("HEA20", (0, 0), lambda: left(cared("repair", 31, 20, 2)))
CASES.row("HEA21", [3, 6, 9], lambda: [repair_hours(98), repair_hours(65, skill=20), repair_hours(30, skill=20)])
CASES.row("HEA22", 9, lambda: repair_hours(45))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
