"""The Action Turn: its beginning and end, moments, extra actions, and interruptions."""

from collections.abc import Iterator, Mapping

from ledger.events import (
    ChoiceRequested,
    ConditionLost,
    Event,
    Option,
    ResourceSpent,
    RollRequested,
    RoundBegan,
    TurnBegan,
)
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import NotOffered
from machines.contract.ruleset import typed
from machines.contract.toolkit import emit, frame
from machines.eclipse_phase.family.actions import DELAYING
from machines.eclipse_phase.family.ambush import AMBUSHED, SURPRISED
from machines.eclipse_phase.family.edition import DV
from machines.eclipse_phase.family.harm import suffer
from machines.eclipse_phase.family.turn import bleed
from machines.eclipse_phase.second.actions.actions import EXTRA, MENTAL_ONLY, TAKEN, what_ends_now
from machines.eclipse_phase.second.actions.terms import TakeInitiativeTerms
from machines.eclipse_phase.second.harm.harm_dice import harm_dice, harm_of
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import UNABLE, situation, states
from machines.eclipse_phase.second.success_tests.pools import pay, purse
from machines.eclipse_phase.second.tables.tables import POOLS
from machines.eclipse_phase.second.turn.initiative import steps_in
from projections.combat import Combat

FIRST_TURN = "the first Action Turn is over"
FLAMES = "2d10"
_FIRE = "EP2 12/06 Spray Weapons"


def begin_turn(combat: Combat) -> Deed:
    """Begins an Action Turn of three seconds: timed conditions end and bleeding continues."""
    combat = yield RoundBegan(combat.clock.round + 1)
    for who in combat.roster.who:
        combat = yield from emit(combat, _endings(combat, who))
        combat = yield from bleed(combat, who)
    return None


def _endings(combat: Combat, who: str) -> Iterator[Event]:
    for name, condition in combat.conditions.of(who).items():
        if name == SURPRISED and not (combat.clock.round == 1 and condition.until == FIRST_TURN):
            yield ConditionLost(who, name, "the ambush is over")
        elif name == DELAYING and combat.clock.round == 1 and not situation(combat).ambushers:
            yield ConditionLost(who, name, "that was another fight")
        elif name == AMBUSHED and not (combat.clock.round == 1 and situation(combat).ambushers):
            yield ConditionLost(who, name, "Initiative was rolled")
        elif combat.clock.has_come(condition.until):
            yield ConditionLost(who, name, "its time is over")


# ------------------------------------------------------------------------------------------------ fire


def who_burns(combat: Combat) -> str:
    """Returns the next combatant on fire in this Action Turn; empty if there is none.

    Source: EP2 12/06 Plasma Rifle, Torch
    """
    burning = (who for who in combat.roster.here() if combat.conditions.has(who, "on_fire"))
    alive = (who for who in burning if not combat.conditions.has(who, "dead"))
    return next((who for who in alive if not DV.is_at(combat, _fire_key(combat, who))), "")


def is_anyone_burning(combat: Combat) -> bool:
    """Returns whether a combatant is on fire."""
    return bool(who_burns(combat))


def _fire_key(combat: Combat, who: str) -> str:
    return role(f"{combat.clock.period}/{who}", "fire")


def fire_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 2d10 for the flames; armor does not help."""
    who = who_burns(combat)
    yield from harm_dice(combat, _fire_key(combat, who), who, FLAMES, "damage of the flames")


def burn(combat: Combat) -> Deed:
    """Applies the damage of the flames."""
    who = who_burns(combat)
    key = _fire_key(combat, who)
    dv, why = harm_of(combat, key, FLAMES)
    combat = yield DV.found(key, dv, why, _FIRE, who=who)
    return (yield from suffer(combat, key, who, dv, 0, "damage"))


# ------------------------------------------------------------------------------------------------ moments


def next_up(combat: Combat) -> str:
    """Returns whether a combatant is left to act, extra actions may follow, or no combatant will act again."""
    if all(combat.conditions.lasts(who, *UNABLE) for who in combat.roster.here()):
        return "nobody"
    return "someone" if waiting(combat) else "extras"


def waiting(combat: Combat) -> tuple[str, ...]:
    """Returns the combatants whose moment in this Action Turn is still to come, in order.

    Source: EP2 03/04 Initiative Order
    """
    return tuple(
        who
        for who, _ in combat.initiative.order
        if who not in combat.turn.acted and not combat.conditions.has(who, *UNABLE, SURPRISED)
    )


# ------------------------------------------------------------------------------------------------ extra actions

ASKED = FigureName("asked for an extra action", int, scope="round")
ASKS = FigureName("who is asked for an extra action", str)
NONE, FREE = "none", "free"
"""Options: to pass, and to use the extra action that a critical gave."""
WENT_FIRST = FigureName("went first", str, scope="round")
"""Figure of a combatant who has taken the initiative in this Action Turn."""


def _candidate(combat: Combat) -> str:
    """Returns the next combatant, by Initiative, who could take an extra action and has not passed; empty if none."""
    order = (who for who, _ in combat.initiative.order)
    able = (who for who in order if not combat.conditions.has(who, *UNABLE, SURPRISED) and not _is_stuck(combat, who))
    return next((who for who in able if not ASKED.of(combat, who) and _means(combat, who)), "")


def _is_stuck(combat: Combat, who: str) -> bool:
    return any(row.acts == "none" for row in states(combat, who))


def _means(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns what a combatant could take an extra action with; not in the first Action Turn of an ambush.

    Source: EP2 03/05 Insight, Vigor, 12/21 Surprise
    """
    given = (FREE,) if combat.conditions.has(who, "extra_action") else ()
    ambush = any(combat.conditions.has(one, SURPRISED) for one in combat.roster.here())
    taken = TAKEN.of(combat, who)
    if ambush or taken >= profile(combat).extra_actions:
        return given
    barred = OTHER.get(WENT_FIRST.of(combat, who), "")
    return given + tuple(pool for pool in purse(combat, who) if POOLS[pool].extra not in ("", barred))


