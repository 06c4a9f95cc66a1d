"""`Attack`: attacker, targets, weapons and terms of the attack being resolved, at its current strike."""

from collections.abc import Callable, Mapping

import msgspec

from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.shadowrun_4e.actions.terms import AttackTerms, SuppressedTerms
from machines.shadowrun_4e.sheet.printed_codes import DamageCode, parse_damage
from machines.shadowrun_4e.sheet.sheet import Weapon
from machines.shadowrun_4e.sheet.sheet_access import arms, plane
from machines.shadowrun_4e.tables.rows import (
    Ammunition,
    CalledShot,
    Damage,
    FiringMode,
    Grenade,
    OpposedTest,
    Plane,
    Program,
)
from machines.shadowrun_4e.tables.tables import (
    AMMUNITION,
    CALLED_SHOTS,
    DAMAGE,
    FIRING_MODES,
    GRENADES,
    OPPOSED_TESTS,
    PROGRAMS,
)
from projections.combat import Combat
from projections.exchange import Frame

NTH = FigureName("nth strike", int)
"""Figure of an attack: the number of the current strike."""
ROUNDS = FigureName("rounds", int)
"""The figure of a strike: how many rounds are fired."""
SUPPRESSES = FigureName("suppresses with", str, scope="combatant")
"""Figure of a combatant: the weapon they lay down suppressive fire with."""
TOUCH = "touch-only attack"
"""The row of the melee modifiers for a touch-only attack."""
TO_HIT, DEFEND, DEFENSE, RESIST = "to-hit", "defend", "defense", "resist"
SHARES: Mapping[int, tuple[str, ...]] = {2: ("long burst", "burst"), 3: ("burst", "burst", "burst")}
"""By the number of targets: the bursts that a full burst is shared into (SR4 142 Full Bursts)."""


class Attack:
    """The attack being resolved, at one of its strikes.

    Args:
        key: The key of the exchange.
        by: The attacker.
        terms: The terms of the attack.
        weapons: The weapon that is used and a second one, if any, with their names.
        nth: The number of the strike, from 1.
    """

    __slots__ = (
        "aimed", "ammunition", "at", "by", "code_text", "damage", "key", "name", "nth", "place", "terms", "test",
        "weapon", "weapons",
    )  # fmt: skip

    def __init__(
        self, key: str, by: str, terms: AttackTerms, weapons: tuple[tuple[str, Weapon], ...], nth: int = 1
    ) -> None:
        self.key = key
        self.by = by
        self.terms = terms
        self.weapons = weapons
        self.nth = nth
        self.aimed: tuple[str, ...] = (terms.at,) if isinstance(terms.at, str) else terms.at
        """The declared targets in order; empty for a blast that is aimed at a place."""
        self.at = self.aimed[min(nth, len(self.aimed)) - 1] if self.aimed else ""
        """The target of this strike; empty for a place."""
        self.place = key if nth == 1 else f"{key}/t{nth}"
        """The key under which the rolls and figures of this strike are recorded."""
        self.name, self.weapon = weapons[min(nth, len(weapons)) - 1]
        """The weapon of this strike, and its name."""
        self.damage: Damage = DAMAGE[self.weapon.kind]
        """The row of the damage grid for this weapon."""
        self.test: OpposedTest = OPPOSED_TESTS[self.damage.test]
        """The row of the opposed tests for this weapon."""
        self.ammunition: Ammunition | None = AMMUNITION.get(terms.ammunition or self.weapon.load)
        """The ammunition that is fired, if it is special."""
        self.code_text = (self.ammunition.code if self.ammunition else "") or self.weapon.damage or "0S"
        """The printed damage code: that of the ammunition, or the weapon's (SR4S Melee Weapons Table)."""

    def strike(self, nth: int) -> "Attack":
        """Returns this attack at another of its strikes."""
        return Attack(self.key, self.by, self.terms, self.weapons, nth)

    @property
    def strikes(self) -> int:
        """The number of strikes: one for each target or weapon.

        Source: SR4S Melee Modifiers Table, Ranged Combat Modifiers Table
        """
        return max(len(self.aimed), len(self.weapons), 1)

    @property
    def splits(self) -> bool:
        """Whether the pool is split between the strikes; a shared full burst does not split it."""
        return self.strikes > 1 and not self.shared_burst

    @property
    def shared_burst(self) -> bool:
        """Whether it is one full burst at several targets.

        Source: SR4 142 Full Bursts
        """
        return len(self.weapons) == 1 and len(self.aimed) > 1 and bool(self.weapons[0][1].modes)

    @property
    def program(self) -> Program | None:
        """The row of the attacking program; None for other weapons."""
        return PROGRAMS.get(self.name)

    @property
    def mode(self) -> FiringMode | None:
        """The firing mode, if the weapon has any; each part of a shared full burst is a separate burst."""
        if self.shared_burst:
            return FIRING_MODES[SHARES.get(self.strikes, SHARES[3])[min(self.nth, 3) - 1]]
        return FIRING_MODES.get(self.terms.mode or usual_mode(self.weapon))

    @property
    def grenade(self) -> Grenade | None:
        """The grenade that goes off, if any."""
        return GRENADES.get(self.terms.grenade or self.weapon.grenade)

    @property
    def called(self) -> CalledShot | None:
        """The called shot that was declared, if any."""
        return CALLED_SHOTS.get(self.terms.called)

    @property
    def melee(self) -> bool:
        """Whether the defender chooses a skill to defend with, as in melee."""
        return len(self.test.defense_skills) > 1

    @property
    def ranged(self) -> bool:
        """Whether distance, firing modes and recoil count."""
        return not self.test.defense_skills

    @property
    def code(self) -> DamageCode:
        """The parsed damage code."""
        return parse_damage(self.code_text)

    @property
    def touches(self) -> bool:
        """Whether it only makes contact: a touch-only attack with a weapon that is not electric.

        Source: SR4S Melee Modifiers Table
        """
        return TOUCH in self.terms.modifiers and not self.code.electric

    def role(self, name: str) -> str:
        """Returns the key of one of the rolls or choices of this strike."""
        return f"{self.place}/{name}"


