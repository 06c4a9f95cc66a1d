"""What is legal now, with the numbers, and why another thing is not. It asks the same charts that decide."""

from collections.abc import Iterator

import msgspec

from ledger.commands import AnyCommand, Choose, Command, Declare
from ledger.errors import Refused
from ledger.events import Event, FigureFound
from machines.decider import decide
from machines.ruleset import Ruleset
from projections.combat import Combat, fold
from projections.path import Rest


class Possibility(msgspec.Struct, frozen=True):
    """One answer that the table could give."""

    key: str
    """Of the rest it answers; empty where it breaks in."""
    by: str
    label: str
    command: AnyCommand | None
    """What to perform; None for dice, whose faces are not known yet."""
    target: int | None = None
    """The target number it is rolled against, or would be."""
    dice: str = ""
    refused: str = ""
    """Why it cannot be: a slug and a sentence; empty where it can."""


def options(game: Ruleset, combat: Combat) -> tuple[Possibility, ...]:
    """Every answer to every open rest, legal or not; then what somebody may break in with."""
    answers = tuple(possibility for rest in combat.rests for possibility in _for(game, combat, rest))
    return answers + tuple(interrupts(game, combat))


def interrupts(game: Ruleset, combat: Combat) -> Iterator[Possibility]:
    """What somebody may break in with, of what the rules offer for that: only what is legal."""
    for declaration in game.interrupts(combat):
        if not _why_not(game, combat, declaration):
            yield Possibility("", declaration.by, _label(game, declaration), declaration)


def target_of(combat: Combat, key: str) -> int | None:
    """The target number of an open roll, where it has one."""
    return combat.figures.number(key, "target") if combat.figures.holds(key, "target") else None


def _for(game: Ruleset, combat: Combat, rest: Rest) -> Iterator[Possibility]:
    if rest.dice:
        yield Possibility(rest.key, rest.by, rest.purpose, None, target_of(combat, rest.key), rest.dice)
        return
    for option in rest.options:
        if option.option not in game.kinds:
            choice = Choose(rest.key, option.option)
            yield Possibility(
                rest.key, rest.by, option.label, choice, option.target, refused=_why_not(game, combat, choice)
            )
    if any(option.option in game.kinds for option in rest.options):
        for declaration in game.offers(combat, rest.by):
            yield _declaration(game, combat, rest, declaration)


def _declaration(game: Ruleset, combat: Combat, rest: Rest, command: Declare) -> Possibility:
    label = _label(game, command)
    try:
        events = decide(game, combat, command)
    except Refused as refusal:
        return Possibility(rest.key, rest.by, label, command, refused=str(refusal))
    return Possibility(rest.key, rest.by, label, command, _first_target(game, combat, events))


def _label(game: Ruleset, command: Declare) -> str:
    terms = ", ".join(f"{name} {value}" for name, value in command.terms.items())
    return f"{game.kinds[command.kind].title}: {terms}" if terms else game.kinds[command.kind].title


def _first_target(game: Ruleset, combat: Combat, events: tuple[Event, ...]) -> int | None:
    """What the declaration would be rolled against if the other side did what their first option says."""
    for _ in range(3):
        found = [event.value for event in events if isinstance(event, FigureFound) and event.name == "target"]
        if found:
            return found[0] if isinstance(found[0], int) else None
        combat = fold(events, combat)
        choice = next((rest for rest in combat.rests if rest.options), None)
        if choice is None or combat.exchange.frame is None or choice.options[0].option in game.kinds:
            return None
        events = decide(game, combat, Choose(choice.key, choice.options[0].option))
    return None


def _why_not(game: Ruleset, combat: Combat, command: Command) -> str:
    try:
        decide(game, combat, command)
    except Refused as refusal:
        return str(refusal)
    return ""
