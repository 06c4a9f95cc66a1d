"""Figures of the second edition: the damage of hits, and armor."""

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
    attacker,
    dice_of,
    person,
    struck,
    to_hit,
)

from ledger.dice import parse
from machines.eclipse_phase.second.turn.movement import rates

CASES = Cases()


def counted(notation: str, less: str = "") -> str:
    """Returns dice by size, largest first, without subtracted ones."""
    dice, away = parse(notation), parse(less).sides if less else ()
    sizes = sorted({*dice.sides, *away}, reverse=True)
    counts = {size: dice.sides.count(size) - away.count(size) for size in sizes}
    thrown = "+".join(f"{count}d{size}" for size, count in counts.items() if count)
    return thrown + (f"{dice.add:+d}" if dice.add else "") + (f"/{dice.divide}" if dice.divide > 1 else "")


def net(table: BaseTable) -> str:
    """Returns the damage dice without subtracted ones."""
    return counted(table.dice(), table.dice("less") if table.asked("less") else "")


def thrown(terms: Any = None, rolled: int = 31, **how: Any) -> str:
    """Returns the damage dice of a hit."""
    bob = {**STURDY, **how.pop("bob", {})}
    return net(attack(terms, {"to-hit": rolled, **how.pop("answers", {})}, bob=bob, **how))


def hit(rolled: int, *faces: int, skill: int = 60, **how: Any) -> BaseTable:
    """Plays a shot with these damage dice."""
    return attack(
        how.pop("terms", {}),
        {"to-hit": rolled, "damage": faces},
        skill=skill,
        bob={**STURDY, **how.pop("bob", {})},
        **how,
    )


def dv(*rolled: Any, **how: Any) -> int:
    return int(hit(*rolled, **how).figure("dv", "/damage"))


# ------------------------------------------------------------------------------------------------ how well it hits

CASES.row("DMG01", ["2d10+1d6", "2d10+2d6"], lambda: [thrown(rolled=rolled, skill=70) for rolled in (45, 67)])
CASES.row("DMG02", 24, lambda: dv(44, 7, 5))
CASES.row("DMG03", ("2d10", 24), lambda: let(hit(66, 7, 5, skill=70), lambda t: (net(t), t.figure("dv", "/damage"))))
CASES.row("DMG04", 14, lambda: hit(44, 7, 5, bob={"armor": {"kinetic": 10}}).taken("bob"))
CASES.row("DMG05", 30, lambda: dv(44, 7, 5, 3, terms={"mode": "burst"}))
CASES.row("DMG06", 28, lambda: dv(44, 7, 5, weapon={"damage": "2d10+2"}))
CASES.row("DMG07", "3d10", lambda: thrown({"mode": "burst"}))
CASES.row("DMG08", "4d10", lambda: thrown({"mode": "full"}))


def spread(mode: str, *others: str) -> tuple[str, int]:
    """Returns the damage dice against each of several targets, and how often they are rolled."""
    table = attack(
        {"at": ["bob", *others], "mode": mode}, {"to-hit": 31, "damage": (5, 5)},
        bob=STURDY, others={who: person(**STURDY) for who in others},
    )  # fmt: skip
    return net(table), table.asked("damage")


def suppressed() -> str:
    """Returns the damage dice of suppressive fire."""
    table = Table(ann=attacker(weapon="assault rifle"), bob=person(**STURDY)).begin()
    table.declare("suppress", "ann", using="it").end("ann")
    return net(table.declare("suppressed", "ann", {"defense": "none", "to-hit": 31}, at="bob"))


CASES.row("DMG09", [("2d10", 2), ("2d10", 3)], lambda: [spread("burst", "cyd"), spread("full", "cyd", "dov")])
CASES.row("DMG10", "2d10+2", suppressed)

# ------------------------------------------------------------------------------------------------ armor

PIERCING = {"traits": ["armor-piercing"]}
BULLETS = {"fires": "firearm", "ammo": 15}


def left(armor: int, **how: Any) -> int:
    """Returns the kinetic armor that counts."""
    return int(struck(50, armor, **how).figure("armor"))


def kind(dv: int, armor: str) -> int:
    """Returns the damage past armor of 4/10."""
    return struck(dv, weapon={"armor": armor}, bob={"armor": {"energy": 4, "kinetic": 10}}).taken("bob")


