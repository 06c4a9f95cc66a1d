"""Figures of GURPS: active and passive defense, and the turn of a second."""

from typing import Any

import pytest
from rules.third_edition import ROWS, Cases, Table, attack, attacker, harmed, person, strike, table_of, to_defend

from ledger.events import Json

CASES = Cases()

# ------------------------------------------------------------------------------------------------ what a defense is worth


def worn(pd: int, **more: Any) -> Json:
    """Returns Bob's sheet with armor of a passive defense."""
    return {"armor": {"torso": {"pd": pd}}, **more}


def parries(name: str, *skills: int, kind: str = "melee") -> list[int]:
    """Returns the parry with a weapon skill."""
    held = {"kind": kind, "skill": name, "damage": "1d", "type": "crushing"}
    return [to_defend(defense="parry", bob={"skills": {name: each}, "weapons": {"own": held}}) for each in skills]


def blocks(*skills: int) -> list[int]:
    shield = {"kind": "medium shield", "pd": 3}
    return [to_defend(defense="block", bob={"skills": {"shield": each}, "shield": shield}) for each in skills]


DODGES: Json = worn(2, dodge=6)


def retreats_twice() -> tuple[list[int], bool]:
    """Returns Bob's dodge against Ann and Cyd after retreating from Ann, and whether he may also retreat from Cyd."""
    table = table_of(bob=DODGES, others={"cyd": attacker(move=11)})
    strike(table, {}, {"to-hit": 10, "defense": "dodge and retreat", "defend": 5})
    strike(table.turn("cyd"), {"at": "bob"}, {"to-hit": 10, "defense": ""}, by="cyd")
    offered = "dodge and retreat" in table.offered()
    table.answer({"defense": "dodge"})
    return table.targets("defend"), offered


def stunned_from_the_side() -> tuple[int, int]:
    """Returns the target of the defense, and the number of its rolls."""
    table = attack(
        {"theirs": ["from the side"]},
        {"to-hit": 10, "defense": "dodge"},
        bob=DODGES,
        adjust=[("bob", "conditions.stunned", "")],
    )
    return table.target("defend"), table.asked("defend")


def feinted(attacks: int, defends: int) -> tuple[int, int]:
    """Returns a feint's modifiers of the defenses against Ann's next attack and the one after it."""
    bob = {
        "dodge": 12,
        "skills": {"broadsword": 12},
        "weapons": {"own": {"skill": "broadsword", "damage": "1d", "type": "cutting", "parries": False}},
    }
    table = table_of(skill=15, bob=bob)
    table.declare("feint", "ann", {"feint": attacks, "see-through": defends}, at="bob", using="it")
    for _ in range(2):
        strike(table.turn("ann"), {}, {"to-hit": 10, "defense": "dodge", "defend": 5})
    first, second = (number - 12 for number in table.targets("defend"))
    return first, second


def after_all_out(roll: int) -> tuple[int, str]:
    """Returns the target of Bob's defense after an all-out attack, and the path."""
    bob = worn(3, move=20, skills={"dx": 10}, weapons={"it": {"skill": "dx", "damage": "1d", "type": "cutting"}})
    table = table_of(bob=bob)
    strike(table, {"all_out": "to_hit"}, {"to-hit": 16}, by="bob")
    strike(table.turn("ann"), {}, {"to-hit": 10, "defense": "dodge", "defend": roll, "damage": 5})
    return table.target("defend"), table.path().partition("23-")[2][:8]


def alone(pd: int, roll: int, defense: str = "none", **terms: Any) -> tuple[int, str, str]:
    """Returns target, outcome and path of a defense with passive defense alone."""
    table = attack(terms, {"to-hit": 10, "defense": defense, "defend": roll, "damage": 5}, bob=worn(pd, move=7))
    return table.target("defend"), table.roll("defend")[0], table.path().partition("23-")[2][:8]


