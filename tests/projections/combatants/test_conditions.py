"""Conditions: gained, lost and set by the gamemaster; who may see them, and whether they end by the clock."""

import pytest

from ledger.events import Adjusted, ConditionGained, ConditionLost, Event
from projections.combatants.conditions import ROUTES, Condition, Conditions

NONE = Conditions()


def after(*events: Event, before: Conditions = NONE) -> Conditions:
    for event in events:
        before = ROUTES[type(event)](before, event)
    return before


def gains(condition: str, level: int | None = None, until: str = "", who: str = "ann", seen_by=None) -> ConditionGained:
    return ConditionGained(who, condition, level, until, "", "", "", seen_by=seen_by)


def adjusts(what: str, value: int | str | None, seen_by=None) -> Adjusted:
    return Adjusted("ann", what, None, value, "", seen_by=seen_by)


def test_what_is_gained_stands_beside_what_was_there_and_beside_others() -> None:
    found = after(gains("prone"), gains("shocked", 30, "r4"), gains("prone", who="bob"))

    assert found.of("ann") == {"prone": Condition(), "shocked": Condition(30, "r4")}
    assert found.of("bob") == {"prone": Condition()}
    assert found.of("cyd") == {}


def test_what_is_gained_again_has_its_new_level_and_end() -> None:
    assert after(gains("shocked", 30, "r4"), gains("shocked", 20, "r5")).of("ann") == {"shocked": Condition(20, "r5")}


def test_what_is_lost_is_gone_and_nothing_else_is() -> None:
    found = after(
        gains("prone"), gains("shocked"), gains("prone", who="bob"), ConditionLost("ann", "prone", "standing up")
    )

    assert (set(found.of("ann")), set(found.of("bob"))) == ({"shocked"}, {"prone"})


def test_that_somebody_has_any_of_several_is_enough() -> None:
    found = after(gains("prone"))

    assert found.has("ann", "stunned", "prone")
    assert not found.has("ann", "stunned")
    assert not found.has("ann")
    assert not found.has("bob", "prone")


@pytest.mark.parametrize(("until", "lasts"), [("", True), ("standing up", True), ("r4", False), ("c2r1", False)])
def test_what_ends_by_the_clock_does_not_last(until: str, lasts: bool) -> None:
    found = after(gains("stunned", until=until))

    assert found.lasts("ann", "dead", "stunned") is lasts
    assert not found.lasts("ann", "dead")
    assert not found.lasts("bob", "stunned")


def test_one_that_lasts_is_enough() -> None:
    assert after(gains("stunned", until="r4"), gains("dead")).lasts("ann", "stunned", "dead")


@pytest.mark.parametrize(
    ("value", "condition"),
    [(3, Condition(3)), (0, Condition(0)), ("woken", Condition(None, "woken")), ("", Condition())],
)
def test_a_number_from_the_gamemaster_is_a_level_and_words_are_what_ends_it(value, condition: Condition) -> None:
    assert after(gains("prone"), adjusts("conditions.cursed", value)).of("ann") == {
        "prone": Condition(),
        "cursed": condition,
    }


def test_the_gamemaster_ends_a_condition_with_nothing_and_sets_only_what_is_one() -> None:
    before = after(gains("prone"), gains("shocked"))

    assert set(after(adjusts("conditions.prone", None), before=before).of("ann")) == {"shocked"}
    assert after(adjusts("wounds", 3), before=before) is before


def test_what_is_gained_in_secret_is_seen_by_those_alone() -> None:
    found = after(gains("cursed", 3, seen_by=("bob",)), adjusts("conditions.marked", 1, seen_by=()))

    assert found.of("ann")["cursed"] == Condition(3, "", ("bob",), ("bob",))
    assert found.of("ann")["marked"] == Condition(1, "", (), ())


@pytest.mark.parametrize(
    ("first", "second", "condition"),
    [(None, ("bob",), None), (("bob",), None, None), (("bob",), ("cyd",), ("bob", "cyd")), (None, None, None)],
)
def test_whoever_knew_of_a_condition_goes_on_knowing_and_its_new_level_is_for_those_who_may_see_it(
    first, second, condition
) -> None:
    found = after(gains("cursed", 3, seen_by=first), gains("cursed", 4, seen_by=second)).of("ann")["cursed"]

    assert (found.level, found.seen_by, found.level_seen_by) == (4, condition, second)


@pytest.mark.parametrize("value", [None, 3])
def test_what_the_gamemaster_sets_of_one_leaves_the_others_alone(value: int | None) -> None:
    found = after(gains("prone", who="bob"), gains("prone"), adjusts("conditions.prone", value))

    assert found.of("bob") == {"prone": Condition()}


@pytest.mark.parametrize("state", [Condition(), Conditions()])
def test_a_state_that_was_handed_out_stays_as_it_was(state: Condition | Conditions) -> None:
    with pytest.raises(AttributeError, match="immutable"):
        setattr(state, state.__struct_fields__[0], {})
