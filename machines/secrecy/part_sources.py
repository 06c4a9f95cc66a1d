"""Marks the parts of a sum that come from a source which may be hidden from whoever rolls.

The rules say here where a part comes from that is not the roller's own: the sheet of somebody else, a condition, the
roll of somebody else. While that source is open, nothing is marked. `machines.secrecy.visibility` reads the marks.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from ledger.audience import shared
from ledger.events import Audience, ChoiceRequested, Event, ModifierApplied
from ledger.key import UNSEEN
from machines.contract.ruleset import ruleset, vocabulary_of
from projections.combat import Combat

E = TypeVar("E", bound=Event)


def of_sheet(combat: Combat, who: str, events: Iterable[E]) -> Iterator[E]:
    """Marks what comes from somebody's sheet."""
    return marked(events, audience_of_sheet(combat, who))


def of_condition(combat: Combat, who: str, name: str, events: Iterable[E]) -> Iterator[E]:
    """Marks what comes from a condition that somebody has, and from its level."""
    return of_conditions(combat, who, (name,), events)


def of_conditions(combat: Combat, who: str, names: Iterable[str], events: Iterable[E]) -> Iterator[E]:
    """Marks what comes from several of them."""
    mine = combat.conditions.of(who)
    return marked(events, shared(mine[name].level_seen_by for name in names if name in mine))


def of_wounds(combat: Combat, who: str, kind: str, events: Iterable[E]) -> Iterator[E]:
    """Marks what comes from how many wounds, or the like, somebody has."""
    return marked(events, combat.wounds.seen_by(who, kind))


def of_roll(combat: Combat, key: str, events: Iterable[E]) -> Iterator[E]:
    """Marks what comes from what a roll came to."""
    return marked(events, audience_of_roll(combat, key))


def of_figure(combat: Combat, who: str, name: str, events: Iterable[E]) -> Iterator[E]:
    """Marks what comes from a figure of somebody's that outlives exchanges."""
    return marked(events, combat.figures.hidden.get(f"{who} {name}"))


def of_parts(combat: Combat, choice: ChoiceRequested, parts: Iterable[Event]) -> ChoiceRequested:
    """Marks a choice whose targets have these parts, as secret as their sources and as what somebody else declared."""
    found, is_own = list(parts), ruleset(combat.session.ruleset).own_part
    foreign = [part for part in found if not isinstance(part, ModifierApplied) or not is_own(part)]
    declared = audience_of_declaration(combat, choice.key, choice.by) if foreign else None
    return next(marked([choice], shared([declared, *(part.seen_by for part in found)])))


def marked(events: Iterable[E], seen_by: Audience) -> Iterator[E]:
    """Marks events with those who may see where they come from, beside what they are marked with already."""
    for event in events:  # one by one: a deed is sent what is so after each
        yield event if seen_by is None else msgspec.structs.replace(event, seen_by=shared([event.seen_by, seen_by]))


def audience_of_declaration(combat: Combat, key: str, owner: str) -> Audience:
    """Who may see what somebody else has declared, by which a roll or choice under this key is changed."""
    frames = (frame for frame in reversed(combat.exchange.frames) if key.startswith(frame.key + "/"))
    frame = next(frames, None)
    if frame is None or frame.by == owner:
        return None
    return combat.roster.hidden().get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by


def audience_of_sheet(combat: Combat, who: str) -> Audience:
    """Who may see the numbers that come from somebody's sheet; of nobody's, everybody."""
    return combat.roster[who].sheet_seen_by if who in combat.roster else None


def audience_of_roll(combat: Combat, key: str) -> Audience:
    """Who may see what a roll came to: its faces, the sheet of whoever rolls, and every part of its sum."""
    roll = combat.rolls[key]
    parts = (seen_by for _, seen_by in combat.rolls.hidden.get(key, ()))
    figures = (combat.figures.hidden.get(f"{key} {name}") for name in summed(combat))
    return shared([roll.seen_by, audience_of_sheet(combat, roll.by), *parts, *figures])


def summed(combat: Combat) -> tuple[str, ...]:
    """Names of the figures against which a roll is read, in the session's game."""
    return vocabulary_of(combat.session.ruleset).sums.names
