"""The menu of a moment: when an action is possible, what of it is worth offering, and words for its fields."""

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
    """Returns the options of whoever acts; none where they are out.

    Source: EP1 189 Actions; EP2 03/03 Action Turns
    """
    return () if combat.conditions.has(combat.turn.who or "", *edition(combat).sheets.unable) else options


def at_length(combat: Combat, who: str) -> bool:
    """Is a Complex Action left to somebody who can use their body?

    Source: EP1 189 Complex Actions; EP2 03/03 Complex Actions
    """
    return edition(combat).is_free(combat, who) and complex_left(combat)


def somehow(combat: Combat, who: str) -> bool:
    """Is a Complex or a Quick Action left to somebody who can use their body?

    Source: EP1 189 Actions; EP2 03/03 Action Turns
    """
    here = edition(combat)
    return here.is_free(combat, who) and (complex_left(combat) or here.quick_left(combat) > 0)


def before_acting(combat: Combat, who: str) -> bool:
    """Has somebody who can use their body not begun to act?

    Source: EP1 189 Delayed Actions; EP2 03/04 Delaying Actions
    """
    return edition(combat).is_free(combat, who) and not combat.turn.spent


# ------------------------------------------------------------------------------------------------ what is offered


def while_in(*conditions: str, **terms: Any) -> FindTerms:
    """Offers one declaration to whoever is in one of some conditions, such as standing up to whoever is prone.

    Args:
        conditions: By name.
        terms: What is said with the declaration.

    Source: EP1 189 Quick Actions, 204 Subdual; EP2 03/03 Quick Actions, 12/02 Grappling
    """
    return lambda combat, who: iter((terms,) if combat.conditions.has(who, *conditions) else ())


def in_ways(*ways: str) -> FindTerms:
    """Offers ways of moving.

    Source: EP1 191 Movement Rates; EP2 12/24 Movement Actions
    """
    return lambda *_: ({"how": how} for how in ways)


def aims(combat: Combat, who: str) -> Iterator[Json]:
    """Aiming at each other, for whoever has a weapon that is fired.

    Source: EP1 190 Aiming; EP2 12/04 Aiming
    """
    here = edition(combat)
    if any(each.modes for each in here.sheets.arms(combat, who).values()):
        yield from ({"at": at} for at in others(combat, who, *here.down))


def reloads(combat: Combat, who: str) -> Iterator[Json]:
    """Each weapon that is not full.

    Source: EP1 194 Ammunition and Reloading; EP2 12/04 Ammunition and Reloading
    """
    here = edition(combat)
    mine = here.sheets.arms(combat, who).items()
    return ({"weapon": name} for name, weapon in mine if here.needs_rounds(combat, who, name, weapon))


def suppressions(combat: Combat, who: str) -> Iterator[Json]:
    """Each weapon with which somebody could lay down suppressive fire.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    return ({"using": name} for name in automatic(combat, who))


def at_suppressed(combat: Combat, who: str) -> Iterator[Json]:
    """Each other, for whoever lays down suppressive fire.

    Source: EP1 204 Suppressive Fire; EP2 12/04 Suppressive Fire
    """
    if combat.conditions.has(who, "suppressing"):
        yield from ({"at": at} for at in others(combat, who, *edition(combat).down))


# ------------------------------------------------------------------------------------------------ words


def common_words(combat: Combat, said: Declare) -> Words:
    """For fields of any declaration, the words that fit.

    Source: EP1 189 Actions; EP2 03/03 Action Turns
    """
    return {
        "at": others(combat, said.by, *edition(combat).down),
        "who": combat.roster.here(),
        "roll": tuple(rest.key for rest in combat.rests if rest.dice),
    }


def words_of_weapons(combat: Combat, said: Declare) -> Words:
    """For the weapon of a declaration, one's own.

    Source: EP1 194 Ammunition and Reloading; EP2 12/04 Ammunition and Reloading
    """
    mine = tuple(edition(combat).sheets.arms(combat, said.by)) if said.by in combat.roster else ()
    return {"weapon": mine, "using": mine}


def words_of_stress(combat: Combat, _: Declare) -> Words:
    """For what shakes the mind, the stressful experiences.

    Source: EP1 215 Stressful Experiences; EP2 12/23 Stressful Experiences
    """
    return {"what": tuple(edition(combat).experiences)}


def words_of_attack(combat: Combat, said: Declare) -> Words:
    """For the fields of an attack that both editions have, the words that fit the weapon.

    Source: EP1 191 Step 1, 193 Combat Modifiers; EP2 12/01 Step 1, Combat Modifiers
    """
    here = edition(combat)
    mine = here.sheets.arms(combat, said.by) if said.by in combat.roster else {}
    weapon = mine.get(str(said.terms.get("using", "")))
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
