"""The hash chain of a log: seals, verifies and redacts entries by digests of salted leaves.

    leaf       = SHA-256(00 salt body)          body: the bytes of the command, an event or the request in the line
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
"""The number of an entry's request among its parts; 0 is its command, then its events."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """An entry as it is stored: its line, the secret of its salts, its digest."""

    seq: int
    line: bytes
    secret: bytes
    digest: bytes


FENCED = 3
"""The first shape whose digest binds where the events end."""

_NONE = msgspec.Raw()
"""The value of `_Leaves.request` for an entry without a request."""


class _Leaves(msgspec.Struct, gc=False):
    """The members of an entry's line that its digest covers."""

    v: int
    seq: int
    command: msgspec.Raw
    events: list[msgspec.Raw]
    request: msgspec.Raw = _NONE

    @property
    def commitment_prefix(self) -> bytes:
        """The bytes hashed before the leaves: from version 3 of the line on they contain the number of events."""
        return b"\x03" + len(self.events).to_bytes(4, "big") if self.v >= FENCED else b"\x01"

    @property
    def bodies(self) -> tuple[msgspec.Raw, ...]:
        """The parts that become leaves, in their order: command, events, request."""
        return (self.command, *self.events, self.request) if self.request else (self.command, *self.events)


class _CommandOnly(msgspec.Struct, gc=False):
    """The one member of an entry's line that `command_of` reads."""

    command: msgspec.Raw


class _Exported(_Leaves, gc=False, kw_only=True):
    """The members of an exported line: those of an entry, and what its verification needs."""

    digest: str
    secret: str = ""
    salts: list[str | None] = []


_LEAF, _SALTS = sha256(b"\x00"), shake_256(b"affray salts ")
"""Hash objects that are only ever copied, which is faster than creating new ones."""

_leaves = msgspec.json.Decoder(_Leaves)
_command_only = msgspec.json.Decoder(_CommandOnly)
_exported = msgspec.json.Decoder(_Exported)


def genesis(session: str) -> bytes:
    """Returns the digest that the first entry of a session continues from."""
    return sha256(b"affray session " + session.encode()).digest()


def salts(secret: bytes, count: int) -> tuple[bytes, ...]:
    """Returns the salts of an entry's parts: command, events, request."""
    stream = _SALTS.copy()
    stream.update(secret)
    return unpack(f"{SECRET}s" * count, stream.digest(SECRET * count))


def leaf(salt: bytes, body: bytes) -> bytes:
    """Returns the salted digest of one part."""
    digest = _LEAF.copy()
    digest.update(salt + body)
    return digest.digest()


def _leaves_of(secret: bytes, bodies: Sequence[bytes]) -> bytes:
    """Returns the leaves of an entry's parts, one after the other."""
    leaves = []
    for salt, body in zip(salts(secret, len(bodies)), bodies, strict=True):
        digest = _LEAF.copy()
        digest.update(salt + body)
        leaves.append(digest.digest())
    return b"".join(leaves)


def command_of(line: bytes) -> bytes:
    """Returns the bytes of the command in an entry's line.

    Raises:
        Unreadable: The line is not an entry.
    """
    try:
        return bytes(_command_only.decode(line).command)
    except msgspec.DecodeError as error:
        raise Unreadable(f"this is not an entry: {error}", where="line") from error


def seal(previous: bytes, line: bytes, secret: bytes) -> bytes:
    """Returns the digest of an entry that follows on `previous`.

    Raises:
        msgspec.DecodeError: The line is not a JSON object with a command and events.
        Unreadable: The line has more than header, command, events and request, or has them in another order.
    """
    return _sealed(previous, line, secret, _leaves.decode(line))


def _sealed(previous: bytes, line: bytes, secret: bytes, parts: _Leaves) -> bytes:
    """Returns the digest of an entry whose line is already parsed."""
    header, bodies = _header(line), parts.bodies
    if _line(header, parts) + b"}" != line:
        raise Unreadable("it has unexpected content", where="line")
    return _link(previous, header, parts.commitment_prefix, _leaves_of(secret, bodies))


