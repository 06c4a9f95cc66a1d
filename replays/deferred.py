"""Finds what waits in a log: recorded answers and overrulings that corrections have left for later.

A correction is an amendment, or a modifier or an overruling of a roll that was thrown: the log goes back to before an
entry and continues there. What stood behind it and was not performed again waits, if the table was left with something
new to answer; else it is set aside, as is what belongs to an exchange that is over.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledger.commands import Amend, CloseSession, Overrule
from ledger.entry import Entry
from ledger.events import Event, ExchangeEnded
from projections.combat import Combat
from replays.log import Log
from replays.recorded import answer, underlying


class Deferred(NamedTuple):
    """What waits."""

    entries: tuple[Entry, ...] = ()
    """Not performed again yet, in the order in which they are tried."""
    words: tuple[Overrule, ...] = ()
    """The gamemaster's, on figures that have not been found again yet."""


NOTHING = Deferred()


class _Correction(NamedTuple):
    """The latest correction of a line."""

    made: int
    """Its first entry."""
    corrected: int
    """What an amendment has put otherwise; else the entry that was decided again."""
    old: list[int]
    """The line that it left."""
    behind: list[int]
    """Of that line what stood behind what is corrected."""
    performed: list[Entry]
    """On the line that stands, from its first entry on."""


def deferred(log: Log, head: int | None = None) -> Deferred:
    """Returns what waits.

    Args:
        log: The session's.
        head: The entry that the line ends with; left out, what stands.
    """
    return _deferred(log, log.timeline.line(head)) if log.corrections else NOTHING


def _deferred(log: Log, line: list[int]) -> Deferred:
    latest = _latest(log, line)
    if latest is None:
        return NOTHING
    before = _deferred(log, latest.old)
    used = frozenset(_origins(log, latest.performed))
    over = ended(event for entry in latest.performed for event in entry.events)
    entries, words = list(before.entries), {(word.key, word.figure): word for word in before.words}
    if _asks_for_more(log, latest):
        entries = [*log.entries_of(latest.behind), *entries]
        again = [seq for seq in dict.fromkeys((latest.corrected, *latest.behind)) if seq in used]
        words |= {
            (word.key, word.figure): word for entry in log.entries_of(again) for word in underlying(entry, log.entry)[1]
        }
    said = {(each.command.key, each.command.figure) for each in latest.performed if isinstance(each.command, Overrule)}
    return Deferred(
        tuple(entry for entry in entries if entry.seq not in used and _may_come(log, entry, over)),
        tuple(word for named, word in words.items() if named not in said and not is_over(word, over)),
    )


def _latest(log: Log, line: list[int]) -> _Correction | None:
    place = {seq: nth for nth, seq in enumerate(line)}
    made = next((seq for seq in reversed(log.corrections) if seq in place), None)
    if made is None:
        return None
    timeline = log.timeline
    old = timeline.line(timeline.head_at(made - 1))
    behind = [seq for seq in old if seq > timeline.after(made)]
    performed = list(log.entries_of(line[place[made] :]))
    command = performed[0].command
    corrected = command.entry if isinstance(command, Amend) else min(behind, default=0)
    if isinstance(command, Amend):
        behind = [seq for seq in behind if seq != corrected]
    return _Correction(made, corrected, old, behind, performed)


def _origins(log: Log, performed: Iterable[Entry]) -> Iterator[int]:
    """The entries that are performed again, however often."""
    for entry in performed:
        origin = entry.origin
        while origin is not None:
            yield origin
            origin = log.entry(origin).origin


def _asks_for_more(log: Log, latest: _Correction) -> bool:
    """Did it leave the table with a roll or a choice that was not open before?"""
    first = latest.performed[0].command
    if isinstance(first, Amend) and first.change.get("insert"):
        return True  # where the correction ends, and what was asked for later begins, is not on record
    end = latest.made
    for entry in latest.performed[1:]:
        if entry.seq != end + 1 or entry.origin is None:
            break
        end = entry.seq
    return bool(_rests(log.state(end)) - _rests(log.state(latest.old[-1])))


def _rests(combat: Combat) -> set[tuple[str, str, str]]:
    return {(rest.key, rest.dice, rest.by) for rest in combat.rests}


def _may_come(log: Log, entry: Entry, over: frozenset[str]) -> bool:
    return not isinstance(entry.command, Amend | CloseSession) and not within(answer(entry, log.entry).key, over)


def repeatable(entries: Iterable[Entry]) -> list[Entry]:
    """Returns what is performed again behind a correction: all but earlier amendments, whose corrections stand."""
    return [entry for entry in entries if not isinstance(entry.command, Amend)]


# ------------------------------------------------------------------------------------------------ what is over


def ended(events: Iterable[Event]) -> frozenset[str]:
    """The exchanges that are over again: nothing more is asked in them."""
    return frozenset(event.key for event in events if isinstance(event, ExchangeEnded))


def within(key: str, exchanges: frozenset[str]) -> bool:
    """Was this asked in one of these exchanges?"""
    return any(key.startswith(f"{each}/") for each in exchanges)


def is_over(word: Overrule, exchanges: frozenset[str]) -> bool:
    """Is the figure one of these exchanges, or of something in them? Then it is not found any more."""
    return within(f"{word.key}/", exchanges)
