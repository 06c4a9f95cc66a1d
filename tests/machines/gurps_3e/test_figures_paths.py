"""Figures of GURPS: independently transcribed paths through the 56 boxes."""

from typing import Any

import pytest
from rules.figures import Answer
from rules.third_edition import ROWS, SAFELY, Cases, Table, cells, person, strike, table_of

from ledger.events import Json

CASES = Cases()
DEFENDER: Json = {
    "dodge": 9, "skills": {"broadsword": 18, "shield": 18}, "shield": {"pd": 0},
    "weapons": {"own": {"skill": "broadsword", "damage": "1d", "type": "cutting"}},
}  # fmt: skip
LAST = "-40-41-44-54"


def walked(row: str) -> str:
    """Returns the path of a row, the first where it has two."""
    return cells(row)[3].split(" ? ")[0]


def went(
    weapon: str,
    roll: Answer = 10,
    damage: int = 2,
    answers: Json | None = None,
    *,
    skill: int = 14,
    dr: int = 0,
    bob: Json | None = None,
    own: Json | None = None,
    others: tuple[str, ...] = (),
    aimed: int = 0,
    taken: int = 0,
    options: Json | None = None,
    ann: Json | None = None,
    armor: Json | None = None,
    **terms: Any,
) -> Table:
    """Plays one attack of Ann's.

    Args:
        weapon: Hers.
        roll: To hit.
        damage: Its total; where it is more than a die shows, the weapon adds 5.
        answers: To whatever else is asked; what wounds call for succeeds.
        skill: Hers.
        dr: Of Bob's armor, everywhere.
        bob: More of his sheet.
        own: Fields of the weapon.
        others: Who else is there.
        aimed: Turns that she has aimed before.
        taken: Hit points of 10 that he has lost before.
        options: Of the profile.
        ann: More of her sheet.
        armor: More of his armor.
        terms: Of the attack.
    """
    own = {"damage": "1d+5" if damage > 6 else "1d", **(own or {})}
    worn = {"armor": {"all": {"dr": dr, **(armor or {})}}}
    here = {who: person() for who in others}
    before = [("bob", "tracks.hit_points", taken)] if taken else []
    table = table_of(
        weapon,
        skill,
        own=own,
        ann=ann,
        bob={**worn, **(bob or {})},
        others=here,
        aimed=aimed,
        adjust=before,
        options=options,
    )
    return strike(table, terms, {"to-hit": roll, "damage": damage, **SAFELY, **(answers or {})})


def from_waiting() -> Table:
    """Plays opportunity fire at a combatant who enters one of two watched hexes."""
    table = table_of("pistol", 20, own={"damage": "1d"}).declare("wait", "ann", watching=2).turn("bob")
    return table.declare("opportunity", "ann", {"to-hit": 10, "damage": 2}, at="bob", using="it", distance=0)


def at_minus_fifty() -> tuple[str, int]:
    """Plays thrusts of 50 and 10; returns the path of the second, and its new death rolls."""
    table = table_of("spear", 30, own={"damage": "1d"})
    strike(table, {"location": "neck", "extra_damage": {"harder": 24}}, {"to-hit": 10, "damage": 1, **SAFELY})
    before = table.rolls("death")
    assert (table.hits("bob"), before) == (-40, 7)
    strike(table.turn("ann"), {}, {"to-hit": 10, "damage": 5, **SAFELY})
    assert table.hits("bob") == -50
    return table.path(), table.rolls("death") - before


def arm(crippling: str, wound: str) -> tuple[str, bool]:
    """Plays a sword's 4 damage, 6 to the arm with a loss of 5; returns the path, and whether the arm is crippled."""
    table = went(
        "sword", damage=4, location="near arm", skill=20, options={"crippling_by": crippling, "major_wound_by": wound}
    )
    return table.path(), table.has("bob", "near_arm_crippled")


def path(*how: Any, **more: Any) -> str:
    return went(*how, **more).path()