def loaded(ammunition: str, **how: Any) -> tuple[str, int]:
    """Returns the damage dice of a shot with an ammunition, and how much of armor 16 counts."""
    weapon = {**BULLETS, **how.pop("weapon", {})}
    bob = {"armor": {"kinetic": 16}, **STURDY}
    table = attack({"ammunition": ammunition}, {"to-hit": 31}, weapon=weapon, bob=bob, **how)
    found = net(table)
    for rest in table.combat.rests:
        table.answer({rest.key.split("/")[-1]: (5,) * len(parse(rest.dice).sides)})
    return found, int(table.figure("armor"))


CASES.row("DMG11", 11, lambda: struck(21, 10).taken("bob"))
CASES.row("DMG12", (0, 0), lambda: (struck(10, 10).taken("bob"), struck(6, 10).taken("bob")))
CASES.row("DMG13", (11, 5), lambda: (kind(15, "energy"), kind(15, "kinetic")))
CASES.row("DMG14", [8, 8, 7, 1, 0], lambda: [left(armor, weapon=PIERCING) for armor in (16, 15, 13, 1, 0)])
CASES.row("DMG15", 12, lambda: struck(20, 15, weapon=PIERCING).taken("bob"))
CASES.row("DMG16", 8, lambda: left(
    16, weapon={**PIERCING, **BULLETS}, terms={"ammunition": "reactive armor-piercing"}
))  # fmt: skip
CASES.row("DMG17", ("1d10", 8), lambda: loaded("armor-piercing"))
CASES.row("DMG18", ("1d6", 8), lambda: loaded("armor-piercing", weapon={"damage": "1d10+1d6"}))
CASES.row("DMG19", ("2d10", 8), lambda: loaded("reactive armor-piercing"))


def piercing(weapon: str) -> tuple[str, int]:
    """Returns the damage dice of a weapon, and how much of armor 16 counts."""
    bob = {"armor": {"kinetic": 16}, **STURDY}
    table = attack({}, {"to-hit": 31}, weapon=weapon, bob=bob)
    found = net(table)
    faces = (5,) * len(parse(table.dice()).sides)
    return found, int(table.answer({"damage": faces}).figure("armor"))


CASES.row("DMG20", ("2d10", 8), lambda: piercing("railgun medium pistol"))
CASES.row("DMG21", ("2d10+2", 8), lambda: piercing("monofilament sword"))

# ------------------------------------------------------------------------------------------------ ammunition

SHELL, THING = {"bob": {"morph": "synthmorph"}}, {"things": ["bob"]}


def bullet(ammunition: str, **how: Any) -> str:
    return thrown({"ammunition": ammunition}, weapon=BULLETS, **how)


def halves(ammunition: str) -> int:
    return int(hit(31, 8, 5, weapon=BULLETS, terms={"ammunition": ammunition}).figure("dv", "/damage"))


def near(rolled: int) -> str:
    """Returns the dice of proximity rounds after a miss; empty where none are rolled."""
    answers = {"to-hit": rolled, "critical-ruling": "nothing"}
    table = attack({"ammunition": "proximity"}, answers, weapon=BULLETS)
    return table.dice("near") if table.asked("near") else ""


def harmless(ammunition: str) -> tuple[int, int]:
    table = attack({"ammunition": ammunition}, {"to-hit": 31}, weapon=BULLETS)
    return table.asked("damage"), table.taken("bob")


CASES.row("DMG22", ["2d10+1d6", "2d10", "2d10"], lambda: [bullet("hollow-point", **how) for how in ({}, SHELL, THING)])
CASES.row("DMG23", ["2d10+1d6"] * 2, lambda: [bullet("biter", **how) for how in ({}, SHELL)])
CASES.row("DMG24", [7, 7, 7], lambda: [halves(each) for each in ("plastic", "capsule", "zap")])
CASES.row("DMG25", "2d10+1d6", lambda: bullet("proximity"))
CASES.row("DMG26", ["1d10", "", ""], lambda: [near(rolled) for rolled in (70, 61, 77)])
CASES.row("DMG27", [(0, 0)] * 2, lambda: [harmless(each) for each in ("jammer", "splash")])

# ------------------------------------------------------------------------------------------------ distance

BANDS = ("point-blank", "close", "range", "beyond")


def cone(weapon: str, *bands: str) -> list[str]:
    return [thrown({"range": band}, weapon=weapon) for band in bands]


