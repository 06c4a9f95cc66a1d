"""The Ready maneuver: weapons, shields, magazines and jams."""

from collections.abc import Iterator

from ledger.events import ConditionLost, ResourceGained, RollRequested
from ledger.modifier import Modifier
from machines.contract.chart import Deed
from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.gurps_3e.actions.maneuvers import begin_maneuver
from machines.gurps_3e.actions.terms import ReadyTerms
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import item_of, skill, unready_condition, weapons_of
from machines.gurps_3e.success_rolls.success import modifier_events, passed, prepare, request_roll, resolve_rolls
from projections.combat import Combat

CLEAR, JAMMED, ARMOURY = "clear", "jammed", "armoury"
BY_GUNS, CHEAP = -4, -3
"""Modifiers for clearing a jam by the weapon skill, and for a cheap weapon."""
_JAM = "GCT Firearm Critical Miss Table"


def make_ready(combat: Combat) -> Deed:
    """Makes a weapon or a shield ready, reloads, or prepares the roll to clear a jam."""
    now = frame(combat)
    terms = typed(now.terms, ReadyTerms)
    combat = yield from begin_maneuver(combat, now)
    jam = jammed(combat, now.by, terms.repair)
    if jam is not None:
        name, value, parts = clearing(combat, now.by, jam)
        key = f"{now.key}/{CLEAR}"
        more = modifier_events(key, _JAM, {part.why: part.value for part in parts})
        yield from prepare(combat, key, now.by, value, f"{name} {value}", _JAM, more)
        return "jam"
    if terms.repair:
        combat = yield ConditionLost(now.by, terms.repair, "readied")
    if terms.reload:
        name = item_of(terms.reload, weapons_of(combat, now.by)[terms.reload])
        magazine = combat.resources.resource(now.by, name)
        yield ResourceGained(now.by, name, magazine.of - magazine.left, now.key, "reloads")
    return "ready"


def jammed(combat: Combat, who: str, repair: str) -> Weapon | None:
    """Returns the weapon whose jam a condition is; None for any other condition.

    Source: GCT Firearm Critical Miss Table
    """
    mine = weapons_of(combat, who).items()
    return next((each for name, each in mine if repair == unready_condition(item_of(name, each), JAMMED)), None)


def clearing(combat: Combat, who: str, weapon: Weapon) -> tuple[str, int, tuple[Modifier, ...]]:
    """Returns the skill that clears a jam, its level and its modifiers: Armoury, or the weapon skill at -4.

    Source: GCT Firearm Critical Miss Table
    """
    cheap = (Modifier(CHEAP, "cheap"),) if weapon.cheap else ()
    armoury, guns = skill(combat, who, ARMOURY) or 0, skill(combat, who, weapon.skill) or 0
    if armoury >= guns + BY_GUNS:
        return ARMOURY, armoury, cheap
    return weapon.skill, guns, (Modifier(BY_GUNS, "no armourer"), *cheap)


def clear_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests Armoury, or the weapon skill at -4."""
    now = frame(combat)
    yield request_roll(combat, f"{now.key}/{CLEAR}", now.by, "clear the jam")


def read_clear(combat: Combat) -> Deed:
    """Reads the roll: cleared, or still jammed."""
    now = frame(combat)
    key = f"{now.key}/{CLEAR}"
    combat = yield from resolve_rolls(combat, key)
    if not passed(combat, key):
        return "stuck"
    yield ConditionLost(now.by, typed(now.terms, ReadyTerms).repair, "cleared")
    return "cleared"
