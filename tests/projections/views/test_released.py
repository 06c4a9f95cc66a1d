"""What is released of an entry to a seat."""

import pytest

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Note
from ledger.entry import Entry, Seat, StoredRequest, Who
from ledger.events import Audience, Noted
from projections.views.released import DISCLOSED_TO_ALL, SET_ASIDE, WITHHELD, released

SPECTATOR, KIRA = Viewer(Seat.SPECTATOR), Viewer(Seat.PLAYER, frozenset({"ann"}))


def entry(command: Audience, event: Audience) -> Entry:
    events = (Noted("a door", "", seen_by=None), Noted("a trap", "", seen_by=event))
    request = StoredRequest("key", "fingerprint", 1)
    return Entry(1, 2, 1, "then", Who("gm"), 3, None, Note("a trap", seen_by=command), events, request=request)


@pytest.mark.parametrize("eyes", [SPECTATOR, KIRA], ids=["a spectator", "a player"])
def test_a_hidden_command_is_withheld_and_a_visible_one_is_not(eyes: Viewer) -> None:
    assert released(entry((), None), eyes).command is WITHHELD
    assert released(entry(None, ()), eyes).command == Note("a trap")
    assert WITHHELD.seen_by == ()


def test_hidden_events_and_the_request_are_left_out() -> None:
    for_all, for_ann = released(entry(None, ("ann",)), SPECTATOR), released(entry(None, ("ann",)), KIRA)

    assert [event.text for event in for_all.events if isinstance(event, Noted)] == ["a door"]
    assert [event.text for event in for_ann.events if isinstance(event, Noted)] == ["a door", "a trap"]
    assert for_all.request is for_ann.request is None


def test_the_gamemaster_gets_the_whole_entry() -> None:
    whole = entry((), ())

    assert released(whole, EVERYTHING) is whole


def test_the_lists_name_what_everyone_learns_and_what_may_differ() -> None:
    assert [*DISCLOSED_TO_ALL] == [
        "an entry", "a roll", "a choice", "what came of it", "who takes part", "the course of the fight", "draws",
        "the gamemaster's words",
    ]  # fmt: skip
    assert [*SET_ASIDE] == ["digest", "salts", "number of leaves", "whether", "size", "moment"]
