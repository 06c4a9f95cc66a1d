"""Gives a combatant who joins in secret an id that tells nothing; the name they were given is sealed."""

from itertools import count

import msgspec

from ledger.commands import Command, Join
from projections.combat import Combat

PREFIX = "unseen-"


def filled(combat: Combat, command: Command) -> Command:
    """Returns a `Join` in secret with an id that is free, hidden from all but the gamemaster unless it says to whom.

    Any other command is returned as it is; so is a `Join` that is performed again and has its id.
    """
    if not isinstance(command, Join) or not command.unseen or command.who.startswith(PREFIX):
        return command
    who = next(name for name in map(f"{PREFIX}{{}}".format, count(1)) if name not in combat.roster)
    seen_by = () if command.seen_by is None else command.seen_by
    return msgspec.structs.replace(command, who=who, name=command.name or command.who, seen_by=seen_by)
