"""A viewer who may see an event and its public stand-in sees only the event; nothing else is omitted."""

import pytest

from ledger.events import (
    ChoiceRequested,
    Chosen,
    ConditionGained,
    DiceRolled,
    Event,
    FigureFound,
    InitiativeScored,
    Option,
    Overruled,
    Rewound,
)
from ledger.events import TestResolved as Resolved
from projections.views.stand_ins import without_stand_ins

ROLL, OTHER = "r1/bob/a1/attack/to-hit", "r1/bob/a1/attack/defend"


def _figure(name: str, value: int | str, why: str, key: str = ROLL) -> FigureFound:
    return FigureFound(key, name, value, why, "", "exchange", "bob")


def _test(key: str = ROLL) -> Resolved:
    return Resolved(key, 50, 45, 40, 5, "success", "")


def _choice(target: int | None, key: str = ROLL) -> ChoiceRequested:
    return ChoiceRequested(key, "bob", (Option("dodge", "Dodge 6", target), Option("none", "none")), None, "how")


def _score(why: str, score: int = 5, who: str = "bob", key: str = ROLL) -> InitiativeScored:
    return InitiativeScored(who, score, key, why, "")


def _fooled(level: int | None, who: str = "bob", condition: str = "fooled") -> ConditionGained:
    return ConditionGained(who, condition, level, "", ROLL, "", "")


HIDDEN = _figure("hidden", "", "from what is hidden")
KNOWN, WHOLE = _figure("target", 50, "50 and what is hidden"), _figure("target", 45, "50 -5")
RESULT, OVERRULED = _figure("result", "success", "40"), Overruled(ROLL, "outcome", "success", "failure", "dark")
SCORED = _score("REA 5 + 2 -1 dark")
SAID, TARGET = _figure("target", 10, "dark"), Overruled(ROLL, "target", 45, 10, "dark")
STAND_INS = [
    ((DiceRolled(ROLL, (), ()),), DiceRolled(ROLL, (3,), ("typed",))),
    ((Chosen(ROLL, "", ""),), Chosen(ROLL, "dodge", "")),
    ((_choice(None),), _choice(6)),
    ((_choice(None), _choice(None)), _choice(6)),
    ((_fooled(None),), _fooled(6)),
    ((_score("REA 5 + 2 and what is hidden"),), SCORED),
    ((_score("REA 5 + 2 -1 hidden"),), SCORED),
    ((_score("hidden"),), SCORED),
    ((HIDDEN, KNOWN), WHOLE),
    ((HIDDEN, _figure("target", 45, "50 -5 hidden")), WHOLE),
    ((RESULT,), _test()),
    ((RESULT,), OVERRULED),
    ((SAID,), TARGET),
    ((Overruled(ROLL, "target", 45, 10, ""),), Overruled(ROLL, "target", 45, 10, "dark")),
    ((Rewound(3, ""),), Rewound(3, "once more")),
]
"""What stands for an event, and the event."""
OTHERS: list[tuple[Event, ...]] = [
    (DiceRolled(ROLL, (), ()), DiceRolled(OTHER, (3,), ("typed",))),
    (DiceRolled(ROLL, (), ()), _test()),
    (DiceRolled(ROLL, (2,), ("typed",)), DiceRolled(ROLL, (3,), ("typed",))),
    (Chosen(ROLL, "", ""), Chosen(OTHER, "dodge", "")),
    (Chosen(ROLL, "", ""), _choice(6)),
    (Chosen(ROLL, "dodge", ""), Chosen(ROLL, "parry", "")),
    (_choice(None), _choice(6, OTHER)),
    (_choice(None), Chosen(ROLL, "dodge", "")),
    (_choice(5), _choice(6)),
    (_fooled(None), _fooled(6, "cem")),
    (_fooled(None), _fooled(6, condition="prone")),
    (_fooled(None), _fooled(None)),
    (_fooled(1), _fooled(6)),
    (_score("hidden", who="cem"), SCORED),
    (_score("hidden", score=6), SCORED),
    (_score("hidden", key=OTHER), SCORED),
    (_score("hidden"), _test()),
    (_score("REA 5 + 2"), SCORED),
    (SCORED, SCORED),
    (_score("nothing is unhidden"), SCORED),
    (HIDDEN, KNOWN),
    (HIDDEN, KNOWN, _figure("pool", 45, "50 -5")),
    (HIDDEN, KNOWN, _figure("target", 45, "50 -5", OTHER)),
    (HIDDEN, _figure("target", 40, "40", OTHER), _figure("target", 45, "50 -5", OTHER)),
    (HIDDEN, _test(), WHOLE),
    (HIDDEN, _test(), _figure("target", 50, "50"), WHOLE),
    (HIDDEN, KNOWN, _test(), WHOLE),
    (KNOWN, _figure("target", 45, "50 -5", OTHER)),
    (_figure("target", 50, "50"), WHOLE),
    (_figure("target", 50, "50"), KNOWN),
    (RESULT, _test(OTHER)),
    (RESULT, _choice(6)),
    (_figure("outcome", "hit", "17"), _test()),
    (SAID, Overruled(OTHER, "target", 45, 10, "dark")),
    (SAID, Overruled(ROLL, "margin", 45, 10, "dark")),
    (SAID, Overruled(ROLL, "target", 45, 11, "dark")),
    (SAID, Overruled(ROLL, "target", 45, 10, "late")),
    (TARGET, TARGET),
    (Overruled(OTHER, "target", 45, 10, ""), Overruled(ROLL, "target", 45, 10, "dark")),
    (Overruled(ROLL, "pool", 45, 10, ""), Overruled(ROLL, "target", 45, 10, "dark")),
    (Rewound(3, ""), Rewound(4, "once more")),
    (Rewound(3, "so"), Rewound(3, "once more")),
    (_test(), _test()),
]
"""Events that stand for nothing."""


@pytest.mark.parametrize(("stand_ins", "event"), STAND_INS)
def test_what_stands_for_an_event_is_left_out_beside_it_and_shown_without_it(
    stand_ins: tuple[Event, ...], event: Event
) -> None:
    around = _figure("base", 50, "melee")

    assert without_stand_ins((around, *stand_ins, event, around)) == [around, event, around]
    assert without_stand_ins((around, stand_ins[-1], around)) == [around, stand_ins[-1], around]


@pytest.mark.parametrize("events", OTHERS)
def test_nothing_else_is_left_out(events: tuple[Event, ...]) -> None:
    assert without_stand_ins(events) == list(events)
