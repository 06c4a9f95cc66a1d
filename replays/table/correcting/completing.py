"""Completes corrections: the entries, values and options that may follow their words."""

from collections.abc import Iterator
from itertools import islice

from ledger import events as e
from ledger.commands import Amend, Choose, Declare, Rewind
from ledger.entry import Entry
from replays.corrections.change import AMENDABLE
from replays.corrections.recorded_answers import ROLLS
from replays.table.at_table import TableContext
from replays.table.correcting.change_words import choice_answered, parser_before
from replays.table.correcting.moved_entries import first_sentence
from replays.table.correcting.typed_correction import check_allowed, command_of, entry_meant
from replays.table.language.grammar import fields

_MOST = 40
"""How many of the latest entries are offered, and searched for options."""

Offer = tuple[str, str]
"""A word, and what it means."""


def entries(table: TableContext) -> Iterator[Offer]:
    """Yields the numbers of the latest entries that can be corrected."""
    for entry in _latest(table):
        if isinstance(entry.command, AMENDABLE):
            yield str(entry.seq), first_sentence(table.session.log, entry.seq)


def heads(table: TableContext) -> Iterator[Offer]:
    """Yields the numbers of the latest entries that stand, except the last."""
    for entry in islice(_latest(table), 1, None):
        yield str(entry.seq), first_sentence(table.session.log, entry.seq)


def rolls(table: TableContext) -> Iterator[Offer]:
    """Yields the numbers of the latest entries with dice."""
    for entry in _latest(table):
        if any(isinstance(event, e.DiceRolled | e.DiceTold) for event in entry.events):
            yield str(entry.seq), first_sentence(table.session.log, entry.seq)


def options(table: TableContext) -> Iterator[Offer]:
    """Yields the options that the latest choices offered and that were not chosen."""
    for entry in _latest(table):
        command, choice = command_of(table, entry), choice_answered(table, entry)
        if choice is not None and isinstance(command, Choose):
            yield from ((each.option, choice.purpose) for each in choice.options if each.option != command.option)


def values(table: TableContext, named: str, last: str) -> Iterator[Offer]:
    """Yields what may be corrected in an entry.

    Args:
        table: The table.
        named: The entry.
        last: The word that is being typed; with ``FIELD=`` only the values of that field are offered.
    """
    check_allowed(table)
    entry = table.session.log.entry(entry_meant(table, named))
    command, choice = command_of(table, entry), choice_answered(table, entry)
    field, equals, _ = last.partition("=")
    if choice is not None:
        yield from ((each.option, each.label) for each in choice.options)
    if isinstance(command, ROLLS):
        yield "was", "the faces that were on the dice"
    if isinstance(command, Declare):
        offered = parser_before(table, entry, command.by).words(command)
        known = {field: offered.get(field, ())} if equals else offered
        yield from ((each, name) for name, some in known.items() for each in some)
        if not equals:
            yield from ((f"{name}=", "") for name in fields(table.game.kinds[command.kind].terms))
    if not equals:
        yield "drop", "it never happened"


def _latest(table: TableContext) -> Iterator[Entry]:
    """Yields the latest entries in force that are no corrections themselves."""
    check_allowed(table)
    for entry in islice(table.session.log.newest_first(), _MOST):
        if not isinstance(entry.command, Amend | Rewind):
            yield table.session.log.disclosures.entry(entry)