def check(records: Iterable[Record], previous: bytes, after: int = 0) -> Iterator[Record]:
    """Yields the records, each verified.

    Args:
        records: The records in order, from entry `after` + 1 on.
        previous: The digest that they continue from.
        after: The number of the entry before them.

    Raises:
        Broken: At the first one that is missing, out of order or altered.
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
            raise Broken(f"entry {expected} was altered or moved", seq=expected)
        previous = digest
        yield record


# -------------------------------------------------------------------------------- outside the store


def export(record: Record, hidden: Sequence[int] = ()) -> bytes:
    """Returns the exported line of an entry, which contains what its verification needs.

    Args:
        record: The entry as stored.
        hidden: The parts to replace by their leaves: 0 is the command, then the events, `REQUEST` the request.
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
    """Returns the index of a part among the leaves."""
    return len(parts.events) + 1 if part == REQUEST else part


def check_exported(lines: Iterable[bytes], session: str) -> Iterator[bytes]:
    """Yields exported lines, each verified, whichever parts are hidden.

    Raises:
        Broken: At the first one that is missing, out of order or altered.
    """
    previous = genesis(session)
    for expected, line in enumerate(lines, 1):
        try:
            parts = _exported.decode(line)
            leaves = b"".join(_exported_leaves(parts))
            if _rebuilt(line, parts) != line:
                raise Unreadable("it has unexpected content", where="line")
            digest = _link(previous, _header(line), parts.commitment_prefix, leaves)
        except (ValueError, Unreadable) as error:  # msgspec's decoding errors are ValueErrors
            raise Broken(f"line {expected + 1} cannot be verified: {_reason(error)}", seq=expected) from error
        if parts.seq != expected:
            raise Broken(f"entry {expected} is missing", seq=expected)
        if digest.hex() != parts.digest:
            raise Broken(f"entry {expected} was altered or moved", seq=expected)
        previous = digest
        yield line


def _reason(error: Exception) -> str:
    """Returns the reason of an error; of a refusal its message alone."""
    return error.message if isinstance(error, Unreadable) else str(error)


def imported(line: bytes) -> Record:
    """Returns the record of an exported line in which nothing is hidden.

    Raises:
        Unreadable: A part is hidden, or the text is not an exported line.
    """
    try:
        parts = _exported.decode(line)
        secret, digest = bytes.fromhex(parts.secret), bytes.fromhex(parts.digest)
    except ValueError as error:
        raise Unreadable(f"this is not an exported entry: {error}", where="line") from error
    tail = b',"secret":"%s","digest":"%s"}' % (_hex(secret), _hex(digest))
    if len(secret) != SECRET or not line.endswith(tail):
        raise Unreadable("parts of this entry are hidden: it was exported for one seat", where=f"entry {parts.seq}")
    return Record(parts.seq, line[: -len(tail)] + b"}", secret, digest)


def _exported_leaves(parts: _Exported) -> Iterator[bytes]:
    """Yields the leaves of an exported entry; in place of a hidden part the line has its leaf."""
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
    """Returns the only line, to the byte, that has these parts."""
    proof = msgspec.json.encode(parts.secret or parts.salts)
    name = b"secret" if parts.secret else b"salts"
    return b'%s,"%s":%s,"digest":"%s"}' % (_line(_header(line), parts), name, proof, parts.digest.encode())


def _line(header: bytes, parts: _Leaves) -> bytes:
    """Returns the line of these parts, without its closing brace and without the members of an export."""
    line = b'%s,"command":%s,"events":[%s]' % (header, parts.command, b",".join(parts.events))
    return b'%s,"request":%s' % (line, parts.request) if parts.request else line


def _unhex(text: str) -> bytes:
    """Returns the bytes that a text states in lower-case hexadecimal digits."""
    with suppress(ValueError):
        raw = bytes.fromhex(text)
        if raw.hex() == text:
            return raw
    raise Unreadable("secrets, salts and digests are written in pairs of 0-9 and a-f", where="line")


def _header(line: bytes) -> bytes:
    """Returns what precedes the command in the line of an entry."""
    # A quote inside a JSON string is escaped, so these bytes stand only where the command begins.
    end = line.find(b',"command":')
    if end < 0:
        raise Unreadable("this is not an entry: it has no command", where="line")
    return line[:end]


def _link(previous: bytes, header: bytes, prefix: bytes, leaves: bytes) -> bytes:
    """Returns the digest of an entry from the previous digest, its header and its leaves, one after the other."""
    commitment = sha256(prefix + leaves).digest()
    return sha256(b"\x02" + previous + header + commitment).digest()


def _hex(raw: bytes) -> bytes:
    return raw.hex().encode()
