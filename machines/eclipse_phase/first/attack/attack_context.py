"""The attack on the table: who, whom, with what and how; what of it is fixed and what changes from target to target."""

import msgspec

from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.family.actions import SUPPRESSES
from machines.eclipse_phase.family.attacks import Aimed
from machines.eclipse_phase.family.figure_names import NTH_TARGET
from machines.eclipse_phase.first.actions.terms import AttackTerms, SuppressedTerms
from machines.eclipse_phase.first.figure_names import ATTACKS_LEFT, STAGE
from machines.eclipse_phase.first.sheet.sheet import Weapon
from machines.eclipse_phase.first.sheet.sheet_access import SHEETS
from machines.eclipse_phase.first.tables.tables import (
    AMMUNITION,
    ATTACK_KINDS,
    CALLED_SHOTS,
    FIRING_MODES,
    SITUATIONS,
    AttackKind,
    CalledShot,
    FiringMode,
    Situation,
)
from projections.combat import Combat

SMARTLINK = "smartlink"
"""The row of the modifiers table that a weapon's own smartlink means."""
TOUCHING = ("melee", "unarmed combat", "touch-only")
"""Kind, skill and modifier of the touch that a sleight may need first."""


class Attack(Aimed, msgspec.Struct, frozen=True):
    """The attack on the table."""

    key: str
    by: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """The weapon's."""
    nth: int = 1
    """Which of the targets is dealt with."""
    touching: bool = False
    """Is it still the touch that a sleight needs first?"""
    suppressing: bool = False
    """Is it the free attack of suppressive fire?"""

    @property
    def place(self) -> str:
        """Under which the rolls and figures of this target are kept."""
        return f"{self.key}/touch" if self.touching else super().place

    @property
    def kind(self) -> AttackKind:
        """Its row in the table of kinds."""
        return ATTACK_KINDS[TOUCHING[0] if self.touching else self.weapon.kind]

    @property
    def by_touch(self) -> bool:
        """Is it a sleight that needs the target touched first?"""
        return self.weapon.touch and ATTACK_KINDS[self.weapon.kind].minds

    @property
    def skill(self) -> str:
        """What it is rolled with."""
        return TOUCHING[1] if self.touching else self.weapon.skill

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
        return self.kind.needs_range

    @property
    def used(self) -> str:
        """What it hits with, in words."""
        return "a touch" if self.touching else self.name

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The rows of the modifiers table that hold: the weapon's own, then the declared ones, each once."""
        own: tuple[str, ...] = (SMARTLINK,) if self.weapon.smartlink else ()
        own += (TOUCHING[2],) if self.touching else ()
        return self.fitting(own, SITUATIONS)


def attack(combat: Combat) -> Attack:
    """The attack being resolved."""
    now = frame(combat)
    terms = typed(now.terms, _TERMS.get(now.kind, AttackTerms))
    if isinstance(terms, SuppressedTerms):
        using = SUPPRESSES.of(combat, now.by)
        shot = AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)
        found = attack_of(combat, now.key, now.by, shot)
        found = msgspec.structs.replace(found, suppressing=True)
    else:
        found = attack_of(combat, now.key, now.by, terms)
    nth = NTH_TARGET.at(combat, now.key, 1)
    return msgspec.structs.replace(found, nth=nth, touching=STAGE.at(combat, now.key) == "touch")


_TERMS: dict[str, type[AttackTerms] | type[SuppressedTerms]] = {"suppressed": SuppressedTerms}


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """An attack as it is, or would be, declared.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = SHEETS.weapon_of(combat, by, terms)
    return Attack(key, by, terms, loaded(weapon, terms.ammunition), name)


def loaded(weapon: Weapon, ammunition: str) -> Weapon:
    """A weapon with another kind of ammunition in it."""
    if not ammunition:
        return weapon
    row = AMMUNITION[ammunition]
    dice, _, divided = weapon.damage.partition("/")
    dice += "" if row.damage.startswith("-") and "d" in row.damage else row.damage
    divided = divided or ("2" if row.half else "")
    return msgspec.structs.replace(
        weapon, ap=min(0, weapon.ap + row.ap), damage=f"{dice}/{divided}" if divided else dice,
        armor=row.armor or weapon.armor, shock=weapon.shock or row.shock,
    )  # fmt: skip


def attacks_left(combat: Combat, who: str) -> int:
    """How many attacks somebody's Complex Action of this phase still has.

    Source: EP1 198 Firing Modes
    """
    return ATTACKS_LEFT.of(combat, who)
