"""Reads sheets: attributes, skills, weapons, spells, armor, and the plane a combatant acts on."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from ledger.text_cache import remembered
from machines.contract.figure_names import FigureName
from machines.contract.refusals import Incomplete
from machines.contract.ruleset import TYPED, typed
from machines.contract.sheet_words import armed
from machines.contract.toolkit import check_has_none_of
from machines.shadowrun_4e.sheet.printed_codes import half
from machines.shadowrun_4e.sheet.sheet import Matrix, Sheet, Situation, Spell, Weapon
from machines.shadowrun_4e.sheet.specializations import SPECIALIZATION, of_spell
from machines.shadowrun_4e.tables.rows import Plane
from machines.shadowrun_4e.tables.tables import DAMAGE, PLANES, PROGRAMS, SKILLS, SPELLS, WEAPONS
from projections.combat import Combat

MATRIX_STATS = ("response", "system", "firewall")
"""Matrix attributes that an agent's rating replaces."""
GONE = ("dead", "disrupted", "crashed", "destroyed")
"""Conditions of combatants who are offered as targets no more."""
UNABLE = ("unconscious", "dead", "disrupted", "crashed", "incapacitated", "destroyed")
"""Conditions of a combatant who cannot act."""
DELAYING = "delaying"
SURPRISED_BY = FigureName("surprised by", str, scope="combatant")
"""Figure of a combatant: the names of those who surprised them."""
ACTS_IN = FigureName("acts in", str, scope="combatant")
"""Figure of a combatant: the plane they act on, if it differs from the sheet's."""
AT_ONCE = FigureName("acts at once in pass", int, scope="round")
WOUNDS_THEN = FigureName("wound modifier before acting at once", int, scope="round")
"""Figures of a combatant in a tie: the Initiative Pass in which they act simultaneously, and the wounds that count."""
HARM = ("prone", "shocked", "dumpshocked")
"""Conditions by harm that do not count yet for a combatant in a tie; those who cannot act are treated in `UNABLE`."""
CONDITIONS_THEN = FigureName("conditions before acting at once", str, scope="round")
"""Figure of a combatant in a tie: those of `HARM` that count."""
BODILY = next(iter(PLANES))
"""The physical plane, where bodies are and spirits materialize."""


class Base(msgspec.Struct, frozen=True):
    """The base of a dice pool, before modifiers."""

    value: int
    why: str
    uses: tuple[str, ...] = ()
    """The attributes in it."""
    rated: int = 0
    """The skill's rating."""
    skill: str = ""
    """The skill in it, if the combatant has it."""


# ------------------------------------------------------------------------------------------------ the sheet


def sheet(combat: Combat, who: str) -> Sheet:
    """Returns a combatant's sheet."""
    found: Sheet = TYPED[combat.roster.who[who].sheet, Sheet]
    return found


def situation(combat: Combat) -> Situation:
    """Returns the situation declared when the fight began."""
    return typed(combat.clock.situation, Situation)


def matrix(combat: Combat, who: str) -> Matrix:
    """Returns a combatant's Matrix ratings and programs.

    Raises:
        Incomplete: The sheet has none.

    Source: SR4S Combat Sequence
    """
    found = sheet(combat, who).matrix
    if found is None:
        where = f"combatants.{who}.sheet"
        raise Incomplete(f"{who} has nothing to act in the Matrix with", where=where, accepts="matrix")
    return found


def plane(combat: Combat, who: str) -> Plane:
    """Returns the plane that a combatant acts on.

    Source: SR4S Combat Turn Sequence
    """
    name = ACTS_IN.of(combat, who)
    return PLANES[name if name in PLANES else sheet(combat, who).plane]


def lacking(who: str, what: str, accepts: str) -> Incomplete:
    """Returns the refusal for a figure that a sheet lacks."""
    return Incomplete(f"{who}'s sheet has no {what}", where=f"combatants.{who}.sheet", accepts=accepts)


# ------------------------------------------------------------------------------------------------ attributes and skills


