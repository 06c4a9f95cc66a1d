"""What may take somebody's moment from them: an action lost, or confusion and what one does in it."""

from collections.abc import Iterator

from ledger.events import ConditionGained, ConditionLost, ModifierApplied, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.success import asked, passed
from machines.eclipse_phase.second.sheet.sheet_access import check
from machines.eclipse_phase.second.success_tests.success import prepare, read
from machines.eclipse_phase.second.tables.tables import CONFUSIONS
from projections.combat import Combat

LOST = "loses_action"


def _key(combat: Combat, name: str) -> str:
    return role(f"{combat.clock.period}/{combat.turn.who}", name)


def has_lost_it(combat: Combat) -> bool:
    """Has whoever's moment begins lost their action by a critical?"""
    return combat.conditions.has(combat.turn.who or "", LOST)


def lose_it(combat: Combat) -> Deed:
    """The action is lost."""
    yield ConditionLost(combat.turn.who or "", LOST, "the action is lost")
    return None


def is_confused(combat: Combat) -> bool:
    """Is whoever's moment begins confused, and has not been put to the test in this Action Turn?"""
    who = combat.turn.who or ""
    return combat.conditions.has(who, "confused") and not combat.rolls[_key(combat, "sense")].faces


def prepare_sense(combat: Combat) -> Deed:
    """A COG Check at -30."""
    key, who = _key(combat, "sense"), combat.turn.who or ""
    harder = (ModifierApplied(key, -30, "confused", HERE),)
    yield from prepare(combat, key, who, check(combat, who, "cog"), HERE, harder)
    return None


def sense_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever is confused tries to make sense of it all."""
    yield asked(combat, _key(combat, "sense"), combat.turn.who or "", "make sense of it all")


def read_sense(combat: Combat) -> Deed:
    """Against its target."""
    yield from read(combat, _key(combat, "sense"))
    return None


def makes_sense(combat: Combat) -> bool:
    """Did the check succeed, so that they act as they like?"""
    return passed(combat, _key(combat, "sense"))


def confusion_roll(combat: Combat) -> Iterator[RollRequested]:
    """1d100 for what they do."""
    yield RollRequested(_key(combat, "confusion"), combat.turn.who or "", "1d100", "what the confused does", "")


def be_confused(combat: Combat) -> Deed:
    """Mutter, wander, flee or lash out, for the rest of the Action Turn."""
    rolled, who = combat.rolls[_key(combat, "confusion")].faces[0], combat.turn.who or ""
    row = next(row for row in CONFUSIONS.values() if row.low <= rolled <= row.high)
    yield ConditionGained(who, row.condition, None, combat.clock.ahead(1), "", row.label, row.source)
    return None
