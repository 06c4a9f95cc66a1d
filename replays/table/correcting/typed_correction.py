"""A correction as it was typed, and the entry that it names: in force, with the command that was decided for it."""

from typing import NamedTuple

from ledger.commands import Amend, Command
from ledger.entry import Entry
from replays.corrections.change import Change
from replays.corrections.recorded_answers import entry_in_its_place, underlying
from replays.corrections.which_entry import entry_number
from replays.sessions.log import Log
from replays.table.at_table import TableContext
from replays.table.language.grammar import unquoted


class TypedCorrection(NamedTuple):
    """A correction as it was typed."""

    entry: str
    """The entry, by its number or a key."""
    change: Change
    why: str
    """The reason; may be empty."""


def entry_meant(table: TableContext, named: str) -> int:
    """Returns the entry that a number, a key or a shorthand means; see `standing`.

    Raises:
        Refused: There is no such entry, or there are several.
    """
    return standing(table.session.log, entry_number(table.session.log, unquoted(named)))


def standing(log: Log, seq: int) -> int:
    """Returns the entry in force that performs an entry again; the entry itself if it is in force or none does.

    A person reads the number of an entry off the screen, where it remains after the entry was performed again.

    Raises:
        NoSuchEntry: There is no entry of that number.
    """
    log.check(seq)
    if entry_in_its_place(log, seq, log.timeline.line()) is not None:
        return seq
    first = log.original(log.entry(seq))
    found = (entry for entry in log.newest_first() if log.original(entry) == first)
    return next((entry.seq for entry in found), seq)


def check_allowed(table: TableContext) -> None:
    """Rejects persons who may not amend, before anything of the log is read for them."""
    table.session.check_allowed(Amend(1, {"drop": True}, ""), by=table.who)


def command_of(table: TableContext, entry: Entry) -> Command:
    """Returns the command that the rules decided for an entry."""
    return underlying(entry, table.session.log.entry)[0]
