"""The attack on the table: who, whom, with what and how; what is fixed, and what changes from strike to strike."""

from collections.abc import Callable, Mapping

import msgspec

from ledger.key import role
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
"""The figure that says which of the strikes is dealt with."""
ROUNDS = FigureName("rounds", int)
"""The figure of a strike: how many rounds are fired."""
SUPPRESSES = FigureName("suppresses with", str, scope="combatant")
"""The figure of whoever lays down suppressive fire."""
TOUCH = "touch-only attack"
"""The row of the melee modifiers for whoever only wants to touch."""
TO_HIT, DEFEND, DEFENSE, RESIST = "to-hit", "defend", "defense", "resist"
SHARES: Mapping[int, tuple[str, ...]] = {2: ("long burst", "burst"), 3: ("burst", "burst", "burst")}
"""What a full burst is at so many targets (SR4 142 Full Bursts)."""


class Attack(msgspec.Struct, frozen=True):
    """The attack on the table, at the strike that is dealt with."""

    key: str
    by: str
    terms: AttackTerms
    weapons: tuple[tuple[str, Weapon], ...]
    """The one that is used, and a second one; by name."""
    nth: int = 1

    @property
    def aimed(self) -> tuple[str, ...]:
        """Whom it is aimed at, in order; nobody where a blast is meant for a place."""
        return (self.terms.at,) if isinstance(self.terms.at, str) else self.terms.at

    @property
    def strikes(self) -> int:
        """How many attacks it is: one for each target, and for each weapon.

        Source: SR4S Melee Modifiers Table, Ranged Combat Modifiers Table
        """
        return max(len(self.aimed), len(self.weapons), 1)

    @property
    def splits(self) -> bool:
        """Is the pool split between them? A full burst is shared out instead."""
        return self.strikes > 1 and not self.shared_burst

    @property
    def shared_burst(self) -> bool:
        """Is it one full burst at several targets?

        Source: SR4 142 Full Bursts
        """
        return len(self.weapons) == 1 and len(self.aimed) > 1 and bool(self.weapons[0][1].modes)

    @property
    def at(self) -> str:
        """The target of this strike; empty for a place."""
        return self.aimed[min(self.nth, len(self.aimed)) - 1] if self.aimed else ""

    @property
    def place(self) -> str:
        """Under which the rolls and figures of this strike are kept."""
        return self.key if self.nth == 1 else f"{self.key}/t{self.nth}"

    @property
    def name(self) -> str:
        """The weapon's."""
        return self.weapons[min(self.nth, len(self.weapons)) - 1][0]

    @property
    def weapon(self) -> Weapon:
        """What strikes."""
        return self.weapons[min(self.nth, len(self.weapons)) - 1][1]

    @property
    def damage(self) -> Damage:
        """Its row of the damage grid."""
        return DAMAGE[self.weapon.kind]

    @property
    def test(self) -> OpposedTest:
        """Its row of the opposed tests."""
        return OPPOSED_TESTS[self.damage.test]

    @property
    def program(self) -> Program | None:
        """What it is of the programs that strike."""
        return PROGRAMS.get(self.name)

    @property
    def mode(self) -> FiringMode | None:
        """How it is fired, if it is; each part of a full burst that is shared out is a burst of its own."""
        if self.shared_burst:
            return FIRING_MODES[SHARES.get(self.strikes, SHARES[3])[min(self.nth, 3) - 1]]
        return FIRING_MODES.get(self.terms.mode or usual_mode(self.weapon))

    @property
    def ammunition(self) -> Ammunition | None:
        """What is fired."""
        return AMMUNITION.get(self.terms.ammunition or self.weapon.load)

    @property
    def grenade(self) -> Grenade | None:
        """What goes off, if something does."""
        return GRENADES.get(self.terms.grenade or self.weapon.grenade)

    @property
    def called(self) -> CalledShot | None:
        """What it is called for."""
        return CALLED_SHOTS.get(self.terms.called)

    @property
    def melee(self) -> bool:
        """Does the defender choose a skill to defend with, as in melee?"""
        return len(self.test.defense_skills) > 1

    @property
    def ranged(self) -> bool:
        """Do distance, firing modes and recoil count?"""
        return not self.test.defense_skills

    @property
    def code_text(self) -> str:
        """Its damage code, as printed: that of what is fired, or the weapon's.

        Source: SR4S Melee Weapons Table
        """
        return (self.ammunition.code if self.ammunition else "") or self.weapon.damage or "0S"

    @property
    def code(self) -> DamageCode:
        """Its damage code."""
        return parse_damage(self.code_text)

    @property
    def touches(self) -> bool:
        """Is it only meant to touch? What shocks by a touch does all it does.

        Source: SR4S Melee Modifiers Table
        """
        return TOUCH in self.terms.modifiers and not self.code.electric

    def role(self, name: str) -> str:
        """The key of one of the rolls or choices of this strike."""
        return role(self.place, name)


