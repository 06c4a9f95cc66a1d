"""Access to sheets, weapons and skills."""

from machines.contract.refusals import Incomplete
from machines.eclipse_phase.family.sheets import Sheets, layers_beyond_first
from machines.eclipse_phase.first.sheet.sheet import Sheet, Situation, Weapon, Worn
from machines.eclipse_phase.first.tables.tables import (
    ARMOR,
    GRAVITIES,
    SKILLS,
    TRAITS,
    WEAPONS,
)
from projections.combat import Combat

UNABLE = ("incapacitated", "unconscious", "catatonic", "mind_lost", "dead")
"""Conditions in which a combatant neither acts nor defends."""
DOWN = ("dead", "incapacitated", "unconscious")
"""Conditions whose holders are offered last as targets."""
NEXT_PHASE = "their next Action Phase"
"""What ends a full defense, a delay, a run and cover."""
END_OF_NEXT_PHASE = "the end of their next Action Phase"
"""What ends a superior position."""
HELD = "subdued"
"""Condition of a held combatant, who can still speak, think and break free."""
DEFENSELESS = (*UNABLE, "surprised", HELD)
"""Conditions that prevent a physical defense."""

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


def armor(worn: Worn, against: str) -> int:
    """Returns the Armor Value against a kind of damage, pieces added; 0 if no armor helps.

    Source: EP1 194 Armor, 195 Layered Armor
    """
    pieces = sum(getattr(ARMOR[name], against, 0) for name in worn.worn)
    return getattr(worn, against, 0) + pieces


def extra_layers(worn: Worn) -> int:
    """Returns the layers beyond the first, without accessories and a synthetic body's frame.

    Source: EP1 195 Layered Armor
    """
    return layers_beyond_first(worn, lambda name: not (ARMOR[name].accessory or ARMOR[name].frame))


def speed(combat: Combat, who: str) -> int:
    """Returns the Action Phases in an Action Turn, at most 4.

    Source: EP1 189 Speed
    """
    return min(4, sheet(combat, who).speed + sum(trait.speed for trait in traits(combat, who)))


def skill(owner: Sheet, name: str, *fields: str) -> tuple[int, str] | None:
    """Returns a skill's value and derivation, or its linked aptitude if the skill is missing.

    A specialization in one of the fields adds 10.

    Returns:
        None if the sheet has neither.

    Source: EP1 191 Step 1, 116 Defaulting, 173 Specializations
    """
    if name in owner.skills:
        field = owner.specializations.get(name)
        special = bool(field) and field in fields
        return owner.skills[name] + 10 * special, f"{name}, {field} specialization" if special else name
    linked = SKILLS[name].aptitude if name in SKILLS else ""
    value = getattr(owner.aptitudes, linked, None) if linked else None
    return None if value is None else (value, f"{linked.upper()} in place of {name}")


def proficiency(combat: Combat, who: str, name: str) -> int:
    """Returns the rating of a skill; 0 if it cannot be used.

    Source: EP1 116 Defaulting
    """
    found = skill(sheet(combat, who), name)
    return found[0] if found else 0


def needed(combat: Combat, who: str, name: str, *fields: str) -> tuple[int, str]:
    """Returns the value and derivation of a required skill, or of its aptitude.

    Raises:
        Incomplete: The sheet has neither.

    Source: EP1 116 Defaulting
    """
    found = skill(sheet(combat, who), name, *fields)
    if found is None:
        linked = SKILLS[name].aptitude if name in SKILLS else ""
        accepts = f"skills.{name}" + (f" or aptitudes.{linked}" if linked else "")
        raise Incomplete(f"{who}'s sheet has no {name}", where=f"combatants.{who}.sheet", accepts=accepts)
    return found
