"""Prepares a command before it is decided: an ordered list of steps, each of which checks it or completes it.

A step sees the whole log. After the last one the command says all that the rules need, and names combatants by id.
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
from replays.sessions.asked import plainly
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.lookup import open_key


class Situation(NamedTuple):
    """What a request meets: one session's log, and who decides and completes its commands."""

    log: Log
    drafting: Drafting
    waiting: Waiting
    request: Request


Step = Callable[[Situation, Command], Command]
"""Returns the command, checked or completed; raises `Refused` where it cannot be."""


def _with_ids(met: Situation, command: Command) -> Command:
    return met.drafting.named(plainly(command, met.request.by), met.log.combat).command


def _permitted(met: Situation, command: Command) -> Command:
    permissions.check(met.log.combat, met.request.by, command, met.request.only)
    return command


def _while_open(met: Situation, command: Command) -> Command:
    check_open(met.log.combat)
    return command


def _as_meant(met: Situation, command: Command) -> Command:
    """An undo, a redo or an amendment with the entry that is meant on this log."""
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


ALLOWED: tuple[Step, ...] = (_with_ids, _permitted)
"""Names are ids before rights are checked; no entry and no roll is looked up for who may not ask."""
WHAT_IF: tuple[Step, ...] = (*ALLOWED, _as_meant)
"""For what would have come of something else, which is answered of a closed session, too."""
PREVIEW: tuple[Step, ...] = (*ALLOWED, _while_open, _as_meant)
"""For what a correction would come to."""
STEPS: tuple[Step, ...] = (
    *PREVIEW, _as_secret_as_what_is_taken_back, _with_the_open_roll, _with_dice_that_lie, _with_seed,
    _with_revealed_parts, _with_dispute,
)  # fmt: skip
"""All, in their order."""


def prepared(met: Situation, steps: tuple[Step, ...] = STEPS) -> Command:
    """Returns the command of a request as the rules are asked for it.

    Args:
        met: The request, and what it meets.
        steps: What is done with it.

    Raises:
        Refused: It cannot be; the step that refuses it says why.
    """
    command = met.request.command
    for step in steps:
        command = step(met, command)
    return command
