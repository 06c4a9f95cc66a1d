"""What a sheet says, and what it comes to: attributes, skills, weapons, armor, where somebody acts."""

from collections.abc import Callable, Mapping

import msgspec

from ledger.remembering import remembered
from machines.contract import refusals as no
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.sheet_words import armed
from machines.contract.toolkit import check_has_none_of
from machines.shadowrun_4e.sheet.printed_codes import half
from machines.shadowrun_4e.sheet.sheet import Matrix, Sheet, Situation, Spell, Weapon
from machines.shadowrun_4e.tables.rows import Plane
from machines.shadowrun_4e.tables.tables import DAMAGE, PLANES, PROGRAMS, SKILLS, SPELLS, WEAPONS
from projections.combat import Combat

MATRIX_STATS = ("response", "system", "firewall")
"""What an agent's rating stands for."""
UNABLE = ("unconscious", "dead", "disrupted", "crashed", "incapacitated", "destroyed")
"""Conditions of whoever does nothing any more, or for now."""
DELAYING = "delaying"
SURPRISED_BY = FigureName("surprised by", str, scope="combatant")
"""The figure of whoever is surprised: by whom."""
ACTS_IN = FigureName("acts in", str, scope="combatant")
"""The figure of whoever acts elsewhere than their sheet says: a row of the planes."""
BODILY = next(iter(PLANES))
"""The first of the planes: where bodies are, and spirits materialize."""
SPECIALIZATION = 2


class Base(msgspec.Struct, frozen=True):
    """What a dice pool starts from."""

    value: int
    why: str
    uses: tuple[str, ...] = ()
    """The attributes in it."""
    rated: int = 0
    """The skill's rating."""


# ------------------------------------------------------------------------------------------------ the sheet


def sheet(combat: Combat, who: str) -> Sheet:
    """Somebody's sheet."""
    return typed(combat.roster[who].sheet, Sheet)


def situation(combat: Combat) -> Situation:
    """What was said when the fight began."""
    return typed(combat.clock.situation, Situation)


def matrix(combat: Combat, who: str) -> Matrix:
    """What somebody has in the Matrix.

    Raises:
        Incomplete: Nothing.

    Source: SR4S Combat Sequence
    """
    found = sheet(combat, who).matrix
    if found is None:
        where = f"combatants.{who}.sheet"
        raise no.Incomplete(f"{who} has nothing to act in the Matrix with", where=where, accepts="matrix")
    return found


def plane(combat: Combat, who: str) -> Plane:
    """Where somebody acts: physically, on the astral plane, in the Matrix.

    Source: SR4S Combat Turn Sequence
    """
    said = ACTS_IN.of(combat, who)
    return PLANES[said if said in PLANES else sheet(combat, who).plane]


def lacking(who: str, what: str, accepts: str) -> no.Incomplete:
    """The refusal of what a sheet does not allow."""
    return no.Incomplete(f"{who}'s sheet has no {what}", where=f"combatants.{who}.sheet", accepts=accepts)


# ------------------------------------------------------------------------------------------------ attributes and skills


def attribute(combat: Combat, who: str, name: str) -> int:
    """An attribute that somebody must have; a spirit's Force, an agent's rating in its place.

    Raises:
        Incomplete: The sheet has none.

    Source: SR4S Combat Sequence
    """
    found = stat(combat, who, name)
    if found is None:
        raise lacking(who, name.capitalize(), name)
    return found


def stat(combat: Combat, who: str, name: str) -> int | None:
    """An attribute of body, mind or machine; None where the sheet has none.

    Source: SR4S Combat Sequence, SR4 237 Matrix Damage
    """
    owner = sheet(combat, who)
    if name in MATRIX_STATS:
        return None if owner.matrix is None else getattr(owner.matrix, name) or owner.matrix.rating
    if name in Matrix.__struct_fields__:
        return None if owner.matrix is None else int(getattr(owner.matrix, name))
    found = owner.value(name)
    return owner.matrix.rating if found is None and owner.matrix is not None and owner.matrix.rating else found


def rating(combat: Combat, who: str, skill: str) -> int | None:
    """A skill's rating; a spirit's Force, an agent's rating in its place; None where it is not on the sheet.

    Source: SR4S Combat Sequence, SR4 237 Matrix Damage
    """
    owner = sheet(combat, who)
    if skill in owner.skills:
        return owner.skills[skill]
    in_its_place = owner.force or (owner.matrix.rating if owner.matrix else 0)
    return in_its_place or None


def defaults(skill: str) -> bool:
    """May the attribute alone be rolled, one die less, by whoever does not have the skill?

    Source: SR4S Skills And Linked Attributes
    """
    row = SKILLS.get(skill.partition(":")[0])
    return row is None or row.default


def skill(combat: Combat, who: str, name: str, linked: str = "", *fields: str) -> Base | None:
    """Attribute and skill; without it the attribute less one, where the skill allows that.

    Args:
        combat: What is so.
        who: Who.
        name: The skill, such as ``pistols``; what stands before a colon is its row.
        linked: The attribute; left out, as the list says.
        fields: In what it is used: a specialization in one of them is worth two dice.

    Returns:
        None where there is no such attribute, or nobody may default.

    Source: SR4S Skills And Linked Attributes, SR4 108 Using Skills
    """
    row = SKILLS.get(name.partition(":")[0])
    linked = linked or (row.attribute if row else "")
    value, rated = stat(combat, who, linked), rating(combat, who, name)
    if value is None:
        return None
    if rated is None:
        return Base(value - 1, f"{linked} {value}, defaulting -1", (linked,)) if defaults(name) else None
    special = sheet(combat, who).specializations.get(name) in fields
    more = f" + {SPECIALIZATION} specialization" if special else ""
    total = value + rated + (SPECIALIZATION if special else 0)
    return Base(total, f"{linked} {value} + {name} {rated}{more}", (linked,), rated)


