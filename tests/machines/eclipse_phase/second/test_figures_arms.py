"""Figures of the second edition: weapons and their ammunition, areas, called shots."""

from typing import Any

import pytest
from rules.figures import Table as BaseTable
from rules.figures import let, refused
from rules.second_edition import (
    ERRATA,
    GAME,
    ROWS,
    STURDY,
    Cases,
    Table,
    attack,
    attacker,
    person,
    struck,
)

from ledger.dice import parse
from machines.eclipse_phase.second.harm.damage import average

CASES = Cases()
WEAPONS = {row.name: row for row in GAME.tables["weapons"]}
MUNITIONS = {row.name: row for row in GAME.tables["ammunition"]}
CODES = {row.name: row.code for row in GAME.tables["firing_modes"]}
OTHER = {"concealable", "fixed", "long", "reach", "touch-only", "two-handed", "long reach", "fire"}

# ------------------------------------------------------------------------------------------------ weapons


def dice_of(name: str) -> tuple[str, int]:
    """Returns the damage of a weapon and its average; 0 without damage."""
    damage = str(WEAPONS[name].damage)
    return damage, average(damage) if damage else 0


def fired(name: str) -> tuple[str, int, str, str]:
    """Returns damage, average, firing modes and ammunition of a weapon."""
    row = WEAPONS[name]
    modes = " ".join(CODES[mode] for mode in row.modes)
    return *dice_of(name), modes, f"{row.ammo}+{row.chamber}" if row.chamber else str(row.ammo)


def hands(name: str) -> set[str]:
    """Returns the traits of a weapon about its size."""
    return set(WEAPONS[name].traits) & {"fixed", "long", "two-handed"}


def does(name: str) -> set[str]:
    """Returns the traits of a weapon with effects other than damage."""
    return set(WEAPONS[name].traits) - OTHER


def blasts(name: str, rows: Any = WEAPONS) -> tuple[str, int, str]:
    row = rows[name]
    return *(str(row.damage), average(row.damage)), row.armor


for number, weapon, damage, mean, modes, ammo in (
    ("WPN01", "holdout", "1d10+1d6", 9, "SA BF", "9+1"),
    ("WPN02", "medium pistol", "2d10", 11, "SA BF FA", "15+1"),
    ("WPN03", "heavy pistol", "2d10+2", 13, "SA BF FA", "9+1"),
    ("WPN04", "machine pistol", "1d10+1d6", 9, "SA BF FA", "30+1"),
    ("WPN12", "hand laser", "1d10+1d6", 9, "SA", "10"),
):
    CASES.row(number, (damage, mean, modes, ammo), lambda weapon=weapon: fired(weapon))
for number, weapon, damage, mean, modes, ammo, held in (
    ("WPN05", "submachine gun", "2d10", 11, "SA BF FA", "30+1", {"two-handed"}),
    ("WPN06", "assault rifle", "2d10+2", 13, "SA BF FA", "45+1", {"long", "two-handed"}),
    ("WPN07", "battle rifle", "2d10+4", 15, "SA BF FA", "30+1", {"long", "two-handed"}),
    ("WPN08", "machine gun", "3d10+2", 19, "BF FA", "50+1", {"fixed", "long"}),
    ("WPN09", "sniper rifle", "3d10+10", 27, "SA", "9+1", {"fixed", "long"}),
    ("WPN11", "battle laser", "3d10+4", 21, "SA BF FA", "50", {"fixed", "long"}),
):
    CASES.row(number, ((damage, mean, modes, ammo), held), lambda weapon=weapon: (fired(weapon), hands(weapon)))
CASES.row("WPN10", (30, 1), lambda: (WEAPONS["railgun medium pistol"].ammo, WEAPONS["railgun medium pistol"].chamber))
CASES.row(
    "WPN13",
    (("2d10+2", 13, "SA BF FA", "30"), {"knockdown"}, ("1d6", 4), "SS", ("uniform", 1), {"shock"}),
    lambda: (
        fired("laser pulser"), does("laser pulser"), dice_of("laser pulser (stun)"), fired("laser pulser (stun)")[2],
        (WEAPONS["laser pulser (stun)"].area, WEAPONS["laser pulser (stun)"].radius), does("laser pulser (stun)"),
    ),
)  # fmt: skip
CASES.row(
    "WPN14",
    (("", 0, "SA", "20"), {"pain"}, ("2d10", 11), "SS", {"armor-piercing", "pain"}),
    lambda: (
        fired("microwave agonizer"), does("microwave agonizer"), dice_of("microwave agonizer (roast)"),
        fired("microwave agonizer (roast)")[2], does("microwave agonizer (roast)"),
    ),
)  # fmt: skip
for number, weapon, damage, mean, modes, ammo, armor, more in (
    ("WPN15", "particle beam bolter", "2d10+6", 17, "SA BF", "25", "energy", {"knockdown"}),
    ("WPN16", "stunner", "1d6", 4, "SA", "12", "energy", {"shock"}),
    ("WPN17", "plasma rifle", "4d10+10", 32, "SA", "6", "energy", {"armor-piercing"}),
    ("WPN18", "shard pistol", "2d6+6", 13, "SA BF FA", "100", "kinetic", set()),
    ("WPN19", "shredder", "2d10+6", 17, "SA BF FA", "100", "kinetic", set()),
    ("WPN20", "torch", "3d10", 17, "SS", "20", "energy", set()),
    ("WPN21", "vortex ring gun", "1d6", 4, "SA", "20", "energy", {"knockdown", "stun"}),
):
    CASES.row(number, ((damage, mean, modes, ammo), armor, more), lambda weapon=weapon: (
        fired(weapon), WEAPONS[weapon].armor, does(weapon)
    ))  # fmt: skip
