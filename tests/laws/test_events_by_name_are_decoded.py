"""Every event in its form by name is decoded to the same event, directly and after a transfer as JSON."""

from pathlib import Path

import msgspec
import pytest
from drawing import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import fights, structs

from ledger import chain
from ledger.codec import by_name, decode, from_name
from ledger.errors import Unreadable
from ledger.events import EVENTS, CombatEnded, Event, Noted

GOLDEN = sorted(Path(__file__).parents[1].joinpath("golden").glob("*.jsonl"))


def over_the_wire(event: Event) -> Event:
    return from_name(msgspec.json.decode(msgspec.json.encode(by_name(event))))


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@settings(max_examples=examples(10))
@given(st.data())
def test_every_event_by_name_is_decoded_to_itself(kind: type[Event], data) -> None:
    event = data.draw(structs(kind))

    assert from_name(by_name(event)) == event
    assert over_the_wire(event) == event


@given(fights(secrets=True))
def test_every_event_of_a_fight_is_decoded_to_itself(fight) -> None:
    for entry in fight.session.entries():
        assert tuple(map(over_the_wire, entry.events)) == entry.events


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_event_of_recorded_logs_is_decoded_to_itself(path: Path) -> None:
    events = [event for line in _lines(path) for event in decode(line).events]

    assert [over_the_wire(event) for event in events] == events
    assert events


def _lines(path: Path) -> list[bytes]:
    """Returns the lines of an export, or of stored entries."""
    first, *others = lines = path.read_bytes().splitlines()
    return [chain.imported(line).line for line in others] if b'"affray"' in first else lines


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"type": "Event"},
        {"type": "Laughed", "who": "ann"},
        {"type": ["CombatEnded"]},
        {"type": "CombatEnded"},
        {"type": "CombatEnded", "why": 3},
        {"type": "CombatEnded", "why": "", "how": ""},
        {"type": "CombatEnded", "why": "", "seen_by": "ann"},
        {"type": "Noted", "about": "ann"},
    ],
    ids=str,
)
def test_an_invalid_event_is_refused(plain) -> None:
    with pytest.raises(Unreadable):
        from_name(plain)


def test_the_audience_is_decoded_too() -> None:
    assert from_name({"type": "CombatEnded", "why": "", "seen_by": []}) == CombatEnded("", seen_by=())
    assert from_name({"type": "Noted", "text": "", "about": "", "seen_by": ["ann"]}) == Noted("", "", seen_by=("ann",))
