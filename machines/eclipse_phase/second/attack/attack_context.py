"""The attack being resolved: attacker, targets, weapon, and how it is used."""

import msgspec

from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.family.actions import SUPPRESSES
from machines.eclipse_phase.family.attacks import Aimed
from machines.eclipse_phase.second.actions.terms import AttackTerms, ExplosionTerms, SuppressedTerms
from machines.eclipse_phase.second.sheet.sheet import Weapon
from machines.eclipse_phase.second.sheet.sheet_access import SHEETS, row_as_weapon, weapon_traits
from machines.eclipse_phase.second.tables.rows import (
    Ammunition,
    AttackKind,
    CalledShot,
    FiringMode,
    Situation,
    WeaponTrait,
)
from machines.eclipse_phase.second.tables.tables import (
    AMMUNITION,
    ATTACK_KINDS,
    CALLED_SHOTS,
    FIRING_MODES,
    SITUATIONS,
)
from projections.combat import Combat

NTH = FigureName("nth target", int)
"""Figure of the number of the target being resolved."""
TOUCH = "touch-only"
"""Row of the modifiers table for a weapon that only needs to touch."""
SMARTLINK = "no smartlink"


class Attack(Aimed, msgspec.Struct, frozen=True):
    """The attack being resolved."""

    key: str
    by: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """Name of the weapon."""
    ammunition: Ammunition | None = None
    nth: int = 1
    """Number of the target being resolved, from 1."""
    suppressing: bool = False
    """Whether it is a hit by suppressive fire."""

    @property
    def kind(self) -> AttackKind:
        """Row in the table of attack kinds."""
        return ATTACK_KINDS[self.weapon.kind]

    @property
    def traits(self) -> tuple[WeaponTrait, ...]:
        """Rows of the traits of the weapon and its ammunition."""
        return weapon_traits(self.weapon)

    @property
    def mode(self) -> FiringMode | None:
        """Firing mode, if the weapon has any."""
        name = self.terms.mode or next(iter(self.weapon.modes), "")
        return FIRING_MODES.get(name)

    @property
    def called(self) -> CalledShot | None:
        """The called shot, if any."""
        return CALLED_SHOTS.get(self.terms.called)

    @property
    def shared(self) -> bool:
        """Whether one roll to hit counts for all targets; in melee each target has a roll."""
        return not self.kind.strikes

    @property
    def touches(self) -> bool:
        """Whether it only needs to touch, and so does no damage.

        Source: EP2 12/02 Touch-only Attacks
        """
        only = any(trait.touch for trait in self.traits) and not self.terms.strike
        return self.kind.strikes and (only or TOUCH in self.terms.modifiers)

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The modifier rows that apply: the weapon's, then the declared ones, each once."""
        own: tuple[str, ...] = (TOUCH,) if self.touches else ()
        own += (SMARTLINK,) if not all(trait.aims for trait in self.traits) else ()
        return self.fitting(own, SITUATIONS)


def attack(combat: Combat) -> Attack:
    """Returns the attack being resolved."""
    now = frame(combat)
    terms = typed(now.terms, _TERMS.get(now.kind, AttackTerms))
    if isinstance(terms, ExplosionTerms):
        found = blast_of(now.key, now.by, terms)
    elif isinstance(terms, SuppressedTerms):
        found = attack_of(combat, now.key, now.by, suppressed(combat, now.by, terms))
        found = msgspec.structs.replace(found, suppressing=True)
    else:
        found = attack_of(combat, now.key, now.by, terms)
    return msgspec.structs.replace(found, nth=NTH.at(combat, now.key, 1))


def blast_of(key: str, by: str, terms: ExplosionTerms) -> Attack:
    """Returns a blast without an attacker, as an attack on all its victims.

    Source: EP2 12/15 Scatter
    """
    first, weapon = next(iter(terms.caught)), _blasting(terms)
    shot = AttackTerms(at=first, using=weapon, caught=terms.caught, edge=terms.edge, falloff=terms.falloff)
    return Attack(key, by, shot, loaded(weapon, AMMUNITION.get(weapon.load)), terms.weapon)


def _blasting(terms: ExplosionTerms) -> Weapon:
    """Returns the weapon of a blast: a row of the weapons table, or the figures that are declared."""
    if terms.weapon:
        return row_as_weapon(terms.weapon)
    declared = {name: getattr(terms, name) for name in ("damage", "armor", "harms", "area", "radius")}
    return Weapon(kind="placed", skill="", **declared)


def suppressed(combat: Combat, by: str, terms: SuppressedTerms) -> AttackTerms:
    """Returns the terms of suppressive fire at a combatant who leaves cover: a shot with the same weapon.

    Source: EP2 12/04 Suppressive Fire
    """
    using = SUPPRESSES.of(combat, by)
    return AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)


_TERMS: dict[str, type[AttackTerms] | type[SuppressedTerms] | type[ExplosionTerms]] = {
    "suppressed": SuppressedTerms,
    "explosion": ExplosionTerms,
}


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """Returns an attack with these terms.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = SHEETS.weapon_of(combat, by, terms)
    row = AMMUNITION.get(terms.ammunition or weapon.load)
    return Attack(key, by, terms, loaded(weapon, row), name, row)


def loaded(weapon: Weapon, row: Ammunition | None) -> Weapon:
    """Returns a weapon with its ammunition; dice that the ammunition adds are added to the damage roll."""
    if row is None:
        return weapon
    damage = "" if row.none else row.damage or weapon.damage
    damage += "/2" if row.half and damage else ""
    area, radius = (row.area, row.radius) if row.damage or row.area else (weapon.area, weapon.radius)
    return msgspec.structs.replace(
        weapon,
        damage=damage,
        armor=row.armor or weapon.armor,
        area=area,
        radius=radius,
        within=row.within or weapon.within,
        traits=tuple(dict.fromkeys(weapon.traits + row.traits)),
    )
