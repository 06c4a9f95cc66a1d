"""Finds commands that a hidden combatant could have given instead of a recorded one."""

import msgspec

from ledger.commands import Choose, Command, Declare
from ledger.entry import Entry
from machines.engine.options import options
from machines.secrecy.hidden_names import owners, secrecy
from projections.combat import Combat
from replays.api.session import Session


def alternatives(session: Session, entry: Entry) -> list[Command]:
    """Returns the legal commands that a hidden combatant could have given instead of an entry's command."""
    before = session.log.state(entry.after)
    offered = options(session.game, before)
    taken = msgspec.structs.replace(entry.command, seen_by=None, given_at=None)
    mine = [each.command for each in offered if each.command is not None and not each.refused]
    if isinstance(taken, Choose):
        found = [each for each in mine if isinstance(each, Choose | Declare) and _is_of(each, taken, before)]
    else:
        assert isinstance(taken, Declare)
        found = [each for each in mine if getattr(each, "by", _owner(each, before)) == taken.by]
    hidden = before.roster.hidden()
    return [each for each in found if each != taken and secrecy(each, before) is not None and hidden]


def _is_of(command: Choose | Declare, taken: Choose, before: Combat) -> bool:
    if isinstance(command, Choose):
        return command.key == taken.key
    return command.by == _owner(taken, before) and taken.key in {rest.key for rest in before.rests}


def _owner(command: Command, before: Combat) -> str:
    return owners(before).get(getattr(command, "key", ""), "")
