"""The attack being resolved: attacker, targets, weapon, and how it is used."""

import msgspec

from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.family.actions import SUPPRESSES
from machines.eclipse_phase.family.attacks import Aimed, spoiled
from machines.eclipse_phase.family.edition import NTH_TARGET
from machines.eclipse_phase.first.actions.terms import AttackTerms, SuppressedTerms
from machines.eclipse_phase.first.figure_names import ATTACKS_LEFT, STAGE
from machines.eclipse_phase.first.sheet.sheet import Weapon
from machines.eclipse_phase.first.sheet.sheet_access import SHEETS, arms
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
"""Row of the modifiers table for a weapon's own smartlink."""
UNARMED = "unarmed combat"
TOUCHING = ("melee", UNARMED, "touch-only")
"""Kind, skill and modifier of the touch that a sleight may require first."""


class Attack(Aimed, msgspec.Struct, frozen=True):
    """The attack being resolved."""

    key: str
    by: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """Name of the weapon."""
    nth: int = 1
    """Number of the target being resolved, from 1."""
    touching: bool = False
    """Whether the touch that a sleight requires is being resolved."""
    suppressing: bool = False
    """Whether it is an attack by suppressive fire."""

    @property
    def place(self) -> str:
        """Key prefix of this target's rolls and figures."""
        return f"{self.key}/touch" if self.touching else super().place

    @property
    def kind(self) -> AttackKind:
        """Row in the table of attack kinds."""
        return ATTACK_KINDS[TOUCHING[0] if self.touching else self.weapon.kind]

    @property
    def by_touch(self) -> bool:
        """Whether it is a sleight that requires a touch first."""
        return self.weapon.touch and ATTACK_KINDS[self.weapon.kind].minds

    @property
    def skill(self) -> str:
        """Skill of the roll to hit."""
        return TOUCHING[1] if self.touching else self.weapon.skill

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
        return self.kind.needs_range

    @property
    def used(self) -> str:
        """What the attack hits with, in words."""
        return "a touch" if self.touching else self.name

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The modifier rows that apply: the weapon's, then the declared ones, each once."""
        own: tuple[str, ...] = (SMARTLINK,) if self.weapon.smartlink else ()
        own += (TOUCHING[2],) if self.touching else ()
        return self.fitting(own, SITUATIONS)


def attack(combat: Combat) -> Attack:
    """Returns the attack being resolved."""
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
    """Returns an attack with these terms.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = SHEETS.weapon_of(combat, by, terms)
    return Attack(key, by, terms, loaded(weapon, terms.ammunition), name)


def loaded(weapon: Weapon, ammunition: str) -> Weapon:
    """Returns a weapon with another kind of ammunition."""
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


def at_hand(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the weapons of which a combatant can be disarmed: no parts of the body, no sleights, none on the ground.

    Source: EP1 196 Called Shots; Ruling: EP1-N13
    """
    held = {name: each for name, each in arms(combat, who).items() if not ATTACK_KINDS[each.kind].minds}
    in_hand = (name for name, each in held.items() if each.skill != UNARMED)
    return tuple(name for name in in_hand if not combat.conditions.has(who, spoiled(name, "dropped")))


def attacks_left(combat: Combat, who: str) -> int:
    """Returns the attacks left in a combatant's Complex Action of this phase.

    Source: EP1 198 Firing Modes
    """
    return ATTACKS_LEFT.of(combat, who)
