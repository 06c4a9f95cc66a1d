"""Figures of the second edition: mental combat, its costs, and the book's example."""

from functools import cache
from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    ROWS,
    STURDY,
    Cases,
    Table,
    attack,
    person,
    to_defend,
    to_hit,
)

from ledger.commands import EndCombat
from ledger.events import ActionSpent
from machines.eclipse_phase.family import d100
from machines.eclipse_phase.second.harm.infection import rating
from machines.eclipse_phase.second.sheet.sheet_access import armor

CASES = Cases()
PSI: dict[str, Any] = {"kind": "psi"}
ASYNC = {"bob": {"psi": 1}}

# ------------------------------------------------------------------------------------------------ reaching a mind


def resists(*adjust: Any, wil: int = 15, **how: Any) -> int:
    return to_defend(defense="will", bob={"aptitudes": {"wil": wil}, **how.pop("bob", {})}, adjust=adjust, **PSI, **how)


def at(*meters: int, **how: Any) -> list[int]:
    terms = how.pop("terms", {})
    return [to_hit(terms={"distance": each, **terms}, **PSI, **how) for each in meters]


def asleep() -> int:
    return attack({}, {"defense": "will"}, adjust=[("bob", "conditions.unconscious", "")], **PSI).asked("defend")


def touch(rolled: int) -> tuple[int, list[str], set[str], int]:
    """Returns target, spent actions and defenses of a touch, and the target of the sleight after it."""
    hand = {"kind": "melee", "skill": "melee", "action": "quick", "traits": ["touch-only"]}
    sleight = {"kind": "psi", "skill": "psi", "damage": "2d10", "armor": "mental"}
    ann = person(psi=2, skills={"melee": 40, "psi": 60}, weapons={"hand": hand, "stab": sleight})
    table = Table(ann=ann, bob=person(skills={"fray": 40})).begin().declare("attack", "ann", at="bob", using="hand")
    avoids = table.offered() - {"none"}
    table.answer({"defense": "fray", "to-hit": rolled, "defend": 98})
    spent = [event.action for event in table.events if isinstance(event, ActionSpent)]
    goal = table.target("to-hit")
    table.declare("attack", "ann", {"defense": "none"}, at="bob", using="stab", distance=1)
    return goal, spent, avoids, table.target("to-hit")


CASES.row("PSI01", 45, resists)
CASES.row("PSI02", 75, lambda: resists(("bob", "conditions.mental_defense", "")))
CASES.row("PSI03", 45, lambda: resists(("bob", "conditions.full_defense", "")))
CASES.row("PSI04", 0, asleep)
CASES.row("PSI05", [80, 70, 60, 60], lambda: [to_hit("touching the target", **PSI), *at(2, 3, 10)])
CASES.row("PSI06", [50, 40, 10], lambda: at(12, 14, 20))
CASES.row("PSI07", [50], lambda: at(11))
CASES.row("PSI08", [70, 60, 60], lambda: at(4, 5, 20, **ASYNC))
CASES.row("PSI09", [50, 40], lambda: at(22, 24, **ASYNC))
CASES.row("PSI10", [[70, 60], [70, 60]], lambda: [
    at(4, 20, terms={"push": "range"}), at(6, 30, terms={"push": "range"}, **ASYNC)
])  # fmt: skip
CASES.row("PSI11", [30], lambda: at(10, bob={"morph": "pod"}))
CASES.row("PSI12", [True] * 3, lambda: [
    refused(lambda morph=morph: to_hit(bob={"morph": morph, "skills": {"athletics": 40}}, **PSI)) for morph in ("synthmorph", "bot", "vehicle")
])  # fmt: skip
CASES.row(
    "PSI13", [40, 30], lambda: [to_hit(mind, **PSI) for mind in ("partly sapient target", "target without sapience")]
)
CASES.row("PSI14", 30, lambda: to_hit("defender in major cover", **PSI))
CASES.row("PSI15", (60, ["quick"], {"fray", "melee"}, 70), lambda: touch(98))

# ------------------------------------------------------------------------------------------------ what it does there


def stabbed(rolled: int = 31, *faces: int, weapon: Any = "psychic stab", **how: Any) -> BaseTable:
    bob = {**STURDY, **how.pop("bob", {})}
    answers = {"to-hit": rolled, **({"damage": faces} if faces else {}), **how.pop("answers", {})}
    return attack(how.pop("terms", {}), answers, skill=70, weapon=weapon, bob=bob, **how)


def sleight(dv: int) -> dict[str, Any]:
    return {"kind": "psi", "skill": "psi", "damage": str(dv), "armor": "mental"}


def shielded(wil: int) -> int:
    """Returns the mental armor of a combatant with psi armor."""
    return armor(Table(ann=person(aptitudes={"wil": wil}, traits=["psi armor"])).combat, "ann", "mental")


def mind(shield: int) -> dict[str, Any]:
    """Returns a sheet with psi armor 5 and a shield."""
    return {"aptitudes": {"wil": 15}, "traits": ["psi armor"], "armor": {"mental": shield}}


