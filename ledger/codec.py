"""Entry <-> one canonical JSON line. The line is what is stored, hashed, exported and streamed.

Canonical: keys of plain objects sorted, fields in their declared order, no white space, UTF-8. Older shapes are
upcast on reading, never rewritten; a newer shape is refused, never guessed at.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

import msgspec

from ledger.asking import check_command as check_command  # noqa: PLC0414  asking is half of encoding
from ledger.entry import Entry
from ledger.errors import Newer, Unreadable
from ledger.events import EVENTS, Event

SHAPE = 3
"""The shape of the lines written today; `ledger/README.md` lists all shapes."""

SAME = frozenset({1, 2, SHAPE})
"""Shapes that the decoder reads as they stand: what a newer shape added has a default."""

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes of a decoded line the next newer shape."""

UPCASTS: Mapping[int, Upcast] = {}
"""From each older shape, what makes the next one of it."""

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Entry)


class _Version(msgspec.Struct):
    v: int


def canonical(value: Any) -> bytes:
    """Any plain value as canonical JSON."""
    return _encoder.encode(value)


def encode(entry: Entry) -> bytes:
    """An entry as its canonical line, without a line end."""
    return _encoder.encode(entry)


def decode(line: bytes | str, upcasts: Mapping[int, Upcast] = UPCASTS) -> Entry:
    """Read a line of any known shape.

    Raises:
        Newer: It was written by a newer Affray.
        Unreadable: It is no entry; the message has the path of the first bad field.
    """
    try:
        entry = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _decode_older(line, upcasts, str(error))
    return entry if entry.v in SAME else _decode_older(line, upcasts, "")


def _decode_older(line: bytes | str, upcasts: Mapping[int, Upcast], problem: str) -> Entry:
    try:
        version = msgspec.json.decode(line, type=_Version).v
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"this is no entry: {error}", where="line") from error
    if version > SHAPE:
        raise Newer(f"shape {version} is newer than this Affray reads", where="v", accepts=f"1 to {SHAPE}")
    if version in SAME:
        raise Unreadable(f"this is no entry: {problem}", where="line")
    plain = msgspec.json.decode(line)
    try:
        for older in range(version, min(SAME)):
            plain = upcasts[older](plain)
        return msgspec.convert(plain, Entry)
    except (KeyError, msgspec.ValidationError) as error:
        raise Unreadable(f"an entry of shape {version} cannot be read: {error}", where="line") from error


def by_name(event: Event) -> dict[str, Any]:
    """An event with its ``type`` and its fields by name, for outsiders; who may see it only where not everyone may."""
    plain = {"type": type(event).__name__}
    plain |= {name: msgspec.to_builtins(getattr(event, name)) for name in event.__struct_fields__}
    if event.seen_by is None:
        del plain["seen_by"]
    return plain


_KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in EVENTS}


def from_name(plain: Mapping[str, Any]) -> Event:
    """The event that `by_name` told.

    Args:
        plain: Its ``type`` and its fields by name.

    Raises:
        Unreadable: There is no such type, or a field is wrong, missing or unknown.
    """
    kind = _KINDS.get(str(plain.get("type")))
    if kind is None:
        raise Unreadable(f"no event is called {plain.get('type')!r}", where="type", accepts="an event's name")
    everyone: Mapping[str, Any] = {"seen_by": None, **plain}
    names = tuple(
        takewhile(everyone.__contains__, kind.__struct_fields__)
    )  # later fields are younger, and have defaults
    strange = everyone.keys() - {"type", *names}
    if strange:
        fields = ", ".join(kind.__struct_fields__)
        raise Unreadable(f"{kind.__name__} is not told so", where=", ".join(sorted(strange)), accepts=fields)
    try:
        return msgspec.convert([kind.__struct_config__.tag, *map(everyone.__getitem__, names)], kind)
    except msgspec.ValidationError as error:
        raise Unreadable(f"this is no {kind.__name__}: {error}", where=kind.__name__) from error
