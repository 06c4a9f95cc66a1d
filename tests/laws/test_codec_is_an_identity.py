"""Every command, event and entry survives its own encoding, and the encoding is canonical: reading and writing a line changes no byte."""

import msgspec
import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import entries, fights, plain_json, structs

from ledger.codec import by_name, canonical, decode, encode
from ledger.commands import COMMANDS, AnyCommand, Command
from ledger.entry import Entry
from ledger.events import EVENTS, AnyEvent, Event, Json


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@settings(max_examples=examples(10))
@given(st.data())
def test_every_event_is_read_as_it_was_written(kind: type[Event], data) -> None:
    event = data.draw(structs(kind))
    body = canonical(event)

    assert msgspec.json.decode(body, type=AnyEvent) == event
    assert canonical(msgspec.json.decode(body, type=AnyEvent)) == body
    assert by_name(event)["type"] == kind.__name__


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@settings(max_examples=examples(10))
@given(st.data())
def test_every_command_is_read_as_it_was_written(kind: type[Command], data) -> None:
    command = data.draw(structs(kind))
    body = canonical(command)

    assert msgspec.json.decode(body, type=AnyCommand) == command
    assert canonical(msgspec.json.decode(body, type=AnyCommand)) == body


@settings(max_examples=examples(100))
@given(entries())
def test_every_entry_is_read_as_it_was_written(entry: Entry) -> None:
    line = encode(entry)

    assert decode(line) == entry
    assert encode(decode(line)) == line
    assert b"\n" not in line


@given(fights(secrets=True))
def test_every_line_of_a_fight_is_canonical(fight) -> None:
    for record in fight.session.log.store.read(fight.session.id):
        assert encode(decode(record.line)) == record.line


@given(plain_json(12))
def test_plain_objects_are_written_with_their_keys_in_order(value: Json) -> None:
    backwards = dict(reversed(value.items()))

    assert canonical(value) == canonical(backwards)
    assert msgspec.json.decode(canonical(value)) == value
