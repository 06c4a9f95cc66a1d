"""Checkpoints: a stream that keeps the last one of each session."""

import zlib

import msgspec

from ledger.errors import NoSuchSession
from ledger.stores.jetstream.messages import LARGEST, encode
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.jetstream.sessions import StoredSessions


class _PackedCheckpoint(msgspec.Struct, frozen=True, array_like=True):
    """A checkpoint, and where the log is read on from."""

    packed: bytes
    """The checkpoint, compressed."""
    entry: int
    """The number of the first entry of a message that the writer knew."""
    place: int
    """The number of that message in the stream."""


_decoder = msgspec.msgpack.Decoder(_PackedCheckpoint)


class Checkpoints:
    """Stores the checkpoints of sessions.

    Args:
        streams: The ledger's streams.
        sessions: Which sessions exist.
    """

    def __init__(self, streams: Streams, sessions: StoredSessions) -> None:
        self._streams = streams
        self._sessions = sessions

    def keep(self, session: str, checkpoint: bytes) -> None:
        """Stores a checkpoint in the place of the last one, unless it is too large for a message."""
        place, known = self._streams.names.place(session), self._sessions.known(session)
        packed = zlib.compress(checkpoint, 1)
        if len(packed) > LARGEST:
            return
        entry, at = known.marks.before(known.tip.head.seq if known.tip else 0)
        self._streams.writer.write([Message(place.checkpoint, encode(_PackedCheckpoint(packed, entry, at)))])
        try:
            self._sessions.look(session)
        except NoSuchSession:  # it was deleted meanwhile
            self._streams.purge(self._streams.names.checkpoints, place.checkpoint)
            raise

    def find(self, session: str) -> bytes | None:
        """Returns the checkpoint of a session, or what is in its place; None if there is none."""
        place, known = self._streams.names.place(session), self._sessions.look(session)
        message = self._streams.reader.last(self._streams.names.checkpoints, place.checkpoint)
        if message is None:
            return None
        try:
            found = _decoder.decode(message.payload)
            checkpoint = zlib.decompress(found.packed)
        except (msgspec.MsgspecError, zlib.error):
            return message.payload  # which the caller takes for that of another version
        if found.place:
            known.marks.add(found.entry, found.place)
        return checkpoint
