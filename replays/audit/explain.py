"""Explains events step by step: each with its reason, page, entry and person."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from ledger import events as e
from ledger.dice import read
from machines.contract.dice_reading import counts_in_words
from projections.views.stand_ins import HIDDEN
from replays.audit.event_index import IndexedEvent, key_of, person
from replays.sessions.wording import Wording


class ExplanationStep(msgspec.Struct, frozen=True):
    """One step of an explanation."""

    what: str
    value: int | str | None
    why: str
    source: str
    """The page; empty where a person decided it."""
    entry: int
    by: str
    """The person, with their seat."""
    origin: int | None = None
    """The entry that is performed again in this one; None where there is none."""


def parts(facts: Collection[IndexedEvent], wording: Wording) -> Iterator[ExplanationStep]:
    """Yields a step for each event worth explaining, in order.

    Args:
        facts: Events of one key, or about one subject.
        wording: The wording of their game.
    """
    degree = wording.vocabulary.sums.degree
    in_words = {fact.event.key for fact in facts if isinstance(fact.event, e.FigureFound) and fact.event.name == degree}
    asked = (fact.event for fact in facts if isinstance(fact.event, e.RollRequested))
    dice = {event.key: event.dice for event in asked}
    for fact in facts:
        told = _step(fact.event, wording, in_words, partial(read, dice.get(key_of(fact.event), "")))
        if told is not None and not _is_bookkeeping(fact.event):
            yield ExplanationStep(*told, fact.entry.seq, person(fact.first), fact.entry.origin)


def _is_bookkeeping(event: e.Event) -> bool:
    return (isinstance(event, e.FigureFound) and not event.why) or (isinstance(event, e.Chosen) and not event.option)


_Step = tuple[str, int | str | None, str, str]


def _step(event: e.Event, wording: Wording, in_words: set[str], read: Callable[[int], str]) -> _Step | None:
    """Returns the step of one event, with numbers as read off the dice; without a margin where words state it."""
    match event:
        case e.TestResolved():
            margin = "" if event.key in in_words else wording.margin(event)
            against = wording.against(event, read)
            return "result", event.outcome, ", ".join(filter(None, (against, margin))), event.source
        case e.FigureFound() if event.name == HIDDEN:
            value = f"{event.value:+d}" if isinstance(event.value, int) else None
            return event.name, value, event.why, event.source
        case e.FigureFound():
            return event.name, event.value, wording.why(event), event.source
        case e.Overruled():
            why = f"{event.why} (the rule says {event.rule_says})".lstrip()
            return f"{wording.figure(event)} overruled", event.gm_says, why, ""
        case e.WoundSuffered():
            return f"{event.who} suffers {event.kind}", event.count, wording.why(event), event.source
        case e.DiceRolled():
            how = ", ".join(dict.fromkeys(event.provenance)) or "out of sight"
            return "dice", " ".join(map(read, event.faces)), how, ""
        case e.DiceTold():
            return "dice", counts_in_words(event.counts, event.dice), event.provenance, ""
        case _:
            tell = _PARTS.get(type(event))
            return tell(event) if tell is not None else None


def _declared(event: e.Declared) -> _Step:
    return "declared", event.kind, ", ".join(f"{name} {_listed(value)}" for name, value in event.terms.items()), ""


def _listed(value: Any) -> Any:
    """Returns a term's value; several values as a person lists them."""
    return " and ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _gained(event: e.ConditionGained) -> _Step:
    return f"{event.who} is", event.condition, event.why, event.source


_PARTS: Mapping[type[e.Event], Callable[[Any], _Step]] = {
    e.Declared: _declared,
    e.ModifierApplied: lambda event: ("modifier", f"{event.value:+d}", event.why, event.source),
    e.ReadingChanged: lambda event: ("read as", " ".join(map(str, event.after)), event.why, event.source),
    e.ChoiceRequested: lambda event: ("options", ", ".join(each.option for each in event.options), event.purpose, ""),
    e.InitiativeScored: lambda event: (f"{event.who}'s initiative", event.score, event.why, event.source),
    e.Chosen: lambda event: ("chosen", event.option, event.words, ""),
    e.DamageTaken: lambda event: (f"{event.who} takes {event.track}", event.amount, event.why, event.source),
    e.DamageHealed: lambda event: (f"{event.who} heals {event.track}", event.amount, event.why, event.source),
    e.WoundHealed: lambda event: (f"{event.who} loses {event.kind}", event.count, event.why, event.source),
    e.ConditionGained: _gained,
    e.ConditionLost: lambda event: (f"{event.who} is no longer", event.condition, event.why, ""),
    e.TrackOpened: lambda event: (f"{event.who} has {event.track}", event.capacity, "the capacity by the sheet", ""),
    e.ResourceOpened: lambda event: (f"{event.who} has {event.resource}", event.left, "by the sheet", ""),
    e.ResourceSpent: lambda event: (f"{event.who} spends {event.resource}", event.amount, event.why, ""),
    e.ResourceGained: lambda event: (f"{event.who} gains {event.resource}", event.amount, event.why, ""),
    e.ExchangeEnded: lambda event: ("outcome", event.outcome, "", ""),
    e.Adjusted: lambda event: (f"{event.who}.{event.what} set", event.after, event.why, ""),
}
