"""Figures of GURPS: damage and knockback, armor, what multiplies a wound, and what blows through."""

from typing import Any

import pytest
from rules.third_edition import ROWS, SAFELY, Cases, Table, attack, critically, harmed

from ledger.events import Json

CASES = Cases()
SOFT: Json = {"flexible": True}

# ------------------------------------------------------------------------------------------------ damage, knockback


def struck(
    damage: str,
    *faces: int,
    where: str = "torso",
    dr: int = 0,
    covered: str = "torso",
    armor: Json | None = None,
    **how: Any,
) -> Table:
    """Plays an ordinary hit with these dice against an amount of armor."""
    bob = {"armor": {covered: {"dr": dr, **(armor or {})}}, **how.pop("bob", {})}
    answers = {"to-hit": 10, "damage": faces, **SAFELY, **how.pop("answers", {})}
    terms = {"location": where, **how.pop("terms", {})}
    return attack(terms, answers, skill=30, bob=bob, own={"damage": damage, **how.pop("own", {})}, **how)


def basic(damage: str, face: int, *weapons: str) -> list[int]:
    return [struck(damage, face, weapon=weapon).found("damage") for weapon in weapons]


def hexes(*damages: int, **how: Any) -> list[int]:
    """Returns the hexes of knockback; 0 where it is not applied."""
    return [harmed(each, **how).found("knockback", 0) for each in damages]


def stands(roll: int) -> bool:
    return not harmed(9, weapon="club", bob={"dx": 11}, answers={"stand": roll}).has("bob", "prone")


CASES.row("DMG01", [1], lambda: basic("1d-4", 2, "sword"))
CASES.row("DMG02", [1, 1], lambda: basic("1d-3", 1, "spear", "pistol"))
CASES.row("DMG03", [0, 0], lambda: basic("1d-3", 2, "club", "fist"))
CASES.row("DMG04", 3, lambda: struck("1d-4", 1, terms={"all_out": "damage"}).found("damage"))
CASES.row("DMG05", [0, 1, 1, 2, 3], lambda: hexes(7, 8, 15, 16, 24, weapon="club"))
CASES.row("DMG06", [1], lambda: hexes(9, weapon="sword"))
CASES.row("DMG07", ([0], [0], [2], [1]), lambda: (
    hexes(20, weapon="spear"), hexes(20, weapon="pistol"),
    hexes(20, weapon="pistol", options={"bullet_knockback": "by_eight"}),
    hexes(20, weapon="pistol", options={"bullet_knockback": "by_strength"}, bob={"st": 6}),
))  # fmt: skip
CASES.row("DMG08", [True, False], lambda: [stands(roll) for roll in (11, 12)])
CASES.row("DMG09", (1, True), lambda: (
    *hexes(9, weapon="club", bob={"armor": {"torso": {"dr": 12}}}),
    harmed(9, weapon="club", bob={"armor": {"torso": {"dr": 12}}}).goes("31-32-33-34-53$"),
))  # fmt: skip
CASES.row("DMG10", (16, 2), lambda: (
    critically(6, own={"type": "crushing"}).found("damage"), critically(6, own={"type": "crushing"}).found("knockback"),
))  # fmt: skip

# ------------------------------------------------------------------------------------------------ armor


def through(damage: int, dr: int, **how: Any) -> int:
    """Returns the penetration of a blow against an amount of armor at the torso."""
    bob = {"hit_points": 100, "ht": 40, "armor": {"torso": {"dr": dr, **how.pop("armor", {})}}}
    return harmed(damage, bob=bob, **how).found("penetration")


def and_then(damage: int, dr: int, **how: Any) -> tuple[int, int]:
    """Returns the penetration and the injury of such a blow."""
    bob = {"hit_points": 100, "ht": 40, "armor": {"torso": {"dr": dr}}}
    table = harmed(damage, bob=bob, **how)
    return table.found("penetration"), table.found("injury")


def stopped(*how: Any, **more: Any) -> tuple[str, int]:
    """Returns the path from box 34 to box 36, and the lost hit points."""
    table = struck(*how, **more)
    return "34" + table.path().partition("-34")[2].partition("-36")[0], table.lost()


VEST: Json = {"dr": 8, "against": {"impaling": 2}}

CASES.row("ARM01", 5, lambda: through(9, 4))
CASES.row("ARM02", [4, 12], lambda: [through(14, 20, own={"armor_divisor": each}) for each in (2, 10)])
CASES.row("ARM03", (4, 2), lambda: and_then(12, 15, weapon="pistol", own={"ammunition": "armor piercing"}))
CASES.row("ARM04", (6, 9), lambda: and_then(12, 3, weapon="pistol", own={"ammunition": "hollow point"}))
CASES.row("ARM05", [2, 8], lambda: [through(10, 8, armor=VEST, weapon=weapon) for weapon in ("sword", "spear")])
CASES.row("ARM06", 3, lambda: harmed(9, "brain", bob={"armor": {"head": {"dr": 4}}}).found("penetration"))
CASES.row("ARM07", ("34-35-53", 0), lambda: stopped("1d", 6, dr=6))
CASES.row("ARM08", ("34-53", 0), lambda: stopped("2d-2", 6, 1, dr=6, armor=SOFT))
CASES.row("ARM09", ("34-35", 1), lambda: stopped("2d-2", 6, 2, dr=6, armor=SOFT, weapon="club"))
CASES.row("ARM10", ("34-35", 2), lambda: stopped("3d", 6, 6, 3, dr=15, armor=SOFT, weapon="pistol"))
CASES.row("ARM11", ("34-35", 3), lambda: stopped("3d", 6, 6, 6, dr=30, armor=SOFT, weapon="pistol"))
CASES.row("ARM12", ("34-35-53", 0), lambda: stopped("3d", 5, 5, 5, dr=30, armor=SOFT, weapon="pistol"))
CASES.row("ARM13", ("34-35-53", 0), lambda: stopped("3d", 6, 6, 1, dr=20, weapon="pistol"))


