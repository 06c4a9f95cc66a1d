"""Gives each event of a command its audience: who may see it.

- A secret roll: everyone sees that it was thrown; its faces and its result are hidden.
- A secret sheet: the numbers that come from it are hidden like the sheet.
- A roller sees their own sum; `machines.secrecy.own_sums` lists what is shown of it if a part is hidden.
- An initiative shows its score. Its hidden modifiers are replaced by a note that there are some.
- An exchange with secret rolls or sheets shows its results, harm and outcome, but no intermediate figure.
- A question about a roll, and its answer, are hidden like the roll (`machines.secrecy.roll_questions`).
- An event that ends, spends or settles something secret is hidden like it (`machines.secrecy.inherited`).
- So is a choice of the gamemaster that a secret roll leads to (`machines.secrecy.gm_choices`).
- Boxes of an exchange in which nothing visible happens are hidden (`machines.secrecy.steps`).
- Everything else that follows from a secret command is hidden.
- Combatants who joined in secret, and what they do: `machines.secrecy.hidden_actors`.

The order of acting, with its scores, is public. Beside dice that were thrown in the open it reveals an initiative and
the sum of its hidden modifiers; where that matters the initiative is thrown in secret. Everyone sees what the table
waits for: a secret answer or choice is preceded by its public twin, which is empty.
"""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import msgspec

