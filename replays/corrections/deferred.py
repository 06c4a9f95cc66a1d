"""Finds the recorded answers and overrules that corrections have deferred.

A correction is an amendment, or a modifier or an overrule of a roll that was thrown. The log goes back to before an
entry and continues there. Entries that followed it and were not performed again wait as long as the fight continues.
Those that belong to an exchange that has ended, or to a past round, are set aside.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from ledger.commands import Amend, CloseSession, Overrule
from ledger.entry import Entry
from ledger.events import Event, ExchangeEnded
from ledger.key import around, moment_of
from projections.combat import Combat
from replays.corrections.recorded_answers import entry_in_its_place, recorded_answer, underlying
from replays.sessions.log import Log


class Deferred(NamedTuple):
    """Recorded answers and overrules that wait."""

    entries: tuple[Entry, ...] = ()
    """Entries not performed again yet, in the order in which they are tried."""
    words: tuple[Overrule, ...] = ()
    """Overrules whose figure is pending."""


NOTHING = Deferred()
_FEW = 8
"""How many entries of a line to read at least; usually nothing waits after so many."""


class _Before(msgspec.Struct, frozen=True):
    """What waited when a correction was made. It depends only on earlier entries, so the log keeps it."""

    waits: Deferred
    done: int = 0
    """An entry that the correction leads to and after which nothing waits; 0 where none is known.

    Without another correction nothing begins to wait, so nothing waits on any line through it.
    """


class _CorrectedLine(NamedTuple):
    """The latest correction of a line."""

    line: list[int]
    """The line from its first entry in force on."""
    own: int
    """How many of these entries it made itself."""
    goes_on: bool
    """Whether it left a roll or choice open, so that recorded answers may still be needed."""
    corrected: int
    """The entry that was amended, or else decided again."""
    behind: list[int]
    """The entries after it on the line that the correction left."""


def deferred(log: Log, head: int | None = None) -> Deferred:
    """Returns the recorded answers and overrules that wait.

    Args:
        log: The session's log. That nothing waits at its present head is noted in it.
        head: The last entry of the line; by default the present head.
    """
    found = _deferred(log, head)
    if head is None:
        settle(log, found)
    return found


def settle(log: Log, found: Deferred) -> None:
    """Notes in a log that nothing waits at its present head, if that is so."""
    if found == NOTHING and log.head == log.timeline.last:  # no entry follows yet, not even one that was undone
        log.settled = log.head


def _deferred(log: Log, head: int | None) -> Deferred:
    here = log.head if head is None else head
    unknown: list[tuple[int, int]] = []
    while (made := _latest(log, here)) and not _is_after_settled(log, made, here):
        unknown.append((made, here))
        if made in log.waits:
            break
        here = log.timeline.head_at(_first_draft(log, log.entry(made)).seq - 1)
    found = NOTHING
    for made, here in reversed(unknown):
        found = _since(log, made, here, log.waits.setdefault(made, _Before(found)))
    return found


def is_settled(log: Log, seq: int) -> bool:
    """Returns whether an entry can be `Log.settled`: nothing waited when it was the last entry, and the head.

    Args:
        log: A log whose `settled` is not known.
        seq: The number of the entry; 0 for none.
    """
    return log.timeline.head_at(seq) == seq and deferred(log, seq) == NOTHING


def _is_after_settled(log: Log, made: int, head: int) -> bool:
    """Returns whether nothing waits on a line, because nothing waited at an entry after its latest correction."""
    return made <= log.settled and log.timeline.stands(log.settled, head)


def _latest(log: Log, head: int) -> int:
    """Returns the first entry in force of the latest correction of a line; 0 where it has none."""
    return next((seq for seq in reversed(log.corrections) if seq <= head and log.timeline.stands(seq, head)), 0)


def _since(log: Log, made: int, head: int, before: object) -> Deferred:
    """Returns what waits on a line whose latest correction is given; keeps the entry after which nothing waits."""
    assert isinstance(before, _Before), "only this module keeps what waits"
    if before.done and log.timeline.stands(before.done, head):
        return NOTHING
    correction = _correction(log, made, head)
    found = NOTHING
    for count in _counts(correction):
        found = _waiting(log, correction, count, before.waits)
        if found == NOTHING:
            if correction.own < count or head == log.timeline.last:  # else other entries of the correction follow
                log.waits[made] = msgspec.structs.replace(before, done=correction.line[count - 1])
            break
    return found


def _counts(correction: _CorrectedLine) -> Iterator[int]:
    """Yields how many entries of the line to read until nothing waits any more: those of the correction, then more."""
    count, most = max(correction.own + 1, _FEW), len(correction.line)
    while count < most:
        yield count
        count *= 2
    yield most


def _waiting(log: Log, correction: _CorrectedLine, count: int, before: Deferred) -> Deferred:
    """Returns what waits after a number of entries of the correction's line."""
    if not correction.goes_on and before == NOTHING:
        return NOTHING
    line, _, _, corrected, behind = correction
    performed, combat = list(log.entries_of(line[:count])), log.state(line[count - 1])
    sought = [*(entry.seq for entry in before.entries), *behind, *([corrected] if corrected else [])]
    used = frozenset(_origins(log, performed, min(sought, default=0)))
    over = ended(event for entry in performed for event in entry.events)
    entries, words = list(before.entries), {(word.key, word.figure): word for word in before.words}
    again = [entry.seq for entry in before.entries if entry.seq in used]
    if correction.goes_on:
        entries = [*log.entries_of(behind), *entries]
        again += [seq for seq in dict.fromkeys((corrected, *behind)) if seq in used]
    words |= {
        (word.key, word.figure): word for entry in log.entries_of(again) for word in underlying(entry, log.entry)[1]
    }
    applied = {(word.key, word.figure) for each in performed for word in underlying(each, log.entry)[1]}
    return Deferred(
        tuple(entry for entry in entries if entry.seq not in used and _may_come(log, entry, over, combat)),
        tuple(word for named, word in words.items() if named not in applied and not is_over(word, over, combat)),
    )


