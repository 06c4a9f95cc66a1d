"""What everybody is told of an event that is hidden: each event and field is classified exactly once.

A field is *released* where nothing hides it, *told* where fiction tells it also of a hidden event, or *kept*. What a
hidden combatant does or is, is kept whole; of it only harm to others is told, and whom they are seen to attack.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger import events as e
from ledger.events import Event
from projections.vocabulary import USUAL

Fields = Mapping[type[Event], tuple[str, ...]]

_HARM = ("who", "track", "amount", "key", "source")
_WOUND = ("who", "track", "count", "kind", "key", "source")

RELEASED: Fields = {
    e.SessionOpened: ("title", "ruleset", "profile", "rules", "policies", "dice_commitment", "source"),
    e.SessionClosed: ("why",), e.CampaignNamed: ("campaign",),
    e.CombatBegan: ("combat", "situation"), e.CombatEnded: ("why",), e.RoundBegan: ("round",),
    e.TimePassed: ("amount", "unit"), e.Rewound: ("to", "why"), e.Amended: ("entry", "change", "why"),
    e.NonceGiven: ("player", "nonce"), e.SeedRevealed: ("seed",), e.SecretRevealed: ("entry", "parts", "to"),
}  # fmt: skip
"""Events that are as open as the command that they follow from: nothing secret goes into them."""

TOLD: Mapping[str, Fields] = {
    "a roll": {
        e.RollRequested: ("key", "by", "dice", "purpose", "of"), e.DiceRolled: ("key",), e.DiceTold: ("key", "dice"),
    },
    "a choice": {e.ChoiceRequested: ("key", "by", "default"), e.Chosen: ("key",)},
    "what came of it": {
        e.DamageTaken: _HARM, e.DamageHealed: _HARM, e.WoundSuffered: _WOUND, e.WoundHealed: _WOUND,
        e.ConditionGained: ("who", "condition", "level", "until", "key", "source"),
        e.ConditionLost: ("who", "condition", "why"), e.ExchangeEnded: ("key", "outcome"),
        e.Adjusted: ("who", "what", "before", "after", "why"),
    },
    "draws": {e.DiceRolled: ("provenance",)},
    "who takes part": {
        e.CombatantJoined: ("who", "name", "player", "thing"), e.CombatantLeft: ("who", "why"),
        e.SideTaken: ("who", "side"), e.NameGiven: ("who", "name"),
    },
    "the course of the fight": {
        e.OrderFixed: ("order",), e.PassBegan: ("number",), e.TurnBegan: ("who",), e.TurnEnded: ("who",),
        e.ActionSpent: ("who", "action", "amount"),
        e.Declared: ("key", "kind", "by", "terms"),
    },
}  # fmt: skip
"""What fiction tells of hidden events, by what `projections.views.released.TOLD_TO_ALL` calls it."""

KEPT: Fields = {
    e.DiceRolled: ("faces",), e.DiceTold: ("counts", "provenance"), e.ChoiceRequested: ("options", "purpose"),
    e.Chosen: ("option", "words"),
    **dict.fromkeys((e.DamageTaken, e.DamageHealed, e.WoundSuffered, e.WoundHealed, e.ConditionGained), ("why",)),
    e.ReadingChanged: ("key", "before", "after", "why", "source"), e.ModifierApplied: ("key", "value", "why", "source"),
    e.TestResolved: ("key", "base", "target", "rolled", "margin", "outcome", "source"),
    e.FigureFound: ("key", "name", "value", "why", "source", "scope", "who"),
    e.Overruled: ("key", "figure", "rule_says", "gm_says", "why"),
    e.SheetGiven: ("who", "sheet"), e.TrackOpened: ("who", "track", "capacity"),
    e.ResourceOpened: ("who", "resource", "left", "of"),
    **dict.fromkeys((e.ResourceSpent, e.ResourceGained), ("who", "resource", "amount", "key", "why")),
    e.StepEntered: ("chart", "box", "depth"), e.InitiativeScored: ("who", "score", "key", "why", "source"),
    e.Noted: ("text", "about"),
    e.DisputeOpened: ("dispute", "about", "claim", "why"), e.DisputeSettled: ("dispute", "ruling", "entry", "why"),
}  # fmt: skip
"""What fiction keeps to itself where it comes from a secret die, sheet, modifier or word."""

_OTHERS = (e.DamageTaken, e.DamageHealed, e.WoundSuffered, e.WoundHealed, e.ConditionGained, e.ConditionLost)
"""Told of those who are not hidden, whoever did it to them."""
_PLACES = (e.PassBegan,)
"""Hidden where they lead to nothing but what is hidden."""


class Unseen(msgspec.Struct, frozen=True):
    """What fiction has to know of hidden combatants."""

    who: Container[str] = ()
    """Their ids."""
    owners: Mapping[str, str] = {}
    """Whose roll or choice each key is."""
    perceived: Container[str] = ()
    """The kinds of declarations that others notice."""
    at: str = USUAL.terms.at
    """The field of a declaration that says at whom it is aimed."""


def fiction(events: Iterable[Event], unseen: Unseen | None = None) -> Iterator[Event]:
    """Yields what everybody is told of events, whatever they come from.

    Args:
        events: In their order, with those that are hidden.
        unseen: The hidden combatants; left out, there are none.
    """
    unseen = unseen or Unseen()
    events = tuple(events)
    asked = {event.key: event.by for event in events if isinstance(event, e.RollRequested | e.ChoiceRequested)}
    unseen = msgspec.structs.replace(unseen, owners={**unseen.owners, **asked})
    for event in events:
        if _is_theirs(event, unseen):
            yield from _noticed(event, unseen)
        elif told_fields(type(event)):
            yield _told(event, unseen)


def told_fields(kind: type[Event]) -> tuple[str, ...]:
    """Returns the fields of an event that everybody is told; empty where it is kept whole."""
    told = (fields for row in TOLD.values() for fields in [row.get(kind, ())])
    return (*RELEASED.get(kind, ()), *(name for fields in told for name in fields))


def _told(event: Event, unseen: Unseen) -> Event:
    changed: dict[str, Any] = {name: _BLANK[type(getattr(event, name))] for name in KEPT.get(type(event), ())}
    if isinstance(event, e.OrderFixed):
        changed["order"] = tuple(pair for pair in event.order if pair[0] not in unseen.who)
    if isinstance(event, e.DiceRolled):
        changed["provenance"] = tuple(each for each in event.provenance if each == "drawn")
    return msgspec.structs.replace(event, seen_by=None, **changed)


def _is_theirs(event: Event, unseen: Unseen) -> bool:
    """Is it about a hidden combatant, or done by one or to one?"""
    if isinstance(event, _PLACES):
        return event.seen_by is not None
    if isinstance(event, e.ConditionGained | e.ConditionLost) and _any(event.condition.split("_"), unseen):
        return True
    if isinstance(event, e.Declared) and _any(_words(event.terms), unseen):
        return True
    who = getattr(event, "who", "") or getattr(event, "by", "")
    key = getattr(event, "key", "")
    if who or isinstance(event, _OTHERS):
        return who in unseen.who
    return unseen.owners[key] in unseen.who if key in unseen.owners else _any(key.split("/"), unseen)


def _noticed(event: Event, unseen: Unseen) -> Iterator[Event]:
    """Whom a hidden combatant is seen to attack, and what the engine drew for them."""
    if isinstance(event, e.Declared) and event.by in unseen.who and event.kind in unseen.perceived:
        at = event.terms.get(unseen.at)
        whom = [who for who in (at if isinstance(at, list | tuple) else [at]) if who not in unseen.who]
        yield e.Declared(event.key, event.kind, "", {unseen.at: whom})
    if isinstance(event, e.DiceRolled) and "drawn" in event.provenance:
        yield _told(event, unseen)


def _any(words: Iterable[str], unseen: Unseen) -> bool:
    return any(word in unseen.who for word in words)


def _words(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from value
            yield from _words(list(value.values()))
        case list() | tuple():
            for each in value:
                yield from _words(each)


_BLANK: Mapping[type, Any] = {str: "", tuple: (), dict: {}}
