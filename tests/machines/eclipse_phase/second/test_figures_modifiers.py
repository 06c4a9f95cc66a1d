"""Figures of the second edition: modifiers of the target numbers of attack and defense."""

from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    CORE,
    ERRATA,
    ROWS,
    Cases,
    Table,
    attack,
    attacker,
    person,
    to_defend,
    to_hit,
)

from ledger.events import ModifierApplied

CASES = Cases()
BLOW: dict[str, Any] = {"kind": "melee"}


def against(fray: int = 60, **skills: int) -> dict[str, Any]:
    """Returns the skills of a defender."""
    return {"skills": {"fray": fray, **skills}}


def applied(table: BaseTable, why: str, role: str = "to-hit") -> int:
    """Returns the sum of the modifiers with a reason."""
    events = (event for event in table.events if isinstance(event, ModifierApplied) and event.key.endswith(role))
    return sum(event.value for event in events if event.why == why)


# ------------------------------------------------------------------------------------------------ the table for all attacks


def blind(found: int, profile: str) -> tuple[int, int]:
    """Returns the target, and the number of requested chance rolls."""
    table = attack({"blind": True}, {"perceive": found, "chance": 60}, profile=profile)
    return table.target("to-hit"), table.asked("chance")


CASES.alike(lambda *names, **how: to_hit(*how.pop("names", ()), **how), {
    "MOD01": (40, {"before": [("move", {"how": "full"})]}),
    "MOD02": (80, {"names": ["superior position"]}),
    "MOD04": (50, {"adjust": [("ann", "wounds", 1)]}),
    "MOD05": (30, {"adjust": [("ann", "wounds", 3)]}),
    "MOD06": (30, {"adjust": [("ann", "wounds", 1), ("ann", "traumas", 2)]}),
    "MOD07": (50, {"adjust": [("ann", "traumas", 1)]}),
    "MOD08": (50, {"terms": {"called": "disarm"}, "bob": {"weapons": ["knife"]}}),
    "MOD09": (40, {"names": ["two-handed weapon in one hand"], "weapon": {"traits": ["two-handed"]}}),
    "MOD10": (60, {"weapon": {"traits": ["two-handed"]}}),
    "MOD12": (30, {"bob": {"size": "very small"}}),
    "MOD13": (50, {"bob": {"size": "small"}}),
    "MOD14": (70, {"bob": {"size": "large"}}),
    "MOD15": (90, {"bob": {"size": "very large"}}),
    "MOD16": (50, {"names": ["visibility minor"]}),
    "MOD17": (40, {"names": ["visibility major"]}),
})  # fmt: skip
CASES.row("MOD11", [60, 60], lambda: [
    to_hit("two-handed weapon in one hand", weapon={"traits": ["two-handed"]}, ann={"size": size}) for size in ("large", "very large")
])  # fmt: skip
CASES.row("MOD03", 80, lambda: to_defend("superior position of the defender", bob=against(), **BLOW))
CASES.row("MOD18", [(30, 0), (30, 0)], lambda: [blind(10, profile) for profile in (CORE, ERRATA)])
CASES.row("MOD19", [(60, 1), (30, 1)], lambda: [blind(98, profile) for profile in (CORE, ERRATA)])
CASES.row("MOD20", 20, lambda: to_defend(bob=against(), adjust=[("bob", "wounds", 1)]))
CASES.row("MOD21", 50, lambda: to_defend(defense="melee", bob=against(melee=60), adjust=[("bob", "wounds", 1)], **BLOW))

# ------------------------------------------------------------------------------------------------ melee


def after_aggression(kind: str, defense: str) -> int:
    """Returns the target of Ann's defense after an aggressive attack and before her next action."""
    ann = attacker(60, "melee", skills={"fray": 60})
    table = Table(ann=ann, bob=attacker(60, kind)).begin()
    table.declare("attack", "ann", {"defense": "none", "to-hit": 98}, at="bob", using="it", aggressive=True)
    table.moment("bob").declare("attack", "bob", {"defense": defense}, at="ann", using="it")
    return table.target("defend")


def several(count: int, *before: Any) -> list[int]:
    """Returns the target numbers of blows at several targets."""
    others = {who: person() for who in ("cyd", "dov")[: count - 1]}
    table = attack({"at": ["bob", *others]}, {"to-hit": 98}, others=others, before=before, **BLOW)
    return table.figures("target")


