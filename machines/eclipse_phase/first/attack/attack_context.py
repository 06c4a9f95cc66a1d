"""The attack on the table: who, whom, with what and how; what of it is fixed and what changes from target to target."""

import msgspec

from ledger.key import role
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.first.actions.terms import AttackTerms, SuppressedTerms
from machines.eclipse_phase.first.sheet.sheet import Weapon
from machines.eclipse_phase.first.sheet.sheet_access import arms
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


class Attack(msgspec.Struct, frozen=True):
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
    def targets(self) -> tuple[str, ...]:
        """Whom it is aimed at, and then who else is caught."""
        aimed = (self.terms.at,) if isinstance(self.terms.at, str) else self.terms.at
        return (*aimed, *(who for who in self.terms.caught if who not in aimed))

    @property
    def at(self) -> str:
        """The target that is dealt with."""
        return self.targets[self.nth - 1]

    @property
    def aimed(self) -> int:
        """How many it is aimed at.

        Source: EP1 202 Multiple Targets
        """
        return 1 if isinstance(self.terms.at, str) else len(self.terms.at)

    @property
    def meters(self) -> int:
        """From the center of a blast to whom is dealt with.

        Source: EP1 193 Area Effect Weapons
        """
        return self.terms.caught.get(self.at, 0)

    @property
    def place(self) -> str:
        """Under which the rolls and figures of this target are kept."""
        if self.touching:
            return f"{self.key}/touch"
        return self.key if self.nth == 1 else f"{self.key}/t{self.nth}"

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
    def hit(self) -> str:
        """The key of the roll to hit."""
        return role(self.key if self.shared and not self.touching else self.place, "to-hit")

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The rows of the modifiers table that hold: the weapon's own, then the declared ones, each once."""
        own: tuple[str, ...] = (SMARTLINK,) if self.weapon.smartlink else ()
        own += (TOUCHING[2],) if self.touching else ()
        names = dict.fromkeys(own + self.terms.modifiers)
        return tuple(SITUATIONS[name] for name in names if self.kind.name in SITUATIONS[name].kinds)

    @property
    def way(self) -> str:
        """The weapon and how it is fired: further attacks of one Complex Action keep to it."""
        return f"{self.name}, {self.mode.name}" if self.mode else self.name

    def dealing_with(self, nth: int) -> "Attack":
        """The same, with another of its targets."""
        return msgspec.structs.replace(self, nth=nth)

    def role(self, name: str) -> str:
        """The key of one of the rolls or choices about this target."""
        return role(self.place, name)


def attack(combat: Combat) -> Attack:
    """The attack being resolved."""
    now = frame(combat)
    terms = typed(now.terms, _TERMS.get(now.kind, AttackTerms))
    if isinstance(terms, SuppressedTerms):
        using = str(combat.figures.of(now.by, "suppresses with"))
        shot = AttackTerms(at=terms.at, using=using, range=terms.range, distance=terms.distance)
        found = attack_of(combat, now.key, now.by, shot)
        found = msgspec.structs.replace(found, suppressing=True)
    else:
        found = attack_of(combat, now.key, now.by, terms)
    nth = combat.figures.number(now.key, "nth target", 1)
    return msgspec.structs.replace(found, nth=nth, touching=combat.figures.word(now.key, "stage") == "touch")


_TERMS: dict[str, type[AttackTerms] | type[SuppressedTerms]] = {"suppressed": SuppressedTerms}


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """An attack as it is, or would be, declared.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    weapon, name = weapon_of(combat, by, terms)
    return Attack(key, by, terms, loaded(weapon, terms.ammunition), name)


def weapon_of(combat: Combat, by: str, terms: AttackTerms) -> tuple[Weapon, str]:
    """The weapon that a declaration means, and its name.

    Raises:
        KeyError: The sheet has none of that name.
    """
    if isinstance(terms.using, Weapon):
        return terms.using, "weapon"
    return arms(combat, by)[terms.using], terms.using


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
    left = combat.figures.of(who, "attacks left")
    return left if isinstance(left, int) else 0
