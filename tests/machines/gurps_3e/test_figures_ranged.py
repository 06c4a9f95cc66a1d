"""Figures of GURPS: opportunity fire, snap shots, aiming, recoil, automatic fire, and unintended targets."""

from typing import Any

import pytest
from rules.figures import Answer, refused
from rules.third_edition import ROWS, SAFELY, Cases, Table, attack, person, strike, table_of, to_hit

from ledger.events import Json

CASES = Cases()

# ------------------------------------------------------------------------------------------------ opportunity fire, pop-ups, snap shots


def from_waiting(watching: int | str, skill: int = 16, *, ss: int = 0, distance: int = 0, fire: str = "twice") -> Table:
    """Plays Ann's watch of some hexes, and her fire in Bob's turn."""
    table = table_of("rifle", skill, own={"ss": ss}, options={"opportunity_fire": fire})
    table.declare("wait", "ann", watching=watching).turn("bob")
    return table.declare("opportunity", "ann", {"to-hit": 10}, at="bob", using="it", distance=distance)


def watches(*hexes: int | str) -> list[tuple[int, int]]:
    """Returns targets by watched hexes: where the snap shot modifier is added to the table's, and where it is included."""
    by_option = ([from_waiting(each, fire=fire).target("to-hit") for each in hexes] for fire in ("twice", "once"))
    return list(dict.fromkeys(zip(*by_option, strict=True)))


def hardly_at_all(fire: str) -> bool:
    """Returns whether a shot at 30 yards, after watching two hexes, is refused."""
    return refused(lambda: from_waiting(2, 12, distance=30, fire=fire))


def unaimed(ss: int, skill: int = 15, distance: int = 10, *, how: str = "exceeded", **own: Any) -> int:
    """Plays a shot with an SS number; the default is 11."""
    terms = {"distance": distance}
    return to_hit(terms=terms, weapon="pistol", skill=skill, own={"ss": ss, **own}, options={"snap_shot_at": how})


CASES.row("OPP01", [(8, 12)], lambda: watches(2))
CASES.row("OPP02", [(7, 11)], lambda: watches(3, 4))
CASES.row("OPP03", [(6, 10)], lambda: watches(5, 6))
CASES.row("OPP04", [(4, 8)], lambda: watches(11, 500))
CASES.row("OPP05", [(7, 11)], lambda: watches("line"))
CASES.row("OPP06", (16, True), lambda: (
    from_waiting(1, ss=12).target("to-hit"), from_waiting(1, ss=12).goes("9-10-11-14"),
))  # fmt: skip
CASES.row("OPP07", [True, True], lambda: [hardly_at_all(fire) for fire in ("twice", "once")])
CASES.row("POP01", 8, lambda: to_hit(weapon="pistol", terms={"pop_up": True}))
CASES.row("POP02", 6, lambda: to_hit(weapon="pistol", skill=16, own={"ss": 10}, terms={"pop_up": True, "distance": 10}))
CASES.row("SNP01", 11, lambda: unaimed(10))
CASES.row("SNP02", [7, 11], lambda: [unaimed(11, how=how) for how in ("exceeded", "reached")])
CASES.row("SNP03", 7, lambda: unaimed(12))
CASES.row("SNP04", 4, lambda: unaimed(12, distance=30))
CASES.row("SNP05", 9, lambda: unaimed(12, snap_shot=-2))
CASES.row("SNP06", 10, lambda: to_hit("walking", terms={"distance": 3}, weapon="pistol", skill=16, own={"ss": 15}))

# ------------------------------------------------------------------------------------------------ aiming


def aims(*turns: int, braced: bool = False, distance: int = 0, **own: int) -> list[int]:
    """Returns the targets of a rifleman with skill 12, by turns of aiming."""
    terms = {"braced": braced, "distance": distance}
    return [to_hit(weapon="rifle", skill=12, own={"acc": 5, **own}, terms=terms, aimed=each) for each in turns]


