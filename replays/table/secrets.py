"""The words that limit who sees something: lines in secret, whispered notes, and revealing."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from ledger.audience import Viewer
from ledger.commands import Command, Note, Reveal
from ledger.entry import Entry, Seat
from machines.contract.refusals import UnknownCombatant
from projections.views.seen import hidden_parts
from replays.sessions.hidden_names import Names
from replays.table.at_table import TableContext
from replays.table.done import VerbResult
from replays.table.language.grammar import NotUnderstood, number, rest_of, unquoted, words
from replays.table.language.targets import id_meant

NOTHING_HIDDEN = "nothing of this is hidden"
_STRANGER = Viewer(Seat.SPECTATOR)


@contextmanager
def in_secret(table: TableContext) -> Iterator[None]:
    """Makes what is written within the block visible to the gamemaster only."""
    before, table.seen_by = table.seen_by, ()
    try:
        yield
    finally:
        table.seen_by = before


def secretly(table: TableContext, do: Callable[[], VerbResult]) -> VerbResult:
    """Executes a line in secret, including the questions that it asks first."""
    before = table.session.log.last
    with in_secret(table):
        done = do()
    if not done.asks and not any(_is_hidden(table, entry) for entry in table.session.entries(after=before)):
        done = msgspec.structs.replace(done, lines=(*done.lines, NOTHING_HIDDEN))
    then = done.then
    return (
        done if then is None else msgspec.structs.replace(done, then=lambda line: secretly(table, lambda: then(line)))
    )


def _is_hidden(table: TableContext, entry: Entry) -> bool:
    """Returns whether a part of an entry is hidden from a stranger; for a player, whether they have hidden it."""
    if table.who.seat is Seat.GM:
        return bool(hidden_parts(entry, _STRANGER))
    return entry.command.seen_by is not None


def with_visibility(table: TableContext, command: Command) -> Command:
    """Returns a command with hidden names replaced by ids, and with the visibility of the current line."""
    names = Names(table.session.combat, None if table.who.seat is Seat.GM else table.eyes)
    command = names.command(command)
    if table.seen_by is None or command.seen_by is not None:
        return command
    return msgspec.structs.replace(command, seen_by=table.seen_by)


def whisper(table: TableContext, tail: str) -> tuple[str, ...]:
    """Writes a note that only the players of some combatants see: ``WHO[,WHO …] TEXT``.

    Raises:
        NotUnderstood: There is no text.
        UnknownCombatant: There is no combatant of that name.
    """
    names, text = next(iter(words(tail)), ""), rest_of(tail, 1)
    if not text:
        raise NotUnderstood("whisper needs a text", where="whisper", accepts="whisper WHO[,WHO …] TEXT")
    people = _seats(table, unquoted(names).split(","))
    table.perform(Note(text, seen_by=people))
    return (f"seen by {_players(table, people)}",)


def reveal(table: TableContext, tail: str) -> tuple[str, ...]:
    """Reveals an entry or a hidden combatant to all, or to the players of some combatants.

    Raises:
        NotUnderstood: The line is not ``N | WHO [to WHO …]``.
        UnknownCombatant: There is no combatant of that name.
    """
    what, *rest = [unquoted(each) for each in words(tail)]
    if rest and (rest[0].lower() != "to" or len(rest) < 2):
        raise NotUnderstood(f"{tail!r} cannot be revealed", where="reveal", accepts="reveal N | WHO [to WHO …]")
    names = [each for word in rest[1:] for each in word.split(",") if each]
    entry = number(what)
    who = "" if entry is not None else id_meant(table.seen.roster, what)
    to = _seats(table, names) if names else None
    table.perform(Reveal(entry, to=to, who=who))
    return (f"{what} is shown to {'everybody' if to is None else _players(table, to)}",)


def _people(table: TableContext, names: Iterable[str]) -> tuple[str, ...]:
    """Returns the ids of combatants that are given by id or name."""
    found = tuple(id_meant(table.seen.roster, each) for each in names)
    strangers = [who for who in found if who not in table.seen.roster]
    if strangers:
        accepts = ", ".join(table.seen.roster.here())
        raise UnknownCombatant(f"there is no combatant {strangers[0]!r}", where="who", accepts=accepts)
    return found


def _seats(table: TableContext, names: Iterable[str]) -> tuple[str, ...]:
    """Returns the ids of combatants; rejects them if none has a player: the gamemaster sees everything anyway."""
    people, roster = _people(table, names), table.seen.roster
    if all(roster[who].player == "gm" for who in people):
        accepts = (
            ", ".join(who for who in roster.here() if roster[who].player != "gm") or "none: no combatant has a player"
        )
        named = " and ".join(map(roster.name, people))
        message = f"no player would see it: {named} has no player but the gamemaster"
        raise NotUnderstood(message, where="who", accepts=accepts)
    return people


def _players(table: TableContext, people: Iterable[str]) -> str:
    """Returns the names of the players of some combatants."""
    players = (table.seen.roster[who].player for who in people)
    return " and ".join(dict.fromkeys(player for player in players if player != "gm"))
