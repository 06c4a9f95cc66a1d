"""A read-only log whose entries are decoded once, for work that reads them many times."""

from collections.abc import Iterator, Sequence

from ledger.entry import Entry
from projections.combat import Combat
from replays.sessions.log import Log


class KeptLog(Log):
    """A read-only log with its decoded entries; it does not follow later entries.

    Args:
        log: The log, whole or as a viewer may see it.
    """

    def __init__(self, log: Log) -> None:  # it reads no records
        self.store, self.session = log.store, log.session
        self.timeline, self.digest, self.disclosures = log.timeline, log.digest, log.disclosures
        self.rules_version, self.corrections, self.waits = log.rules_version, log.corrections, log.waits
        self._log, self.settled = log, log.settled
        self._originals = {}
        self._kept = list(log.entries(upto=log.last))

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yields all entries of a range, standing or not."""
        return iter(self._kept[max(0, after) : upto])

    def entries_of(self, seqs: Sequence[int]) -> Iterator[Entry]:
        """Yields the entries of these numbers, in order."""
        return (self._kept[seq - 1] for seq in seqs)

    def entry(self, seq: int) -> Entry:
        """Returns one entry.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        self.check(seq)
        return self._kept[seq - 1]

    def state(self, seq: int) -> Combat:
        """Returns the state after an entry, on the line that ends with it."""
        return self._log.state(seq)
