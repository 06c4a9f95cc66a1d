"""What every event has: who may see it."""

from typing import Any

import msgspec

Json = dict[str, Any]
"""A plain JSON object: a sheet, the terms of a declaration. The rulesets type them."""

Audience = tuple[str, ...] | None
"""None: everyone; empty: the gamemaster; names: also the players of these combatants."""


class Event(msgspec.Struct, frozen=True, array_like=True, tag=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """A fact. It cannot be refused."""

    seen_by: Audience = None
