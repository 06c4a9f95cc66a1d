"""The parts of an entry that are hidden from a seat."""

import pytest

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Join
from ledger.entry import Entry, Seat, Who
from ledger.events import Audience, CombatantJoined, SheetGiven
from projections.views.seen import hidden_parts

BOB = Viewer(Seat.PLAYER, frozenset({"bob"}))


def joined(command: Audience, sheet: Audience, first: Audience, second: Audience) -> Entry:
    """The entry by which Ann joins, with the audiences of its command, of the sheet in it, and of its two events."""
    events = (CombatantJoined("ann", "Ann", "gm", False, seen_by=first), SheetGiven("ann", {}, seen_by=second))
    asked = Join("ann", {}, seen_by=command, sheet_seen_by=sheet)
    return Entry(1, 1, 0, "2025-01-01T00:00:00Z", Who("gm"), 1, None, asked, events)


@pytest.mark.parametrize(
    ("entry", "hidden"),
    [
        (joined(None, None, None, None), ()),
        (joined((), None, None, None), (0,)),
        (joined(None, None, (), None), (1,)),
        (joined(None, None, None, ()), (2,)),
        (joined(None, (), None, None), (0,)),
        (joined(None, (), (), None), (0, 1)),
        (joined(None, (), (), ()), (0, 1, 2)),
        (joined((), (), (), ()), (0, 1, 2)),
        (joined(None, ("bob",), ("bob",), ()), (2,)),
    ],
)
def test_a_command_with_a_hidden_sheet_is_hidden_with_it(entry: Entry, hidden: tuple[int, ...]) -> None:
    assert hidden_parts(entry, BOB) == hidden
    assert hidden_parts(entry, EVERYTHING) == ()
