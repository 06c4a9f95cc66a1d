"""Figures of GURPS: critical misses of weapons, bare hands and firearms, critical hits to the body and to the head."""

from typing import Any

import pytest
from rules.figures import refused
from rules.third_edition import ROWS, Cases, Table, critically, fumbled, strike

from ledger.events import Json

CASES = Cases()

# ------------------------------------------------------------------------------------------------ critical misses

EIGHT: Json = {"answers": {"damage": (3, 4)}, "ann": {"ht": 12}}
"""A sword that does 8 points of damage to its wielder."""


def has(table: Table, *conditions: str) -> bool:
    """Returns whether Ann has all of these conditions."""
    return all(table.has("ann", condition) for condition in conditions)


def own_limb(rolled: int) -> list[tuple[str, int, bool]]:
    """Returns where Ann strikes herself by a further die, the damage, and whether the path leads to box 28 and harms her."""
    tables = [
        fumbled(rolled, **{**EIGHT, "answers": {"critical-miss-detail": die, "damage": (3, 4)}}) for die in (1, 3, 4, 6)
    ]
    return [
        (table.figure("location"), table.found("damage"), table.goes("15-16-28") and table.hits("ann") < 12)
        for table in tables
    ]


def off_balance(rolled: int, weapon: str = "sword", **own: Any) -> tuple[str, bool, int, bool, bool]:
    """Returns the path, whether Ann may attack again, her defenses, whether it lasts, and whether she acts in her next turn."""
    table = fumbled(rolled, weapon, own={"rof": 3, **own} if weapon == "pistol" else own, bob={
        "weapons": {"it": {"skill": "dx", "damage": "1d", "type": "crushing"}}, "dx": 14,
    })  # fmt: skip
    path = table.path().partition("15-")[2]
    again = "attack" in table.offered()
    strike(table.turn("bob"), {}, {"to-hit": 10, "defense": "dodge", "defend": 5}, by="bob")
    dodge, lasts = table.target("defend"), table.has("ann", "off_balance")
    return path, again, dodge - 12, lasts, "attack" in table.turn("ann").offered()


def unready(table: Table) -> tuple[bool, list[bool]]:
    """Returns whether Ann's weapon has turned, and whether an attack is refused before and after she has readied it."""
    turned = has(table, "it_turned")
    before = refused(lambda: strike(table.turn("ann")))
    table.declare("ready", "ann", repair="it_turned").turn("ann")
    return turned, [before, refused(lambda: strike(table))]


def shoulder() -> tuple[str, str, bool]:
    """Returns the end of the attack, how long the arm is useless, and whether she can strike with it."""
    table = fumbled(15)
    return ends(table), table.until("ann", "near_arm_useless"), not refused(lambda: strike(table.turn("ann")))


def bare_hands(rolled: int) -> tuple[str, int]:
    """Returns where Ann harms her own hand or arm, and the damage."""
    table = fumbled(rolled, "fist", answers={"damage": (5,)})
    return table.figure("location"), 10 - table.hits("ann")


def ends(table: Table) -> str:
    """Returns the path after the critical miss."""
    return table.path().partition("15-")[2]


BROKEN, DROPPED = "it_broken", "it_dropped"
REPAIR: Json = {"answers": {"critical-miss-detail": 4}}

CASES.row("CMM01", [(True, "16-52")] * 4, lambda: [
    (has(fumbled(rolled), BROKEN), ends(fumbled(rolled))) for rolled in (3, 4, 17, 18)
])  # fmt: skip
CASES.row("CMM02", [[(True, False), (False, True)]] * 2, lambda: [
    [(has(table, BROKEN), has(table, DROPPED)) for table in (
        fumbled(3, weapon, own={"sturdy": True}, answers={"critical-miss-again": again}) for again in (4, 10)
    )]
    for weapon in ("club", "sword")
])  # fmt: skip
CASES.row("CMM03", [("near arm", 8, True)] * 2 + [("near leg", 8, True)] * 2, lambda: own_limb(5))
CASES.row("CMM04", [("near arm", 4, True)] * 2 + [("near leg", 4, True)] * 2, lambda: own_limb(6))
CASES.row("CMM05", [("16-19-52", False, -2, True, True)] * 2, lambda: [off_balance(rolled) for rolled in (7, 13)])
CASES.row("CMM06", [("16-52", (True, [True, False]))] * 2, lambda: [
    (ends(fumbled(rolled)), unready(fumbled(rolled))) for rolled in (8, 12)
])  # fmt: skip
CASES.row("CMM07", [(True, True, "16-52", "16-52")] * 3, lambda: [
    (has(fumbled(rolled), DROPPED), has(fumbled(rolled, own={"cheap": True}), BROKEN),
     ends(fumbled(rolled)), ends(fumbled(rolled, own={"cheap": True})))
    for rolled in (9, 10, 11)
])  # fmt: skip
CASES.row("CMM08", ("16-19-52", "30 minutes", False), shoulder)
CASES.row("CMU01", [("near arm", 2)] * 3, lambda: [bare_hands(rolled) for rolled in (3, 8, 10)])

