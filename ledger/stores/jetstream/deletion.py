"""Deleting sessions: what makes it final, and what is left to do then.

One batch ends the log and writes into the session's message who deleted it: from then on the session is gone for
everyone. The tombstone, in the one chain of the whole ledger, and the removal of the messages follow. If the process is
killed before they are done, the next one that asks for the session completes them.
"""

from contextlib import suppress

from ledger import tombstone
from ledger.stores.jetstream import messages
from ledger.stores.jetstream.messages import Deleted, LogEnd, Stone, encode
from ledger.stores.jetstream.servers.errors import NotSent, NotWritten
from ledger.stores.jetstream.servers.link import EXPECTED, NONE_YET
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.servers.writing import Conflict
from ledger.stores.store import Head
from ledger.tombstone import Deletion, TombstoneRecord


def deleted(session: str, deletion: Deletion, head: Head) -> Deleted:
    """Returns the message of a session that is deleted at its last entry.

    Raises:
        BadCommand: A text of the deletion could not be read back.
    """
    return Deleted(session, tombstone.make(session, deletion, head.seq, head.digest, None).line, is_complete=False)


def ending(place: SessionNames, deleted: Deleted, log: int, seq: int) -> tuple[Message, Message]:
    """Returns the messages that delete a session, if neither its log nor its message has changed.

    Args:
        place: The names of the session.
        deleted: The new message of the session.
        log: The number in the stream of the last message of the log; 0 if there is none.
        seq: The number in the stream of the session's message.
    """
    return (
        Message(place.log, encode(LogEnd()), {EXPECTED: str(log)}),
        Message(place.session, encode(deleted), {EXPECTED: str(seq)}),
    )


def complete(streams: Streams, deleted: Deleted, seq: int) -> Deleted:
    """Writes the tombstone of a deleted session, if that is not done yet, and removes its messages.

    Args:
        streams: The ledger's streams.
        deleted: The session's message.
        seq: The number of that message in its stream.

    Returns:
        The message that is there now.

    Raises:
        NotSent: No server answers; the session is gone nevertheless.
    """
    try:
        return _complete(streams, deleted, seq)
    except NotWritten as error:
        raise NotSent(str(error)) from error


def _complete(streams: Streams, deleted: Deleted, seq: int) -> Deleted:
    place = streams.names.place(deleted.id)
    line = _entomb(streams, deleted)
    for subject in (place.log, f"{place.keys}.*", f"{place.seals}.*", f"{place.parts}.*"):
        streams.purge(place.stream, subject)
    streams.purge(streams.names.checkpoints, place.checkpoint)
    done = Deleted(deleted.id, line, is_complete=True)
    with suppress(Conflict):  # another one has completed it
        streams.writer.write([Message(place.session, encode(done), {EXPECTED: str(seq)})])
    streams.purge(place.stream, place.session, keep=1)
    return done


def tombstones(streams: Streams) -> list[TombstoneRecord]:
    """Returns the tombstones of a ledger, in order."""
    last = streams.reader.last(streams.names.ledger, streams.names.tombstones)
    if last is None:
        return []
    scanned = streams.reader.scan(streams.names.ledger, streams.names.tombstones, 1, last.seq)
    return [_record(messages.stone(each)) for each in scanned]


def _entomb(streams: Streams, deleted: Deleted) -> bytes:
    """Writes the tombstone of a session unless it is there; returns its line."""
    provisional = tombstone.decode(deleted.line)
    deletion = Deletion(provisional.by, provisional.at, provisional.why)
    own = streams.names.tombstone_of(deleted.id)
    for _ in streams.attempts():
        last = streams.reader.last(streams.names.ledger, streams.names.tombstones)
        before = None if last is None else _record(messages.stone(last))
        made = tombstone.make(deleted.id, deletion, provisional.entries, bytes.fromhex(provisional.last), before)
        stone = Message(
            streams.names.tombstones,
            encode(Stone(made.number, made.line, made.digest)),
            {EXPECTED: str(last.seq if last else 0)},
        )
        with suppress(Conflict):
            streams.writer.write([Message(own, made.line, NONE_YET), stone])
        written = streams.reader.last(streams.names.ledger, own)
        if written is not None:
            return written.payload
    raise NotSent("other deletions were always faster")


def _record(stone: Stone) -> TombstoneRecord:
    return TombstoneRecord(stone.number, stone.line, stone.digest)
