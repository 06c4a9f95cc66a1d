"""Hides the actions of hidden combatants: those who joined in secret, and those who declared something in secret.

The place in the order, turns, rolls, choices, figures, resources and declarations of a hidden combatant are hidden like
the combatant. The policy `hidden_turns` decides whether others see nothing of the turn, or that someone acts. What the
fiction makes public:

- Harm to visible combatants, its place, and their conditions: always, without the reason.
- Rolls and choices of visible combatants, such as a victim's defense. Exception: rolls against a declaration that goes
  unnoticed (`Ruleset.unnoticed`); the gamemaster makes them.
- That someone attacks, and the target: for the kinds of declarations that a ruleset lists in `perceived`.
- Position, movement, weapon and figures of the hidden combatant: never, until `Reveal` discloses them.

A box of a procedure is shown if it leads to something that is shown, so the way to something hidden stays hidden.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from ledger.audience import either, shared
from ledger.events import (
    ActionSpent,
    Adjusted,
    Audience,
    ChoiceRequested,
    CombatantJoined,
    CombatBegan,
    ConditionGained,
    ConditionLost,
    DamageHealed,
    DamageTaken,
    Declared,
    Event,
    ExchangeEnded,
    FigureFound,
    InitiativeScored,
    ModifierApplied,
    NameGiven,
    Noted,
    OrderFixed,
    PassBegan,
    ResourceGained,
    ResourceSpent,
    RollRequested,
    StepEntered,
    TurnBegan,
    TurnEnded,
    WoundHealed,
    WoundSuffered,
)
from ledger.key import UNSEEN
from machines.contract.ruleset import Ruleset
from machines.secrecy import public_twins
from machines.secrecy.gm_choices import GAMEMASTER
from machines.secrecy.hidden_names import Hidden, mentioned, named, of_all, of_declaration, owners
from projections.combat import Combat, fold
from projections.exchange import Frame
from projections.session import HIDDEN_TURNS, NOTHING

_HARM = (DamageTaken, DamageHealed, WoundSuffered, WoundHealed, ConditionGained, ConditionLost)
_STATE = (*_HARM, InitiativeScored)
"""Facts about a combatant, whatever their key: hidden if the combatant is hidden."""
_OWN = (ActionSpent, ResourceSpent, ResourceGained)
"""Costs of an action: only the actor sees those of a secret action; the purpose of the cost may hide it, too."""


class _HiddenFrame(msgspec.Struct, frozen=True):
    """An open action: its key, actor, audience and kind, and the targets that its declaration names."""

    key: str
    by: str
    seen_by: Audience
    kind: str
    at: Any


def conceal(events: tuple[Event, ...], before: Combat, game: Ruleset) -> tuple[Event, ...]:
    """Returns the events of a command with the actions of hidden combatants hidden, and with public twins.

    Args:
        events: The events, each with the audience that it has for other reasons.
        before: The state before the command.
        game: The rules.
    """
    if not before.roster.hidden() and not _has_secret_action(events, before):
        return events
    flow = _Flow(events, before, game)
    redacted = [each for place, event in enumerate(events) for each in flow.redacted(event, events[: place + 1])]
    return tuple(_with_steps(redacted))


def _has_secret_action(events: tuple[Event, ...], before: Combat) -> bool:
    """Returns whether an action that is open before a command, or declared by it, is hidden from some."""
    for frame in before.exchange.frames:
        if frame.seen_by is not None:
            return True
    return any(event.seen_by is not None for event in events if type(event) is Declared)


class _Flow:
    """Goes through events in order and tracks who is hidden and which actions are open.

    Args:
        events: All events of the command.
        before: The state before the command.
        game: The rules.
    """

    def __init__(self, events: tuple[Event, ...], before: Combat, game: Ruleset) -> None:
        self._before = before
        self._game = game
        self._hidden = before.roster.hidden()
        self._shows_turns = before.session.policies.get(HIDDEN_TURNS, NOTHING) != NOTHING
        asked = (event for event in events if isinstance(event, RollRequested | ChoiceRequested))
        names, self._at = game.vocabulary.sums.names, game.vocabulary.terms.at
        sums = (event for event in events if isinstance(event, FigureFound) and event.name in names and event.who)
        self._owners = {event.key: event.who for event in sums} | owners(before) | {each.key: each.by for each in asked}
        self._frames = [_frame(each, self._at) for each in before.exchange.frames]

    def redacted(self, event: Event, upto: tuple[Event, ...]) -> Iterator[Event]:
        """Yields what everyone may see of an event, then the whole event with its audience.

        Args:
            event: The event.
            upto: The events of the command up to this one.
        """
        match event:
            case CombatantJoined() if event.who.startswith(UNSEEN) and event.seen_by is not None:
                self._hidden = {**self._hidden, event.who: event.seen_by}
            case NameGiven() if event.who in self._hidden:
                self._learn(event.who, event.seen_by)
            case OrderFixed():
                before = self._order_before(upto[:-1])
                yield from public_twins.orders(event, self._hidden, someone=self._shows_turns, instead_of=before)
                return
            case Declared():
                yield from self._declared(event)
                return
            case DamageTaken() if event.who not in self._hidden and self._of_frame() is not None:
                yield from public_twins.place(event, self._frames[-1].key, self._before, upto)
        seen_by = self._audience(event, upto)
        if isinstance(event, ExchangeEnded) and self._frames:
            yield from self._ending(event, self._frames.pop())
        yield from self._public(event, seen_by)

    def _order_before(self, upto: tuple[Event, ...]) -> tuple[public_twins.Order, Hidden] | None:
        """Returns the previous order and who was hidden; None unless only hidden combatants changed the order."""
        last = max((place for place, event in enumerate(upto) if isinstance(event, OrderFixed)), default=-1)
        changed = (
            event.who for event in upto[last + 1 :] if isinstance(event, InitiativeScored | Adjusted | NameGiven)
        )
        people = set(changed)
        if not people or not people <= self._before.roster.hidden().keys():
            return None
        return fold(upto, self._before).initiative.order, self._before.roster.hidden()

    def _learn(self, who: str, seen_by: Audience) -> None:
        """Notes that more people know of a hidden combatant."""
        known_to = either(self._hidden[who], seen_by)
        self._hidden = {each: knows for each, knows in self._hidden.items() if each != who}
        if known_to is not None:
            self._hidden[who] = known_to

    # -------------------------------------------------------------------------------------------- audiences

    def _audience(self, event: Event, upto: tuple[Event, ...]) -> Audience:
        """Returns who may see an event; None if hidden combatants do not restrict that."""
        match event:
            case StepEntered() | ExchangeEnded():
                return self._of_frame()
            case PassBegan():
                return self._of_pass(upto)
            case TurnBegan() | TurnEnded() if self._shows_turns:
                return None
            case RollRequested() | ChoiceRequested():
                return self._of_actor(event.by)
            case Noted():
                return None  # the writer of a note decides who may see it
            case _:
                return self._of_fact(event)

    def _of_fact(self, event: Event) -> Audience:
        """Returns who may see a fact, for the combatant, the key and the words in it."""
        who, key = getattr(event, "who", ""), getattr(event, "key", "") or getattr(event, "about", "")
        if who in self._hidden:
            return self._hidden[who]
        if isinstance(event, FigureFound | ModifierApplied):
            naming = of_all(mentioned([event.why, getattr(event, "value", "")], self._hidden), self._hidden)
            if naming is not None:
                return naming
        if isinstance(event, ConditionGained | ConditionLost):
            return self._hidden.get(_ending(event.condition, self._hidden))
        if isinstance(event, _STATE):
            return None
        if isinstance(event, _OWN):
            return shared([self._of_actor(event.who), self._of_purpose(key)])
        if key in self._owners:
            return self._of_actor(self._owners[key])
        frame = next((each for each in reversed(self._frames) if f"{key}/".startswith(f"{each.key}/")), None)
        return self._of_frame(frame) if frame is not None else self._hidden.get(named(key, self._hidden))

    def _of_actor(self, who: str) -> Audience:
        """Returns who may see what an actor does: it is hidden if they are hidden or declared it in secret.

        The gamemaster's choices belong to the action that they concern. So does everything in an unnoticed action.
        """
        if who in self._hidden:
            return self._hidden[who]
        if who == GAMEMASTER:
            return self._of_frame()
        frame = self._frames[-1] if self._frames else None
        theirs = frame is not None and (frame.by == who or frame.kind in self._game.unnoticed)
        return self._of_frame(frame) if theirs else None

    def _of_purpose(self, key: str) -> Audience:
        """Returns who may see a cost, for the roll or the action that it pays for."""
        if key in self._owners:
            return self._of_actor(self._owners[key])
        frame = next((each for each in self._frames if each.key == key), None)
        return self._of_frame(frame) if frame is not None else None

    def _of_frame(self, frame: _HiddenFrame | None = None) -> Audience:
        """Returns who may see an action; by default the innermost open one."""
        frame = frame or (self._frames[-1] if self._frames else None)
        if frame is None:
            return None
        return self._hidden.get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by

    def _of_pass(self, upto: tuple[Event, ...]) -> Audience:
        """Returns who may see a pass: one in which only hidden combatants act is hidden, unless turns are shown."""
        if self._game.waiting is None or self._shows_turns:
            return None
        acting = tuple(self._game.waiting(fold(upto, self._before)))
        return shared(map(self._hidden.get, acting)) if acting and self._hidden.keys() >= set(acting) else None

    # -------------------------------------------------------------------------------------------- public parts

    def _public(self, event: Event, seen_by: Audience) -> Iterator[Event]:
        """Yields an event with its audience: harm from something hidden without its reason, or after a public twin."""
        openly = seen_by is None and event.seen_by is None
        if openly and isinstance(event, _HARM) and self._reveals(event):
            if isinstance(event, ConditionGained):
                yield from public_twins.condition(event, self._hidden)
            else:
                yield msgspec.structs.replace(event, why="")
        elif seen_by is None and isinstance(event, ChoiceRequested | CombatBegan):
            yield from public_twins.naming(event, self._hidden)
        else:
            yield public_twins.seen_by(event, seen_by)

    def _reveals(self, event: Any) -> bool:
        """Returns whether the reason of harm may reveal something hidden."""
        words = [event.why, getattr(event, "key", ""), getattr(event, "until", "")]
        return self._of_frame() is not None or next(mentioned(words, self._hidden), None) is not None

    def _ending(self, event: ExchangeEnded, frame: _HiddenFrame) -> Iterator[Event]:
        """Yields what the target of a hidden attack notices of its end; of a secret one only if the target rolled."""
        target = frame.at
        if frame.kind not in self._game.perceived or not isinstance(target, str) or target in self._hidden:
            return
        rolled = any(by == target and key.startswith(frame.key + "/") for key, by in self._owners.items())
        if frame.by in self._hidden or (frame.seen_by is not None and rolled):
            yield from public_twins.ending(event, self._game.endings, self._before.roster.name(target))

    def _declared(self, event: Declared) -> Iterator[Event]:
        """Yields what is noticed of a declaration, then the declaration; it opens an action."""
        redacted = public_twins.seen_by(event, of_declaration(event.by, event.terms, self._hidden))
        self._frames.append(_HiddenFrame(event.key, event.by, redacted.seen_by, event.kind, event.terms.get(self._at)))
        yield from public_twins.notice(event, self._hidden, self._game.perceived, self._before)
        yield redacted


def _frame(frame: Frame, at: str) -> _HiddenFrame:
    return _HiddenFrame(frame.key, frame.by, frame.seen_by, frame.kind, msgspec.json.decode(frame.terms).get(at))


def _with_steps(events: list[Event]) -> Iterator[Event]:
    """Yields the events; boxes that lead only to hidden events are hidden like these."""
    for place, event in enumerate(events):
        if isinstance(event, StepEntered) and event.seen_by is None:
            yield public_twins.seen_by(event, _led_to(events, place))
        else:
            yield event


def _led_to(events: list[Event], place: int) -> Audience:
    """Returns who may see any event that a box leads to, which are those until the next box."""
    while place < len(events) and isinstance(events[place], StepEntered):
        place += 1
    audience: Audience = ()
    begin = place
    while place < len(events) and not isinstance(events[place], StepEntered):
        audience = either(audience, events[place].seen_by)
        place += 1
    return audience if place > begin else None


def _ending(condition: str, hidden: Hidden) -> str:
    """Returns the hidden combatant at the end of a condition's name, such as ``feinted_by_unseen-1``; empty if none."""
    return next((who for who in hidden if condition.endswith(f"_{who}")), "")
