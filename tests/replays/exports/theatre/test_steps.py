"""ReplaySteps lead from any page to what was shown; pages end after some size, and are read again without a new beginning."""

from itertools import pairwise

import msgspec
import pytest
from all_fights import played

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Note
from ledger.entry import Entry, Seat
from ledger.errors import NoSuchEntry
from replays.api.reading_arguments import BadArgument
from replays.api.session import Session
from replays.sessions.states import EVERY
from replays.views.seat_log import SeenLog

EVE = Viewer(Seat.SPECTATOR)
PAGE = 10


@pytest.fixture(scope="module")
def session() -> Session:
    """Returns the longest of some fights."""
    return max(played("eclipse_phase_1e"), key=lambda each: each.log.last)


@pytest.mark.parametrize("size", [1, 2_000, 10_000])
def test_a_page_ends_with_the_step_that_exceeds_its_size(session: Session, size: int) -> None:
    whole = session.steps().steps
    after, pages = 0, 0
    while after < session.log.last:
        page = session.steps(after, size=size).steps
        sizes = [len(msgspec.json.encode(each)) for each in page]
        assert page == whole[after : after + len(page)]
        assert sum(sizes[:-1]) < size
        assert sum(sizes) >= size or page[-1].seq == session.log.last
        after, pages = page[-1].seq, pages + 1
    assert (pages == session.log.last) == (size == 1)


def test_a_page_after_the_last_entry_has_the_state_and_no_steps(session: Session) -> None:
    last = session.log.last
    found = session.steps(last)
    assert (found.before, found.steps) == (session.state(last), ())


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"after": 10_000}, NoSuchEntry),
        ({"after": -1}, NoSuchEntry),
        ({"after": "1"}, BadArgument),
        ({"limit": 0}, BadArgument),
        ({"limit": None}, BadArgument),
        ({"eyes": "eve"}, BadArgument),
    ],
)
def test_a_wrong_argument_is_refused(session: Session, asked: dict, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        session.steps(**asked)


def test_no_page_of_a_seat_reads_the_entries_of_the_pages_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for number in range(400):
        session.perform(Note(f"{number} drops", seen_by=() if number % 3 == 0 else None))
    read: list[int] = []
    entries = SeenLog.entries

    def noted(log: SeenLog, after: int = 0, upto: int | None = None) -> object:
        found: list[Entry] = list(entries(log, after, upto))
        read.extend(entry.seq for entry in found)
        return iter(found)

    monkeypatch.setattr(SeenLog, "entries", noted)
    counts = [0]
    for after in range(0, session.log.last, PAGE):
        session.steps(after, PAGE, EVE)
        counts.append(len(read))

    assert max(now - before for before, now in pairwise(counts)) <= EVERY + 3 * PAGE


def test_steps_of_all_eyes_are_those_of_the_gamemaster(session: Session) -> None:
    assert session.steps(0, 20, EVERYTHING) == session.steps(0, 20)
