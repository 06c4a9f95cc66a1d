"""Who may see what follows from a command: secret rolls, secret sheets, and what was asked in secret.

- A roll made in secret: everybody sees that it was made, not its faces nor what they were read as.
- A secret sheet: the numbers that come from it are as secret as it is.
- Anything else that was asked in secret stays secret whole.

A secret answer is preceded by its empty twin, so that whoever sees only that also sees that the table no longer waits.
"""

from collections.abc import Iterator

import msgspec

from ledger.commands import Command, DrawDice, Join, TypeDice
from ledger.events import (
    Audience,
    ChoiceRequested,
    Chosen,
    DiceRolled,
    Event,
    FigureFound,
    InitiativeScored,
    ReadingChanged,
    ResourceOpened,
    RollRequested,
    SheetGiven,
    TestResolved,
    TrackOpened,
)
from projections.combat import Combat

_READINGS = (DiceRolled, ReadingChanged, TestResolved)
_OF_A_SHEET = (TrackOpened, ResourceOpened, FigureFound, InitiativeScored)


def hide(events: tuple[Event, ...], command: Command, before: Combat) -> tuple[Event, ...]:
    """Give each event its audience.

    Args:
        events: What follows from the command.
        command: It, with its own audience.
        before: What was so before it.
    """
    sheets: dict[str, Audience] = {
        who: one.sheet_seen_by for who, one in before.roster.who.items() if one.sheet_seen_by is not None
    }
    sheets |= {event.who: event.seen_by for event in events if isinstance(event, SheetGiven)}
    rolls: dict[str, Audience] = {
        key: roll.seen_by for key, roll in before.rolls.rolls.items() if roll.seen_by is not None
    }
    if command.seen_by is None and not rolls and not any(audience is not None for audience in sheets.values()):
        return events
    return tuple(_hidden(events, command, before, sheets, rolls))


def _hidden(
    events: tuple[Event, ...], command: Command, before: Combat, sheets: dict[str, Audience], rolls: dict[str, Audience]
) -> Iterator[Event]:
    roller = {key: roll.by for key, roll in before.rolls.rolls.items()}
    for event in events:
        if isinstance(event, RollRequested):
            roller[event.key] = event.by
        seen_by = _audience(event, command, sheets, rolls, roller)
        if seen_by is None:
            yield event
            continue
        if isinstance(event, DiceRolled):
            yield DiceRolled(event.key, (), ())
        elif isinstance(event, Chosen):
            yield Chosen(event.key, "", "")
        yield msgspec.structs.replace(event, seen_by=seen_by)


def _audience(
    event: Event, command: Command, sheets: dict[str, Audience], rolls: dict[str, Audience], roller: dict[str, str]
) -> Audience:
    if event.seen_by is not None:
        return event.seen_by
    asked_secretly = command.seen_by is not None and not isinstance(command, Join)
    reading = isinstance(event, _READINGS)
    if asked_secretly and (reading or not isinstance(command, TypeDice | DrawDice)):
        return command.seen_by
    if isinstance(event, _READINGS) and rolls.get(event.key) is not None:
        return rolls[event.key]
    if isinstance(event, _OF_A_SHEET):
        return sheets.get(event.who)
    if isinstance(event, TestResolved):
        return sheets.get(roller.get(event.key, ""))
    if isinstance(event, ChoiceRequested) and any(option.target is not None for option in event.options):
        return sheets.get(event.by)
    return None
