"""Figures of Shadowrun: damage codes, damage against armor, electricity, resistance, knockdown, called shots, armor."""

from collections.abc import Mapping
from typing import Any

import pytest
from rules.figures import let, refused
from rules.fourth_edition import (
    ROWS,
    STURDY,
    Cases,
    Table,
    attack,
    compared,
    defends,
    filled,
    person,
    shot,
    struck,
    suffers,
    table_of,
    to_hit,
)

CASES = Cases()

# ------------------------------------------------------------------------------------------------ damage codes

HOLDS = {"armor": {"impact": 10, "ballistic": 20}, **STURDY}
MARK = {"": "S", "physical": "P", "stun": "S"}


def code(weapon: str | Mapping[str, Any], reach: bool = True, **ann: Any) -> str:
    """Returns a weapon's damage code and reach, as observed against targets without armor and with 10."""
    said: dict[str, Any] = {"strength": 5, **ann}
    answers = {"to-hit": 2, "defend": 0, "defense": "dodge", "resist": 0, "shock": 3}
    bare = attack({}, answers, weapon=weapon, ann=said, bob=STURDY, kind="melee")
    worn = attack({}, answers, weapon=weapon, ann=said, bob=HOLDS, kind="melee")
    base = bare.figure("dv") - bare.figure("net hits")
    less = worn.figure("armor") - 10
    half = "-half" if less == -5 else f"{less:+d}" if less else "0"
    far = f", {bare.pool('to-hit') - 10}" if reach else ""
    return f"{base}{MARK[bare.figure('damage type')]}{'(e)' if bare.asked('shock') else ''}/{half}{far}"


def plain(strength: int) -> str:
    """The damage code of bare hands, without its armor penetration."""
    said = {"to-hit": 2, "defend": 0, "resist": 0}
    ann = {"strength": strength, "skills": {"unarmed combat": 5}}
    table = attack({"using": "unarmed"}, said, ann=ann, bob=STURDY)
    return f"{table.figure('dv') - table.figure('net hits')}{MARK[table.figure('damage type')]}"


def projectile(name: str, **more: Any) -> str:
    return code(filled("projectile_weapons", name, **more), reach=False, strength=more.get("archer", 5))


def bow(made_for: int) -> str:
    return code(filled("projectile_weapons", "bow", strength_minimum=made_for), reach=False, strength=6)


def skill_of_a_bottle() -> list[int]:
    """The pool with Clubs 5 and Blades 3: whole, and broken."""
    ann = person(agility=5, initiative=20, skills={"clubs": 5, "blades": 3}, weapons={"it": "bottle"})
    whole = shot(Table(ann=ann, bob=person()).begin().phase("ann")).pool("to-hit")
    weapon = filled("melee_weapons", "bottle", skill="blades")
    broken = shot(Table(ann={**ann, "weapons": {"it": weapon}}, bob=person()).begin().phase("ann")).pool("to-hit")
    return [whole, broken]


def breaks() -> bool:
    """Is it of no use after its first hit?"""
    table = attack({}, {"to-hit": 2, "defend": 0, "resist": 0}, weapon="pool cue", bob=STURDY)
    return refused(lambda: shot(table.next_turn("ann")))


CASES.row("DMG01", ["2S", "2S", "3S", "3S"], lambda: [plain(each) for each in (3, 4, 5, 6)])
for _row, _weapons in {
    "DMG02": {"combat axe": "7P/-1, 2"},
    "DMG03": {"forearm snap-blades": "5P/0, 0", "knife": "4P/0, 0", "survival knife": "4P/-1, 0"},
    "DMG04": {"katana": "6P/-1, 1", "monofilament sword": "6P/-1, 1", "sword": "6P/0, 1"},
    "DMG05": {"club": "4P/0, 1", "extendable baton": "4P/0, 1", "sap": "4S/0, 0", "staff": "5P/0, 2"},
    "DMG07": {"hand blade": "5P/0, 0", "hand razors": "4P/0, 0", "spur": "6P/0, 0"},
    "DMG08": {"aluminum bone lacing": "5P/0, 0", "plastic bone lacing": "4P/0, 0", "titanium bone lacing": "6P/0, 0"},
    "DMG09": {
        "shock hand": "6S(e)/-half, 0",
        "taser armor or shield": "6S(e)/-half, 0",
        "shock glove": "5S(e)/-half, 0",
    },
    "DMG10": {
        "pole arm": "5P/-2, 2",
        "monofilament chainsaw": "5P/-2, 1",
        "monofilament whip": "8P/-4, 2",
        "riot shield": "3S/+2, 0",
    },
    "DMG12": {"chain or whip": "4P/+1, 1", "chair": "4S/0, 1", "frying pan": "4S/+1, 0"},
}.items():
    CASES.row(_row, list(_weapons.values()), lambda weapons=_weapons: [code(each) for each in weapons])
