"""A read-only log that holds only what one seat may see, so that nothing hidden can be computed from it."""

from collections import OrderedDict
from collections.abc import Iterator

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.history.disclosures import Disclosures
from projections.views.released import released
from replays.sessions.log import Log
from replays.sessions.states import States

_KEPT = 4
"""How many viewers' logs are kept, with states along them; that of the viewer who asked least recently is dropped."""


def seen_log(log: Log, eyes: Viewer) -> Log:
    """Returns a log as a viewer may see it; the log itself where they see all of it, or it is theirs already.

    Args:
        log: The session's log.
        eyes: The viewer.
    """
    is_theirs = eyes == EVERYTHING or (isinstance(log, SeenLog) and log.eyes == eyes)
    return log if is_theirs else SeenLog(log, eyes)


class SeenLog(Log):
    """A read-only log with the released parts of each entry; it does not follow later entries.

    The hash chain and the order of entries are those of the whole log.
    """

    def __init__(self, log: Log, eyes: Viewer) -> None:  # it reads no records
        self.eyes = eyes
        self.store, self.session = log.store, log.session
        self.timeline, self.digest = log.timeline, log.digest
        self.disclosures = Disclosures(self.entry)
        self.rules_version, self.corrections = log.rules_version, log.corrections
        self.waits = {}
        self._whole = log
        self.settled = 0
        self._originals = {}
        self._states = States(self.timeline, self.entries_of)

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yields all entries of a range, standing or not, with the released parts of each."""
        disclosed = self._whole.disclosures.entry
        return (released(disclosed(entry), self.eyes) for entry in self._whole.entries(after, upto))


class SeenLogs:
    """One session's log as each viewer may see it, kept while it grows: a page of it need not be folded from the start.

    Args:
        log: The session's log.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._kept: OrderedDict[Viewer, tuple[int, SeenLog]] = OrderedDict()
        """By viewer: the number of disclosures when it was made, and the log."""

    def of(self, eyes: Viewer) -> Log:
        """Returns the log as a viewer may see it, with everything disclosed since."""
        log = self._log
        if eyes == EVERYTHING:
            return log
        told, seen = self._kept.pop(eyes, (-1, None))
        if seen is None or told != log.disclosures.count or seen.timeline is not log.timeline:
            seen = SeenLog(log, eyes)
        seen.digest, seen.rules_version = log.digest, log.rules_version
        self._kept[eyes] = log.disclosures.count, seen
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return seen
