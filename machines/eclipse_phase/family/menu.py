"""Menu of a moment: when actions are possible, which are offered, and completions for fields."""

from collections.abc import Iterable, Iterator
from typing import Any

from ledger.commands import Declare
from ledger.events import Json, Option
from machines.contract.action import FindTerms
from machines.contract.offering import Words, others
from machines.eclipse_phase.family.actions import automatic, complex_left
from machines.eclipse_phase.family.edition import edition
from projections.combat import Combat

# ------------------------------------------------------------------------------------------------ what is possible


def unless_out(combat: Combat, options: Iterable[Option]) -> Iterable[Option]:
    """Returns the options of the acting combatant; none if incapacitated.

    Source: EP1 189 Actions; EP2 03/03 Action Turns
    """
    return () if combat.conditions.has(combat.turn.who or "", *edition(combat).sheets.unable) else options


def at_length(combat: Combat, who: str) -> bool:
    """Returns whether a combatant who can use their body has a Complex Action left.

    Source: EP1 189 Complex Actions; EP2 03/03 Complex Actions
    """
    return edition(combat).is_free(combat, who) and complex_left(combat)


def somehow(combat: Combat, who: str) -> bool:
    """Returns whether a combatant who can use their body has a Complex or a Quick Action left.

    Source: EP1 189 Actions; EP2 03/03 Action Turns
    """
    here = edition(combat)
    return here.is_free(combat, who) and (complex_left(combat) or here.quick_left(combat) > 0)


def before_acting(combat: Combat, who: str) -> bool:
    """Returns whether a combatant who can use their body has not begun to act.

    Source: EP1 189 Delayed Actions; EP2 03/04 Delaying Actions
    """
    return edition(combat).is_free(combat, who) and not combat.turn.spent


# ------------------------------------------------------------------------------------------------ what is offered


def while_in(*conditions: str, **terms: Any) -> FindTerms:
    """Returns an offer of one declaration for combatants in certain conditions, such as standing up when prone.

    Args:
        conditions: Names of the conditions.
        terms: Terms of the offered declaration.

    Source: EP1 189 Quick Actions, 204 Subdual; EP2 03/03 Quick Actions, 12/02 Grappling
    """
    return lambda combat, who: iter((terms,) if combat.conditions.has(who, *conditions) else ())


def in_ways(*ways: str) -> FindTerms:
    """Returns an offer of ways of moving.

    Source: EP1 191 Movement Rates; EP2 12/24 Movement Actions
    """
    return lambda *_: ({"how": how} for how in ways)


def aims(combat: Combat, who: str) -> Iterator[Json]:
    """Offers aiming at each other combatant, given a weapon with firing modes.

    Source: EP1 190 Aiming; EP2 12/04 Aiming
    """
    here = edition(combat)
    if any(each.modes for each in here.sheets.arms(combat, who).values()):
        yield from ({"at": at} for at in others(combat, who, *here.down))


def reloads(combat: Combat, who: str) -> Iterator[Json]:
    """Offers reloading of each weapon that is not full.

    Source: EP1 194 Ammunition and Reloading; EP2 12/04 Ammunition and Reloading
    """
    here = edition(combat)
    mine = here.sheets.arms(combat, who).items()
    return ({"weapon": name} for name, weapon in mine if here.needs_rounds(combat, who, name, weapon))


def suppressions(combat: Combat, who: str) -> Iterator[Json]:
    """Offers suppressive fire with each weapon that can lay it down.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    return ({"using": name} for name in automatic(combat, who))


def at_suppressed(combat: Combat, who: str) -> Iterator[Json]:
    """Offers attacks on each other combatant while laying down suppressive fire.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    if combat.conditions.has(who, "suppressing"):
        yield from ({"at": at} for at in others(combat, who, *edition(combat).down))


# ------------------------------------------------------------------------------------------------ completions


def common_words(combat: Combat, declaration: Declare) -> Words:
    """Returns completions for fields that any declaration may have.

    Source: EP1 189 Actions; EP2 03/03 Action Turns
    """
    return {
        "at": others(combat, declaration.by, *edition(combat).down),
        "who": combat.roster.here(),
        "roll": tuple(rest.key for rest in combat.rests if rest.dice),
    }


def words_of_weapons(combat: Combat, declaration: Declare) -> Words:
    """Returns the combatant's weapons as completions for weapon fields.

    Source: EP1 194 Ammunition and Reloading; EP2 12/04 Ammunition and Reloading
    """
    mine = tuple(edition(combat).sheets.arms(combat, declaration.by)) if declaration.by in combat.roster else ()
    return {"weapon": mine, "using": mine}


def words_of_stress(combat: Combat, _: Declare) -> Words:
    """Returns the stressful experiences as completions.

    Source: EP1 215 Stressful Experiences; EP2 12/23 Stressful Experiences
    """
    return {"what": tuple(edition(combat).experiences)}


def words_of_attack(combat: Combat, declaration: Declare) -> Words:
    """Returns completions that fit the weapon, for attack fields of both editions.

    Source: EP1 191 Step 1, 193 Combat Modifiers; EP2 12/01 Step 1, Combat Modifiers
    """
    here = edition(combat)
    mine = here.sheets.arms(combat, declaration.by) if declaration.by in combat.roster else {}
    weapon = mine.get(str(declaration.terms.get("using", "")))
    kind = weapon.kind if weapon else ""
    fits = (row.name for row in here.situations.values() if not row.automatic and (not kind or kind in row.kinds))
    called = (name for name, row in here.called_shots.items() if not kind or kind in row.kinds)
    return {
        "using": tuple(mine),
        "also": tuple(mine),
        "mode": weapon.modes if weapon else (),
        "modifiers": tuple(fits),
        "called": tuple(called),
    }
