"""A session's log as one seat sees it, for whoever reads: nothing can be answered from it that the seat may not see."""

from collections.abc import Iterator

from ledger.audience import EVERYTHING, Viewer
from ledger.entry import Entry
from projections.combat import Combat
from projections.history.disclosures import Disclosures
from projections.views.released import released
from replays.sessions.log import Log


def seen_log(log: Log, eyes: Viewer) -> Log:
    """A log as these eyes may see it; itself, where they may see everything, or it is so already.

    Args:
        log: The session's.
        eyes: Whose they are.
    """
    is_so = eyes == EVERYTHING or (isinstance(log, SeenLog) and log.eyes == eyes)
    return log if is_so else SeenLog(log, eyes)


class SeenLog(Log):
    """A log to read, with what is released of each entry; it stays as it was when it was made.

    The chain of hashes and the order of entries are those of the whole log.
    """

    def __init__(self, log: Log, eyes: Viewer) -> None:  # it reads no records of its own
        self.eyes = eyes
        self.store, self.session = log.store, log.session
        self.timeline, self.digest = log.timeline, log.digest
        self.disclosures = Disclosures(self.entry)
        self.rules_version, self.corrections = log.rules_version, log.corrections
        self._whole = log
        self._states = {0: Combat()}

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """All entries of a stretch of the log, standing or not, with what is released of each."""
        tell = self._whole.disclosures.entry
        return (released(tell(entry), self.eyes) for entry in self._whole.entries(after, upto))
