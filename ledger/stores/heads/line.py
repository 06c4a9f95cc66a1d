"""Writes, reads and signs the lines of a heads file.

The first line describes the file; each other line is the head of a session at some time, or the deletion of a session.
A line is a JSON object. In a signed file its last member is ``mac``: HMAC-SHA-256, in hex, of the object without that
member, with a key that is derived from the host's key for this purpose only.
"""

import hmac
import re
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated

import msgspec

from ledger.entry import Who

FORMAT = 1
"""The version of the file's format."""
BEGINNING = b'{"heads":'
"""The first bytes of every heads file, which distinguish it from other files."""


class FirstLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: when and why the file was written."""

    heads: int
    at: str
    by: Who | None = None
    """The person who renewed the file; None if it was created by a commit."""
    why: str = ""


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A session's head after a commit."""

    at: str
    """The time of the line: RFC 3339 in UTC, to the millisecond."""
    session: str
    seq: Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
    """The number of the last entry; 0 for an empty log. For a deleted session, the number of its entries."""
    digest: str
    """The digest of that entry, in hex. For a deleted session, the digest of its tombstone."""
    deleted: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The number of the tombstone; 0 if the session is not deleted."""


class NewHead(msgspec.Struct, frozen=True, gc=False):
    """The new head of a session that a transaction is about to commit; fields as in `Mark`."""

    session: str
    seq: int
    digest: bytes
    deleted: int = 0


class HeadsLine(msgspec.Struct, frozen=True):
    """A line of the file."""

    number: int
    """Counted from 1."""
    raw: bytes
    content: FirstLine | Mark | None
    """The decoded content; None if the line is not readable."""
    mac: str = ""
    """The signature; empty if the line is not signed."""

    @property
    def is_torn(self) -> bool:
        """Whether the line may be incomplete because of a power failure."""
        return self.content is None and self.raw.startswith(b"{") and not self.raw.endswith(b"}")


_encoder = msgspec.json.Encoder()
_mark, _begun = msgspec.json.Decoder(Mark), msgspec.json.Decoder(FirstLine)
_SIGNED = re.compile(rb'(.*),"mac":"([0-9a-f]{64})"}', re.DOTALL)


class LineSigner:
    """Signs lines and verifies their signatures.

    Args:
        keys: The host's keys, from which the signing keys are derived: the last one signs, any of them verifies.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = [hmac.new(hmac.digest(key, b"affray heads", "sha256"), digestmod="sha256") for key in keys]

    def signed(self, plain: bytes) -> bytes:
        """Returns a line with its signature."""
        return b'%b,"mac":"%b"}' % (plain[:-1], _mac(self._keys[-1], plain).encode())

    def is_own(self, line: HeadsLine) -> bool:
        """Returns whether a line was signed with one of the keys."""
        found = _SIGNED.fullmatch(line.raw)
        if found is None:
            return False
        return any(hmac.compare_digest(_mac(key, found[1] + b"}"), line.mac) for key in self._keys)


def _mac(key: hmac.HMAC, plain: bytes) -> str:
    begun = key.copy()
    begun.update(plain)
    return begun.hexdigest()


def write(content: FirstLine | Mark, signer: LineSigner | None) -> bytes:
    """Returns the bytes of a line, without a line end."""
    plain = _encoder.encode(content)
    return plain if signer is None else signer.signed(plain)


def mark(noted: NewHead, at: str) -> Mark:
    """Returns the content of a line for a new head."""
    return Mark(at, noted.session, noted.seq, noted.digest.hex(), noted.deleted)


def read(raw: bytes) -> Iterator[HeadsLine]:
    """Yields the lines of a file; empty ones are skipped but counted."""
    for number, each in enumerate(raw.replace(b"\0", b"").split(b"\n"), 1):
        if each.strip():
            yield _line(number, each)


def is_unbegun(raw: bytes) -> bool:
    """Returns whether a file is empty or has only an incomplete first line, as after a crash.

    Args:
        raw: The content of the file, or at least its first line and a byte more.
    """
    first = raw.replace(b"\0", b"").strip(b"\n")
    is_torn = first.startswith(BEGINNING) and b"\n" not in first and not first.endswith(b"}")
    return is_torn or BEGINNING.startswith(first)


def _line(number: int, raw: bytes) -> HeadsLine:
    found = _SIGNED.fullmatch(raw)
    plain, mac = (found[1] + b"}", found[2].decode()) if found else (raw, "")
    try:
        content = _begun.decode(plain) if plain.startswith(BEGINNING) else _mark.decode(plain)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return HeadsLine(number, raw, None)
    return HeadsLine(number, raw, content, mac) if _encoder.encode(content) == plain else HeadsLine(number, raw, None)


def now() -> str:
    """Returns the current time as RFC 3339 in UTC, to the millisecond."""
    milliseconds = time.time_ns() // 1_000_000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03}Z"


@lru_cache(maxsize=1)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
