"""The entries that stand form a chain: each stands on the one before it, the first on nothing, the last is the head."""

from hypothesis import given
from strategies import fights

from ledger.commands import Rewind


@given(fights())
def test_each_entry_stands_on_the_one_before(fight) -> None:
    log = fight.session.log
    line = log.timeline.line()

    standing = list(log.entries_of(line))

    assert [entry.seq for entry in standing] == line
    assert [entry.after for entry in standing] == [0, *line[:-1]]
    assert line[-1] == log.head
    assert line == sorted(set(line))
    assert not any(isinstance(entry.command, Rewind) for entry in standing)
    assert [entry.seq for entry in log.newest_first()] == line[::-1]


@given(fights())
def test_the_log_has_no_gap_and_no_entry_stands_on_a_later_one(fight) -> None:
    log = fight.session.log

    entries = list(log.entries())

    assert [entry.seq for entry in entries] == list(range(1, log.last + 1))
    for entry in entries:
        assert entry.after < entry.seq
        assert entry.origin is None or entry.origin < entry.seq
    assert all(log.timeline.stands(seq) == (seq in set(log.timeline.line())) for seq in range(1, log.last + 1))
