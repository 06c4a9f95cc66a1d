"""Access to sheets, weapons, skills, checks and conditions."""

import msgspec

from machines.contract.figure_names import FigureName
from machines.contract.refusals import Incomplete
from machines.eclipse_phase.family.sheets import Sheets, layers_beyond_first
from machines.eclipse_phase.second.sheet.sheet import Sheet, Situation, Weapon, Worn, half_up
from machines.eclipse_phase.second.tables.body_rows import SizeRow
from machines.eclipse_phase.second.tables.rows import CombatSkill, ConditionRow, WeaponTrait
from machines.eclipse_phase.second.tables.tables import (
    ARMOR,
    ATTACK_KINDS,
    CONDITIONS,
    GRAVITIES,
    SIZES,
    SKILLS,
    TRAITS,
    WEAPON_TRAITS,
    WEAPONS,
)
from projections.combat import Combat

UNABLE = tuple(name for name, row in CONDITIONS.items() if row.out)
"""Conditions in which a combatant neither acts nor defends."""
HELD = ("grappled", "entangled")
"""Conditions from which a combatant has to break free."""
HOLDS = FigureName("holds", str, scope="combatant")
HELD_BY = FigureName("held by", str, scope="combatant")
"""Figures of a holder, and of a held combatant."""


HARDENED = "hardened_to_"
"""Prefix of conditions of hardening to a kind of stress (EP2 12/23 Hardening)."""
BOOSTED = "boosted_"
"""Prefix of conditions that raise the skills of an aptitude."""

SHEETS = Sheets(
    kind=Sheet,
    weapon=Weapon,
    here=Situation,
    weapons=WEAPONS,
    trait_rows=TRAITS,
    gravities=GRAVITIES,
    unable=UNABLE,
)
"""Sheets of this edition."""
sheet, situation, gravity = SHEETS.sheet, SHEETS.situation, SHEETS.gravity
arms, traits, aptitude = SHEETS.arms, SHEETS.traits, SHEETS.aptitude
row_as_weapon, check_able = SHEETS.row_as_weapon, SHEETS.check_able


class Base(msgspec.Struct, frozen=True):
    """The base of a test."""

    value: int
    why: str
    aptitude: str
    """Linked aptitude, which determines the pools that fit."""
    physical: bool
    defaulted: bool = False
    boosted: bool = False
    """Whether an ongoing pool bonus is included."""


