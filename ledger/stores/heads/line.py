"""One line of a heads file: a session's head at a time, or a session's deletion; and the first line of the file.

A line is a JSON object. Where the file is signed its last member is ``mac``: HMAC-SHA-256, in hex, of the object
without that member, with a key derived from the host's for this purpose alone.
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
"""The version of the file."""
BEGINNING = b'{"heads":'
"""How a heads file begins, by which it is told from other files."""


class Begun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: since when there are heads, and why the file was begun."""

    heads: int
    at: str
    by: Who | None = None
    """Who had it written anew; None where it was begun by itself."""
    why: str = ""


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A session's head after a commit."""

    at: str
    """When it was written: RFC 3339 in UTC, to the millisecond."""
    session: str
    seq: Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
    """The number of the last entry; 0 of an empty log. Of a deleted session: how many entries it had."""
    digest: str
    """Of that entry, in hex. Of a deleted session: its tombstone's."""
    deleted: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The number of the tombstone; 0 where the session is not deleted."""


class Noted(msgspec.Struct, frozen=True, gc=False):
    """What a transaction has made of a session, before it is committed; members as in `Mark`."""

    session: str
    seq: int
    digest: bytes
    deleted: int = 0


class Line(msgspec.Struct, frozen=True):
    """A line as it stands in the file."""

    number: int
    """Counted from 1."""
    raw: bytes
    said: Begun | Mark | None
    """None where it cannot be read."""
    mac: str = ""
    """Empty where it is not signed."""

    @property
    def is_torn(self) -> bool:
        """Whether it may be the beginning of a line that was never finished, such as when the power failed."""
        return self.said is None and self.raw.startswith(b"{") and not self.raw.endswith(b"}")


_encoder = msgspec.json.Encoder()
_mark, _begun = msgspec.json.Decoder(Mark), msgspec.json.Decoder(Begun)
_SIGNED = re.compile(rb'(.*),"mac":"([0-9a-f]{64})"}', re.DOTALL)


class Signer:
    """Signs lines, and knows its own.

    Args:
        keys: The host's: the last one signs, any of them is believed. They are not used themselves.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = [hmac.new(hmac.digest(key, b"affray heads", "sha256"), digestmod="sha256") for key in keys]

    def signed(self, plain: bytes) -> bytes:
        """Returns a line with its signature."""
        return b'%b,"mac":"%b"}' % (plain[:-1], _mac(self._keys[-1], plain).encode())

    def is_own(self, line: Line) -> bool:
        """Whether a signed line was signed with one of the keys."""
        found = _SIGNED.fullmatch(line.raw)
        if found is None:
            return False
        return any(hmac.compare_digest(_mac(key, found[1] + b"}"), line.mac) for key in self._keys)


def _mac(key: hmac.HMAC, plain: bytes) -> str:
    begun = key.copy()
    begun.update(plain)
    return begun.hexdigest()


def write(said: Begun | Mark, signer: Signer | None) -> bytes:
    """Returns a line, without a line end."""
    plain = _encoder.encode(said)
    return plain if signer is None else signer.signed(plain)


def mark(noted: Noted, at: str) -> Mark:
    """Returns what is written of a transaction's session."""
    return Mark(at, noted.session, noted.seq, noted.digest.hex(), noted.deleted)


def read(raw: bytes) -> Iterator[Line]:
    """Returns the lines of a file; empty ones are passed over but counted."""
    for number, each in enumerate(raw.replace(b"\0", b"").split(b"\n"), 1):
        if each.strip():
            yield _line(number, each)


def is_unbegun(raw: bytes) -> bool:
    """Whether nothing stands in a file yet, or only a first line that was never finished, as after a crash.

    Args:
        raw: What stands in it, or more than its first line.
    """
    first = raw.replace(b"\0", b"").strip(b"\n")
    is_torn = first.startswith(BEGINNING) and b"\n" not in first and not first.endswith(b"}")
    return is_torn or BEGINNING.startswith(first)


def _line(number: int, raw: bytes) -> Line:
    found = _SIGNED.fullmatch(raw)
    plain, mac = (found[1] + b"}", found[2].decode()) if found else (raw, "")
    try:
        said = _begun.decode(plain) if plain.startswith(BEGINNING) else _mark.decode(plain)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Line(number, raw, None)
    return Line(number, raw, said, mac) if _encoder.encode(said) == plain else Line(number, raw, None)


def now() -> str:
    """Returns the time as a line has it: RFC 3339 in UTC, to the millisecond."""
    milliseconds = time.time_ns() // 1_000_000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03}Z"


@lru_cache(maxsize=1)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
