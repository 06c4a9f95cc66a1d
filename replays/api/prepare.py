"""Prepares a command before it is decided: an ordered list of steps, each of which checks or completes it.

A step sees the whole log. After the last step the command is complete for the rules, and names combatants by id.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from ledger.audience import shared
from ledger.commands import ApplyModifier, Command, Rewind
from machines.engine.framing import check_open
from replays.api.request import Request
from replays.audit.disputes import register
from replays.corrections.waiting import Waiting
from replays.sessions import disclose, permissions, undo
from replays.sessions.drafts import Drafting
from replays.sessions.intent import intended
from replays.sessions.log import Log
from replays.sessions.lookup import open_key


class Situation(NamedTuple):
    """A request with the session's log and the objects that decide and complete its commands."""

    log: Log
    drafting: Drafting
    waiting: Waiting
    request: Request


Step = Callable[[Situation, Command], Command]
"""Returns the command, checked or completed; raises `Refused` where it is not allowed."""


def _of_their_seat(met: Situation, command: Command) -> Command:
    permissions.check_type(met.request.by, command)
    return command


def _with_ids(met: Situation, command: Command) -> Command:
    return met.drafting.named(intended(command, met.request.by), met.log.combat).command


def _permitted(met: Situation, command: Command) -> Command:
    permissions.check(met.log.combat, met.request.by, command, met.request.only)
    return command


def _while_open(met: Situation, command: Command) -> Command:
    check_open(met.log.combat)
    return command


def _as_meant(met: Situation, command: Command) -> Command:
    """Completes an undo, redo or amendment with the entry that it means on this log."""
    return met.request.on(met.log, command)


def _as_secret_as_what_is_taken_back(met: Situation, command: Command) -> Command:
    if not isinstance(command, Rewind):
        return command
    head = met.log.timeline.head_at(command.to)
    of_itself = undo.audience(met.log, head) if command.why else None
    return msgspec.structs.replace(command, to=head, seen_by=shared([command.seen_by, of_itself]))


def _with_the_open_roll(met: Situation, command: Command) -> Command:
    if not isinstance(command, ApplyModifier):
        return command
    key = open_key(met.log.combat, command.key)
    return msgspec.structs.replace(command, key=key) if key else command


def _with_dice_that_lie(met: Situation, command: Command) -> Command:
    return met.waiting.completed(command)


def _with_seed(met: Situation, command: Command) -> Command:
    return met.drafting.dice.filled(command)


def _with_revealed_parts(met: Situation, command: Command) -> Command:
    return disclose.filled(met.log, command)


def _with_dispute(met: Situation, command: Command) -> Command:
    return register.filled(met.log, command, met.request.by)


ALLOWED: tuple[Step, ...] = (_of_their_seat, _with_ids, _permitted)
"""Checks rights. Names, entries and rolls are looked up only for callers who may give a command of that type; whose
combatant it concerns is checked when names have become ids."""
WHAT_IF: tuple[Step, ...] = (*ALLOWED, _as_meant)
"""For what-ifs, which are also allowed in a closed session."""
PREVIEW: tuple[Step, ...] = (*ALLOWED, _while_open, _as_meant)
"""For previews of corrections."""
STEPS: tuple[Step, ...] = (
    *PREVIEW, _as_secret_as_what_is_taken_back, _with_the_open_roll, _with_dice_that_lie, _with_seed,
    _with_revealed_parts, _with_dispute,
)  # fmt: skip
"""All steps, in order."""


def prepared(met: Situation, steps: tuple[Step, ...] = STEPS) -> Command:
    """Returns the command of a request as the rules decide it.

    Args:
        met: The request, with its session.
        steps: The steps to perform.

    Raises:
        Refused: A step refuses the command.
    """
    command = met.request.command
    for step in steps:
        command = step(met, command)
    return command
