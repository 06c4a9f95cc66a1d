"""An initiative shows its score to everyone, and a note in place of hidden modifiers."""

import msgspec
import pytest

from ledger import events as e
from ledger.commands import Note
from ledger.events import Audience, Event
from machines.contract.ruleset import ruleset
from machines.secrecy.visibility import hide
from projections.combat import Combat, fold

GAME = ruleset("eclipse_phase_1e")
KEY, OTHER = "r1/ann/initiative", "r1/ann/a1/attack/to-hit"
TO_GM: Audience = ()
BOB: Audience = ("bob",)
JOINED = tuple(e.CombatantJoined(who, who, who, False) for who in ("ann", "bob"))


def modifier(value: int, why: str, seen_by: Audience = None, key: str = KEY) -> Event:
    return e.ModifierApplied(key, value, why, "", seen_by=seen_by)


PARTS = (modifier(5, "high ground"), modifier(-3, "dark", TO_GM), modifier(2, "luck", BOB))
ASKED = e.RollRequested(KEY, "ann", "1d10", "initiative", "")
FOUND = e.FigureFound(KEY, "score", 64, "", "", "exchange", "ann")
ALL = "INIT 60 +5 high ground -3 dark +2 luck"


def scored(why: str, key: str = "", who: str = "ann") -> e.InitiativeScored:
    return e.InitiativeScored(who, 64, key, why, "")


def so(*events: Event, value: bool = False) -> Combat:
    combat = fold((*JOINED, *events))
    policies = {"hidden_parts": "value"} if value else {}
    return msgspec.structs.replace(combat, session=msgspec.structs.replace(combat.session, policies=policies))


def told(event: Event, before: Combat, *beside: Event) -> list[tuple[str, Audience]]:
    """Returns each reason of an initiative, and its audience."""
    events = hide((*beside, event), Note("x"), before, GAME)
    return [(each.why, each.seen_by) for each in events if isinstance(each, e.InitiativeScored)]


def test_modifiers_that_are_hidden_are_told_as_such_or_with_their_sum() -> None:
    assert told(scored(ALL), so(*PARTS), FOUND) == [("INIT 60 +5 high ground and what is hidden", None), (ALL, TO_GM)]
    assert told(scored(ALL), so(*PARTS, value=True), FOUND) == [
        ("INIT 60 +5 high ground -1 hidden", None), (ALL, TO_GM),
    ]  # fmt: skip


def test_those_who_see_the_sheet_and_a_modifier_read_that_one() -> None:
    sheet = e.SheetGiven("ann", {}, seen_by=BOB)

    assert told(scored(ALL), so(sheet, *PARTS), FOUND) == [
        ("INIT 60 +5 high ground +2 luck and what is hidden", BOB), (ALL, TO_GM),
    ]  # fmt: skip
    assert told(scored("INIT 60 +2 luck"), so(sheet, PARTS[2]), FOUND) == [("INIT 60 +2 luck", BOB)]
    others = e.SheetGiven("ann", {}, seen_by=("cem",))
    assert told(scored("INIT 60 +2 luck"), so(others, PARTS[2]), FOUND) == [
        ("INIT 60 and what is hidden", ("cem",)), ("INIT 60 +2 luck", TO_GM),
    ]  # fmt: skip


def test_modifiers_for_some_are_read_by_them() -> None:
    assert told(scored("INIT 60 +2 luck"), so(PARTS[2]), FOUND) == [
        ("INIT 60 and what is hidden", None), ("INIT 60 +2 luck", BOB),
    ]  # fmt: skip


def test_where_modifiers_are_not_the_end_of_the_reason_nothing_of_it_is_shown() -> None:
    why = f"{ALL}, halved"

    assert told(scored(why), so(*PARTS), FOUND) == [("hidden", None), (why, TO_GM)]
    sheet = e.SheetGiven("ann", {}, seen_by=BOB)
    assert told(scored(why), so(sheet, *PARTS), FOUND) == [("hidden", BOB), (why, TO_GM)]


@pytest.mark.parametrize("why", ["INIT 60", "INIT 60 +5 high ground"])
def test_a_reason_that_tells_of_no_hidden_modifier_is_shown(why: str) -> None:
    assert told(scored(why), so(*PARTS), FOUND) == [(why, None)]


def test_it_is_the_modifiers_of_the_figure_that_is_somebodys_score_that_count() -> None:
    shown = [(ALL, None)]
    elsewhere = so(*(msgspec.structs.replace(part, key=OTHER) for part in PARTS))

    assert told(scored(ALL), so(*PARTS)) == shown
    assert told(scored(ALL), so(*PARTS), msgspec.structs.replace(FOUND, name="base")) == shown
    assert told(scored(ALL, who="bob"), so(*PARTS), FOUND) == shown
    assert told(scored(ALL), elsewhere, FOUND) == shown
    assert told(scored(ALL), elsewhere, FOUND, msgspec.structs.replace(FOUND, key=OTHER, name="base")) == shown


def test_a_score_of_a_secret_roll_is_as_secret_as_that() -> None:
    thrown = e.DiceRolled(KEY, (7,), ("typed",), seen_by=BOB)
    again = e.DiceRolled(f"{KEY}/again", (7,), ("typed",), seen_by=TO_GM)

    assert told(scored("INIT 60 + 7", KEY), so(ASKED, thrown)) == [("INIT 60 + 7", BOB)]
    assert told(scored("INIT 60 + 7", KEY), so(ASKED, thrown, again)) == [("INIT 60 + 7", TO_GM)]
    assert told(scored("INIT 60 + 7", OTHER), so(ASKED, thrown)) == [("INIT 60 + 7", None)]
    assert told(scored("INIT 60 + 7", OTHER), so(again)) == [("INIT 60 + 7", None)]
    assert told(scored(ALL, KEY), so(ASKED, thrown, *PARTS), FOUND) == [
        ("INIT 60 +5 high ground +2 luck and what is hidden", BOB), (ALL, TO_GM),
    ]  # fmt: skip
