"""A secret overruling shows its value to those who see the figure, but not its reason."""

from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.commands import Command, Note, Rewind
from ledger.events import Audience, Event
from machines.contract.ruleset import ruleset
from machines.secrecy.visibility import hide
from projections.combat import fold

GAME = ruleset("eclipse_phase_1e")
ROLL = "r1/ann/a1/attack/to-hit"
TO_GM: Audience = ()
BOB: Audience = ("bob",)
ASKED = (
    e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False),
    e.RollRequested(ROLL, "ann", "1d100", "to hit", "r1/ann/a1/attack"),
)  # fmt: skip


def told(event: Event, *before: Event, command: Command = Note("x")) -> list[Event]:  # noqa: B008
    return list(hide((event,), command, fold((*ASKED, *before)), GAME))


def word(seen_by: Audience, why: str = "dark", figure: str = "target") -> Any:
    return e.Overruled(ROLL, figure, "failure", "success", why, seen_by=seen_by)


def plain(one: Any, seen_by: Audience = None) -> Event:
    """Returns an overruling without its reason."""
    return msgspec.structs.replace(one, why="", seen_by=seen_by)


def sheet(seen_by: Audience) -> Event:
    return e.SheetGiven("ann", {}, seen_by=seen_by)


def test_a_word_is_told_to_everybody_and_its_reason_to_those_of_the_secret() -> None:
    assert told(word(BOB)) == [plain(word(BOB)), word(BOB)]
    assert told(word(BOB, why="")) == [plain(word(BOB))]


def test_that_history_is_taken_back_is_told_to_everybody() -> None:
    rewound = e.Rewound(3, "once more", seen_by=TO_GM)

    assert told(rewound, command=Rewind(3, "once more", seen_by=TO_GM)) == [plain(rewound), rewound]


def test_a_word_on_something_secret_is_told_to_those_who_may_see_that() -> None:
    both: Audience = ("bob", "cem")

    assert told(word(("bob", "dan")), sheet(both)) == [plain(word(None), both), word(BOB)]
    assert told(word(("bob", "dan")), sheet(BOB)) == [word(BOB)]
    assert told(word(("bob", "dan"), why=""), sheet(both)) == [plain(word(None), both)]


@pytest.mark.parametrize(("why", "words"), [("dark", 2), ("", 1)])
def test_where_a_part_is_hidden_the_outcome_is_told_without_the_figures(why: str, words: int) -> None:
    part = e.ModifierApplied(ROLL, -5, "mud", "", seen_by=BOB)
    said = word(TO_GM, why=why, figure="outcome")
    result = e.FigureFound(ROLL, "result", "success", "as the gamemaster says", "", "exchange", "")

    assert told(said, part) == [result, plain(said, BOB), said][: words + 1]
