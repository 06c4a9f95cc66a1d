"""Prepares a command before it is decided: an ordered list of steps, each of which checks it or completes it.

A step sees the whole log. After the last one the command says all that the rules need, and names combatants by id.
"""

from collections.abc import Callable
from typing import NamedTuple

from ledger.commands import Command
from ledger.entry import Who
from machines.engine.framing import check_open
from projections.combat import fold
from replays.audit.disputes import register
from replays.sessions import disclose, permissions
from replays.sessions.asked import plainly
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft, Log


class Request(NamedTuple):
    """Who asks for a command, and of which session."""

    log: Log
    drafting: Drafting
    by: Who


def _with_ids(request: Request, command: Command) -> Command:
    return request.drafting.named(plainly(command, request.by), request.log.combat).command


def _permitted(request: Request, command: Command) -> Command:
    permissions.check(request.log.combat, request.by, command)
    return command


def _while_open(request: Request, command: Command) -> Command:
    check_open(request.log.combat)
    return command


def _with_seed(request: Request, command: Command) -> Command:
    return request.drafting.dice.filled(command)


def _with_revealed_parts(request: Request, command: Command) -> Command:
    return disclose.filled(request.log, command)


def _with_dispute(request: Request, command: Command) -> Command:
    return register.filled(request.log, command, request.by)


STEPS: tuple[Callable[[Request, Command], Command], ...] = (
    _with_ids, _permitted, _while_open, _with_seed, _with_revealed_parts, _with_dispute,
)  # fmt: skip
"""In their order: names are ids before rights are checked; nothing is completed for who may not ask."""


def prepared(request: Request, command: Command) -> Command:
    """Returns a command as the rules are asked for it.

    Raises:
        Refused: It cannot be; the step that refuses it says why.
    """
    for step in STEPS:
        command = step(request, command)
    return command


def drafts(log: Log, drafting: Drafting, command: Command, by: Who) -> list[Draft]:
    """Returns a command decided on the present state, and what is revealed with it.

    Raises:
        Refused: It cannot be.
    """
    command = prepared(Request(log, drafting, by), command)
    made = [drafting.draft(plainly(command, by), log.combat, log.head)]
    for more in disclose.beside(log, command):
        combat = fold((event for draft in made for event in draft.events), log.combat)
        made.append(drafting.draft(plainly(more, by), combat, log.last + len(made)))
    return made
