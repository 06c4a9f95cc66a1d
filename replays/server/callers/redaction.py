"""Who is hidden from somebody is named in nothing that they are refused.

What is refused to a seat is computed from what it sees (`replays.api.seat_refusals`); this looks once more, before it
is sent.
"""

import re

from ledger.errors import Refused
from projections.combat import Combat


class Veil:
    """What is between somebody and the table.

    Args:
        combat: What is so.
        seen: What of it they see.
    """

    def __init__(self, combat: Combat, seen: Combat) -> None:
        told = {*seen.roster.who, *(who for who, _ in seen.initiative.order), *(rest.by for rest in seen.rests)}
        hidden = [re.escape(who) for who in combat.roster.who if who not in told]
        self._names = re.compile(rf"(?<![\w-])(?:{'|'.join(hidden)})(?![\w-])" if hidden else r"(?!)")

    def may_be_told(self, text: str) -> bool:
        """Is nobody hidden named in it?"""
        return not self._names.search(text)

    def told(self, refusal: Refused, said: str = "") -> Refused:
        """The same refusal, which tells of nobody hidden.

        Args:
            refusal: It is changed.
            said: What was asked; whoever is named there may be named in the answer, whether they are there or not.
        """
        named = set(self._names.findall(said))
        refusal.accepts = ", ".join(each for each in refusal.accepts.split(", ") if self.may_be_told(each))
        refusal.message = self._plainly(refusal.message, named)
        refusal.where = self._plainly(refusal.where, named)
        return refusal

    def _plainly(self, text: str, named: set[str]) -> str:
        return self._names.sub(lambda found: found[0] if found[0] in named else "somebody", text)
