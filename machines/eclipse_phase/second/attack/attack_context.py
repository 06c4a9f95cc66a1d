"""The attack on the table: who, whom, with what and how; what of it is fixed and what changes from target to target."""

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
"""The figure that says which of the targets is dealt with."""
TOUCH = "touch-only"
"""The row of the modifiers table that a weapon which only needs to touch means."""
SMARTLINK = "no smartlink"


class Attack(Aimed, msgspec.Struct, frozen=True):
    """The attack on the table."""

    key: str
    by: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """The weapon's."""
    ammunition: Ammunition | None = None
    nth: int = 1
    """Which of the targets is dealt with."""
    suppressing: bool = False
    """Is it what hits somebody under suppressive fire?"""

    @property
    def kind(self) -> AttackKind:
        """Its row in the table of kinds."""
        return ATTACK_KINDS[self.weapon.kind]

    @property
    def traits(self) -> tuple[WeaponTrait, ...]:
        """The rows of the weapon's traits, and of what is loaded."""
        return weapon_traits(self.weapon)

    @property
    def mode(self) -> FiringMode | None:
        """How it is fired, if it is."""
        name = self.terms.mode or next(iter(self.weapon.modes), "")
        return FIRING_MODES.get(name)

    @property
    def called(self) -> CalledShot | None:
        """What it means beside hurting."""
        return CALLED_SHOTS.get(self.terms.called)

    @property
    def shared(self) -> bool:
        """Does one roll to hit hold for all targets? In melee each is a roll of its own."""
        return not self.kind.strikes

    @property
    def touches(self) -> bool:
        """Does it only need to touch, and so does no damage?

        Source: EP2 12/02 Touch-only Attacks
        """
        only = any(trait.touch for trait in self.traits) and not self.terms.strike
        return self.kind.strikes and (only or TOUCH in self.terms.modifiers)

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The rows of the modifiers table that hold: the weapon's own, then the declared ones, each once."""
        own: tuple[str, ...] = (TOUCH,) if self.touches else ()
        own += (SMARTLINK,) if not all(trait.aims for trait in self.traits) else ()
        return self.fitting(own, SITUATIONS)


def attack(combat: Combat) -> Attack:
    """The attack being resolved."""
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
    """What goes off by itself, as an attack on all whom it catches.

    Source: EP2 12/15 Scatter
    """
    first, weapon = next(iter(terms.caught)), row_as_weapon(terms.weapon)
    shot = AttackTerms(at=first, using=weapon, caught=terms.caught, edge=terms.edge, falloff=terms.falloff)
    return Attack(key, by, shot, loaded(weapon, AMMUNITION.get(weapon.load)), terms.weapon)


def suppressed(combat: Combat, by: str, terms: SuppressedTerms) -> AttackTerms:
    """What suppressive fire is to whoever leaves cover: a shot of the weapon it is laid down with.

    Source: EP2 12/04 Suppressive Fire
    """
    using = SUPPRESSES.of(combat, by)
    return AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)


_TERMS: dict[str, type[AttackTerms] | type[SuppressedTerms] | type[ExplosionTerms]] = {
    "suppressed": SuppressedTerms,
    "explosion": ExplosionTerms,
}


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """An attack as it is, or would be, declared.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = SHEETS.weapon_of(combat, by, terms)
    row = AMMUNITION.get(terms.ammunition or weapon.load)
    return Attack(key, by, terms, loaded(weapon, row), name, row)


def loaded(weapon: Weapon, row: Ammunition | None) -> Weapon:
    """A weapon with what it is loaded with; what that adds to the damage is added when it is rolled."""
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