def attribute(combat: Combat, who: str, name: str) -> int:
    """Returns a required attribute; a spirit's Force or an agent's rating replaces it.

    Raises:
        Incomplete: The sheet has none.

    Source: SR4S Combat Sequence
    """
    found = stat(combat, who, name)
    if found is None:
        raise lacking(who, name.capitalize(), name)
    return found


def stat(combat: Combat, who: str, name: str) -> int | None:
    """Returns an attribute of body, mind or machine; None if the sheet has none.

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
    """Returns a skill's rating; a spirit's Force or an agent's rating replaces it; None if the sheet has none.

    Source: SR4S Combat Sequence, SR4 237 Matrix Damage
    """
    owner = sheet(combat, who)
    if skill in owner.skills:
        return owner.skills[skill]
    in_its_place = owner.force or (owner.matrix.rating if owner.matrix else 0)
    return in_its_place or None


def defaults(skill: str) -> bool:
    """Returns whether a skill may be defaulted on.

    Source: SR4S Skills And Linked Attributes
    """
    row = SKILLS.get(skill.partition(":")[0])
    return row is None or row.default


def skill(combat: Combat, who: str, name: str, linked: str = "", *fields: str) -> Base | None:
    """Returns attribute + skill, or attribute - 1 if the skill is missing and may be defaulted on.

    Args:
        combat: The state.
        who: The roller.
        name: The skill, such as ``pistols``; the part before a colon names its row.
        linked: The attribute; omitted: the one of the skill's row.
        fields: Names of its use; a specialization in one of them adds two dice.

    Returns:
        None if the sheet lacks the attribute, or the skill cannot be defaulted on.

    Source: SR4S Skills And Linked Attributes, SR4 108 Using Skills
    """
    row = SKILLS.get(name.partition(":")[0])
    linked = linked or (row.attribute if row else "")
    value, rated = stat(combat, who, linked), rating(combat, who, name)
    if value is None:
        return None
    if rated is None:
        return Base(value - 1, f"{linked} {value}, defaulting -1", (linked,)) if defaults(name) else None
    special = is_specialized(combat, who, name, fields)
    more = f" + {SPECIALIZATION} specialization" if special else ""
    total = value + rated + (SPECIALIZATION if special else 0)
    return Base(total, f"{linked} {value} + {name} {rated}{more}", (linked,), rated, name)


def is_specialized(combat: Combat, who: str, skill: str, uses: Iterable[str]) -> bool:
    """Returns whether a combatant's specialization in a skill is one of these words, in any case of letters.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    word = sheet(combat, who).specializations.get(skill, "").lower()
    return bool(word) and word in [use.lower() for use in uses]


def needed(combat: Combat, who: str, name: str, linked: str = "", *fields: str) -> Base:
    """Returns attribute + skill that the roller must have.

    Raises:
        Incomplete: The sheet lacks the attribute, or a skill that cannot be defaulted on.

    Source: SR4S Skills And Linked Attributes
    """
    row = SKILLS.get(name.partition(":")[0])
    linked = linked or (row.attribute if row else "")
    attribute(combat, who, linked)
    found = skill(combat, who, name, linked, *fields)
    if found is None:
        raise Incomplete(
            f"{who} does not have {name}, which cannot be defaulted on",
            where=f"combatants.{who}.sheet.skills",
            accepts=f"skills.{name}",
        )
    return found


def both(combat: Combat, who: str, first: str, second: str) -> Base:
    """Returns the sum of two attributes.

    Source: SR4 62 Attribute Tests
    """
    one, other = attribute(combat, who, first), attribute(combat, who, second)
    return Base(one + other, f"{first} {one} + {second} {other}", (first, second))


# ------------------------------------------------------------------------------------------------ weapons and spells

UNARMED, ASTRAL = "unarmed", "astral combat"


