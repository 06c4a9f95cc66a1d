"""The attack being resolved: attacker, targets, weapon, and how it is used."""

from functools import lru_cache

import msgspec

from machines.contract.ruleset import typed
from machines.eclipse_phase.family.attacks import SUPPRESSED, TO_HIT, Aimed, being_resolved, spoiled, targets_of
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
    Ammunition,
    AttackKind,
    CalledShot,
    FiringMode,
    Situation,
)
from projections.combat import Combat
from projections.exchange import Frame

SMARTLINK = "smartlink"
"""Row of the modifiers table for a weapon's own smartlink."""
UNARMED = "unarmed combat"
TOUCHING = ("melee", UNARMED, "touch-only")
"""Kind, skill and modifier of the touch that a sleight may require first."""


class Attack(Aimed, msgspec.Struct, frozen=True, kw_only=True):
    """The attack being resolved."""

    key: str
    by: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """Name of the weapon."""
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
    touching: bool = False
    """Whether the touch that a sleight requires is being resolved."""
    suppressing: bool = False
    """Whether it is an attack by suppressive fire."""

    def with_touch(self) -> "Attack":
        """Returns this attack with the touch that it requires being resolved."""
        place, kind = f"{self.key}/touch", ATTACK_KINDS[TOUCHING[0]]
        return msgspec.structs.replace(self, touching=True, kind=kind, place=place, hit=f"{place}/{TO_HIT}")

    def dealing_with(self, nth: int) -> "Attack":
        """Returns this attack with another target being resolved, in the same stage."""
        found = super().dealing_with(nth)
        return found.with_touch() if self.touching else found

    @property
    def by_touch(self) -> bool:
        """Whether it is a sleight that requires a touch first."""
        return self.weapon.touch and ATTACK_KINDS[self.weapon.kind].minds

    @property
    def skill(self) -> str:
        """Skill of the roll to hit."""
        return TOUCHING[1] if self.touching else self.weapon.skill

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
    now = being_resolved(combat, _declared)
    return now.with_touch() if now.weapon.touch and STAGE.at(combat, now.key) == "touch" else now


@lru_cache(maxsize=16)
def _declared(frame: Frame, sheet: str, using: str) -> Attack:
    """Returns the attack of a declaration at its first target; the boxes of its chart share it.

    Args:
        frame: The declaration.
        sheet: The attacker's sheet, as recorded.
        using: The weapon of suppressive fire.
    """
    if frame.kind != SUPPRESSED:
        return attack_of(sheet, frame.key, frame.by, typed(frame.terms, AttackTerms))
    terms = typed(frame.terms, SuppressedTerms)
    shot = AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)
    return msgspec.structs.replace(attack_of(sheet, frame.key, frame.by, shot), suppressing=True)


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
    if terms.ammunition:
        weapon = loaded(weapon, AMMUNITION[terms.ammunition])
    targets = targets_of(terms)
    return Attack(
        key=key, by=by, terms=terms, weapon=weapon, name=name, kind=ATTACK_KINDS[weapon.kind],
        mode=FIRING_MODES.get(terms.mode or next(iter(weapon.modes), "")), called=CALLED_SHOTS.get(terms.called),
        targets=targets, at=targets[0] if targets else "", place=key, hit=f"{key}/{TO_HIT}",
    )  # fmt: skip


def loaded(weapon: Weapon, row: Ammunition) -> Weapon:
    """Returns a weapon with another kind of ammunition."""
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
