"""What the boxes read: sheets, the attack on the table, and the sum behind a target number."""

from collections.abc import Iterator

import msgspec

from ledger.events import Event, FigureFound, ModifierApplied
from ledger.key import role
from ledger.modifier import total
from machines.eclipse_phase_1e.sheet import AttackTerms, Sheet, Weapon
from machines.eclipse_phase_1e.tables import ATTACK_KINDS, FIRING_MODES, SKILLS, AttackKind, FiringMode
from machines.eclipse_phase_common.d100 import capped
from machines.ruleset import typed
from projections.combat import Combat

UNABLE = ("incapacitated", "unconscious", "dead")
"""Conditions in which nobody acts or defends."""


SMARTLINK = "smartlink"
"""The row of the modifiers table that a weapon's own smartlink means."""


class Attack(msgspec.Struct, frozen=True):
    """The attack on the table."""

    key: str
    by: str
    at: str
    terms: AttackTerms
    weapon: Weapon
    name: str
    """The weapon's."""

    @property
    def kind(self) -> AttackKind:
        """Its row in the table of kinds."""
        return ATTACK_KINDS[self.weapon.kind]

    @property
    def mode(self) -> FiringMode | None:
        """How it is fired, if it is."""
        name = self.terms.mode or next(iter(self.weapon.modes), "")
        return FIRING_MODES.get(name)

    @property
    def situations(self) -> tuple[str, ...]:
        """The rows of the modifiers table that hold: the weapon's own, then the declared ones, each once."""
        return tuple(dict.fromkeys(((SMARTLINK,) if self.weapon.smartlink else ()) + self.terms.modifiers))

    @property
    def way(self) -> str:
        """The weapon and how it is fired: further attacks of one Complex Action keep to it."""
        return f"{self.name}, {self.mode.name}" if self.mode else self.name

    def role(self, name: str) -> str:
        """The key of one of its rolls or choices."""
        return role(self.key, name)


def sheet(combat: Combat, who: str) -> Sheet:
    """Somebody's sheet."""
    return typed(combat.roster[who].sheet, Sheet)


def attack(combat: Combat) -> Attack:
    """The attack being resolved."""
    frame = combat.exchange.frame
    assert frame is not None, "no attack is on the table"
    return attack_of(combat, frame.key, frame.by, typed(frame.terms, AttackTerms))


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """An attack as it is, or would be, declared.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = weapon_of(sheet(combat, by), terms)
    return Attack(key, by, terms.at, terms, weapon, name)


def weapon_of(owner: Sheet, terms: AttackTerms) -> tuple[Weapon, str]:
    """The weapon that a declaration means, and its name.

    Raises:
        KeyError: The sheet has none of that name.
    """
    if isinstance(terms.using, Weapon):
        return terms.using, "weapon"
    return owner.weapons[terms.using], terms.using


def attacks_left(combat: Combat, who: str) -> int:
    """How many attacks somebody's Complex Action of this phase still has.

    Source: EP1 198 Firing Modes
    """
    left = combat.figures.of(who, "attacks left")
    return left if isinstance(left, int) else 0


def skill(owner: Sheet, name: str) -> tuple[int, str] | None:
    """A skill's value and how it came about; the linked aptitude where the skill is missing.

    Returns:
        None where the sheet has neither.

    Source: EP1 191 Step 1
    """
    if name in owner.skills:
        return owner.skills[name], name
    linked = SKILLS[name].aptitude if name in SKILLS else ""
    value = getattr(owner.aptitudes, linked, None) if linked else None
    return None if value is None else (value, f"{linked.upper()} in place of {name}")


def base(key: str, value: int, why: str, source: str, who: str) -> FigureFound:
    """The number before modifiers that a test starts from."""
    return FigureFound(key, "base", value, why, source, "exchange", who)


def wound_modifiers(combat: Combat, who: str, key: str) -> Iterator[Event]:
    """-10 for each wound, and what is left of a shock.

    Source: EP1 207 Wounds, 204 Shock Attacks
    """
    count = combat.wounds.count(who)
    if count:
        yield ModifierApplied(key, -10 * count, f"{count} wound{'s' if count > 1 else ''}", "EP1 207 Wounds")
    shocked = combat.conditions.of(who).get("shocked")
    if shocked is not None and shocked.level:
        yield ModifierApplied(key, -shocked.level, "shocked", "EP1 204 Shock Attacks")


def target(combat: Combat, key: str, who: str) -> FigureFound:
    """The target number: the base and the modifiers, of which at most 60 count.

    Source: EP1 116 Difficulty and Modifiers
    """
    start, parts = combat.figures.number(key, "base"), combat.rolls.modifiers(key)
    counted = capped(total(parts))
    why = " ".join([str(start), *(f"{part.value:+d}" for part in parts)])
    if counted != total(parts):
        why += f", of which {counted:+d} counts"
    return FigureFound(key, "target", start + counted, why, "EP1 116 Modifiers", "exchange", who)