CASES.row("AIM01", [17], lambda: aims(1))
CASES.row("AIM02", [18, 19, 20, 20, 20], lambda: aims(2, 3, 4, 5, 8))
CASES.row("AIM03", [18], lambda: aims(1, braced=True))
CASES.row("AIM04", [12], lambda: aims(0, braced=True, ss=10))
CASES.row("AIM05", [19], lambda: aims(1, scope=2))
CASES.row("AIM06", [17], lambda: aims(3, braced=True, scope=2, acc=10, distance=100))
CASES.row("AIM07", [10], lambda: aims(1, acc=4, ss=14, distance=20))

# ------------------------------------------------------------------------------------------------ recoil, automatic fire


def fires(
    count: int, skill: int, weapon: str = "pistol", *, terms: Json | None = None, aimed: int = 0, **how: Any
) -> Table:
    """Plays shots or groups in one turn; all miss without a critical miss, and no other target is struck."""
    own, options = {"rof": count, **how.pop("own", {})}, how.pop("options", {})
    table = table_of(weapon, skill, own=own, options=options, aimed=aimed)
    for _ in range(count):
        strike(table, terms, {"to-hit": 16, "defense": "dodge", "defend": 3, **how})
    return table


def shots(skill: int, rcl: int, ss: int = 0, how: str = "exceeded") -> list[int]:
    return fires(3, skill, own={"rcl": rcl, "ss": ss}, options={"snap_shot_at": how}).targets("to-hit")


def groups(
    count: int, skill: int, *, rcl: int = 0, acc: int = 0, ss: int = 0, aimed: int = 0, **terms: Any
) -> list[int]:
    """Returns the targets of the groups of a turn."""
    own = {"rof": 4 * count, "rcl": rcl, "acc": acc, "ss": ss}
    return fires(count, skill, "machine gun", own=own, aimed=aimed, terms=terms).targets("to-hit")


def groups_of(rof: int) -> list[int]:
    """Returns the rounds of each group of a turn."""
    table = table_of("machine gun", own={"rof": rof})
    found = []
    while not found or sum(found) < rof:
        found.append(strike(table, {}, {"to-hit": 16}).found("rounds"))
    assert "attack" not in table.offered()
    return found


def burst(roll: int, skill: int = 12, rof: int = 4, answers: Json | None = None, **how: Any) -> Table:
    """Plays one group against a target that does not defend."""
    said = {"to-hit": roll, "damage": 5, **SAFELY, **(answers or {})}
    return attack(
        how.pop("terms", {}), said, weapon="machine gun", skill=skill, own={"rof": rof, **how.pop("own", {})}, **how
    )


def that_hit(table: Table) -> int:
    """Returns the number of rounds that hit, by the damage rolls."""
    assert table.rolls("damage") == max(table.all_found("rounds left"), default=0)
    return table.rolls("damage")


def by_margin(*margins: int, options: Json | None = None) -> list[int]:
    return [that_hit(burst(12 - margin, options=options)) for margin in margins]


def critical_burst() -> tuple[list[int], bool, int]:
    """Plays a critical hit by 1; returns the remaining rounds at each step, the path, and the defenses."""
    answers = {"critical-hit": 10, "defense": "dodge", "defend": 12}
    table = burst(4, 5, answers=answers, bob={"hit_points": 100, "dodge": 12})
    return table.all_found("rounds left"), table.goes("21-22-28", "54-23-26-28", "54-28"), table.rolls("defend")


AFTER_ONE: dict[str, Any] = {"acc": 6, "aimed": 1, "successive": True}
VITALS: Json = {"location": "vitals"}

