"""Refusals for a seat: what stands against a command is told as far as that seat can see it.

The rules decide on what is so; that something cannot be is told to whoever asks. Why it cannot be is computed from what
they see. Where nothing that they see stands against it, that is all they are told.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ledger.commands import Choose, Declare, DrawDice, TypeDice
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
from replays.views.view_cache import Seeing

_RULES = (RuleRefused, BadNotation, ImpossibleFace, WrongCount)
"""What the rules refuse, and not the record or the ledger."""
_PLAYED = (Declare, Choose, TypeDice, DrawDice)


class HiddenReason(Refused):
    """It cannot be, and why is hidden from whoever asks."""

    slug = "secret/reason"


@contextmanager
def as_far_as_seen(log: Log, seeing: Seeing, request: Request) -> Iterator[None]:
    """Computes the reason of a refusal from what the person who asks can see; of the gamemaster nothing is hidden.

    Args:
        log: Of the session.
        seeing: What each seat sees of it.
        request: What is decided inside.

    Raises:
        Refused: It cannot be; why, as far as they can see.
    """
    command, by = request.command, request.by
    if by.seat is Seat.GM or not isinstance(command, _PLAYED):
        yield
        return
    combat = log.combat
    game, seen = ruleset(combat.session.ruleset), seeing.combat(viewer(by, combat), log.head)
    if isinstance(command, Declare) and not _sees_whom_they_name(combat, seen, command):
        raise _as_seen(game, seen, request)
    try:
        yield
    except _RULES as refusal:
        raise _as_seen(game, seen, request) from refusal.__cause__


def _sees_whom_they_name(combat: Combat, seen: Combat, command: Declare) -> bool:
    """Is nobody named who is here, and hidden from them? Those are nobody to them."""
    shown = {*seen.roster.who, *(who for who, _ in seen.initiative.order), *(rest.by for rest in seen.rests)}
    hidden = combat.roster.who.keys() - shown
    return hidden.isdisjoint((command.by, *_words(command.terms)))


def _as_seen(game: Ruleset, seen: Combat, request: Request) -> Refused:
    """What stands against it of what they see; where that is nothing, no more than that it cannot be."""
    command = request.command
    try:
        permissions.check(seen, request.by, command, request.only)
        decide(game, marked(seen), command)
    except Refused as refusal:
        return refusal
    except STOPPED:
        pass
    accepts = "something else; the gamemaster knows why"
    return HiddenReason("something that you cannot see stands against it", where="command", accepts=accepts)


def _words(value: Any) -> Iterator[str]:
    """All words of a document."""
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