def larger(mine: str, theirs: str) -> int:
    """Returns Melee 50 with the modifier for size alone."""
    table = attack({}, kind="melee", skill=50, ann={"size": mine}, bob={"size": theirs})
    return 50 + applied(table, "larger than the opponent")


def grapple(*modifiers: str, **how: Any) -> int:
    return to_hit(*modifiers, terms={"called": "grapple"}, kind="melee", **how)


CASES.row("MOD22", 70, lambda: to_hit(terms={"aggressive": True, "bonus": "aim"}, **BLOW))
CASES.row("MOD23", 50, lambda: after_aggression("melee", "fray"))
CASES.row("MOD24", 60, lambda: after_aggression("melee", "melee"))
CASES.row("MOD25", 20, lambda: after_aggression("ranged", "fray"))
CASES.row("MOD26", 50, lambda: to_hit(before=[("move", {"how": "full"})], **BLOW))
CASES.row("MOD27", 60, lambda: to_hit(before=[("move", {"how": "base"})], **BLOW))
CASES.row("MOD28", (60, "1d10+1d6"), lambda: let(
    attack({"extra_weapons": 1}, {"to-hit": 31}, **BLOW), lambda t: (t.target("to-hit"), t.dice())
))  # fmt: skip
CASES.row("MOD29", [50, 60, 70, 70], lambda: [
    to_defend(f"{many} of the defender", bob=against(40), **BLOW)
    for many in ("extra weapon", "two extra weapons", "three extra weapons", "three extra weapons")
])  # fmt: skip
CASES.row("MOD30", (20, True), lambda: (
    to_defend(bob=against(40)), refused(lambda: to_defend("extra weapon of the defender", bob=against(40))),
))  # fmt: skip
CASES.alike(grapple, {
    "MOD31": (80 + -10, {"bob": {"size": "small"}}),
    "MOD33": (40 + 10, {"bob": {"size": "large"}}),
    "MOD35": (80, {"ann": {"limbs": 6}}),
    "MOD36": (40, {"bob": {"limbs": 6}}),
    "MOD37": (60, {"ann": {"limbs": 5}}),
    "MOD38": (80, {"ann": {"limbs": 8}}),
    "MOD39": (60, {"weapon": "club"}),
})  # fmt: skip
CASES.row("MOD32", 100 + -30, lambda: grapple(bob={"size": "very small"}))
CASES.row("MOD34", True, lambda: refused(lambda: grapple(bob={"size": "very large"})))
CASES.row("MOD40", [40, 40], lambda: several(2))
CASES.row("MOD41", [20, 20, 20], lambda: several(3))
CASES.row("MOD42", 70, lambda: to_hit("reach advantage", weapon="club"))
CASES.row("MOD43", 70, lambda: to_defend("reach advantage of the defender", bob=against(), **BLOW))
CASES.row("MOD44", 80, lambda: to_hit("long reach advantage", weapon="piston spear"))
CASES.row("MOD45", 60, lambda: to_hit(weapon="club", bob={"weapons": ["club"]}))
CASES.row("MOD46", [60, 70, 80], lambda: [
    larger(*sizes) for sizes in (("large", "medium"), ("very large", "medium"), ("very large", "small"))
])  # fmt: skip
CASES.row("MOD47", 80, lambda: larger("very large", "very small"))
CASES.row(
    "MOD48", 70, lambda: to_hit("long reach advantage", skill=30, weapon="piston spear", ann={"size": "very large"})
)
CASES.row("MOD49", (80, 0), lambda: let(
    attack({"modifiers": ["touch-only"]}, {"to-hit": 31}, **BLOW), lambda t: (t.target("to-hit"), t.figure("dv"))
))  # fmt: skip
CASES.row("MOD50", (60, "1d10", 1), lambda: let(
    attack({"strike": True}, {"to-hit": 31, "damage": 5, "shock": 1}, weapon="shock baton", bob={"weapons": ["club"]}),
    lambda t: (t.target("to-hit"), t.dice(), t.asked("shock")),
))  # fmt: skip
CASES.row("MOD51", 80, lambda: to_hit(adjust=[("bob", "conditions.prone", "")], **BLOW))
CASES.row("MOD94", [30, 30], lambda: several(2, ("move", {"how": "full"})))