def _correction(log: Log, made: int, head: int) -> _CorrectedLine:
    timeline, first = log.timeline, _first_draft(log, log.entry(made))
    line = timeline.line(head, since=timeline.after(made))
    old = timeline.line(timeline.head_at(first.seq - 1), since=first.after)
    behind = [seq for seq in old if seq > first.after]
    corrected = min(behind, default=0)
    if isinstance(first.command, Amend):
        corrected = entry_in_its_place(log, first.command.entry, behind) or first.command.entry
        behind = [seq for seq in behind if seq != corrected]
        if first.command.change.get("insert"):  # the record does not separate its entries from those requested later
            return _CorrectedLine(line, len(line), True, corrected, behind)
    own = _own(log, line)
    return _CorrectedLine(line, own, bool(log.state(line[own - 1]).rests), corrected, behind)


def _own(log: Log, line: list[int]) -> int:
    """Returns how many entries of a line the correction that it begins with made itself."""
    end, count = line[0], 1
    for entry in log.entries_of(line[1:]):
        if _first_draft(log, entry).seq != end + 1 or entry.origin is None:
            break
        end, count = entry.seq, count + 1
    return count


def _first_draft(log: Log, entry: Entry) -> Entry:
    """Returns the entry that an overrule of the same request replaced; an entry that replaced none itself."""
    while log.timeline.replaces_draft(entry):
        entry = log.entry(entry.seq - 1)
    return entry


def _origins(log: Log, performed: Iterable[Entry], least: int) -> Iterator[int]:
    """Yields the entries that are performed again, at any depth, but none before `least`.

    What was corrected a thousand times was performed again a thousand times; the earliest are of no interest.
    """
    for entry in performed:
        origin = entry.origin
        while origin is not None and origin >= least:
            yield origin
            origin = log.entry(origin).origin


def _may_come(log: Log, entry: Entry, over: frozenset[str], combat: Combat) -> bool:
    key = recorded_answer(entry, log.entry).key
    return not (isinstance(entry.command, Amend | CloseSession) or within(key, over) or is_past(key, combat))


def repeatable(entries: Iterable[Entry]) -> list[Entry]:
    """Returns the entries to perform again after a correction: all but earlier amendments, whose corrections stand."""
    return [entry for entry in entries if not isinstance(entry.command, Amend)]


# ------------------------------------------------------------------------------------------------ what has ended


def ended(events: Iterable[Event]) -> frozenset[str]:
    """Returns the exchanges that have ended: nothing more is asked in them."""
    return frozenset(event.key for event in events if isinstance(event, ExchangeEnded))


def is_past(key: str, combat: Combat) -> bool:
    """Returns whether a key belongs to an earlier round or combat."""
    moment = moment_of(key.partition("/")[0])
    return moment is not None and moment < (combat.clock.combat, combat.clock.round)


def within(key: str, exchanges: frozenset[str]) -> bool:
    """Returns whether a key belongs to one of these exchanges."""
    return any(each in exchanges for each in around(key))


def is_over(word: Overrule, exchanges: frozenset[str], combat: Combat) -> bool:
    """Returns whether an overrule's figure belongs to an ended exchange or an earlier round, and so cannot recur."""
    return within(f"{word.key}/", exchanges) or is_past(word.key, combat)
