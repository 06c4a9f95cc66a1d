"""Words declared actions and times, and finds the action in which an event happened."""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

import msgspec

from ledger import events as e
from ledger.entry import Entry
from ledger.key import UNSEEN
from machines.registry import vocabulary_of
from projections.clock import Clock
from projections.combat import Combat, fold
from projections.views.stand_ins import without_stand_ins
from projections.vocabulary import Terms
from replays.exports.recap.model import Deed, FightTime

Names = Mapping[str, str]


class OpenAction(msgspec.Struct, frozen=True):
    """An action that is being resolved."""

    key: str
    by: str
    kind: str
    terms: Mapping[str, Any]


def time_of(clock: Clock) -> FightTime:
    """Returns the time of a clock."""
    return FightTime(clock.combat, clock.round, clock.number)


def time_at(event: e.Event, entry: Entry, before: Combat) -> FightTime:
    """Returns the time at which an event of an entry happened.

    Args:
        event: The event.
        entry: The entry.
        before: The state before the entry.
    """
    return time_of(fold(takewhile(lambda each: each is not event, entry.events), before).clock)


def names_in(combat: Combat) -> dict[str, str]:
    """Returns the names of all combatants, by id."""
    return {who: one.name for who, one in combat.roster.who.items()}


def name_of(who: str, names: Names) -> str:
    """Returns the displayed name of a combatant, or of the gamemaster."""
    if who.startswith(UNSEEN) and who not in names:
        return "someone"
    return "the gamemaster" if who == "gm" else names.get(who, who)


def open_actions(combat: Combat) -> tuple[OpenAction, ...]:
    """Returns the actions that are being resolved, outermost first."""
    return tuple(
        OpenAction(frame.key, frame.by, frame.kind, msgspec.json.decode(frame.terms))
        for frame in combat.exchange.frames
    )


def with_actions(entry: Entry, before: Combat) -> Iterator[tuple[e.Event, tuple[OpenAction, ...]]]:
    """Yields the events of an entry, each with the actions that were being resolved, outermost first.

    The event that ends an action is yielded with that action.

    Args:
        entry: The entry as the viewer may see it.
        before: The state before it.
    """
    actions = open_actions(before)
    for event in without_stand_ins(entry.events):
        match event:
            case e.Declared():
                actions = (*actions, OpenAction(event.key, event.by, event.kind, event.terms))
                yield event, actions
            case e.ExchangeEnded():
                yield event, actions
                actions = tuple(each for each in actions if each.key != event.key)
            case e.CombatEnded():
                yield event, actions
                actions = ()
            case _:
                yield event, actions


def action_of(key: str, actions: tuple[OpenAction, ...]) -> OpenAction | None:
    """Returns the innermost open action to which a key belongs; the outermost one where it belongs to none."""
    mine = [each for each in actions if key == each.key or key.startswith(each.key + "/")]
    return mine[-1] if mine else actions[0] if actions else None


def deed_of(action: OpenAction, names: Names, ruleset: str) -> Deed:
    """Returns an action in words.

    Args:
        action: The action.
        names: The names of the combatants, by id.
        ruleset: The name of the ruleset, whose vocabulary names the terms.
    """
    words = vocabulary_of(ruleset).terms
    terms = action.terms
    at, deed = terms.get(words.at, ""), terms.get(words.deed, "")
    kind = action.kind.replace("_", " ")
    targets = [name_of(who, names) for who in ([at] if isinstance(at, str) else at) if isinstance(who, str) and who]
    about = f"{kind} on {' and '.join(targets)}" if targets else kind
    if isinstance(deed, str) and deed:
        about = f"{about} action ({deed})"
    return Deed(action.key, name_of(action.by, names), about, _thing(terms, words))


def _thing(terms: Mapping[str, Any], words: Terms) -> str:
    """Returns the first named weapon, spell or other thing of a declaration."""
    values = (terms.get(name) for name in (*words.things, *words.written))
    return next((value for value in values if isinstance(value, str) and value), "")
