"""Figures of the second edition: ranges, reading the dice, and both sides of an opposed test."""

from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    GAME,
    ROWS,
    STURDY,
    Cases,
    Table,
    attack,
    attacker,
    dice_of,
    opposed,
    person,
    to_defend,
    to_hit,
)

from machines.eclipse_phase.second.attack.ranges import reach
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import arms

CASES = Cases()

# ------------------------------------------------------------------------------------------------ range


def at(*meters: int, weapon: Any = None, **how: Any) -> list[int]:
    """Returns the targets of Guns 60 at distances in meters."""
    return [to_hit(terms={"distance": each}, weapon=weapon, **how) for each in meters]


def modifiers(weapon: str, *meters: int) -> list[int]:
    return [target - 60 for target in at(*meters, weapon=weapon)]


def too_near(trait: str, *meters: int) -> list[bool]:
    """Returns whether shots at short distances are refused."""
    return [refused(lambda each=each: at(each, weapon={"traits": [trait]})) for each in meters]


def ratings(*names: str) -> list[int]:
    """Returns printed range ratings."""
    rows = {row.name: row for row in GAME.tables["weapons"]}
    return [rows[name].range for name in names]


def reaches(weapon: Any, **situation: Any) -> int | None:
    """Returns the range rating in a situation."""
    table = Table(ann=attacker(weapon=weapon)).begin(situation)
    return reach(table.combat, "ann", arms(table.combat, "ann")["it"])


CASES.row("RNG01", [70, 70, 70], lambda: at(0, 1, 2))
CASES.row("RNG02", [60, 60], lambda: at(3, 10))
CASES.row("RNG03", [50, 50], lambda: at(11, 30))
CASES.row("RNG04", [40], lambda: at(60))
CASES.row("RNG05", [40], lambda: at(31))
CASES.row("RNG06", [20], lambda: at(200, weapon={"range": 50}))
CASES.row("RNG07", [10], lambda: at(201, weapon={"range": 50}))
CASES.row("RNG08", [0], lambda: at(400, weapon={"range": 50}))
CASES.row("RNG09", [60], lambda: at(2, weapon={"traits": ["long"]}))
CASES.row("RNG10", [60], lambda: at(60, weapon={"traits": ["steady"]}))
CASES.row("RNG11", [True, False], lambda: too_near("no close", 10, 11))
CASES.row("RNG12", [True, False], lambda: too_near("no point-blank", 2, 3))
for number, weapon, rating in (
    ("RNG13", "holdout", 25),
    ("RNG14", "medium pistol", 30),
    ("RNG15", "heavy pistol", 35),
    ("RNG17", "submachine gun", 50),
):
    CASES.row(number, [-10, -20, -20, -30], lambda weapon=weapon, rating=rating: modifiers(
        weapon, rating, rating + 1, 2 * rating, 2 * rating + 1
    ))  # fmt: skip
for number, weapon, rating in (
    ("RNG16", "machine pistol", 25),
    ("RNG18", "assault rifle", 100),
    ("RNG19", "battle rifle", 200),
):
    CASES.row(number, [-10, -20], lambda weapon=weapon, rating=rating: modifiers(weapon, rating, rating + 1))
