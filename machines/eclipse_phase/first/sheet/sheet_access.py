"""What the boxes read: sheets, arms, skills, and the figures they find."""

from collections.abc import Mapping

from ledger.remembering import remembered
from machines.contract import refusals as no
from machines.contract.ruleset import typed
from machines.contract.sheet_words import armed
from machines.contract.tables import filled
from machines.contract.toolkit import check_has_none_of, one_of
from machines.eclipse_phase.first.sheet.sheet import Sheet, Situation, Weapon, Worn
from machines.eclipse_phase.first.tables.tables import (
    ARMOR,
    GRAVITIES,
    SKILLS,
    TRAITS,
    WEAPONS,
    Gravity,
    Trait,
)
from projections.combat import Combat

UNABLE = ("incapacitated", "unconscious", "catatonic", "mind_lost", "dead")
"""Conditions in which nobody acts or defends."""
HELD = "subdued"
"""The condition of whoever is held: free to speak and think, and to break free."""
DEFENSELESS = (*UNABLE, "surprised", HELD)
"""Conditions in which nobody defends against a body."""


def sheet(combat: Combat, who: str) -> Sheet:
    """Somebody's sheet."""
    return typed(combat.roster[who].sheet, Sheet)


def situation(combat: Combat) -> Situation:
    """What was said when the fight began."""
    return typed(combat.clock.situation, Situation)


def arms(combat: Combat, who: str) -> Mapping[str, Weapon]:
    """Somebody's weapons by name; rows of the table filled in."""
    return _arms(combat.roster[who].sheet)


@remembered(1024)
def _arms(text: str) -> Mapping[str, Weapon]:
    return armed(typed(text, Sheet).weapons, WEAPONS, Weapon)


def row_as_weapon(name: str) -> Weapon:
    """A row of the weapons table.

    Raises:
        BadTerms: There is none of that name.
    """
    one_of(name, tuple(WEAPONS), "weapon")
    return filled(WEAPONS[name], Weapon)


def traits(combat: Combat, who: str) -> tuple[Trait, ...]:
    """The rows of somebody's traits, implants and gear."""
    return _traits(combat.roster[who].sheet)


@remembered(1024)
def _traits(text: str) -> tuple[Trait, ...]:
    return tuple(TRAITS[name] for name in typed(text, Sheet).traits)


def armor(worn: Worn, against: str) -> int:
    """The Armor Value against a kind of damage, pieces added together; 0 where no armor helps.

    Source: EP1 194 Armor, 195 Layered Armor
    """
    pieces = sum(getattr(ARMOR[name], against, 0) for name in worn.worn)
    return getattr(worn, against, 0) + pieces


def extra_layers(worn: Worn) -> int:
    """Layers beyond the first; accessories and a synthetic body's own frame are none.

    Source: EP1 195 Layered Armor
    """
    layers = sum(not (ARMOR[name].accessory or ARMOR[name].frame) for name in worn.worn)
    return worn.layers + max(0, layers - 1)


def speed(combat: Combat, who: str) -> int:
    """Action Phases in an Action Turn, at most 4.

    Source: EP1 189 Speed
    """
    return min(4, sheet(combat, who).speed + sum(trait.speed for trait in traits(combat, who)))


def gravity(combat: Combat) -> Gravity:
    """The row for this fight's gravity."""
    here = situation(combat).gravity
    return next(row for row in sorted(GRAVITIES.values(), key=lambda row: row.upto) if here <= row.upto)


def skill(owner: Sheet, name: str, *fields: str) -> tuple[int, str] | None:
    """A skill's value and how it came about; the linked aptitude where the skill is missing.

    A specialization in one of the fields that it is used in is worth 10 more.

    Returns:
        None where the sheet has neither.

    Source: EP1 191 Step 1, 116 Defaulting, 173 Specializations
    """
    if name in owner.skills:
        field = owner.specializations.get(name)
        special = bool(field) and field in fields
        return owner.skills[name] + 10 * special, f"{name}, {field} specialization" if special else name
    linked = SKILLS[name].aptitude if name in SKILLS else ""
    value = getattr(owner.aptitudes, linked, None) if linked else None
    return None if value is None else (value, f"{linked.upper()} in place of {name}")


def needed(combat: Combat, who: str, name: str, *fields: str) -> tuple[int, str]:
    """A skill that somebody must have, used in these fields; or its aptitude.

    Raises:
        Incomplete: The sheet has neither.

    Source: EP1 116 Defaulting
    """
    found = skill(sheet(combat, who), name, *fields)
    if found is None:
        linked = SKILLS[name].aptitude if name in SKILLS else ""
        accepts = f"skills.{name}" + (f" or aptitudes.{linked}" if linked else "")
        raise no.Incomplete(f"{who}'s sheet has no {name}", where=f"combatants.{who}.sheet", accepts=accepts)
    return found


def aptitude(combat: Combat, who: str, name: str) -> int:
    """An aptitude that somebody must have.

    Raises:
        Incomplete: The sheet has none.

    Source: EP1 123 Aptitudes
    """
    value: int | None = getattr(sheet(combat, who).aptitudes, name)
    if value is None:
        where = f"combatants.{who}.sheet.aptitudes"
        raise no.Incomplete(f"{who}'s sheet has no {name.upper()}", where=where, accepts=f"aptitudes.{name}")
    return value


def check_able(combat: Combat, by: str, accepts: str) -> None:
    """Refuse what somebody is in no state to do.

    Raises:
        CannotAct: They are out, or dead.
    """
    check_has_none_of(combat, by, UNABLE, where="by", accepts=accepts)