CASES.row("DMG06", ["6S(e)/-half, 1"] * 2, lambda: [code("stun baton", strength=each) for each in (1, 8)])
CASES.row("DMG11", ("3P/+1, 0", [10, 8]), lambda: (code("bottle"), skill_of_a_bottle()))
CASES.row("DMG13", ["2S/+2, 1", "3S/+2, 1"], lambda: [
    code("metahuman body", body=each, strength=2) for each in (4, 5)
])  # fmt: skip
CASES.row("DMG14", ("4P/0, 0", "3S/0, 1", True), lambda: (code("pistol or rifle butt"), code("pool cue"), breaks()))
CASES.row("DMG15", ["5P/0", "8P/0"], lambda: [bow(3), bow(6)])
CASES.row("DMG16", ["3P/0", "5P/0", "7P/-1"], lambda: [
    projectile(f"{each} crossbow") for each in ("light", "medium", "heavy")
])  # fmt: skip
CASES.row("DMG17", ["3P/0", "4P/0"], lambda: [projectile(each) for each in ("shuriken", "throwing knife")])

# ------------------------------------------------------------------------------------------------ against armor


def worn(armor: int, net: int, damage: str = "5P", ap: str = "", **how: Any) -> tuple[int, int, str]:
    """What is compared."""
    return compared(struck(net, damage, ap, {"ballistic": armor, "impact": armor}, **how))


def burst(armor: int, net: int, mode: str, ap: str = "") -> tuple[int, int, int, str]:
    """The same of a narrow burst, and the damage with it."""
    table = struck(net, "5P", ap, {"ballistic": armor}, weapon={"recoil": 10}, terms={"mode": mode})
    return (*compared(table)[:2], table.figure("dv"), table.figure("damage type"))


def left_of(armor: int, ap: str) -> int:
    return worn(armor, 1, ap=ap)[1]


def shocked(net: int, resisted: int = 0, shock: int = 0, weapon: str = "stun baton", **how: Any) -> Table:
    """A hit with electricity, and what it does."""
    bob = {"body": 4, "willpower": 3, **how.pop("bob", {})}
    answers = {"to-hit": net, "resist": resisted, "shock": shock}
    return attack({"unaware": True}, answers, bob=bob, pool=20, weapon=weapon, **how)


def both_tests(**armor: Any) -> tuple[int, int]:
    """The pools of both tests against electricity; fewer boxes get through than would be a wound."""
    table = shocked(1, resisted=4, bob={"armor": armor}, weapon="shock glove")
    return table.pool("resist"), table.pool("shock")


def falls(table: Table) -> tuple[bool, bool, str]:
    """Down, incapacitated, until when."""
    return table.has("bob", "prone"), table.has("bob", "incapacitated"), table.until("bob", "incapacitated")


def less_dice() -> tuple[bool, int, str]:
    """Incapacitated? What it takes from everything he does, and until when."""
    table = shocked(3, resisted=9, shock=3, bob={"body": 9})
    until = table.until("bob", "shocked")
    table.declare("test", "bob", skill="pistols")
    return table.has("bob", "incapacitated"), table.pool("test") - 4, until


