"""Who may see what a hidden combatant does: one who joined in secret, or who declared something in secret.

Their order, turn, rolls, choices, figures, resources and declarations are as hidden as they are themselves. The policy
`hidden_turns` says what others see of their turn: nothing, or that someone acts. What the fiction makes public:

- Harm, its place and conditions of those who are not hidden: always; not why.
- The rolls and choices of those who are not hidden, such as a victim's defense: always.
- That someone attacks, and whom: for the declarations that a ruleset lists in `perceived`.
- Where the hidden one stands, moves or goes, with which weapon and by which figures: never; `Reveal` tells it.

The box of a procedure is shown where it leads to something that is shown, so that nothing is seen of the way to
something hidden.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.audience import either, shared
from ledger.commands import (
    Adjust,
    AmendSheet,
    ApplyModifier,
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
from ledger.events import (
    ActionSpent,
    Adjusted,
    Audience,
    ChoiceRequested,
    CombatantJoined,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageHealed,
    DamageTaken,
    Declared,
    Event,
    ExchangeEnded,
    FigureFound,
    InitiativeScored,
    NameGiven,
    Noted,
    OrderFixed,
    PassBegan,
    ResourceGained,
    ResourceOpened,
    ResourceSpent,
    RollRequested,
    SheetGiven,
    SideTaken,
    StepEntered,
    TrackOpened,
    TurnBegan,
    TurnEnded,
    WoundHealed,
    WoundSuffered,
)
from ledger.key import UNSEEN
from projections.combat import Combat, fold
from projections.session import HIDDEN_TURNS, NOTHING

Waiting = Callable[[Combat], Iterable[str]]
"""(combat): who has their moment in the present pass."""
PLACES = ("location", "specific target")
"""The figures that say where somebody was hit."""

_HARM = (DamageTaken, DamageHealed, WoundSuffered, WoundHealed, ConditionGained, ConditionLost)
_STATE = (*_HARM, InitiativeScored, TrackOpened, ResourceOpened, SheetGiven, SideTaken, CombatantLeft, Adjusted)
"""What is so of somebody: as open as they are."""
_OWN = (ActionSpent, ResourceSpent, ResourceGained)
"""What only whoever acts sees of an action that was declared in secret."""
_ABOUT = (TypeDice, DrawDice, TellDice, Choose, ApplyModifier, Overrule, Note, OpenDispute)


class _Frame(msgspec.Struct, frozen=True):
    key: str
    by: str
    seen_by: Audience


def owner(command: Command, combat: Combat) -> str:
    """The hidden combatant whom a command is about; empty where it is about none."""
    hidden = combat.roster.hidden()
    match command:
        case Declare():
            who = command.by
        case Adjust() | Leave() | AmendSheet():
            who = command.who
        case _ if isinstance(command, _ABOUT):
            key = command.about if isinstance(command, Note | OpenDispute) else command.key
            who = _owners(combat).get(key) or _named(key, hidden)
        case _:
            who = ""
    return who if who in hidden else ""


def as_asked(command: Command, before: Combat) -> Command:
    """The command as its own secrecy counts: what hidden combatants do is secret as they are, not as a whole."""
    names_somebody = isinstance(command, Reveal) and bool(command.who)
    if command.seen_by is None or not (names_somebody or owner(command, before)):
        return command
    return msgspec.structs.replace(command, seen_by=None)


def conceal(
    events: tuple[Event, ...], before: Combat, waiting: Waiting | None, perceived: Mapping[str, str]
) -> tuple[Event, ...]:
    """Hide what hidden combatants do.

    Args:
        events: What follows from a command, each with the audience that it has otherwise.
        before: What was so before it.
        waiting: Of games that count passes, who has their moment in the present one.
        perceived: By kind of declaration that others notice, what somebody does, such as ``attacks``.
    """
    frames = (frame for frame in before.exchange.frames if frame.seen_by is not None)
    secret = (event for event in events if isinstance(event, Declared) and event.seen_by is not None)
    if not before.roster.hidden() and next(frames, None) is None and next(secret, None) is None:
        return events
    flow = _Flow(before, waiting, perceived)
    told = [each for place, event in enumerate(events) for each in flow.told(event, events[: place + 1])]
    return tuple(_with_steps(told))


class _Flow:
    """Goes through events in their order, and knows whose turn and whose action it is at each."""

    def __init__(self, before: Combat, waiting: Waiting | None, perceived: Mapping[str, str]) -> None:
        self._before = before
        self._waiting = waiting
        self._perceived = perceived
        self._hidden = before.roster.hidden()
        self._shows_turns = before.session.policies.get(HIDDEN_TURNS, NOTHING) != NOTHING
        self._owners = _owners(before)
        self._frames = [_Frame(each.key, each.by, each.seen_by) for each in before.exchange.frames]

    def told(self, event: Event, upto: tuple[Event, ...]) -> Iterator[Event]:
        """An event as it is told: what everybody may see of it first, then the whole with its audience."""
        match event:
            case CombatantJoined() if event.who.startswith(UNSEEN) and event.seen_by is not None:
                self._hidden = {**self._hidden, event.who: event.seen_by}
            case NameGiven() if event.who in self._hidden:
                self._learn(event.who, event.seen_by)
            case OrderFixed():
                yield from self._orders(event)
                return
            case Declared():
                yield from self._declared(event)
                return
            case RollRequested() | ChoiceRequested():
                self._owners[event.key] = event.by
            case DamageTaken() if event.who not in self._hidden:
                yield from self._place(event, upto)
        seen_by = self._audience(event, upto)
        if isinstance(event, ExchangeEnded) and self._frames:
            self._frames.pop()
        yield from self._public(event, seen_by)

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
            case _:
                return self._of_fact(event)

    def _of_fact(self, event: Event) -> Audience:
        who, key = getattr(event, "who", ""), getattr(event, "key", "") or getattr(event, "about", "")
        if who in self._hidden:
            return self._hidden[who]
        if isinstance(event, ConditionGained | ConditionLost):
            return self._hidden.get(_ending(event.condition, self._hidden))
        if isinstance(event, _STATE):
            return None
        if isinstance(event, _OWN):
            return self._of_actor(event.who)
        if key in self._owners:
            return self._of_actor(self._owners[key])
        frame = next((each for each in reversed(self._frames) if f"{key}/".startswith(f"{each.key}/")), None)
        return self._of_frame(frame) if frame is not None else self._hidden.get(_named(key, self._hidden))

    def _of_actor(self, who: str) -> Audience:
        """Of what somebody does themselves: in secret where they are hidden, or have declared it in secret."""
        if who in self._hidden:
            return self._hidden[who]
        frame = self._frames[-1] if self._frames else None
        return self._of_frame(frame) if frame is not None and frame.by == who else None

    def _of_frame(self, frame: _Frame | None = None) -> Audience:
        """Of an action; left out, the one being resolved."""
        frame = frame or (self._frames[-1] if self._frames else None)
        if frame is None:
            return None
        return self._hidden.get(frame.by) if frame.by.startswith(UNSEEN) else frame.seen_by

    def _of_pass(self, upto: tuple[Event, ...]) -> Audience:
        """A pass in which only hidden combatants act is hidden, unless it is told that someone acts."""
        if self._waiting is None or self._shows_turns:
            return None
        acting = tuple(self._waiting(fold(upto, self._before)))
        return shared(map(self._hidden.get, acting)) if acting and self._hidden.keys() >= set(acting) else None

    # -------------------------------------------------------------------------------------------- what is told

    def _public(self, event: Event, seen_by: Audience) -> Iterator[Event]:
        """Harm that follows from something hidden does not say why."""
        if isinstance(event, _HARM) and seen_by is None and event.seen_by is None and self._tells(event):
            if isinstance(event, ConditionGained) and _named_in(event.until, self._hidden):
                yield msgspec.structs.replace(event, why="", until="")
                seen_by = shared(map(self._hidden.get, _mentioned(event.until, self._hidden)))
            else:
                event = msgspec.structs.replace(event, why="")
        yield _seen_by(event, seen_by)

    def _place(self, event: DamageTaken, upto: tuple[Event, ...]) -> Iterator[Event]:
        """Where somebody was hit whom a hidden combatant harms, as everybody sees it."""
        frame = self._frames[-1] if self._frames else None
        if frame is None or self._of_frame(frame) is None:
            return
        inside = {
            full.removesuffix(f" {name}"): (name, value)
            for full, value in self._before.figures.exchange.items()
            for name in PLACES
            if full.startswith(frame.key) and full.endswith(f" {name}")
        }
        inside |= {
            each.key: (each.name, each.value)
            for each in upto
            if isinstance(each, FigureFound) and each.name in PLACES and each.key.startswith(frame.key)
        }
        for key, (name, value) in inside.items():
            yield FigureFound(key, name, value, "", "", "exchange", event.who)

    def _tells(self, event: Any) -> bool:
        """Would the reason tell of something hidden?"""
        inside = f"{getattr(event, 'key', '')} {event.why} {getattr(event, 'until', '')}"
        return self._of_frame() is not None or _named_in(inside, self._hidden)

    def _declared(self, event: Declared) -> Iterator[Event]:
        seen_by = self._hidden.get(event.by)
        self._frames.append(_Frame(event.key, event.by, event.seen_by))
        noticed = self._perceived.get(event.kind, "") if event.by in self._hidden else ""
        if noticed:
            yield Noted(f"{SOMEONE} {noticed}{self._targets(event)}.", event.key)
        yield _seen_by(event, seen_by)

    def _targets(self, event: Declared) -> str:
        """Those at whom it is aimed, by name; hidden ones are left out."""
        at, roster = event.terms.get("at"), self._before.roster
        known = [who for who in (at if isinstance(at, list | tuple) else [at]) if isinstance(who, str)]
        names = [roster.name(who) for who in known if who in roster and who not in self._hidden]
        return f" {' and '.join(names)}" if names else ""

    def _orders(self, event: OrderFixed) -> Iterator[Event]:
        """The order as everybody sees it, as those see it who know of somebody hidden, and whole."""
        hidden = {who: self._hidden[who] for who, _ in event.order if who in self._hidden}
        if not hidden or event.seen_by is not None:
            yield _seen_by(event, shared(hidden.values()))
            return
        public = OrderFixed(tuple(self._order(event, "")))
        yield public
        for viewer in sorted({each for known_to in hidden.values() for each in known_to or ()}):
            yield OrderFixed(tuple(self._order(event, viewer)), seen_by=(viewer,))
        yield msgspec.structs.replace(event, seen_by=())

    def _order(self, event: OrderFixed, viewer: str) -> Iterator[tuple[str, int]]:
        for who, score in event.order:
            if who not in self._hidden or viewer in (self._hidden[who] or ()):
                yield who, score
            elif self._shows_turns:
                yield who, 0


SOMEONE = "Someone"
"""What is said of whoever is hidden."""


def _with_steps(events: list[Event]) -> Iterator[Event]:
    """Boxes that lead to nothing but what is hidden are hidden with it."""
    for place, event in enumerate(events):
        if isinstance(event, StepEntered) and event.seen_by is None:
            yield _seen_by(event, _led_to(events, place))
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


def _owners(combat: Combat) -> dict[str, str]:
    """Whose roll or choice each key is."""
    return {key: roll.by for key, roll in combat.rolls.rolls.items()} | {
        rest.key: rest.by for rest in combat.path.asked
    }


def _seen_by(event: Event, seen_by: Audience) -> Event:
    if seen_by is None:
        return event
    return msgspec.structs.replace(event, seen_by=shared([event.seen_by, seen_by]))


def _ending(condition: str, hidden: Mapping[str, Audience]) -> str:
    """The hidden combatant whom the name of a condition ends with, such as ``feinted_by_unseen-1``."""
    return next((who for who in hidden if condition.endswith(f"_{who}")), "")


def _named(key: str, hidden: Mapping[str, Audience]) -> str:
    """The hidden combatant who is a part of a key, or of ``who.what``."""
    return next((part for part in key.replace(".", "/").split("/") if part in hidden), "")


def _named_in(text: str, hidden: Mapping[str, Audience]) -> bool:
    return next(_mentioned(text, hidden), None) is not None


def _mentioned(text: str, hidden: Mapping[str, Audience]) -> Iterator[str]:
    """The hidden combatants whom a text names."""
    return (who for who in hidden if who in text)
