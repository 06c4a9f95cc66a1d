"""Checks that all stores make before they write."""

from collections.abc import Iterable, Sequence

from ledger.chain import Record, command_of
from ledger.errors import BadCommand, Damaged, KeyReused, ReadOnly
from ledger.requests.command_checks import has_utf8
from ledger.requests.stored_request import request_of

_MOST = 2**32
"""An upper bound of the number of entries in a session."""


def check_writable(name: str, *, only_read: bool) -> None:
    """Refuses a write into a store that was opened only to be read.

    Raises:
        ReadOnly: It was.
    """
    if only_read:
        raise ReadOnly(f"{name} was opened only to be read", where=name)


def check_text(text: object, where: str) -> None:
    """Rejects an id, a key or a name that is not text, or has a lone surrogate, which no store could return.

    Any other text is accepted, also the empty one: `ledger.requests.command_checks` checks requests more strictly.

    Args:
        text: The value to check.
        where: The meaning of the value: ``session``, ``key``, ``name``.

    Raises:
        BadCommand: The value is not text that UTF-8 can encode.
    """
    if not has_utf8(text):
        raise BadCommand(f"{text!r:.60} is not text", where=where, accepts="text that UTF-8 can hold")


def check_new(session: object, records: Sequence[Record], names: Iterable[object], keys: Iterable[object]) -> None:
    """Checks the arguments of `Store.create`.

    Args:
        session: The id of the new session.
        records: The first records of its log; may be empty.
        names: The names of the sealed secrets.
        keys: The idempotency keys of the records.

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
    """Checks the arguments of `Store.append`.

    Args:
        session: The id of the session.
        records: The records to append.
        expected: The number of the last entry that the writer knows.
        key: The idempotency key, if any.

    Raises:
        AssertionError: See `check_numbers`.
        BadCommand: See `check_text`.
    """
    check_text(session, "session")
    if key is not None:
        check_text(key, "key")
    check_numbers(records, expected)


def check_numbers(records: Sequence[Record], expected: int) -> None:
    """Checks that records are numbered from the last known entry on.

    Raises:
        AssertionError: They are not, or there are none: a bug of the caller, not a mistake of the user.
    """
    if not records:
        raise AssertionError("there is nothing to append")
    for seq, record in enumerate(records, expected + 1):
        if record.seq != seq:
            raise AssertionError(f"record {record.seq} is in the place of record {seq}")


def check_batch(key: str, first: object, count: object) -> None:
    """Rejects a stored batch of an idempotency key that cannot be a range of entries.

    Args:
        key: The idempotency key.
        first: The number of the batch's first entry.
        count: The number of entries.

    Raises:
        Damaged: `first` or `count` is not a number from 1 on.
    """
    is_range = type(first) is int and type(count) is int and 0 < first < _MOST and 0 < count < _MOST
    if not is_range:
        raise Damaged(f"the entries of the key {key!r} cannot be found", where="key")


def check_repeat(key: str, stored: Sequence[Record], given: Sequence[Record]) -> Sequence[Record]:
    """Returns the stored records of a repeated request.

    The fingerprints of the requests are compared. If a line has none, as in older logs, the commands are compared.
    Times, drawn dice and secrets of a repeat may differ; the stored ones count.

    Raises:
        KeyReused: The key was used for another request.
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
