"""Documents for programs: what the command line prints with ``--json`` and the server answers, all by name."""

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
"""Of a chance."""


class Speaker(msgspec.Struct, frozen=True):
    """A person and the seat they spoke from."""

    name: str
    seat: Seat


class Told(msgspec.Struct, frozen=True):
    """An entry as somebody may see it."""

    seq: int
    after: int
    """The entry it stands on."""
    at: str
    by: Speaker
    stands: bool
    origin: int | None
    """The entry it performs again, if it does."""
    rules_version: int
    command: AnyCommand | None
    """None where it is hidden."""
    events: tuple[dict[str, Any], ...]
    """Each with its ``type`` and its fields by name; hidden ones are left out."""


def entry(told: Entry, eyes: Viewer, *, stands: bool) -> Told:
    """An entry as these eyes may see it.

    Args:
        told: With what was told of it since.
        eyes: Whose they are.
        stands: Does it stand?
    """
    return Told(
        told.seq, told.after, told.at, Speaker(told.by.name, told.by.seat), stands, told.origin, told.rules_version,
        None if 0 in hidden_parts(told, eyes) else told.command,
        tuple(codec.by_name(event) for event in redacted(told, eyes).events),
    )  # fmt: skip


def chances(value: Any) -> Any:
    """Odds or luck: chances as numbers, with the exact fraction beside those that have one."""
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