def at_hand(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the weapons of which a combatant can be disarmed: no parts of the body, no sleights.

    Source: EP2 12/15 Disarm; Ruling: EP2-N12
    """
    mine = arms(combat, who).items()
    return tuple(name for name, each in mine if not each.innate and not ATTACK_KINDS[each.kind].minds)


def reach_of(weapon: Weapon) -> int:
    """Returns the reach of a weapon's traits.

    Source: EP2 12/02 Reach
    """
    return max((trait.reach for trait in weapon_traits(weapon)), default=0)


def weapon_traits(weapon: Weapon) -> tuple[WeaponTrait, ...]:
    """Returns the rows of a weapon's traits."""
    return tuple(WEAPON_TRAITS[name] for name in weapon.traits)


def size(combat: Combat, who: str) -> SizeRow:
    """Returns the row of a combatant's size."""
    return SIZES[sheet(combat, who).size]


# ------------------------------------------------------------------------------------------------ armor


def armor(combat: Combat, who: str, against: str) -> int:
    """Returns the Armor Value against a kind of damage, pieces added; 0 if no armor helps.

    Source: EP2 12/11 Armor Value, Layering Armor, 14/04 Mental Armor
    """
    owner = sheet(combat, who)
    pieces = sum(getattr(ARMOR[name], against, 0) for name in owner.armor.worn)
    hardened = any(trait.mental_armor for trait in traits(combat, who)) and against == "mental"
    own = half_up(owner.aptitudes.wil or 0, 3) if hardened else 0
    return getattr(owner.armor, against, 0) + pieces + own


def extra_layers(worn: Worn) -> int:
    """Returns the layers beyond the first, without accessories; a shell's frame is the first.

    Source: EP2 12/11 Layering Armor
    """
    return layers_beyond_first(worn, lambda name: not ARMOR[name].accessory)


def overburdened(combat: Combat, who: str) -> bool:
    """Returns whether layered armor exceeds SOM.

    Source: EP2 12/11 Layering Armor
    """
    owner = sheet(combat, who)
    return extra_layers(owner.armor) > 0 and _heaviest(combat, who) > owner.aptitudes.som


def encumbered(combat: Combat, who: str) -> bool:
    """Returns whether layered armor exceeds Durability and prevents movement.

    Source: EP2 12/11 Layering Armor
    """
    owner = sheet(combat, who)
    return extra_layers(owner.armor) > 0 and _heaviest(combat, who) > owner.durability


def _heaviest(combat: Combat, who: str) -> int:
    return max(armor(combat, who, "energy"), armor(combat, who, "kinetic"))


# ------------------------------------------------------------------------------------------------ skills and checks


def skill_row(name: str) -> CombatSkill | None:
    """Returns a skill's row; for a skill with a field, the row of the part before the colon."""
    return SKILLS.get(name.partition(":")[0])


def skill(combat: Combat, who: str, name: str, *fields: str) -> Base | None:
    """Returns the base of a skill, or of its linked aptitude if it can be defaulted; ware and ongoing pools count.

    A specialization in one of the fields adds 10.

    Returns:
        None if the sheet has neither.

    Source: EP2 12/01 Step 1, 03/01 Defaulting, 03/05 Using Pools
    """
    owner, row = sheet(combat, who), skill_row(name)
    linked = row.aptitude if row else ""
    value: int | None = owner.skills.get(name)
    why, defaulted = name, value is None
    if value is None:
        value = getattr(owner.aptitudes, linked, None) if row and linked and row.default else None
        why = f"{linked.upper()} in place of {name}"
        if value is not None and row is not None and row.base:
            value, why, defaulted = value * row.base, f"{linked.upper()} {value} x {row.base}", False
    elif owner.specializations.get(name) in fields:
        value, why = value + 10, f"{name}, {owner.specializations[name]} specialization"
    if value is None:
        return None
    more = sum(trait.skills.get(name, 0) for trait in traits(combat, who))
    boost = combat.conditions.of(who).get(BOOSTED + linked)
    raised = (boost.level or 0) if boost else 0
    why += "".join((f", ware {more:+d}" if more else "", f", pool +{raised}" if raised else ""))
    physical = row.physical if row else True
    return Base(value + more + raised, why, linked, physical, defaulted, boosted=raised > 0)


def proficiency(combat: Combat, who: str, name: str) -> int:
    """Returns the rating of a skill; 0 if it cannot be used.

    Source: EP2 03/01 Defaulting
    """
    found = skill(combat, who, name)
    return found.value if found else 0


def needed(combat: Combat, who: str, name: str, *fields: str) -> Base:
    """Returns the base of a required skill, or of its aptitude.

    Raises:
        Incomplete: The sheet has neither.

    Source: EP2 03/01 Defaulting
    """
    found = skill(combat, who, name, *fields)
    if found is None:
        row = skill_row(name)
        aptitude = f" or aptitudes.{row.aptitude}" if row and row.aptitude and row.default else ""
        accepts = f"skills.{name}{aptitude}"
        raise Incomplete(f"{who}'s sheet has no {name}", where=f"combatants.{who}.sheet", accepts=accepts)
    return found


def check(combat: Combat, who: str, name: str) -> Base:
    """Returns the base of an Aptitude Check: stated, or the aptitude x 3, plus ware.

    Raises:
        Incomplete: The sheet has no such aptitude.

    Source: EP2 04/01 Aptitude Checks, 12/23 Hardening
    """
    owner = sheet(combat, who)
    value: int | None = getattr(owner.checks, name)
    why = f"{name.upper()} Check"
    if value is None:
        value = aptitude(combat, who, name) * 3
        why = f"{name.upper()} {value // 3} x 3"
    more = sum(trait.checks.get(name, 0) for trait in traits(combat, who))
    hard = -10 * sum(each.startswith(HARDENED) for each in combat.conditions.of(who)) if name == "wil" else 0
    why += "".join((f", ware {more:+d}" if more else "", f", hardened {hard:+d}" if hard else ""))
    return Base(value + more + hard, why, name, name in ("som", "ref"))


# ------------------------------------------------------------------------------------------------ conditions


def states(combat: Combat, who: str) -> tuple[ConditionRow, ...]:
    """Returns the rows of a combatant's conditions."""
    return tuple(CONDITIONS[name] for name in combat.conditions.of(who) if name in CONDITIONS)
