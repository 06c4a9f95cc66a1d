"""Figures of the second edition: effects of weapons other than damage, conditions, holds."""

from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    CORE,
    ERRATA,
    ROWS,
    STURDY,
    Cases,
    Table,
    attack,
    attacker,
    person,
    to_defend,
    to_hit,
)

from machines.eclipse_phase.second.turn.movement import rates

CASES = Cases()

# ------------------------------------------------------------------------------------------------ checks of the target


def checked(
    trait: str, rolled: int = 1, *, hit: int = 31, weapon: Any = None, som: int = 20, armor: Any = None, **how: Any
) -> BaseTable:
    """Plays a hit on a target with SOM 20 and armor 6/6."""
    bob = {
        **STURDY,
        "aptitudes": {"som": som, **how.pop("aptitudes", {})},
        "armor": armor or {"energy": 6, "kinetic": 6},
    }
    answers = {"to-hit": hit, trait: rolled, "damage": 4, **how.pop("answers", {})}
    weapon = weapon or {"damage": "4", "armor": "energy", "traits": [trait]}
    return attack(
        how.pop("terms", {}),
        answers,
        skill=how.pop("skill", 90),
        weapon=weapon,
        bob={**bob, **how.pop("bob", {})},
        **how,
    )


def target(trait: str, **how: Any) -> int:
    return checked(trait, **how).target(trait)


def turns(table: BaseTable, condition: str) -> int:
    """Returns the number of Action Turns of a condition, with the present one."""
    return int(table.until("bob", condition).removeprefix("r")) - 1


def failed(trait: str, condition: str, rolled: int, **how: Any) -> int:
    return turns(checked(trait, rolled, **how), condition)


AT_36 = {"bob": {"size": "very small"}}
AT_26 = {"som": 10, "bob": {"size": "small"}}
CASES.row("SHK01", 66, lambda: target("shock"))
CASES.row("SHK02", [36, 56, 76, 96], lambda: [
    target("shock", bob={"size": size}) for size in ("very small", "small", "large", "very large")
])  # fmt: skip
CASES.row("SHK03", 86, lambda: target("shock", bob={"traits": ["shock proof"]}))
CASES.row("SHK04", 3, lambda: failed("shock", "stunned", 40))
CASES.row("SHK05", (True, 1, 60), lambda: let(
    checked("shock", 70), lambda t: (t.has("bob", "prone"), turns(t, "incapacitated"), turns(t, "stunned"))
))  # fmt: skip
CASES.row("SHK06", (36, 3), lambda: (target("shock", **AT_36), failed("shock", "incapacitated", 40, **AT_36)))
CASES.row("SHK07", (26, 5), lambda: (target("shock", **AT_26), failed("shock", "incapacitated", 30, **AT_26)))
CASES.row("SHK08", 1, lambda: failed("shock", "incapacitated", 44, **AT_36))
CASES.row("SHK09", 56, lambda: target("shock", adjust=[("bob", "wounds", 1)]))
CASES.row("SHK10", (0, 1), lambda: let(checked("shock"), lambda t: (t.taken("bob"), t.asked("shock"))))
CASES.row("SHK11", [0, 0, 0], lambda: [
    checked("shock", bob={"morph": morph, "skills": {"athletics": 40}}).asked("shock") for morph in ("synthmorph", "bot", "vehicle")
])  # fmt: skip
CASES.row("SHK12", (80, 0, 1), lambda: let(
    checked("shock", weapon="shock baton", skill=60, bob={"weapons": ["club"]}), lambda t: (t.target("to-hit"), t.figure("dv"), t.asked("shock"))
))  # fmt: skip
CASES.row("SHK13", [66, 66], lambda: [
    target("shock", weapon={"damage": "4", "armor": "energy", "traits": ["shock", "armor-piercing"]}),
    target("shock", hit=45, terms={"called": "bypass armor"}),
])  # fmt: skip
CASES.row("SHK14", 66, lambda: target("stun"))
CASES.row("SHK15", [96, 36], lambda: [target("stun", bob={"size": size}) for size in ("large", "small")])
STUN_26 = {"som": 15, "armor": {"kinetic": 11}, "bob": {"size": "small"}}
CASES.row("SHK16", (1, 2, 36, 3, 26), lambda: (
    failed("stun", "stunned", 70), failed("stun", "stunned", 40, bob={"size": "small"}), target("stun", bob={"size": "small"}),
    failed("stun", "stunned", 30, **STUN_26), target("stun", **STUN_26),
))  # fmt: skip
CASES.row("SHK17", (1, 20), lambda: let(
    checked("stun", 77), lambda t: (turns(t, "incapacitated"), turns(t, "stunned"))
))  # fmt: skip
CASES.row("SHK18", False, lambda: checked("stun", 40).has("bob", "stunned", "incapacitated"))