# ------------------------------------------------------------------------------------------------ firearms


def shoots_themselves(
    rolled: int, weapon: str = "rifle", faces: tuple[int, ...] = (4, 4, 3, 3, 3), **own: Any
) -> tuple[str, str, int, bool]:
    """Returns where a shooter hits themselves, the damage type, the damage, and whether the path leads to box 28."""
    table = fumbled(rolled, weapon, own={"damage": "5d", **own}, answers={"damage": faces}, ann={"hit_points": 100})
    return table.figure("location"), table.found("damage type", "bullet"), table.found("damage"), table.goes("16-28")


def cleared(cheap: bool) -> list[tuple[int, bool]]:
    """Returns, for rolls of 3 and 16, the target for clearing a jam with Guns 14 and whether the gun stays jammed."""
    found = []
    for roll in (3, 16):
        table = fumbled(10, "pistol", own={"cheap": cheap}).turn("ann")
        table.declare("ready", "ann", {"clear": roll}, repair="it_jammed")
        found.append((table.target("clear"), has(table, "it_jammed")))
    return found


def knocked_down(st: int, roll: int = 12, **own: Any) -> tuple[bool, bool]:
    """Returns whether recoil throws the shooter down, and whether the gun is dropped; the DX roll is 12 against 11."""
    table = fumbled(15, "pistol", own={"st": 10, **own}, ann={"st": st, "dx": 11}, answers={"dx": roll})
    return has(table, "prone"), has(table, DROPPED)


CASES.row("CMF01", [(True, 4, "16-52")] * 4, lambda: [
    (has(table, BROKEN), table.found("hours of repair"), ends(table))
    for table in (fumbled(rolled, "rifle", **REPAIR) for rolled in (3, 4, 16, 17))
])  # fmt: skip
CASES.row("CMF02", [("near leg", "bullet", 17, True), ("near foot", "bullet", 17, True)], lambda: [
    shoots_themselves(rolled) for rolled in (5, 6)
])  # fmt: skip
CASES.row("CMF03", (("16-19-20-52", False, -2, True, True), ("16-19-20-52", True, 0, False, True)), lambda: (
    off_balance(7, "pistol"), off_balance(7, "pistol", recoilless=True),
))  # fmt: skip
CASES.row("CMF04", ["16-19-20-52", "16-52"] * 2, lambda: [
    ends(fumbled(rolled, "pistol", options={"dud": how})) for rolled in (8, 12) for how in ("goes_on", "stops")
])  # fmt: skip
CASES.row("CMF05", ([(True, "16-52")] * 3, [(10, False), (10, True)], [(7, False), (7, True)]), lambda: (
    [(has(fumbled(rolled, "pistol"), "it_jammed"), ends(fumbled(rolled, "pistol"))) for rolled in (9, 10, 11)],
    cleared(False), cleared(True),
))  # fmt: skip
CASES.row("CMF06", [(True, True), (True, False), (False, False), (False, False)], lambda: [
    knocked_down(12), knocked_down(12, roll=11), knocked_down(15), knocked_down(12, recoilless=True),
])  # fmt: skip
CASES.row("CMF07", ("torso", "crushing", 17, True), lambda: shoots_themselves(18, "pistol"))

# ------------------------------------------------------------------------------------------------ critical hits


def damages(*rolls: int, where: str = "torso", how: str = "total", **more: Any) -> list[int]:
    """Returns the damage of critical hits with these rolls on the table."""
    options = {"critical_multiplier": how, **more.pop("options", {})}
    return [critically(rolled, where, options=options, **more).found("damage") for rolled in rolls]


def both_ways(*rolls: int, **more: Any) -> list[list[int]]:
    """Returns the damage where all of it is multiplied, and where only the dice are."""
    return [damages(*rolls, how=how, **more) for how in ("total", "dice")]