CASES.row("DEF01", [6, 8], lambda: [to_defend(bob=worn(pd, move=6)) for pd in (0, 2)])
CASES.row("DEF02", [6, 6, 7], lambda: parries("broadsword", 12, 13, 15))
CASES.row("DEF03", [[8, 8, 10]] * 4, lambda: [
    parries(name, 12, 13, 15, kind="unarmed" if name in ("karate", "judo") else "melee")
    for name in ("fencing", "staff", "karate", "judo")
])  # fmt: skip
CASES.row("DEF04", [10, 10], lambda: blocks(14, 15))
CASES.row("DEF05", 11, lambda: to_defend(defense="dodge and retreat", bob=DODGES))
CASES.row("DEF06", ([11, 8], False), retreats_twice)
CASES.row("DEF07", [6, 6], lambda: [to_defend(each, bob=DODGES) for each in ("from the side", "from above")])
CASES.row("DEF08", (2, 1), stunned_from_the_side)
CASES.row("DEF09", [8, 6, 6, 5, 5], lambda: [
    to_defend(bob=DODGES, situation={"postures": {"bob": each}})
    for each in ("crouching", "kneeling", "sitting", "crawling", "prone")
])  # fmt: skip
CASES.row("DEF10", (-4, 0), lambda: feinted(10, 11))
CASES.row("DEF11", (-7, 0), lambda: feinted(10, 14))
CASES.row("DEF12", [(3, "24-25-52"), (3, "26-28-29")], lambda: [after_all_out(roll) for roll in (3, 5)])
CASES.row("DEF13", (2, "failure", "26-28-29"), lambda: alone(2, 8, "dodge", surprise=True))
CASES.row("DEF14", (3, "success", "24-25-52"), lambda: alone(3, 4))
CASES.row(
    "DEF15", [(4, "success", "24-25-52"), (4, "failure", "26-28-29")], lambda: [alone(4, roll) for roll in (3, 18)]
)

# ------------------------------------------------------------------------------------------------ what defends, how often


ARMED: Json = {
    "dodge": 9, "skills": {"broadsword": 18, "shield": 18}, "shield": {"pd": 0},
    "weapons": {"own": {"skill": "broadsword", "damage": "1d", "type": "cutting"}},
}  # fmt: skip
MISSED: Json = {"to-hit": 10, "defend": 9, "second-defend": 9}


def kinds(table: Table) -> set[str]:
    """Returns the possible defenses, without retreats."""
    return {option.split(" ")[0] for option in table.offered()} - {"none"}


def blow_by_blow(*defenses: str, all_out: bool = False) -> list[set[str]]:
    """Yields Bob's possible defenses against blows of several attackers in turn, with the given choices."""
    table = table_of(bob={**ARMED, "move": 20}, others={f"foe{nth}": attacker(move=10) for nth in range(len(defenses))})
    if all_out:
        table.declare("all_out_defense", "bob")
    found = []
    for nth, how in enumerate(defenses):
        strike(table.turn(f"foe{nth}"), {"at": "bob"}, {**MISSED, "defense": ""}, by=f"foe{nth}")
        found.append(kinds(table))
        table.answer({**MISSED, "defense": how})
    return found


def two_against_one() -> tuple[set[str], set[str], int]:
    """Returns the second defenses after a failed parry in an all-out defense, those after two failures, and the damage rolls."""
    table = table_of(bob={**ARMED, "move": 20}).declare("all_out_defense", "bob").turn("ann")
    strike(table, {}, {"to-hit": 10, "defense": "parry", "defend": 12, "second-defense": "", "damage": 5})
    second = kinds(table)
    table.answer({"second-defense": "dodge", "second-defend": 12})
    return second, kinds(table), table.rolls("damage")


def against(weapon: str) -> set[str]:
    return kinds(attack({}, {"to-hit": 10, "defense": ""}, weapon=weapon, bob=ARMED))


def defends(how: str, roll: int, weapon: str = "sword", **bob: Any) -> Table:
    """Plays a roll for a defense with a target of 9."""
    return attack({}, {"to-hit": 10, "defense": how, "defend": roll}, weapon=weapon, bob={**ARMED, **bob})


def parried_critically() -> tuple[str, list[str]]:
    """Returns the path, and who rolls on which table."""
    table = defends("parry", 4)
    return table.path()[-8:], [f"{rest.by} {rest.key.split('/')[-1]}" for rest in table.combat.rests]


