"""Figures of GURPS: success rolls, what modifies an attack, hit locations, range and size."""

from typing import Any

import pytest
from rules.figures import refused
from rules.third_edition import ROWS, Cases, Table, attack, line, strike, table_of, to_hit

from ledger.events import Json

CASES = Cases()
HIT, MISS, CRITICAL_HIT, CRITICAL_MISS = "success", "failure", "critical success", "critical failure"

# ------------------------------------------------------------------------------------------------ success rolls


def rolled(skill: int, roll: int, **how: Any) -> tuple[str, int]:
    """Returns the outcome and the margin of a roll to hit."""
    return attack(how.pop("terms", {}), {"to-hit": roll, **how.pop("answers", {})}, skill=skill, **how).roll("to-hit")


def outcomes(skills: list[int], rolls: list[int]) -> list[str]:
    """Returns the outcomes of each skill with each roll."""
    return [rolled(skill, roll)[0] for skill in skills for roll in rolls]


def lowest_critical_failure(skill: int) -> int:
    return next(roll for roll in range(3, 19) if rolled(skill, roll)[0] == CRITICAL_MISS)


def wildly(skill: int, location: int = 10, roll: int | None = None, **how: Any) -> Table:
    """Plays a wild swing whose location is rolled."""
    answers = {"location": location, **({"to-hit": roll} if roll else {})}
    return attack({"wild": True, **how.pop("terms", {})}, answers, skill=skill, **how)


def below_three() -> tuple[bool, int]:
    """Returns whether an attack with 2 is refused, and the number of rolls of a defense with 2."""
    defended = attack({}, {"to-hit": 10, "defense": "dodge"}, bob={"dodge": 2})
    assert defended.target("defend") == 2
    return refused(lambda: attack({}, {"to-hit": 10}, skill=2)), defended.asked("defend")


CASES.row("SUC01", [(HIT, 1), (HIT, 0), (MISS, -1)], lambda: [rolled(12, each) for each in (11, 12, 13)])
CASES.alike(outcomes, {
    "SUC02": ([CRITICAL_HIT, CRITICAL_HIT, HIT], {"skills": [8], "rolls": [3, 4, 5]}),
    "SUC03": ([HIT, CRITICAL_HIT, CRITICAL_HIT], {"skills": [14, 15, 16], "rolls": [5]}),
    "SUC04": ([HIT, HIT, CRITICAL_HIT, CRITICAL_HIT], {"skills": [14, 15, 16, 20], "rolls": [6]}),
    "SUC05": ([CRITICAL_MISS, CRITICAL_MISS, MISS, MISS], {"skills": [14, 15, 16, 20], "rolls": [17]}),
    "SUC06": ([CRITICAL_MISS] * 3, {"skills": [5, 16, 25], "rolls": [18]}),
    "SUC07": ([MISS, CRITICAL_MISS, CRITICAL_MISS], {"skills": [5], "rolls": [14, 15, 16]}),
})  # fmt: skip
CASES.row("SUC08", [13, 14, 16, 17, 17, 17, 18], lambda: [
    lowest_critical_failure(skill) for skill in (3, 4, 6, 7, 8, 15, 16)
])  # fmt: skip
CASES.row("SUC09", (True, False), lambda: (
    attack({}, {"to-hit": 18}, skill=17).goes("14-15-16"), attack({}, {"to-hit": 18}, skill=17).goes("17"),
))  # fmt: skip
CASES.row("SUC10", (MISS, True), lambda: (rolled(16, 17)[0], attack({}, {"to-hit": 17}, skill=16).goes("15-17-18")))
CASES.row("SUC11", (True, 1), below_three)
CASES.row("SUC12", [HIT, HIT, CRITICAL_MISS], lambda: [wildly(18, roll=each).roll("to-hit")[0] for each in (5, 6, 17)])

# ------------------------------------------------------------------------------------------------ attack modifiers


def after_wounds(*amounts: int, **how: Any) -> int:
    """Returns the target of Ann's attack after losing these amounts of hit points since her last turn."""
    own = {"weapons": {"it": {"skill": "dx", "damage": "1d", "type": "crushing"}}, "dx": 30, "move": 4}
    table = table_of(ann={"ht": 20, **how.pop("ann", {})}, bob=own, **how)
    table.turn("bob")
    for amount in amounts:
        harms_ann(table, amount)
    return strike(table.turn("ann")).target("to-hit")


