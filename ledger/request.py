"""Reads the request that a stored line binds, without the rest of the line."""

import msgspec

from ledger.entry import Request


class _Bound(msgspec.Struct, gc=False):
    request: Request | None = None


_bound = msgspec.json.Decoder(_Bound)


def request_of(line: bytes) -> Request | None:
    """Returns the request that an entry is the first to answer; None where its line binds none.

    Raises:
        msgspec.DecodeError: It is no line of an entry.
    """
    return _bound.decode(line).request
