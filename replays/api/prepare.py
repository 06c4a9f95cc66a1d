"""Prepares a command before it is decided: an ordered list of steps, each of which checks or completes it.

A step sees the whole log. After the last step the command is complete for the rules, and names combatants by id.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from ledger.audience import EVERYTHING, shared
from ledger.commands import (
    Amend,
    ApplyModifier,
    Choose,
    Command,
    DrawDice,
    GiveNonce,
    OpenDispute,
    Reveal,
    Rewind,
    SettleDispute,
    TellDice,
    TypeDice,
)
from ledger.entry import Seat
from ledger.key import meant
from machines.contract.refusals import NoSuchRoll
from machines.engine.framing import check_open
from projections.combat import Combat
from projections.views.seen import viewer
from replays.api.request import Request
from replays.audit.disputes import register
from replays.corrections.waiting import Waiting
from replays.sessions import disclose, permissions, undo
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.lookup import open_key


class Situation(NamedTuple):
    """A request with the session's log and the objects that decide and complete its commands."""

    log: Log
    combat: Combat
    """The present state."""
    drafting: Drafting
    waiting: Waiting
    request: Request


class PreparationStep(NamedTuple):
    """A step of the preparation."""

    perform: Callable[[Situation, Any], Command]
    """Returns the command, checked or completed; raises `Refused` where it is not allowed."""
    commands: tuple[type[Command], ...] = (Command,)
    """The types of commands that it concerns; all by default."""


def _check_seat(situation: Situation, command: Command) -> Command:
    """Rejects a type of command that the seat of the caller may never give."""
    permissions.check_type(situation.request.by, command)
    return command


def _with_ids(situation: Situation, command: Command) -> Command:
    """Replaces names and shorthands of combatants by their ids."""
    return situation.drafting.with_ids(command, situation.request.by, situation.combat)


def _check_permission(situation: Situation, command: Command) -> Command:
    """Rejects a command about combatants that the caller does not play."""
    permissions.check(situation.combat, situation.request.by, command, situation.request.only)
    return command


def _check_session_open(situation: Situation, command: Command) -> Command:
    """Rejects a command for a session that is not open."""
    check_open(situation.combat)
    return command


def _with_entry(situation: Situation, command: Amend | Rewind) -> Command:
    """Completes an undo, redo or amendment with the entry that it means on this log."""
    return situation.request.on(situation.log, command)


def _with_audience_of_rewind(situation: Situation, command: Rewind) -> Command:
    """Completes a rewind with its target; its reason is at least as secret as the entries that it undoes."""
    head = situation.log.timeline.head_at(command.to)
    of_itself = undo.audience(situation.log, head) if command.why else None
    return msgspec.structs.replace(command, to=head, seen_by=shared([command.seen_by, of_itself]))


def _with_open_roll(situation: Situation, command: ApplyModifier) -> Command:
    """Completes a modifier with the whole key of the open roll."""
    key = open_key(situation.combat, command.key)
    return msgspec.structs.replace(command, key=key) if key else command


def _with_open_rest(situation: Situation, command: TypeDice | DrawDice | TellDice | Choose) -> Command:
    """Completes an answer with the whole key of the only open roll or choice that a shorthand means.

    Only what the caller may see can be meant. A key that means nothing is left as it is, and refused later.
    """
    by, combat = situation.request.by, situation.combat
    rests = [rest for rest in combat.rests if bool(rest.dice) != isinstance(command, Choose)]
    if any(rest.key == command.key for rest in rests):
        return command
    eyes = EVERYTHING if by.seat is Seat.GM else viewer(by, combat)
    key = situation.drafting.names(by, combat).key(command.key)
    found = meant(key, [(rest.key, rest.by) for rest in rests if eyes.may_see(rest.seen_by)])
    if len(found) > 1:
        raise NoSuchRoll(f"{command.key!r} means more than one", where="key", accepts=", ".join(found))
    return msgspec.structs.replace(command, key=found[0]) if found else command


def _with_waiting_dice(situation: Situation, command: TypeDice | DrawDice | TellDice) -> Command:
    """Completes a roll of which some dice already lie on the table."""
    return situation.waiting.completed(command)


def _with_seed(situation: Situation, command: GiveNonce | Reveal) -> Command:
    """Completes the reveal of the seed with the seed; rejects a player's nonce that comes too late."""
    return situation.drafting.dice.filled(command)


def _with_disclosed_parts(situation: Situation, command: Reveal) -> Command:
    """Completes a disclosure with its entry and parts."""
    return disclose.filled(situation.log, command)


def _with_dispute(situation: Situation, command: OpenDispute | SettleDispute) -> Command:
    """Completes the opening or settlement of a dispute with its id, audience and subject."""
    return register.completed(situation.log, command, situation.request.by)


_REST = PreparationStep(_with_open_rest, (TypeDice, DrawDice, TellDice, Choose))
ALLOWED: tuple[PreparationStep, ...] = (
    PreparationStep(_check_seat),
    PreparationStep(_with_ids),
    _REST,
    PreparationStep(_check_permission),
)
"""Checks rights. Names, entries and rolls are looked up only for callers who may give a command of that type; whose
combatant it concerns is checked when names have become ids."""
_ENTRY = PreparationStep(_with_entry, (Amend, Rewind))
WHAT_IF: tuple[PreparationStep, ...] = (*ALLOWED, _ENTRY)
"""For what-ifs, which are also allowed in a closed session."""
PREVIEW: tuple[PreparationStep, ...] = (*ALLOWED, PreparationStep(_check_session_open), _ENTRY)
"""For previews of corrections."""
STEPS: tuple[PreparationStep, ...] = (
    *PREVIEW,
    PreparationStep(_with_audience_of_rewind, (Rewind,)),
    PreparationStep(_with_open_roll, (ApplyModifier,)),
    PreparationStep(_with_waiting_dice, (TypeDice, DrawDice, TellDice)),
    PreparationStep(_with_seed, (GiveNonce, Reveal)),
    PreparationStep(_with_disclosed_parts, (Reveal,)),
    PreparationStep(_with_dispute, (OpenDispute, SettleDispute)),
)
"""All steps, in order."""


def prepared(situation: Situation, steps: tuple[PreparationStep, ...] = STEPS) -> Command:
    """Returns the command of a request as the rules decide it.

    Args:
        situation: The request, with its session.
        steps: The steps to perform.

    Raises:
        Refused: A step refuses the command.
    """
    command = situation.request.command
    for perform in _concerning(type(command), steps):
        command = perform(situation, command)
    return command


@lru_cache(maxsize=256)
def _concerning(
    kind: type[Command], steps: tuple[PreparationStep, ...]
) -> tuple[Callable[[Situation, Any], Command], ...]:
    """Returns the functions of the steps that concern a type of command."""
    return tuple(step.perform for step in steps if issubclass(kind, step.commands))
