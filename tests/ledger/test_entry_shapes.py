"""Entries, commands and events are frozen and plain, so that folding a log needs no rules and nothing can change."""

import copy
import inspect
from typing import Any, get_type_hints

import msgspec
import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import structs

from ledger import commands, events
from ledger.commands import COMMANDS, Command
from ledger.entry import Entry, Provenance, Seat, Who
from ledger.events import EVENTS, Event, ModifierApplied
from ledger.modifier import Modifier, total

EVERYTHING = [*EVENTS, *COMMANDS]


def _name(kind: type) -> str:
    return kind.__name__


@pytest.mark.parametrize("kind", EVERYTHING, ids=_name)
def test_nothing_that_was_said_can_be_changed(kind: type[Any]) -> None:
    assert kind.__struct_config__.frozen
    assert kind.__struct_config__.forbid_unknown_fields


@pytest.mark.parametrize("kind", EVERYTHING, ids=_name)
def test_each_is_told_apart_by_its_name(kind: type[Any]) -> None:
    tag = kind.__struct_config__.tag

    assert tag == kind.__name__ or (tag.islower() and tag.isalpha())


def test_no_two_have_the_same_name() -> None:
    names = [kind.__struct_config__.tag for kind in EVERYTHING]

    assert sorted(set(names)) == sorted(names)


def test_the_vocabularies_are_closed_and_complete() -> None:
    for module, root, known in ((events, Event, EVENTS), (commands, Command, COMMANDS)):
        written = [
            one for _, one in inspect.getmembers(module, inspect.isclass) if issubclass(one, root) and one is not root
        ]

        assert set(written) == set(known)


@pytest.mark.parametrize("kind", EVENTS, ids=_name)
def test_an_event_is_an_array_with_its_name_first_and_its_audience_after_its_own_fields(kind: type[Event]) -> None:
    assert kind.__struct_config__.array_like
    assert not kind.__struct_config__.omit_defaults
    required = [field.name for field in msgspec.structs.fields(kind) if field.required]
    assert list(kind.__struct_fields__[: len(required) + 1]) == [*required, "seen_by"]


@pytest.mark.parametrize("kind", COMMANDS, ids=_name)
def test_a_command_is_an_object_with_its_type_that_leaves_defaults_out(kind: type[Command]) -> None:
    assert not kind.__struct_config__.array_like
    assert kind.__struct_config__.omit_defaults
    assert kind.__struct_config__.tag_field == "type"


@pytest.mark.parametrize("kind", EVERYTHING, ids=_name)
def test_no_field_is_a_fraction(kind: type[Any]) -> None:
    assert not any("float" in str(hint) for hint in get_type_hints(kind).values())


@pytest.mark.parametrize("kind", EVERYTHING, ids=_name)
def test_each_says_in_words_what_it_is(kind: type[Any]) -> None:
    assert kind.__doc__
    assert not kind.__doc__.startswith(kind.__name__)


@pytest.mark.parametrize("kind", EVERYTHING, ids=_name)
@settings(max_examples=examples(5))
@given(st.data())
def test_a_copy_is_equal_and_separate(kind: type[Any], data) -> None:
    one = data.draw(structs(kind))

    assert copy.deepcopy(one) == one


def test_a_person_speaks_as_the_gamemaster_unless_said_otherwise() -> None:
    assert Who("kira") == Who("kira", Seat.GM)
    assert [seat.value for seat in Seat] == ["gm", "player", "spectator"]
    assert [one.value for one in Provenance] == ["drawn", "typed", "scripted", "recorded", "told"]


def test_an_entry_has_these_fields_in_this_order() -> None:
    assert Entry.__struct_fields__ == (
        "v", "seq", "after", "at", "by", "rules_version", "origin", "command", "events", "request",
    )  # fmt: skip


def test_modifiers_are_an_itemized_sum() -> None:
    parts = [
        ModifierApplied("k", 10, "smartlink", "EP1 193").modifier,
        Modifier(-20, "two wounds"),
        Modifier(0, "nothing"),
    ]

    assert parts[0] == Modifier(10, "smartlink", "EP1 193")
    assert total(parts) == -10
    assert total([]) == 0
