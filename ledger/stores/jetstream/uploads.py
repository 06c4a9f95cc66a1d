"""Values that are too large for one message: stored in parts, which count only once a message that names them is.

The message that names an upload is stored in the same batch as an empty last message of the upload's subject, which
marks it as complete. `sweep` removes uploads that have no such message: their writer was killed or refused.
"""

import time
from calendar import timegm
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from ledger.chain import Record
from ledger.errors import Damaged
from ledger.stores.jetstream.in_order import without_gaps
from ledger.stores.jetstream.messages import Uploaded, encode
from ledger.stores.jetstream.servers.errors import Answered, NoAnswer, NotSent
from ledger.stores.jetstream.servers.names import SessionNames
from ledger.stores.jetstream.servers.reading import StreamReader
from ledger.stores.jetstream.servers.sending import Message
from ledger.stores.jetstream.servers.stored import Stored
from ledger.stores.jetstream.servers.streams import Streams
from ledger.stores.warning import warn

PART = 256_000
"""Bytes of a part."""
_AT_ONCE = 2
"""The number of parts that are read at once, and are in memory together."""
_LENGTH = 4
"""Bytes of the length before each record."""
_ABANDONED = 24 * 3600
"""The age in seconds of an upload that is abandoned."""

_record = msgspec.msgpack.Decoder(tuple[bytes, bytes, bytes])


def closing(place: SessionNames, name: str) -> Message:
    """Returns the message that marks an upload as complete."""
    return Message(place.upload(name), b"")


def upload(streams: Streams, place: SessionNames, value: bytes) -> tuple[str, tuple[int, ...]]:
    """Stores a value in parts.

    Returns:
        The last token of the subject of the parts; the number of each part in the stream.
    """
    name = streams.link.unique()
    parts = range(0, len(value), PART)
    return name, tuple(_store(streams, place.upload(name), value[start : start + PART]) for start in parts)


def upload_records(
    streams: Streams, place: SessionNames, records: Sequence[Record], key: str | None, keyed: int
) -> Uploaded:
    """Stores the entries of an append in parts; returns the message that makes them count."""
    name = streams.link.unique()
    parts: list[tuple[int, int, int]] = []
    buffer, first, start = bytearray(), 0, 0
    for record in records:
        if not first:
            first, start = record.seq, len(buffer)
        raw = encode((record.line, record.secret, record.digest))
        buffer += len(raw).to_bytes(_LENGTH, "big") + raw
        while len(buffer) >= PART:
            parts.append((_store(streams, place.upload(name), bytes(buffer[:PART])), first, start))
            del buffer[:PART]
            first = 0
    if buffer:
        parts.append((_store(streams, place.upload(name), bytes(buffer)), first, start))
    return Uploaded(records[0].seq, len(records), records[-1].digest, name, tuple(parts), key, keyed)


def read(reader: StreamReader, place: SessionNames, name: str, parts: Sequence[int]) -> Iterator[bytes]:
    """Yields the parts of a value.

    Raises:
        Damaged: A part is missing.
    """
    left = deque(parts)

    def next_of(message: Stored) -> bytes | None:
        if left and message.seq > left[0]:
            return None
        return message.payload

    numbers = (parts[0], parts[-1]) if parts else (1, 0)
    for seq, payload, was_lost in without_gaps(reader, place, place.upload(name), numbers, next_of, most=_AT_ONCE):
        if was_lost:
            warn(__name__, "a server has lost a part of %s, which another one has", place.log)
        if left and seq == left[0]:  # not one that was stored again after a lost answer
            left.popleft()
            yield payload
    if left:
        raise Damaged(f"message {left[0]} is not there", where=place.stream)


def read_records(reader: StreamReader, place: SessionNames, uploaded: Uploaded, after: int) -> Iterator[Record]:
    """Yields the entries of an upload with `after` < seq, without reading parts that have none of them."""
    begun = [index for index, (_, first, _) in enumerate(uploaded.parts) if 0 < first <= max(after + 1, uploaded.first)]
    if not begun:
        raise Damaged(f"entry {after + 1} is in no part", where=place.stream)
    _, seq, start = uploaded.parts[begun[-1]]
    buffer = bytearray()
    for part in read(reader, place, uploaded.upload, [number for number, _, _ in uploaded.parts[begun[-1] :]]):
        buffer += part
        while (end := _end_of_record(buffer, start)) is not None:
            if seq > after:
                yield _decoded(seq, buffer, start + _LENGTH, end)
            seq, start = seq + 1, end
        del buffer[:start]
        start = 0


def sweep(streams: Streams) -> int:
    """Removes uploads that were begun more than a day ago and do not count; returns how many."""
    removed = 0
    for shard, stream in enumerate(streams.names.logs):
        for message in streams.reader.last_of_each(stream, streams.names.subject("part", shard, "*", "*")):
            if message.payload and _is_abandoned(message.at):
                streams.purge(stream, message.subject)
                removed += 1
    return removed


def discard(streams: Streams, place: SessionNames, messages: Sequence[Message]) -> None:
    """Removes the uploads that messages would have completed, which were not written."""
    for each in messages:
        if each.subject.startswith(place.upload("")):
            with suppress(Answered, NoAnswer, NotSent):
                streams.purge(place.stream, each.subject)


def _store(streams: Streams, subject: str, part: bytes) -> int:
    """Stores a part, again after a lost answer: a part that is there twice is named once."""
    return streams.writer.write([Message(subject, part)])


def _end_of_record(buffer: bytearray, start: int) -> int | None:
    """Returns where the record ends that begins at `start`; None if it is not complete."""
    behind = start + _LENGTH
    end = behind + int.from_bytes(buffer[start:behind], "big")
    return end if behind <= len(buffer) and end <= len(buffer) else None


def _decoded(seq: int, buffer: bytearray, start: int, end: int) -> Record:
    try:
        with memoryview(buffer) as view:  # a record may be large, and is not copied
            return Record(seq, *_record.decode(view[start:end]))
    except msgspec.MsgspecError as error:
        raise Damaged(f"entry {seq} is not as Affray wrote it: {error}", where=f"entry {seq}") from error


def _is_abandoned(at: str) -> bool:
    return time.time() - timegm(time.strptime(at[:19], "%Y-%m-%dT%H:%M:%S")) > _ABANDONED
