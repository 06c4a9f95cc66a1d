"""What is legal now, with the numbers, and why another thing is not. It asks the same charts that decide."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import takewhile

import msgspec

from ledger.commands import AnyCommand, Choose, Command, Declare
from ledger.errors import Refused
from ledger.events import Event, FigureFound
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.combatants.roster import Roster
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


Unknown = tuple[type[BaseException], ...]
"""What is raised where the rules look at something that whoever asks may not see; empty where they see everything."""


def options(
    game: Ruleset, combat: Combat, of: Collection[str] | None = None, unknown: Unknown = ()
) -> tuple[Possibility, ...]:
    """Every answer to every open rest, legal or not; then what somebody may break in with.

    Args:
        game: The rules.
        combat: What is so, for whoever asks.
        of: The combatants whose options are meant; left out, everybody's.
        unknown: A possibility that raises one of these is offered without a target, and not refused.
    """
    rests = (rest for rest in combat.rests if of is None or rest.by in of)
    answers = tuple(possibility for rest in rests for possibility in _for(game, combat, rest, unknown))
    return answers + tuple(interrupts(game, combat, of, unknown))


def interrupts(
    game: Ruleset, combat: Combat, of: Collection[str] | None = None, unknown: Unknown = ()
) -> Iterator[Possibility]:
    """What somebody may break in with, of what the rules offer for that: only what is legal, or may be."""
    for declaration in game.interrupts(combat) if of is None else _interrupts_of(game, combat, of, unknown):
        if not _why_not(game, combat, declaration, unknown):
            yield Possibility("", declaration.by, _label(game, declaration), declaration)


def _interrupts_of(game: Ruleset, combat: Combat, of: Collection[str], unknown: Unknown) -> Iterator[Declare]:
    """The same of some combatants: the rules go through all who are here, and stop at what is hidden of another."""
    for who in combat.roster.here():
        if who in of:
            others = {each: one for each, one in combat.roster.who.items() if each != who}
            first = msgspec.structs.replace(combat, roster=Roster({who: combat.roster[who], **others}))
            with suppress(*unknown):
                yield from takewhile(lambda each, who=who: each.by == who, game.interrupts(first))  # type: ignore[misc]


def target_of(game: Ruleset, combat: Combat, key: str) -> int | None:
    """The target number of an open roll, where it has one."""
    against = game.vocabulary.sums.against
    return combat.figures.number(key, against) if combat.figures.holds(key, against) else None


def _for(game: Ruleset, combat: Combat, rest: Rest, unknown: Unknown) -> Iterator[Possibility]:
    if rest.dice:
        yield Possibility(rest.key, rest.by, rest.purpose, None, target_of(game, combat, rest.key), rest.dice)
        return
    for option in rest.options:
        if option.option not in game.kinds:
            choice = Choose(rest.key, option.option)
            refused = _why_not(game, combat, choice, unknown)
            yield Possibility(rest.key, rest.by, option.label, choice, option.target, refused=refused)
    if any(option.option in game.kinds for option in rest.options):
        with suppress(*unknown):  # their own sheet is hidden from them: then nothing can be offered
            for declaration in game.offers(combat, rest.by):
                yield _declaration(game, combat, rest, declaration, unknown)


def _declaration(game: Ruleset, combat: Combat, rest: Rest, command: Declare, unknown: Unknown) -> Possibility:
    label = _label(game, command)
    target = None
    with suppress(*unknown):
        try:
            events = decide(game, combat, command)
        except Refused as refusal:
            return Possibility(rest.key, rest.by, label, command, refused=str(refusal))
        target = _first_target(game, combat, events)
    return Possibility(rest.key, rest.by, label, command, target)


def _label(game: Ruleset, command: Declare) -> str:
    terms = ", ".join(f"{name} {value}" for name, value in command.terms.items())
    return f"{game.kinds[command.kind].title}: {terms}" if terms else game.kinds[command.kind].title


def _first_target(game: Ruleset, combat: Combat, events: tuple[Event, ...]) -> int | None:
    """What the declaration would be rolled against if the other side did what their first option says."""
    for _ in range(3):
        against = game.vocabulary.sums.against
        found = [event.value for event in events if isinstance(event, FigureFound) and event.name == against]
        if found:
            return found[0] if isinstance(found[0], int) else None
        combat = fold(events, combat)
        choice = next((rest for rest in combat.rests if rest.options), None)
        if choice is None or combat.exchange.frame is None or choice.options[0].option in game.kinds:
            return None
        events = decide(game, combat, Choose(choice.key, choice.options[0].option))
    return None


def _why_not(game: Ruleset, combat: Combat, command: Command, unknown: Unknown = ()) -> str:
    try:
        decide(game, combat, command)
    except Refused as refusal:
        return str(refusal)
    except unknown:
        return ""
    return ""
