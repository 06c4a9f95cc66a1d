"""Secrets beside the log. Sealing one also writes the session's message anew, so that none outlives its session."""

from ledger.errors import Damaged, Sealed
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
        """Returns a secret; None if there is none of that name.

        Raises:
            Damaged: A secret that was sealed is not there.
        """
        return self._find(session, self._sessions.look(session), name)

    def names(self, session: str) -> list[str]:
        """Returns the names of the secrets, sorted.

        Raises:
            Damaged: A secret that was sealed is not there.
        """
        known = self._sessions.look(session)
        return sorted({*known.sealed, *self._later(session, known)})

    def _later(self, session: str, known: KnownSession) -> frozenset[str]:
        """Returns the names of the secrets that were sealed after the session was created.

        The session's message counts them, so that it is noticed if one of them is removed, or that message is.
        """
        place = self._streams.names.place(session)
        for _ in self._streams.attempts_until_there():
            created, seq = known.message
            if known.sealed_later[0] == seq:
                return known.sealed_later[1]
            found = self._streams.reader.scan(place.stream, f"{place.seals}.*", 1)
            named = {each.subject: messages.secret(each).name for each in found}
            names = frozenset(name for subject, name in named.items() if subject == place.seal(name))
            if len(names) == created.sealed:
                known.sealed_later = (seq, names)
                return names
            known = self._sessions.look(session)  # another writer may have sealed one more, or deleted the session
        raise Damaged(f"{created.sealed} secrets were sealed, and {len(names)} are there", where="secrets")

    def _find(self, session: str, known: KnownSession, name: str) -> bytes | None:
        if name in known.sealed:
            return known.sealed[name]
        if name not in self._later(session, known):
            return None
        place = self._streams.names.place(session)
        for _ in self._streams.attempts_until_there():
            for message in self._streams.last_by_two(place.stream, place.seal(name)):
                if message is not None:
                    return messages.secret(message).secret
            self._sessions.look(session)  # raises if it was deleted
        raise Damaged(f"the secret {name!r}, which was sealed, is not there", where=name)