def shard_beyond() -> int:
    answers = {"to-hit": 31, "damage": (3, 4), "less": 6}
    table = attack({"range": "beyond"}, answers, skill=90, weapon="shard pistol", bob=STURDY)
    return int(table.figure("dv", "/damage"))


def reached(band: str) -> int:
    """Returns the maximum number of targets of a cone."""
    names = ["bob", "cyd", "dov", "eve"]
    others = {who: person() for who in names[1:]}
    return sum(
        not refused(lambda count=count: attack({"at": names[:count], "range": band}, weapon="torch", others=others))
        for count in (1, 2, 3, 4)
    )


CASES.row("DMG28", ["1d10", "2d10"], lambda: [
    thrown({"distance": 31}, situation={"vacuum": vacuum}) for vacuum in (False, True)
])  # fmt: skip
CASES.row("DMG29", "2d10+2", lambda: thrown({"distance": 101}, weapon="laser pulser"))
CASES.row("DMG30", ["3d10+6", "3d10+6", "2d10+6", "1d10+6"], lambda: cone("shredder", *BANDS))
CASES.row("DMG31", ["5d10+10", "5d10+10", "4d10+10", "3d10+10"], lambda: cone("plasma rifle", *BANDS))
CASES.row("DMG32", ["4d10", "4d10", "3d10", "2d10"], lambda: cone("torch", *BANDS))
CASES.row("DMG33", ["1d10+2d6+6", "2d6+6"], lambda: cone("shard pistol", "close", "range"))
CASES.row("DMG34", 7, shard_beyond)
CASES.row("DMG35", [1, 1, 2, 3], lambda: [reached(band) for band in BANDS])

# ------------------------------------------------------------------------------------------------ blows

RUN = [("move", {"how": "full"})]
ALL_OUT = {"aggressive": True, "bonus": "damage"}


def knife(terms: Any = None, *, rolled: int = 31, weapon: str = "knife", **how: Any) -> str:
    return thrown(terms, rolled, weapon=weapon, **how)


def shell(weapon: str) -> list[str]:
    """Returns the damage of a weapon in the hands of a biomorph and of a shell."""
    return [knife(weapon=name) for name in (weapon, f"{weapon} (shell)")]


def stab(face: int, size: str, rolled: int = 31) -> int:
    return dv(rolled, face, weapon="knife", ann={"size": size})


def two_targets() -> list[str]:
    """Returns the damage dice of two knives against two targets."""
    table = attack(
        {"at": ["bob", "cyd"], "extra_weapons": 1}, {"to-hit": 31, "damage": (5,)}, skill=90, weapon="knife",
        bob=STURDY, others={"cyd": person(**STURDY)},
    )  # fmt: skip
    return [event.dice for event in table.events if getattr(event, "dice", "") and event.key.endswith("damage")]


CASES.row("DMG36", "1d10+1d6+2", lambda: knife(before=RUN))
CASES.row("DMG37", "2d10+2", lambda: knife(ALL_OUT))
CASES.row("DMG38", "2d10+1d6+2", lambda: knife(ALL_OUT, before=RUN))
CASES.row("DMG39", ["1d10+1d6+2", "1d10+2d6+2", "1d10+3d6+2", True], lambda: [
    *(knife({"extra_weapons": more}) for more in (1, 2, 3)), refused(lambda: knife({"extra_weapons": 4})),
])  # fmt: skip
CASES.row("DMG40", ["1d10+2"] * 2, two_targets)
CASES.row("DMG41", "2d6", lambda: knife({"extra_weapons": 1}, weapon="unarmed", ann={"limbs": 6}))
CASES.row("DMG42", ["1d6", "2d6"], lambda: shell("unarmed"))
CASES.row("DMG43", ["1d6+2", "2d6+2"], lambda: shell("densiplast gloves"))
CASES.row("DMG44", [1, 1], lambda: [stab(face, "very small") for face in (1, 10)])
CASES.row("DMG45", 5, lambda: stab(7, "small"))
CASES.row("DMG46", "2d10+2", lambda: knife(ann={"size": "large"}))
CASES.row("DMG47", "3d10+2", lambda: knife(ann={"size": "very large"}))
CASES.row("DMG48", "2d10", lambda: thrown(weapon="medium pistol", ann={"size": "small"}))
CASES.row("DMG49", 9, lambda: stab(7, "small", 44))
CASES.row(
    "DMG50",
    [("1d10+1d6", 16), ("3d10+1d6", 8)],
    lambda: [piercing(each) for each in ("vibroblade", "vibroblade (sawing)")],
)
CASES.row("DMG51", "3d10+1d6+2", lambda: knife(rolled=45, weapon="wasp knife (gas)", situation={"vacuum": True}))

