"""Whom a command, a key or a text names, of those who joined in secret and are not revealed to everybody."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ledger.audience import either, shared
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
    Note,
    OpenDispute,
    Overrule,
    Reveal,
    TellDice,
    TypeDice,
)
from ledger.events import Audience
from machines import gm_choices, roll_questions
from projections.combat import Combat

Hidden = Mapping[str, Audience]
"""Those who are hidden, each with who knows of them."""

_KEYED = (TypeDice, DrawDice, TellDice, Choose, ApplyModifier, Overrule)


def secrecy(command: Command, combat: Combat) -> Audience:
    """Who may see a command: those who know of the hidden combatants, and see the secret roll, that it is about."""
    return shared([_of_hidden(command, combat), _of_choice(command, combat)])


def _of_choice(command: Command, combat: Combat) -> Audience:
    if not isinstance(command, Choose):
        return None
    return shared([roll_questions.of_command(command, combat), gm_choices.of_command(command, combat)])


def _of_hidden(command: Command, combat: Combat) -> Audience:
    """Who may see a command, for the hidden combatants whom it is about; None where it is about none."""
    hidden = combat.roster.hidden()
    match command:
        case Declare():
            return of_declaration(command.by, command.terms, hidden)
        case BeginCombat():
            return of_all(mentioned(command.situation, hidden), hidden)
        case Adjust() | Leave() | AmendSheet():
            return hidden.get(command.who)
        case Note() | OpenDispute():
            return hidden.get(named(command.about, hidden))
        case _ if isinstance(command, _KEYED):
            owner = owners(combat).get(command.key, gm_choices.GAMEMASTER)
            known_to = hidden.get(named(command.key, hidden) if owner == gm_choices.GAMEMASTER else owner)
            return shared([known_to, _unnoticed(command.key, combat)])
        case _:
            return None


def as_asked(command: Command, before: Combat) -> Command:
    """The command as its own secrecy counts: what hidden combatants do is secret as they are, not as a whole."""
    if command.seen_by is None or not _counts_by_itself(command, before):
        return command
    return msgspec.structs.replace(command, seen_by=None)


def _unnoticed(key: str, combat: Combat) -> Audience:
    """Who may see that somebody is to roll who does not notice against what."""
    frame = combat.exchange.frame
    rest = next((rest for rest in combat.rests if rest.key == key and rest.dice), None)
    return None if rest is None or frame is None or rest.by == frame.by else rest.seen_by


def _counts_by_itself(command: Command, before: Combat) -> bool:
    if isinstance(command, Reveal) and command.who:
        return True
    if isinstance(command, Choose) and command.seen_by == _of_choice(command, before):
        return True
    return _of_hidden(command, before) is not None


def of_declaration(by: str, terms: Any, hidden: Hidden) -> Audience:
    """Who may see that somebody declares something: of what is done to somebody hidden also whoever does it."""
    if by in hidden:
        return hidden[by]
    audience = of_all(mentioned(terms, hidden), hidden)
    return None if audience is None else either(audience, (by,))


def of_all(people: Iterator[str], hidden: Hidden) -> Audience:
    """Those who know of all of these."""
    return shared(hidden[who] for who in people)


def owners(combat: Combat) -> dict[str, str]:
    """Whose roll or choice each key is."""
    rolls = {key: roll.by for key, roll in combat.rolls.rolls.items()}
    return rolls | {rest.key: rest.by for rest in combat.path.asked}


def named(key: str, hidden: Hidden) -> str:
    """The hidden combatant who is a part of a key, or of ``who.what``; empty where none is."""
    return next((part for part in re.split(r"[./]", key) if part in hidden), "")


def mentioned(value: Any, hidden: Hidden) -> Iterator[str]:
    """The hidden combatants whom a text names, or any text in a plain value."""
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
    """A plain value without the hidden combatants whom it names."""
    match value:
        case dict():
            return {name: without(each, hidden) for name, each in value.items() if not _names(name, hidden)}
        case list() | tuple():
            return [without(each, hidden) for each in value if not _names(each, hidden)]
        case _:
            return "" if _names(value, hidden) else value


def _names(value: Any, hidden: Hidden) -> bool:
    return isinstance(value, str) and next(mentioned(value, hidden), None) is not None
