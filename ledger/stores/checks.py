"""What every store checks alike before it writes, or instead of writing."""

from collections.abc import Iterable, Sequence

from ledger.asking import has_utf8
from ledger.chain import Record, command_of
from ledger.errors import BadCommand, Damaged, KeyReused
from ledger.request import request_of

_MOST = 2**32
"""More entries than a session can have."""


def check_text(text: object, where: str) -> None:
    """Refuses as an id, a key or a name what is no text, or has half a letter, which no store could give back.

    Any other text is one, also the empty one: who makes a request is asked for more by `ledger.asking`.

    Args:
        text: What was given.
        where: What it is to be: ``session``, ``key``, ``name``.

    Raises:
        BadCommand: It is none.
    """
    if not has_utf8(text):
        raise BadCommand(f"{text!r:.60} is no text", where=where, accepts="text that UTF-8 can hold")


def check_new(session: object, records: Sequence[Record], names: Iterable[object], keys: Iterable[object]) -> None:
    """See that a session can be begun so.

    Args:
        session: Its id.
        records: The first of its log; there may be none.
        names: Under which something is sealed beside it.
        keys: The idempotency keys of its records.

    Raises:
        AssertionError: See `check_numbers`.
        BadCommand: See `check_text`.
    """
    check_text(session, "session")
    for where, texts in (("name", names), ("key", keys)):
        for text in texts:
            check_text(text, where)
    if records:
        check_numbers(records, 0)


def check_more(session: object, records: Sequence[Record], expected: int, key: object) -> None:
    """See that records can be appended so.

    Args:
        session: The log's id.
        records: What is appended.
        expected: The last known entry.
        key: The idempotency key; None where there is none.

    Raises:
        AssertionError: See `check_numbers`.
        BadCommand: See `check_text`.
    """
    check_text(session, "session")
    if key is not None:
        check_text(key, "key")
    check_numbers(records, expected)


def check_numbers(records: Sequence[Record], expected: int) -> None:
    """See that records are numbered on from the last known entry.

    Raises:
        AssertionError: They are not, or there are none: the caller is wrong, not the user.
    """
    if not records:
        raise AssertionError("there is nothing to append")
    for seq, record in enumerate(records, expected + 1):
        if record.seq != seq:
            raise AssertionError(f"record {record.seq} stands where {seq} belongs")


def check_batch(key: str, first: object, count: object) -> None:
    """Refuses what is noted beside an idempotency key and cannot be a stretch of a log.

    Args:
        key: The idempotency key.
        first: The number of its first entry.
        count: How many entries it has.

    Raises:
        Damaged: They are no numbers from 1 on.
    """
    is_stretch = type(first) is int and type(count) is int and 0 < first < _MOST and 0 < count < _MOST
    if not is_stretch:
        raise Damaged(f"what was written under the key {key!r} cannot be found", where="key")


def check_repeat(key: str, stored: Sequence[Record], given: Sequence[Record]) -> Sequence[Record]:
    """Returns what stands under a key that comes a second time.

    The fingerprints of the requests are compared, and the commands only where a line binds none, as in older logs: a
    repeat may well have other times, dice or secrets, and what stands is what counts.

    Raises:
        KeyReused: It comes with another request.
    """
    if not _is_same(stored, given):
        raise KeyReused(f"the key {key!r} was used for another request (entry {stored[0].seq})", where="key")
    return stored


def _is_same(stored: Sequence[Record], given: Sequence[Record]) -> bool:
    old, new = request_of(stored[0].line), request_of(given[0].line)
    if old is not None and new is not None:
        return old.fingerprint == new.fingerprint
    return len(stored) == len(given) and all(
        command_of(before.line) == command_of(now.line) for before, now in zip(stored, given, strict=True)
    )
