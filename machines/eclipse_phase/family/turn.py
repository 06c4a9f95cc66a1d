"""The Action Turn: Initiative, moments, bleeding, moving, and time outside a fight."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import DamageTaken, Event, InitiativeScored, RollRequested, TimePassed, TurnBegan
from ledger.key import role
from machines.contract.chart import Deed
from machines.contract.toolkit import Telling, emit, frame
from machines.eclipse_phase.family.edition import METERS, Profile, edition
from machines.eclipse_phase.family.harm import limits
from machines.eclipse_phase.family.spans import SECONDS, TURN, each_upon_the_last, passing
from machines.eclipse_phase.family.success import counted
from projections.combat import Combat

PER: Mapping[str, Callable[[Profile], int]] = {
    "wounds": lambda row: row.initiative_per_wound,
    "traumas": lambda row: row.initiative_per_trauma,
}
"""Initiative lost for each wound or trauma, by the profile's field."""


# ------------------------------------------------------------------------------------------------ Initiative


def initiative_key(combat: Combat, who: str) -> str:
    """Returns the key of a combatant's Initiative roll.

    Source: EP1 188 Initiative Order; EP2 03/04 Initiative Order
    """
    return role(f"{combat.clock.period}/{who}", "initiative")


def prepare_initiative(combat: Combat) -> Deed:
    """Applies what wounds, traumas, conditions and an ambush subtract from the coming scores."""
    for who in edition(combat).newcomers(combat):
        combat = yield from emit(combat, edition(combat).handicaps(combat, who))
    return None


def initiative_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests the Initiative rolls."""
    dice = edition(combat).profile(combat).initiative_dice
    for who in edition(combat).rollers(combat):
        yield RollRequested(initiative_key(combat, who), who, dice, "initiative", "")


def lower_initiative(combat: Combat, who: str, place: str, kind: str, count: int) -> Telling:
    """Lowers Initiative for new wounds or traumas at once, which may change the order within an Action Turn.

    Source: EP1 188 Initiative and Damage; EP2 12/16 Wound Effects, 12/18 Trauma Effects; Ruling: EP1-N12, EP2-N11
    """
    return (yield from adjust_initiative(combat, who, place, kind, counted(combat, who, kind, -count)))


def adjust_initiative(combat: Combat, who: str, place: str, kind: str, before: int) -> Telling:
    """Adjusts Initiative at once when the number of counted wounds or traumas has changed.

    Source: EP1 188 Initiative and Damage; EP2 12/16 Wound Effects, 12/18 Trauma Effects; Ruling: EP1-N12, EP2-N11
    """
    less = (counted(combat, who, kind) - before) * edition(combat).each_lowers(combat, kind)
    if not less or not combat.clock.fighting or who not in combat.initiative.scores:
        return combat
    score = combat.initiative.scores[who] - less
    why = f"{combat.initiative.scores[who]} {-less:+d} {kind}"
    combat = yield InitiativeScored(who, score, place, why, edition(combat).printed.fewer_wounds)
    combat = yield from emit(combat, edition(combat).in_order(combat))
    return combat


# ------------------------------------------------------------------------------------------------ moments


def begin_moment(combat: Combat) -> Deed:
    """Begins the next combatant's moment and ends what lasted until it."""
    yield from moment_of(combat, edition(combat).waiting(combat)[0])
    return None


def moment_of(combat: Combat, who: str) -> Telling:
    """Begins a combatant's moment and ends what lasted until it.

    Source: EP1 188 Action Turns; EP2 03/04 Initiative Order
    """
    combat = yield from emit(combat, edition(combat).what_ends_now(combat, who))
    return (yield TurnBegan(who))


# ------------------------------------------------------------------------------------------------ blood


def bleed(combat: Combat, who: str) -> Telling:
    """Applies bleeding damage in an Action Turn, until it is treated or kills.

    Source: EP1 207 Bleeding; EP2 12/16 Bleeding Out
    """
    if not _bleeds(combat, who):
        return combat
    amount, key = edition(combat).blood_lost(combat, who), f"{combat.clock.period}/{who}/bleeding"
    combat = yield DamageTaken(who, "damage", amount, key, "bleeding", edition(combat).printed.bleeding)
    return (yield from limits(combat, who, "damage", key))


def bleed_for(combat: Combat, who: str, seconds: int) -> Telling:
    """Applies bleeding damage for each Action Turn of a time span, until it kills.

    Source: EP1 207 Bleeding; EP2 12/16 Bleeding Out
    """
    if not _bleeds(combat, who):
        return combat
    rate = edition(combat).blood_lost(combat, who)
    left = edition(combat).sheets.sheet(combat, who).death - combat.health.track(who, "damage").taken
    amount = min(left, rate * (seconds // TURN))
    if amount > 0:
        why = f"bleeding, {rate} in an Action Turn"
        combat = yield DamageTaken(who, "damage", amount, "", why, edition(combat).printed.bleeding)
        combat = yield from limits(combat, who, "damage", "")
    return combat


def _bleeds(combat: Combat, who: str) -> bool:
    return combat.conditions.has(who, "bleeding") and not combat.conditions.has(who, "dead")


# ------------------------------------------------------------------------------------------------ time outside a fight


def elapse(combat: Combat, passed: TimePassed) -> Iterator[Event]:
    """Yields the effects of time that has passed, each decided on the state after those before it.

    Source: EP1 207 Bleeding, 204 Shock Attacks, 210 Derangements; EP2 12/16 Bleeding Out, 12/15 Shock Attacks
    """
    telling = edition(combat).time_goes_by(combat, passed.amount * SECONDS[passed.unit])
    return each_upon_the_last(combat, telling)


def spend_time(combat: Combat, minutes: int) -> Telling:
    """Passes the time that an activity takes outside a fight, with its effects; nothing for no time.

    Source: EP1 120 Task Actions; EP2 03/03 Task Actions
    """
    if minutes <= 0:
        return combat
    combat = yield passing(minutes)
    return (yield from edition(combat).time_goes_by(combat, minutes * 60))


# ------------------------------------------------------------------------------------------------ moving


def meters_moved(combat: Combat, who: str) -> int:
    """Returns the meters moved so far in this moment or Action Turn.

    Source: EP1 191 Movement Rates; EP2 12/24 Movement Actions
    """
    return edition(combat).words.moved.of(combat, who)


def move_combatant(  # noqa: PLR0917
    combat: Combat, how: str, wanted: int | None, allowed: int, why: str, source: str, *further: Event
) -> Telling:
    """Moves a combatant as many meters as are left, or as wanted.

    Args:
        combat: The state.
        how: The way of moving.
        wanted: Meters; None for the maximum.
        allowed: Most meters of the period, including those already moved.
        why: Derivation of the maximum, without gravity.
        source: Citation.
        further: Events recorded before the total.

    Source: EP1 191 Movement Rates; EP2 12/24 Movement Actions
    """
    now, here = frame(combat), edition(combat)
    before, percent = meters_moved(combat, now.by), here.sheets.situation(combat).gravity
    most = max(0, allowed - before)
    meters, why = most if wanted is None else min(wanted, most), f"{how}: at most {most} m, {why}"
    combat = yield METERS.found(now.key, meters, f"{why}, {percent} % of Earth's gravity", source, who=now.by)
    total = before + METERS.at(combat, now.key)
    combat = yield from emit(combat, further)
    return (yield here.words.moved.found(now.key, total, "all in all", source, who=now.by))