def gone_wrong(how: str) -> tuple[bool, bool, list[str], bool]:
    """Returns whether Bob is down, whether his shield is unready, who rolls what, and whether he is struck."""
    table = defends(how, 18)
    asked = [f"{rest.by} {rest.key.split('/')[-1]}" for rest in table.combat.rests]
    table.answer({"parry-critical-miss": 10})
    return table.has("bob", "prone"), table.has("bob", "shield_unready"), asked, table.goes("26-27-28")


EVERY = {"dodge", "parry", "block"}
CASES.row(
    "DEF16", [EVERY, {"dodge", "block"}, {"dodge"}, {"dodge"}], lambda: blow_by_blow("parry", "block", "dodge", "dodge")
)
CASES.row("DEF17", ([EVERY, EVERY, {"dodge", "block"}, {"dodge", "block"}, {"dodge"}], ({"dodge", "block"}, set(), 1)), lambda: (
    blow_by_blow("parry", "parry", "block", "block", "dodge", all_out=True), two_against_one(),
))  # fmt: skip
CASES.row("DEF18", [{"dodge"}, {"dodge", "block"}], lambda: [against(weapon) for weapon in ("pistol", "bow")])
CASES.row("DEF19", ("23-24-16", ["ann critical-miss"]), parried_critically)
CASES.row("DEF20", True, lambda: defends("dodge", 3, "bow").goes("23-24-25-19"))
CASES.row("DEF21", [
    (True, False, ["ann damage"], True), (False, True, ["ann damage"], True), (False, False, ["bob parry-critical-miss"], True),
], lambda: [gone_wrong(how) for how in ("dodge", "block", "parry")])  # fmt: skip
CASES.row("DEF22", [True, True], lambda: [
    defends("dodge", 15, dodge=6).goes("23-26-28"), defends("dodge", 16, dodge=6).goes("23-26-27-28"),
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ the turn


def recovers(roll: int) -> tuple[bool, bool, int]:
    """Returns whether a stunned combatant with HT 11 acts after a roll, is still stunned, and the modifier of the dodge."""
    table = table_of(bob={"ht": 11, "dodge": 9}, adjust=[("bob", "conditions.stunned", "")]).turn(
        "bob", {"recover": roll}
    )
    acts = table.combat.turn.who == "bob" and "attack" in table.offered()
    strike(table.on("ann"), {}, {"to-hit": 10, "defense": "dodge"})
    return acts, table.has("bob", "stunned"), table.target("defend") - 9


def worn_down(taken: int, **bob: Any) -> tuple[int, int]:
    """Returns Move and Dodge after losing some of 10 hit points."""
    table = harmed(taken, "torso", weapon="club", bob=bob).turn("ann")
    strike(table, {}, {"to-hit": 10, "defense": "dodge"})
    return table.moves("bob"), table.target("defend") + (4 if table.has("bob", "stunned") else 0)


def shocked() -> list[int]:
    """Returns Ann's skill in her next two turns after losing 5 hit points."""
    bob = {"skills": {"dx": 10}, "weapons": {"it": {"skill": "dx", "damage": "1d", "type": "crushing"}}}
    table = table_of(skill=13, bob=bob, ann={"ht": 14}).turn("bob")
    strike(table, {}, {"to-hit": 10, "damage": 5}, by="bob")
    for _ in range(2):
        strike(table.turn("ann"), {}, {"to-hit": 16})
    return table.targets("to-hit")[-2:]


CASES.row("TRN01", ["bob", "cyd", "ann"], lambda: Table(
    ann=person(move=5), bob=person(move=7), cyd=person(move=6)
).begin().order())  # fmt: skip
CASES.row("TRN02", [(True, False, 0), (False, True, -4)], lambda: [recovers(roll) for roll in (11, 12)])
CASES.row("TRN03", (3, 5), lambda: worn_down(8, ht=20, hit_points=10, **worn(2, move=7)))
CASES.row("TRN04", 3, lambda: worn_down(13, ht=30, hit_points=10, move=6)[0])
CASES.row("TRN05", [8, 13], shocked)


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_rules(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
