"""Documents for programs: what the command line prints with ``--json`` and the server answers, all by name."""

from fractions import Fraction
from typing import Any

import msgspec

from ledger import codec
from ledger.audience import Viewer
from ledger.entry import Entry
from projections.views.seen import hidden_parts, redacted
from replays.odds import Chance

_DIGITS = 9
"""Of a chance."""


def entry(told: Entry, eyes: Viewer, *, stands: bool) -> dict[str, Any]:
    """An entry as these eyes may see it: everything by name; the command is None where they may not.

    Args:
        told: With what was told of it since.
        eyes: Whose they are.
        stands: Does it stand?
    """
    return {
        "seq": told.seq,
        "after": told.after,
        "at": told.at,
        "by": {"name": told.by.name, "seat": told.by.seat.value},
        "stands": stands,
        "origin": told.origin,
        "rules_version": told.rules_version,
        "command": None if 0 in hidden_parts(told, eyes) else msgspec.to_builtins(told.command),
        "events": [codec.by_name(event) for event in redacted(told, eyes).events],
    }


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
