"""Harm that nobody aims: a blast, a fall, a fire. Its damage is rolled once, and each who is caught takes theirs."""

from collections.abc import Iterator

import msgspec

from ledger.dice import parse
from ledger.events import RollRequested
from ledger.key import role
from machines.contract import refusals as no
from machines.contract.chart import Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_here, figure, floored, frame, key_of, one_of
from machines.eclipse_phase.family.harm import check_can_be_harmed, suffer
from machines.eclipse_phase.family.success import asked, passed, target
from machines.eclipse_phase.second.actions.terms import ExplosionTerms
from machines.eclipse_phase.second.actions.validation import check_struck
from machines.eclipse_phase.second.attack.attack import defenses, is_on_guard
from machines.eclipse_phase.second.attack.attack_context import NTH, attack, blast_of
from machines.eclipse_phase.second.attack.modifiers import defense_modifiers
from machines.eclipse_phase.second.harm.damage import lost
from machines.eclipse_phase.second.harm.harm_dice import harm_dice, harm_of
from machines.eclipse_phase.second.sheet.sheet import half_up
from machines.eclipse_phase.second.sheet.sheet_access import armor, row_as_weapon, situation, weapon_traits
from machines.eclipse_phase.second.success_tests.roles import DEFEND
from machines.eclipse_phase.second.success_tests.success import begin, read
from projections.combat import Combat

DAMAGE, BLAST = "damage", "blast"
_AREA = "EP2 12/15 Area-effect Attacks"


class Blast(msgspec.Struct, frozen=True):
    """What it does, as said or as the weapons table has it."""

    damage: str
    pierces: bool
    armor: str
    half: bool
    area: str
    radius: int
    harms: str


def check_explosion(combat: Combat, by: str, terms: ExplosionTerms) -> None:
    """Refuse harm to nobody, to whoever is not here, and to minds that a sheet does not have."""
    if not terms.caught:
        raise no.BadTerms("it catches nobody", where="caught", accepts="who, and how many meters from the center")
    does = _does(terms)
    if does.damage:
        parse(does.damage)
    elif not any(trait.effect for trait in weapon_traits(row_as_weapon(terms.weapon))):
        raise no.BadTerms(f"{terms.weapon} does nothing to anybody", where="weapon", accepts="one that does")
    for who in terms.edge:
        one_of(who, tuple(terms.caught), "edge")
    for who in terms.caught:
        check_here(combat, who, "caught")
        check_can_be_harmed(combat, who, does.harms, wounds=terms.wounds)
    if terms.weapon:
        now = blast_of("", by, terms)
        for nth in range(1, len(terms.caught) + 1):
            check_struck(combat, now.dealing_with(nth))


def _does(terms: ExplosionTerms) -> Blast:
    if not terms.weapon:
        return Blast(terms.damage, terms.pierces, terms.armor, terms.half_armor, terms.area, terms.radius, terms.harms)
    row = row_as_weapon(terms.weapon)
    pierces = any(trait.pierces for trait in weapon_traits(row))
    return Blast(row.damage, pierces, row.armor, half=False, area=row.area, radius=row.radius, harms=row.harms)


class Caught(msgspec.Struct, frozen=True):
    """Whom it catches now."""

    key: str
    terms: ExplosionTerms
    does: Blast
    nth: int

    @property
    def who(self) -> str:
        """Who it is."""
        return tuple(self.terms.caught)[self.nth - 1]

    @property
    def meters(self) -> int:
        """From the center.

        Source: EP2 12/15 Area-effect Attacks
        """
        return self.terms.caught[self.who]

    @property
    def place(self) -> str:
        """Under which the figures of this victim are kept: as those of an attack's targets are."""
        return self.key if self.nth == 1 else f"{self.key}/t{self.nth}"

    def role(self, name: str) -> str:
        """The key of one of the rolls and figures about this victim."""
        return role(self.place, name)


def _caught(combat: Combat) -> Caught:
    now = frame(combat)
    terms = typed(now.terms, ExplosionTerms)
    return Caught(now.key, terms, _does(terms), combat.figures.number(now.key, NTH))


def blast_roll(combat: Combat) -> Iterator[RollRequested]:
    """The damage is rolled once for all.

    Source: EP2 12/15 Area-effect Attacks, 12/28 Falling
    """
    now = _caught(combat)
    if now.does.damage:
        yield from harm_dice(
            combat, key_of(combat, BLAST), frame(combat).by, now.does.damage, f"damage of {now.terms.what}"
        )