def harms_ann(table: Table, amount: int) -> None:
    """Plays one blow of Bob's all-out attack at Ann, with an amount of damage."""
    terms = {"at": "ann", "all_out": "two_attacks"}
    strike(table, terms, {"to-hit": 10, "damage": amount, "special-effect": 3, "knockdown": 3}, by="bob")


def all_out(form: str) -> Table:
    return attack({"all_out": form}, {"to-hit": 10, "damage": (1, 1)}, skill=12)


def twice() -> list[int]:
    table = attack({"all_out": "two_attacks"}, {"to-hit": 13}, skill=12)
    return strike(table, {"all_out": "two_attacks"}).targets("to-hit")


def in_posture(who: str, *postures: str, **how: Any) -> list[int]:
    """Returns the targets of the attack, by the posture of one combatant."""
    return [to_hit(situation={"postures": {who: each}}, **how) for each in postures]


POSTURES = ("crouching", "kneeling", "sitting", "crawling", "prone")

CASES.alike(to_hit, {
    "ATK01": (12, {"terms": {"footing": -2}}),
    "ATK02": (18, {"terms": {"footing": -2}, "weapon": "rifle", "own": {"acc": 4}, "aimed": 1}),
    "ATK04": (4, {"terms": {"modifiers": ["total darkness"]}}),
    "ATK08": (7, {"skill": 18, "terms": {"footing": -2, "darkness": -3, "modifiers": ["off hand", "unfamiliar weapon"]}}),
    "ATK10": (16, {"skill": 12, "terms": {"all_out": "to_hit"}}),
})  # fmt: skip
CASES.row("ATK03", [13, 9, 5], lambda: [to_hit(terms={"darkness": each}) for each in (-1, -5, -9)])
CASES.row("ATK05", [10, 14], lambda: [to_hit("off hand", ann={"ambidextrous": each}) for each in (False, True)])
CASES.row("ATK06", [12, 14], lambda: [to_hit("unfamiliar weapon"), to_hit()])
CASES.row("ATK07", [12, 12, 12, 10, 10], lambda: in_posture("ann", *POSTURES))
CASES.row("ATK09", 11, lambda: after_wounds(3))
CASES.row("ATK11", [12, 12], twice)
CASES.row("ATK12", (12, 2), lambda: (
    all_out("damage").target("to-hit"), all_out("damage").found("damage") - all_out("to_hit").found("damage"),
))  # fmt: skip
CASES.row("ATK13", 7, lambda: wildly(12).target("to-hit"))
CASES.row("ATK14", 9, lambda: wildly(18).target("to-hit"))
CASES.row("ATK15", 8, lambda: wildly(15, terms={"darkness": -7}).target("to-hit"))
CASES.row("ATK16", 9, lambda: wildly(20, terms={"footing": -2}).target("to-hit"))
CASES.row("ATK17", [14, 13, 12], lambda: [to_hit(*how, weapon="pistol") for how in ((), ("walking",), ("running",))])
CASES.row("ATK18", [12, 6], lambda: [to_hit(how, weapon="bow", skill=18) for how in ("walking", "running")])
CASES.row("ATK19", [7, 9, 10, 11, 12], lambda: [
    to_hit(cover, weapon="pistol")
    for cover in ("prone, head down", "only the head", "head and shoulders", "half exposed", "light cover")
])  # fmt: skip
CASES.row("ATK20", [12, 12, 12, 10, 10], lambda: in_posture("bob", *POSTURES, weapon="pistol"))

# ------------------------------------------------------------------------------------------------ hit locations


def aims(*places: str, **how: Any) -> list[int]:
    return [to_hit(terms={"location": place}, **how) for place in places]


def anywhere(*rolls: int) -> list[str]:
    """Returns where blows without a location strike; both places where there are two."""
    found = []
    for roll in rolls:
        tables = [attack({"random": True}, {"location": roll, "side": side}) for side in (3, 4)]
        found += dict.fromkeys(table.figure("location") for table in tables)
    return found


def missed_by_one(place: str, weapon: str = "sword", skill: int = 30, **how: Any) -> tuple[str, str]:
    """Returns where a blow strikes that misses a location by 1, and the path from there."""
    penalty = line("hit_locations", place).to_hit
    table = attack({"location": place, **how}, {"to-hit": 10}, weapon=weapon, skill=9 - penalty)
    assert table.roll("to-hit") == (MISS, -1)
    return table.figure("location"), table.path().partition("17-")[2]


SHIELD: Json = {"shield": {"skill": "shield"}, "skills": {"shield": 12}}
SAVED, LOST = "18-23-26-28", "18-19-52"