def needed(combat: Combat, who: str, name: str, linked: str = "", *fields: str) -> Base:
    """Attribute and skill that somebody must have.

    Raises:
        Incomplete: The sheet has no such attribute, or lacks a skill that nobody can default on.

    Source: SR4S Skills And Linked Attributes
    """
    row = SKILLS.get(name.partition(":")[0])
    linked = linked or (row.attribute if row else "")
    attribute(combat, who, linked)
    found = skill(combat, who, name, linked, *fields)
    if found is None:
        raise no.Incomplete(
            f"nobody defaults on {name}, and {who} does not have it",
            where=f"combatants.{who}.sheet.skills",
            accepts=f"skills.{name}",
        )
    return found


def both(combat: Combat, who: str, first: str, second: str) -> Base:
    """Two attributes added.

    Source: SR4 62 Attribute Tests
    """
    one, other = attribute(combat, who, first), attribute(combat, who, second)
    return Base(one + other, f"{first} {one} + {second} {other}", (first, second))


# ------------------------------------------------------------------------------------------------ weapons and spells

UNARMED, ASTRAL = "unarmed", "astral combat"


def arms(combat: Combat, who: str) -> Mapping[str, Weapon]:
    """Somebody's weapons by name: rows filled in, their hands, their will on the astral plane, programs that strike.

    Source: SR4S Combat Sequence, Melee Weapons Table
    """
    return _arms(combat.roster[who].sheet)


@remembered(1024)
def _arms(text: str) -> Mapping[str, Weapon]:
    owner = typed(text, Sheet)
    found = dict(armed(owner.weapons, WEAPONS, Weapon))
    if owner.value("strength") is not None:
        found.setdefault(
            UNARMED,
            Weapon(kind="unarmed", skill="unarmed combat", damage="(STR/2)S", innate=True, barrier="melee or unarmed"),
        )
    if owner.force or "astral combat" in owner.skills:
        found.setdefault(ASTRAL, Weapon(kind="astral", skill="astral combat", damage="(CHA/2)S", innate=True))
    programs = owner.matrix.programs if owner.matrix else {}
    for name in (name for name in programs if name in PROGRAMS):
        found.setdefault(name, Weapon(kind="matrix", skill="cybercombat", damage=f"{programs[name]}S", innate=True))
    return found


def fits(combat: Combat, who: str, weapon: Weapon) -> bool:
    """Can this be used where somebody acts: programs in the Matrix, the will on the astral plane, and so on?

    Source: SR4S Combat Sequence
    """
    here, test = plane(combat, who), DAMAGE[weapon.kind].test
    return PLANES_OF[test](here, weapon)


PLANES_OF: Mapping[str, Callable[[Plane, Weapon], bool]] = {
    "matrix": lambda here, _: here.matrix,
    "astral": lambda here, _: here.astral,
    "melee": lambda here, weapon: not (here.matrix and here.virtual) and (not here.astral or weapon.focus > 0),
    "ranged": lambda here, _: not here.astral and not (here.matrix and here.virtual),
}
"""By the row of the opposed tests: can a weapon be used there?"""


def spells(combat: Combat, who: str) -> Mapping[str, Spell]:
    """Somebody's spells by name.

    Source: SR4S Spellcasting By The Numbers
    """
    return _spells(combat.roster[who].sheet)


@remembered(1024)
def _spells(text: str) -> Mapping[str, Spell]:
    return armed(typed(text, Sheet).spells, SPELLS, Spell)


# ------------------------------------------------------------------------------------------------ armor and state


def worn(combat: Combat, who: str, kind: str) -> int:
    """An armor rating: ``ballistic``, ``impact``, ``mystic``; of a program: its rating; 0 where nothing helps.

    Source: SR4S Combat Sequence 5
    """
    owner = sheet(combat, who)
    if kind in owner.armor.__struct_fields__:
        return int(getattr(owner.armor, kind))
    return owner.matrix.programs.get(kind, 0) if owner.matrix else 0


def encumbrance(combat: Combat, who: str) -> int:
    """Dice that too much armor takes from Agility and Reaction: one for each two points, or part, beyond twice Body.

    Source: SR4 149 Armor and Encumbrance
    """
    owner = sheet(combat, who)
    body = owner.value("body")
    if body is None or owner.vehicle or owner.force:
        return 0
    return half(max(0, max(owner.armor.ballistic, owner.armor.impact) - 2 * body))


def is_barrier(combat: Combat, who: str) -> bool:
    """Is it a barrier, with structure in the place of a body?

    Source: SR4 157 Barriers
    """
    owner = sheet(combat, who)
    return bool(owner.material or owner.structure)


def is_thing(combat: Combat, who: str) -> bool:
    """Does magic meet it as it meets things?

    Source: SR4S Object Resistance Table
    """
    return is_barrier(combat, who) or sheet(combat, who).vehicle


def surprises(combat: Combat, by: str, who: str) -> bool:
    """Is somebody surprised by somebody else, so that they can do nothing against them?

    Source: SR4 155 Surprise
    """
    return by in SURPRISED_BY.of(combat, who).split(", ")


def check_able(combat: Combat, by: str, accepts: str) -> None:
    """Refuse what somebody is in no state to do.

    Raises:
        CannotAct: They are out, or dead.
    """
    check_has_none_of(combat, by, UNABLE, where="by", accepts=accepts)
