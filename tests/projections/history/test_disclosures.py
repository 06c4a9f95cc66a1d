"""Disclosures widen the audiences of parts of earlier entries, and of entries that perform these again."""

from collections.abc import Callable

import msgspec
import pytest

from ledger import events as e
from ledger.commands import Command, Join, Note, TypeDice
from ledger.entry import Entry, Who
from ledger.events import Audience, Event, SecretRevealed
from projections.history.disclosures import Disclosures

HIDDEN: Audience = ()
BOB: Audience = ("bob",)
KEY = "r1/ann/initiative"


def entry(seq: int, command: Command, *events: Event, origin: int | None = None) -> Entry:
    return Entry(1, seq, seq - 1, "then", Who("gm"), 3, origin, command, events)


def dice(seen_by: Audience, key: str = KEY) -> Event:
    return e.DiceRolled(key, (3,), ("typed",), seen_by=seen_by)


TWIN, ROLLED = e.DiceRolled(KEY, (), ()), dice(HIDDEN)
TYPED = entry(2, TypeDice(KEY, (3,), seen_by=HIDDEN), TWIN, ROLLED)
AGAIN = entry(5, TypeDice(KEY, (3,), seen_by=HIDDEN), e.ModifierApplied(KEY, 2, "", ""), TWIN, ROLLED, origin=2)
TWICE = msgspec.structs.replace(AGAIN, seq=7, origin=5)


def disclosed(of: Entry, *revealed: SecretRevealed) -> list[Audience]:
    """Returns the audiences of the command and the events of an entry after disclosures."""
    entries = {each.seq: each for each in (TYPED, AGAIN, TWICE)}
    disclosures = Disclosures(entries.__getitem__)
    disclosures.add(revealed)
    found = disclosures.entry(of)
    assert msgspec.structs.replace(found, command=of.command, events=of.events) == of
    return [found.command.seen_by, *(event.seen_by for event in found.events)]


def test_without_disclosures_an_entry_is_returned_as_it_is() -> None:
    disclosures = Disclosures({}.__getitem__)

    assert disclosures.entry(AGAIN) is AGAIN
    disclosures.add((TWIN, e.Noted("x", "")))
    assert disclosures.count == 0
    assert disclosures.entry(TYPED) is TYPED


def test_an_entry_of_which_nothing_was_disclosed_is_returned_as_it_is() -> None:
    disclosures = Disclosures({2: TYPED}.__getitem__)
    disclosures.add([SecretRevealed(3, (0,), None)])

    assert disclosures.entry(TYPED) is TYPED
    assert disclosures.count == 1
    disclosures.add([SecretRevealed(3, (0,), None), SecretRevealed(4, (0,), None)])
    assert disclosures.count == 3


@pytest.mark.parametrize(
    ("revealed", "expected"),
    [
        ([SecretRevealed(2, (2,), None)], [HIDDEN, None, None]),
        ([SecretRevealed(2, (0,), BOB)], [BOB, None, HIDDEN]),
        ([SecretRevealed(2, (0, 2), BOB)], [BOB, None, BOB]),
        ([SecretRevealed(2, (2,), BOB), SecretRevealed(2, (2,), ("ann",))], [HIDDEN, None, ("bob", "ann")]),
        ([SecretRevealed(2, (2,), BOB), SecretRevealed(2, (0,), ("ann",))], [("ann",), None, BOB]),
        ([SecretRevealed(2, (1,), BOB)], [HIDDEN, None, HIDDEN]),
    ],
)
def test_parts_are_disclosed_to_their_audience(revealed: list[SecretRevealed], expected: list[Audience]) -> None:
    assert disclosed(TYPED, *revealed) == expected


def test_the_sheet_of_a_combatant_is_disclosed_with_the_command_that_has_it() -> None:
    join = entry(2, Join("ann", {}, sheet_seen_by=HIDDEN))
    disclosures = Disclosures({}.__getitem__)
    disclosures.add([SecretRevealed(2, (0,), BOB)])

    command = disclosures.entry(join).command
    assert isinstance(command, Join)
    assert (command.seen_by, command.sheet_seen_by) == (None, BOB)


