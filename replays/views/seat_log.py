"""A read-only log that holds only what one seat may see, so that nothing hidden can be computed from it."""

from collections.abc import Iterator

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.combat import Combat
from projections.history.disclosures import Disclosures
from projections.views.released import released
from replays.sessions.log import Log


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
        self._states = {0: Combat()}

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yields all entries of a range, standing or not, with the released parts of each."""
        disclosed = self._whole.disclosures.entry
        return (released(disclosed(entry), self.eyes) for entry in self._whole.entries(after, upto))
