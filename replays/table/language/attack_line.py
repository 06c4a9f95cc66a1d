"""Describes an attack in one line before its dice: ``Kade → Thug 3, medium pistol, burst, 8 m, minor cover: 50``."""

from collections.abc import Iterator, Sequence

import msgspec

from ledger.commands import ApplyModifier
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Declared, Event, FigureFound, RollRequested
from machines.contract.assumptions import ASSUMED_VALUES
from machines.contract.ruleset import Ruleset
from projections.combat import Combat, fold
from replays.odds.known_state import STOPPED, marked
from replays.table.language.foreseen import after, at_roll, number_of

_ASSUMED = ASSUMED_VALUES.prefix


class AttackLine(msgspec.Struct, frozen=True):
    """The description of an attack that an entry declares."""

    text: str
    declared: Declared
    entry: Entry
    """The entry without the events that the text repeats."""


def attack_line(
    game: Ruleset, entry: Entry, before: Combat, modifiers: Sequence[ApplyModifier] = ()
) -> AttackLine | None:
    """Returns the description of the attack that an entry declares; None if it declares none.

    A feint, a spell and anything else with a target and a roll is described like an attack.

    Args:
        game: The rules.
        entry: The entry, as the person sees it.
        before: The state before it, as the person sees it.
        modifiers: The gamemaster's modifiers, also of other rolls.
    """
    found = (each for each in entry.events if isinstance(each, Declared))
    rolls = {(each.of, each.by): each.key for each in entry.events if isinstance(each, RollRequested)}
    possible = (each for each in found if game.kinds[each.kind].roll or (each.key, each.by) in rolls)
    declared = next((each for each in possible if _targets(game, before, each)), None)
    if declared is None:
        return None
    alike = {(each.value, each.why): each for each in modifiers if each.key.startswith(f"{declared.key}/")}
    mine = list(alike.values())
    targets = " and ".join(map(before.roster.name, _targets(game, before, declared)))
    head = f"{before.roster.name(declared.by)} → {targets}"
    text = ", ".join([head, *_parts(game, before, declared), *(f"{each.value:+d} {each.why}".strip() for each in mine)])
    assumed = [_assumed(game, declared, each) for each in entry.events if _is_assumed(declared, each)]
    text += f" (assumed {', '.join(assumed)})" if assumed else ""
    number = _number(game, fold(entry.events, before), declared, mine, rolls.get((declared.key, declared.by), ""))
    kept = tuple(each for each in entry.events if not _is_repeated(game, declared, each))
    text = text[0].upper() + text[1:]
    return AttackLine(f"{text}: {number}" if number else text, declared, msgspec.structs.replace(entry, events=kept))


def _targets(game: Ruleset, combat: Combat, declared: Declared) -> list[str]:
    """Returns the targets of a declaration."""
    at = declared.terms.get(game.vocabulary.terms.at)
    return [str(each) for each in (at if isinstance(at, list | tuple) else [at]) if each in combat.roster.who]


def _parts(game: Ruleset, combat: Combat, declared: Declared) -> Iterator[str]:
    """Yields the terms of an attack in words: the weapon and its mode, then the others."""
    action, words = game.kinds[declared.kind], game.vocabulary.terms
    if not action.kept:
        yield action.title
    rest = [field for field in declared.terms if field not in (words.at, *action.kept)]
    for field in (*action.kept, *rest):
        yield from _term(game, combat, declared, field)


def _term(game: Ruleset, combat: Combat, declared: Declared, field: str) -> Iterator[str]:
    value, words = declared.terms.get(field), game.vocabulary.terms
    name = field.replace("_", " ")
    if value is True:
        yield name
    elif isinstance(value, list | tuple):
        yield from map(str, value)
    elif field == words.distance and value:
        yield f"{value} {words.unit}"
    elif isinstance(value, str) and value in combat.roster and field not in words.things:
        yield f"{name} {combat.roster.name(value)}"
    elif isinstance(value, str) and value:
        yield _named(game, declared, field, value)
    elif value:
        yield f"{name} {value}"


def _named(game: Ruleset, declared: Declared, field: str, value: str) -> str:
    """Returns the value of a term, with the name of its field unless the value explains itself."""
    explained = field in (*game.kinds[declared.kind].kept, *game.vocabulary.terms.things) or " " in value
    return value if explained else f"{value} {field.replace('_', ' ')}"


def _is_assumed(declared: Declared, event: Event) -> bool:
    return isinstance(event, FigureFound) and event.key == declared.key and event.name.startswith(_ASSUMED)


def _assumed(game: Ruleset, declared: Declared, event: Event) -> str:
    assert isinstance(event, FigureFound), "only assumed figures are described"
    return _named(game, declared, event.name.removeprefix(_ASSUMED), str(event.value))


def _is_repeated(game: Ruleset, declared: Declared, event: Event) -> bool:
    """Returns whether the line states an event: the declaration, what it assumes, the start of the sum."""
    if event is declared or _is_assumed(declared, event):
        return True
    if not isinstance(event, FigureFound) or event.name != game.vocabulary.sums.start:
        return False
    return event.key.startswith(f"{declared.key}/") and event.key.endswith(f"/{game.kinds[declared.kind].roll}")


def _number(
    game: Ruleset, combat: Combat, declared: Declared, modifiers: Sequence[ApplyModifier], requested: str
) -> str:
    """Returns the number of the roll; empty if it is hidden, or other dice come first.

    Args:
        game: The rules.
        combat: The state after the entry.
        declared: The declaration.
        modifiers: Its modifiers.
        requested: The key of the roll that the entry asks for; empty if there is none.
    """
    if requested and not game.kinds[declared.kind].roll:
        return number_of(game, combat, requested)
    try:
        found = at_roll(game, marked(combat), declared.key)
        if found is None:
            return ""
        key, state = found
        return number_of(game, after(game, state, [each for each in modifiers if each.key == key]), key)
    except Refused:
        return ""
    except STOPPED:  # something of it is hidden from the person
        return ""