CASES.row("RCL01", [14, 12, 12], lambda: shots(14, -2))
CASES.row("RCL02", [15, 14, 14], lambda: shots(15, -1))
CASES.row("RCL03", [[13, 8], [13, 12]], lambda: [shots(13, -1, 12, how)[:2] for how in ("exceeded", "reached")])
CASES.row("AUT01", [[3], [4], [4, 4, 2], [4, 4, 4]], lambda: [groups_of(rof) for rof in (3, 4, 10, 12)])
CASES.row("AUT02", [16, 14, 12], lambda: groups(3, 16, rcl=-2, ss=8))
CASES.row("AUT03", [1, 0], lambda: [that_hit(burst(roll)) for roll in (13, 14)])
CASES.row("AUT04", (0, True), lambda: (burst(13, rof=2).rolls("damage"), burst(13, rof=2).goes("18-19-20")))
CASES.row("AUT05", (1, "vitals"), lambda: (
    that_hit(burst(10, terms=VITALS)), burst(10, terms=VITALS).figure("location"),
))  # fmt: skip
CASES.row("AUT06", ([1, 2, 3, 4], [1, 1, 2, 2]), lambda: (
    by_margin(-1, 0, 2, 3), by_margin(-1, 0, 2, 3, options={"automatic_hits": [1, 1, 1, 2]}),
))  # fmt: skip
CASES.row("AUT07", ([3, 2, 1], True, 1), critical_burst)
CASES.row("AUT08", [18, 19, 20, 21, 21], lambda: groups(5, 12, **AFTER_ONE))
CASES.row("AUT09", [12, 12, 12, 12, 11], lambda: groups(5, 12, rcl=-1, distance=20, **AFTER_ONE))

# ------------------------------------------------------------------------------------------------ unintended targets


def astray(
    roll: Answer, *others: str, skill: int = 14, weapon: str = "pistol", answers: Json | None = None, **terms: Any
) -> Table:
    """Plays an attack at Bob beside other combatants."""
    here = {each: person() for each in others}
    said = {"to-hit": roll, **(answers or {})}
    return attack(terms, said, weapon=weapon, skill=skill, others=here)


def whom(table: Table) -> list[str]:
    """Returns the unintended targets of the attack."""
    return table.all_found("foe")


def both_missed() -> tuple[list[str], bool]:
    table = astray(17, "cyd", "dan", skill=16, near=["cyd", "dan"], answers={"to-hit/2": 12, "to-hit/3": 13})
    return whom(table), table.goes("19-20-1", "19-20-1", "19-20-52$")


def into_close_combat(faces: int) -> tuple[str, list[str], int]:
    """Plays a blow at one of three in close combat; returns the die, who is struck, and the target against them."""
    table = astray(
        17, "cyd", "dan", skill=16, weapon="sword", melee=["bob", "cyd", "dan"], answers={"wrong-target": faces}
    )
    return table.dice("wrong-target"), whom(table), table.target("2")


CASES.row("WRG01", [14, 9], lambda: astray(15, "cyd", near=["cyd"]).targets("to-hit"))
CASES.row("WRG02", 7, lambda: astray(15, "cyd", near=["cyd"], distances={"cyd": 30}).target("2"))
CASES.row("WRG03", True, lambda: astray(16, "cyd", weapon="sword", skill=13).goes("17-19-52$"))
CASES.row("WRG04", True, lambda: astray(16, weapon="bow").goes("19-20-52$"))
CASES.row("WRG05", (["cyd", "dan"], True), both_missed)
CASES.row("WRG06", (["cyd", "dan", "eve"], 9), lambda: (
    whom(astray(16, "cyd", "dan", "eve", near=["cyd", "dan", "eve"], distances={"cyd": 3, "dan": 8, "eve": 12}, answers={
        "to-hit": 16,
    })),
    astray(15, "cyd", near=["cyd"], distances={"cyd": 3}).target("2"),
))  # fmt: skip
CASES.row("WRG07", ["cyd"], lambda: whom(astray(
    10, "cyd", "dan", "eve", near=["eve"], behind=["cyd", "dan"],
    answers={"to-hit/2": 9, "defense": "dodge", "defend/1": 3},
)))  # fmt: skip
CASES.row("WRG08", [("1d2", ["cyd"], 9), ("1d2", ["dan"], 9)], lambda: [into_close_combat(face) for face in (1, 2)])


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_rules(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