from ledger.audience import includes, shared
from ledger.commands import ApplyModifier, Command, Declare, DrawDice, Join, Rewind, TellDice, TypeDice
from ledger.events import (
    Audience,
    ChoiceRequested,
    Chosen,
    ConditionGained,
    DamageHealed,
    DamageTaken,
    Declared,
    DiceRolled,
    DiceTold,
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
from machines.secrecy.hidden_names import with_own_secrecy
from machines.secrecy.inherited import INHERITING, of_event
from machines.secrecy.own_sums import OwnSums
from projections.combat import Combat
from projections.session import HIDDEN_PARTS, VALUE
from projections.views.stand_ins import HIDDEN, PARTLY

_READINGS = (DiceRolled, DiceTold, ReadingChanged, TestResolved)
"""Events that show the faces, the counts or the result of a roll."""
_OF_A_SHEET = (TrackOpened, ResourceOpened, InitiativeScored)
"""Events with numbers from a sheet."""
_INTERMEDIATE = (FigureFound, ModifierApplied, TestResolved, ReadingChanged, Overruled)
"""Intermediate figures of an exchange."""
_SCORE = "score"
"""The name of an initiative's figure; its key is the key of the initiative's modifiers."""
HARM = (DamageTaken, DamageHealed, WoundSuffered, WoundHealed, ConditionGained)
"""Harm and healing: shown, but without a reason where the exchange has secrets."""


def hide(events: tuple[Event, ...], command: Command, before: Combat, game: Ruleset) -> tuple[Event, ...]:
    """Returns the events of a command, each with its audience, and with public twins of hidden ones.

    Args:
        events: What the rules decided.
        command: The command, with its own audience.
        before: The state before the command.
        game: The rules.
    """
    counted = with_own_secrecy(command, before)
    if counted is not command:  # `conceal` hides it like its actor; it is not hidden twice
        events = tuple(_in_the_open(event) if _is_requested_by(event, command) else event for event in events)
    if _touches_secrets(events, counted, before):
        secrets = _Secrets(events, counted, before, game)
        redacted = _with_audiences(events, secrets)
        events = tuple(steps.conceal(redacted, len(before.exchange.frames), secrets.of_exchange))
    return conceal(events, before, game)


_SEEN_BY, _SHEET_SEEN_BY = attrgetter("seen_by"), attrgetter("sheet_seen_by")


def _touches_secrets(events: tuple[Event, ...], command: Command, before: Combat) -> bool:
    """Returns whether anything that bears on the events of a command is not public."""
    audiences = [
        command.seen_by,
        *map(_SEEN_BY, events),
        *map(_SEEN_BY, before.exchange.frames),
        *map(_SEEN_BY, before.rolls.rolls.values()),
        *map(_SHEET_SEEN_BY, before.roster.who.values()),
    ]
    if before.rolls.hidden or before.figures.hidden or audiences.count(None) < len(audiences):
        return True
    return any(of_event(event, before) is not None for event in events if type(event) in INHERITING)


def _is_requested_by(event: Event, command: Command) -> bool:
    """Returns whether this is the roll or the modifier that a command requests, with the command's audience."""
    match event, command:
        case DiceRolled() | DiceTold(), TypeDice() | DrawDice() | TellDice():
            return event.seen_by == command.seen_by and event.key == command.key
        case ModifierApplied(), ApplyModifier():
            same = (event.key, event.value, event.why) == (command.key, command.value, command.why)
            return event.seen_by == command.seen_by and same
        case _:
            return False


def _in_the_open(event: Event) -> Event:
    return msgspec.structs.replace(event, seen_by=None)


class _Secrets:
    """The secrets that a command touches, and who may see each.

    Args:
        events: What the rules decided.
        command: The command; its audience counts beside those of its events.
        before: The state before the command.
        game: The rules.
    """

    def __init__(self, events: tuple[Event, ...], command: Command, before: Combat, game: Ruleset) -> None:
        self._of_command = None if isinstance(command, Join) else command.seen_by
        self._hidden_by_command = _PART_OF.get(type(command), (Event,))
        self._declarer = command.by if isinstance(command, Declare) and command.kind not in game.unnoticed else None
        self.sheets: dict[str, Audience] = {
            who: combatant.sheet_seen_by
            for who, combatant in before.roster.who.items()
            if combatant.sheet_seen_by is not None
        }
        self.sheets |= {
            event.who: event.seen_by for event in events if isinstance(event, SheetGiven) and event.seen_by is not None
        }
        rolls = {key: roll.seen_by for key, roll in before.rolls.rolls.items() if roll.seen_by is not None}
        rolls |= {e.key: e.seen_by for e in events if isinstance(e, DiceRolled | DiceTold) and e.seen_by is not None}
        self._rolls: Mapping[str, Audience] = rolls
        self._scored = {each.who: each.key for each in events if isinstance(each, FigureFound) and each.name == _SCORE}
        self.before = before
        self.roll_questions = game.roll_questions
        self.sums = OwnSums(events, before, game, self.sheets, rolls)
        self.of_exchange = shared(self._audiences_of_exchange(events, before))

    def _audiences_of_exchange(self, events: tuple[Event, ...], before: Combat) -> Iterator[Audience]:
        """Yields the audience of each secret that figures of the current exchange may reveal."""
        frames = before.exchange.frames
        keys = {str(getattr(event, "key", "")) for event in events}
        keys |= {key for key in before.rolls.rolls if any(key.startswith(frame.key + "/") for frame in frames)}
        people = {getattr(event, "who", "") for event in events if isinstance(event, (FigureFound, *HARM))}
        people |= {event.by for event in events if isinstance(event, RollRequested | Declared)}
        people |= {before.rolls[key].by for key in keys} | {frame.by for frame in frames}
        people |= {word for frame in frames for word in _words(msgspec.json.decode(frame.terms))}
        people |= {word for event in events if isinstance(event, Declared) for word in _words(event.terms)}
        yield from (self.sheets[who] for who in people if who in self.sheets)
        yield from (
            seen_by
            for roll, seen_by in self._rolls.items()
            if any(f"{roll}/".startswith(f"{key}/") for key in keys if key)
        )
        yield from (seen_by for key in keys for _, seen_by in before.rolls.hidden.get(key, ()))
        yield from (event.seen_by for event in events if isinstance(event, ModifierApplied | FigureFound))
        yield from (frame.seen_by for frame in frames)

    def audiences(self, event: Event) -> tuple[Audience, Audience]:
        """Returns who may see a part of an event, and who may see all of it; both also may see the command."""
        of_command = self._of_command if isinstance(event, self._hidden_by_command) else None
        if self._declarer is not None and isinstance(event, RollRequested) and event.by != self._declarer:
            of_command = None  # a roller sees that they are to roll
        known, whole = self._by_content(event)
        source = of_event(event, self.before)
        return shared([of_command, known, source]), shared([of_command, whole, source])

    def _by_content(self, event: Event) -> tuple[Audience, Audience]:
        """Returns who may see a part of an event, and who may see all of it, for what the event contains."""
        mine = self.sums.audiences(event)
        if mine is not None:
            return mine
        known = None
        if gm_choices.is_gms(event, self.before):
            known = gm_choices.audience((frame.key for frame in self.before.exchange.frames), self._rolls)
        elif isinstance(event, ChoiceRequested | Chosen) and event.key.rpartition("/")[2] in self.roll_questions:
            known = self._of_question(event)
        elif isinstance(event, _READINGS) and self._of_reading(event) is not None:
            known = self._of_reading(event)
        elif isinstance(event, _OF_A_SHEET):
            known = shared([self.sheets.get(event.who), self._of_score(event)])
            if isinstance(event, InitiativeScored) and self._reveals_hidden_part(event):
                return known, shared([known, *(seen_by for _, seen_by in self._hidden_parts(event))])
        elif isinstance(event, ChoiceRequested) and any(option.target is not None for option in event.options):
            known = self.sheets.get(event.by)
        elif isinstance(event, _INTERMEDIATE):
            known = self.of_exchange
        if isinstance(event, ChoiceRequested | ConditionGained):
            return known, shared([known, event.seen_by])
        return (known, known) if event.seen_by is None else (event.seen_by, event.seen_by)

    def _of_reading(self, event: DiceRolled | DiceTold | ReadingChanged | TestResolved) -> Audience:
        """Returns who may see faces, or a result, which also depends on dice that were thrown for the roll later."""
        if isinstance(event, DiceRolled | DiceTold):
            return self._rolls.get(event.key)
        return roll_questions.audience(event.key, None, self._rolls)

    def _of_score(self, event: Event) -> Audience:
        """Returns who may see the roll that a score comes from; None if it comes from no roll."""
        if not isinstance(event, InitiativeScored) or event.key not in self.before.rolls.rolls:
            return None
        return roll_questions.audience(event.key, None, self._rolls)

    def _hidden_parts(self, event: InitiativeScored) -> tuple[tuple[int, Audience], ...]:
        """Returns the hidden modifiers of an initiative: the place of each in the sum, and its audience."""
        return self.before.rolls.hidden.get(self._scored.get(event.who, ""), ())

    def _reveals_hidden_part(self, event: InitiativeScored) -> bool:
        """Returns whether the reason of an initiative lists a hidden modifier."""
        parts = self.before.rolls.modifiers(self._scored.get(event.who, ""))
        return any(listed([parts[place]]) in event.why for place, _ in self._hidden_parts(event))

    def score(self, event: InitiativeScored, known: Audience) -> InitiativeScored:
        """Returns an initiative in which one word replaces the modifiers that its audience may not see.

        Args:
            event: The initiative.
            known: The audience.
        """
        rolls, key = self.before.rolls, self._scored[event.who]
        parts, shown = rolls.modifiers(key), rolls.known(key, known)
        start = event.why.removesuffix(listed(parts))
        if start == event.why:  # the reason does not end with its modifiers
            return msgspec.structs.replace(event, why=HIDDEN, seen_by=known)
        if self.before.session.policies.get(HIDDEN_PARTS) == VALUE:
            hidden = listed([Modifier(total(parts) - total(shown), HIDDEN)])
        else:
            hidden = f" {PARTLY}"
        return msgspec.structs.replace(event, why=f"{start}{listed(shown)}{hidden}", seen_by=known)

    def _of_question(self, event: ChoiceRequested | Chosen) -> Audience:
        """Returns who may see a question about a roll, or its answer."""
        roll = roll_questions.roll_of(event.key)
        by = event.by if isinstance(event, ChoiceRequested) else self.before.rolls[roll].by
        return roll_questions.audience(roll, self.sheets.get(by), self._rolls)


_PART_OF: Mapping[type[Command], tuple[type[Event], ...]] = {
    TypeDice: (DiceRolled,),
    DrawDice: (DiceRolled,),
    TellDice: (DiceTold,),
    ApplyModifier: (ModifierApplied,),
    Rewind: (),
}
"""Commands that hide only events of these types; other commands hide all of their events."""


def _words(terms: Any) -> Iterator[str]:
    """Yields every text in the terms of a declaration; ids of combatants are among them."""
    if isinstance(terms, str):
        yield terms
    elif isinstance(terms, Mapping):
        yield from (word for pair in terms.items() for part in pair for word in _words(part))
    elif isinstance(terms, list | tuple):
        yield from (word for part in terms for word in _words(part))


def _with_audiences(events: tuple[Event, ...], secrets: _Secrets) -> Iterator[Event]:
    """Yields the events with their audiences, each after its stand-ins."""
    redacted: list[Event] = []
    for event in events:
        for shown in _with_separate_reason(event, secrets, redacted):
            secrets.sums.note(shown)
            redacted.append(shown)
            yield shown


def _with_separate_reason(event: Event, secrets: _Secrets, redacted: list[Event]) -> Iterator[Event]:
    """Yields an event with its stand-ins; a secret overruling or rewinding first without its reason, then whole."""
    if not isinstance(event, Overruled | Rewound) or event.seen_by is None:
        yield from _with_stand_ins(event, secrets, redacted)
        return
    plain = msgspec.structs.replace(event, why="", seen_by=None)
    _, audience = secrets.audiences(plain)
    whole = msgspec.structs.replace(event, seen_by=shared([audience, event.seen_by]))
    shown = [each for each in _with_stand_ins(plain, secrets, redacted) if type(each) is not type(event)]
    if not event.why:
        whole = msgspec.structs.replace(whole, seen_by=audience)
    elif audience is None or not includes(event.seen_by, audience):
        shown.append(msgspec.structs.replace(plain, seen_by=audience))
    yield from shown
    yield whole


def _with_stand_ins(event: Event, secrets: _Secrets, redacted: list[Event]) -> Iterator[Event]:
    """Yields what everyone sees of an event, what those see who may see a part, then the whole event."""
    known, whole = secrets.audiences(event)
    twin = None if gm_choices.is_gms(event, secrets.before) else _twin(event, secrets.roll_questions)
    if twin is not None and known is not None:
        yield twin
    if not includes(whole, known):
        yield from _partial(event, secrets, known, redacted)
    if whole is not None:
        yield msgspec.structs.replace(event, seen_by=whole)
    elif isinstance(event, HARM) and secrets.of_exchange is not None:
        yield msgspec.structs.replace(event, why="")
    else:
        yield event


def _partial(event: Event, secrets: _Secrets, known: Audience, redacted: list[Event]) -> Iterator[Event]:
    """Yields what is shown of an event to those who may see only a part of it."""
    match event:
        case ChoiceRequested():
            options = tuple(Option(each.option, each.label) for each in event.options)
            yield msgspec.structs.replace(event, options=options, seen_by=known)
        case ConditionGained():
            yield msgspec.structs.replace(event, level=None, why="", seen_by=known)
        case InitiativeScored():
            yield secrets.score(event, known)
        case _:
            yield from secrets.sums.instead(event, known, redacted)


def _twin(event: Event, questions: Mapping[str, str]) -> Event | None:
    """Returns the public twin of a secret answer or choice; None if everyone sees nothing of the event."""
    match event:
        case DiceRolled() | DiceTold():
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