def dealt(table: Table, *conditions: str) -> tuple[Any, ...]:
    """Returns the damage, and whether Bob has each of these conditions."""
    return table.found("damage"), *(table.has("bob", condition) for condition in conditions)


def blow_to_head(rolled: int, *, helm: int = 0, **how: Any) -> Table:
    """Plays a critical hit with a sword to the head of an armed combatant with many hit points."""
    held = {"skill": "dx", "damage": "1d", "type": "cutting"}
    bob = {"hit_points": 100, "weapons": {"own": held}, "armor": {"head": {"dr": helm}}}
    return critically(rolled, "head", skill=20, bob=bob, **how)


def stays_stunned() -> list[bool]:
    """Returns whether a combatant with HT 10 stays stunned after a roll of 11, and of 10."""
    found = []
    for roll in (11, 10):
        table = critically(7, bob={"hit_points": 100}).turn("bob", {"recover": roll})
        found.append(table.has("bob", "stunned"))
    return found


def only_defends() -> tuple[set[str], set[str]]:
    """Returns the options of a combatant who is off balance, in their next turn and in the one after."""
    table = blow_to_head(8).turn("bob")
    first = table.offered()
    return first & {"attack", "aim", "feint", "all_out_defense"}, table.turn("bob").offered() & {"attack"}


SMALL: Json = {"own": {"damage": "1d"}, "answers": {"damage": (1,)}}

CASES.row("CRH01", [(8, 0)] * 3, lambda: [
    (table.found("damage"), table.rolls("defend")) for table in (
        critically(rolled, answers={"defense": "dodge", "defend": 3}) for rolled in (9, 10, 11)
    )
])  # fmt: skip
CASES.row("CRH02", [[16, 16], [15, 15]], lambda: both_ways(6, 16))
CASES.row("CRH03", [[24, 24], [22, 22]], lambda: both_ways(5, 17))
CASES.row("CRH04", [[20], [17]], lambda: both_ways(6, terms={"all_out": "damage"}))
CASES.row("CRH05", [8, 8], lambda: [
    critically(rolled, bob={"armor": {"torso": {"dr": 6}}}).found("penetration") for rolled in (4, 13)
])  # fmt: skip
CASES.row("CRH06", ([(8, True)] * 2, [[24, 24], [22, 22]]), lambda: (
    [dealt(critically(rolled, bob={"hit_points": 30}), "unconscious") for rolled in (3, 18)],
    both_ways(3, 18, where="near arm"),
))  # fmt: skip
CASES.row("CRH07", ((8, True), [True, False]), lambda: (
    dealt(critically(7, bob={"hit_points": 100, "ht": 20}), "stunned"), stays_stunned(),
))  # fmt: skip
CASES.row("CRH08", [(8, True, "r7", 8, False)] * 2, lambda: [
    (*dealt(arm, "near_arm_useless"), arm.until("bob", "near_arm_useless"), *dealt(torso, "near_arm_useless"))
    for arm, torso in ((critically(rolled, "near arm"), critically(rolled)) for rolled in (8, 12))
])  # fmt: skip
CASES.row("CRH09", ((1, True), [16], [8]), lambda: (
    dealt(critically(14, "near leg", **SMALL), "near_leg_crippled"),
    damages(14), damages(14, options={"critical_14": "normal"}),
))  # fmt: skip
CASES.row("CHH01", [(True, "dead", True)] * 3, lambda: [
    (table.has("bob", "dead"), table.ended(), table.goes("21-22-28", "40-56$"))
    for table in (blow_to_head(3), blow_to_head(3, **SMALL), blow_to_head(3, helm=100))
])  # fmt: skip
CASES.row("CHH02", [True, True], lambda: [blow_to_head(rolled, **SMALL).has("bob", "unconscious") for rolled in (4, 5)])
CASES.row("CHH03", ((8, True), (8, False, False), (8, False, True), ({"all_out_defense"}, {"attack"})), lambda: (
    dealt(blow_to_head(8), "only_defends"), dealt(blow_to_head(10), "only_defends", "own_dropped"),
    dealt(blow_to_head(14), "only_defends", "own_dropped"), only_defends(),
))  # fmt: skip
CASES.row("CHH04", ((8, True, False, "24 hours"), (1, False, True)), lambda: (
    (*dealt(crushed := blow_to_head(12, own={"type": "crushing"}), "deaf", "scarred"), crushed.until("bob", "deaf")),
    (blow_to_head(12).lost(), *dealt(blow_to_head(12), "deaf", "scarred")[1:]),
))  # fmt: skip


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_rules(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
