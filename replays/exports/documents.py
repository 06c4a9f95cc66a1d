"""Converts entries and chances to documents for programs: the output of ``--json`` and the server's answers."""

from fractions import Fraction
from typing import Annotated, Any

import msgspec

from ledger import codec
from ledger.audience import Viewer
from ledger.commands import AnyCommand
from ledger.entry import Entry, Seat
from projections.views.seen import hidden_parts, redacted
from replays.odds.odds import Chance, Odds

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


class ChanceDocument(msgspec.Struct, frozen=True):
    """The probability of a result."""

    what: str | int
    """The result: an outcome in the words of the game, or an amount."""
    chance: Annotated[float, msgspec.Meta(ge=0, le=1)]
    """The probability, rounded to nine digits."""
    error: Annotated[float, msgspec.Meta(ge=0)]
    """Half of the 95 % interval's width; 0 where the chance is exact."""
    exact: str | msgspec.UnsetType = msgspec.UNSET
    """The probability as a fraction, such as `23/50`; absent where it is sampled."""


class OddsDocument(Odds, frozen=True):
    """The possible results of a roll or a declaration, with their probabilities."""

    what_if: bool = True
    """Always true: nothing was written."""


def odds(found: Odds) -> Any:
    """Returns odds as a document; see `chances`."""
    return chances(OddsDocument(**msgspec.structs.asdict(found)))


def chances(value: Any) -> Any:
    """Returns odds or luck with probabilities as numbers, and exact fractions beside those that have one."""
    if isinstance(value, Chance):
        exact = msgspec.UNSET if value.error else str(value.chance)
        return msgspec.to_builtins(ChanceDocument(value.what, _number(value.chance), _number(value.error), exact))
    if isinstance(value, Fraction):
        return _number(value)
    if isinstance(value, msgspec.Struct):
        return {field: chances(getattr(value, field)) for field in value.__struct_fields__}
    return [chances(each) for each in value] if isinstance(value, tuple) else value


def _number(value: Fraction) -> float:
    return round(float(value), _DIGITS)
