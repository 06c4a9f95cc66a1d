"""One command to perform: as it is written down, and as the rules are asked."""

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, Overrule, TypeDice
from ledger.entry import Who
from projections.combat import Combat


class Asked(msgspec.Struct, frozen=True):
    """One command to perform, as it is to be written down and as it is to be decided."""

    command: Command
    by: Who
    decided: Command
    """What the rules are asked: the command itself, or the one whose figure an `Overrule` changes."""
    overrules: tuple[Overrule, ...] = ()
    origin: int | None = None


def plainly(command: Command, by: Who) -> Asked:
    """A command that is decided as it stands."""
    return Asked(command, by, command)


def answers_rest(command: Command, combat: Combat) -> bool:
    """Does this command answer something that the table waits for? What breaks in answers nothing."""
    if isinstance(command, Declare):
        mine = (rest for rest in combat.rests if rest.by == command.by)
        return any(option.option == command.kind for rest in mine for option in rest.options)
    return isinstance(command, TypeDice | DrawDice | Choose)
