"""A term that moves a number is never silently defaulted: it is refused, asked for, or recorded as assumed."""

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
NONE = "none applies"
WORDS = "no number"
RULED = "a ruling or the sheet has it, and the log shows the figure"
OMITTED: Mapping[str, Mapping[str, str]] = {
    "attack": {
        **dict.fromkeys(("also", "wide", "modifiers", "theirs", "friends", "enemies", "charge", "called", "unaware"), NONE),
        **dict.fromkeys(("defenseless", "caught", "sensor", "through", "buys", "called_for"), NONE),
        **dict.fromkeys(("split", "visibility", "reach", "spot", "harms", "ammunition", "grenade"), RULED),
    },
    "cast": {
        **dict.fromkeys(("at", "object_resistance", "modifiers", "spells", "threshold", "sustain", "focus"), NONE),
        **dict.fromkeys(("visibility", "split"), RULED),
    },
    "explosion": {**dict.fromkeys(("ap", "falloff", "radius", "grenade"), NONE), "what": WORDS},
    "summon": {"spirit": WORDS},
    "free": {"what": WORDS, "prone": NONE},
    "simple": {"what": WORDS, "stand": NONE, "repair": NONE},
    "complex": {"what": WORDS},
    "aim": {"using": RULED},
    "move": {"how": RULED, "meters": RULED},
    "suppress": {"area": WORDS},
    **{kind: {"roll": RULED} for kind in ("edge", "buy", "burn")},
    "alert": {"system": WORDS},
    "signal": {"at": NONE, "signal": NONE},
    "test": {
        **dict.fromkeys(("skill", "attribute", "second", "their_skill", "their_attribute"), RULED),
        **dict.fromkeys(("difficulty", "threshold", "against"), NONE), "what": WORDS,
    },
    "extended": {"attribute": RULED, "difficulty": RULED, "threshold": RULED, "what": WORDS},
    "perception": {"modifiers": NONE, "rating": NONE, "visibility": RULED, "what": WORDS},
    "search": {"what": WORDS},
    "availability": {"what": WORDS},
    "build": {"threshold": RULED, "modifiers": NONE, "what": WORDS},
    "knowledge": {"what": WORDS},
    "sensor": {"signature": NONE, "against": NONE},
    "device": {"what": WORDS},
    "drive": {"vehicle": RULED, "handling": RULED, "against": NONE},
    "assense": {"at": NONE, "what": WORDS},
    "track": {"hours": NONE, "barrier": NONE, "spirit": NONE, "what": WORDS},
    "stabilize": {}, "rest": {},
}  # fmt: skip
"""By kind: each optional term that is not recorded as assumed, and why it may be omitted."""
IN_BOX = {"attack": ("distance", "mode")}
"""By kind: terms that are assumed by the weapon: `distance` if it has a range, `mode` if it has several."""
OF_TESTS = {"modifier": NONE, "buys": NONE, "specialized": NONE}


def optional(kind: str) -> set[str]:
    fields = msgspec.structs.fields(GAME.kinds[kind].terms)
    return {each.name for each in fields if not each.required}


@pytest.mark.parametrize("kind", sorted(GAME.kinds))
def test_each_optional_term_is_recorded_as_assumed_or_may_be_omitted_for_a_reason(kind: str) -> None:
    assumed = {*ASSUMED.get(kind, ()), *IN_BOX.get(kind, ())}
    excused = {*OMITTED.get(kind, {}), *(OF_TESTS if {"modifier", "buys"} & optional(kind) else {})} & {
        *optional(kind), *OMITTED.get(kind, {}),
    }  # fmt: skip

    assert optional(kind) == assumed | excused
    assert not assumed & excused


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
