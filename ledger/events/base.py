"""The base of all events: a fact with an audience."""

from typing import Any

import msgspec

Json = dict[str, Any]
"""A plain JSON object: a sheet, the terms of a declaration. Rulesets convert them to typed structs."""

Audience = tuple[str, ...] | None
"""None: everyone; empty: the gamemaster; ids of combatants: the gamemaster and the players of these combatants."""


class Event(msgspec.Struct, frozen=True, array_like=True, tag=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    """Base of all events: a fact, which cannot be refused."""

    seen_by: Audience = None