def locked_out() -> tuple[bool, bool]:
    """Returns whether another attack on the same mind is refused after a critical defense, and after a recharge."""
    answers = {"to-hit": 31, "defense": "will", "defend": 22, "critical-ruling": "nothing", "infection": 98}
    table = stabbed(bob={"aptitudes": {"wil": 15}}, answers=answers, ann={"psi": 2}).next_turn("ann")
    shot = {"at": "bob", "using": "it"}
    shut = refused(lambda: table.declare("attack", "ann", **shot))
    table = stabbed(bob={"aptitudes": {"wil": 15}}, answers=answers, ann={"psi": 2}).next_turn("ann")
    table.do(EndCombat()).declare("recharge", "ann", {"points": 1}).begin()
    return shut, refused(lambda: table.declare("attack", "ann", **shot))


def short(rolled: int) -> tuple[int, int, int]:
    """Returns the Action Turns of incapacity and stun, and the number of SOM Checks."""
    table = attack({}, {"to-hit": rolled}, skill=70, weapon="short circuit", bob=STURDY)
    turns = [int(table.until("bob", name).removeprefix("r")) - 1 for name in ("incapacitated", "stunned")]
    return turns[0], turns[1], table.asked("shock")


CASES.row("PSI16", ["2d10", "2d10+1d6", "2d10+2d6"], lambda: [stabbed(rolled).dice() for rolled in (31, 45, 67)])
CASES.row("PSI17", 12, lambda: stabbed(weapon=sleight(12), bob={"armor": {"energy": 8, "kinetic": 14}}).taken("bob"))
CASES.row("PSI18", [5, 5, 6], lambda: [shielded(wil) for wil in (15, 16, 17)])
CASES.row("PSI19", 3, lambda: stabbed(weapon=sleight(12), bob=mind(4)).taken("bob"))
CASES.row("PSI20", 4, lambda: stabbed(weapon=sleight(12), bob=mind(5), terms={"push": "penetration"}).taken("bob"))
CASES.row("PSI21", 19, lambda: stabbed(44, 7, 5, bob={"armor": {"mental": 5}}).taken("bob"))
CASES.row("PSI22", (12, 2), lambda: let(
    stabbed(31, 7, 5, weapon="nightmare", bob={"aptitudes": {"wil": 15}}, answers={"disorientation": 1}),
    lambda t: (t.taken("bob", "stress"), t.wounds("bob", "traumas")),
))  # fmt: skip
CASES.row("PSI23", ("1d6", 4), lambda: let(
    stabbed(77, ann=STURDY, answers={"critical-ruling": "nothing", "strain": 4}), lambda t: (t.dice("strain"), t.taken("ann"))
))  # fmt: skip
CASES.row("PSI24", (True, False), locked_out)
CASES.row("PSI25", [23, 30], lambda: [resists(wil=wil, terms={"push": "power"}) for wil in (15, 20)])
CASES.row("PSI44", [(1, 60, 0), (3, 60, 0)], lambda: [short(rolled) for rolled in (31, 45)])
CASES.row("PSI48", (50, 35), lambda: (
    to_hit(adjust=[("ann", "wounds", 1)], **PSI), resists(("bob", "wounds", 1))
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ the virus

PLAIN = {"strain": 4, "infection": 98, "influence": 3, "influence-effect": "urge"}


def infected(weapon: Any = "psychic stab", psi: int = 2, push: str = "", **answers: Any) -> BaseTable:
    """Plays a hit by an async with a base rating of 20."""
    ann = {**STURDY, "psi": psi, "pools": {"moxie": 2}}
    terms = {"push": push} if push else {}
    said = {**PLAIN, "control": "test", **answers}
    return stabbed(31, 5, 5, weapon=weapon, ann=ann, terms=terms, answers=said)


def cost(*, push: str = "", **answers: Any) -> tuple[int, int, int]:
    """Returns the infection rating after a hit, the number of tests, and of rolls for strain."""
    table = infected(push=push, **answers)
    return rating(table.combat, "ann"), table.asked("infection"), table.asked("strain")


def takes_hold(rolled: int) -> bool:
    return infected(infection=rolled).asked("influence") > 0


def eased(now: int, *, long: bool = False, influenced: bool = False) -> int:
    """Returns the infection rating after a recharge, with a base of 20."""
    weapon = {**sleight(2), "infection": now - 20}
    table = attack({}, {**PLAIN, "to-hit": 31}, weapon=weapon, ann={"psi": 2}, bob=STURDY)
    if influenced:
        table.adjust("ann", "conditions.influenced", "")
    table.do(EndCombat()).declare("recharge", "ann", {"points": 1}, long=long)
    return rating(table.combat, "ann")


def no_pool() -> tuple[bool, set[str]]:
    """Returns whether a point before the Infection Test is refused, and the flips offered after it."""
    pools = {"moxie": 3, "flex": 3}
    table = stabbed(31, 5, 5, ann={"psi": 2, "pools": pools}, answers={"control": "test"})
    before = refused(lambda: table.declare("pool", "ann"))
    return before, {option for option in table.answer({"infection": 62}).offered() if "flip" in option}


CASES.row("PSI29", [10, 20], lambda: [rating(Table(ann=person(psi=level)).combat, "ann") for level in (1, 2)])
CASES.row("PSI30", (26, 26), lambda: let(infected(), lambda t: (rating(t.combat, "ann"), t.target("infection"))))
CASES.row("PSI31", (32, 32, "1d6"), lambda: let(
    infected(push="power"), lambda t: (rating(t.combat, "ann"), t.target("infection"), t.dice("strain"))
))  # fmt: skip
CASES.row("PSI32", [False, True, True], lambda: [takes_hold(rolled) for rolled in (27, 26, 25)])
CASES.row("PSI33", (40, 4), lambda: let(
    infected({**sleight(2), "infection": 20}, infection=35), lambda t: (t.target("infection"), t.figure("effect"))
))  # fmt: skip
CASES.row(
    "PSI34", 6, lambda: min(6, infected({**sleight(2), "infection": 20}, infection=35, influence=6).figure("effect"))
)
CASES.row("PSI35", ("a recharge", 0), lambda: let(
    infected(infection=77), lambda t: (t.until("ann", "free_of_influence"), t.asked("influence"))
))  # fmt: skip
CASES.row("PSI36", (26, 0, 0), lambda: cost(control="control"))
CASES.row("PSI37", [(32, 1, 0), (32, 0, 0)], lambda: [cost(push="power", control=how) for how in ("control", "negate")])
CASES.row("PSI38", (True, set()), no_pool)
CASES.row("PSI40", [22, 20], lambda: [eased(32), eased(32, long=True)])
CASES.row("PSI41", 20, lambda: eased(26))
CASES.row("PSI42", 32, lambda: eased(32, influenced=True))

# ------------------------------------------------------------------------------------------------ Jinx

JINX = person(
    init=9, aptitudes={"ref": 20, "som": 15}, pools={"flex": 1}, skills={"guns": 70, "fray": 60}, weapons=["medium pistol"],
    movement={"winged": (8, 32)},
)  # fmt: skip
EXHUMAN = person(
    init=5, durability=40, aptitudes={"som": 25}, skills={"fray": 60, "melee": 80}, armor={"kinetic": 10}, weapons=["claws"],
)  # fmt: skip


@cache
def shoots() -> BaseTable:
    """Plays the burst of the example with its consequences; a pool is spent, and the burst adds damage."""
    table = Table(jinx=JINX, exhuman=EXHUMAN).begin()
    answers = {
        "defense": "fray", "to-hit": 96, "defend": 7, "to-hit/pool": "flip_flex", "damage": (7, 5, 5, 1, 3), "knockdown": 9,
    }  # fmt: skip
    return table.declare("attack", "jinx", answers, at="exhuman", using="medium pistol", mode="burst", distance=10)


@cache
def is_charged() -> BaseTable:
    """Plays the example's charge at Jinx, after she has moved up."""
    table = Table(jinx=JINX, exhuman=EXHUMAN).begin().adjust("exhuman", "wounds", 1).declare("move", "jinx", how="base")
    table.end("jinx").declare("move", "exhuman", how="full", meters=18)
    answers = {"defense": "fray", "to-hit": 7, "defend": 0, "critical-ruling": "wipes_out"}
    names = ["superior position of the defender"]
    return table.declare("attack", "exhuman", answers, at="jinx", using="claws", modifiers=names)


CASES.row("JNX01", 70, lambda: shoots().target("to-hit"))
CASES.row(
    "JNX02", (69, 69, 2), lambda: (d100.flipped(96), shoots().test("to-hit").rolled, shoots().test("to-hit").margin)
)
CASES.row("JNX03", (30, "success", "hit"), lambda: (
    shoots().target("defend"), shoots().test("defend").outcome, shoots().figure("outcome"),
))  # fmt: skip
CASES.row("JNX04", ("3d10+2d6", 21), lambda: (shoots().dice(), shoots().figure("dv", "/damage")))
CASES.row("JNX05", (11, 1), lambda: (shoots().taken("exhuman"), shoots().wounds("exhuman")))
CASES.row("JNX06", (65, "success", False), lambda: (
    shoots().target("knockdown"), shoots().test("knockdown").outcome, shoots().has("exhuman", "prone"),
))  # fmt: skip
CASES.row("JNX07", (60, 7), lambda: (is_charged().target("to-hit"), is_charged().test("to-hit").rolled))
CASES.row("JNX08", (80, "critical success", "miss", True), lambda: (
    is_charged().target("defend"), is_charged().test("defend").outcome, is_charged().figure("outcome"),
    is_charged().has("exhuman", "prone"),
))  # fmt: skip
CASES.row("JNX09", 13, lambda: shoots().combat.resources.resource("jinx", "medium pistol").left)


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