def usual_mode(weapon: Weapon) -> str:
    """The first row of the firing modes that a weapon can fire; empty for what is not fired.

    Source: SR4 142 Firing Modes
    """
    first = weapon.modes[:1]
    return next((name for name, row in FIRING_MODES.items() if set(first) & set(row.codes)), "")


def modes(weapon: Weapon) -> tuple[str, ...]:
    """The rows of the firing modes that a weapon can fire at somebody.

    Source: SR4 142 Firing Modes
    """
    able = (row for row in FIRING_MODES.values() if set(weapon.modes) & set(row.codes))
    return tuple(row.name for row in able if row.burst or row.rounds == 1)


def attack(combat: Combat) -> Attack:
    """The attack being resolved."""
    return strike_of(combat, frame(combat))


def strike_of(combat: Combat, now: Frame) -> Attack:
    """The attack that a frame is, at the strike that is dealt with."""
    terms = ATTACKS.get(now.kind, _as_declared)(combat, now)
    found = attack_of(combat, now.key, now.by, terms)
    return msgspec.structs.replace(found, nth=NTH.at(combat, now.key, 1))


def _as_declared(_: Combat, now: Frame) -> AttackTerms:
    return typed(now.terms, AttackTerms)


def _suppressed(combat: Combat, now: Frame) -> AttackTerms:
    """What suppressive fire is to whoever is under it: a shot of the weapon it is laid down with."""
    using = SUPPRESSES.of(combat, now.by)
    return AttackTerms(at=typed(now.terms, SuppressedTerms).at, using=using, mode=suppressive().name)


ATTACKS: Mapping[str, Callable[[Combat, Frame], AttackTerms]] = {"attack": _as_declared, "suppressed": _suppressed}
"""By the kind of declaration: the attack that it is."""


def suppressive() -> FiringMode:
    """The row of the firing modes that lays down fire over an area.

    Source: SR4 143 Suppressive Fire
    """
    return next(row for row in FIRING_MODES.values() if row.rounds > 1 and not row.burst)


def attack_of(combat: Combat, key: str, by: str, terms: AttackTerms) -> Attack:
    """An attack as it is, or would be, declared.

    Raises:
        KeyError: The attacker has no such weapon.
    """
    mine = arms(combat, by)
    first = ("weapon", terms.using) if isinstance(terms.using, Weapon) else (terms.using, mine[terms.using])
    second = ((terms.also, mine[terms.also]),) if terms.also else ()
    here = plane(combat, by)
    return Attack(key, by, terms, tuple((name, _there(weapon, here)) for name, weapon in (first, *second)))


def _there(weapon: Weapon, here: Plane) -> Weapon:
    """A weapon focus strikes minds on the astral plane, whatever it is made as.

    Source: SR4S Combat Sequence
    """
    focused = here.astral and weapon.focus > 0 and DAMAGE[weapon.kind].test != FOCUS.test
    return msgspec.structs.replace(weapon, kind=FOCUS.name) if focused else weapon


FOCUS = next(row for row in DAMAGE.values() if row.base == "weapon" and OPPOSED_TESTS[row.test].skill != "weapon")
"""The row of the damage grid for weapon foci on the astral plane."""


def parrying(combat: Combat, now: Attack) -> tuple[str, Weapon] | None:
    """What a defender parries with, or would: their longest weapon for melee; none where they hold none.

    Source: SR4S Combat Sequence 3B
    """
    held = ((name, each) for name, each in arms(combat, now.at).items() if DAMAGE[each.kind].test == now.test.name)
    usable = (pair for pair in held if not combat.conditions.has(now.at, *spoilings(pair[0])))
    return max(usable, key=lambda pair: (not pair[1].innate, pair[1].reach), default=None)


def held(combat: Combat, who: str) -> tuple[str, ...]:
    """The weapons in somebody's hands: none that are part of them, nor what is spoiled.

    Source: SR4 149 Called Shots
    """
    mine = arms(combat, who).items()
    return tuple(name for name, each in mine if not each.innate and not combat.conditions.has(who, *spoilings(name)))


SPOILED = ("broken", "dropped", "jammed")
"""What may have become of a weapon."""


def spoiled(weapon: str, word: str) -> str:
    """The condition of whoever's weapon is broken, dropped or jammed: ``pistol_jammed``.

    Source: SR4 62 Glitches, 149 Called Shots
    """
    return f"{weapon.replace(' ', '_')}_{word}"


def spoilings(weapon: str) -> tuple[str, ...]:
    """All that may have become of a weapon.

    Source: SR4 62 Glitches, 149 Called Shots
    """
    return tuple(spoiled(weapon, word) for word in SPOILED)
