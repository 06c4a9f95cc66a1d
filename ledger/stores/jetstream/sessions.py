"""Which sessions exist: the message of each session, and what this process knows of it."""

from collections.abc import Mapping, Sequence

import msgspec

from ledger import tombstone
from ledger.errors import Damaged, NoSuchSession, SessionDeleted, SessionExists
from ledger.stores.jetstream import messages, uploads
from ledger.stores.jetstream.deletion import complete
from ledger.stores.jetstream.known import KnownSession, KnownSessions, SessionMessage
from ledger.stores.jetstream.messages import LARGEST, Created, Deleted, Extras, encode
from ledger.stores.jetstream.servers.errors import Answered, NotSent
from ledger.stores.jetstream.servers.link import EXPECTED, NONE_YET
from ledger.stores.jetstream.servers.names import SessionNames, last_token, session_of
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.servers.writing import Conflict
from ledger.stores.store import Batch


class StoredSessions:
    """Finds, creates and lists sessions.

    Args:
        streams: The ledger's streams.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._known = KnownSessions()
        self._listed: dict[int, int] = {}
        """The number in the stream of the last message of a session that this process wrote, by shard."""

    def known(self, session: str) -> KnownSession:
        """Returns what is known of a session; asks if nothing is.

        Raises:
            NoSuchSession: There is no such session; its subclass `SessionDeleted`: it was deleted.
            Damaged: There is a log, and the message that the session exists is missing.
        """
        known = self._known.get(session) if isinstance(session, str) else None
        return known or self.look(session)

    def look(self, session: str) -> KnownSession:
        """Asks whether a session exists, and returns what is known of it; raises as `known` does."""
        place = self._streams.names.place(session)
        message = self._streams.reader.last(place.stream, place.session)
        if message is None:
            self._known.forget(session)
            self._check_no_log(session, place)
            raise NoSuchSession(f"there is no session {session!r}", where="session")
        found = _checked(message, session)
        if isinstance(found, Deleted):
            self._known.forget(session)
            if not found.is_complete:
                found = complete(self._streams, found, message.seq)
            raise tombstone.decode(found.line).refusal()
        known = self._known.get(session)
        if known is None:
            return self._known.put(session, self._begun(place, found, message))
        if message.seq >= known.message.seq:
            known.message = SessionMessage(_dated(found, message), message.seq)
        return known

    def deletion_of(self, session: str) -> tuple[Deleted, int] | None:
        """Returns the message of a session that was deleted, and its number in the stream; None if it was not."""
        place = self._streams.names.place(session)
        message = self._streams.reader.last(place.stream, place.session)
        found = None if message is None else _checked(message, session)
        return (found, message.seq) if message is not None and isinstance(found, Deleted) else None

    def forget(self, session: str) -> None:
        """Forgets what is known of a session."""
        self._known.forget(session)

    def create(
        self,
        session: str,
        log: Sequence[Message],
        entries: int,
        sealed: Mapping[str, bytes],
        keys: Mapping[str, Batch],
    ) -> None:
        """Creates a session, with the messages that its log begins with, all or none; they have so many entries.

        Raises:
            SessionExists: There is a session with that id.
            SessionDeleted: There was a session with that id.
        """
        place = self._streams.names.place(session)
        extras = Extras(dict(sealed), {key: (each.first, each.count) for key, each in keys.items()})
        if not log:  # else its first message is refused where there is one
            self._check_no_log(session, place)
        created, behind = self._made(place, session, extras)
        created = msgspec.structs.replace(created, entries=entries)
        message = Message(place.session, encode(created), NONE_YET)
        try:
            seq = self._written(session, created, [*log, *behind, message])
        except (Answered, SessionExists):
            uploads.discard(self._streams, place, [*log, *behind])
            raise
        self._listed[self._streams.names.shard_of(session)] = seq

    def _written(self, session: str, created: Created, batch: Sequence[Message]) -> int:
        """Stores the messages of a new session; returns the number of the last one in the stream.

        Raises:
            SessionExists: Another writer has created the session.
        """
        for _ in self._streams.attempts():
            try:
                return self._streams.writer.write(batch)
            except Conflict:
                found = self._found(session)
            if found is not None and found.message.created.mark != created.mark:
                raise SessionExists(f"there is already a session {session!r}", where="session")
            if found is not None:
                return found.message.seq
        raise NotSent("what is stored just now cannot be read yet")

    def _found(self, session: str) -> KnownSession | None:
        """Returns what is known of a session; None if it is just being stored, which is a conflict already."""
        try:
            return self.look(session)
        except SessionDeleted:
            raise
        except NoSuchSession:
            return None

    def all(self) -> list[str]:
        """Returns the ids of all sessions, oldest first by the clocks of the servers.

        At the end are those whose message was altered, and those of which there is only a log, because that message was
        removed: opening one reports it. The latter are not looked for while a shard has no leader.
        """
        found: list[tuple[int, int, str]] = []
        damaged, has_leaders = list[str](), True
        for shard, stream in enumerate(self._streams.names.logs):
            logs = self._logs(shard, stream) if has_leaders else None
            has_leaders = logs is not None
            unknown = logs or set()
            subjects = self._streams.names.subject("session", shard, "*")
            for message in self._streams.reader.last_of_each(stream, subjects, least=self._listed.get(shard, 0)):
                session = session_of(last_token(message.subject))
                unknown.discard(session)
                try:
                    each = _checked(message, session)
                except Damaged:
                    damaged.append(session)
                    continue
                if isinstance(each, Created):
                    found.append((nanoseconds(each.at or message.at), message.seq, session))
            damaged += filter(self._is_missing, sorted(unknown))
        return [*(session for _, _, session in sorted(found)), *damaged]

    def _logs(self, shard: int, stream: str) -> set[str] | None:
        """Returns the sessions of a shard that have a log; None if its leader does not answer."""
        subjects = self._streams.reader.subjects(stream, self._streams.names.subject("log", shard, "*"))
        return None if subjects is None else {session_of(last_token(each)) for each in subjects}

    def rewritten(self, session: str, known: KnownSession) -> Message:
        """Returns the message of a session with one sealed secret more, which is refused if the session was changed."""
        created, seq = known.message
        more = msgspec.structs.replace(created, sealed=created.sealed + 1)
        return Message(self._streams.names.place(session).session, encode(more), {EXPECTED: str(seq)})

    def _is_missing(self, session: str) -> bool:
        """Returns whether the leader has no message that a session exists."""
        place = self._streams.names.place(session)
        return self._streams.reader.last(place.stream, place.session) is None

    def _check_no_log(self, session: str, place: SessionNames) -> None:
        """Reports a log whose session is missing, as if it had never been."""
        if self._streams.reader.last(place.stream, place.log) is None:
            return
        if self._is_missing(session):  # another thread may create it just now
            raise Damaged(
                f"the log of {session!r} is there, but not the message that the session exists", where="session"
            )

    def _made(self, place: SessionNames, session: str, extras: Extras) -> tuple[Created, list[Message]]:
        mark = self._streams.link.unique()
        if not (extras.sealed or extras.keys):
            return Created(session, mark), []
        raw = encode(extras)
        if len(raw) <= LARGEST // 2:
            return Created(session, mark, extras=extras), []
        name, parts = uploads.upload(self._streams, place, raw)
        return Created(session, mark, upload=(name, parts)), [uploads.closing(place, name)]

    def _begun(self, place: SessionNames, created: Created, message: Stored) -> KnownSession:
        extras = created.extras or Extras()
        if created.upload is not None:
            extras = messages.extras(
                b"".join(uploads.read(self._streams.reader, place, *created.upload)), place.upload(created.upload[0])
            )
        return KnownSession(SessionMessage(_dated(created, message), message.seq), extras.batches(), extras.sealed)


def _checked(message: Stored, session: str) -> Created | Deleted:
    """Decodes the message of a session.

    Raises:
        Damaged: It is not as Affray wrote it, or is that of another session.
    """
    found = messages.session(message)
    if found.id != session:
        raise Damaged(f"the message of the session {session!r} is that of another", where=message.subject)
    return found


def _dated(created: Created, message: Stored) -> Created:
    if created.at is not None:
        return created
    return msgspec.structs.replace(created, at=message.at)


def nanoseconds(at: str) -> int:
    """Returns a time of the server as a number that sorts as the times do."""
    seconds, _, fraction = at.removesuffix("Z").partition(".")
    digits = "".join(each for each in seconds if each.isdecimal())
    return int(digits + fraction.ljust(9, "0")[:9])
