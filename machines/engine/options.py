"""Lists what is legal now, with target numbers, and why the rest is not. It uses the same charts as `decide`."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import takewhile

import msgspec

from ledger.commands import AnyCommand, Choose, Command, Declare
from ledger.errors import Refused
from ledger.events import Event, FigureFound
from machines.contract.dice_reading import Stakes
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.combatants.roster import Roster
from projections.path import Rest


class Possibility(msgspec.Struct, frozen=True):
    """A possible answer to a rest, or a possible interrupt."""

    key: str
    """The key of the rest that it answers; empty for an interrupt."""
    by: str
    label: str
    command: AnyCommand | None
    """The command; None for dice, whose faces are not known yet."""
    target: int | None = None
    """The target number of the roll, or of the roll that would follow; where dice are counted, its number of dice."""
    dice: str = ""
    refused: str = ""
    """Why it is not legal: slug and message; empty if it is."""
    matters: bool = True
    """Whether the choice can change anything; if not, its default is as good as any option."""
    standing: str = ""
    """How the roll stands that the choice is about; empty if the rules do not know."""
    is_ahead: bool = False
    """Whether the combatant prevails as it is, so that another option could only do more."""


Unknown = tuple[type[BaseException], ...]
"""The exceptions that rules raise if they read something hidden from the viewer; empty if nothing is hidden."""


def options(
    game: Ruleset, combat: Combat, of: Collection[str] | None = None, unknown: Unknown = ()
) -> tuple[Possibility, ...]:
    """Returns every answer to every open rest, legal or not, then the legal interrupts.

    Args:
        game: The rules.
        combat: The state, as the viewer sees it.
        of: The combatants whose options are listed; by default all.
        unknown: A possibility that raises one of these is listed without a target, and not as refused.
    """
    rests = (rest for rest in combat.rests if of is None or rest.by in of)
    answers = tuple(possibility for rest in rests for possibility in _for(game, combat, rest, unknown))
    return answers + tuple(interrupts(game, combat, of, unknown))


def interrupts(
    game: Ruleset, combat: Combat, of: Collection[str] | None = None, unknown: Unknown = ()
) -> Iterator[Possibility]:
    """Yields the interrupts that the rules offer and that are legal, or may be."""
    for declaration in game.interrupts(combat) if of is None else _interrupts_of(game, combat, of, unknown):
        if not _why_not(game, combat, declaration, unknown):
            yield Possibility("", declaration.by, _label(game, declaration), declaration)


def _interrupts_of(game: Ruleset, combat: Combat, of: Collection[str], unknown: Unknown) -> Iterator[Declare]:
    """Yields the interrupts of some combatants, each moved to the front: rules stop at one hidden in part."""
    for who in combat.roster.here():
        if who in of:
            others = {each: one for each, one in combat.roster.who.items() if each != who}
            first = msgspec.structs.replace(combat, roster=Roster({who: combat.roster[who], **others}))
            with suppress(*unknown):
                yield from takewhile(lambda each, who=who: each.by == who, game.interrupts(first))  # type: ignore[misc]


def target_of(game: Ruleset, combat: Combat, key: str) -> int | None:
    """Returns the target number of an open roll, if it has one."""
    against = game.vocabulary.sums.against
    return combat.figures.number(key, against) if combat.figures.holds(key, against) else None


def best_first(rest: Rest) -> list[str]:
    """Returns the options of a choice, the best first: the default of the rules, then the highest target."""
    ranked = sorted(rest.options, key=lambda each: -1 if each.target is None else each.target, reverse=True)
    return sorted([each.option for each in ranked], key=lambda word: word != rest.default)


def _for(game: Ruleset, combat: Combat, rest: Rest, unknown: Unknown) -> Iterator[Possibility]:
    if rest.dice:
        yield Possibility(rest.key, rest.by, rest.purpose, None, target_of(game, combat, rest.key), rest.dice)
        return
    at_stake = Stakes()
    with suppress(*unknown):
        at_stake = game.stakes(combat, rest)
    for option in rest.options:
        if option.option not in game.kinds:
            choice = Choose(rest.key, option.option)
            yield Possibility(
                rest.key, rest.by, option.label, choice, option.target,
                refused=_why_not(game, combat, choice, unknown), matters=at_stake.matters, standing=at_stake.standing,
                is_ahead=at_stake.is_ahead,
            )  # fmt: skip
    if any(option.option in game.kinds for option in rest.options):
        with suppress(*unknown):  # a combatant whose sheet is hidden from the viewer has no offers
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
    """Returns the target number that the declaration would lead to if opponents chose their first options.

    Where dice are counted, it is the number of dice of the roll.
    """
    sums = game.vocabulary.sums
    against = sums.total if game.counted else sums.against
    for _ in range(3):
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
