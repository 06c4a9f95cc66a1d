"""Harm that nobody aims: a blast, a fall, a fire. Its damage is rolled once, and each who is caught takes theirs."""

from collections.abc import Iterator

import msgspec

from ledger.dice import parse
from ledger.events import RollRequested
from ledger.key import role
from machines.contract import refusals as no
from machines.contract.chart import Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_here, counted, figure, floored, frame, key_of, thrown
from machines.eclipse_phase.family.harm import check_can_be_harmed, suffer
from machines.eclipse_phase.first.actions.terms import ExplosionTerms
from machines.eclipse_phase.first.harm.damage import FALLOFF, HALVED, PIERCED, spent
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import armor, row_as_weapon, sheet
from projections.combat import Combat

DAMAGE = "damage"
CAUGHT = "caught"
"""The figure of each who is dealt with."""
_AREA = "EP1 193 Area Effect Weapons"


class Blast(msgspec.Struct, frozen=True):
    """What it does, as said or as the weapons table has it."""

    damage: str
    ap: int
    armor: str
    half: bool
    area: str
    radius: int
    harms: str


def check_explosion(combat: Combat, _: str, terms: ExplosionTerms) -> None:
    """Refuse harm to nobody, to whoever is not here, and to minds that a sheet does not have."""
    if not terms.caught:
        raise no.BadTerms("it catches nobody", where="caught", accepts="who, and how many meters from the center")
    does = _does(terms)
    parse(does.damage)
    for who in terms.caught:
        check_here(combat, who, "caught")
        check_can_be_harmed(combat, who, does.harms, wounds=terms.wounds)


def _does(terms: ExplosionTerms) -> Blast:
    if not terms.weapon:
        return Blast(terms.damage, terms.ap, terms.armor, terms.half_armor, terms.area, terms.radius, terms.harms)
    row = row_as_weapon(terms.weapon)
    return Blast(row.damage, row.ap, row.armor, half=False, area=row.area, radius=row.radius, harms=row.harms)


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

        Source: EP1 193 Area Effect Weapons
        """
        return self.terms.caught[self.who]

    @property
    def place(self) -> str:
        """Under which the figures of this victim are kept."""
        return _place(self.key, self.nth)

    def role(self, name: str) -> str:
        """The key of one of the rolls and figures about this victim."""
        return role(self.place, name)


def _place(key: str, nth: int) -> str:
    return f"{key}/t{nth}"


def _caught(combat: Combat) -> Caught:
    now = frame(combat)
    terms = typed(now.terms, ExplosionTerms)
    nth = sum(combat.figures.holds(_place(now.key, each), CAUGHT) for each in range(1, len(terms.caught) + 1))
    return Caught(now.key, terms, _does(terms), nth)


def blast_roll(combat: Combat) -> Iterator[RollRequested]:
    """The damage is rolled once for all.

    Source: EP1 193 Area Effect Weapons, 197 Falling Damage
    """
    now = _caught(combat)
    yield from thrown(combat, key_of(combat, DAMAGE), frame(combat).by, now.does.damage, f"damage of {now.terms.what}")


def read_blast(combat: Combat) -> Deed:
    """What the dice come to.

    Source: EP1 193 Area Effect Weapons, 207 Damage Value; Ruling: EP1-N5
    """
    key = key_of(combat, DAMAGE)
    value, why = counted(combat, key, _caught(combat).does.damage, HALVED[profile(combat).halved_damage])
    yield figure(key, "dv", value, why, _AREA)
    return None


def next_caught(combat: Combat) -> Deed:
    """One after the other.

    Source: EP1 193 Area Effect Weapons
    """
    now = _caught(combat)
    if now.nth >= len(now.terms.caught):
        return "nobody"
    following = msgspec.structs.replace(now, nth=now.nth + 1)
    yield figure(following.place, CAUGHT, following.who, f"{following.meters} m from the center", _AREA)
    return "someone"


def modify_armor(combat: Combat) -> Deed:
    """The right kind of armor, reduced by Armor Penetration; in a fall half of it, rounded down.

    Source: EP1 192 Step 6, 195 Armor Penetration, 197 Falling Damage
    """
    now = _caught(combat)
    value = armor(sheet(combat, now.who).armor, now.does.armor)
    why = f"{now.does.armor} armor {value}"
    if now.does.half:
        value, why = value // 2, f"half of {why}"
    left = PIERCED[profile(combat).armor_piercing](value, now.does.ap)
    why += f", AP {now.does.ap}{spent(combat, value, now.does.ap)}" if now.does.ap else ""
    yield figure(now.place, "armor", left, why, "EP1 192 Step 6", who=now.who)
    return None


def lose_force(combat: Combat) -> Deed:
    """2 DV less for each meter from the center of a blast, or outside the radius of a uniform one.

    Source: EP1 193 Area Effect Weapons
    """
    now = _caught(combat)
    dv = combat.figures.number(key_of(combat, DAMAGE), "dv")
    away = FALLOFF[now.does.area](now.meters, now.does.radius)
    left, why = floored(dv - 2 * away, f"{dv} - {2 * away} at {now.meters} m" if away else f"{dv}")
    yield figure(now.role(DAMAGE), "dv", left, why, _AREA, who=now.who)
    return None


def take_damage(combat: Combat) -> Deed:
    """What armor does not stop is taken.

    Source: EP1 192 Step 7, 207 Durability and Health
    """
    now = _caught(combat)
    dv, left = combat.figures.number(now.role(DAMAGE), "dv"), combat.figures.number(now.place, "armor")
    return (yield from suffer(combat, now.place, now.who, dv, left, now.does.harms))


def can_wound(combat: Combat) -> bool:
    """Can this kind of harm wound?

    Source: EP1 192 Step 8, 207 Wounds
    """
    return _caught(combat).terms.wounds
