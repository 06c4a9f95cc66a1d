"""Immediate effects of traumas: disorientation, acute stress, a breakdown."""

from collections.abc import Iterator

from ledger.events import ChoiceRequested, ConditionGained, Option, RollRequested
from machines.contract.chart import HERE, Deed
from machines.eclipse_phase.family.edition import where
from machines.eclipse_phase.family.harm import done
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.second.sheet.sheet_access import check, sheet
from machines.eclipse_phase.second.success_tests.success import prepare, read
from machines.eclipse_phase.second.tables.tables import RESPONSES
from projections.combat import Combat

DISORIENTATION = "disorientation"


def prepare_wits(combat: Combat) -> Deed:
    """Prepares the WIL Check against disorientation, with traumas."""
    now = done(combat)
    yield from prepare(combat, now.role(DISORIENTATION), now.who, check(combat, now.who, "wil"), HERE)
    return None


def wits_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the check against disorientation."""
    now = done(combat)
    yield d100_request(combat, now.role(DISORIENTATION), now.who, "keep their wits")


def read_wits(combat: Combat) -> Deed:
    """Reads the check against disorientation."""
    yield from read(combat, done(combat).role(DISORIENTATION))
    return None


def lose_wits(combat: Combat) -> Deed:
    """Applies the check.

    One trauma: failure disorients. Several at once: success disorients, and failure is acute stress.
    """
    now = done(combat)
    kept, several = passed(combat, now.role(DISORIENTATION)), now.count >= 2
    if kept and not several:
        return "kept"
    if not kept and several:
        return "acute"
    why = "several traumas at once" if several else "failed to keep their wits"
    yield ConditionGained(now.who, "disoriented", None, "their wits are regained", now.place, why, HERE)
    return "kept"


ACUTE, RESPONSE = "acute-stress", "response"


def offer_response(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster for the acute stress response, or a die."""
    now = done(combat)
    options = (Option("roll", "leave it to a die"), *(Option(row.name, row.label) for row in RESPONSES.values()))
    return ChoiceRequested(now.role(ACUTE), "gm", options, "roll", f"what acute stress does to {now.who}")


def response_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d6 for the response."""
    now = done(combat)
    yield RollRequested(now.role(RESPONSE), now.who, "1d6", "acute stress: fight, flight or detachment", where(combat))


def respond(combat: Combat) -> Deed:
    """Applies the response: fight, flight or detachment."""
    now = done(combat)
    chosen = combat.exchange.chosen[now.role(ACUTE)]
    faces = combat.rolls[now.role(RESPONSE)].faces
    rolled = (row for row in RESPONSES.values() if faces and row.low <= faces[0] <= row.high)
    row = RESPONSES.get(chosen) or next(rolled)
    until = "1 hours" if row.condition == "detached" else "the gamemaster says"
    yield ConditionGained(now.who, row.condition, None, until, now.place, row.label, HERE)
    return None


def is_broken(combat: Combat) -> bool:
    """Returns whether stress has now reached Lucidity."""
    now = done(combat)
    lucid = sheet(combat, now.who).lucid
    taken = combat.health.track(now.who, now.track).taken
    reached = not now.row.bleeds and bool(lucid) and taken >= lucid
    return reached and not combat.conditions.has(now.who, "broken_down", "mind_lost")


def breakdown_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d6 for the hours of a breakdown."""
    now = done(combat)
    yield RollRequested(now.role("breakdown"), now.who, "1d6", "hours of the breakdown", where(combat))


def break_down(combat: Combat) -> Deed:
    """Applies a breakdown: catatonic for some hours, and a disorder until treated."""
    now = done(combat)
    hours, source = combat.rolls[now.role("breakdown")].faces[0], "EP2 12/18 Lucidity and Stress"
    combat = yield ConditionGained(now.who, "catatonic", None, f"{hours} hours", now.place, "a breakdown", source)
    combat = yield ConditionGained(now.who, "broken_down", None, "stress is below Lucidity", now.place, "", source)
    yield ConditionGained(now.who, "disorder", None, "treated", now.place, "a breakdown", source)
    return None
