"""Figures of GURPS: shock, crippling, stun, effects of locations, hit points down to death, and complete blows."""

from typing import Any

import pytest
from rules.third_edition import ROWS, SAFELY, Cases, Table, attack, attacker, harmed, strike, table_of

from ledger.events import Json

CASES = Cases()
SKILLED: Json = {"iq": 10, "dx": 12, "skills": {"broadsword": 14}, "weapons": {
    name: {"skill": skill, "damage": "1d", "type": "crushing"}
    for name, skill in (("it", "broadsword"), ("mind", "iq"), ("body", "dx"))
}}  # fmt: skip

# ------------------------------------------------------------------------------------------------ shock


def next_turn(*damages: int, where: str = "torso", weapon: str = "club", using: str = "it", **bob: Any) -> int:
    """Returns the target of Bob's attack in his next turn after these blows."""
    table = table_of(weapon, 30, own={"damage": "1d", "rof": 1}, bob={**SKILLED, "ht": 40, **bob}, others={
        f"foe{nth}": attacker(weapon, 30, {"damage": f"1d{amount - 1:+d}"}, move=11) for nth, amount in enumerate(damages)
    })  # fmt: skip
    for nth, amount in enumerate(damages):
        answers = {"to-hit": 10, "damage": amount, **SAFELY}
        strike(table.turn(f"foe{nth}"), {"at": "bob", "location": where}, answers, by=f"foe{nth}")
    return strike(table.turn("bob"), {"using": using}, by="bob").target("to-hit")


CASES.row("SHK01", [10, 6, 8], lambda: [next_turn(4, using=using) for using in ("it", "mind", "body")])
CASES.row("SHK02", 5, lambda: next_turn(9))
CASES.row("SHK03", 9, lambda: next_turn(9, where="far arm", ht=10))
CASES.row("SHK04", 9, lambda: next_turn(3, 2))

# ------------------------------------------------------------------------------------------------ crippling, stun, knockdown


def cripples(where: str, *injuries: int, ht: int = 10, **options: str) -> list[bool]:
    """Returns the wounds that cripple a limb."""
    word = f"{where.replace(' ', '_')}_crippled"
    return [limb(each, where, ht, **options).has("bob", word) for each in injuries]


def limb(injury: int, where: str = "near arm", ht: int = 10, **options: str) -> Table:
    """Plays a wound by a club at a limb."""
    return harmed(injury, where, weapon="club", bob={"ht": ht}, options=options)


def limbs(kinds: str, *injuries: int, ht: int = 10) -> list[list[bool]]:
    """Returns the same for the four limbs of two kinds."""
    return [cripples(f"{side} {each}", *injuries, ht=ht) for each in kinds.split() for side in ("near", "far")]


def stuns(*lost: int, ht: int = 10) -> list[bool]:
    return [harmed(each, weapon="club", bob={"ht": ht}).has("bob", "stunned") for each in lost]


def knocked(roll: int) -> tuple[bool, bool]:
    """Returns whether the target is stunned, and whether it lies."""
    table = harmed(7, weapon="club", answers={"knockdown": roll})
    return table.has("bob", "stunned"), table.has("bob", "prone")


def comes_round(roll: int) -> tuple[bool, int]:
    """Returns whether the stunned combatant acts in their turn, and the modifier of the dodge after it."""
    bob = {"ht": 10, "hit_points": 40, "dodge": 12}
    table = harmed(7, weapon="club", bob=bob).turn("bob", {"recover": roll})
    acts = table.combat.turn.who == "bob" and "attack" in table.offered()
    strike(table.on("ann"), {}, {"to-hit": 10, "defense": "dodge"})
    return acts, table.target("defend") - 12


def twice(each: int) -> tuple[int, bool]:
    """Returns the remaining hit points of 40 after two blows in one turn, and whether they stun."""
    table = table_of("club", 30, own={"damage": "1d"}, bob={"hit_points": 40})
    for _ in range(2):
        strike(table, {"all_out": "two_attacks"}, {"to-hit": 10, "damage": each, **SAFELY})
    return table.hits("bob"), table.has("bob", "stunned")