def usual_mode(weapon: Weapon) -> str:
    """Returns the first firing mode of a weapon; empty if it has none.

    Source: SR4 142 Firing Modes
    """
    first = weapon.modes[:1]
    return next((name for name, row in FIRING_MODES.items() if set(first) & set(row.codes)), "")


def modes(weapon: Weapon) -> tuple[str, ...]:
    """Returns the firing modes that a weapon can fire at a target.

    Source: SR4 142 Firing Modes
    """
    able = (row for row in FIRING_MODES.values() if set(weapon.modes) & set(row.codes))
    return tuple(row.name for row in able if row.burst or row.rounds == 1)


def attack(combat: Combat) -> Attack:
    """Returns the attack being resolved."""
    return strike_of(combat, frame(combat))


def strike_of(combat: Combat, now: Frame) -> Attack:
    """Returns the attack of an exchange frame, at its current strike."""
    terms = ATTACKS.get(now.kind, _as_declared)(combat, now)
    return attack_of(combat, now.key, now.by, terms, NTH.at(combat, now.key, 1))


def _as_declared(_: Combat, now: Frame) -> AttackTerms:
    return typed(now.terms, AttackTerms)


def _suppressed(combat: Combat, now: Frame) -> AttackTerms:
    """Returns suppressive fire as an attack on one combatant in the area, with the suppressing weapon."""
    using = SUPPRESSES.of(combat, now.by)
    return AttackTerms(at=typed(now.terms, SuppressedTerms).at, using=using, mode=suppressive().name)


ATTACKS: Mapping[str, Callable[[Combat, Frame], AttackTerms]] = {"attack": _as_declared, "suppressed": _suppressed}
"""By kind of declaration: how its terms are read as an attack."""


def suppressive() -> FiringMode:
    """Returns the firing mode of suppressive fire.

    Source: SR4 143 Suppressive Fire
    """
    return next(row for row in FIRING_MODES.values() if row.rounds > 1 and not row.burst)


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms, nth: int = 1) -> Attack:
    """Returns the attack that terms declare, at one of its strikes.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    mine = arms(combat, by)
    first = ("weapon", terms.using) if isinstance(terms.using, Weapon) else (terms.using, mine[terms.using])
    second = ((terms.also, mine[terms.also]),) if terms.also else ()
    here = plane(combat, by)
    weapons = tuple([(name, _on_plane(weapon, here)) for name, weapon in (first, *second)])
    return Attack(key, by, terms, weapons, nth)


def _on_plane(weapon: Weapon, here: Plane) -> Weapon:
    """Returns the weapon as it works on a plane: a weapon focus uses its own row of the grid on the astral plane.

    Source: SR4S Combat Sequence
    """
    focused = here.astral and weapon.focus > 0 and DAMAGE[weapon.kind].test != FOCUS.test
    return msgspec.structs.replace(weapon, kind=FOCUS.name) if focused else weapon


FOCUS = next(row for row in DAMAGE.values() if row.base == "weapon" and OPPOSED_TESTS[row.test].skill != "weapon")
"""The row of the damage grid for weapon foci on the astral plane."""


def parrying(combat: Combat, now: Attack) -> tuple[str, Weapon] | None:
    """Returns the weapon the target parries with: the longest usable melee weapon, or None.

    Source: SR4S Combat Sequence 3B
    """
    held = ((name, each) for name, each in arms(combat, now.at).items() if DAMAGE[each.kind].test == now.test.name)
    usable = (pair for pair in held if not combat.conditions.has(now.at, *spoilings(pair[0])))
    return max(usable, key=lambda pair: (not pair[1].innate, pair[1].reach), default=None)


def held(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the weapons in a combatant's hands: neither innate ones, nor broken, dropped or jammed ones.

    Source: SR4 149 Called Shots
    """
    mine = arms(combat, who).items()
    return tuple(name for name, each in mine if not each.innate and not combat.conditions.has(who, *spoilings(name)))


SPOILED = ("broken", "dropped", "jammed")
"""Words for an unusable weapon."""


def spoiled(weapon: str, word: str) -> str:
    """Returns the owner's condition for a broken, dropped or jammed weapon, such as ``pistol_jammed``.

    Source: SR4 62 Glitches, 149 Called Shots
    """
    return f"{weapon.replace(' ', '_')}_{word}"


def spoilings(weapon: str) -> tuple[str, ...]:
    """Returns all conditions that make a weapon unusable.

    Source: SR4 62 Glitches, 149 Called Shots
    """
    return tuple(spoiled(weapon, word) for word in SPOILED)