# ------------------------------------------------------------------------------------------------ pain, light, foam


def pained(rolled: int) -> tuple[int | None, int, bool]:
    """Returns the modifier for pain, its number of Action Turns, and whether the target must flee."""
    table = checked("pain", rolled)
    return table.level("bob", "impaired"), turns(table, "impaired"), table.has("bob", "hurting")


def roasted(weapon: str) -> tuple[int, int]:
    """Returns the number of checks against pain and the damage of a synthmorph."""
    table = checked("pain", weapon=weapon, armor={"energy": 0}, bob={"morph": "synthmorph"}, answers={"damage": (5, 5)})
    return table.asked("pain"), table.taken("bob")


def freed(weapon: Any, hit: int) -> int:
    """Returns the target of the check to break free of an entangling weapon."""
    table = checked("entangling", 98, hit=hit, weapon=weapon, skill=70)
    return int(table.end("ann").declare("break_free", "bob", using="som").target("struggle"))


NET = {"damage": "", "traits": ["entangling"]}
CASES.row("SHK19", 45, lambda: target("pain"))
CASES.row("SHK20", [(-20, 2, False), (-20, 2, True)], lambda: [pained(rolled) for rolled in (40, 50)])
CASES.row("SHK21", (75, -10, 0), lambda: (
    target("pain", bob={"traits": ["pain tolerance 1"]}), checked("pain", bob={"traits": ["pain tolerance 1"]}).level("bob", "impaired"),
    checked("pain", bob={"traits": ["pain tolerance 2"]}).asked("pain"),
))  # fmt: skip
CASES.row("SHK22", [(0, 0), (0, 10)], lambda: [roasted(f"microwave agonizer{how}") for how in ("", " (roast)")])
CASES.row("SHK23", [1, 2, 3], lambda: [
    failed("blinding", "blinded", rolled, aptitudes={"ref": ref}) for ref, rolled in ((20, 70), (20, 61), (10, 31))
])  # fmt: skip
CASES.row("SHK24", "healed or repaired", lambda: checked("blinding", 77).until("bob", "blinded"))
CASES.row("SHK26", 40, lambda: target("entangling", hit=67, skill=70, weapon=NET))
CASES.row("SHK27", [30, 10], lambda: [freed("freezer", hit) for hit in (31, 67)])
CASES.row("SHK28", 60, lambda: freed(NET, 31))
CASES.row("SHK29", (60, True, 0), lambda: let(
    checked("knockdown", 61), lambda t: (t.target("knockdown"), t.has("bob", "prone"), t.wounds("bob"))
))  # fmt: skip


def shakes(warhead: str, *meters: int) -> list[bool]:
    """Returns whether knockdown is checked at distances from the center."""
    found = []
    for each in meters:
        answers = {"to-hit": 31, "damage": (1, 1, 1), "knockdown": 1}
        table = attack(
            {"caught": {"cyd": each}},
            answers,
            skill=90,
            weapon=f"{warhead} minigrenade",
            bob=STURDY,
            others={"cyd": person(**STURDY)},
        )
        keys = [event.key for event in table.events if getattr(event, "dice", "")]
        found.append(any(key.endswith("t2/knockdown") for key in keys))
    return found


