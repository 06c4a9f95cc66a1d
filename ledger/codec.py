"""Encodes an entry as one canonical JSON line, and decodes it. The line is stored, hashed, exported and streamed.

Canonical: keys of plain objects sorted, fields in their declared order, no white space, UTF-8. Older shapes are
upcast on reading and never rewritten. A newer shape is refused, because its meaning is unknown.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

import msgspec

from ledger.entry import Entry
from ledger.errors import Newer, Unreadable
from ledger.events import EVENTS, Event
from ledger.requests.command_checks import check_command as check_command  # noqa: PLC0414  re-exported: a command is checked before it is encoded

SHAPE = 3
"""The shape of the lines written today; `ledger/README.md` lists all shapes."""

SAME = frozenset({1, 2, SHAPE})
"""Shapes that the decoder reads without an upcast: the fields that a newer shape added have defaults."""

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts a decoded line to the next newer shape."""

UPCASTS: Mapping[int, Upcast] = {}
"""The conversion from each older shape to the next."""

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Entry)


class _Version(msgspec.Struct):
    v: int


def shape_of(line: bytes | str) -> int:
    """Returns the shape of a line, of an entry or of a tombstone, without decoding the rest.

    Raises:
        Unreadable: The line has no shape.
    """
    try:
        return msgspec.json.decode(line, type=_Version).v
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"this is not an entry: {error}", where="line") from error


def canonical(value: Any) -> bytes:
    """Returns a plain value as canonical JSON."""
    return _encoder.encode(value)


def encode(entry: Entry) -> bytes:
    """Returns an entry as its canonical line, without a line end."""
    return _encoder.encode(entry)


def decode(line: bytes | str, upcasts: Mapping[int, Upcast] = UPCASTS) -> Entry:
    """Decodes a line of any known shape.

    Raises:
        Newer: The line was written by a newer Affray.
        Unreadable: The line is not an entry; the message has the path of the first bad field.
    """
    try:
        entry = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _decode_older(line, upcasts, str(error))
    return entry if entry.v in SAME else _decode_older(line, upcasts, "")


def _decode_older(line: bytes | str, upcasts: Mapping[int, Upcast], problem: str) -> Entry:
    version = shape_of(line)
    if version > SHAPE:
        raise Newer(f"shape {version} is newer than this Affray reads", where="v", accepts=f"1 to {SHAPE}")
    if version in SAME:
        raise Unreadable(f"this is not an entry: {problem}", where="line")
    plain = msgspec.json.decode(line)
    try:
        for older in range(version, min(SAME)):
            plain = upcasts[older](plain)
        return msgspec.convert(plain, Entry)
    except (KeyError, msgspec.ValidationError) as error:
        raise Unreadable(f"an entry of shape {version} cannot be read: {error}", where="line") from error


def by_name(event: Event) -> dict[str, Any]:
    """Returns an event as plain data: ``type`` and the fields by name; ``seen_by`` only if not everyone may see it."""
    plain = {"type": type(event).__name__}
    plain |= {name: msgspec.to_builtins(getattr(event, name)) for name in event.__struct_fields__}
    if event.seen_by is None:
        del plain["seen_by"]
    return plain


_KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in EVENTS}


def from_name(plain: Mapping[str, Any]) -> Event:
    """Returns the event of which `by_name` made plain data.

    Args:
        plain: Its ``type`` and its fields by name.

    Raises:
        Unreadable: The type is unknown, or a field is wrong, missing or unknown.
    """
    kind = _KINDS.get(str(plain.get("type")))
    if kind is None:
        raise Unreadable(f"there is no event type {plain.get('type')!r}", where="type", accepts="the name of an event")
    everyone: Mapping[str, Any] = {"seen_by": None, **plain}
    # Fields are only ever appended, so those after the first missing one are newer than the data, and have defaults.
    names = tuple(takewhile(everyone.__contains__, kind.__struct_fields__))
    unknown = everyone.keys() - {"type", *names}
    if unknown:
        fields = ", ".join(kind.__struct_fields__)
        where = ", ".join(sorted(unknown))
        raise Unreadable(f"{kind.__name__} has unknown or misplaced fields: {where}", where=where, accepts=fields)
    try:
        return msgspec.convert([kind.__struct_config__.tag, *map(everyone.__getitem__, names)], kind)
    except msgspec.ValidationError as error:
        raise Unreadable(f"this is not a valid {kind.__name__}: {error}", where=kind.__name__) from error
