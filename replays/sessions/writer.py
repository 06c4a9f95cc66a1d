"""Writing down what was decided: whole or not at all, once for a key, again when others wrote first."""

from collections.abc import Callable, Sequence
from typing import Any

from ledger.commands import (
    Command,
)
from ledger.entry import Entry, Request, Who
from ledger.errors import Busy, KeyReused, Refused, Stale, Unsure
from ledger.events import Audience
from ledger.fingerprint import fingerprint
from replays.sessions import ports, stored_records
from replays.sessions.log import Draft, Log

_RETRIES = 1000
ANYWHERE = 0
"""Placeholder for the number of an entry: a command that names it equals no command that was written."""


class Writer:
    """Appends drafts to one session's log.

    Args:
        log: The session's.
        clock: Says when entries are appended.
        is_same: Tells of an older entry, which has no fingerprint, whether a command is the one that was written.
    """

    def __init__(self, log: Log, clock: Callable[[], str], is_same: Callable[[Log, Entry, Command], bool]) -> None:
        self._log = log
        self._clock = clock
        self._is_same = is_same

    def write(
        self,
        drafts: Callable[[], list[Draft]],
        command: Command,
        by: Who,
        expected: int | None,
        batch: str | None,
        *,
        asked: Sequence[Any] = (),
    ) -> list[Entry]:
        """Append what is drafted; where others wrote first, draft it again.

        Args:
            drafts: Decides it on what is so now.
            command: As it was asked for.
            by: Who asked.
            expected: The number of the last entry that the caller knew; None for whatever is there.
            batch: The idempotency key.
            asked: The request as it was made, where that is more or less than the command.

        Raises:
            Stale: Somebody else wrote after `expected`.
            KeyReused: The key belongs to another command.
            BadIdempotencyKey: It can be no key.
        """
        asked = asked or (command,)
        known = self.known(command, by, batch, asked)
        if known:
            return known
        for _ in range(_RETRIES):
            if expected is not None and expected != self._log.last:
                self._log.refresh()
                if expected != self._log.last:
                    raise Stale(expected, self._log.last)
            try:
                made = drafts()
                secrets = [ports.new_secret() for _ in made]
                return self._log.append(made, self._clock(), secrets, _request(by, asked, batch, len(made)))
            except Stale as stale:
                self._log.refresh()
                if expected is not None:
                    raise Stale(expected, stale.actual) from stale
            except Unsure:
                raise  # it may have been written
            except Refused:
                if not self._log.refresh():
                    raise
        raise Busy(f"others have written first {_RETRIES} times over", where="session", accepts="try again")

    def known(self, command: Command, by: Who, batch: str | None, asked: Sequence[Any] = ()) -> list[Entry]:
        """Returns what was written under a key before; nothing where it was not.

        Args:
            command: As for `write`.
            by: As for `write`.
            batch: As for `write`.
            asked: As for `write`.

        Raises:
            KeyReused: The key belongs to another request, or another person.
            BadIdempotencyKey: It can be no key.
        """
        records = self._log.answered(batch)
        if not records:
            return []
        self._log.refresh()
        entries = list(map(stored_records.entry, records))
        if not self._is_repeat(entries[0], command, by, asked or (command,)):
            raise KeyReused(
                f"the key {batch!r} belongs to another command, or another person", where="batch", accepts="a new key"
            )
        return entries

    def _is_repeat(self, entry: Entry, command: Command, by: Who, asked: Sequence[Any]) -> bool:
        if entry.request is not None:
            return entry.request.fingerprint == fingerprint(by, asked)
        return entry.by == by and self._is_same(self._log, entry, command)  # an older entry has no fingerprint


def secretly(seen_by: Audience) -> tuple[Any, ...]:
    """Returns what a request that is made in secret has more; nothing of one that is made openly."""
    return () if seen_by is None else ("seen by", list(seen_by))


def _request(by: Who, asked: Sequence[Any], batch: str | None, entries: int) -> Request | None:
    """Returns what the first entry of a batch keeps; None for a single entry that came without a key."""
    if batch is not None:
        return Request(batch, fingerprint(by, asked), entries)
    return Request("", "", entries) if entries > 1 else None