def helmeted(roll: int, hit_points: int = 10) -> Table:
    """Plays a bullet with 10 damage that a rigid helm stops; HT is 10."""
    bob, answers = {"hit_points": hit_points}, {"special-effect": roll}
    return struck("2d", 5, 5, where="head", dr=20, covered="head", weapon="pistol", bob=bob, answers=answers)


CASES.row("ARM14", (True, 0, [False, True]), lambda: (
    helmeted(10).goes("34-35-39-40-41"), helmeted(10).lost(), [helmeted(roll).has("bob", "unconscious") for roll in (10, 11)],
))  # fmt: skip
CASES.row("ARM15", [(True, 0), (True, 0)], lambda: [
    (helmeted(10).goes("41-44-54$"), helmeted(10).lost()), (helmeted(10, 3).goes("41-44-45-46-48-55$"), helmeted(10, 3).lost()),
])  # fmt: skip
CASES.row("ARM16", ("34-35", 1), lambda: stopped("1d+2", 6, dr=8, armor=SOFT, weapon="bow"))

# ------------------------------------------------------------------------------------------------ factors, blow-through

LIKE: dict[str, Json] = {
    "crushing": {"weapon": "club"}, "cutting": {"weapon": "sword"}, "impaling": {"weapon": "spear"},
    **{name: {"weapon": "pistol", "own": {"type": name}} for name in ("bullet", "small bullet", "large bullet", "very large bullet", "beam")},
}  # fmt: skip


def injures(penetration: int, *types: str, where: str = "torso") -> list[int]:
    """Returns the injury of a penetration at a location, by damage type."""
    skull = 2 if where == "brain" else 0
    bob = {"ht": 60, "armor": {"head": {"dr": 5}, "torso": {"dr": 5}, "neck": {"dr": 5}}}
    tables = [harmed(penetration + 5 + skull, where, bob=bob, **_vital(where, LIKE[each])) for each in types]
    assert all(table.all_found("penetration") == [penetration] for table in tables)
    return [table.found("injury") for table in tables]


def _vital(where: str, how: Json) -> Json:
    """Plays a blow that may be aimed at the vitals."""
    return {**how, "own": {**how.get("own", {}), "thrust": True}} if where == "vitals" else how


def loses(penetration: int, kind: str, where: str = "torso", ht: int = 10, **own: Any) -> tuple[int, int]:
    """What a blow comes to, and what of it is lost."""
    how = LIKE[kind]
    skull = 2 if where == "brain" else 0
    own = {**how.get("own", {}), **own}
    table = harmed(penetration + skull, where, bob={"ht": ht, "hit_points": 200}, **{**how, "own": own})
    return table.found("injury"), table.lost()


def many_dice(count: int) -> tuple[int, int]:
    own = {"damage": f"{count}d"}
    table = harmed(20, weapon="spear", own=own, bob={"hit_points": 200})
    return table.found("injury"), table.lost()


ALL = ("crushing", "cutting", "impaling")
CASES.row("FAC01", [5, 7, 10, 5], lambda: injures(5, *ALL, "bullet"))
CASES.row("FAC02", [1, 1, 2], lambda: injures(1, *ALL))
CASES.row("FAC03", [12, 12, 12], lambda: injures(3, *ALL, where="brain"))
CASES.row("FAC04", [7, 10, 10], lambda: injures(5, *ALL, where="neck"))
CASES.row("FAC05", [12, 12, 4], lambda: injures(4, "impaling", "bullet", "crushing", where="vitals"))
CASES.row("FAC06", [15, 20, 5], lambda: injures(10, "large bullet", "very large bullet", "small bullet"))
CASES.row(
    "FAC07",
    (9, 6),
    lambda: and_then(9, 0, weapon="pistol", own={"type": "large bullet", "ammunition": "armor piercing"}),
)
CASES.row("FAC08", [12], lambda: injures(4, "large bullet", where="vitals"))
CASES.row("CAP01", (16, 10), lambda: loses(8, "impaling"))
CASES.row("CAP02", (18, 18), lambda: loses(12, "cutting"))
CASES.row("CAP03", (40, 30), lambda: loses(20, "impaling", "head"))
CASES.row("CAP04", (60, 60), lambda: loses(15, "bullet", "brain"))
CASES.row("CAP05", [(9, 5), (9, 5)], lambda: [loses(6, "cutting", "near arm", ht) for ht in (10, 11)])
CASES.row("CAP06", [(8, 3), (8, 4)], lambda: [loses(4, "impaling", "near hand", ht) for ht in (10, 12)])
CASES.row("CAP07", (25, 20), lambda: loses(25, "beam"))
CASES.row("CAP08", [(40, 40), (40, 10)], lambda: [many_dice(count) for count in (16, 15)])


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_rules(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
