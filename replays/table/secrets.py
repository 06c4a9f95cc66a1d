"""What is said at the table and not all players see: lines in secret, whispered notes, secrets that are told."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from ledger.audience import Viewer
from ledger.commands import Command, Note, Reveal
from ledger.entry import Seat
from machines.contract.refusals import UnknownCombatant
from projections.views.seen import hidden_parts
from replays.sessions.hidden_names import Names
from replays.table.at_table import TableContext
from replays.table.done import VerbResult
from replays.table.language.grammar import NotUnderstood, number, rest_of, unquoted, words
from replays.table.language.names import id_of

NOTHING_HIDDEN = "nothing of this is hidden"
_STRANGER = Viewer(Seat.SPECTATOR)


@contextmanager
def in_secret(table: TableContext) -> Iterator[None]:
    """What is done meanwhile only the gamemaster sees."""
    before, table.seen_by = table.seen_by, ()
    try:
        yield
    finally:
        table.seen_by = before


def secretly(table: TableContext, do: Callable[[], VerbResult]) -> VerbResult:
    """Does a line in secret, with what it asks before it is done."""
    before = table.session.log.last
    with in_secret(table):
        done = do()
    if not done.asks and not any(hidden_parts(entry, _STRANGER) for entry in table.session.entries(after=before)):
        done = msgspec.structs.replace(done, lines=(*done.lines, NOTHING_HIDDEN))
    then = done.then
    return (
        done if then is None else msgspec.structs.replace(done, then=lambda said: secretly(table, lambda: then(said)))
    )


def meant(table: TableContext, command: Command) -> Command:
    """Returns a command with ids in the place of hidden names, for those who are to see what the line does."""
    names = Names(table.session.combat, None if table.who.seat is Seat.GM else table.eyes)
    command = names.command(command)
    if table.seen_by is None or command.seen_by is not None:
        return command
    return msgspec.structs.replace(command, seen_by=table.seen_by)


def whisper(table: TableContext, tail: str) -> tuple[str, ...]:
    """A note for the players of some: ``WHO[,WHO …] TEXT``.

    Raises:
        NotUnderstood: Nothing is said.
        UnknownCombatant: Nobody of that name is here.
    """
    whom, text = next(iter(words(tail)), ""), rest_of(tail, 1)
    if not text:
        raise NotUnderstood("whisper what?", where="whisper", accepts="whisper WHO[,WHO …] TEXT")
    people = _seats(table, unquoted(whom).split(","))
    table.perform(Note(text, seen_by=people))
    return (f"seen by {_players(table, people)}",)


def tell(table: TableContext, tail: str) -> tuple[str, ...]:
    """An entry by its number, or who joined in secret, is shown to everybody, or to the players of some.

    Raises:
        NotUnderstood: It is no ``N | WHO [to WHO …]``.
        UnknownCombatant: Nobody of that name is here.
    """
    what, *rest = [unquoted(each) for each in words(tail)]
    if rest and (rest[0].lower() != "to" or len(rest) < 2):
        raise NotUnderstood(f"reveal {tail}?", where="reveal", accepts="reveal N | WHO [to WHO …]")
    whom = [each for word in rest[1:] for each in word.split(",") if each]
    entry = number(what)
    who = "" if entry is not None else id_of(table.seen.roster, what)
    to = _seats(table, whom) if whom else None
    table.perform(Reveal(entry, to=to, who=who))
    return (f"{what} is shown to {'everybody' if to is None else _players(table, to)}",)


def _people(table: TableContext, said: Iterable[str]) -> tuple[str, ...]:
    """Combatants by ids or names."""
    found = tuple(id_of(table.seen.roster, each) for each in said)
    strangers = [who for who in found if who not in table.seen.roster]
    if strangers:
        accepts = ", ".join(table.seen.roster.here())
        raise UnknownCombatant(f"there is no {strangers[0]!r}", where="who", accepts=accepts)
    return found


def _seats(table: TableContext, said: Iterable[str]) -> tuple[str, ...]:
    """Combatants by ids or names, of whom a player plays at least one: the gamemaster sees everything anyhow."""
    people, roster = _people(table, said), table.seen.roster
    if all(roster[who].player == "gm" for who in people):
        accepts = ", ".join(who for who in roster.here() if roster[who].player != "gm") or "nobody is a player's"
        names = " and ".join(map(roster.name, people))
        raise NotUnderstood(f"{names} is the gamemaster's: no player would see it", where="who", accepts=accepts)
    return people


def _players(table: TableContext, people: Iterable[str]) -> str:
    """Those who play some combatants."""
    return " and ".join(dict.fromkeys(one.player for who in people if (one := table.seen.roster[who]).player != "gm"))
