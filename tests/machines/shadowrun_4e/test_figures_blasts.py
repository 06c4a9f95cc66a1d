"""Figures of Shadowrun: grenades and scatter, barriers."""

from typing import Any

import pytest
from rules.figures import let
from rules.fourth_edition import (
    ANNIVERSARY,
    ROWS,
    SCREEN,
    STURDY,
    Cases,
    Table,
    attack,
    compared,
    line,
    person,
    table_of,
)

from ledger.events import Json

CASES = Cases()

# ------------------------------------------------------------------------------------------------ scatter

THROWN: Json = {"skill": "throwing weapons", "modes": [], "damage": "", "grenade": "high explosive"}


def throws(net: int, rolled: tuple[int, ...], direction: int = 1, terms: Json | None = None, **weapon: Any) -> Table:
    """A grenade at Bob, who knows of nothing; Cyd stands near him."""
    answers = {"to-hit": net, "scatter": rolled, "direction": (direction,), "resist": 0, "shock": 3}
    options = weapon.pop("options", None)
    said = {"unaware": True, **(terms or {})}
    own, others = {**THROWN, **weapon}, {"cyd": person(**STURDY)}
    return attack(said, answers, weapon=own, bob=STURDY, others=others, pool=20, options=options)


def lands(name: str, rolled: tuple[int, ...], *nets: int, sensor: int = 0) -> list[int]:
    """How far from where it was meant to."""
    terms = {"sensor": sensor}
    return [throws(net, rolled, terms=terms, scatter=name).figure("scatter") for net in nets]


def two_meters_beyond(direction: int) -> int:
    """How far Cyd is, who stands two meters beyond Bob, where it goes two meters that way: by what is left of 10P."""
    terms = {"caught": {"cyd": {"meters": 2, "direction": 1}}}
    return (10 - int(throws(1, (4,), direction, terms).figure("dv", "/cyd"))) // 2


CASES.row("GRN01", [4, 2, 0, 0], lambda: lands("standard grenade", (4,), 0, 1, 2, 3))
CASES.row("GRN02", [9, 5, 1, 0], lambda: lands("aerodynamic grenade", (4, 5), 0, 1, 2, 3))
CASES.row("GRN03", [8, 4, 0], lambda: lands("grenade launcher", (4, 4, 4), 1, 2, 3))
CASES.row("GRN04", [4, 0], lambda: lands("rocket", (3, 4), 3, 7))
CASES.row("GRN05", [4, 0], lambda: lands("missile", (4, 5), 2, 6, sensor=3))
CASES.row("GRN06", [2, 0], lambda: lands("airburst", (5,), 1, 3, sensor=2))
CASES.row("GRN07", [0, 4], lambda: [two_meters_beyond(1), two_meters_beyond(4)])
CASES.row("GRN08", 3, lambda: attack({}, weapon=THROWN, bob={"reaction": 5}).pool("defend"))

# ------------------------------------------------------------------------------------------------ what a blast does


def blast(grenade: str, meters: int = 0, profile: str = "", rebounds: tuple[int, ...] = (), **bob: Any) -> Table:
    """Returns a combatant at a distance in meters."""
    table = Table(profile, ann=person(), bob=person(**{**STURDY, **bob})).begin()
    caught = {"bob": {"meters": meters, "rebounds": rebounds}}
    return table.declare("explosion", "ann", {"resist": 0}, caught=caught, grenade=grenade)


def value(grenade: str, *meters: int) -> list[int]:
    return [blast(grenade, each).figure("dv") for each in meters]


def stuns(meters: int) -> tuple[int, str] | None:
    table = blast("flash-bang", meters)
    return (table.figure("dv"), table.figure("damage type")) if table.asked("resist") else None


def worn(grenade: str, profile: str = "", **armor: int) -> int:
    return int(blast(grenade, profile=profile, armor=armor).figure("armor"))


def says(grenade: str) -> tuple[int, str, bool]:
    """Returns the radius of the row, the text in place of a damage code, and whether a combatant in it is harmed."""
    row = line("grenades", grenade)
    return row.radius, row.says, blast(grenade, 1).asked("resist") > 0