# ------------------------------------------------------------------------------------------------ aiming

QUICK = [("aim", {"at": "bob"})]
MODES = ["semi", "single", "burst", "full"]


def quick(mode: str) -> int:
    return to_hit(before=QUICK, weapon={"modes": MODES}, terms={"mode": mode})


def gives_nothing(mode: str) -> bool:
    """Returns whether a shot in this mode after a quick aim is refused, or gains nothing."""
    return refused(lambda: quick(mode)) or quick(mode) == 60


def aimed(skill: int = 60, *, lost: bool = False, again: bool = False, **terms: Any) -> int:
    """Returns the target of the attack with the next action after a full aim."""
    table = Table(ann=attacker(skill), bob=person()).begin().declare("aim", "ann", at="bob", complex=True)
    table.next_turn("ann")
    if lost:
        table.adjust("ann", "conditions.aiming", None)
    if again:
        table.declare("aim", "ann", at="bob")
    return table.declare("attack", "ann", {"defense": "none"}, at="bob", using="it", **terms).target("to-hit")


CASES.row("MOD52", 70, lambda: quick("semi"))
CASES.row("MOD53", 70, lambda: quick("single"))
CASES.row("MOD54", [True, True], lambda: [gives_nothing(mode) for mode in ("burst", "full")])
CASES.row("MOD55", 90, aimed)
CASES.row("MOD56", 60, lambda: aimed(lost=True))
CASES.row("MOD57", 90, lambda: aimed(mode="burst"))
CASES.row("MOD58", 70, lambda: aimed(40, again=True))

# ------------------------------------------------------------------------------------------------ shots

PISTOL = {"fires": "firearm", "ammo": 15}
PRONE = [("bob", "conditions.prone", "")]


def hands() -> list[int]:
    """Returns the target numbers of pistols in four hands at one target."""
    gun = {"kind": "ranged", "skill": "guns", "damage": "2d10", "range": 30, "modes": ["semi"]}
    names = ["one", "two", "three", "four"]
    table = Table(ann=person(skills={"guns": 60}, weapons=dict.fromkeys(names, gun)), bob=person()).begin()
    for name in names:
        also = {"also": names[1:]} if name == "one" else {}
        table.declare("attack", "ann", {"defense": "none", "to-hit": 98}, at="bob", using=name, **also)
    return table.figures("target")


def other_targets() -> bool:
    """Returns whether firing the second of two pistols at another target is refused."""
    gun = {"kind": "ranged", "skill": "guns", "damage": "2d10", "range": 30, "modes": ["semi"]}
    sheets = {"ann": person(skills={"guns": 60}, weapons={"one": gun, "two": gun}), "bob": person(), "cyd": person()}
    table = Table(**sheets).begin()
    table.declare("attack", "ann", {"defense": "none", "to-hit": 98}, at="bob", using="one", also=["two"])
    return refused(lambda: table.declare("attack", "ann", at="cyd", using="two"))


def again(*modifiers: str, weapon: Any = None, **terms: Any) -> int:
    """Returns the target number of an attack on the same target after a miss."""
    table = attack({}, {"to-hit": 98}, weapon=weapon).next_turn("ann")
    said = {"at": "bob", "using": "it", "modifiers": modifiers, **terms}
    return int(table.declare("attack", "ann", {"defense": "none"}, **said).target("to-hit"))


def spread(mode: str, *others: str) -> tuple[int, int, str]:
    """Returns target number, rolls to hit and damage dice of fire spread over Bob and others."""
    how = {"others": {who: person() for who in others}, "terms": {"at": ["bob", *others], "mode": mode}}
    table = attack(answers={"to-hit": 31, "damage": (5, 5)}, **how)
    return table.target("to-hit"), table.asked("to-hit"), table.dice()


def suppressing() -> int:
    """Returns the target of suppressive fire with a wound, a trauma, and at range."""
    table = Table(ann=attacker(weapon={"ammo": 30}), bob=person()).begin()
    table.adjust("ann", "wounds", 1).adjust("ann", "traumas", 1).declare("suppress", "ann", using="it").end("ann")
    return table.declare("suppressed", "ann", {"defense": "none"}, at="bob", range="range").target("to-hit")


