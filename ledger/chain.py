"""Digests and salted leaves: link, verify, redact.

    leaf       = SHA-256(00 salt body)          body: the command, an event or the request, as it stands in the line
    commitment = SHA-256(03 number-of-events leaf leaf …)      in lines of shapes 1 and 2: SHA-256(01 leaf leaf …)
    digest     = SHA-256(02 previous-digest header commitment)

The header is the line up to its command: shape, seq, after, at, by, rules version, origin. A line is header, command,
events and, in the first entry of a batch with an idempotency key, the request: a line with one byte more is refused, so
no byte lies outside the digest. The first digest continues from one that binds the session's id. Salts are cut from
SHAKE-256 of the entry's secret, so showing one salt shows no other, and a hidden leaf cannot be guessed: a seat that
may see a part of an entry verifies the whole chain. A chain proves order to those who hold an earlier digest. There is
no randomness here: secrets are passed in.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256, shake_256
from struct import unpack

import msgspec

from ledger.errors import Broken, Unreadable

SECRET = 16
"""Bytes of an entry's secret, and of each salt."""
REQUEST = -1
"""The part of an entry that is its request; 0 is its command, then its events."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """An entry as it is stored: its line, the secret of its salts, its digest."""

    seq: int
    line: bytes
    secret: bytes
    digest: bytes


FENCED = 3
"""The first shape whose digest binds where the events end."""

_NONE = msgspec.Raw()
"""In the place of a request, where an entry has none."""


class _Leaves(msgspec.Struct, gc=False):
    v: int
    seq: int
    command: msgspec.Raw
    events: list[msgspec.Raw]
    request: msgspec.Raw = _NONE

    @property
    def fence(self) -> bytes:
        """What the commitment begins with: from shape 3 on, where the events end."""
        return b"\x03" + len(self.events).to_bytes(4, "big") if self.v >= FENCED else b"\x01"

    @property
    def bodies(self) -> tuple[msgspec.Raw, ...]:
        """The parts that become leaves, in their order: command, events, request."""
        return (self.command, *self.events, self.request) if self.request else (self.command, *self.events)


class _Asked(msgspec.Struct, gc=False):
    command: msgspec.Raw


class _Exported(_Leaves, gc=False, kw_only=True):
    digest: str
    secret: str = ""
    salts: list[str | None] = []


_LEAF, _SALTS = sha256(b"\x00"), shake_256(b"affray salts ")
"""Begun once and only ever copied, which is faster than to begin anew."""

_leaves = msgspec.json.Decoder(_Leaves)
_asked = msgspec.json.Decoder(_Asked)
_exported = msgspec.json.Decoder(_Exported)


def genesis(session: str) -> bytes:
    """What the first entry's digest continues from."""
    return sha256(b"affray session " + session.encode()).digest()


def salts(secret: bytes, count: int) -> tuple[bytes, ...]:
    """Returns the salts of an entry's parts: command, events, request."""
    stream = _SALTS.copy()
    stream.update(secret)
    return unpack(f"{SECRET}s" * count, stream.digest(SECRET * count))


def leaf(salt: bytes, body: bytes) -> bytes:
    """The digest that stands for one part."""
    digest = _LEAF.copy()
    digest.update(salt + body)
    return digest.digest()


def command_of(line: bytes) -> bytes:
    """The command of an entry, as it stands in the line.

    Raises:
        Unreadable: It is no entry.
    """
    try:
        return bytes(_asked.decode(line).command)
    except msgspec.DecodeError as error:
        raise Unreadable(f"this is no entry: {error}", where="line") from error


def seal(previous: bytes, line: bytes, secret: bytes) -> bytes:
    """Returns the digest of an entry that follows on `previous`.

    Raises:
        msgspec.DecodeError: The line is no JSON object with a command and events.
        Unreadable: It has more than header, command, events and request, or has them in another order.
    """
    return _sealed(previous, line, secret, _leaves.decode(line))


def _sealed(previous: bytes, line: bytes, secret: bytes, parts: _Leaves) -> bytes:
    header, bodies = _header(line), parts.bodies
    if _line(header, parts) + b"}" != line:
        raise Unreadable("it has something that does not belong there", where="line")
    return _link(previous, header, parts.fence, map(leaf, salts(secret, len(bodies)), bodies))


def check(records: Iterable[Record], previous: bytes, after: int = 0) -> Iterator[Record]:
    """Pass records on, each verified.

    Args:
        records: In their order, from entry `after` + 1 on.
        previous: The digest they continue from.
        after: The number of the entry before them.

    Raises:
        Broken: At the first that is missing, out of place or altered.
    """
    expected = after
    for record in records:
        expected += 1
        if record.seq != expected:
            raise Broken(f"entry {expected} is missing", seq=expected)
        try:
            parts = _leaves.decode(record.line)
            digest = _sealed(previous, record.line, record.secret, parts)
        except (msgspec.DecodeError, Unreadable, TypeError) as error:
            raise Broken(f"entry {expected} is not readable: {error}", seq=expected) from error
        if digest != record.digest or parts.seq != expected:
            raise Broken(f"entry {expected} is not what was recorded, or its place is not", seq=expected)
        previous = digest
        yield record


# -------------------------------------------------------------------------------- outside the store


