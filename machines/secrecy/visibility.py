"""Who may see what follows from a command: secret rolls, secret sheets, and what was asked in secret.

- A roll made in secret: everybody sees that it was made, not its faces nor what they were read as.
- A secret sheet: the numbers that come from it are as secret as it is.
- Whoever rolls sees their own sum; `machines.secrecy.own_sums` says what of it where a part is hidden.
- An initiative shows its score, and in the place of modifiers that are hidden that there are some.
- What is resolved by secret rolls or from secret sheets shows what came of it, harm and outcome, and no figure between.
- A question about a roll, and its answer, is as secret as the roll (`machines.secrecy.roll_questions`).
- What ends, spends or settles something secret is as secret as that (`machines.secrecy.inherited`).
- So are choices of the gamemaster's that a secret roll leads to (`machines.secrecy.gm_choices`).
- Boxes of an exchange in which nothing happens that is shown are as secret as what is (`machines.secrecy.steps`).
- Anything else that was asked in secret stays secret whole.
- Who joined in secret, and what they do: `machines.secrecy.hidden_actors`.

The order of acting, with its scores, is for everybody: beside dice thrown in the open it tells an initiative, and what
hidden modifiers add to it, so throw those in secret where that matters. Where the table waits, or no longer does,
everybody sees that: a secret answer or choice is preceded by its empty twin.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ledger.audience import includes, shared
from ledger.commands import ApplyModifier, Command, Declare, DrawDice, Join, Rewind, TypeDice
from ledger.events import (
    Audience,
    ChoiceRequested,
    Chosen,
    ConditionGained,
    DamageHealed,
    DamageTaken,
    Declared,
    DiceRolled,
    Event,
    FigureFound,
    InitiativeScored,
    ModifierApplied,
    Option,
    Overruled,
    ReadingChanged,
    ResourceOpened,
    Rewound,
    RollRequested,
    SheetGiven,
    TestResolved,
    TrackOpened,
    WoundHealed,
    WoundSuffered,
)
from ledger.modifier import Modifier, listed, total
from machines.contract.ruleset import Ruleset
from machines.secrecy import gm_choices, roll_questions, steps
from machines.secrecy.hidden_actors import conceal
from machines.secrecy.hidden_names import as_asked
from machines.secrecy.inherited import of_event
from machines.secrecy.own_sums import OwnSums
from projections.combat import Combat
from projections.session import HIDDEN_PARTS, VALUE
from projections.views.stand_ins import HIDDEN, PARTLY

_READINGS = (DiceRolled, ReadingChanged, TestResolved)
_OF_A_SHEET = (TrackOpened, ResourceOpened, InitiativeScored)
_BETWEEN = (FigureFound, ModifierApplied, TestResolved, ReadingChanged, Overruled)
_SCORE = "score"
"""The figure that an initiative is: its key is that of the modifiers that went into it."""
HARM = (DamageTaken, DamageHealed, WoundSuffered, WoundHealed, ConditionGained)


def hide(events: tuple[Event, ...], command: Command, before: Combat, game: Ruleset) -> tuple[Event, ...]:
    """Give each event its audience.

    Args:
        events: What follows from the command.
        command: It, with its own audience.
        before: What was so before it.
        game: The rules.
    """
    asked = as_asked(command, before)
    if asked is not command:  # it is hidden as whoever does it is, and not once more
        events = tuple(_in_the_open(event) if _is_asked(event, command) else event for event in events)
    secrets = _Secrets(events, asked, before, game)
    told = tuple(_told(events, secrets)) if secrets.any else events
    told = tuple(steps.conceal(told, len(before.exchange.frames), secrets.between))
    return conceal(told, before, game)


def _is_asked(event: Event, command: Command) -> bool:
    """Is this the roll or the modifier that a command asks for? Its audience is then that of the command."""
    match event, command:
        case DiceRolled(), TypeDice() | DrawDice():
            return event.seen_by == command.seen_by and event.key == command.key
        case ModifierApplied(), ApplyModifier():
            same = (event.key, event.value, event.why) == (command.key, command.value, command.why)
            return event.seen_by == command.seen_by and same
        case _:
            return False


def _in_the_open(event: Event) -> Event:
    return msgspec.structs.replace(event, seen_by=None)


class _Secrets:
    """What is secret here, and to whom."""

    def __init__(self, events: tuple[Event, ...], command: Command, before: Combat, game: Ruleset) -> None:
        self._asked = None if isinstance(command, Join) else command.seen_by
        self._asked_of = _PART_OF.get(type(command), (Event,))
        self._declarer = command.by if isinstance(command, Declare) and command.kind not in game.unnoticed else None
        self.sheets: dict[str, Audience] = {
            who: one.sheet_seen_by for who, one in before.roster.who.items() if one.sheet_seen_by is not None
        }
        self.sheets |= {
            event.who: event.seen_by for event in events if isinstance(event, SheetGiven) and event.seen_by is not None
        }
        rolls = {key: roll.seen_by for key, roll in before.rolls.rolls.items() if roll.seen_by is not None}
        rolls |= {e.key: e.seen_by for e in events if isinstance(e, DiceRolled) and e.seen_by is not None}
        self._rolls: Mapping[str, Audience] = rolls
        self._scored = {each.who: each.key for each in events if isinstance(each, FigureFound) and each.name == _SCORE}
        self.before = before
        self.roll_questions = game.roll_questions
        frames = before.exchange.frames
        audiences = [command.seen_by, *[each.seen_by for each in frames], *[each.seen_by for each in events]]
        hidden = [seen_by for seen_by in audiences if seen_by is not None]
        self.any = any((hidden, self.sheets, rolls, before.rolls.hidden, before.figures.hidden))
        self.any = self.any or any(of_event(event, before) is not None for event in events)
        self.sums = OwnSums(events, before, game, self.sheets, rolls) if self.any else None
        self.between = shared(self._of_exchange(events, before)) if self.any else None

    def _of_exchange(self, events: tuple[Event, ...], before: Combat) -> Iterator[Audience]:
        """Who may see each secret that the figures of what is being resolved may tell of."""
        frames = before.exchange.frames
        keys = {str(getattr(event, "key", "")) for event in events}
        keys |= {key for key in before.rolls.rolls if any(key.startswith(frame.key + "/") for frame in frames)}
        people = {getattr(event, "who", "") for event in events if isinstance(event, (FigureFound, *HARM))}
        people |= {event.by for event in events if isinstance(event, RollRequested | Declared)}
        people |= {before.rolls[key].by for key in keys} | {frame.by for frame in frames}
        people |= {one for frame in frames for one in _words(msgspec.json.decode(frame.terms))}
        people |= {one for event in events if isinstance(event, Declared) for one in _words(event.terms)}
        yield from (self.sheets[who] for who in people if who in self.sheets)
        yield from (self._rolls[key] for key in keys if key in self._rolls)
        yield from (seen_by for key in keys for _, seen_by in before.rolls.hidden.get(key, ()))
        yield from (event.seen_by for event in events if isinstance(event, ModifierApplied | FigureFound))
        yield from (frame.seen_by for frame in frames)

    def audiences(self, event: Event) -> tuple[Audience, Audience]:
        """Who may see what can be shown of an event, and who may see it whole: both of those for whom it was asked."""
        asked = self._asked if isinstance(event, self._asked_of) else None
        if self._declarer is not None and isinstance(event, RollRequested) and event.by != self._declarer:
            asked = None  # whoever is to roll is told of it
        known, whole = self._of_itself(event)
        source = of_event(event, self.before)
        return shared([asked, known, source]), shared([asked, whole, source])

    def _of_itself(self, event: Event) -> tuple[Audience, Audience]:
        mine = self.sums.audiences(event) if self.sums is not None else None
        if mine is not None:
            return mine
        known = None
        if gm_choices.is_gms(event, self.before):
            known = gm_choices.audience((frame.key for frame in self.before.exchange.frames), self._rolls)
        elif isinstance(event, ChoiceRequested | Chosen) and event.key.rpartition("/")[2] in self.roll_questions:
            known = self._of_question(event)
        elif isinstance(event, _READINGS) and self._rolls.get(event.key) is not None:
            known = self._rolls[event.key]
        elif isinstance(event, _OF_A_SHEET):
            known = shared([self.sheets.get(event.who), self._of_score(event)])
            if isinstance(event, InitiativeScored) and self._tells_a_hidden_part(event):
                return known, shared([known, *(seen_by for _, seen_by in self._hidden_parts(event))])
        elif isinstance(event, ChoiceRequested) and any(option.target is not None for option in event.options):
            known = self.sheets.get(event.by)
        elif isinstance(event, _BETWEEN):
            known = self.between
        if isinstance(event, ChoiceRequested | ConditionGained):
            return known, shared([known, event.seen_by])
        return (known, known) if event.seen_by is None else (event.seen_by, event.seen_by)

    def _of_score(self, event: Event) -> Audience:
        """Who may see the roll that a score comes from; None for what comes from none."""
        if not isinstance(event, InitiativeScored) or event.key not in self.before.rolls.rolls:
            return None
        return roll_questions.audience(event.key, None, self._rolls)

    def _hidden_parts(self, event: InitiativeScored) -> tuple[tuple[int, Audience], ...]:
        """The hidden modifiers of an initiative: the place in the sum, and who may see each."""
        return self.before.rolls.hidden.get(self._scored.get(event.who, ""), ())

    def _tells_a_hidden_part(self, event: InitiativeScored) -> bool:
        parts = self.before.rolls.modifiers(self._scored.get(event.who, ""))
        return any(listed([parts[place]]) in event.why for place, _ in self._hidden_parts(event))

    def score(self, event: InitiativeScored, known: Audience) -> InitiativeScored:
        """Returns an initiative for those who may not see each modifier: one word stands for all that are hidden."""
        rolls, key = self.before.rolls, self._scored[event.who]
        parts, shown = rolls.modifiers(key), rolls.known(key, known)
        start = event.why.removesuffix(listed(parts))
        if start == event.why:  # the modifiers are not where they are known to be
            return msgspec.structs.replace(event, why=HIDDEN, seen_by=known)
        if self.before.session.policies.get(HIDDEN_PARTS) == VALUE:
            hidden = listed([Modifier(total(parts) - total(shown), HIDDEN)])
        else:
            hidden = f" {PARTLY}"
        return msgspec.structs.replace(event, why=f"{start}{listed(shown)}{hidden}", seen_by=known)

    def _of_question(self, event: ChoiceRequested | Chosen) -> Audience:
        roll = roll_questions.roll_of(event.key)
        by = event.by if isinstance(event, ChoiceRequested) else self.before.rolls[roll].by
        return roll_questions.audience(roll, self.sheets.get(by), self._rolls)


_PART_OF: Mapping[type[Command], tuple[type[Event], ...]] = {
    TypeDice: (DiceRolled,),
    DrawDice: (DiceRolled,),
    ApplyModifier: (ModifierApplied,),
    Rewind: (),
}
"""Commands of which only a part is as secret as they are asked."""


def _words(terms: Any) -> Iterator[str]:
    """Every word that is said in the terms of a declaration; combatants are among them."""
    if isinstance(terms, str):
        yield terms
    elif isinstance(terms, Mapping):
        yield from (word for pair in terms.items() for one in pair for word in _words(one))
    elif isinstance(terms, list | tuple):
        yield from (word for one in terms for word in _words(one))


def _told(events: tuple[Event, ...], secrets: _Secrets) -> Iterator[Event]:
    told: list[Event] = []
    for event in events:
        for one in _with_reason_apart(event, secrets, told):
            if secrets.sums is not None:
                secrets.sums.note(one)
            told.append(one)
            yield one


def _with_reason_apart(event: Event, secrets: _Secrets, told: list[Event]) -> Iterator[Event]:
    """What is told of one event; of the gamemaster's word in secret without its reason, and then whole."""
    if not isinstance(event, Overruled | Rewound) or event.seen_by is None:
        yield from _of_one(event, secrets, told)
        return
    plain = msgspec.structs.replace(event, why="", seen_by=None)
    _, audience = secrets.audiences(plain)
    whole = msgspec.structs.replace(event, seen_by=shared([audience, event.seen_by]))
    shown = [one for one in _of_one(plain, secrets, told) if type(one) is not type(event)]
    if not event.why:
        whole = msgspec.structs.replace(whole, seen_by=audience)
    elif audience is None or not includes(event.seen_by, audience):
        shown.append(msgspec.structs.replace(plain, seen_by=audience))
    yield from shown
    yield whole


