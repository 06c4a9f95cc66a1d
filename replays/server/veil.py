"""Who is hidden from somebody is told by nothing that they are refused.

The rules decide on what is so, not on what one seat sees. So whoever names somebody hidden is answered as if they had
named somebody who is not there: on the way in the name is made another, which nobody has; on the way out it is itself
again, and other hidden names are left out.
"""

import re
import secrets
from typing import Any, TypeVar

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, OpenDispute, TypeDice
from ledger.errors import Refused
from projections.combat import Combat

C = TypeVar("C", bound=Command)

_PARTS = re.compile(r"([./])")
_NOBODY = secrets.token_hex(6)
"""What makes a name one that nobody has, or types."""


class Veil:
    """What is between somebody and the table.

    Args:
        combat: What is so.
        seen: What of it they see.
    """

    def __init__(self, combat: Combat, seen: Combat) -> None:
        told = {*seen.roster.who, *(who for who, _ in seen.initiative.order), *(rest.by for rest in seen.rests)}
        hidden = [who for who in combat.roster.who if who not in told]
        self._masks = {who: who + _NOBODY for who in hidden}
        self._names = re.compile("|".join(rf"(?<![\w-]){re.escape(who)}(?![\w-])" for who in hidden) or r"(?!)")

    def masked(self, said: str) -> str:
        """A name, a key or ``who.what`` in which nobody hidden is named."""
        return "".join(self._masks.get(part, part) for part in _PARTS.split(said)) if self._masks else said

    def command(self, command: C) -> C:
        """A command in which nobody hidden is named; words for people are left alone."""
        if not self._masks:
            return command
        match command:
            case Declare():
                return msgspec.structs.replace(command, by=self.masked(command.by), terms=self._deep(command.terms))
            case Choose() | TypeDice() | DrawDice():
                return msgspec.structs.replace(command, key=self.masked(command.key))
            case OpenDispute():
                return msgspec.structs.replace(command, about=self.masked(command.about))
            case _:
                return command

    def may_be_told(self, text: str) -> bool:
        """Is nobody hidden named in it?"""
        return not self._names.search(text)

    def told(self, refusal: Refused, said: str = "") -> Refused:
        """The same refusal, which tells of nobody hidden.

        Args:
            refusal: It is changed.
            said: What was asked; whoever is named there may be named in the answer, whether they are there or not.
        """
        if self._masks:
            named = set(self._names.findall(said))
            refusal.accepts = ", ".join(each for each in refusal.accepts.split(", ") if self.may_be_told(each))
            refusal.message = self._plainly(refusal.message, named)
            refusal.where = self._plainly(refusal.where, named)
        return refusal

    def _plainly(self, text: str, named: set[str]) -> str:
        text = self._names.sub(lambda found: found[0] if found[0] in named else "somebody", text)
        return self._unmasked(text)

    def _unmasked(self, text: str) -> str:
        for who, mask in self._masks.items():
            text = text.replace(mask, who)
        return text

    def _deep(self, value: Any) -> Any:
        match value:
            case str():
                return self._masks.get(value, value)
            case dict():
                return {name: self._deep(each) for name, each in value.items()}
            case list() | tuple():
                return [self._deep(each) for each in value]
            case _:
                return value