def read_blast(combat: Combat) -> Deed:
    """What the dice come to.

    Source: EP2 12/15 Area-effect Attacks, 12/16 Damage Value
    """
    key, does = key_of(combat, BLAST), _caught(combat).does
    value, why = harm_of(combat, key, does.damage) if does.damage else (0, "no damage")
    yield figure(key, BLAST, value, why, _AREA)
    return None


def next_caught(combat: Combat) -> Deed:
    """One after the other.

    Source: EP2 12/15 Area-effect Attacks
    """
    now = _caught(combat)
    if now.nth >= len(now.terms.caught):
        return "nobody"
    yield figure(now.key, NTH, now.nth + 1, "", _AREA)
    return "someone"


# ------------------------------------------------------------------------------------------------ dodging


def can_dodge(combat: Combat) -> bool:
    """Is it a blast, caught in which one may still throw oneself down?

    Source: EP2 12/15 Area-effect Attacks, Scatter
    """
    now = _caught(combat)
    return bool(now.terms.weapon) and bool(now.does.area) and is_on_guard(combat, attack(combat))


def prepare_dodge(combat: Combat) -> Deed:
    """Half of Fray, with everything that changes it.

    Source: EP2 12/15 Area-effect Attacks, 12/01 Step 2
    """
    now, key = attack(combat), _caught(combat).role(DEFEND)
    name, start = max(defenses(combat, now).items(), key=lambda each: each[1].value)
    combat = yield from begin(combat, key, now.at, start, _AREA)
    for event in defense_modifiers(combat, now, name):
        combat = yield event
    yield target(combat, key, now.at)
    return None


def dodge_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever is caught rolls.

    Source: EP2 12/15 Area-effect Attacks
    """
    now = _caught(combat)
    yield asked(combat, now.role(DEFEND), now.who, "dodge the blast")


def read_dodge(combat: Combat) -> Deed:
    """Against its target.

    Source: EP2 12/15 Area-effect Attacks
    """
    yield from read(combat, _caught(combat).role(DEFEND))
    return None


# ------------------------------------------------------------------------------------------------ what it does


def lose_force(combat: Combat) -> Deed:
    """Less for each meter, half for whoever dodges, and nothing at the edge.

    Source: EP2 12/15 Area-effect Attacks, Centered Blast, Uniform Blast
    """
    now = _caught(combat)
    dv = combat.figures.number(key_of(combat, BLAST), BLAST)
    away = lost(now.does.area, now.meters, now.does.radius, now.terms.falloff, vacuum=situation(combat).vacuum)
    dv, why = floored(dv - away, f"{dv} - {away} at {now.meters} m" if away else f"{dv}")
    dodged = passed(combat, now.role(DEFEND))
    if dodged and now.who in now.terms.edge:
        return "clear"
    if dodged:
        dv, why = half_up(dv, 2), f"{why}, halved: dodged"
    yield figure(now.role(DAMAGE), "dv", dv, why, _AREA, who=now.who)
    return "effects" if now.terms.weapon else "plain"


def apply_armor(combat: Combat) -> Deed:
    """The right kind of armor, halved where it is pierced; in a fall half of it counts.

    Source: EP2 12/01 Step 7, 12/12 Armor-Piercing, 12/28 Falling
    """
    now = _caught(combat)
    value = armor(combat, now.who, now.does.armor)
    left, why = value, f"{now.does.armor} armor {value}"
    if now.does.half or now.does.pierces:
        left, why = half_up(value, 2), f"half of {why}"
    yield figure(now.place, "armor", left, why, "EP2 12/01 Step 7", who=now.who)
    return None


def take_damage(combat: Combat) -> Deed:
    """What armor does not stop is taken.

    Source: EP2 12/01 Step 8
    """
    now = _caught(combat)
    dv, left = combat.figures.number(now.role(DAMAGE), "dv"), combat.figures.number(now.place, "armor")
    return (yield from suffer(combat, now.place, now.who, dv, left, now.does.harms))


def can_wound(combat: Combat) -> bool:
    """Can this kind of harm wound?

    Source: EP2 12/01 Step 9, 12/28 Asphyxiation
    """
    return _caught(combat).terms.wounds
