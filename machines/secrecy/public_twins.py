"""Makes public twins: what everyone may see of a hidden event, placed directly before it."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ledger.audience import shared
from ledger.events import (
    Audience,
    ChoiceRequested,
    CombatBegan,
    ConditionGained,
    DamageTaken,
    Declared,
    Event,
    ExchangeEnded,
    FigureFound,
    Noted,
    OrderFixed,
)
from machines.registry import vocabulary_of
from machines.secrecy.hidden_names import Hidden, mentioned, of_all, without
from projections.combat import Combat

SOMEONE = "Someone"
"""The name of a hidden combatant in notes for everyone."""
Order = tuple[tuple[str, int], ...]
"""Combatants with their scores, first to last."""


def orders(
    event: OrderFixed, hidden: Hidden, *, someone: bool, instead_of: tuple[Order, Hidden] | None = None
) -> Iterator[Event]:
    """Yields the order as everyone sees it, then for each who knows of a hidden combatant, then whole.

    Args:
        event: The order.
        hidden: The hidden combatants.
        someone: Whether the place of hidden combatants is shown, without their score.
        instead_of: The previous order and who was hidden then, if only hidden combatants changed the order: nothing is
            yielded for viewers who see no difference.
    """
    there = {who: hidden[who] for who, _ in event.order if who in hidden}
    if not there or event.seen_by is not None:
        yield seen_by(event, shared(there.values()))
        return
    viewers = sorted({each for known_to in there.values() for each in known_to or ()})
    for viewer in ("", *viewers):
        order = _order(event.order, hidden, viewer, someone)
        if instead_of is None or order != _order(*instead_of, viewer, someone):
            yield OrderFixed(order, seen_by=(viewer,) if viewer else None)
    yield msgspec.structs.replace(event, seen_by=())


def _order(order: Order, hidden: Hidden, viewer: str, someone: bool) -> Order:
    """Returns the order as a viewer sees it: without the combatants hidden from them, or without their scores."""
    known = {who for who, known_to in hidden.items() if viewer in (known_to or ())}
    shown = [(who, score if who in known or who not in hidden else 0) for who, score in order]
    return tuple(each for each in shown if someone or each[0] in known or each[0] not in hidden)


def notice(event: Declared, hidden: Hidden, perceived: Mapping[str, str], combat: Combat) -> Iterator[Event]:
    """Yields the note that someone attacks, with the visible targets, for a hidden combatant's declaration."""
    deed = perceived.get(event.kind, "") if event.by in hidden else ""
    if not deed:
        return
    at, roster = event.terms.get(vocabulary_of(combat.session.ruleset).terms.at), combat.roster
    known = [who for who in (at if isinstance(at, list | tuple) else [at]) if isinstance(who, str)]
    names = [roster.name(who) for who in known if who in roster and who not in hidden]
    targets = f" {' and '.join(names)}" if names else ""
    yield Noted(f"{SOMEONE} {deed}{targets}.", event.key)


def ending(event: ExchangeEnded, endings: Mapping[str, str], target: str) -> Iterator[Event]:
    """Yields the note of how a hidden attack ended, if no harm reveals it.

    Args:
        event: The end of the attack.
        endings: The note for each outcome; ``{other}`` is the target.
        target: The target's name.
    """
    if event.outcome in endings:
        yield Noted(f"{SOMEONE} {endings[event.outcome].format(other=target)}.", event.key)


def place(event: DamageTaken, frame: str, combat: Combat, upto: Sequence[Event]) -> Iterator[Event]:
    """Yields the place where a combatant was hit.

    Args:
        event: The harm.
        frame: The key of the action.
        combat: The state before the events of this entry.
        upto: The events of this entry up to the harm.
    """
    places = vocabulary_of(combat.session.ruleset).places
    found = {
        full.removesuffix(f" {name}"): (name, value)
        for full, value in combat.figures.exchange.items()
        for name in places
        if full.startswith(frame) and full.endswith(f" {name}")
    }
    figures = (each for each in upto if isinstance(each, FigureFound) and each.key.startswith(frame))
    found |= {each.key: (each.name, each.value) for each in figures if each.name in places}
    for key, (name, value) in found.items():
        yield FigureFound(key, name, value, "", "", "exchange", event.who)


def condition(event: ConditionGained, hidden: Hidden) -> Iterator[Event]:
    """Yields a condition without its reason; if its end names a hidden combatant also without its end, then whole."""
    audience = of_all(mentioned(event.until, hidden), hidden)
    if audience is None:
        yield msgspec.structs.replace(event, why="")
    else:
        yield msgspec.structs.replace(event, why="", until="")
        yield seen_by(event, audience)


def naming(event: ChoiceRequested | CombatBegan, hidden: Hidden) -> Iterator[Event]:
    """Yields a choice or the beginning of a fight, first without the hidden combatants that it names, then whole."""
    plain = event.situation if isinstance(event, CombatBegan) else _pairs(event)
    audience = of_all(mentioned(plain, hidden), hidden)
    if audience is not None and event.seen_by is None:
        yield _without(event, hidden)
    yield seen_by(event, audience)


def _pairs(event: ChoiceRequested) -> list[tuple[str, str]]:
    return [(each.option, each.label) for each in event.options]


def _without(event: ChoiceRequested | CombatBegan, hidden: Hidden) -> Event:
    if isinstance(event, CombatBegan):
        return msgspec.structs.replace(event, situation=without(event.situation, hidden))
    options = tuple(each for each in event.options if next(mentioned([each.option, each.label], hidden), None) is None)
    default = event.default if any(each.option == event.default for each in options) else None
    return msgspec.structs.replace(event, options=options, default=default)


def seen_by(event: Event, audience: Audience) -> Event:
    """Returns an event whose audience is limited to those who are also in another audience."""
    if audience is None:
        return event
    return msgspec.structs.replace(event, seen_by=shared([event.seen_by, audience]))
