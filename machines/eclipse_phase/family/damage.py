"""Damage of a hit, and of blasts that are not part of an attack."""

from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from ledger import dice
from ledger.events import RollRequested
from ledger.key import role, role_of
from machines.contract.chart import HERE, Deed
from machines.contract.dice_reading import EACH, SUM, DiceReading
from machines.contract.figure_names import FigureName, FigureNames
from machines.contract.toolkit import emit, floored, frame, key_of
from machines.eclipse_phase.family.attacks import Aimed
from machines.eclipse_phase.family.edition import ARMOR, BASE, DEGREE, DICE, DV, SCORE, TARGET, declared, edition
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.success import ASIDE
from projections.combat import Combat

DAMAGE, LESS = "damage", "less"
BLAST = FigureName("blast", int)
DAMAGE_DICE = FigureNames("dice: ", str)
"""Figures of a damage roll: the weapon's own dice first, then what adds dice."""
OWN_FIGURES = (*(figure.name for figure in (BASE, TARGET, DEGREE, ASIDE, DICE, SCORE)), DV.in_role(DAMAGE))
"""The figures of a roll that disclose only facts about the roller."""


def reading(combat: Combat, key: str) -> DiceReading:
    """Returns what is read of a roll: of damage and of blasts the sum, unless the weapon's own dice are halved.

    Source: EP1 207 Damage Value; EP2 12/16 Damage Value
    """
    notations = (combat.rolls[key].dice, *DAMAGE_DICE.at(combat, key))
    is_whole = all(dice.parse(notation).divide == 1 for notation in notations)
    return SUM if is_whole and role_of(key) in {DAMAGE, LESS, edition(combat).words.blast} else EACH


def is_rolled_already(combat: Combat, now: Aimed) -> bool:
    """Returns whether the damage of a blast was already rolled for an earlier target.

    Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
    """
    return bool(now.weapon.area) and BLAST.is_at(combat, now.key)


def less_roll(now: Aimed, less: dice.Dice) -> Iterator[RollRequested]:
    """Requests the dice that are subtracted from the damage.

    Source: EP1 193 Area Effect Weapons; EP2 12/04 Range
    """
    if less.groups:
        yield RollRequested(now.role(LESS), now.by, str(less), "what is taken away from it", now.key)


def read_damage(combat: Combat) -> Deed:
    """Computes the Damage Value from the dice and from what multiplies or reduces the total.

    Ruling: EP1-C3, EP1-N5, EP2-N8
    """
    here = edition(combat)
    now = here.attack(combat)
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


# ------------------------------------------------------------------------------------ blasts without an attack


class Harmful(Protocol):
    """What does harm, as declared or as in the weapons table."""

    @property
    def damage(self) -> str:
        """Damage dice."""

    @property
    def armor(self) -> str:
        """Kind of armor that counts."""

    @property
    def area(self) -> str:
        """Kind of blast."""

    @property
    def radius(self) -> int:
        """Radius of a uniform blast in meters."""

    @property
    def harms(self) -> str:
        """Track that the harm fills."""


class Blast(msgspec.Struct, frozen=True):
    """A blast as declared or as in the weapons table."""

    damage: str
    pierces: int
    """Armor penetration."""
    armor: str
    half: bool
    area: str
    radius: int
    harms: str


def blast_from(what: Harmful, pierces: int, *, half: bool = False) -> Blast:
    """Returns the blast of a declared or listed source of harm.

    Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
    """
    return Blast(what.damage, pierces, what.armor, half, what.area, what.radius, what.harms)


class Caught(msgspec.Struct, frozen=True):
    """A victim of a blast, with the blast's effect."""

    place: str
    """Key prefix of this victim's figures."""
    terms: Any
    does: Blast
    nth: int

    @property
    def who(self) -> str:
        """The victim's name.

        Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
        """
        return str(tuple(self.terms.caught)[self.nth - 1])

    @property
    def meters(self) -> int:
        """Distance from the center in meters.

        Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
        """
        found: int = self.terms.caught[self.who]
        return found

    def role(self, name: str) -> str:
        """Returns the key of a roll or figure about this victim."""
        return role(self.place, name)


def caught(combat: Combat) -> Caught:
    """Returns the victim being resolved.

    Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
    """
    here, terms = edition(combat), declared(combat)
    nth = here.nth_caught(combat)
    return Caught(here.place_of_caught(frame(combat).key, nth), terms, here.blast(terms), nth)


def blast_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the damage dice, once for all victims."""
    now, here = caught(combat), edition(combat)
    if now.does.damage:
        key, what = key_of(combat, here.words.blast), f"damage of {now.terms.what}"
        yield from here.harm_dice(combat, key, frame(combat).by, now.does.damage, what)


def take_blast(combat: Combat) -> Deed:
    """Applies the damage that armor does not stop."""
    now = caught(combat)
    dv, left = DV.at(combat, now.role(DAMAGE)), ARMOR.at(combat, now.place)
    return (yield from suffer(combat, now.place, now.who, dv, left, now.does.harms))


def can_wound(combat: Combat) -> bool:
    """Returns whether this kind of harm can wound."""
    return bool(declared(combat).wounds)
