"""Who is hidden from somebody is told by nothing that they are offered or refused.

The rules decide on what is so, not on what one seat sees. So whoever names somebody hidden is answered as if they had
named somebody who is not there: on the way in the name is made another, which nobody has; on the way out it is itself
again, and other hidden names are left out.
"""

import re
from typing import Any, TypeVar

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, OpenDispute, TypeDice
from ledger.errors import Refused
from machines.options import Possibility
from projections.combat import Combat

C = TypeVar("C", bound=Command)

_PARTS = re.compile(r"([./])")


class Veil:
    """What is between somebody and the table.

    Args:
        combat: What is so.
        seen: What of it they see.
    """

    def __init__(self, combat: Combat, seen: Combat) -> None:
        told = {*seen.roster.who, *(who for who, _ in seen.initiative.order), *(rest.by for rest in seen.rests)}
        hidden = [who for who in combat.roster.who if who not in told]
        self._masks = {who: _unknown(who, combat) for who in hidden}
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

    def may_be_offered(self, possibility: Possibility) -> bool:
        """Does it tell of nobody hidden?"""
        told = msgspec.json.encode(possibility).decode() if self._masks else ""
        return not self._names.search(told)

    def told(self, refusal: Refused) -> Refused:
        """The same refusal, which tells of nobody hidden but whom they have named themselves."""
        if self._masks:
            refusal.accepts = ", ".join(each for each in refusal.accepts.split(", ") if not self._names.search(each))
            refusal.message = self._unmasked(self._names.sub("somebody", refusal.message))
            refusal.where = self._unmasked(self._names.sub("somebody", refusal.where))
        return refusal

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


def _unknown(who: str, combat: Combat) -> str:
    """A name like this one, which nobody has."""
    while who in combat.roster.who:
        who += "x"
    return who