CASES.row("DMG18", 8, lambda: struck(3).figure("dv"))
CASES.row("DMG19", (7, 7, "stun"), lambda: worn(8, 2, ap="-1"))
CASES.row("DMG20", (8, 7, "physical"), lambda: worn(8, 2, "6P", "-1"))
CASES.row("DMG21", (6, 6, "stun"), lambda: worn(5, 1, ap="+1"))
CASES.row("DMG22", (8, 2, "stun"), lambda: worn(2, 4, "4S"))
CASES.row("DMG23", (6, 6, 8, "stun"), lambda: burst(6, 1, "burst"))
CASES.row("DMG24", (8, 7, 13, "physical"), lambda: burst(7, 3, "long burst"))
CASES.row("DMG25", (7, 8, 16, "stun"), lambda: burst(9, 2, "full burst", "-1"))
CASES.row("DMG26", (7, 6, "physical"), lambda: worn(6, 1, ap="+1", weapon={"load": "explosive"}))
CASES.row("DMG27", 0, lambda: left_of(3, "-4"))
CASES.row("DMG28", 2, lambda: left_of(0, "+2"))
CASES.row("DMG29", [0, 1, 3, 3, 4], lambda: [left_of(each, "-half") for each in (0, 1, 5, 6, 7)])
CASES.row("DMG30", 6, lambda: compared(struck(1, "9P(f)", "+2", {"ballistic": 8, "impact": 4}))[1])
CASES.row("DMG31", (8, "stun"), lambda: (shocked(2).figure("dv"), shocked(2).figure("damage type")))
CASES.row("DMG32", 8, lambda: both_tests(impact=7)[0])
CASES.row("DMG33", (10, 3), lambda: (both_tests(impact=7)[1], shocked(1, 3).target("shock")))
CASES.row("DMG34", ((True, True, "r6"), (False, -2, "r6")), lambda: (falls(shocked(3, 3, shock=2)), less_dice()))
CASES.row("DMG35", (True, "r4"), lambda: falls(shocked(1, 3, shock=2))[1:])
CASES.row("DMG36", (4, 7), lambda: both_tests(impact=6, metal=True))
CASES.row("DMG37", 10, lambda: both_tests(impact=6, nonconductive=3)[0])
CASES.row("DMG38", ((0, 1), (0, 0)), lambda: tuple(
    (table.figure("boxes"), table.asked("shock"))
    for table in (
        shocked(1, resisted=7, bob={"body": 7}, options={"electricity": how}) for how in ("every_hit", "harmed")
    )
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ resistance

BODY = {"body": 4, "armor": {"ballistic": 6, "impact": 4}}


def resists(how: Any = None, answers: Any = None, **bob: Any) -> int:
    """The pool that resists."""
    said = {"to-hit": 3, "defend": 0, "defense": "dodge", **(answers or {})}
    return attack({"unaware": True}, said, bob={**BODY, **bob}, **(how or {})).pool("resist")


def shot_with(**weapon: Any) -> dict[str, Any]:
    return {"weapon": weapon}


def boxes(dv: int, hits: int) -> int:
    return struck(1, f"{dv - 1}P", answers={"resist": hits}).figure("boxes")


CASES.row("RES01", 9, lambda: resists(shot_with(ap="-1")))
CASES.row("RES02", 10, lambda: resists(shot_with(damage="9P(f)", ap="+2")))
CASES.row("RES03", 6, lambda: resists({"kind": "melee", **shot_with(ap="-2")}))
CASES.row("RES07", 5, lambda: boxes(8, 3))
CASES.row("RES08", [0, 0], lambda: [boxes(4, 4), boxes(4, 6)])
CASES.row("RES09", 10, lambda: resists({"adjust": [("bob", "tracks.physical", 6)]}))
CASES.row("RES10", 10, lambda: resists({
    "adjust": [("bob", "conditions.sustaining_armor", ""), ("bob", "conditions.sustaining_levitate", "")],
}))  # fmt: skip

# ------------------------------------------------------------------------------------------------ knockdown


def stands(body: int, amount: int, hits: int = 0, **how: Any) -> bool:
    table = table_of(bob={"body": body}, **how)
    return not suffers(table, "bob", amount, hits=hits).has("bob", "prone")


def gel(amount: int) -> bool:
    """Returns whether a combatant with Body 6 stands after a number of boxes by gel rounds."""
    weapon = {"damage": "5P", "load": "gel"}
    answers = {"to-hit": 3, "resist": 8 - amount}
    table = attack({"unaware": True}, answers, weapon=weapon, bob={"body": 6, "willpower": 6})
    assert table.figure("boxes") == amount
    return not table.has("bob", "prone")


def fallen() -> tuple[int, int]:
    """Returns the defense of a combatant who had 9 dice until he was wounded, and the attack of his opponents."""
    bob = {"reaction": 6, "skills": {"dodge": 3}}
    table = suffers(table_of(kind="melee", bob=bob), "bob", 5)
    assert table.wounds("bob") == 1
    table = shot(table, {}, {"to-hit": 0})
    return table.pool("defend"), table.pool("to-hit")


CASES.row("KNO01", [True, False], lambda: [stands(4, 3), stands(4, 5)])
CASES.row("KNO02", [False, True], lambda: [
    stands(4, 4, options={"knockdown_at": how}) for how in ("reached", "exceeded")
])  # fmt: skip
CASES.row("KNO03", [True, False], lambda: [stands(12, 9), stands(12, 10)])
CASES.row("KNO04", (3, True), lambda: let(
    struck(3, bob={"body": 4}, answers={"resist": 5}, armor={"ballistic": 4}),
    lambda table: (table.figure("boxes"), not table.has("bob", "prone")),
))  # fmt: skip
CASES.row("KNO05", [True, False], lambda: [gel(3), gel(5)])
CASES.row("KNO06", (6, 13), fallen)

# ------------------------------------------------------------------------------------------------ called shots


def called(what: str, net: int, points: int = 1, **how: Any) -> Table:
    return struck(net, pool=10, terms={"called": what, "called_for": points, **how.pop("terms", {})}, **how)


def disarmed() -> tuple[int, bool, Any]:
    """The pool; is the weapon out of his hands; boxes."""
    bob = {"weapons": {"own": {"kind": "melee", "skill": "blades", "damage": "4P"}}}
    table = called("disarm", 3, terms={"spot": "own"}, bob=bob)
    return table.pool("to-hit"), table.has("bob", "own_dropped"), table.found("boxes")


def may_be_called(mode: str = "", **how: Any) -> bool:
    said = {"called": "more damage", **({"mode": mode} if mode else {})}
    return not refused(lambda: attack(said, **how))


ARMORED = {"ballistic": 6}
CASES.row("CAL01", 4, lambda: called("bypass armor", 1, armor=ARMORED).pool("to-hit"))
CASES.row("CAL02", 4, lambda: called("bypass armor", 1, armor=ARMORED, bob={"body": 4}).pool("resist"))
CASES.row("CAL03", (10, 7), lambda: (
    called("more damage", 2, 3).figure("dv"), called("more damage", 2, 3).pool("to-hit"),
))  # fmt: skip
CASES.row("CAL04", (11, True), lambda: (
    called("more damage", 2, 4).figure("dv"), refused(lambda: called("more damage", 2, 5)),
))  # fmt: skip
CASES.row("CAL05", (6, True, None), disarmed)
CASES.row("CAL06", [True, True, True, False, True], lambda: [
    *(may_be_called(mode) for mode in ("single", "semi", "burst", "full burst")), may_be_called(kind="melee"),
])  # fmt: skip
CASES.row("CAL07", ["free", "simple"], lambda: called("more damage", 1).spent("ann"))
CASES.row("CAL08", 4, lambda: called("bypass armor", 1, armor=ARMORED, ap="-2").pool("to-hit"))
CASES.row("CAL09", (9, 8, "physical"), lambda: compared(called("more damage", 2, 2, armor={"ballistic": 8})))
CASES.row("CAL10", False, lambda: may_be_called("long burst"))

# ------------------------------------------------------------------------------------------------ encumbrance


def burdened(body: int, ballistic: int, impact: int = 0) -> tuple[int, int]:
    """What heavy armor takes from Agility and from Reaction."""
    worn = {"body": body, "armor": {"ballistic": ballistic, "impact": impact}}
    return to_hit(ann=worn) - 10, defends(bob=worn) - 5


CASES.row("ARM03", [(0, 0), (-1, -1), (-1, -1), (-2, -2), (-2, -2)], lambda: [burdened(3, n) for n in range(6, 11)])
CASES.row("ARM04", [(0, 0), (-2, -2)], lambda: [burdened(4, 8), burdened(4, 11)])
CASES.row("ARM05", (-1, -1), lambda: burdened(3, 6 + 2))
CASES.row("ARM06", (-1, -1), lambda: burdened(3, 8, 6))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