CASES.row("GRN09", [12, 9, 1, 0], lambda: value("fragmentation", 0, 3, 11, 12))
CASES.row("GRN10", [10, 6, 2, 0], lambda: value("high explosive", 0, 2, 4, 5))
CASES.row("GRN11", [(6, "stun"), (6, "stun"), None], lambda: [stuns(0), stuns(10), stuns(11)])
CASES.row("GRN12", [12, 14], lambda: [
    throws(2, (1,), grenade="fragmentation", options={"grenade_hits": how}).figure("dv") for how in ("accuracy", "damage")
])  # fmt: skip
CASES.row(
    "GRN13", [6, 9], lambda: [worn("fragmentation", each, ballistic=8, impact=4) for each in (SCREEN, ANNIVERSARY)]
)
CASES.row("GRN14", [4, 0], lambda: [worn("high explosive", impact=each) for each in (6, 1)])
CASES.row("GRN15", 7, lambda: blast("flash-bang", body=4, armor={"impact": 6}).pool("resist"))
CASES.row("GRN16", 12, lambda: blast("fragmentation", body=4, armor={"impact": 6}).pool("resist"))
CASES.row("GRN17", (12, 8, "physical"), lambda: compared(blast("fragmentation", armor={"impact": 6})))
CASES.row("GRN18", (8, 8, "stun"), lambda: compared(blast("fragmentation", 4, armor={"impact": 6})))
CASES.row("GRN19", [(10, "chemical", False), (10, "", False), (10, "", False)], lambda: [
    says(each) for each in ("gas", "smoke", "thermal smoke")
])  # fmt: skip
CASES.row("GRN20", ("special", "Special", False), lambda: (
    line("grenades", "flash-pak").says, line("grenades", "flash-pak").blast, blast("flash-pak", 1).asked("resist") > 0,
))  # fmt: skip
CASES.row("GRN21", 12, lambda: blast("high explosive", 1, rebounds=(3,)).figure("dv"))
CASES.row("GRN22", 6, lambda: throws(1, (4,), 3).figure("dv", "/bob"))

# ------------------------------------------------------------------------------------------------ barriers


def ratings(material: str) -> tuple[int, int]:
    """Armor, as it is compared and rolled, and Structure."""
    table = hits_wall(60, {"material": material})
    return table.pool("resist"), table.boxes("bob", "structure")


def hits_wall(dv: int, wall: Json, resisted: int = 0, net: int = 1, terms: Json | None = None, **weapon: Any) -> Table:
    """Returns a hit of a given Damage Value on a barrier, in melee unless declared otherwise."""
    kind = weapon.pop("kind", "melee")
    usual = {} if "damage" in weapon else {"damage": f"{dv - net}P"}
    answers = {"to-hit": net, "resist": resisted}
    own = {**usual, **weapon}
    return attack(terms or {}, answers, kind=kind, weapon=own, bob=wall, things=("bob",), pool=20)


REINFORCED = {"material": "reinforced material"}
AVERAGE = {"material": "average material"}
STRONG = {"structure": 100, "barrier_armor": 2}
LIKE_A_BULLET = {"kind": "ranged", "barrier": "bullet", "recoil": 10}


def pierces(dv: int, wall: Json = REINFORCED, options: Json | None = None, **weapon: Any) -> bool:
    own = {"damage": f"{dv - 1}P", **weapon}
    table = attack({}, {"to-hit": 1, "resist": 0}, kind="melee", weapon=own, bob=wall, things=("bob",), options=options)
    return table.asked("resist") > 0


def against_wall(**weapon: Any) -> int:
    """The Damage Value to a barrier."""
    return int(hits_wall(10, STRONG, **weapon).figure("dv"))


def bullets(mode: str, dv: int = 9) -> int:
    return int(hits_wall(dv, STRONG, terms={"mode": mode}, **LIKE_A_BULLET).figure("dv"))


def arrows(count: int) -> int:
    """Boxes of so many arrows, none of which is resisted."""
    table = table_of(weapon="light crossbow", bob=STRONG, things=("bob",))
    for _ in range(count):
        table.declare("attack", "ann", {"to-hit": 6, "resist": 0}, at="bob", using="it")
    assert table.figures("dv")[0] == 9
    return table.taken("bob", "structure")


def exploded() -> int:
    table = Table(things=("wall",), ann=person(), wall=STRONG).begin()
    caught = {"wall": {"meters": 0}}
    return int(table.declare("explosion", "ann", {"resist": 0}, caught=caught, grenade="high explosive").figure("dv"))


def rocketed() -> int:
    weapon = {"skill": "heavy weapons", "damage": "16P", "ap": "-2", "barrier": "av rocket or missile"}
    return int(attack({}, {"to-hit": 1, "resist": 0}, weapon=weapon, bob=STRONG, things=("bob",)).figure("dv"))