CASES.row("LOC01", [[14, 12, 12, 10, 10]] * 2, lambda: [
    aims("torso", *(f"{side} {limb}" for limb in ("arm", "leg", "hand", "foot"))) for side in ("near", "far")
])  # fmt: skip
CASES.row("LOC02", [10, 6], lambda: aims("far arm", "far hand", bob=SHIELD))
CASES.row("LOC03", [9, 11, 7, 6], lambda: [
    *aims("brain", "head", "eye", skill=16, weapon="spear"),
    to_hit("through a helm slit", terms={"location": "eye", "modifiers": ["through a helm slit"]}, skill=16, weapon="spear"),
])  # fmt: skip
CASES.row("LOC04", [10, 11, 13, 13], lambda: aims("nose", "neck", "vitals", "groin", skill=16, weapon="spear"))
CASES.row("LOC05", (10, 11), lambda: (aims("jaw", skill=16)[0], aims("jaw", skill=16, options={"jaw_penalty": -5})[0]))
CASES.row("LOC06", ["brain", "brain", "head"], lambda: anywhere(3, 4, 5))
CASES.row("LOC07", ["far arm", "near hand", "far hand", "near arm"], lambda: anywhere(6, 7, 8))
CASES.row("LOC08", ["torso"] * 3, lambda: anywhere(9, 10, 11))
CASES.row("LOC09", ["far leg", "near leg", "near leg"], lambda: anywhere(12, 13, 14))
CASES.row("LOC10", [*["near foot", "far foot"] * 2, "vitals", "vitals"], lambda: anywhere(15, 16, 17, 18))
CASES.row("LOC11", (6, 9), lambda: tuple(
    wildly(18, 3, options={"random_location": how}).target("to-hit") for how in ("counts", "free")
))  # fmt: skip
CASES.row("LOC12", ("torso", SAVED), lambda: missed_by_one("brain"))
CASES.row("LOC13", ("torso", SAVED), lambda: missed_by_one("head"))
CASES.row("LOC14", ("head", LOST), lambda: missed_by_one("head", "spear"))
CASES.row("LOC15", [("head", SAVED), ("head", SAVED), ("torso", SAVED)], lambda: [
    missed_by_one(place) for place in ("nose", "jaw", "neck")
])  # fmt: skip
CASES.row("LOC16", [("torso", SAVED)] * 2, lambda: [missed_by_one("vitals", each) for each in ("spear", "pistol")])
CASES.row("LOC17", [("torso", LOST), ("near arm", LOST), ("near foot", LOST)], lambda: [
    missed_by_one(place) for place in ("torso", "near arm", "near foot")
])  # fmt: skip

# ------------------------------------------------------------------------------------------------ range and size


def at_range(*yards: int, **terms: Any) -> list[int]:
    """Returns the modifier of each distance."""
    return [to_hit(weapon="rifle", skill=30, terms={"distance": each, **terms}) - 30 for each in yards]


def of_size(*yards: str) -> list[int]:
    """Returns the modifier of each size of the target."""
    return [to_hit(bob={"size": line("sizes", each).value}) - 14 for each in yards]


CASES.row("RNG01", [0, 0, -1, -2, -3], lambda: at_range(1, 2, 3, 4, 7))
CASES.row("RNG02", [-4, -5, -6, -7, -8], lambda: at_range(10, 15, 20, 30, 45))
CASES.row("RNG03", [-9, -10, -11, -12, -13], lambda: at_range(70, 100, 150, 200, 300))
CASES.row("RNG04", [-1, -2, -3, -4, -5], lambda: at_range(3, 4, 5, 8, 11))
CASES.row("RNG05", [-6, -7, -8, -9, -9, -10], lambda: at_range(16, 21, 31, 46, 50, 71))
CASES.row("RNG06", [-2, -1, 0, 1, 2, 3, 4], lambda: of_size("1", "1.5", "2", "3", "4.5", "7", "10"))
CASES.row("RNG07", 10, lambda: to_hit(
    weapon="rifle", terms={"distance": 20}, bob={"size": line("sizes", "4.5").value}
))  # fmt: skip
CASES.row("RNG08", [-7], lambda: at_range(20, speed=10))
CASES.row("RNG09", [-8], lambda: at_range(30, uphill=15))
CASES.row("RNG10", [-8], lambda: at_range(30, uphill=5))


@pytest.mark.parametrize("row", CASES)
def test_a_row_agrees_with_the_rules(row: str) -> None:
    expected, found = CASES[row]

    assert expected == found(), ROWS[row]