CASES.row("CRP01", [[False, True]] * 4, lambda: limbs("arm leg", 5, 6))
CASES.row("CRP02", [[False, True]] * 4, lambda: limbs("arm leg", 5, 6, ht=11))
CASES.row("CRP03", [[False, True]] * 4, lambda: limbs("hand foot", 3, 4))
CASES.row("CRP04", [[False, True]] * 4, lambda: limbs("hand foot", 4, 5, ht=12))
CASES.row("CRP05", (5, [True], [False]), lambda: (
    limb(9).lost(), cripples("near arm", 9), cripples("near arm", 9, crippling_by="after_cap"),
))  # fmt: skip
CASES.row("CRP06", [(False, 0), (True, 1)], lambda: [
    (table.has("bob", "stunned"), table.rolls("knockdown"))
    for table in (limb(9, major_wound_by=how) for how in ("after_cap", "before_cap"))
])  # fmt: skip
CASES.row("STN01", [False, True], lambda: stuns(6, 7, ht=12))
CASES.row("STN02", [False, True], lambda: stuns(5, 6, ht=11))
CASES.row("STN03", [(True, False), (True, True)], lambda: [knocked(roll) for roll in (10, 11)])
CASES.row("STN04", [(True, 0), (False, -4)], lambda: [comes_round(roll) for roll in (10, 11)])
CASES.row("STN05", (32, False), lambda: twice(4))

# ------------------------------------------------------------------------------------------------ places