def spelled() -> tuple[int, int, int]:
    """Damage Value, boxes of the Structure, rolls of the barrier."""
    known = {"it": {"effect": "direct", "drain": 0}}
    ann = {"magic": 5, "tradition": "hermetic", "skills": {"spellcasting": 5}, "spells": known}
    table = table_of(ann=ann, bob=STRONG, things=("bob",))
    answers = {"cast": 4, "drain": 0, "resist-spell": 0, "resist": 0}
    row = "manufactured low-tech objects"
    table.declare("cast", "ann", answers, spell="it", force=5, at="bob", object_resistance=row)
    return table.figure("dv"), table.taken("bob", "structure"), table.asked("resist") + table.asked("resist-spell")


def twice() -> tuple[bool, bool]:
    """An average wall that is struck for 3 boxes and for 2: is it down after the first, after the second?"""
    table = table_of(kind="melee", weapon={"damage": "5P"}, bob=AVERAGE, things=("bob",), pool=20)
    found = []
    for resisted in (3, 4):
        said = {"to-hit": 1, "resist": resisted}
        table.declare("attack", "ann", said, at="bob", using="it")
        found.append(table.has("bob", "destroyed"))
        table.next_turn("ann")
    assert table.taken("bob", "structure") == 5
    return found[0], found[1]


def behind() -> Table:
    """Armor 6 behind a wall of armor 4, which the shot pierces."""
    bob = {"body": 4, "armor": {"ballistic": 6}}
    others = {"wall": AVERAGE}
    answers = {"to-hit": 4, "resist": 0}
    said = {"unaware": True, "through": "wall"}
    return attack(said, answers, bob=bob, others=others, things=("wall",))


def hidden() -> tuple[int, int]:
    said = {"unaware": True, "through": "wall", "modifiers": ["target hidden (blind fire)"]}
    table = attack(said, others={"wall": AVERAGE}, things=("wall",))
    return table.pool("to-hit"), table.asked("defend")


for _row, (_material, _ratings) in {
    "BAR01": ("fragile", (1, 1)),
    "BAR02": ("cheap material", (2, 3)),
    "BAR03": ("average material", (4, 5)),
    "BAR04": ("heavy material", (6, 7)),
    "BAR05": ("reinforced material", (8, 9)),
    "BAR06": ("structural material", (12, 11)),
    "BAR07": ("heavy structural material", (16, 13)),
    "BAR08": ("armored or reinforced material", (24, 15)),
    "BAR09": ("hardened material", (32, 17)),
}.items():
    CASES.row(_row, _ratings, lambda material=_material: ratings(material))
CASES.row("BAR10", [True, False], lambda: [pierces(9), pierces(7)])
CASES.row("BAR11", [False, True], lambda: [pierces(8, options={"pierced_at": how}) for how in ("exceeded", "reached")])
CASES.row("BAR12", True, lambda: pierces(8, ap="-1"))
CASES.row("BAR13", ("4d6", 7, True), lambda: let(
    hits_wall(8, AVERAGE, 1), lambda table: (table.dice("resist"), table.figure("boxes"), table.has("bob", "destroyed")),
))  # fmt: skip
CASES.row("BAR14", 1, lambda: against_wall(barrier="whip or monofilament whip"))
CASES.row("BAR15", [1, 2], lambda: [arrows(1), arrows(2)])
CASES.row("BAR16", [2, 6, 12, 20], lambda: [bullets(each) for each in ("single", "burst", "long burst", "full burst")])
CASES.row("BAR17", 20, exploded)
CASES.row("BAR18", 48, rocketed)
CASES.row("BAR19", (7, 7, 0), spelled)
CASES.row("BAR20", (6, 4, 4), lambda: let(
    hits_wall(9, AVERAGE, 2, terms={"mode": "burst"}, **LIKE_A_BULLET),
    lambda table: (table.figure("dv"), table.figure("boxes"), table.taken("bob", "structure")),
))  # fmt: skip
CASES.row("BAR21", (False, True), twice)
CASES.row("BAR22", (0, 0), lambda: let(
    hits_wall(8, {"structure": 9, "barrier_armor": 2}, damage="7S"),
    lambda table: (table.asked("resist"), table.taken("bob", "structure")),
))  # fmt: skip
CASES.row("BAR23", 10, lambda: behind().figure("armor", "/attack"))
CASES.row("BAR24", 6, lambda: hits_wall(9, {"material": "heavy material"}, ap="-2").pool("resist"))
CASES.row("BAR25", (4, 0), hidden)


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_screen(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
