"""Damage: what the dice of a hit come to, and harm that nobody aims."""

from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from ledger import dice
from ledger.events import RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import emit, floored, frame, key_of
from machines.eclipse_phase.family.attacks import Aimed
from machines.eclipse_phase.family.edition import declared, edition
from machines.eclipse_phase.family.figure_names import ARMOR, DV
from machines.eclipse_phase.family.harm import suffer
from projections.combat import Combat

DAMAGE, LESS = "damage", "less"
BLAST = FigureName("blast", int)


def is_rolled_already(combat: Combat, now: Aimed) -> bool:
    """Is it a blast, whose damage was rolled with the first whom it caught?

    Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
    """
    return bool(now.weapon.area) and BLAST.is_at(combat, now.key)


def less_roll(now: Aimed, less: dice.Dice) -> Iterator[RollRequested]:
    """Dice that are taken away from the damage.

    Source: EP1 193 Area Effect Weapons; EP2 12/04 Range
    """
    if less.groups:
        yield RollRequested(now.role(LESS), now.by, str(less), "what is taken away from it", now.key)


def read_damage(combat: Combat) -> Deed:
    """The dice, and what multiplies or lessens the whole.

    Ruling: EP1-C3, EP1-N5, EP2-N8
    """
    here, now = edition(combat), edition(combat).attack(combat)
    if is_rolled_already(combat, now):
        dv, why = BLAST.at(combat, now.key), "the blast"
    else:
        dv, why = here.rolled_damage(combat, now)
        if now.weapon.area:
            combat = yield BLAST.found(now.key, dv, why, here.printed.area)
    for changed, reason in here.changes_of_damage(combat, now, dv):
        dv, why = changed, f"{why}, {reason}"
    dv, why = floored(dv, why)
    combat = yield from emit(combat, here.of_hit(combat, now, DV.found(now.role(DAMAGE), dv, why, HERE)))
    return None


# ------------------------------------------------------------------------------------------------ harm nobody aims


class Harmful(Protocol):
    """What does harm, as it is said or as the weapons table has it."""

    @property
    def damage(self) -> str:
        """Its dice."""

    @property
    def armor(self) -> str:
        """The kind of armor that counts."""

    @property
    def area(self) -> str:
        """The kind of blast."""

    @property
    def radius(self) -> int:
        """Of a uniform blast, in meters."""

    @property
    def harms(self) -> str:
        """The track it fills."""


class Blast(msgspec.Struct, frozen=True):
    """What it does, as said or as the weapons table has it."""

    damage: str
    pierces: int
    """What it does to armor."""
    armor: str
    half: bool
    area: str
    radius: int
    harms: str


def blast_from(what: Harmful, pierces: int, *, half: bool = False) -> Blast:
    """What it does.

    Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
    """
    return Blast(what.damage, pierces, what.armor, half, what.area, what.radius, what.harms)


class Caught(msgspec.Struct, frozen=True):
    """Whom it catches now."""

    place: str
    """Under which the figures of this victim are kept."""
    terms: Any
    does: Blast
    nth: int

    @property
    def who(self) -> str:
        """Who it is.

        Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
        """
        return str(tuple(self.terms.caught)[self.nth - 1])

    @property
    def meters(self) -> int:
        """From the center.

        Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
        """
        found: int = self.terms.caught[self.who]
        return found

    def role(self, name: str) -> str:
        """The key of one of the rolls and figures about this victim."""
        return role(self.place, name)


def caught(combat: Combat) -> Caught:
    """Whom it catches that is dealt with.

    Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
    """
    here, terms = edition(combat), declared(combat)
    nth = here.nth_caught(combat)
    return Caught(here.place_of_caught(frame(combat).key, nth), terms, here.blast(terms), nth)


def blast_roll(combat: Combat) -> Iterator[RollRequested]:
    """The damage is rolled once for all."""
    now, here = caught(combat), edition(combat)
    if now.does.damage:
        key, what = key_of(combat, here.words.blast), f"damage of {now.terms.what}"
        yield from here.harm_dice(combat, key, frame(combat).by, now.does.damage, what)


def take_blast(combat: Combat) -> Deed:
    """What armor does not stop is taken."""
    now = caught(combat)
    dv, left = DV.at(combat, now.role(DAMAGE)), ARMOR.at(combat, now.place)
    return (yield from suffer(combat, now.place, now.who, dv, left, now.does.harms))


def can_wound(combat: Combat) -> bool:
    """Can this kind of harm wound?"""
    return bool(declared(combat).wounds)
