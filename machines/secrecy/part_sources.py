"""Marks the parts of a sum with the audience of their source, which may be hidden from the roller.

Rulesets call these functions for parts that are not the roller's own: from another combatant's sheet or roll, or from a
condition. Parts from a public source are not marked. `machines.secrecy.visibility` reads the marks.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from ledger.audience import shared
from ledger.events import Audience, ChoiceRequested, Event, ModifierApplied
from ledger.key import UNSEEN
from machines.contract.ruleset import ruleset
from machines.registry import vocabulary_of
from projections.combat import Combat

E = TypeVar("E", bound=Event)


def of_sheet(combat: Combat, who: str, events: Iterable[E]) -> Iterator[E]:
    """Marks parts that come from a combatant's sheet."""
    return marked(events, audience_of_sheet(combat, who))


def of_condition(combat: Combat, who: str, name: str, events: Iterable[E]) -> Iterator[E]:
    """Marks parts that come from a condition of a combatant, or from its level."""
    return of_conditions(combat, who, (name,), events)


def of_conditions(combat: Combat, who: str, names: Iterable[str], events: Iterable[E]) -> Iterator[E]:
    """Marks parts that come from several conditions of a combatant."""
    mine = combat.conditions.of(who)
    return marked(events, shared(mine[name].level_seen_by for name in names if name in mine))


def of_wounds(combat: Combat, who: str, kind: str, events: Iterable[E]) -> Iterator[E]:
    """Marks parts that come from the number of a combatant's wounds, or the like."""
    return marked(events, combat.wounds.seen_by(who, kind))


def of_roll(combat: Combat, key: str, events: Iterable[E]) -> Iterator[E]:
    """Marks parts that come from the result of a roll."""
    return marked(events, audience_of_roll(combat, key))


def of_figure(combat: Combat, who: str, name: str, events: Iterable[E]) -> Iterator[E]:
    """Marks parts that come from a combatant's figure that outlasts exchanges."""
    return marked(events, combat.figures.hidden.get(f"{who} {name}"))


def of_parts(combat: Combat, choice: ChoiceRequested, parts: Iterable[Event]) -> ChoiceRequested:
    """Marks a choice whose targets have these parts with the audience of their sources and of another's declaration."""
    found, is_own = list(parts), ruleset(combat.session.ruleset).own_part
    if not found:
        return choice
    foreign = [part for part in found if not isinstance(part, ModifierApplied) or not is_own(part)]
    declared = audience_of_declaration(combat, choice.key, choice.by) if foreign else None
    return next(marked([choice], shared([declared, *(part.seen_by for part in found)])))


def marked(events: Iterable[E], seen_by: Audience) -> Iterator[E]:
    """Marks events with the audience of their source, in addition to earlier marks."""
    for event in events:  # one by one: a ruleset's generator receives the state after each
        yield event if seen_by is None else msgspec.structs.replace(event, seen_by=shared([event.seen_by, seen_by]))


def audience_of_declaration(combat: Combat, key: str, owner: str) -> Audience:
    """Returns who may see another's declaration that changes a roll or choice under this key; None if there is none."""
    frames = (frame for frame in reversed(combat.exchange.frames) if key.startswith(frame.key + "/"))
    frame = next(frames, None)
    if frame is None or frame.by == owner:
        return None
    return combat.roster.hidden().get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by


def audience_of_sheet(combat: Combat, who: str) -> Audience:
    """Returns who may see the numbers of a combatant's sheet; None for everyone, or if there is no such combatant."""
    return combat.roster[who].sheet_seen_by if who in combat.roster else None


def audience_of_roll(combat: Combat, key: str) -> Audience:
    """Returns who may see the result of a roll: its faces, the roller's sheet and every part of its sum."""
    roll = combat.rolls[key]
    parts = (seen_by for _, seen_by in combat.rolls.hidden.get(key, ()))
    figures = (combat.figures.hidden.get(f"{key} {name}") for name in summed(combat))
    return shared([roll.seen_by, audience_of_sheet(combat, roll.by), *parts, *figures])


def summed(combat: Combat) -> tuple[str, ...]:
    """Returns the names of the figures against which the session's game reads a roll."""
    return vocabulary_of(combat.session.ruleset).sums.names