@pytest.mark.parametrize(
    ("revealed", "expected"),
    [
        ([SecretRevealed(2, (2,), None)], [HIDDEN, None, None, None]),
        ([SecretRevealed(2, (0,), BOB)], [BOB, None, None, HIDDEN]),
        ([SecretRevealed(2, (2,), BOB), SecretRevealed(5, (3,), ("ann",))], [HIDDEN, None, None, ("ann", "bob")]),
        ([SecretRevealed(5, (3,), ("ann",))], [HIDDEN, None, None, ("ann",)]),
        ([SecretRevealed(1, (2,), None)], [HIDDEN, None, None, HIDDEN]),
    ],
)
@pytest.mark.parametrize("again", [AGAIN, TWICE], ids=["again", "twice"])
def test_what_was_disclosed_stays_so_where_the_entry_is_performed_again(
    again: Entry, revealed: list[SecretRevealed], expected: list[Audience]
) -> None:
    assert disclosed(again, *revealed) == expected


@pytest.mark.parametrize(
    "other",
    [
        dice(HIDDEN, "r1/bob/initiative"),
        e.TestResolved(KEY, 1, 1, 1, 0, "", "", seen_by=HIDDEN),
        dice(None),
    ],
    ids=["another key", "another event", "its twin"],
)
def test_other_events_of_an_entry_that_is_performed_again_are_not_disclosed(other: Event) -> None:
    again = entry(5, Note("x"), other, origin=2)

    assert disclosed(again, SecretRevealed(2, (2,), BOB))[1] == other.seen_by


@pytest.mark.parametrize(
    "make",
    [
        lambda name, who: e.NameGiven(who, name, seen_by=HIDDEN),
        lambda name, who: e.FigureFound(KEY, name, 3, "", "", "exchange", who, seen_by=HIDDEN),
    ],
    ids=["a name", "a figure"],
)
def test_events_are_recognized_by_whom_they_are_about_and_by_their_name(make: Callable[[str, str], Event]) -> None:
    first = entry(2, Note("x"), make("base", "ann"))
    disclosures = Disclosures({2: first}.__getitem__)
    disclosures.add([SecretRevealed(2, (1,), BOB)])

    def audience(event: Event) -> Audience:
        return disclosures.entry(entry(5, Note("x"), event, origin=2)).events[0].seen_by

    assert audience(make("base", "ann")) == BOB
    assert audience(make("target", "ann")) == HIDDEN
    assert audience(make("base", "cem")) == HIDDEN


@pytest.mark.parametrize("origin", [0, 5, 6], ids=["none", "itself", "a later one"])
def test_an_origin_that_is_not_before_the_entry_is_not_looked_up(origin: int) -> None:
    again = entry(5, Note("x"), ROLLED, origin=origin)
    disclosures = Disclosures({}.__getitem__)
    disclosures.add([SecretRevealed(2, (1,), BOB)])

    assert disclosures.entry(again) is again


def test_what_was_disclosed_of_the_first_entry_counts_as_well() -> None:
    first, again = entry(1, Note("x"), ROLLED), entry(5, Note("x"), ROLLED, origin=1)
    disclosures = Disclosures({1: first}.__getitem__)
    disclosures.add([SecretRevealed(1, (1,), BOB)])

    assert disclosures.entry(again).events[0].seen_by == BOB


def test_a_figure_for_everyone_is_not_taken_for_a_hidden_one_of_the_same_name() -> None:
    def figure(value: int, seen_by: Audience) -> Event:
        return e.FigureFound(KEY, "base", value, "", "", "exchange", "ann", seen_by=seen_by)

    first = entry(2, Note("x"), figure(3, None), figure(5, HIDDEN))
    again = entry(5, Note("x"), figure(5, HIDDEN), origin=2)
    disclosures = Disclosures({2: first}.__getitem__)
    disclosures.add([SecretRevealed(2, (1,), BOB)])

    assert disclosures.entry(again).events[0].seen_by == HIDDEN
    disclosures.add([SecretRevealed(2, (2,), BOB)])
    assert disclosures.entry(again).events[0].seen_by == BOB
