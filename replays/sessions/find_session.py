"""Finds a session of a ledger by the beginning of its id, also a deleted one."""

from contextlib import suppress

from ledger import tombstone
from ledger.errors import NoSuchSession
from ledger.stores import Store
from ledger.tombstone import Tombstone


def find_session(store: Store, prefix: str | None) -> str:
    """Returns the one session whose id begins with a prefix; by default the one created last.

    Raises:
        NoSuchSession: No session has that prefix, or several have.
        SessionDeleted: A session with that prefix was deleted, and no other has it.
        Cut: The session is known to have existed, and is missing.
    """
    known = store.sessions()
    if prefix == "":
        accepts = ", ".join(known[-5:]) or "an id, or its beginning"
        raise NoSuchSession("the session's id is empty", where="session", accepts=accepts)
    found = [session for session in known if session.startswith((prefix or "").upper()) or session == prefix]
    if prefix and not found:
        _check_gone(store, prefix)
    if not known:
        raise NoSuchSession("this ledger has no session yet", where="session", accepts="play one first")
    if prefix is None:
        return known[-1]
    if prefix in known:
        return prefix
    if len(found) != 1:
        problem = "no session begins" if not found else f"{len(found)} sessions begin"
        raise NoSuchSession(f"{problem} with {prefix!r}", where="session", accepts=", ".join((found or known)[-5:]))
    return found[0]


def find_deleted(store: Store, prefix: str) -> Tombstone | None:
    """Returns the tombstone of the first deleted session with a prefix; None where there is none."""
    stones = (tombstone.decode(record.line) for record in store.tombstones())
    return next((each for each in stones if each.session == prefix or each.session.startswith(prefix.upper())), None)


def _check_gone(store: Store, prefix: str) -> None:
    """Rejects the prefix of a session that existed once, with the reason why it is gone."""
    stone = find_deleted(store, prefix)
    if stone is not None:
        raise stone.refusal()
    with suppress(NoSuchSession):
        store.head(prefix)
