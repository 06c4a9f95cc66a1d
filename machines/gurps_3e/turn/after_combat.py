"""After a fight: waking up, and conditions that end as time passes."""

from collections.abc import Iterator

from ledger.events import ConditionLost, Event, RollRequested, TimePassed
from machines.contract.chart import HERE, Deed
from machines.contract.toolkit import emit, frame
from machines.gurps_3e.attack.critical import AFTERWARDS
from machines.gurps_3e.sheet.sheet_access import NEXT_TURN, THIS_TURN, UNCONSCIOUS, health
from machines.gurps_3e.success_rolls.success import passed, prepare, request_roll, resolve_rolls
from projections.combat import Combat

WAKE = "wake"
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800, "months": 2_592_000}
LASTING = {"5 minutes": 300, "30 minutes": 1800, "24 hours": 86_400}
"""Duration in seconds of conditions that end by themselves."""
SHORT = (NEXT_TURN, THIS_TURN, AFTERWARDS, "another maneuver", "the end of the fight", "the end of their next turn")
"""Ends of conditions that a minute of quiet ends."""


def _key(combat: Combat) -> str:
    return f"{frame(combat).key}/{WAKE}"


def prepare_waking(combat: Combat) -> Deed:
    """Passes half an hour and prepares the HT roll."""
    who = frame(combat).by
    half_an_hour = TimePassed(30, "minutes")
    combat = yield half_an_hour
    combat = yield from emit(combat, elapse(combat, half_an_hour))
    ht = health(combat, who)
    yield from prepare(combat, _key(combat), who, ht, f"HT {ht}", HERE)
    return None


def waking_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests HT."""
    yield request_roll(combat, _key(combat), frame(combat).by, "wake up")


def read_waking(combat: Combat) -> Deed:
    """Reads the roll: awake, or still unconscious."""
    combat = yield from resolve_rolls(combat, _key(combat))
    if not passed(combat, _key(combat)):
        return "sleeps"
    yield ConditionLost(frame(combat).by, UNCONSCIOUS, "woke up")
    return "wakes"


def elapse(combat: Combat, passed_: TimePassed) -> Iterator[Event]:
    """Yields the end of conditions that passing time ends outside a fight.

    Source: B 127 Stunning, GCT Critical Miss Table
    """
    seconds = passed_.amount * SECONDS[passed_.unit]
    for who in combat.roster.who:
        for name, condition in combat.conditions.of(who).items():
            lasts = LASTING.get(condition.until, 60 if condition.until in SHORT else None)
            if lasts is not None and seconds >= lasts:
                yield ConditionLost(who, name, f"{passed_.amount} {passed_.unit} have passed")
