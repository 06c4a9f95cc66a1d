"""Helpers of box functions in all games: the current frame, figures, plain dice, checks."""

import re
from collections.abc import Callable, Generator, Iterable, Iterator

from ledger.bounds import VISIBLE
from ledger.dice import parse
from ledger.events import Event, ModifierApplied, RollRequested
from ledger.key import role
from ledger.modifier import listed, total
from machines.contract import refusals as no
from machines.contract.dice_reading import pure
from machines.registry import vocabulary_of
from projections.combat import Combat
from projections.exchange import Frame

Telling = Generator[Event, Combat, Combat]
"""A part of a box function: yields events, returns the state after them."""


def emit(combat: Combat, events: Iterable[Event]) -> Telling:
    """Yields events one after the other, and returns the state after the last.

    Args:
        combat: The state before them; returned if there are none.
        events: Computed one at a time, each after the one before was yielded.
    """
    for event in events:
        combat = yield event
    return combat


def frame(combat: Combat) -> Frame:
    """Returns the frame that is being resolved."""
    frames = combat.exchange.frames
    assert frames, "nothing is on the table"
    return frames[-1]


def key_of(combat: Combat, name: str) -> str:
    """Returns the key of a roll or choice of the current frame."""
    return role(frame(combat).key, name)


def modified(key: str, value: int, why: str, source: str) -> Iterator[Event]:
    """Yields a modifier, unless it is 0."""
    if value:
        yield ModifierApplied(key, value, why, source)


def floored(value: int, why: str, least: int = 0) -> tuple[int, str]:
    """A sum that is never less than this, and what it is made of; the floor is a part of it where it counts.

    >>> floored(-2, "3 -5"), floored(1, "3 -2")
    ((0, '3 -5, at least 0'), (1, '3 -2'))
    """
    return at_least(value, least), f"{why}{_floor_words(value, least)}"


@pure
def at_least(value: int, least: int = 0) -> int:
    """Returns a value that is never below a minimum.

    >>> at_least(-2), at_least(4, 1)
    (0, 4)
    """
    return max(value, least)


@pure
def _floor_words(value: int, least: int) -> str:
    """Returns the words of a minimum that is in force; empty where it is not."""
    return "" if value >= least else f", at least {least}"


# ------------------------------------------------------------------------------------------------ dice that are no test


def thrown(combat: Combat, key: str, by: str, notation: str, purpose: str) -> Iterator[RollRequested]:
    """Requests dice that are not a test; a plain number needs none."""
    if parse(notation).sides:
        yield RollRequested(key, by, notation, purpose, frame(combat).key)


def counted(
    combat: Combat, key: str, notation: str, divided: Callable[[int, int], int], least: int = 0
) -> tuple[int, str]:
    """Returns the sum of such dice with the gamemaster's modifiers, and its reason.

    Args:
        combat: The state.
        key: Of the roll.
        notation: The dice.
        divided: How a sum that is divided is rounded.
        least: What they come to at least.
    """
    roll, parts, dice = combat.rolls[key], combat.rolls.modifiers(key), parse(notation)
    rolled = divided(roll.total + dice.add, dice.divide)
    why = f"{notation} is {rolled}{listed(parts)}"
    return floored(rolled + total(parts), why, least)


def down(value: int, divisor: int) -> int:
    """Divided and rounded down.

    >>> down(5, 2)
    2
    """
    return value // divisor


# ------------------------------------------------------------------------------------------------ refusals


def one_of(word: str, words: tuple[str, ...], where: str) -> None:
    """Checks that a word is one of these.

    Raises:
        BadTerms: With those that are.
    """
    if word not in words:
        raise no.BadTerms(f"{where} cannot be {word!r}", where=where, accepts=", ".join(filter(None, words)) or "none")


def check_quiet(combat: Combat) -> None:
    """Refuses an action that takes longer than a fight allows.

    Raises:
        AlreadyFighting: A fight goes on.
        StillNeeded: Something else is being resolved.
    """
    if combat.clock.fighting:
        raise no.AlreadyFighting("a fight is going on", where="combat", accepts="when it is over")
    if combat.exchange.frame is not None:
        doing = combat.exchange.frame
        raise no.StillNeeded(f"{doing.by}'s {doing.kind} is being resolved", where=doing.key, accepts="finish it first")


def check_in_a_fight(combat: Combat) -> None:
    """Refuses an action that makes sense only in a fight.

    Raises:
        NotFighting: No fight is going on.
    """
    if not combat.clock.fighting:
        raise no.NotFighting("no fight is going on", where="combat", accepts="begin one first")


def check_here(combat: Combat, who: str, where: str) -> None:
    """Checks that a combatant or a thing takes part.

    Raises:
        UnknownCombatant: None with that id takes part.
    """
    here = tuple(one for one, each in combat.roster.who.items() if each.here)
    if who not in here:
        raise no.UnknownCombatant(f"there is no {who!r} here", where=where, accepts=", ".join(here) or "nobody")


def check_another(combat: Combat, by: str, at: str) -> None:
    """Checks that the target is another combatant who takes part.

    Raises:
        UnknownCombatant: It is not.
    """
    others = tuple(who for who, one in combat.roster.who.items() if one.here and who != by)
    if at not in others:
        where = vocabulary_of(combat.session.ruleset).terms.at
        raise no.UnknownCombatant(f"{by} cannot attack {at!r}", where=where, accepts=", ".join(others) or "nobody")


def check_has_none_of(combat: Combat, who: str, conditions: Iterable[str], *, where: str, accepts: str) -> None:
    """Checks that a combatant has none of these conditions.

    Raises:
        CannotAct: With the first of them.
    """
    mine = combat.conditions.of(who)
    for condition in conditions:
        if condition in mine:
            raise no.CannotAct(f"{who} is {condition.replace('_', ' ')}", where=where, accepts=accepts)


def check_not_lost(combat: Combat, who: str, *conditions: str) -> None:
    """Refuses help that comes too late for a combatant.

    Raises:
        CannotAct: They have one of these conditions.
    """
    check_has_none_of(combat, who, conditions, where="who", accepts="a combatant it can help")


_SHOWABLE = rf"{VISIBLE}\Z"
_LONGEST_NAME = 200


def check_nameable(words: str, where: str) -> None:
    """Rejects words that cannot be part of a figure's name: names are shown, and the gamemaster may type them.

    Args:
        words: The words of a term.
        where: The path of the term.

    Raises:
        BadTerms: The words are blank, longer than 200 characters, or have a control or direction-changing character.
    """
    accepts = f"1 to {_LONGEST_NAME} visible characters"
    if not words.strip():
        raise no.BadTerms(f"{where} needs words", where=where, accepts=accepts)
    if len(words) > _LONGEST_NAME:
        raise no.BadTerms(f"{where} is too long: {len(words):,} characters", where=where, accepts=accepts)
    if not re.match(_SHOWABLE, words):
        problem = "has a control character, or one that changes the direction of the text around it"
        raise no.BadTerms(f"{where} {problem}", where=where, accepts=accepts)