def arms(combat: Combat, who: str) -> Mapping[str, Weapon]:
    """Returns a combatant's weapons by name, with unarmed and astral combat and attacking programs.

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


def uses_of_spell(combat: Combat, who: str, name: str) -> tuple[str, ...]:
    """Returns the words under which a combatant's spell counts for a specialization.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    return of_spell(sheet(combat, who), name, spells(combat, who)[name])


def fits(combat: Combat, who: str, weapon: Weapon) -> bool:
    """Returns whether a weapon can be used on the combatant's plane.

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
"""Whether a weapon can be used on a plane, by its row of the opposed tests."""


def spells(combat: Combat, who: str) -> Mapping[str, Spell]:
    """Returns a combatant's spells by name.

    Source: SR4S Spellcasting By The Numbers
    """
    return _spells(combat.roster[who].sheet)


@remembered(1024)
def _spells(text: str) -> Mapping[str, Spell]:
    return armed(typed(text, Sheet).spells, SPELLS, Spell)


# ------------------------------------------------------------------------------------------------ armor and state


def worn(combat: Combat, who: str, kind: str) -> int:
    """Returns an armor rating (``ballistic``, ``impact``, ``mystic``) or that of a protecting program; 0 for none.

    Source: SR4S Combat Sequence 5
    """
    owner = sheet(combat, who)
    if kind in owner.armor.__struct_fields__:
        return int(getattr(owner.armor, kind))
    return owner.matrix.programs.get(kind, 0) if owner.matrix else 0


def encumbrance(combat: Combat, who: str) -> int:
    """Returns the dice that heavy armor costs: one for each two points, or part, beyond twice Body.

    Source: SR4 149 Armor and Encumbrance
    """
    owner = sheet(combat, who)
    body = owner.value("body")
    if body is None or owner.vehicle or owner.force:
        return 0
    return half(max(0, max(owner.armor.ballistic, owner.armor.impact) - 2 * body))


def is_barrier(combat: Combat, who: str) -> bool:
    """Returns whether it is a barrier, with Structure in place of a body.

    Source: SR4 157 Barriers
    """
    owner = sheet(combat, who)
    return bool(owner.material or owner.structure)


def is_thing(combat: Combat, who: str) -> bool:
    """Returns whether spells meet it as an object.

    Source: SR4S Object Resistance Table
    """
    return is_barrier(combat, who) or sheet(combat, who).vehicle


def surprises(combat: Combat, by: str, who: str) -> bool:
    """Returns whether a combatant is surprised by another one, and cannot act against them.

    Source: SR4 155 Surprise
    """
    return by in SURPRISED_BY.of(combat, who).split(", ")


def check_able(combat: Combat, by: str, accepts: str) -> None:
    """Rejects declarations of a combatant who cannot act.

    Raises:
        CannotAct: The combatant is incapacitated or dead.
    """
    if acts_at_once(combat, by):
        return
    check_has_none_of(combat, by, UNABLE, where="by", accepts=accepts)


def acts_at_once(combat: Combat, who: str) -> bool:
    """Returns whether it is the phase of a combatant who acts simultaneously, so that new harm does not count yet.

    Source: SR4S Combat Turn Sequence 2; Ruling: SR4-C6
    """
    return combat.turn.who == who and AT_ONCE.of(combat, who) == combat.clock.number


def feels(combat: Combat, who: str, name: str) -> bool:
    """Returns whether a combatant has a condition that counts: new harm does not, while they act simultaneously.

    Source: SR4S Combat Turn Sequence 2; Ruling: SR4-N42
    """
    if not combat.conditions.has(who, name):
        return False
    then = CONDITIONS_THEN.of(combat, who, ", ".join(HARM))
    return not acts_at_once(combat, who) or name not in HARM or name in then.split(", ")


def felt_wounds(combat: Combat, who: str) -> int:
    """Returns the wound modifier that counts in a combatant's tests.

    Source: SR4 153 Wound Modifiers; Ruling: SR4-C6
    """
    wounds = combat.wounds.count(who)
    return min(wounds, WOUNDS_THEN.of(combat, who)) if acts_at_once(combat, who) else wounds