DODGES: Json = {"defense": "dodge", "defend/1": 5}
WALKS: dict[str, tuple[tuple[Any, ...], Json]] = {
    "PTH01": (("sword", 10, 6), {"dr": 4}),
    "PTH02": (("sword", 10, 8), {"bob": {"ht": 20}}),
    "PTH03": (("spear", 10, 1), {}),
    "PTH04": (("sword", 16), {"skill": 12}),
    "PTH05": (("sword", 13), {"skill": 12}),
    "PTH07": (("sword", 10, 2, DODGES), {"bob": DEFENDER}),
    "PTH08": (("sword", 10, 2, {"defense": "parry", "defend": 4, "critical-miss": 10}), {"bob": DEFENDER}),
    "PTH09": (("sword", 3, 6, {"critical-hit": 10}), {"dr": 4}),
    "PTH10": (("sword", 18, 3, {"critical-miss": 5, "critical-miss-detail": 4}), {"ann": {"ht": 12}}),
    "PTH11": (("sword", 12, 2, {"location": 10}), {"wild": True}),
    "PTH12": (("pistol", 10), {"own": {"ss": 16}, "skill": 16}),
    "PTH13": (("pistol", 10), {"own": {"ss": 15}, "skill": 16}),
    "PTH14": (("rifle", 10), {"aimed": 1}),
    "PTH16": (("rifle", 16), {"skill": 13, "aimed": 1}),
    "PTH17": (("pistol", 13, 2, {"to-hit/2": 11}), {"skill": 10, "others": ("cyd",), "near": ["cyd"]}),
    "PTH18": (("pistol", 10, 2, {**DODGES, "to-hit/2": 8, "defense/2": "none"}), {
        "bob": DEFENDER, "others": ("cyd",), "behind": ["cyd"],
    }),
    "PTH19": (("machine gun", 15), {"aimed": 1}),
    "PTH20": (("sword", 10), {"location": "head"}),
    "PTH21": (("rifle", 10, 5), {"aimed": 1, "dr": 6}),
    "PTH22": (("rifle", 10, 6), {"aimed": 1, "dr": 6, "armor": {"flexible": True}}),
    "PTH23": (("rifle", 9, 5), {"aimed": 1, "dr": 6, "location": "head"}),
    "PTH24": (("club", 10, 5), {"dr": 6}),
    "PTH25": (("club", 10, 9), {"dr": 12}),
    "PTH26": (("sword", 10, 6, {"defense": "dodge", "defend": 18}), {"dr": 4, "bob": {"dodge": 9}}),
    "PTH27": (("spear", 10, 1), {"taken": 7}),
    "PTH28": (("spear", 10, 5), {}),
    "PTH29": (("spear", 10, 5), {"taken": 10}),
    "PTH30": (("spear", 10, 5, {"death": 11}), {"taken": 10}),
    "PTH32": (("sword", 10, 6, {"special-effect": 11}), {"location": "neck", "skill": 16}),
    "PTH33": (("sword", 15, 2, {"to-hit/2": 12}), {"skill": 12, "others": ("cyd",), "melee": ["cyd"]}),
    "PTH35": (("rifle", 10, 2, {"defend": 3}), {"aimed": 1, "armor": {"pd": 4}}),
    "PTH36": (("pistol", 18, 2, {"critical-miss": 7}), {}),
}  # fmt: skip
"""By row: to hit, with what damage, what else is answered; and whatever else is so."""

for each, (how, more) in WALKS.items():
    CASES.row(each, walked(each), lambda how=how, more=more: path(*how, **more))
CASES.row("PTH06", [walked("PTH06")] * 2, lambda: [
    path("sword", 10, 2, {"defense": how, "defend": 5}, bob=DEFENDER) for how in ("parry", "block")
])  # fmt: skip
CASES.row("PTH15", [walked("PTH15")] * 2, lambda: [path("pistol", 10, skill=18, pop_up=True), from_waiting().path()])
CASES.row("PTH31", (walked("PTH31"), 2), at_minus_fifty)
CASES.row("PTH34", [
    (walked("PTH34").partition("-40")[0] + LAST, True), (walked("PTH34"), True), (walked("PTH34").partition("-40")[0] + LAST, False),
], lambda: [arm("before_cap", "after_cap"), arm("before_cap", "before_cap"), arm("after_cap", "after_cap")])  # fmt: skip


@pytest.mark.parametrize("row", CASES)
def test_a_way_agrees_with_the_flowchart(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
