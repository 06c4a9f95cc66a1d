"""Redacts the names of hidden combatants from refusals.

A refusal is already computed from what the seat sees (`replays.api.seat_refusals`). This is a second check, made just
before the refusal is sent.
"""

import re

from ledger.errors import Refused
from projections.combat import Combat

_PLACEHOLDER = "somebody"
"""Replaces the name of a hidden combatant."""


class Redaction:
    """Recognizes the combatants that are hidden from one viewer.

    Args:
        combat: The whole state.
        seen: The part of it that the viewer sees.
    """

    def __init__(self, combat: Combat, seen: Combat) -> None:
        visible = {*seen.roster.who, *(who for who, _ in seen.initiative.order), *(rest.by for rest in seen.rests)}
        hidden = [re.escape(who) for who in combat.roster.who if who not in visible]
        self._names = re.compile(rf"(?<![\w-])(?:{'|'.join(hidden)})(?![\w-])" if hidden else r"(?!)")

    def is_visible(self, text: str) -> bool:
        """Returns whether a text names no hidden combatant."""
        return not self._names.search(text)

    def redact(self, refusal: Refused, request: str = "") -> Refused:
        """Removes the names of hidden combatants from a refusal.

        Args:
            refusal: It is changed in place, and returned.
            request: The text of the request. A name in it may be repeated, because that discloses nothing.
        """
        named = set(self._names.findall(request))
        refusal.accepts = ", ".join(each for each in refusal.accepts.split(", ") if self.is_visible(each))
        refusal.message = self._replaced(refusal.message, named)
        refusal.where = self._replaced(refusal.where, named)
        return refusal

    def _replaced(self, text: str, named: set[str]) -> str:
        return self._names.sub(lambda found: found[0] if found[0] in named else _PLACEHOLDER, text)
