"""What is assumed for each omitted term, and which terms contradict each other.

That no term which moves a number is omitted silently, is tested for all games in `contracts/rulesets`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from rules.fourth_edition import Table, person

from ledger.events import FigureFound, Json
from machines.contract.refusals import BadTerms
from machines.contract.ruleset import ruleset
from machines.shadowrun_4e.actions.assumptions import ASSUMED, CONTRADICTIONS, REPLACED, check_terms

GAME = ruleset("shadowrun_4e")


SHEET = person(
    magic=4, edge=0, agility=4,
    skills=dict.fromkeys(("computer", "data search", "perception", "hardware", "pilot ground craft", "assensing", "language"), 4),
    matrix={"response": 3, "system": 3, "firewall": 3, "signal": 3, "programs": {"browse": 4}},
)  # fmt: skip
LEAST: Mapping[str, Json] = {
    "explosion": {"caught": {"bob": {"meters": 1}}},
    "extended": {"skill": "computer", "threshold": 4},
    "perception": {},
    "knowledge": {"skill": "language"},
    "search": {},
    "build": {"skill": "hardware", "item": "simple"},
    "device": {"device": "average"},
    "sensor": {"sensor": 3},
    "drive": {"skill": "pilot ground craft"},
    "track": {},
}
"""By kind: a declaration with its required terms alone."""
GIVEN: Mapping[tuple[str, str], Any] = {
    ("explosion", "damage"): "8P", ("explosion", "armor"): "ballistic", ("extended", "interval"): "long", ("perception", "noticing"): "normal",
    ("knowledge", "knowledge"): "detailed knowledge", ("search", "difficulty"): "easy", ("search", "area"): "same device",
    ("build", "interval"): "short", ("device", "difficulty"): "hard", ("sensor", "threshold"): 2, ("drive", "difficulty"): "hard",
    ("drive", "terrain"): "tight", ("track", "threshold"): 6,
}  # fmt: skip


def found(kind: str, terms: Json) -> dict[str, str]:
    """Returns what a declaration assumes, by term."""
    table = Table(ann=SHEET, bob=person()).declare(kind, "ann", **terms)
    figures = (event for event in table.events if isinstance(event, FigureFound))
    return {each.name.removeprefix("assumed "): str(each.value) for each in figures if each.name.startswith("assumed ")}


@pytest.mark.parametrize(("kind", "field"), [(kind, field) for kind, fields in ASSUMED.items() for field in fields])
def test_an_omitted_term_is_recorded_with_its_value_and_a_given_one_is_not(kind: str, field: str) -> None:
    default = next(each.default for each in msgspec.structs.fields(GAME.kinds[kind].terms) if each.name == field)

    assert found(kind, LEAST[kind])[field] == str(default)
    assert field not in found(kind, {**LEAST[kind], field: GIVEN[kind, field]})


@pytest.mark.parametrize(("kind", "field"), sorted(REPLACED))
def test_nothing_is_assumed_for_a_term_that_another_one_replaces(kind: str, field: str) -> None:
    other = {"grenade": "high explosive", "against": "bob"}[REPLACED[kind, field]]

    assert field not in found(kind, {**LEAST[kind], REPLACED[kind, field]: other})


@pytest.mark.parametrize(
    ("weapon", "terms", "expected"),
    [
        ({"range": "heavy pistol", "modes": ["SA"]}, {}, {"distance": "short range"}),
        ({"range": "heavy pistol", "modes": ["SA"]}, {"distance": 3}, {}),
        ({"range": "heavy pistol", "modes": ["SA"], "magnification": True}, {}, {}),
        ({"modes": ["SA", "BF"]}, {}, {"mode": "semi"}),
        ({"modes": ["SA", "BF"]}, {"mode": "burst"}, {}),
        ({"modes": ["SA"]}, {}, {}),
    ],
)
def test_a_shot_records_what_it_assumes(weapon: Json, terms: Json, expected: dict[str, str]) -> None:
    own = {"skill": "pistols", "damage": "4P", **weapon}
    table = Table(ann=person(skills={"pistols": 3}, weapons={"own": own}), bob=person()).begin().phase("ann")
    table.declare("attack", "ann", at="bob", using="own", **terms)
    figures = (event for event in table.events if isinstance(event, FigureFound))

    assert expected == {
        each.name.removeprefix("assumed "): each.value for each in figures if each.name.startswith("assumed ")
    }


OTHERS: Mapping[str, Any] = {
    "called": "vital area", "at": ["bob"], "object_resistance": "natural objects", "grenade": "high explosive", "difficulty": "easy",
    "against": "bob", "skill": "pistols", "vehicle": "car",
}  # fmt: skip
CHANGED: Mapping[str, Any] = {
    "called_for": 2, "spot": "gun", "threshold": 3, "damage": "8P", "ap": "-1", "armor": "ballistic", "falloff": 1, "radius": 3,
    "difficulty": "hard", "second": "logic", "their_skill": "pistols", "their_attribute": "logic", "handling": 1, "terrain": "tight",
    "signal": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "nth"), [(kind, nth) for kind, rows in CONTRADICTIONS.items() for nth in range(len(rows))]
)
def test_a_term_that_would_be_ignored_is_refused_and_names_the_other(kind: str, nth: int) -> None:
    row = CONTRADICTIONS[kind][nth]
    defaults = {each.name: each.default for each in msgspec.structs.fields(GAME.kinds[kind].terms) if not each.required}
    other = "" if row.needs else OTHERS.get(row.other, "x")
    terms = msgspec.defstruct("Terms", [(name, Any) for name in {**defaults, "at": None}])(
        **{**defaults, "at": "", row.field: CHANGED[row.field], row.other: other}
    )

    with pytest.raises(BadTerms) as refused:
        check_terms(kind, terms)

    assert refused.value.where in {each.field for each in CONTRADICTIONS[kind]}
