"""Finds the recorded answers and overrules that corrections have deferred.

A correction is an amendment, or a modifier or an overrule of a roll that was thrown. The log goes back to before an
entry and continues there. Entries that followed it and were not performed again wait as long as the fight continues.
Those that belong to an exchange that has ended, or to a past round, are set aside.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledger.commands import Amend, CloseSession, Command, Overrule
from ledger.entry import Entry
from ledger.events import Event, ExchangeEnded
from ledger.key import moment_of
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


class _LatestCorrection(NamedTuple):
    """The latest correction of a line."""

    made: int
    """Its first entry in force."""
    command: Command
    """The command of its first entry, in force or replaced by an overrule of the same request."""
    corrected: int
    """The entry that was amended, or else decided again."""
    old: list[int]
    """The line that it left."""
    behind: list[int]
    """The entries of that line after the corrected one."""
    performed: list[Entry]
    """The entries that stand, from the correction's first entry on."""


def deferred(log: Log, head: int | None = None) -> Deferred:
    """Returns the recorded answers and overrules that wait.

    Args:
        log: The session's log.
        head: The last entry of the line; by default the present head.
    """
    return _deferred(log, log.timeline.line(head)) if log.corrections else NOTHING


def _deferred(log: Log, line: list[int]) -> Deferred:
    latest = _latest(log, line)
    if latest is None:
        return NOTHING
    before = _deferred(log, latest.old)
    used = frozenset(_origins(log, latest.performed))
    over = ended(event for entry in latest.performed for event in entry.events)
    combat = log.state(line[-1])
    entries, words = list(before.entries), {(word.key, word.figure): word for word in before.words}
    again = [entry.seq for entry in before.entries if entry.seq in used]
    if _goes_on(log, latest):
        entries = [*log.entries_of(latest.behind), *entries]
        again += [seq for seq in dict.fromkeys((latest.corrected, *latest.behind)) if seq in used]
    words |= {
        (word.key, word.figure): word for entry in log.entries_of(again) for word in underlying(entry, log.entry)[1]
    }
    applied = {(word.key, word.figure) for each in latest.performed for word in underlying(each, log.entry)[1]}
    return Deferred(
        tuple(entry for entry in entries if entry.seq not in used and _may_come(log, entry, over, combat)),
        tuple(word for named, word in words.items() if named not in applied and not is_over(word, over, combat)),
    )


def _latest(log: Log, line: list[int]) -> _LatestCorrection | None:
    place = {seq: nth for nth, seq in enumerate(line)}
    made = next((seq for seq in reversed(log.corrections) if seq in place), None)
    if made is None:
        return None
    timeline, first = log.timeline, _first_draft(log, log.entry(made))
    command = first.command
    old = timeline.line(timeline.head_at(first.seq - 1))
    behind = [seq for seq in old if seq > first.after]
    performed = list(log.entries_of(line[place[made] :]))
    corrected = min(behind, default=0)
    if isinstance(command, Amend):
        corrected = entry_in_its_place(log, command.entry, old) or command.entry
        behind = [seq for seq in behind if seq != corrected]
    return _LatestCorrection(made, command, corrected, old, behind, performed)


def _first_draft(log: Log, entry: Entry) -> Entry:
    """Returns the entry that an overrule of the same request replaced; an entry that replaced none itself."""
    while log.timeline.replaces_draft(entry):
        entry = log.entry(entry.seq - 1)
    return entry


def _origins(log: Log, performed: Iterable[Entry]) -> Iterator[int]:
    """Yields the entries that are performed again, at any depth."""
    for entry in performed:
        origin = entry.origin
        while origin is not None:
            yield origin
            origin = log.entry(origin).origin


def _goes_on(log: Log, latest: _LatestCorrection) -> bool:
    """Returns whether the correction left a roll or choice open, so that recorded answers may still be needed."""
    if isinstance(latest.command, Amend) and latest.command.change.get("insert"):
        return True  # the record does not separate the correction's entries from those requested later
    end = latest.made
    for entry in latest.performed[1:]:
        if _first_draft(log, entry).seq != end + 1 or entry.origin is None:
            break
        end = entry.seq
    return bool(log.state(end).rests)


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
    return any(key.startswith(f"{each}/") for each in exchanges)


def is_over(word: Overrule, exchanges: frozenset[str], combat: Combat) -> bool:
    """Returns whether an overrule's figure belongs to an ended exchange or an earlier round, and so cannot recur."""
    return within(f"{word.key}/", exchanges) or is_past(word.key, combat)