CASES.row("SHK30", [True, False, True, False], lambda: shakes("frag", 5, 6) + shakes("high-explosive", 10, 11))
CASES.row("SHK31", (True, False), lambda: tuple(
    attack({}, {"to-hit": rolled}, weapon="monowire garrote").has("ann", "it_broken") for rolled in (61, 98)
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ conditions


def so(condition: str, who: str = "ann", level: int | str = "") -> list[tuple[str, str, int | str | None]]:
    return [(who, f"conditions.{condition}", level)]


def at_once(condition: str, who: str = "ann", **ann: Any) -> Table:
    """Begins a fight in which a combatant has a condition."""
    table = Table(ann=attacker(60, "melee", **ann), bob=person()).begin()
    table.adjust(who, f"conditions.{condition}", "")
    return table


def no_to(condition: str, kind: str, **terms: Any) -> bool:
    return refused(lambda: at_once(condition).declare(kind, "ann", {"defense": "none"}, **terms))


def rush(skill: int, condition: str) -> int:
    return at_once(condition, skills={"athletics": skill}).declare("move", "ann", how="rush").target("rush")


def runs_blind(rolled: int) -> tuple[int, bool]:
    """Returns the target of a blinded full move with Athletics 50, and whether the roll leaves the combatant prone."""
    table = at_once("blinded", skills={"athletics": 50}).declare("move", "ann", how="full")
    rest = next(rest for rest in table.combat.rests if rest.dice)
    name = rest.key.split("/")[-1]
    return table.target(name), table.answer({name: rolled}).has("ann", "prone")


def unseeing(found: int, profile: str) -> tuple[int, int]:
    """Returns the target of a blinded attack, and the number of chance rolls."""
    table = attack({}, {"perceive": found, "chance": 60}, profile=profile, adjust=so("blinded"))
    return table.target("to-hit"), table.asked("chance")


def confused(roll: int) -> Table:
    """Plays the turn of a confused combatant whose check fails, with a roll for the confusion."""
    table = Table(bob=person(), ann=attacker(60, "melee")).begin(bob=6, ann=1)
    table.adjust("ann", "conditions.confused", "").end("bob")
    return table.answer({"sense": 98, "confusion": roll})


def may(roll: int) -> tuple[bool, bool]:
    """Returns whether a confused combatant may attack freely, and may run."""
    ways: tuple[tuple[str, dict[str, Any]], ...] = (("attack", {"at": "bob", "using": "it"}), ("move", {"how": "base"}))
    return tuple(
        not refused(lambda kind=kind, said=said: confused(roll).declare(kind, "ann", {"defense": "none"}, **said))
        for kind, said in ways
    )


def guards(condition: str) -> int:
    """Returns the number of defenses that a combatant with a condition rolls."""
    table = attack({}, {"defense": "fray"}, adjust=so(condition, "bob"))
    return table.asked("defend")


def held_outside(kind: str, condition: str) -> int:
    """Returns the target of the defense of a combatant with a condition against an attack from outside a hold."""
    return to_defend(kind=kind, bob={"skills": {"fray": 60}}, adjust=so(condition, "bob"))


FRAY = {"bob": {"skills": {"fray": 60}}}
CASES.row("CON01", (30, 50), lambda: (to_hit(adjust=so("stunned")), to_hit(kind="psi", adjust=so("stunned"))))
CASES.row("CON02", 40, lambda: to_hit(adjust=so("impaired", level=-20)))
CASES.row("CON03", 30, lambda: rush(60, "blinded"))
CASES.row(
    "CON04",
    [30, 0],
    lambda: [to_defend(kind=kind, adjust=so("blinded", "bob"), **FRAY) for kind in ("melee", "ranged")],
)
CASES.row("CON05", [(30, 0), (60, 1), (30, 1)], lambda: [unseeing(10, CORE), unseeing(98, CORE), unseeing(98, ERRATA)])
CASES.row("CON06", [(20, False), (20, True)], lambda: [runs_blind(rolled) for rolled in (20, 21)])
CASES.row("CON07", 4, lambda: let(
    Table(ann=person()).adjust("ann", "conditions.deafened", ""), lambda t: t.begin(ann=1).combat.initiative.scores["ann"] - 1
))  # fmt: skip
CASES.row("CON08", 30, lambda: confused(0).target("sense"))
CASES.row("CON09", [(False, False), (True, True), (True, True), (False, True), (False, True), (True, True)], lambda: [
    may(roll) for roll in (24, 25, 49, 50, 74, 75)
])  # fmt: skip
CASES.row("CON10", 60, lambda: to_defend(kind="melee", adjust=so("confused", "bob"), **FRAY))
CASES.row("CON11", [True, True, False, 60], lambda: [
    no_to("dazed", "attack", at="bob", using="it"), no_to("dazed", "move", how="full"), no_to("dazed", "move", how="base"),
    to_defend(kind="melee", adjust=so("dazed", "bob"), **FRAY),
])  # fmt: skip
CASES.row("CON12", [30, 0], lambda: [held_outside(kind, "grappled") for kind in ("melee", "ranged")])
CASES.row("CON13", 30, lambda: held_outside("melee", "grappling"))
CASES.row(
    "CON14", [0, 0, 0], lambda: [guards(condition) for condition in ("immobilized", "incapacitated", "unconscious")]
)
CASES.row("CON15", [False, True], lambda: [
    no_to(condition, "complex", what="thinks", mental=True) for condition in ("immobilized", "incapacitated")
])  # fmt: skip
CASES.row("CON16", (2, 10), lambda: rates(at_once("prone").declare("quick", "ann", stand=True).combat, "ann", ""))
CASES.row("CON17", 0, lambda: guards("detached"))

# ------------------------------------------------------------------------------------------------ holds


def grappled(rolled: int, bob: Any = None, ann: Any = None, **answers: Any) -> BaseTable:
    """Plays a grapple against a failed Fray 30; the damage die is a 5."""
    return attack(
        {"called": "grapple"}, {"to-hit": rolled, "defense": "fray", "defend": 98, "damage": 5, **answers}, kind="melee",
        ann=ann, bob={**STURDY, "skills": {"fray": 30}, **(bob or {})},
    )  # fmt: skip


def hold(table: BaseTable) -> tuple[bool, int]:
    return table.has("bob", "grappled"), table.taken("bob")


def broken_free(mine: int, theirs: int, **answers: Any) -> BaseTable:
    """Plays Bob's attempt to break free with SOM 20 against Ann's Melee 60."""
    table = grappled(45).end("ann")
    return table.declare("break_free", "bob", {"struggle": mine, "hold": theirs, **answers}, using="som")


def keeps(do: str, bob: Any = None, **answers: Any) -> BaseTable:
    """Plays the holder's next turn, in which they keep hold and do something."""
    table = grappled(45, bob).next_turn("ann")
    return table.declare("hold", "ann", answers, do=do)


CASES.row("GRP01", (True, 0), lambda: hold(grappled(45)))
CASES.row("GRP02", (False, 0), lambda: hold(grappled(20)))
CASES.row("GRP03", [(False, 10), (False, 0)], lambda: [hold(grappled(22, mercy=mercy)) for mercy in ("hurt", "spare")])
CASES.row("GRP04", (False, 10), lambda: hold(grappled(44, critical="double")))
CASES.row("GRP05", [(60, 60), (60, 75)], lambda: [
    let(each.end("ann").declare("break_free", "bob", using="som"), lambda t: (t.target("struggle"), t.target("hold")))
    for each in (grappled(45), grappled(45, ann={"aptitudes": {"som": 25}}))
])  # fmt: skip
CASES.row("GRP06", [False, True], lambda: [
    broken_free(45, 30, turning="free").has("bob", "grappled"), broken_free(45, 30, turning="grapple").has("ann", "grappled")
])  # fmt: skip
CASES.row("GRP07", True, lambda: broken_free(30, 30).has("bob", "grappled"))
CASES.row("GRP08", [True, False], lambda: [
    grappled(45).next_turn("ann").has("bob", "grappled"), grappled(45).next_turn("ann").end("ann").has("bob", "grappled")
])  # fmt: skip
CASES.row("GRP09", (60, True, True), lambda: (
    keeps("choke").target("choke"), keeps("choke", choke=61).has("bob", "unconscious"),
    refused(lambda: keeps("choke", {"morph": "synthmorph"})),
))  # fmt: skip
CASES.row("GRP10", ("1d6", 0), lambda: let(keeps("damage"), lambda t: (t.dice(), t.asked("defend") - 1)))
CASES.row(
    "GRP11", (30, True), lambda: (keeps("knockdown").target("choke"), keeps("knockdown", choke=31).has("bob", "prone"))
)
CASES.row("GRP12", (2, 10), lambda: rates(keeps("move").combat, "ann", ""))
CASES.row("GRP13", (0, 0), lambda: rates(grappled(45).combat, "bob", ""))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
