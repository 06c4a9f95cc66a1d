"""Redacts the reasons of refusals for a seat.

The rules decide on the whole state, and every caller learns whether a command is refused. The reason is computed from
what the caller can see. Where nothing visible forbids the command, the refusal gives no reason.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ledger.commands import Choose, Declare, DrawDice, TellDice, TypeDice
from ledger.entry import Seat
from ledger.errors import BadNotation, ImpossibleFace, Refused, WrongCount
from machines.contract.refusals import RuleRefused
from machines.contract.ruleset import Ruleset, ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from projections.views.seen import viewer
from replays.api.request import Request
from replays.odds.known_state import STOPPED, marked
from replays.sessions import permissions
from replays.sessions.log import Log
from replays.views.view_cache import ViewCache

_RULES = (RuleRefused, BadNotation, ImpossibleFace, WrongCount)
"""Refusals by the rules, not by the record or the ledger."""
_PLAYED = (Declare, Choose, TypeDice, DrawDice, TellDice)


class HiddenReason(Refused):
    """The command is refused for a reason that is hidden from the caller."""

    slug = "secret/reason"


@contextmanager
def with_visible_reason(log: Log, view_cache: ViewCache, request: Request) -> Iterator[None]:
    """Replaces a refusal's reason by one computed from what the caller can see; the gamemaster sees everything.

    Args:
        log: The session's log.
        view_cache: What each seat sees of it.
        request: The request that is decided inside.

    Raises:
        Refused: The command is refused, with a reason that the caller may see.
    """
    command, by = request.command, request.by
    if by.seat is Seat.GM or not isinstance(command, _PLAYED):
        yield
        return
    combat = log.combat
    game, seen = ruleset(combat.session.ruleset), view_cache.combat(viewer(by, combat), log.head)
    if isinstance(command, Declare) and not _sees_all_named(combat, seen, command):
        raise _as_seen(game, seen, request)
    try:
        yield
    except _RULES as refusal:
        raise _as_seen(game, seen, request) from refusal.__cause__


def _sees_all_named(combat: Combat, seen: Combat, command: Declare) -> bool:
    """Returns whether all combatants that a declaration names are visible to the caller."""
    shown = {*seen.roster.who, *(who for who, _ in seen.initiative.order), *(rest.by for rest in seen.rests)}
    hidden = combat.roster.who.keys() - shown
    return hidden.isdisjoint((command.by, *_words(command.terms)))


def _as_seen(game: Ruleset, seen: Combat, request: Request) -> Refused:
    """Returns the refusal from what the caller can see; without a reason where nothing visible forbids the command."""
    command = request.command
    try:
        permissions.check(seen, request.by, command, request.only)
        decide(game, marked(seen), command)
    except Refused as refusal:
        return refusal
    except STOPPED:
        pass
    accepts = "another command; the gamemaster can see the reason"
    return HiddenReason("something that you cannot see prevents this", where="command", accepts=accepts)


def _words(value: Any) -> Iterator[str]:
    """Yields all text of a document."""
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                yield name
                yield from _words(each)
        case list() | tuple():
            for each in value:
                yield from _words(each)