CASES.alike(lambda *names, **how: to_hit(*how.pop("names", ()), **how), {
    "MOD59": (50, {"names": ["attacker behind cover"]}),
    "MOD60": (50, {"names": ["attacker in melee"], "weapon": "medium pistol"}),
    "MOD61": (30, {"names": ["attacker in melee"], "weapon": "assault rifle"}),
    "MOD62": (50, {"names": ["no smartlink"]}),
    "MOD63": (60, {}),
    "MOD67": (30, {"names": ["defender hidden"]}),
    "MOD68": (40, {"terms": {"distance": 11}, "adjust": PRONE}),
    "MOD69": (60, {"terms": {"distance": 9}, "adjust": PRONE}),
    "MOD70": (60, {"terms": {"distance": 10}, "adjust": PRONE}),
    "MOD71": (50, {"terms": {"distance": 11}, "adjust": PRONE, "situation": {"gravity": 0}}),
    "MOD72": (70, {"terms": {"mode": "burst", "bonus": "aim"}}),
    "MOD73": (90, {"terms": {"mode": "full", "bonus": "aim"}}),
    "MOD75": (40, {"names": ["indirect fire"]}),
    "MOD77": (40, {"names": ["fixed weapon carried"], "weapon": "machine gun"}),
    "MOD78": (20, {"names": ["fixed weapon carried", "two-handed weapon in one hand"], "weapon": "machine gun"}),
    "MOD80": (80, {"before": QUICK, "terms": {"ammunition": "homing"}, "weapon": PISTOL}),
    "MOD83": (60, {"terms": {"distance": 61, "ammunition": "accushot"}, "weapon": PISTOL}),
    "MOD90": (40, {"names": ["unaccustomed gravity"]}),
})  # fmt: skip
CASES.row("MOD64", [60, 40, 20, 0], hands)
CASES.row("MOD65", True, other_targets)
CASES.row(
    "MOD66", [50, 40, 30], lambda: [to_hit(f"defender in {much} cover") for much in ("minor", "moderate", "major")]
)
CASES.row("MOD74", [(60, 1, "2d10")] * 2, lambda: [spread("burst", "cyd"), spread("full", "cyd", "dov")])
CASES.row("MOD79", 70, lambda: again(weapon="stunner"))
CASES.row("MOD81", 70, lambda: again(weapon=PISTOL, ammunition="homing"))
CASES.row("MOD82", 40, lambda: again("indirect fire", weapon=PISTOL, ammunition="homing"))
CASES.row("MOD91", [50, 40, 10], lambda: [to_hit(situation={"gravity": gravity}) for gravity in (120, 140, 200)])
CASES.row("MOD92", 40, suppressing)

# ------------------------------------------------------------------------------------------------ armor, defense, senses

LAYERS = ["body armor", "armor coat", "crash suit"]
FULL_DEFENSE = [("bob", "conditions.full_defense", "")]


def guarded(kind: str, defense: str = "fray", **skills: int) -> int:
    """Returns the target of a full defense."""
    return to_defend(kind=kind, defense=defense, bob=against(**skills), adjust=FULL_DEFENSE)


def notices(alert: tuple[str, ...] = ()) -> int:
    table = Table(ann=attacker(), bob=person(skills={"perceive": 50}))
    return table.begin({"ambushers": ["ann"], "alert": list(alert)}).target("notice")


CASES.row("MOD85", [40, 20], lambda: [
    to_hit(ann={"armor": {"worn": LAYERS[:count]}, "aptitudes": {"som": 60}}) for count in (2, 3)
])  # fmt: skip
CASES.row("MOD86", (90, 60), lambda: (guarded("melee"), guarded("ranged")))
CASES.row("MOD87", 80, lambda: guarded("melee", "athletics", fray=40, athletics=50))
CASES.row("MOD88", 55, lambda: guarded("ranged", "athletics", fray=40, athletics=50))
CASES.row("MOD89", 80, lambda: guarded("melee", "melee", melee=50))
CASES.row("MOD95", (30, 50), lambda: (notices(), notices(("bob",))))
CASES.row("MOD96", 20, lambda: attack({"blind": True}, adjust=[("ann", "conditions.deafened", "")]).target("perceive"))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
