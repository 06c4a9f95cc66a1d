"""The log records what an attack assumes for omitted terms, and only for them."""

from typing import Any

import pytest
from rules import figures as first
from rules import second_edition as second

from ledger.events import FigureFound, Json

GUN: Json = {"kind": "ranged", "skill": "kinetic weapons", "damage": "1d10", "modes": ["semi"]}
TWO_MODES: Json = {**GUN, "modes": ["semi", "burst"]}
SLEIGHT: Json = {"kind": "psi", "skill": "psi assault", "damage": "1d10", "armor": "mental"}
KNIFE: Json = {"kind": "melee", "skill": "blades", "damage": "1d10"}
SKILLS = {"kinetic weapons": 50, "psi assault": 50, "blades": 50, "unarmed combat": 50, "throwing weapons": 50}


def assumed(table: Any) -> dict[str, str]:
    """Returns what the declarations of a table assumed, by term."""
    figures = (event for event in table.events if isinstance(event, FigureFound) and event.name.startswith("assumed "))
    return {each.name.removeprefix("assumed "): str(each.value) for each in figures}


@pytest.mark.parametrize(
    ("weapon", "terms", "expected"),
    [
        (GUN, {}, {"range": "short"}),
        (GUN, {"range": "long"}, {}),
        (GUN, {"distance": 2}, {}),
        (TWO_MODES, {"range": "short"}, {"mode": "semi"}),
        (TWO_MODES, {"range": "short", "mode": "semi"}, {}),
        (TWO_MODES, {}, {"range": "short", "mode": "semi"}),
        ({**GUN, "kind": "thrown", "skill": "throwing weapons", "modes": []}, {}, {"range": "short"}),
        (SLEIGHT, {}, {"distance": "up to 5 m"}),
        (SLEIGHT, {"distance": 5}, {}),
        ({**SLEIGHT, "touch": True}, {}, {}),
        (KNIFE, {}, {}),
        (KNIFE, {"called": "disarm"}, {"spot": "axe"}),
        (KNIFE, {"called": "disarm", "spot": "dirk"}, {}),
        (KNIFE, {"called": "knockdown"}, {}),
    ],
)
def test_an_attack_of_the_first_edition_records_what_it_assumes(weapon: Json, terms: Json, expected: Json) -> None:
    arms = {"dirk": KNIFE, "axe": {**KNIFE, "skill": "blades"}, "a fist": {**KNIFE, "skill": "unarmed combat"}}
    ann = first.person(skills=SKILLS, weapons={"own": weapon})
    table = first.Table(ann=ann, bob=first.person(weapons=arms)).begin()

    table.declare("attack", "ann", at="bob", using="own", **terms)

    assert assumed(table) == expected


@pytest.mark.parametrize(("terms", "expected"), [({}, {"range": "short"}), ({"range": "medium"}, {})])
def test_a_free_attack_of_suppressive_fire_records_the_range_that_it_assumes(terms: Json, expected: Json) -> None:
    gun = {**GUN, "modes": ["full", "semi"]}
    table = first.Table(ann=first.person(skills=SKILLS, weapons={"own": gun}), bob=first.person()).begin()
    table.declare("suppress", "ann", using="own").end("ann")

    table.declare("suppressed", "ann", at="bob", **terms)

    assert assumed(table) == expected


GUN_2: Json = {"kind": "ranged", "skill": "guns", "damage": "1d10", "modes": ["semi"], "range": 50}
SLEIGHT_2: Json = {"kind": "psi", "skill": "psi", "damage": "1d10", "armor": "mental"}
KNIFE_2: Json = {"kind": "melee", "skill": "melee", "damage": "1d10"}


@pytest.mark.parametrize(
    ("weapon", "terms", "expected"),
    [
        (GUN_2, {}, {"range": "close"}),
        (GUN_2, {"range": "close"}, {}),
        (GUN_2, {"distance": 2}, {}),
        ({**GUN_2, "modes": ["semi", "burst"]}, {}, {"range": "close", "mode": "semi"}),
        ({**GUN_2, "modes": ["semi", "burst"]}, {"range": "close", "mode": "burst"}, {"bonus": "damage"}),
        ({**GUN_2, "modes": ["semi", "burst"]}, {"range": "close", "mode": "burst", "bonus": "damage"}, {}),
        (SLEIGHT_2, {}, {"distance": "close"}),
        (SLEIGHT_2, {"distance": 5}, {}),
        (SLEIGHT_2, {"modifiers": ["touching the target"]}, {}),
        (KNIFE_2, {}, {}),
        (KNIFE_2, {"called": "disarm"}, {"spot": "axe"}),
        (KNIFE_2, {"called": "disarm", "spot": "dirk"}, {}),
    ],
)
def test_an_attack_of_the_second_edition_records_what_it_assumes(weapon: Json, terms: Json, expected: Json) -> None:
    arms = {"dirk": KNIFE_2, "axe": KNIFE_2, "a fist": {**KNIFE_2, "innate": True}}
    skills = {"guns": 50, "psi": 50, "melee": 50}
    ann = second.person(psi=2, skills=skills, weapons={"own": weapon})
    table = second.Table(ann=ann, bob=second.person(weapons=arms)).begin()

    table.declare("attack", "ann", at="bob", using="own", **terms)

    assert assumed(table) == expected
