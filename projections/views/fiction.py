"""Lists what the fiction discloses of a hidden event; each field of each event is classified exactly once.

A field is *released* if nothing ever hides it, *disclosed* if everyone learns it even of a hidden event, or *kept*.
Actions of a hidden combatant are kept whole, except for harm to others and the visible targets of an attack.
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
    e.SessionClosed: ("why",), e.SessionRenamed: ("title",), e.CampaignNamed: ("campaign",),
    e.CombatBegan: ("combat", "situation"), e.CombatEnded: ("why",), e.RoundBegan: ("round",),
    e.TimePassed: ("amount", "unit"), e.Rewound: ("to", "why"), e.Amended: ("entry", "change", "why"),
    e.NonceGiven: ("player", "nonce"), e.SeedRevealed: ("seed",), e.SecretRevealed: ("entry", "parts", "to"),
}  # fmt: skip
"""Events that contain nothing secret: they have the audience of their command."""

DISCLOSED: Mapping[str, Fields] = {
    "a roll": {
        e.RollRequested: ("key", "by", "dice", "purpose", "of"), e.DiceRolled: ("key",), e.DiceTold: ("key",),
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
"""What everyone learns of hidden events, by its name in `projections.views.released.DISCLOSED_TO_ALL`."""

KEPT: Fields = {
    e.DiceRolled: ("faces",), e.DiceTold: ("dice", "counts", "provenance"),
    e.ChoiceRequested: ("options", "purpose"), e.Chosen: ("option", "words"),
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
"""Fields that stay hidden if they come from a secret die, sheet, modifier or text."""

_OTHERS = (e.DamageTaken, e.DamageHealed, e.WoundSuffered, e.WoundHealed, e.ConditionGained, e.ConditionLost)
"""Disclosed of visible combatants, even if a hidden combatant caused it."""
_PLACES = (e.PassBegan,)
"""Hidden if only hidden events follow."""


class HiddenCombatants(msgspec.Struct, frozen=True):
    """The hidden combatants, and how to recognize their actions."""

    who: Container[str] = ()
    """Their ids."""
    owners: Mapping[str, str] = {}
    """Who rolls or chooses, by the key of each roll and choice."""
    perceived: Container[str] = ()
    """The kinds of declarations that others notice even of a hidden combatant."""
    at: str = USUAL.terms.at
    """The field of a declaration that names its targets."""


def disclosed(events: Iterable[Event], hidden: HiddenCombatants | None = None) -> Iterator[Event]:
    """Yields what everyone learns of events, hidden or not.

    Args:
        events: The events of an entry in order, including the hidden ones.
        hidden: The hidden combatants; by default there are none.
    """
    hidden = hidden or HiddenCombatants()
    events = tuple(events)
    asked = {event.key: event.by for event in events if isinstance(event, e.RollRequested | e.ChoiceRequested)}
    hidden = msgspec.structs.replace(hidden, owners={**hidden.owners, **asked})
    for event in events:
        if _is_theirs(event, hidden):
            yield from _noticed(event, hidden)
        elif disclosed_fields(type(event)):
            yield _without_kept_fields(event, hidden)


def disclosed_fields(kind: type[Event]) -> tuple[str, ...]:
    """Returns the fields of an event that everyone learns; empty if the event is kept whole."""
    fields = (name for row in DISCLOSED.values() for name in row.get(kind, ()))
    return (*RELEASED.get(kind, ()), *fields)


def _without_kept_fields(event: Event, hidden: HiddenCombatants) -> Event:
    if isinstance(event, e.DiceTold):  # whether faces or counts were given is hidden like the faces
        return e.DiceRolled(event.key, (), ())
    changed: dict[str, Any] = {name: _BLANK[type(getattr(event, name))] for name in KEPT.get(type(event), ())}
    if isinstance(event, e.OrderFixed):
        changed["order"] = tuple(pair for pair in event.order if pair[0] not in hidden.who)
    if isinstance(event, e.DiceRolled):
        changed["provenance"] = tuple(each for each in event.provenance if each == "drawn")
    return msgspec.structs.replace(event, seen_by=None, **changed)


def _is_theirs(event: Event, hidden: HiddenCombatants) -> bool:
    """Returns whether an event concerns a hidden combatant, as actor, target or otherwise."""
    if isinstance(event, _PLACES):
        return event.seen_by is not None
    if isinstance(event, e.ConditionGained | e.ConditionLost) and _any(event.condition.split("_"), hidden):
        return True
    if isinstance(event, e.Declared) and _any(_words(event.terms), hidden):
        return True
    who = getattr(event, "who", "") or getattr(event, "by", "")
    key = getattr(event, "key", "")
    if who or isinstance(event, _OTHERS):
        return who in hidden.who
    return hidden.owners[key] in hidden.who if key in hidden.owners else _any(key.split("/"), hidden)


def _noticed(event: Event, hidden: HiddenCombatants) -> Iterator[Event]:
    """Yields what others notice: the visible targets of an attack, and that the engine drew dice."""
    if isinstance(event, e.Declared) and event.by in hidden.who and event.kind in hidden.perceived:
        at = event.terms.get(hidden.at)
        targets = [who for who in (at if isinstance(at, list | tuple) else [at]) if who not in hidden.who]
        yield e.Declared(event.key, event.kind, "", {hidden.at: targets})
    if isinstance(event, e.DiceRolled) and "drawn" in event.provenance:
        yield _without_kept_fields(event, hidden)


def _any(words: Iterable[str], hidden: HiddenCombatants) -> bool:
    return any(word in hidden.who for word in words)


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
