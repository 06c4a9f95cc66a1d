"""Who may see what a hidden combatant does: one who joined in secret, or who declared something in secret.

Their order, turn, rolls, choices, figures, resources and declarations are as hidden as they are themselves. The policy
`hidden_turns` says what others see of their turn: nothing, or that someone acts. What the fiction makes public:

- Harm, its place and conditions of those who are not hidden: always; not why.
- The rolls and choices of those who are not hidden, such as a victim's defense: but for what is rolled against what
  nobody notices (`Ruleset.unnoticed`), which the gamemaster rolls.
- That someone attacks, and whom: for the declarations that a ruleset lists in `perceived`.
- Where the hidden one stands, moves or goes, with which weapon and by which figures: never; `Reveal` tells it.

The box of a procedure is shown where it leads to something that is shown, so that nothing is seen of the way to
something hidden.
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
"""What is so of somebody, whatever its key: as open as they are."""
_OWN = (ActionSpent, ResourceSpent, ResourceGained)
"""What only whoever acts sees of an action that was declared in secret; what it is spent on hides it, too."""


class _Frame(msgspec.Struct, frozen=True):
    key: str
    by: str
    seen_by: Audience
    kind: str
    at: Any


def conceal(events: tuple[Event, ...], before: Combat, game: Ruleset) -> tuple[Event, ...]:
    """Hide what hidden combatants do.

    Args:
        events: What follows from a command, each with the audience that it has otherwise.
        before: What was so before it.
        game: The rules.
    """
    frames = (frame for frame in before.exchange.frames if frame.seen_by is not None)
    secret = (event for event in events if isinstance(event, Declared) and event.seen_by is not None)
    if not before.roster.hidden() and next(frames, None) is None and next(secret, None) is None:
        return events
    flow = _Flow(events, before, game)
    told = [each for place, event in enumerate(events) for each in flow.told(event, events[: place + 1])]
    return tuple(_with_steps(told))


class _Flow:
    """Goes through events in their order, and knows whose turn and whose action it is at each."""

    def __init__(self, events: tuple[Event, ...], before: Combat, game: Ruleset) -> None:
        self._before = before
        self._game = game
        self._hidden = before.roster.hidden()
        self._shows_turns = before.session.policies.get(HIDDEN_TURNS, NOTHING) != NOTHING
        asked = (event for event in events if isinstance(event, RollRequested | ChoiceRequested))
        names, self._at = game.vocabulary.sums.names, game.vocabulary.terms.at
        sums = (event for event in events if isinstance(event, FigureFound) and event.name in names and event.who)
        self._owners = {event.key: event.who for event in sums} | owners(before) | {one.key: one.by for one in asked}
        self._frames = [_frame(each, self._at) for each in before.exchange.frames]

    def told(self, event: Event, upto: tuple[Event, ...]) -> Iterator[Event]:
        """An event as it is told: what everybody may see of it first, then the whole with its audience."""
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
        """The order before the one that is fixed now; None where that is not because of hidden combatants alone."""
        last = max((place for place, event in enumerate(upto) if isinstance(event, OrderFixed)), default=-1)
        changed = (
            event.who for event in upto[last + 1 :] if isinstance(event, InitiativeScored | Adjusted | NameGiven)
        )
        people = set(changed)
        if not people or not people <= self._before.roster.hidden().keys():
            return None
        return fold(upto, self._before).initiative.order, self._before.roster.hidden()

    def _learn(self, who: str, seen_by: Audience) -> None:
        known_to = either(self._hidden[who], seen_by)
        self._hidden = {each: knows for each, knows in self._hidden.items() if each != who}
        if known_to is not None:
            self._hidden[who] = known_to

    # -------------------------------------------------------------------------------------------- audiences

    def _audience(self, event: Event, upto: tuple[Event, ...]) -> Audience:
        """Who may see an event; None: whoever may see it otherwise."""
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
                return None  # a note is as secret as its writer says
            case _:
                return self._of_fact(event)

    def _of_fact(self, event: Event) -> Audience:
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
        """Of what somebody does themselves: in secret where they are hidden, or have declared it in secret.

        The gamemaster's choices are a part of the action that they are about; so is all of what nobody notices.
        """
        if who in self._hidden:
            return self._hidden[who]
        if who == GAMEMASTER:
            return self._of_frame()
        frame = self._frames[-1] if self._frames else None
        theirs = frame is not None and (frame.by == who or frame.kind in self._game.unnoticed)
        return self._of_frame(frame) if theirs else None

    def _of_purpose(self, key: str) -> Audience:
        """Of what is spent by whomever: as hidden as the roll or the action that it is spent on."""
        if key in self._owners:
            return self._of_actor(self._owners[key])
        frame = next((each for each in self._frames if each.key == key), None)
        return self._of_frame(frame) if frame is not None else None

    def _of_frame(self, frame: _Frame | None = None) -> Audience:
        """Of an action; left out, the one being resolved."""
        frame = frame or (self._frames[-1] if self._frames else None)
        if frame is None:
            return None
        return self._hidden.get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by

    def _of_pass(self, upto: tuple[Event, ...]) -> Audience:
        """A pass in which only hidden combatants act is hidden, unless it is told that someone acts."""
        if self._game.waiting is None or self._shows_turns:
            return None
        acting = tuple(self._game.waiting(fold(upto, self._before)))
        return shared(map(self._hidden.get, acting)) if acting and self._hidden.keys() >= set(acting) else None

    # -------------------------------------------------------------------------------------------- what is told

    def _public(self, event: Event, seen_by: Audience) -> Iterator[Event]:
        """Harm that follows from something hidden does not say why; what names somebody hidden has a twin."""
        openly = seen_by is None and event.seen_by is None
        if openly and isinstance(event, _HARM) and self._tells(event):
            if isinstance(event, ConditionGained):
                yield from public_twins.condition(event, self._hidden)
            else:
                yield msgspec.structs.replace(event, why="")
        elif seen_by is None and isinstance(event, ChoiceRequested | CombatBegan):
            yield from public_twins.naming(event, self._hidden)
        else:
            yield public_twins.seen_by(event, seen_by)

    def _tells(self, event: Any) -> bool:
        """Would the reason tell of something hidden?"""
        words = [event.why, getattr(event, "key", ""), getattr(event, "until", "")]
        return self._of_frame() is not None or next(mentioned(words, self._hidden), None) is not None

    def _ending(self, event: ExchangeEnded, frame: _Frame) -> Iterator[Event]:
        """How a hidden attack ended, to whoever it was made on; where it was declared in secret, if they rolled."""
        whom = frame.at
        if frame.kind not in self._game.perceived or not isinstance(whom, str) or whom in self._hidden:
            return
        rolled = any(by == whom and key.startswith(frame.key + "/") for key, by in self._owners.items())
        if frame.by in self._hidden or (frame.seen_by is not None and rolled):
            yield from public_twins.ending(event, self._game.endings, self._before.roster.name(whom))

    def _declared(self, event: Declared) -> Iterator[Event]:
        told = public_twins.seen_by(event, of_declaration(event.by, event.terms, self._hidden))
        self._frames.append(_Frame(event.key, event.by, told.seen_by, event.kind, event.terms.get(self._at)))
        yield from public_twins.notice(event, self._hidden, self._game.perceived, self._before)
        yield told


def _frame(one: Frame, at: str) -> _Frame:
    return _Frame(one.key, one.by, one.seen_by, one.kind, msgspec.json.decode(one.terms).get(at))


def _with_steps(events: list[Event]) -> Iterator[Event]:
    """Boxes that lead to nothing but what is hidden are hidden with it."""
    for place, event in enumerate(events):
        if isinstance(event, StepEntered) and event.seen_by is None:
            yield public_twins.seen_by(event, _led_to(events, place))
        else:
            yield event


def _led_to(events: list[Event], place: int) -> Audience:
    """Who may see what comes of a box: of what follows until the next box."""
    while place < len(events) and isinstance(events[place], StepEntered):
        place += 1
    audience: Audience = ()
    begin = place
    while place < len(events) and not isinstance(events[place], StepEntered):
        audience = either(audience, events[place].seen_by)
        place += 1
    return audience if place > begin else None


def _ending(condition: str, hidden: Hidden) -> str:
    """The hidden combatant whom the name of a condition ends with, such as ``feinted_by_unseen-1``."""
    return next((who for who in hidden if condition.endswith(f"_{who}")), "")