def _of_one(event: Event, secrets: _Secrets, told: list[Event]) -> Iterator[Event]:
    """What is told of one event: to everybody, to those who may see a part, to those who may see the whole."""
    known, whole = secrets.audiences(event)
    twin = None if gm_choices.is_gms(event, secrets.before) else _twin(event, secrets.roll_questions)
    if twin is not None and known is not None:
        yield twin
    if not includes(whole, known):
        yield from _instead(event, secrets, known, told)
    if whole is not None:
        yield msgspec.structs.replace(event, seen_by=whole)
    elif isinstance(event, HARM) and secrets.between is not None:
        yield msgspec.structs.replace(event, why="")
    else:
        yield event


def _instead(event: Event, secrets: _Secrets, known: Audience, told: list[Event]) -> Iterator[Event]:
    """What is told of an event to those who may not see the whole of it."""
    match event:
        case ChoiceRequested():
            options = tuple(Option(each.option, each.label) for each in event.options)
            yield msgspec.structs.replace(event, options=options, seen_by=known)
        case ConditionGained():
            yield msgspec.structs.replace(event, level=None, why="", seen_by=known)
        case InitiativeScored():
            yield secrets.score(event, known)
        case _ if secrets.sums is not None:
            yield from secrets.sums.instead(event, known, told)


def _twin(event: Event, questions: Mapping[str, str]) -> Event | None:
    """What everybody sees of a secret answer or choice."""
    match event:
        case DiceRolled():
            return DiceRolled(event.key, (), ())
        case Chosen():
            return Chosen(event.key, "", "")
        case ChoiceRequested() if purpose := questions.get(event.key.rpartition("/")[2]):
            return roll_questions.twin(event, purpose)
        case ChoiceRequested():
            options = tuple(Option(each.option, each.option.replace("_", " ")) for each in event.options)
            return ChoiceRequested(event.key, event.by, options, event.default, event.purpose)
        case _:
            return None