def export(record: Record, hidden: Sequence[int] = ()) -> bytes:
    """Returns a line for outside, with what it takes to verify it.

    Args:
        record: The entry as stored.
        hidden: The parts that are replaced by their leaves: 0 is the command, then the events, `REQUEST` the request.
    """
    parts = _leaves.decode(record.line) if hidden else None
    places = [] if parts is None else [_place(part, parts) for part in hidden if part != REQUEST or parts.request]
    if parts is None or not places:
        return record.line[:-1] + b',"secret":"%s","digest":"%s"}' % (_hex(record.secret), _hex(record.digest))
    bodies = parts.bodies
    salted = salts(record.secret, len(bodies))
    shown = [
        msgspec.Raw(b'"%s"' % _hex(leaf(salt, body))) if index in places else msgspec.Raw(body)
        for index, (salt, body) in enumerate(zip(salted, bodies, strict=True))
    ]
    keys = [b"null" if index in places else b'"%s"' % _hex(salt) for index, salt in enumerate(salted)]
    request = shown.pop() if parts.request else _NONE
    visible = _Leaves(parts.v, parts.seq, shown[0], shown[1:], request)
    return b'%s,"salts":[%s],"digest":"%s"}' % (
        _line(_header(record.line), visible), b",".join(keys), _hex(record.digest),
    )  # fmt: skip


def _place(part: int, parts: _Leaves) -> int:
    """The place of a part among the leaves."""
    return len(parts.events) + 1 if part == REQUEST else part


def check_exported(lines: Iterable[bytes], session: str) -> Iterator[bytes]:
    """Pass exported lines on, each verified, whatever was hidden in them.

    Raises:
        Broken: At the first that is missing, out of place or altered.
    """
    previous = genesis(session)
    for expected, line in enumerate(lines, 1):
        try:
            parts = _exported.decode(line)
            leaves = list(_exported_leaves(parts))
            if _rebuilt(line, parts) != line:
                raise Unreadable("it has something that does not belong there", where="line")
            digest = _link(previous, _header(line), parts.fence, leaves)
        except (ValueError, Unreadable) as error:  # a ValueError, too, is what cannot be decoded
            raise Broken(f"line {expected + 1} cannot be checked: {_reason(error)}", seq=expected) from error
        if parts.seq != expected:
            raise Broken(f"entry {expected} is missing", seq=expected)
        if digest.hex() != parts.digest:
            raise Broken(f"entry {expected} is not what was recorded, or its place is not", seq=expected)
        previous = digest
        yield line


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, Unreadable) else str(error)


def imported(line: bytes) -> Record:
    """The record of an exported line in which nothing is hidden.

    Raises:
        Unreadable: Something is hidden in it, or it is no exported line.
    """
    try:
        parts = _exported.decode(line)
        secret, digest = bytes.fromhex(parts.secret), bytes.fromhex(parts.digest)
    except ValueError as error:
        raise Unreadable(f"this is no exported entry: {error}", where="line") from error
    tail = b',"secret":"%s","digest":"%s"}' % (_hex(secret), _hex(digest))
    if len(secret) != SECRET or not line.endswith(tail):
        raise Unreadable("parts of this entry are hidden: it was exported for one seat", where=f"entry {parts.seq}")
    return Record(parts.seq, line[: -len(tail)] + b"}", secret, digest)


def _exported_leaves(parts: _Exported) -> Iterator[bytes]:
    bodies = parts.bodies
    known: Sequence[bytes | None]
    if parts.secret:
        known = salts(_unhex(parts.secret), len(bodies))
    else:
        known = [_unhex(salt) if salt is not None else None for salt in parts.salts]
    if len(known) != len(bodies):
        what = f"{len(known)} salts for {len(bodies)} parts" if known else "neither a secret nor salts"
        raise Unreadable(f"it has {what}", where="line")
    for salt, body in zip(known, bodies, strict=True):
        yield _unhex(bytes(body).decode().strip('"')) if salt is None else leaf(salt, body)


def _rebuilt(line: bytes, parts: _Exported) -> bytes:
    """The line as it must be to the byte, given its parts."""
    proof = msgspec.json.encode(parts.secret or parts.salts)
    name = b"secret" if parts.secret else b"salts"
    return b'%s,"%s":%s,"digest":"%s"}' % (_line(_header(line), parts), name, proof, parts.digest.encode())


def _line(header: bytes, parts: _Leaves) -> bytes:
    """The line that these parts make, but for what comes after them and its end."""
    line = b'%s,"command":%s,"events":[%s]' % (header, parts.command, b",".join(parts.events))
    return b'%s,"request":%s' % (line, parts.request) if parts.request else line


def _unhex(text: str) -> bytes:
    with suppress(ValueError):
        raw = bytes.fromhex(text)
        if raw.hex() == text:
            return raw
    raise Unreadable("secrets, salts and digests are written in pairs of 0-9 and a-f", where="line")


def _header(line: bytes) -> bytes:
    # A quote inside a JSON string is escaped, so these bytes stand only where the command begins.
    end = line.find(b',"command":')
    if end < 0:
        raise Unreadable("this is no entry: it has no command", where="line")
    return line[:end]


def _link(previous: bytes, header: bytes, fence: bytes, leaves: Iterable[bytes]) -> bytes:
    commitment = sha256(fence + b"".join(leaves)).digest()
    return sha256(b"\x02" + previous + header + commitment).digest()


def _hex(raw: bytes) -> bytes:
    return raw.hex().encode()
