"""A log that is handed to a seat has nothing in it that the seat may not see, and is the same log otherwise."""

import pytest

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Adjust, Join, Note, Reveal, Rewind
from ledger.entry import Seat
from projections.combat import Combat, fold
from projections.views.released import WITHHELD
from replays.api.session import Session
from replays.corrections.change import Change
from replays.sessions.log import Log
from replays.views.seat_log import SeenLog, SeenLogs, seen_log

BOB, SPECTATOR = Viewer(Seat.PLAYER, frozenset({"bob"})), Viewer(Seat.SPECTATOR)
AMENDED = ("dropped", "on another line", "on another line")
"""The notes around the last correction."""
SHEET = {"init": 40, "durability": 31, "aptitudes": {"som": 20}}


@pytest.fixture(scope="module")
def log() -> Log:
    """Returns a log: entry 3 is visible to Bob's player, 4 and 5 to the gamemaster only, 6 (revealed) to all."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("bob", SHEET, player="kira"))
    session.perform(Note("for Bob", seen_by=("bob",)))
    session.perform(Note("for nobody", seen_by=()))
    session.perform(Adjust("bob", "conditions.prone", 1, "a wire", seen_by=()))
    session.perform(Note("for all", seen_by=()))
    session.perform(Reveal(6))
    session.rewind(5, why="once more")
    session.perform(Note("dropped", seen_by=("bob",)))
    session.perform(Note("on another line"))
    session.amend(9, Change(drop=True), why="no")
    return session.log


def texts(log: Log, after: int = 0, upto: int | None = None) -> list[str]:
    """The notes of a stretch of a log."""
    return [entry.command.text for entry in log.entries(after, upto) if isinstance(entry.command, Note)]


def test_a_seat_reads_the_entries_that_it_may_see(log: Log) -> None:
    assert texts(log) == ["for Bob", "for nobody", "for all", *AMENDED]
    assert texts(seen_log(log, BOB)) == ["for Bob", "for all", *AMENDED]
    assert texts(seen_log(log, SPECTATOR)) == ["for all", *AMENDED[1:]]


def test_what_a_seat_may_not_see_is_an_entry_with_nothing_in_it(log: Log) -> None:
    hers = list(seen_log(log, SPECTATOR).entries())

    assert [entry.seq for entry in hers] == list(range(1, log.last + 1))
    assert [(entry.command, entry.events) for entry in hers if entry.seq in (3, 4, 5)] == [(WITHHELD, ())] * 3


@pytest.mark.parametrize(("after", "upto"), [(0, 3), (3, None), (4, 6), (6, 6)])
def test_a_stretch_of_it_is_read_alone(log: Log, after: int, upto: int | None) -> None:
    expected = [seq for seq in range(1, log.last + 1) if after < seq <= (log.last if upto is None else upto)]

    assert [entry.seq for entry in seen_log(log, BOB).entries(after, upto)] == expected


@pytest.mark.parametrize("eyes", [BOB, SPECTATOR])
def test_the_state_is_added_up_from_what_is_seen(log: Log, eyes: Viewer) -> None:
    hers = seen_log(log, eyes)

    for seq in range(log.last + 1):
        line = hers.entries_of(log.timeline.line(seq))
        assert hers.state(seq) == fold(event for entry in line for event in entry.events)
    assert hers.state(0) == Combat()
    assert hers.combat.conditions.of("bob") == {}
    assert log.combat.conditions.of("bob").keys() == {"prone"}


def test_the_order_of_entries_and_the_chain_are_those_of_the_whole_log(log: Log) -> None:
    hers = seen_log(log, BOB)

    assert (hers.store, hers.session, hers.digest) == (log.store, log.session, log.digest)
    assert (hers.last, hers.head, hers.timeline.line()) == (log.last, log.head, log.timeline.line())
    assert (hers.rules_version, hers.corrections) == (log.rules_version, log.corrections)
    assert log.rules_version > 0 < len(log.corrections)
    assert isinstance(log.entry(8).command, Rewind)
    assert hers.disclosures.entry(log.entry(6)) == log.entry(6)


def test_the_gamemaster_reads_the_log_itself_and_each_seat_its_own(log: Log) -> None:
    hers = seen_log(log, BOB)

    assert seen_log(log, EVERYTHING) is log
    assert isinstance(hers, SeenLog)
    assert hers.eyes == BOB
    assert seen_log(hers, BOB) is hers
    assert texts(seen_log(hers, SPECTATOR)) == texts(seen_log(log, SPECTATOR))


# ------------------------------------------------------------------------------------------------ kept logs


def test_a_kept_log_is_the_same_one_while_the_log_grows_and_nothing_is_disclosed() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("bob", SHEET, player="kira"))
    session.perform(Note("for nobody", seen_by=()))
    logs = SeenLogs(session.log)
    kept = logs.of(BOB)

    session.perform(Adjust("bob", "conditions.prone", 1, "a wire", seen_by=("bob",)))
    assert logs.of(BOB) is kept
    assert (kept.last, kept.digest) == (4, session.log.digest)
    assert kept.state(4) == SeenLog(session.log, BOB).state(4)
    assert kept.state(4).conditions.has("bob", "prone")

    session.perform(Reveal(3))
    assert logs.of(BOB) is not kept
    assert texts(logs.of(BOB)) == ["for nobody"]


def test_few_logs_are_kept_and_that_of_all_eyes_is_the_log_itself(log: Log) -> None:
    logs = SeenLogs(log)
    first = logs.of(BOB)
    for who in ("a", "b", "c"):
        logs.of(Viewer(Seat.PLAYER, frozenset({who})))
    assert logs.of(BOB) is first

    for who in ("a", "b", "c", "d"):
        logs.of(Viewer(Seat.PLAYER, frozenset({who})))
    assert logs.of(BOB) is not first
    assert logs.of(EVERYTHING) is log
