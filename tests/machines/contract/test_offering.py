"""What every game offers in the same way: whom else there is, the words for a declaration's fields, what to do next."""

import pytest

from ledger.commands import Declare
from ledger.events import CombatantJoined, CombatantLeft, ConditionGained
from machines.contract.offering import fitting_words, others
from projections.combat import Combat, fold


def joined(who: str, *, thing: bool = False) -> CombatantJoined:
    return CombatantJoined(who, who, "gm", thing)


def is_now(who: str, condition: str) -> ConditionGained:
    return ConditionGained(who, condition, None, "", "", "", "")


@pytest.fixture
def three() -> Combat:
    return fold(map(joined, ("ann", "bob", "cyd")))


def test_the_others_are_in_the_order_of_joining(three: Combat) -> None:
    assert others(three, "bob") == ("ann", "cyd")


def test_those_who_are_down_come_last(three: Combat) -> None:
    combat = fold([is_now("ann", "dead"), is_now("bob", "prone")], three)

    assert others(combat, "cyd", "dead", "unconscious") == ("bob", "ann")
    assert others(combat, "cyd") == ("ann", "bob")


def test_things_and_those_who_left_are_no_others(three: Combat) -> None:
    combat = fold([joined("door", thing=True), CombatantLeft("cyd", "")], three)

    assert others(combat, "ann") == ("bob",)


def test_there_are_no_others_for_somebody_who_never_joined(three: Combat) -> None:
    assert others(three, "zoe") == ()


def test_words_of_the_kind_go_before_those_of_every_declaration(three: Combat) -> None:
    common = {"at": ("ann",), "how": ("somehow",)}
    by_kind = {"move": lambda combat, declared: {"how": ("walk", declared.by, *combat.roster.here()[:1])}}

    assert fitting_words(three, Declare("move", "bob"), common, by_kind) == {
        "at": ("ann",),
        "how": ("walk", "bob", "ann"),
    }
    assert fitting_words(three, Declare("rest", "bob"), common, by_kind) == common
