"""Who may see what follows from a command: secret rolls, secret sheets, and what was asked in secret.

- A roll made in secret: everybody sees that it was made, not its faces nor what they were read as.
- A secret sheet: the numbers that come from it are as secret as it is.
- What is resolved by secret rolls or from secret sheets shows what came of it, harm and outcome, and no figure between.
- What ends, spends or settles something secret is as secret as that (`machines.secret_sources`).
- Anything else that was asked in secret stays secret whole.
- Who joined in secret, and what they do: `machines.hiding`.

The order of acting, with its scores, is for everybody: beside dice thrown in the open it tells an initiative, so throw
those in secret where that matters. Where the table waits, or no longer does, everybody sees that: a secret answer or
choice is preceded by its empty twin.
"""

from collections.abc import Iterator, Mapping

import msgspec

from ledger.audience import shared
from ledger.commands import Command, Declare, DrawDice, Join, TypeDice
from ledger.events import (
    Audience,
    ChoiceRequested,
    Chosen,
    ConditionGained,
    DamageHealed,
    DamageTaken,
    DiceRolled,
    Event,
    FigureFound,
    InitiativeScored,
    ModifierApplied,
    Option,
    Overruled,
    ReadingChanged,
    ResourceOpened,
    RollRequested,
    SheetGiven,
    TestResolved,
    TrackOpened,
    WoundHealed,
    WoundSuffered,
)
from machines.hidden import as_asked
from machines.hiding import Waiting, conceal
from machines.secret_sources import of_event
from projections.combat import Combat

_READINGS = (DiceRolled, ReadingChanged, TestResolved)
_OF_A_SHEET = (TrackOpened, ResourceOpened, InitiativeScored)
_BETWEEN = (FigureFound, ModifierApplied, TestResolved, ReadingChanged, Overruled)
_HARM = (DamageTaken, DamageHealed, WoundSuffered, WoundHealed, ConditionGained)


def hide(
    events: tuple[Event, ...],
    command: Command,
    before: Combat,
    waiting: Waiting | None = None,
    perceived: Mapping[str, str] = {},
) -> tuple[Event, ...]:
    """Give each event its audience.

    Args:
        events: What follows from the command.
        command: It, with its own audience.
        before: What was so before it.
        waiting: As the ruleset has it.
        perceived: As the ruleset has it.
    """
    secrets = _Secrets(events, as_asked(command, before), before)
    told = tuple(_told(events, secrets)) if secrets.any else events
    return conceal(told, before, waiting, perceived)


class _Secrets:
    """What is secret here, and to whom."""

    def __init__(self, events: tuple[Event, ...], command: Command, before: Combat) -> None:
        self._asked = None if isinstance(command, Join) else command.seen_by
        self._rolls_only = isinstance(command, TypeDice | DrawDice)
        self._declarer = command.by if isinstance(command, Declare) else None
        self.sheets: dict[str, Audience] = {
            who: one.sheet_seen_by for who, one in before.roster.who.items() if one.sheet_seen_by is not None
        }
        self.sheets |= {
            event.who: event.seen_by for event in events if isinstance(event, SheetGiven) and event.seen_by is not None
        }
        rolls = {key: roll.seen_by for key, roll in before.rolls.rolls.items() if roll.seen_by is not None}
        self._rolls: Mapping[str, Audience] = rolls
        self._before = before
        self.any = (
            command.seen_by is not None
            or bool(self.sheets or rolls)
            or any(of_event(event, before) is not None for event in events)
        )
        self._roller: dict[str, str] = {}
        if self.any:
            self._roller = {key: roll.by for key, roll in before.rolls.rolls.items()}
            self._roller |= {event.key: event.by for event in events if isinstance(event, RollRequested)}
        self.between = self._between(events, before) if self.any else None

    def _between(self, events: tuple[Event, ...], before: Combat) -> Audience:
        """Who may see the figures of what is being resolved."""
        people = {getattr(event, "who", "") for event in events if isinstance(event, (FigureFound, *_HARM))}
        people |= {*self._roller.values(), *(frame.by for frame in before.exchange.frames)}
        audiences = [self.sheets[who] for who in people if who in self.sheets]
        return shared([*audiences, *self._rolls.values(), self._asked if self._rolls_only else None])

    def audience(self, event: Event) -> Audience:
        """Who may see an event: of those for whom it was asked whoever may see what it tells."""
        asked = self._asked if not self._rolls_only or isinstance(event, DiceRolled) else None
        if self._declarer is not None and isinstance(event, RollRequested) and event.by != self._declarer:
            asked = None  # whoever is to roll is told of it
        itself = self._of_itself(event) if event.seen_by is None else event.seen_by
        return shared([asked, itself, of_event(event, self._before)])

    def _of_itself(self, event: Event) -> Audience:
        if isinstance(event, _READINGS) and self._rolls.get(event.key) is not None:
            return self._rolls[event.key]
        if isinstance(event, _OF_A_SHEET):
            return self.sheets.get(event.who)
        if isinstance(event, ChoiceRequested) and any(option.target is not None for option in event.options):
            return shared([self.sheets.get(event.by), self.between])
        return self.between if isinstance(event, _BETWEEN) else None


def _told(events: tuple[Event, ...], secrets: _Secrets) -> Iterator[Event]:
    for event in events:
        seen_by = secrets.audience(event)
        if seen_by is not None:
            twin = _twin(event)
            if twin is not None:
                yield twin
            yield msgspec.structs.replace(event, seen_by=seen_by)
        elif isinstance(event, _HARM) and secrets.between is not None:
            yield msgspec.structs.replace(event, why="")
        else:
            yield event


def _twin(event: Event) -> Event | None:
    """What everybody sees of a secret answer or choice."""
    match event:
        case DiceRolled():
            return DiceRolled(event.key, (), ())
        case Chosen():
            return Chosen(event.key, "", "")
        case ChoiceRequested():
            options = tuple(Option(each.option, each.option.replace("_", " ")) for each in event.options)
            return ChoiceRequested(event.key, event.by, options, event.default, event.purpose)
        case _:
            return None
