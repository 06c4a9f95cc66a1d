"""Problems of the sessions of a ledger that is backed up, restored or copied."""

import msgspec

from ledger.errors import Broken, Damaged, Refused
from ledger.stores import Store
from ledger.stores.heads import HeadsReport
from replays.audit.ledger_check import check_readable

DELETED = "the list of deleted sessions"
"""Name in place of a session, where a tombstone was altered."""


class SessionProblem(msgspec.Struct, frozen=True):
    """A session that is damaged, or was not copied."""

    session: str
    refusal: Refused

    @property
    def is_damage(self) -> bool:
        """Whether its record is broken; otherwise it differs, is too long, or cannot be read by this Affray."""
        return isinstance(self.refusal, Broken | Damaged)


def missing_sessions(store: Store) -> list[SessionProblem]:
    """Returns the sessions that lack entries which the heads file has; empty without a heads file.

    Args:
        store: The ledger.

    Raises:
        HeadsBroken: The heads file cannot be read.
    """
    report = examined_heads(store)
    if report is None:
        return []
    return [SessionProblem(session, cut) for session, cut in zip(report.cut, report.breaks, strict=True)]


def examined_heads(store: Store) -> HeadsReport | None:
    """Returns the comparison of a ledger with its heads file; None without one.

    Args:
        store: The ledger.

    Raises:
        HeadsBroken: The heads file cannot be read.
    """
    report = store.heads.examine() if store.heads is not None else None
    if report is not None:
        check_readable(report)
    return report
