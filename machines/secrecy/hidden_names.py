"""Finds the hidden combatants that a command, a key or a text names.

Hidden combatants joined in secret and have not been revealed to everyone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from ledger.audience import either, includes, shared
from ledger.commands import (
    Adjust,
    AmendSheet,
    ApplyModifier,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    Leave,
    OpenDispute,
    Overrule,
    Reveal,
    TellDice,
    TypeDice,
)
from ledger.events import Audience
from ledger.key import UNSEEN
from machines.secrecy import gm_choices, roll_questions
from projections.combat import Combat

C = TypeVar("C", bound=Command)
Hidden = Mapping[str, Audience]
"""The hidden combatants, each with the audience that knows of them."""

_KEYED = (TypeDice, DrawDice, TellDice, Choose, ApplyModifier, Overrule)


def secrecy(command: Command, combat: Combat) -> Audience:
    """Returns who may see a command, for what it answers and the hidden combatants that it concerns; None: everyone."""
    of_hidden = _of_hidden(command, combat)
    if not isinstance(command, Choose):
        return None if of_hidden is None else shared([of_hidden])
    return shared([of_hidden, roll_questions.of_command(command, combat), gm_choices.of_command(command, combat)])


def _of_hidden(command: Command, combat: Combat) -> Audience:
    """Returns who may see a command, for the hidden combatants that it concerns; None if it concerns none."""
    hidden = combat.roster.hidden()
    if not hidden and all(frame.seen_by is None for frame in combat.exchange.frames):
        return None
    match command:
        case Declare():
            return of_declaration(command.by, command.terms, hidden)
        case BeginCombat():
            return of_all(mentioned(command.situation, hidden), hidden)
        case Adjust() | Leave() | AmendSheet():
            return hidden.get(command.who)
        case OpenDispute():
            return hidden.get(named(command.about, hidden))
        case _ if isinstance(command, _KEYED):
            return _of_key(command.key, combat, hidden)
        case _:
            return None


def _of_key(key: str, combat: Combat, hidden: Hidden) -> Audience:
    """Returns who may see a roll, a choice or a figure, for who acts; what a victim does is public."""
    owner = owners(combat).get(key, "")
    who = named(key, hidden) if owner in ("", gm_choices.GAMEMASTER) else owner
    if who in hidden:
        return hidden[who]
    frame = next((each for each in reversed(combat.exchange.frames) if f"{key}/".startswith(f"{each.key}/")), None)
    if frame is None or owner not in ("", gm_choices.GAMEMASTER, frame.by):
        return None
    return hidden.get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by


def with_own_secrecy(command: C, before: Combat) -> C:
    """Returns a command without an audience that only follows from a hidden combatant; else the command as it is.

    `machines.secrecy.hidden_actors` hides what hidden combatants do, event by event and not as a whole. The audience of
    a command that reveals a combatant is removed as well.
    """
    if command.seen_by is None:
        return command
    is_reveal = isinstance(command, Reveal) and bool(command.who)
    derived = secrecy(command, before)
    if not is_reveal and (derived is None or not includes(command.seen_by, derived)):
        return command
    return msgspec.structs.replace(command, seen_by=None)


def of_declaration(by: str, terms: Any, hidden: Hidden) -> Audience:
    """Returns who may see a declaration: those who know of all hidden combatants in it, and always its own actor."""
    if by in hidden:
        return hidden[by]
    audience = of_all(mentioned(terms, hidden), hidden)
    return None if audience is None else either(audience, (by,))


def of_all(people: Iterator[str], hidden: Hidden) -> Audience:
    """Returns who knows of all of these combatants."""
    return shared(hidden[who] for who in people)


def owners(combat: Combat) -> dict[str, str]:
    """Returns the combatant who rolls or chooses, by the key of each roll and choice."""
    rolls = {key: roll.by for key, roll in combat.rolls.rolls.items()}
    return rolls | {rest.key: rest.by for rest in combat.path.asked}


def named(key: str, hidden: Hidden) -> str:
    """Returns the hidden combatant who is a part of a key, or of ``who.what``; empty if there is none."""
    return next((part for part in re.split(r"[./]", key) if part in hidden), "")


def mentioned(value: Any, hidden: Hidden) -> Iterator[str]:
    """Yields the hidden combatants who are named in a text, or in any text of a plain value."""
    match value:
        case str():
            yield from (who for who in hidden if re.search(re.escape(who) + r"(?!\d)", value))
        case dict():
            for name, each in value.items():
                yield from mentioned(name, hidden)
                yield from mentioned(each, hidden)
        case list() | tuple():
            for each in value:
                yield from mentioned(each, hidden)


def without(value: Any, hidden: Hidden) -> Any:
    """Returns a plain value without the parts that name hidden combatants."""
    match value:
        case dict():
            return {name: without(each, hidden) for name, each in value.items() if not _names(name, hidden)}
        case list() | tuple():
            return [without(each, hidden) for each in value if not _names(each, hidden)]
        case _:
            return "" if _names(value, hidden) else value


def _names(value: Any, hidden: Hidden) -> bool:
    """Returns whether a value is a text that names a hidden combatant."""
    return isinstance(value, str) and next(mentioned(value, hidden), None) is not None
