"""One command to perform: as it is recorded, and as the rules decide it."""

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, Overrule, TypeDice
from ledger.entry import Who
from projections.combat import Combat


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


def answers_rest(command: Command, combat: Combat) -> bool:
    """Returns whether a command answers an open rest; an interruption answers none."""
    if isinstance(command, Declare):
        mine = (rest for rest in combat.rests if rest.by == command.by)
        return any(option.option == command.kind for rest in mine for option in rest.options)
    return isinstance(command, TypeDice | DrawDice | Choose)
