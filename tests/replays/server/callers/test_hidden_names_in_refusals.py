"""A refusal names no hidden combatant, unless the request named it."""

import msgspec
import pytest

from ledger import events as e
from ledger.errors import Refused
from projections.combat import Combat, fold
from projections.path import Path, Rest
from replays.server.callers.redaction import Redaction

ANN, BOB = e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False)
HIDDEN = tuple(e.CombatantJoined(f"unseen-{number}", "", "gm", False, seen_by=()) for number in (1, 2))
WHOLE = fold((ANN, BOB, *HIDDEN))
SEEN = fold((ANN, BOB))
REDACTION = Redaction(WHOLE, SEEN)


def refused(message: str, *, where: str = "", accepts: str = "", said: str = "") -> tuple[str, str, str]:
    """Returns what is disclosed of a refusal."""
    refusal = Refused(message, where=where, accepts=accepts)
    assert REDACTION.redact(refusal, said) is refusal
    return refusal.message, refusal.where, refusal.accepts


def test_hidden_names_are_replaced_and_those_that_are_seen_stay() -> None:
    told = refused("unseen-1 stands beside ann, and unseen-2", where="terms.unseen-1.at")

    assert told == ("somebody stands beside ann, and somebody", "terms.somebody.at", "")


def test_what_would_be_accepted_is_told_without_whoever_is_hidden() -> None:
    assert refused("no", accepts="ann, unseen-2, bob, unseen-1 or ann")[2] == "ann, bob"
    assert refused("no", accepts="unseen-1", said="unseen-1")[2] == ""


def test_a_name_that_was_asked_for_is_told_again_and_no_other_one() -> None:
    told = refused("unseen-1 and unseen-2 are here", where="unseen-1/unseen-2", said='{"at": "unseen-1"}')

    assert told[:2] == ("unseen-1 and somebody are here", "unseen-1/somebody")


@pytest.mark.parametrize("text", ["unseen-12", "an-unseen-1", "unseen-1-x", "xunseen-1", "unseen", ""])
def test_a_longer_name_is_another_one(text: str) -> None:
    assert REDACTION.is_visible(text)
    assert refused(text)[0] == text


@pytest.mark.parametrize("text", ["unseen-1", "r1/unseen-2/a1", "at unseen-1.damage"])
def test_a_name_is_found_in_a_key_and_in_a_sentence(text: str) -> None:
    assert not REDACTION.is_visible(text)


def test_a_name_is_taken_by_its_letters() -> None:
    redaction = Redaction(fold((ANN, e.CombatantJoined("unseen.1", "", "gm", False, seen_by=()))), SEEN)

    assert redaction.is_visible("unseen-1")
    assert not redaction.is_visible("unseen.1")


@pytest.mark.parametrize(
    "seen",
    [
        WHOLE,
        fold((ANN, BOB, e.OrderFixed((("unseen-1", 0), ("unseen-2", 0), ("bob", 5))))),
        msgspec.structs.replace(
            SEEN, path=Path(asked=(Rest("r1/x", "unseen-1", "acts"), Rest("r1/y", "unseen-2", "acts")))
        ),
    ],
    ids=["takes part", "stands in the order", "is waited for"],
)
def test_whoever_is_seen_in_any_place_is_named(seen: Combat) -> None:
    redaction = Redaction(WHOLE, seen)

    assert redaction.is_visible("unseen-1 beside unseen-2")
    assert redaction.redact(Refused("unseen-1 is here", accepts="unseen-1")).accepts == "unseen-1"


def test_where_nobody_is_hidden_nothing_is_replaced() -> None:
    refusal = Redaction(SEEN, SEEN).redact(Refused("ann, ", where="", accepts="bob, "))

    assert (refusal.message, refusal.where, refusal.accepts) == ("ann, ", "", "bob, ")
