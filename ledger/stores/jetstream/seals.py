"""Secrets beside the log. Sealing one also writes the session's message anew, so that none outlives its session."""

from ledger.errors import Sealed
from ledger.stores.jetstream import messages
from ledger.stores.jetstream.known import KnownSession
from ledger.stores.jetstream.messages import SealedSecret, encode
from ledger.stores.jetstream.servers.errors import NotSent
from ledger.stores.jetstream.servers.link import NONE_YET
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.servers.writing import Conflict
from ledger.stores.jetstream.sessions import StoredSessions


class Seals:
    """Seals secrets and reads them.

    Args:
        streams: The ledger's streams.
        sessions: Which sessions exist.
    """

    def __init__(self, streams: Streams, sessions: StoredSessions) -> None:
        self._streams = streams
        self._sessions = sessions

    def seal(self, session: str, name: str, secret: bytes) -> None:
        """Stores a secret.

        Raises:
            Sealed: The name is in use.
        """
        may_be_own = False
        for _ in self._streams.attempts():
            known = self._sessions.look(session)
            there = self._find(session, known, name)
            if may_be_own and there == secret:
                return
            if there is not None:
                raise Sealed(f"{name!r} is sealed already", where=name)
            place = self._streams.names.place(session)
            sealed = Message(place.seal(name), encode(SealedSecret(name, secret)), NONE_YET)
            try:
                self._streams.writer.write([sealed, self._sessions.rewritten(session, known)])
            except Conflict as conflict:
                may_be_own |= conflict.may_be_own
            else:
                return
        raise NotSent("other writers were always faster")

    def unseal(self, session: str, name: str) -> bytes | None:
        """Returns a secret; None if there is none of that name."""
        return self._find(session, self._sessions.look(session), name)

    def names(self, session: str) -> list[str]:
        """Returns the names of the secrets, sorted."""
        known, place = self._sessions.look(session), self._streams.names.place(session)
        found = set(known.sealed)
        if known.created.sealed:
            # The last secret and the last message of the session were stored together, one behind the other.
            scanned = self._streams.reader.scan(place.stream, f"{place.seals}.*", 1, known.seq - 1)
            found |= {messages.secret(each.payload).name for each in scanned}
        return sorted(found)

    def _find(self, session: str, known: KnownSession, name: str) -> bytes | None:
        if name in known.sealed:
            return known.sealed[name]
        place = self._streams.names.place(session)
        message = self._streams.reader.last(place.stream, place.seal(name))
        return None if message is None else messages.secret(message.payload).secret
