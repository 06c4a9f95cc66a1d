"""One command to perform: as it is recorded, and as the rules decide it."""

from collections.abc import Iterable
from operator import attrgetter

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, Overrule, TellDice, TypeDice
from ledger.entry import Who
from projections.path import Rest

_OPTION = attrgetter("option")


class Intent(msgspec.Struct, frozen=True, gc=False):
    """One command to perform, as it is recorded and as it is decided."""

    command: Command
    by: Who
    decided: Command
    """The command that the rules decide: the recorded one, or the one whose figure an `Overrule` changes."""
    overrules: tuple[Overrule, ...] = ()
    origin: int | None = None


def intended(command: Command, by: Who) -> Intent:
    """Returns the intent to perform a command that is decided as it is recorded."""
    return Intent(command, by, command)


def answers_rest(command: Command, rests: Iterable[Rest]) -> bool:
    """Returns whether a command answers one of the open rests; an interruption answers none."""
    if isinstance(command, Declare):
        return any(rest.by == command.by and command.kind in map(_OPTION, rest.options) for rest in rests)
    return isinstance(command, TypeDice | DrawDice | TellDice | Choose)