CASES.row(
    "WPN22",
    [("3d10+6", 23, "kinetic"), ("3d10+10", 27, "energy"), ("3d10+10", 27, "energy"), ("3d10+12", 29, "kinetic")],
    lambda: [blasts(f"{name} micromissile", MUNITIONS) for name in ("frag", "high-explosive", "plasmaburst", "heap")],
)
CASES.row("WPN23", (("2d10+6", 17, "energy"), "uniform", 10, True), lambda: (
    blasts("thermobaric minigrenade"), WEAPONS["thermobaric minigrenade"].area, WEAPONS["thermobaric minigrenade"].radius,
    "armor-piercing" in WEAPONS["thermobaric minigrenade"].traits,
))  # fmt: skip
CASES.row("WPN24", (("4d10+6", 28), 20), lambda: (dice_of("frag grenade"), WEAPONS["thermobaric grenade"].radius))
CASES.row("WPN25", (parse("6d10+20"), 20), lambda: (
    parse(MUNITIONS["high-explosive missile"].damage), MUNITIONS["thermobaric missile"].radius
))  # fmt: skip
CASES.row("WPN26", [20, 20], lambda: [WEAPONS[f"{name} minigrenade"].radius for name in ("gas", "smoke")])
CASES.row("WPN27", [("1d10", 6), ("1d10+2", 8), ("1d10+3", 9), ("1d10", 6)], lambda: [
    dice_of(name) for name in ("club", "knife", "flex cutter", "extendable baton")
])  # fmt: skip
CASES.row("WPN28", [("2d6", 7), ("2d6+3", 10), ("2d10", 11), ("3d10", 17), True, True], lambda: [
    *(dice_of(name) for name in ("claws", "spur", "piston spike", "monowire garrote")),
    *("armor-piercing" in WEAPONS[name].traits for name in ("piston spike", "monowire garrote")),
])  # fmt: skip
AXES = ("diamond axe", "piston spear", "monofilament sword")
CASES.row("WPN29", [("2d10+3", 14, True), ("2d10+2", 13, True), ("2d10+2", 13, True)], lambda: [
    (*dice_of(name), "armor-piercing" in WEAPONS[name].traits) for name in AXES
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ ammunition

RIFLE = {"ammo": 30, "modes": ["single", "semi", "burst", "full"]}


def armed(weapon: Any = None, **more: Any) -> Table:
    return Table(ann=attacker(weapon=weapon or RIFLE, **more), bob=person()).begin()


def used(mode: str) -> int:
    """Returns the shots of one attack that misses."""
    table = armed().declare("attack", "ann", {"defense": "none", "to-hit": 98}, at="bob", using="it", mode=mode)
    return 30 - table.combat.resources.resource("ann", "it").left


def suppressing(table: Table) -> int:
    return 30 - table.declare("suppress", "ann", using="it").combat.resources.resource("ann", "it").left


def second_shot(weapon: str) -> bool:
    """Returns whether an attack with an extra action of the same Action Turn is refused."""
    table = armed(weapon, pools={"vigor": 1})
    shot = {"at": "bob", "using": "it"}
    table.declare("attack", "ann", {"defense": "none", "to-hit": 98}, **shot).end("ann", "bob")
    table.answer({"extra-action": "vigor"})
    assert "ann" == table.combat.turn.who
    return refused(lambda: table.declare("attack", "ann", **shot))


CASES.row("WPN30", [1, 1, 3, 10, 20], lambda: [
    *(used(mode) for mode in ("single", "semi", "burst", "full")), suppressing(armed())
])  # fmt: skip
CASES.row("WPN31", [True, False], lambda: [second_shot(weapon) for weapon in ("torch", "medium pistol")])
CASES.row("WPN32", True, lambda: refused(lambda: attack({"mode": "full"}, weapon={**RIFLE, "ammo": 9})))
CASES.row("WPN33", True, lambda: refused(lambda: suppressing(armed("heavy pistol"))))

# ------------------------------------------------------------------------------------------------ areas


def blast(dv: int, *meters: int, vacuum: bool = False, **area: Any) -> list[int]:
    """Returns the damage at distances from the center of a blast that is not dodged."""
    found = []
    for each in meters:
        table = Table(ann=person(**STURDY)).begin({"vacuum": vacuum})
        said = {"damage": str(dv), "armor": "none", **area}
        found.append(table.declare("explosion", "ann", {"defend": 98}, caught={"ann": each}, **said).taken("ann"))
    return found


def grenade(rolled: int, dodge: int | None = None, *, dv: int = 27, skill: int = 60, **how: Any) -> BaseTable:
    """Plays a blast at Bob, who stands in its center with Fray 60."""
    bob = {"skills": {"fray": 60}, **STURDY, **how.pop("bob", {})}
    defense = {"defense": "none"} if dodge is None else {"defense": "fray", "defend": dodge}
    answers = {**defense, "to-hit": rolled, "scatter": 6, "critical-ruling": "nothing", **how.pop("answers", {})}
    weapon = {"damage": str(dv), "area": "centered"}
    return attack(how.pop("terms", {}), answers, skill=skill, kind="thrown", weapon=weapon, bob=bob, **how)


def shocks(meters: int) -> int:
    """Returns the number of shock checks at a distance from the center of a stun grenade."""
    return reaches("stun minigrenade", "shock", meters)


def reaches(weapon: str, check: str, meters: int) -> int:
    """Returns the number of requested checks at a distance from the center of a blast."""
    faces = (1,) * len(parse(WEAPONS[weapon].damage).sides)
    answers = {"to-hit": 31, "damage": faces, "blinding": 1, "knockdown": 1, "shock": 1}
    table = attack(
        {"caught": {"cyd": meters}}, answers, skill=90, weapon=weapon, bob=STURDY, others={"cyd": person(**STURDY)}
    )
    return sum(getattr(event, "dice", "") != "" and event.key.endswith(f"t2/{check}") for event in table.events)


def calls(weapon: Any, **terms: Any) -> bool:
    """Returns whether a called shot is refused by the errata."""
    return refused(lambda: attack({"called": "knockdown", **terms}, weapon=weapon, profile=ERRATA))


def burst() -> list[tuple[str, str]]:
    """Returns outcome and damage dice for two targets of one roll of 45; one dodges with a 20."""
    others = {"cyd": person(skills={"fray": 60}, **STURDY)}
    answers = {"to-hit": 45, "defense": "fray", "bob/defend": 20, "cyd/defend": 31, "damage": (5, 5, 5)}
    table = attack(
        {"at": ["bob", "cyd"], "mode": "burst"}, answers, bob={"skills": {"fray": 60}, **STURDY}, others=others
    )
    dice = [event.dice for event in table.events if getattr(event, "dice", "") and event.key.endswith("damage")]
    return list(zip(table.figures("outcome"), dice, strict=True))


CASES.row("ARE01", [27, 25, 17, 1, 0], lambda: blast(27, 0, 1, 5, 13, 14, area="centered"))
CASES.row("ARE02", [7, 0], lambda: blast(27, 1, 2, area="centered", falloff=20))
CASES.row("ARE03", [16, 16, 14, 12, 0], lambda: blast(16, 0, 10, 11, 12, 18, area="uniform", radius=10))
CASES.row("ARE04", [16, 6, 0], lambda: blast(16, 10, 11, 12, vacuum=True, area="uniform", radius=10))
CASES.row("ARE05", [1, 0], lambda: [shocks(meters) for meters in (10, 11)])
CASES.row("ARE06", 0, lambda: grenade(31, 20, terms={"edge": ["bob"]}).taken("bob"))
CASES.row("ARE07", 14, lambda: grenade(31, 20).taken("bob"))
CASES.row("ARE08", 27, lambda: grenade(31, 98).taken("bob"))
CASES.row("ARE09", 2, lambda: grenade(31, 20, dv=23, bob={"armor": {"kinetic": 10}}).taken("bob"))
CASES.row("ARE10", 15, lambda: grenade(57, 20, answers={"damage": 3}).taken("bob"))
CASES.row("ARE11", (27, 0), lambda: let(
    grenade(31, terms={"surprised": True}), lambda t: (t.taken("bob"), t.asked("defend"))
))  # fmt: skip
for number, skill, rolled, far in (
    ("ARE12", 60, 70, 6),
    ("ARE13", 60, 61, 12),
    ("ARE14", 20, 30, 24),
    ("ARE15", 60, 77, 6),
):
    CASES.row(number, far, lambda skill=skill, rolled=rolled: grenade(rolled, skill=skill).figure("scatter"))
CASES.row("ARE16", 0, lambda: grenade(31).asked("scatter"))
CASES.row("ARE17", [True, True, False], lambda: [
    calls({"area": "centered"}), calls("shredder", range="range"), calls("shredder", distance=2)
])  # fmt: skip
CASES.row("ARE20", [("hit", "2d10+1d6")] * 2, burst)

# ------------------------------------------------------------------------------------------------ called shots


def called(what: str, rolled: int, dv: int = 20, armor: int = 0, *, skill: int = 60, **how: Any) -> BaseTable:
    """Plays a called shot."""
    terms = {"called": what, **how.pop("terms", {})}
    return struck(dv, armor, rolled, terms=terms, skill=skill, **how)


def effect(what: str, rolled: int, **how: Any) -> tuple[str, list[Any], str]:
    """Returns the outcome, the effects of the called shot, and the damage dice."""
    table = called(what, rolled, weapon={"damage": "2d10"}, **how)
    return str(table.figure("outcome")), table.figures("called shot"), table.dice()


def disarmed(further: str = "", *, som: int = 20, grip: int = 98, **how: Any) -> BaseTable:
    """Plays a disarming with one superior success, or with two, the second of which is spent on it."""
    rolled = 67 if further else 45
    answers = {"grip": grip, **({"further": further} if further else {})}
    bob = {"aptitudes": {"som": som}, "weapons": ["knife"], **how.pop("bob", {})}
    return called("disarm", rolled, 13, 4, skill=90 if further else 60, answers=answers, bob=bob, **how)


def snatches(kind: str) -> bool:
    table = attack(
        {"called": "disarm"}, {"to-hit": 67}, skill=90, kind=kind, profile=ERRATA, bob={"weapons": ["knife"], **STURDY}
    )
    return "snatch" in table.offered()


def pushed(further: str = "", ref: int = 20) -> BaseTable:
    rolled = 67 if further else 45
    answers = {"footing": 98, **({"further": further} if further else {})}
    bob = {"aptitudes": {"ref": ref}}
    return called(
        "redirect", rolled, 13, 4, skill=90 if further else 60, terms={"perilous": True}, answers=answers, bob=bob
    )


def downed(further: str = "") -> tuple[bool, int]:
    answers = {"further": further} if further else {}
    table = called("knockdown", 67 if further else 45, 13, 4, skill=90 if further else 60, answers=answers)
    return table.has("bob", "prone"), table.taken("bob")


def critically(rolled: int, **answers: str) -> tuple[int, list[Any], set[str]]:
    """Returns the damage, the effects of the called shot, and the offered options of a critical hit."""
    table = called("bypass armor", rolled, answers=answers)
    options = {option.option for event in table.events for option in getattr(event, "options", ())}
    dv = table.figure("dv", "/damage")
    return dv, table.figures("called shot"), options & {"double", "called"}


CASES.row("CAL01", ("hit", [], "2d10"), lambda: effect("bypass armor", 32))
CASES.row("CAL02", ("hit", ["bypass armor"], "2d10"), lambda: effect("bypass armor", 45))
CASES.row("CAL03", 12, lambda: called("bypass armor", 45, 20, 15).taken("bob"))
CASES.row("CAL04", 8, lambda: called("bypass armor", 45, 20, 16, weapon={"traits": ["armor-piercing"]}).figure("armor"))
CASES.row("CAL05", ("hit", ["bypass armor"], "2d10+1d6"), lambda: effect("bypass armor", 67, skill=90))
CASES.row("CAL06", (3, 30, True, False), lambda: (
    disarmed().taken("bob"), disarmed().target("grip"), disarmed().has("bob", "knife_dropped"),
    disarmed(grip=1).has("bob", "knife_dropped"),
))  # fmt: skip
CASES.row("CAL07", 15, lambda: disarmed("harder", som=25).target("grip"))
CASES.row("CAL08", 9, lambda: disarmed("full").taken("bob"))
CASES.row("CAL09", [True, False], lambda: [snatches(kind) for kind in ("melee", "ranged")])
CASES.row("CAL10", [(True, 0), (True, 9)], lambda: [downed(), downed("hurt")])
CASES.row("CAL11", (2, 30), lambda: (pushed().figure("redirected"), pushed().target("footing")))
CASES.row("CAL12", (15, 9), lambda: (pushed("harder", 25).target("footing"), pushed("hurt").taken("bob")))
CASES.row("CAL13", 0, lambda: pushed().taken("bob"))
CASES.row("CAL14", (40, [], {"double", "called"}), lambda: critically(44, critical="double"))
CASES.row("CAL15", (40, [], set()), lambda: critically(22))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_book(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
