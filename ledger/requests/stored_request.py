"""Decodes the request of a stored line without decoding the rest of the line."""

import msgspec

from ledger.entry import StoredRequest


class _RequestOnly(msgspec.Struct, gc=False):
    request: StoredRequest | None = None


_request_only = msgspec.json.Decoder(_RequestOnly)


def request_of(line: bytes) -> StoredRequest | None:
    """Returns the request in an entry's line; None if the entry is not the first of a batch that has one.

    Raises:
        msgspec.DecodeError: The line is not an entry.
    """
    return _request_only.decode(line).request
