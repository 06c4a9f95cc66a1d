"""Telling a secret: parts of an earlier entry are shown to more people."""

import msgspec

from ledger.commands import Command, Reveal
from ledger.entry import Seat, Who
from ledger.errors import Refused
from projections.views.seen import hidden_parts, viewer
from replays.log import Log


class NothingHidden(Refused):
    """There is no such secret."""

    slug = "reveal/nothing"


def filled(log: Log, command: Command) -> Command:
    """A revealing with the parts that are meant: all that not everybody may see, where none is said.

    Raises:
        NoSuchEntry: There is no entry of that number.
        NothingHidden: Everybody may see it all, or it has no such part; or nobody of that name is here.
    """
    if not isinstance(command, Reveal) or command.entry is None:
        return command
    entry = log.unveiled.entry(log.entry(command.entry))
    hidden = hidden_parts(entry, viewer(Who("", Seat.SPECTATOR), log.combat))
    if not hidden or not set(command.parts) <= set(hidden):
        accepts = ", ".join(map(str, hidden)) or "an entry that hides something"
        raise NothingHidden(f"entry {entry.seq} does not hide that", where="parts", accepts=accepts)
    strangers = [who for who in command.to or () if who not in log.combat.roster]
    if strangers:
        accepts = ", ".join(log.combat.roster.who) or "nobody is here"
        raise NothingHidden(f"there is no {strangers[0]!r} to see it", where="to", accepts=accepts)
    return msgspec.structs.replace(command, parts=command.parts or hidden)
