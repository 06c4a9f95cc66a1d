"""Evolve never raises: any event can follow on any state, and the new state can be shown."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, events, fights, viewers

from ledger.events import EVENTS, Event
from projections.combat import ROUTES, Combat, evolve, fold
from projections.views.document import document
from projections.views.seen import shown


@given(st.lists(events(FEW), max_size=30))
def test_any_events_in_any_order_are_folded_and_shown(told: list[Event]) -> None:
    combat = Combat()

    for event in told:
        combat = evolve(combat, event)

    shown = document(combat, "any", entries=0, head=0, digest=b"")
    assert msgspec.json.encode(shown)
    assert fold(told) == combat


@given(fights(), st.lists(events(FEW), min_size=1, max_size=10))
def test_any_event_can_follow_on_a_real_fight(fight, told: list[Event]) -> None:
    assert msgspec.json.encode(document(fold(told, fight.session.combat), "any", entries=0, head=0, digest=b""))


@given(fights(secrets=True), viewers())
def test_the_visible_events_of_any_viewer_can_be_folded(fight, eyes) -> None:
    seen = list(shown(fight.session.log.entries_of(fight.session.log.timeline.line()), eyes))

    assert document(fold(seen), "any", entries=0, head=0, digest=b"") is not None
    assert fight.session.state(eyes=eyes).session == fight.session.id


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_every_event_has_an_entry_among_the_routes(event: type[Event]) -> None:
    assert event in ROUTES
