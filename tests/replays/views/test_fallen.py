"""Which entries do not stand, and what undid them last, is as it is when each entry's line is compared with the next."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ledger.commands import Note, Rewind
from ledger.entry import Entry, Seat, Who
from projections.history.timeline import Timeline
from replays.views.fallen import fallen

GM = Who("gm", Seat.GM)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    """Draws a timeline of notes, undos, redos, and notes that continue from an older entry."""
    timeline = Timeline()
    for seq in range(1, draw(st.integers(1, 30)) + 1):
        to = draw(st.integers(1, seq - 1)) if seq > 1 and draw(st.booleans()) else timeline.head
        command = Rewind(to) if seq > 1 and draw(st.booleans()) else Note("rain")
        after = timeline.head if isinstance(command, Rewind) else to
        timeline.add(Entry(1, seq, after, "", GM, 1, None, command, ()))
    return timeline


def compared(timeline: Timeline) -> dict[int, int]:
    """Returns the same as `fallen`, from the whole line after each entry."""
    lines = [set(timeline.line(timeline.head_at(seq))) if seq else set() for seq in range(timeline.last + 1)]
    found = dict.fromkeys(timeline.rewinds, 0)
    for by, (before, now) in enumerate(pairwise(lines), 1):
        found |= dict.fromkeys(before - now, by)
    return {seq: by for seq, by in found.items() if seq not in lines[-1]}


@given(timelines())
def test_it_is_as_when_whole_lines_are_compared(timeline: Timeline) -> None:
    assert fallen(timeline) == compared(timeline)
