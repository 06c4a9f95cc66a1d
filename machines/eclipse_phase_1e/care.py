"""What care, blasts and shocks to the mind share: their frame, dice that are no test, and who may care for whom."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import msgspec

from ledger.dice import parse
from ledger.events import Event, ModifierApplied, RollRequested
from ledger.key import role
from ledger.modifier import total
from machines import refusals as no
from machines.eclipse_phase_1e.reading import frame, sheet
from machines.eclipse_phase_1e.terms import TherapyTerms, TreatTerms
from machines.ruleset import typed
from projections.combat import Combat


def key_of(combat: Combat, name: str) -> str:
    """The key of a roll or choice of what is being resolved."""
    return role(frame(combat).key, name)


def modified(key: str, value: int, why: str, source: str) -> Iterator[Event]:
    """A modifier, unless it is none."""
    if value:
        yield ModifierApplied(key, value, why, source)


T = TypeVar("T", TreatTerms, TherapyTerms)


class Care(msgspec.Struct, Generic[T], frozen=True):
    """Who cares for whom."""

    key: str
    by: str
    terms: T

    @property
    def who(self) -> str:
        """The patient."""
        return self.terms.who


def cared_for(combat: Combat, kind: type[T]) -> Care[T]:
    """The care that is taken."""
    now = frame(combat)
    return Care(now.key, now.by, typed(now.terms, kind))


# ------------------------------------------------------------------------------------------------ dice


def thrown(combat: Combat, key: str, by: str, notation: str, purpose: str) -> Iterator[RollRequested]:
    """Dice that are no test; a plain number needs none."""
    if parse(notation).sides:
        yield RollRequested(key, by, notation, purpose, frame(combat).key)


def counted(combat: Combat, key: str, notation: str, divided: Callable[[int, int], int]) -> tuple[int, str]:
    """What such dice come to with the gamemaster's modifiers, and how.

    Args:
        combat: What is so.
        key: Of the roll.
        notation: The dice.
        divided: How a sum that is divided is rounded.

    Source: EP1 207 Damage Value
    """
    roll, parts, dice = combat.rolls[key], combat.rolls.modifiers(key), parse(notation)
    rolled = divided(sum(roll.faces) + dice.add, dice.divide)
    why = " ".join([f"{notation} is {rolled}", *(f"{part.value:+d} {part.why}" for part in parts)])
    return max(0, rolled + total(parts)), why


def down(value: int, divisor: int) -> int:
    """Divided and rounded down.

    Source: EP1 215 Stressful Experiences, 210 Derangements

    >>> down(5, 2)
    2
    """
    return value // divisor


# ------------------------------------------------------------------------------------------------ checks


def check_quiet(combat: Combat) -> None:
    """Refuse what takes longer than a fight leaves time for.

    Raises:
        AlreadyFighting: A fight goes on.
        StillNeeded: Something else is being resolved.
    """
    if combat.clock.fighting:
        raise no.AlreadyFighting("a fight is going on", where="combat", accepts="when it is over")
    if combat.exchange.frame is not None:
        doing = combat.exchange.frame
        raise no.StillNeeded(f"{doing.by}'s {doing.kind} is being resolved", where=doing.key, accepts="finish it first")


def check_here(combat: Combat, who: str, where: str) -> None:
    """Refuse somebody who is not here; things are.

    Raises:
        UnknownCombatant: Nobody of that id takes part.
    """
    here = tuple(one for one, each in combat.roster.who.items() if each.here)
    if who not in here:
        raise no.UnknownCombatant(f"there is no {who!r} here", where=where, accepts=", ".join(here) or "nobody")


def check_not_lost(combat: Combat, who: str, *conditions: str) -> None:
    """Refuse what comes too late for somebody.

    Raises:
        CannotAct: They have one of these conditions.
    """
    for condition in conditions:
        if combat.conditions.has(who, condition):
            raise no.CannotAct(f"{who} is {condition.replace('_', ' ')}", where="who", accepts="somebody it can help")


def is_shell(combat: Combat, who: str) -> bool:
    """Is it a synthetic body, or a thing, that is repaired and does not heal?

    Source: EP1 208 Synthmorph and Object Repair
    """
    return combat.roster[who].thing or sheet(combat, who).synthetic
