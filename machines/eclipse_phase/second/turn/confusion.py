"""Lost actions and confusion at the beginning of a moment."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ConditionLost, ModifierApplied, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.second.sheet.sheet_access import check
from machines.eclipse_phase.second.success_tests.success import prepare, read
from machines.eclipse_phase.second.tables.tables import CONFUSIONS
from projections.combat import Combat

LOST = "loses_action"


def _key(combat: Combat, name: str) -> str:
    return role(f"{combat.clock.period}/{combat.turn.who}", name)


def has_lost_it(combat: Combat) -> bool:
    """Returns whether the acting combatant has lost their action by a critical."""
    return combat.conditions.has(combat.turn.who or "", LOST)


def lose_it(combat: Combat) -> Deed:
    """Ends the condition: the action is lost."""
    yield ConditionLost(combat.turn.who or "", LOST, "the action is lost")
    return None


def is_confused(combat: Combat) -> bool:
    """Returns whether the acting combatant is confused and has not yet made the check of this Action Turn."""
    who = combat.turn.who or ""
    return combat.conditions.has(who, "confused") and not combat.rolls[_key(combat, "sense")].faces


def prepare_sense(combat: Combat) -> Deed:
    """Prepares the COG Check at -30."""
    key, who = _key(combat, "sense"), combat.turn.who or ""
    harder = (ModifierApplied(key, -30, "confused", HERE),)
    yield from prepare(combat, key, who, check(combat, who, "cog"), HERE, harder)
    return None


def sense_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the COG Check of the confused combatant."""
    yield d100_request(combat, _key(combat, "sense"), combat.turn.who or "", "make sense of it all")


def read_sense(combat: Combat) -> Deed:
    """Reads the COG Check."""
    yield from read(combat, _key(combat, "sense"))
    return None


def makes_sense(combat: Combat) -> bool:
    """Returns whether the COG Check succeeded, so that the combatant acts freely."""
    return passed(combat, _key(combat, "sense"))


def confusion_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d100 for the effect of confusion."""
    yield RollRequested(_key(combat, "confusion"), combat.turn.who or "", "1d100", "what the confused does", "")


def be_confused(combat: Combat) -> Deed:
    """Applies the effect of confusion for the rest of the Action Turn."""
    rolled, who = combat.rolls[_key(combat, "confusion")].faces[0], combat.turn.who or ""
    row = next(row for row in CONFUSIONS.values() if row.low <= rolled <= row.high)
    yield ConditionGained(who, row.condition, None, combat.clock.ahead(1), "", row.label, row.source)
    return None