CASES.row("RNG20", [-10, -20] * 2, lambda: modifiers("machine gun", 500, 501) + modifiers("sniper rifle", 500, 501))
CASES.row("RNG21", [45, 53, 38, 150], lambda: ratings(
    *(f"railgun {name}" for name in ("medium pistol", "heavy pistol", "holdout", "assault rifle"))
))  # fmt: skip
CASES.row("RNG22", [75, 100, 50, 50, 150, 15], lambda: ratings(
    "hand laser", "laser pulser", "particle beam bolter", "stunner", "battle laser", "microwave agonizer"
))  # fmt: skip
CASES.row("RNG23", [15, 25, 25, 15, 15, 15], lambda: ratings(
    "shard pistol", "shredder", "plasma rifle", "torch", "freezer", "vortex ring gun"
))  # fmt: skip
CASES.row("RNG24", [75, 75, 75, 150, 300], lambda: ratings(
    "seeker armband", "seeker pistol", "seeker rifle", "seeker rifle (mini)", "disposable launcher"
))  # fmt: skip
CASES.row("RNG25", [50, 40, 40], lambda: at(20, 21, 40, kind="thrown"))
CASES.row("RNG26", [200, 50], lambda: [reaches({"range": 100}, gravity=gravity) for gravity in (50, 200)])
CASES.row("RNG27", [100, 100], lambda: [
    reaches({"range": 100, "gravity": False}, gravity=gravity) for gravity in (50, 200)
])  # fmt: skip
CASES.row("RNG28", None, lambda: reaches({"range": 100}, gravity=0))
CASES.row("RNG29", None, lambda: reaches({"range": 100, "gravity": False}, vacuum=True))
CASES.row("RNG30", [-20], lambda: [
    target - 60 for target in at(30, weapon="submachine gun", situation={"gravity": 200, "acclimated": ["ann"]})
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ tests

CRITICAL, PLAIN, FAILS, FUMBLE = "critical success", "success", "failure", "critical failure"


def read(goal: int, *rolls: int) -> list[tuple[str, int]]:
    """Returns outcome and number of superior results of rolls against a target."""
    tests = [opposed(goal, rolled).test("to-hit") for rolled in rolls]
    return [(test.outcome, abs(test.margin)) for test in tests]


def lowered(skill: int, by: int, *rolls: int) -> list[str]:
    """Returns outcomes against a target that modifiers lowered."""
    names = {30: ["defender hidden"], 60: ["defender hidden", "defender in major cover"]}[by]
    return [attack({"modifiers": names}, {"to-hit": rolled}, skill=skill).test("to-hit").outcome for rolled in rolls]


def cap(skill: int, *names: str, aim: bool = False, **how: Any) -> int:
    """Returns a target with many modifiers."""
    before = [("bob", "wounds", 0), *how.pop("adjust", [])]
    if not aim:
        return to_hit(*names, skill=skill, adjust=before, **how)
    table = Table(ann=attacker(skill), bob=person(**how.pop("bob", {}))).begin()
    table.declare("aim", "ann", at="bob", complex=True).next_turn("ann")
    said = {"at": "bob", "using": "it", "modifiers": names}
    return table.declare("attack", "ann", {"defense": "none"}, **said).target("to-hit")


def unskilled(rolled: int | None = None, **bob: Any) -> BaseTable:
    """Plays a shot by an untrained combatant."""
    gun = {"kind": "ranged", "skill": "guns", "damage": "2d10", "range": 30}
    table = Table(ann=person(weapons={"it": gun}), bob=person(**STURDY, **bob)).begin()
    answers = {} if rolled is None else {"to-hit": rolled}
    return table.declare("attack", "ann", {"defense": "none", **answers}, at="bob", using="it")


def defaulted(rolled: int, **bob: Any) -> tuple[str, int]:
    test = unskilled(rolled, **bob).test("to-hit")
    return test.outcome, abs(test.margin)


CASES.row("TST01", [(PLAIN, 1)], lambda: read(57, 57))
CASES.row("TST02", [(FAILS, 1)], lambda: read(57, 58))
CASES.row("TST03", [(PLAIN, 0), (PLAIN, 1), (PLAIN, 1), (PLAIN, 2), (PLAIN, 2)], lambda: read(98, 32, 34, 65, 67, 98))
CASES.row("TST04", [(CRITICAL, 0)] * 2, lambda: beside_critical(98, 33, 66))
CASES.row("TST05", [(FAILS, count) for count in (0, 0, 1, 1, 2, 2)], lambda: read(10, 98, 67, 65, 34, 32, 12))
CASES.row("TST06", [(FUMBLE, 6)] * 2, lambda: [scattered(10, rolled) for rolled in (33, 66)])
CASES.row("TST07", [CRITICAL], lambda: [outcome for outcome, _ in read(0, 0)])
CASES.row("TST08", [CRITICAL], lambda: lowered(10, 30, 0))
CASES.row("TST09", [FUMBLE], lambda: [outcome for outcome, _ in read(120, 99)])
CASES.row("TST10", [(PLAIN, 2)], lambda: read(120, 98))
CASES.row("TST11", [FUMBLE], lambda: [outcome for outcome, _ in read(35, 77)])
CASES.row("TST12", [(CRITICAL, 0)], lambda: beside_critical(60, 44))
CASES.row("TST13", [(PLAIN, 0)], lambda: read(60, 7))
CASES.row("TST14", 10, lambda: cap(
    70, "defender in major cover", "visibility major", bob={"size": "very small"}, adjust=[("ann", "wounds", 1)]
))  # fmt: skip
CASES.row("TST15", 90, lambda: cap(30, "superior position", aim=True, bob={"size": "very large"}))
CASES.row("TST16", 90, lambda: cap(
    50, "superior position", "visibility major", "indirect fire", aim=True, bob={"size": "very large"}
))  # fmt: skip
CASES.row("TST17", [CRITICAL, FAILS], lambda: lowered(40, 60, 0, 1))
CASES.row("TST18", 20, lambda: unskilled().target("to-hit"))
CASES.row("TST19", (PLAIN, 0), lambda: defaulted(11))
CASES.row("TST20", [(PLAIN, 1)] * 2, lambda: [defaulted(rolled, size="very large") for rolled in (33, 44)])
CASES.row("TST21", (PLAIN, 0), lambda: defaulted(0))
CASES.row("TST22", FUMBLE, lambda: defaulted(77)[0])
CASES.row("TST24", 75, lambda: attack(
    {}, {"to-hit": 31, "damage": (1, 1)}, weapon={"traits": ["knockdown"]}, bob={"aptitudes": {"som": 25}, **STURDY}
).target("knockdown"))  # fmt: skip
CASES.row("TST25", 70, lambda: to_hit(ann={"specializations": {"guns": "it"}}))
CASES.row("TST28", [30, 31, 23, 20], lambda: [to_defend(bob={"skills": {"fray": fray}}) for fray in (60, 61, 45, 40)])
CASES.row("TST29", [2, 3, 1], lambda: [half_up(3, 2), half_up(5, 2), half_up(14, 10)])
CASES.row("TST30", (13, True), lambda: (
    attack({}, {"to-hit": 31, "damage": (10, 3)}).figure("dv"), refused(lambda: attack({}, {"to-hit": 31, "damage": (0, 3)})),
))  # fmt: skip


def beside_critical(goal: int, *rolls: int) -> list[tuple[str, int]]:
    """Returns the outcome, and the damage dice for superior results beside a critical."""
    found = []
    for rolled in rolls:
        table = opposed(goal, rolled)
        asked = table.asked("damage")
        found.append((table.test("to-hit").outcome, table.dice().count("d6") if asked else 0))
    return found


def scattered(skill: int, rolled: int) -> tuple[str, int]:
    """Returns the outcome and the scatter of a grenade with a die of 6; each superior failure doubles the scatter."""
    answers = {"to-hit": rolled, "scatter": 6, "critical-ruling": "nothing"}
    table = attack({}, answers, skill=skill, kind="thrown", weapon={"area": "centered"})
    return table.test("to-hit").outcome, int(table.figure("scatter"))


# ------------------------------------------------------------------------------------------------ opposed tests


def hits(*rolls: int, **how: Any) -> str:
    """Returns the outcome of step 5."""
    return str(opposed(*rolls, **how).figure("outcome"))


def doubled(*rolls: int, **how: Any) -> tuple[str, int]:
    """Returns the outcome of step 5, and the damage of a 5."""
    table = opposed(*rolls, answers={"damage": (5,)}, **how)
    return str(table.figure("outcome")), int(table.figure("dv", "/damage"))


def more(*rolls: int, **how: Any) -> tuple[str, str]:
    """Returns the outcome of step 5, and the damage dice."""
    return let(opposed(*rolls, **how), lambda t: (t.figure("outcome"), t.dice()))


HURT = ("hit", 10)
CASES.row("OPP01", "hit", lambda: hits(60, 25, 30, 31))
CASES.row("OPP02", "hit", lambda: hits(60, 26, 30, 25))
CASES.row("OPP03", "miss", lambda: hits(60, 8, 30, 28))
CASES.row("OPP04", "miss", lambda: hits(60, 25, 30, 25))
CASES.row("OPP05", "miss", lambda: hits(60, 61, 30, 12))
CASES.row("OPP06", "miss", lambda: hits(60, 61, 30, 31))
CASES.row("OPP07", HURT, lambda: doubled(60, 44, 60, 54))
CASES.row("OPP08", "miss", lambda: hits(60, 54, 60, 44))
CASES.row("OPP09", HURT, lambda: doubled(60, 44, 60, 22))
CASES.row("OPP10", "miss", lambda: hits(60, 22, 60, 44))
CASES.row("OPP11", HURT, lambda: doubled(60, 33, 50, 33))
CASES.row("OPP12", "miss", lambda: hits(60, 33, 60, 33))
CASES.row("OPP13", HURT, lambda: doubled(60, 0, 60, 59))
CASES.row("OPP14", "miss", lambda: hits(60, 59, 60, 0))
CASES.row("OPP15", "miss", lambda: hits(120, 99, 30, 98))
CASES.row("OPP16", ("hit", "1d10+1d6", set()), lambda: let(
    opposed(60, 45, 30, 77), lambda t: (t.figure("outcome"), t.dice(), t.offered())
))  # fmt: skip
CASES.row("OPP17", ("hit", "1d10"), lambda: more(60, 20, 30, 31))
CASES.row("OPP18", ("hit", "1d10+1d6"), lambda: more(60, 59, terms={"surprised": True}))
CASES.row("OPP19", ("hit", "1d10+1d6"), lambda: more(70, 45, 60, 40))
CASES.row("OPP20", ("miss", "nothing", 0), lambda: let(
    opposed(60, 77), lambda t: (t.figure("outcome"), t.figure("ruling"), t.taken("ann"))
))  # fmt: skip
CASES.row("OPP21", HURT, lambda: doubled(60, 11, 30, 45))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]


def test_the_dice_of_a_hit_without_a_superior_success_are_the_weapons() -> None:
    expected = "2d10"

    assert expected == dice_of()
