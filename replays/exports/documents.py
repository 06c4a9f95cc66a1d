"""Converts entries and chances to documents for programs: the output of ``--json`` and the server's answers."""

from fractions import Fraction
from typing import Any

import msgspec

from ledger import codec
from ledger.audience import Viewer
from ledger.commands import AnyCommand
from ledger.entry import Entry, Seat
from projections.views.seen import hidden_parts, redacted
from replays.odds.odds import Chance

_DIGITS = 9
"""Decimal digits of a probability."""


class Speaker(msgspec.Struct, frozen=True):
    """A person and their seat."""

    name: str
    seat: Seat


class EntryDocument(msgspec.Struct, frozen=True):
    """An entry as a viewer may see it."""

    seq: int
    after: int
    """The entry it stands on."""
    at: str
    by: Speaker
    stands: bool
    origin: int | None
    """The entry it performs again; None where there is none."""
    rules_version: int
    command: AnyCommand | None
    """None where it is hidden."""
    events: tuple[dict[str, Any], ...]
    """Each with its ``type`` and its fields by name; hidden ones are omitted."""


def entry(entry_: Entry, eyes: Viewer, *, stands: bool) -> EntryDocument:
    """Returns an entry as a viewer may see it.

    Args:
        entry_: The entry, with everything disclosed of it since.
        eyes: The viewer.
        stands: Whether it stands.
    """
    return EntryDocument(
        entry_.seq, entry_.after, entry_.at, Speaker(entry_.by.name, entry_.by.seat), stands,
        entry_.origin, entry_.rules_version,
        None if 0 in hidden_parts(entry_, eyes) else entry_.command,
        tuple(codec.by_name(event) for event in redacted(entry_, eyes).events),
    )  # fmt: skip


def chances(value: Any) -> Any:
    """Returns odds or luck with probabilities as numbers, and exact fractions beside those that have one."""
    if isinstance(value, Chance):
        exact = {} if value.error else {"exact": str(value.chance)}
        return {"what": value.what, "chance": _number(value.chance), "error": _number(value.error), **exact}
    if isinstance(value, Fraction):
        return _number(value)
    if isinstance(value, msgspec.Struct):
        return {field: chances(getattr(value, field)) for field in value.__struct_fields__}
    return [chances(each) for each in value] if isinstance(value, tuple) else value


def _number(value: Fraction) -> float:
    return round(float(value), _DIGITS)