OTHER: Mapping[str, str] = {"mental": "physical"}
"""Kind of extra action that is barred, by the kind of going first."""


def can_anyone_act_again(combat: Combat) -> bool:
    """Returns whether a combatant could take an extra action."""
    return bool(_candidate(combat))


def ask_next(combat: Combat) -> Deed:
    """Records the combatant who is asked next."""
    key = combat.clock.period
    yield ASKS.found(key, _candidate(combat), "", HERE)
    return None


def _asked(combat: Combat) -> str:
    return ASKS.at(combat, combat.clock.period)


def offer_extra(combat: Combat) -> ChoiceRequested:
    """Asks whether to take an extra action for a point."""
    who = _asked(combat)
    nth = TAKEN.of(combat, who) + 1
    options = (Option(NONE, "no extra action"), *(Option(word, LABELS[word]) for word in _means(combat, who)))
    return ChoiceRequested(_extra_key(combat, who, nth), who, options, NONE, "an extra action?")


def _extra_key(combat: Combat, who: str, nth: int) -> str:
    return role(f"{combat.clock.period}/{who}", "extra-action", nth)


LABELS: Mapping[str, str] = {
    "insight": "a mental one: Insight",
    "vigor": "a physical one: Vigor",
    "threat": "one: Threat",
    FREE: "the one that a critical gave",
}
"""Labels by means."""


def decline_extra(combat: Combat) -> Deed:
    """Records that the combatant passes for this Action Turn."""
    who = _asked(combat)
    yield ASKED.found(role(f"{combat.clock.period}/{who}", ASKED.name), 1, "", HERE, who=who)
    return None


def take_extra(combat: Combat) -> Deed:
    """Spends the point and begins the extra moment."""
    who = _asked(combat)
    nth = TAKEN.of(combat, who) + 1
    key = _extra_key(combat, who, nth)
    chosen = combat.exchange.chosen[key]
    if combat.conditions.has(who, *UNABLE) or chosen not in _means(combat, who):
        raise NotOffered(f"{who} cannot act again by {chosen}", where="option", accepts=NONE)
    kind = "any"
    if chosen == FREE:
        combat = yield ConditionLost(who, "extra_action", "it is taken")
    else:
        kind = POOLS[chosen].extra
        combat = yield pay(combat, who, chosen, key, "an extra action")
    combat = yield TAKEN.found(key, nth, "an extra action", HERE, who=who)
    combat = yield from emit(combat, what_ends_now(combat, who, waits=True))
    combat = yield TurnBegan(who)
    yield EXTRA.found(key, kind, "an extra action", HERE, who=who)
    return None


# ------------------------------------------------------------------------------------------------ interruptions


def act_now(combat: Combat) -> Deed:
    """Takes a delayed action, whose place in the order the combatant keeps.

    Ruling: EP2-N28
    """
    now = frame(combat)
    before = combat.turn.who or ""
    combat = yield ConditionLost(now.by, DELAYING, "acts now")
    combat = yield from steps_in(combat, now.by, before, now.key)
    yield TurnBegan(now.by)
    return None


def went_first(combat: Combat, who: str) -> bool:
    """Returns whether a combatant took the initiative in this Action Turn.

    Source: EP2 03/04 Taking the Initiative
    """
    return WENT_FIRST.is_of(combat, who)


def act_first(combat: Combat) -> Deed:
    """Spends a point to go first in this Action Turn; Insight allows only mental actions."""
    now = frame(combat)
    pool = typed(now.terms, TakeInitiativeTerms).pool
    source = "EP2 03/04 Taking the Initiative"
    combat = yield ResourceSpent(purse(combat, now.by)[pool], pool, 1, now.key, "take the initiative")
    combat = yield WENT_FIRST.found(now.key, POOLS[pool].first, pool, source, who=now.by)
    combat = yield from emit(combat, what_ends_now(combat, now.by))
    combat = yield TurnBegan(now.by)
    if POOLS[pool].first == "mental":
        yield MENTAL_ONLY.found(now.key, "yes", pool, source, who=now.by)
    return None