def brain(injury: int) -> tuple[bool, bool]:
    """Returns whether a cut to the brain stuns and knocks out; the skull has DR 2, and the rest counts 4 times."""
    table = harmed(injury // 4 + 2, "brain", bob={"ht": 12})
    assert table.found("injury") == injury
    return table.has("bob", "stunned"), table.has("bob", "unconscious")


def place(where: str, damage: int, roll: int = 10, ht: int = 10, weapon: str = "club", **more: Any) -> Table:
    """Plays a blow, and the roll that the location requires."""
    own = {"thrust": True, **more.pop("own", {})}
    return harmed(
        damage,
        where,
        weapon=weapon,
        own=own,
        bob={"ht": ht, "hit_points": 40},
        answers={"special-effect": roll},
        **more,
    )


def nose(roll: int) -> tuple[int, bool, bool, int]:
    """Returns the target, whether the combatant is stunned and knocked out, and the number of rolls."""
    table = place("nose", 1, roll, 11)
    return (
        table.target("special-effect"),
        table.has("bob", "stunned"),
        table.has("bob", "unconscious"),
        table.rolls("special-effect"),
    )


def no_damage(roll: int) -> bool:
    """Returns whether a bullet that a rigid helm stops knocks its wearer out."""
    bob = {"armor": {"head": {"dr": 30}}}
    table = harmed(5, "head", weapon="pistol", bob=bob, answers={"special-effect": roll})
    assert table.lost() == 0
    return table.has("bob", "unconscious")


def neck(damage: int, roll: int = 11) -> tuple[int, int, bool, bool]:
    """Returns the injury of a cut, the rolls, and whether it kills by the path from box 40 to 56."""
    table = place("neck", damage, roll, weapon="sword")
    return table.found("injury"), table.rolls("special-effect"), table.has("bob", "dead"), table.goes("40-56$")


CASES.row("LEF01", [(False, False), (True, True)], lambda: [brain(injury) for injury in (4, 8)])
CASES.row("LEF02", [False, True], lambda: [no_damage(roll) for roll in (10, 11)])
CASES.row("LEF03", [(10, False, False, 1), (10, True, False, 1), (10, True, True, 1)], lambda: [
    nose(roll) for roll in (10, 11, 12)
])  # fmt: skip
CASES.row("LEF04", [10, 7], lambda: [place("jaw", lost, 3, 12).target("special-effect") for lost in (1, 5)])
CASES.row("LEF05", [(8, 0, False, False), (10, 1, True, True), (10, 1, False, False)], lambda: [
    neck(4), neck(5), neck(5, 10),
])  # fmt: skip
CASES.row("LEF06", [False, True], lambda: [place("vitals", 3, roll).has("bob", "unconscious") for roll in (10, 11)])

# ------------------------------------------------------------------------------------------------ hit points


def down(lost: int, *, ht: int = 10, answers: Json | None = None, options: Json | None = None, **bob: Any) -> Table:
    """Plays a blow with a club at the torso that costs an amount of hit points."""
    return harmed(lost, weapon="club", bob={"ht": ht, **bob}, answers=answers or {}, options=options or {})


def once_hurt(*lost: int, healed_to: int | None = None) -> Table:
    """Plays blows that cost Bob hit points, one in each turn of Ann's; his hit points are set before the last."""
    table = table_of("club", 30, own={"damage": "1d"}, bob={"ht": 10})
    for nth, each in enumerate(lost, 1):
        if nth == len(lost) and healed_to is not None:
            table.adjust("bob", "tracks.hit_points", 10 - healed_to)
        terms = {"extra_damage": {"harder": each - 1}} if each > 1 else {}
        strike(table.turn("ann") if nth > 1 else table, terms, {"to-hit": 10, "damage": 1, **SAFELY})
    return table


def newly(table: Table) -> tuple[int, int, bool]:
    """Returns the hit points, the death rolls of the last attack, and whether the path reaches its end."""
    return table.hits("bob"), table.rolls("death", table.latest()), table.goes("48-49-50-51$")


def halved(lost: int, hit_points: int = 10, ht: int = 30, **bob: int) -> tuple[int, int]:
    """Returns Move and Dodge after losing an amount of hit points."""
    table = down(lost, ht=ht, hit_points=hit_points, **bob).turn("ann")
    strike(table, {}, {"to-hit": 10, "defense": "dodge"})
    return table.moves("bob"), table.target("defend")


def will(levels: int) -> tuple[int, bool]:
    """Returns the target, and whether a roll of 11 leaves the combatant unconscious."""
    table = down(10, will=levels, answers={"consciousness": 11})
    return table.target("consciousness"), table.has("bob", "unconscious")


def three_turns(how: str) -> int:
    """Returns the rolls of a combatant at 0 hit points, at once and in the next three turns."""
    table = down(10, options={"first_consciousness_roll": how})
    for _ in range(3):
        table.turn("bob")
    return table.rolls("consciousness")


def healed(to: int) -> int:
    """Returns the rolls in the turn of a combatant who was healed from -1 hit points."""
    table = down(11).adjust("bob", "tracks.hit_points", 10 - to)
    before = table.rolls("consciousness")
    return table.turn("bob").rolls("consciousness") - before


def deaths(*lost: int) -> list[tuple[int, int]]:
    """Returns the hit points and the death rolls."""
    return [(table.hits("bob"), table.rolls("death")) for table in (down(each) for each in lost)]


CASES.row("HPS01", [(4, True, False), (3, True, True)], lambda: [
    (table.hits("bob"), table.goes(end), table.has("bob", "half_move_and_dodge"))
    for table, end in ((down(6), "44-54$"), (down(7), "44-45-46-48-55$"))
])  # fmt: skip
CASES.row("HPS02", (3, 3), lambda: halved(7, move=6))
CASES.row("HPS03", (2, 2), lambda: halved(7, move=5))
CASES.row(
    "HPS04", (5, "slightly injured"), lambda: (down(25, hit_points=30).hits("bob"), down(25, hit_points=30).ended())
)
CASES.row("HPS05", [(1, 0), (0, 1)], lambda: [
    (table.hits("bob"), table.rolls("consciousness")) for table in (down(9), down(10))
])  # fmt: skip
CASES.row("HPS06", [(12, False), (8, True)], lambda: [will(levels) for levels in (2, -2)])
CASES.row("HPS07", [4, 3], lambda: [three_turns(how) for how in ("at_once", "own_turn")])
CASES.row("HPS08", [1, 0], lambda: [healed(to) for to in (0, 1)])
CASES.row("HPS09", ([(-9, 0), (-10, 1)], "severely injured"), lambda: (deaths(19, 20), down(19).ended()))
CASES.row("HPS10", [(-14, 1), (-15, 2), (-20, 3)], lambda: deaths(24, 25, 30))
CASES.row("HPS11", (-13, 0, True), lambda: newly(once_hurt(20, 3)))
CASES.row("HPS12", [(-15, 1, True), (-20, 2, True)], lambda: [newly(once_hurt(20, lost)) for lost in (5, 10)])
CASES.row("HPS13", (-15, 0, True), lambda: newly(once_hurt(25, 20, healed_to=5)))
CASES.row("HPS14", (10, True), lambda: (
    down(20, will=2, answers={"death": 11}).targets("death-1")[-1], down(20, will=2, answers={"death": 11}).has("bob", "dead"),
))  # fmt: skip
CASES.row("HPS15", [(-50, True, False), (-49, False, True)], lambda: [
    (table.hits("bob"), table.goes("50-56$"), table.goes("50-51$")) for table in (down(60), down(59))
])  # fmt: skip
CASES.row("HPS16", (-53, True), lambda: (down(63).hits("bob"), down(63).goes("49-50-56$")))
CASES.row("HPS17", (9, True), lambda: (down(60).rolls("death"), down(60).goes("49-50-56$")))
CASES.row("HPS18", (-3, True, 1), lambda: (
    (table := once_hurt(12, 1)).hits("bob"), table.goes("45-46-47-48-55$"),
    table.rolls("consciousness", table.latest()),
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ worked to the end


def worked(
    faces: tuple[int, ...], where: str = "torso", dr: int = 0, *, weapon: str, answers: Json | None = None, **how: Any
) -> Table:
    """Plays a blow with these dice against an amount of armor."""
    bob = {"armor": {"all": {"dr": dr}}, **how.pop("bob", {})}
    said = {"to-hit": 10, "damage": faces, **SAFELY, **(answers or {})}
    return attack({"location": where}, said, weapon=weapon, skill=30, bob=bob, **how)


def figures(table: Table) -> tuple[Any, ...]:
    """Returns damage, penetration, injury, hit points, shock, whether the target is stunned, and the end."""
    names = ("damage", "penetration", "injury")
    return (
        *map(table.found, names), table.hits("bob"), table.level("bob", "shock") or 0, table.has("bob", "stunned"), table.path()[-2:],
    )  # fmt: skip


def axe(how: str) -> tuple[int, int, int, int, int, int]:
    """Returns damage, penetration, injury, hexes of knockback, hit points, and death rolls."""
    own = {"type": "cutting", "damage": "2d+2"}
    answers = {"to-hit": 3, "critical-hit": 6}
    table = worked((5, 5), dr=4, weapon="club", own=own, answers=answers, options={"critical_multiplier": how})
    assert table.goes("50-51$")
    names = ("damage", "penetration", "injury", "knockback")
    return *map(table.found, names), table.hits("bob"), table.rolls("death")


def halves(table: Table) -> bool:
    return table.has("bob", "half_move_and_dodge")


SWORD: Json = {"weapon": "sword", "bob": {"ht": 12}}
BULLET: Json = {"weapon": "pistol", "own": {"damage": "2d+2"}}
ARROW: Json = {"weapon": "bow"}
CASES.row("WRK01", ((9, 7, 10, 2, 10, True, "55"), 1, True), lambda: (
    figures(table := worked((4, 4), dr=2, **SWORD)), table.found("knockback"), halves(table),
))  # fmt: skip
CASES.row("WRK02", ((13, 11, 11, 0, 10, True, "55"), 1), lambda: (
    figures(table := worked((5, 6), dr=2, **BULLET)), table.rolls("consciousness"),
))  # fmt: skip
CASES.row("WRK03", ((5, 5, 15, -5, 15, True, "55"), 1, 0), lambda: (
    figures(table := worked((1, 2), "vitals", **BULLET)), table.rolls("consciousness"), table.rolls("death"),
))  # fmt: skip
CASES.row("WRK04", ((6, 4, 16, -6, 16, True, "55"), True), lambda: (
    figures(table := worked((4,), "brain", **ARROW)), table.has("bob", "unconscious"),
))  # fmt: skip
CASES.row("WRK05", [((7, 6, 6, 5, 5, False, "54"), True), ((7, 6, 6, 5, 5, True, "54"), True), ((7, 6, 6, 5, 5, False, "54"), False)], lambda: [
    (figures(table := worked((5,), "near arm", 1, weapon="club", options={"crippling_by": limb, "major_wound_by": wound})),
     table.has("bob", "near_arm_crippled"))
    for limb, wound in (("before_cap", "after_cap"), ("before_cap", "before_cap"), ("after_cap", "after_cap"))
])  # fmt: skip
CASES.row("WRK06", [(24, 20, 30, 3, -20, 3), (22, 18, 27, 2, -17, 2)], lambda: [axe(how) for how in ("total", "dice")])


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_rules(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
