"""The attack being resolved: attacker, targets, weapon, and how it is used."""

from functools import lru_cache

import msgspec

from machines.contract.ruleset import typed
from machines.eclipse_phase.family.attacks import SUPPRESSED, TO_HIT, Aimed, being_resolved, targets_of
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
from projections.exchange import Frame

TOUCH = "touch-only"
"""Row of the modifiers table for a weapon that only needs to touch."""
SMARTLINK = "no smartlink"


class Attack(Aimed, msgspec.Struct, frozen=True, kw_only=True):
    """The attack being resolved."""

    key: str
    by: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """Name of the weapon."""
    ammunition: Ammunition | None = None
    kind: AttackKind
    """Row in the table of attack kinds."""
    mode: FiringMode | None
    """Firing mode, if the weapon has any."""
    called: CalledShot | None
    """The called shot, if any."""
    targets: tuple[str, ...]
    """The targets of the attack, then others who are caught in the blast."""
    at: str
    """The target being resolved; empty if the attack has none."""
    place: str
    """Key prefix of this target's rolls and figures."""
    hit: str
    """Key of the roll to hit."""
    nth: int = 1
    """Number of the target being resolved, from 1."""
    suppressing: bool = False
    """Whether it is a hit by suppressive fire."""

    @property
    def traits(self) -> tuple[WeaponTrait, ...]:
        """Rows of the traits of the weapon and its ammunition."""
        return weapon_traits(self.weapon)

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
    return being_resolved(combat, _declared)


@lru_cache(maxsize=16)
def _declared(frame: Frame, sheet: str, using: str) -> Attack:
    """Returns the attack of a declaration at its first target; the boxes of its chart share it.

    Args:
        frame: The declaration.
        sheet: The attacker's sheet, as recorded.
        using: The weapon of suppressive fire.
    """
    key, by, terms = frame.key, frame.by, typed(frame.terms, _TERMS.get(frame.kind, AttackTerms))
    if isinstance(terms, ExplosionTerms):
        return blast_of(key, by, terms)
    if isinstance(terms, SuppressedTerms):
        return msgspec.structs.replace(attack_of(sheet, key, by, suppressed(using, terms)), suppressing=True)
    return attack_of(sheet, key, by, terms)


_TERMS: dict[str, type[AttackTerms] | type[SuppressedTerms] | type[ExplosionTerms]] = {
    SUPPRESSED: SuppressedTerms,
    "explosion": ExplosionTerms,
}


def blast_of(key: str, by: str, terms: ExplosionTerms) -> Attack:
    """Returns a blast without an attacker, as an attack on all its victims.

    Source: EP2 12/15 Scatter
    """
    first, weapon = next(iter(terms.caught)), _blasting(terms)
    shot = AttackTerms(at=first, using=weapon, caught=terms.caught, edge=terms.edge, falloff=terms.falloff)
    return _attack(key, by, shot, loaded(weapon, AMMUNITION.get(weapon.load)), terms.weapon)


def _blasting(terms: ExplosionTerms) -> Weapon:
    """Returns the weapon of a blast: a row of the weapons table, or the figures that are declared."""
    if terms.weapon:
        return row_as_weapon(terms.weapon)
    declared = {name: getattr(terms, name) for name in ("damage", "armor", "harms", "area", "radius")}
    return Weapon(kind="placed", skill="", **declared)


def suppressed(using: str, terms: SuppressedTerms) -> AttackTerms:
    """Returns the terms of suppressive fire at a combatant who leaves cover: a shot with the same weapon.

    Source: EP2 12/04 Suppressive Fire
    """
    return AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)


def attack_of(sheet: str, key: str, by: str, terms: AttackTerms) -> Attack:
    """Returns an attack with these terms.

    Args:
        sheet: The attacker's sheet, as recorded.
        key: The key of the exchange.
        by: The attacker.
        terms: The terms of the attack.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = SHEETS.weapon_of(sheet, terms)
    row = AMMUNITION.get(terms.ammunition or weapon.load)
    return _attack(key, by, terms, loaded(weapon, row), name, ammunition=row)


def _attack(
    key: str, by: str, terms: AttackTerms, weapon: Weapon, name: str, *, ammunition: Ammunition | None = None
) -> Attack:
    """Returns an attack at its first target, with the rows of the tables that apply to it."""
    targets = targets_of(terms)
    return Attack(
        key=key, by=by, terms=terms, weapon=weapon, name=name, ammunition=ammunition, kind=ATTACK_KINDS[weapon.kind],
        mode=FIRING_MODES.get(terms.mode or next(iter(weapon.modes), "")), called=CALLED_SHOTS.get(terms.called),
        targets=targets, at=targets[0] if targets else "", place=key, hit=f"{key}/{TO_HIT}",
    )  # fmt: skip


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