# ------------------------------------------------------------------------------------------------ less than that

TOUGH = {"minimum_damage": ["kinetic"], **STURDY}


def least(armor: int) -> int:
    """Returns the damage of 2d10+3 with 5 and 6 to a creature that takes minimum damage."""
    weapon, bob = {"damage": "2d10+3"}, {**TOUGH, "armor": {"kinetic": armor}}
    return hit(31, 5, 6, weapon=weapon, bob=bob).taken("bob")


def helpless() -> tuple[str, int]:
    """Returns the outcome of a shot at an unconscious target, and the number of requested defenses."""
    table = attack({}, {"to-hit": 59}, adjust=[("bob", "conditions.unconscious", "")])
    return str(table.figure("outcome")), table.asked("defend")


CASES.row("DMG52", 16, lambda: attack(
    {}, {"to-hit": 31}, weapon={"damage": "2d10+5"}, options={"damage": "average"}, bob=STURDY
).figure("dv", "/damage"))  # fmt: skip
CASES.row("DMG53", 5, lambda: least(0))
CASES.row("DMG54", 3, lambda: least(11))
CASES.row("DMG57", ("hit", 0), helpless)

# ------------------------------------------------------------------------------------------------ armor in layers

BODY, VEST = "body armor", "armor vest (light)"


def worn(*pieces: str, som: int = 20, **armor: Any) -> dict[str, Any]:
    return {"armor": {"worn": pieces, **armor}, "aptitudes": {"som": som}}


def through(dv: int, *pieces: str, som: int = 20, kind: str = "kinetic") -> int:
    return struck(dv, weapon={"armor": kind}, bob=worn(*pieces, som=som)).taken("bob")


def clad(*pieces: str, som: int = 20) -> int:
    """Returns the target of Guns 60 with worn armor."""
    return to_hit(ann=worn(*pieces, som=som))


def walks(durability: int = 300, **how: Any) -> tuple[int, int]:
    return rates(Table(ann=person(durability=durability, **how)).begin().combat, "ann", "")


CASES.row("DMG60", (6, 40), lambda: (through(30, BODY, VEST, som=25), clad(BODY, VEST, som=25)))
CASES.row("DMG61", (13, 60), lambda: (through(30, BODY, "second skin"), clad(BODY, "second skin")))
CASES.row("DMG62", (40, 36, 40), lambda: (
    through(50, "light frame", VEST, kind="energy"), through(50, "light frame", VEST), clad("light frame", VEST)
))  # fmt: skip
CASES.row("DMG63", (20, (2, 10)), lambda: (clad(BODY, VEST), walks(**worn(BODY, VEST))))
CASES.row("DMG64", (60, (4, 20)), lambda: (clad("combat armor", som=15), walks(**worn("combat armor", som=15))))
CASES.row("DMG65", (0, 0), lambda: walks(30, armor={"kinetic": 31, "layers": 1}))

# ------------------------------------------------------------------------------------------------ fire and noise


def burning() -> tuple[str, int]:
    """Returns the dice of the flames in the next Action Turn, and the damage of 3 and 4 past any armor."""
    armor = {"energy": 200, "kinetic": 200}
    table = attack({}, {"to-hit": 45, "damage": (5,) * 6}, weapon="plasma rifle", bob={**STURDY, "armor": armor})
    table.next_turn()
    before = table.taken("bob")
    dice = table.dice("fire")
    return dice, table.answer({"fire": (3, 4)}).taken("bob") - before


CASES.row("DMG67", ("2d10", 7), burning)
CASES.row("DMG68", ("1d6+2", "kinetic armor 3"), lambda: stun_grenade())  # noqa: PLW0108  defined below


def stun_grenade() -> tuple[str, str]:
    """Returns the damage dice of a stun grenade, and the reason of the armor against it."""
    bob = {**STURDY, "armor": {"energy": 9, "kinetic": 3}}
    answers = {"to-hit": 31, "damage": 4, "blinding": 1, "knockdown": 1, "shock": 1}
    table = attack({}, answers, weapon="stun minigrenade", bob=bob)
    why = next(event.why for event in table.events if getattr(event, "name", "") == "armor")
    return dice_of({}, weapon="stun minigrenade"), why


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
