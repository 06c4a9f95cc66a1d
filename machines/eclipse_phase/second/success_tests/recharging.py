"""Lasting uses of pools, and recharges: ongoing bonuses, ignored wounds."""

from collections.abc import Iterator, Mapping

from ledger.events import ConditionGained, ConditionLost, ResourceGained, RollRequested
from machines.contract.chart import HERE, Deed
from machines.contract.refusals import ActionUsedUp, CannotAct
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, check_not_lost, check_quiet, frame, key_of, one_of
from machines.eclipse_phase.family.attacks import locked_out
from machines.eclipse_phase.family.success import MOST_IGNORED, counted
from machines.eclipse_phase.family.turn import adjust_initiative, spend_time
from machines.eclipse_phase.second.actions.terms import IgnoreTerms, OngoingTerms, RechargeTerms
from machines.eclipse_phase.second.figure_names import POINTS
from machines.eclipse_phase.second.harm.infection import IMMUNE, RATING, rating
from machines.eclipse_phase.second.sheet.sheet_access import BOOSTED, check_able, sheet, traits
from machines.eclipse_phase.second.success_tests.pools import fitting, pay, purse
from machines.eclipse_phase.second.tables.tables import POOLS
from projections.combat import Combat

DAY = "24 hours"
_POOLS, _RECHARGE = "EP2 03/05 Using Pools", "EP2 03/05 Recharging Pools"
SHORT, LONG, LONG_FLAT = 10, 240, 480
"""Minutes of a short recharge, of a long one, and of a long one without biomods."""
SHORTS = 2
"""Short recharges in a day."""
MOST_ONGOING = 2
"""Most points for all skills of an aptitude (EP2 03/05 Using Pools)."""


# ------------------------------------------------------------------------------------------------ ongoing


def check_ongoing(combat: Combat, by: str, terms: OngoingTerms) -> None:
    """Rejects points that the combatant does not have; Flex does not last."""
    check_able(combat, by, "a combatant who can act")
    before = _boosted(combat, by, terms.aptitude)
    if before + terms.points > MOST_ONGOING:
        accepts = f"{MOST_ONGOING} points an aptitude"
        raise ActionUsedUp(f"{by} has spent {before} on {terms.aptitude.upper()}", where="points", accepts=accepts)
    pools = _lasting(combat, by, terms.aptitude, terms.points)
    if not pools:
        accepts = f"{terms.points} point(s) of a pool linked to {terms.aptitude.upper()}"
        raise CannotAct(f"{by} has no such pool", where="points", accepts=accepts)
    one_of(terms.pool, ("", *pools), "pool")


def _boosted(combat: Combat, who: str, aptitude: str) -> int:
    """Returns the points spent on an aptitude since the last recharge."""
    boost = combat.conditions.of(who).get(BOOSTED + aptitude)
    return (boost.level or 0) // 5 if boost else 0


def _lasting(combat: Combat, who: str, aptitude: str, points: int) -> tuple[str, ...]:
    held = purse(combat, who)
    return tuple(
        pool
        for pool in fitting(combat, who, aptitude)
        if POOLS[pool].ongoing and combat.resources.resource(held[pool], pool).left >= points
    )


def boost(combat: Combat) -> Deed:
    """Adds +5 for a point, +10 for two, to all skills linked to an aptitude, until the next recharge."""
    now = frame(combat)
    terms = typed(now.terms, OngoingTerms)
    pool = terms.pool or _lasting(combat, now.by, terms.aptitude, terms.points)[0]
    combat = yield pay(combat, now.by, pool, now.key, f"skills by {terms.aptitude.upper()}", terms.points)
    points = _boosted(combat, now.by, terms.aptitude) + terms.points
    name, why = BOOSTED + terms.aptitude, f"{terms.points} of {pool}"
    yield ConditionGained(now.by, name, 5 * points, DAY, now.key, why, _POOLS)
    return None


def check_ignore(combat: Combat, by: str, terms: IgnoreTerms) -> None:
    """Rejects ignoring wounds or traumas that are absent, more than three, or without a point."""
    check_not_lost(combat, by, "dead", "mind_lost")
    kind, condition = IGNORES[terms.what]
    held = combat.conditions.of(by).get(condition)
    ignored = (held.level or 0) if held else 0
    if combat.wounds.count(by, kind) <= ignored or ignored >= MOST_IGNORED:
        raise CannotAct(f"{by} has no {terms.what} to ignore", where="what", accepts="up to 3 present ones")
    pools = _numbing(combat, by, kind)
    if not pools:
        accepts = "a point of Vigor for wounds, Moxie for traumas"
        raise CannotAct(f"{by} has no point for it", where="by", accepts=accepts)
    one_of(terms.pool, ("", *pools), "pool")


IGNORES: Mapping[str, tuple[str, str]] = {
    "wound": ("wounds", "ignores_wounds"),
    "trauma": ("traumas", "ignores_traumas"),
}
"""What is counted, and the condition of a combatant who ignores some, by the declared kind."""


def _numbing(combat: Combat, who: str, kind: str) -> tuple[str, ...]:
    return tuple(pool for pool in purse(combat, who) if kind in POOLS[pool].ignores)


def ignore(combat: Combat) -> Deed:
    """Ignores one more wound or trauma until the next recharge."""
    now = frame(combat)
    terms = typed(now.terms, IgnoreTerms)
    kind, condition = IGNORES[terms.what]
    pool = terms.pool or _numbing(combat, now.by, kind)[0]
    held = combat.conditions.of(now.by).get(condition)
    combat = yield pay(combat, now.by, pool, now.key, f"ignore a {terms.what}")
    level = 1 + ((held.level or 0) if held else 0)
    before = counted(combat, now.by, kind)
    combat = yield ConditionGained(now.by, condition, level, DAY, now.key, f"a point of {pool}", _POOLS)
    yield from adjust_initiative(combat, now.by, now.key, kind, before)
    return None


# ------------------------------------------------------------------------------------------------ recharging


def check_recharge(combat: Combat, by: str, terms: RechargeTerms) -> None:
    """Rejects a recharge in a fight, and a third short or second long one in a day."""
    check_quiet(combat)
    check_able(combat, by, "a combatant who is awake")
    taken = combat.conditions.of(by).get(_count(terms))
    if taken is not None and (terms.long or (taken.level or 0) >= SHORTS):
        kind = "long recharge a day" if terms.long else "two short recharges a day"
        raise ActionUsedUp(f"{by} has recharged already", where="long", accepts=kind)


def _count(terms: RechargeTerms) -> str:
    return "has_recharged_long" if terms.long else "has_recharged"


def is_long(combat: Combat) -> bool:
    """Returns whether it is a long recharge, which needs no dice."""
    return typed(frame(combat).terms, RechargeTerms).long


def recharge_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d6 for the points recharged."""
    now = frame(combat)
    yield RollRequested(key_of(combat, "points"), now.by, "1d6", "points recharged", now.key)


def recharge_short(combat: Combat) -> Deed:
    """Distributes the points as wanted, otherwise to the emptiest pools; ten minutes pass."""
    now, key = frame(combat), key_of(combat, "points")
    terms = typed(now.terms, RechargeTerms)
    more = sum(trait.recharge for trait in traits(combat, now.by))
    points = combat.rolls[key].faces[0] + more
    why = f"1d6 is {combat.rolls[key].faces[0]}" + (f", ware +{more}" if more else "")
    combat = yield POINTS.found(key, points, why, HERE, who=now.by)
    points = POINTS.at(combat, key)
    for pool, gained in _shared_out(combat, now.by, terms, points).items():
        combat = yield ResourceGained(now.by, pool, gained, now.key, "a short recharge")
    yield from _after(combat, terms, SHORT)
    return None


def _shared_out(combat: Combat, who: str, terms: RechargeTerms, points: int) -> dict[str, int]:
    """Returns the points for each pool: first as wanted, then one by one to the emptiest other pool."""
    held = {pool: combat.resources.resource(who, pool) for pool in POOLS}
    missing = {pool: has.of - has.left for pool, has in held.items()}
    gained: dict[str, int] = {}
    for pool, most in terms.keep.items():
        gained[pool] = min(points, missing[pool], most)
        points -= gained[pool]
    others = [pool for pool in POOLS if pool not in terms.keep]
    for _ in range(points):
        open_to = [pool for pool in others if gained.get(pool, 0) < missing[pool]]
        if open_to:
            pool = min(open_to, key=lambda each: held[each].left + gained.get(each, 0))
            gained[pool] = gained.get(pool, 0) + 1
    return {pool: amount for pool, amount in gained.items() if amount > 0}


def recharge_long(combat: Combat) -> Deed:
    """Refills all pools; four hours pass, or eight without biomods."""
    now = frame(combat)
    terms = typed(now.terms, RechargeTerms)
    for pool in POOLS:
        has = combat.resources.resource(now.by, pool)
        if has.left < has.of:
            combat = yield ResourceGained(now.by, pool, has.of - has.left, now.key, "a long recharge")
    owner = sheet(combat, now.by)
    flat = not owner.biomods and not owner.synthetic
    yield from _after(combat, terms, LONG_FLAT if flat else LONG)
    return None


def _after(combat: Combat, terms: RechargeTerms, minutes: int) -> Telling:
    """Ends what lasted until the recharge, eases the infection, and passes the time."""
    now = frame(combat)
    for name, condition in combat.conditions.of(now.by).items():
        lasting = name.startswith(BOOSTED) or name in (IMMUNE, *(each for _, each in IGNORES.values()))
        if lasting or (condition.until == "a recharge" and name.startswith(locked_out(""))):
            combat = yield ConditionLost(now.by, name, "a recharge")
    combat = yield from _ease(combat, now.by, long=terms.long)
    combat = yield from spend_time(combat, minutes)
    taken = combat.conditions.of(now.by).get(_count(terms))
    level = 1 + ((taken.level or 0) if taken else 0)
    until = taken.until if taken else DAY
    return (yield ConditionGained(now.by, _count(terms), level, until, now.key, "recharged", _RECHARGE))


def _ease(combat: Combat, who: str, *, long: bool) -> Telling:
    """Lowers the Infection Rating by 10, or to its base, unless the combatant is influenced."""
    least, now = sheet(combat, who).psi * 10, rating(combat, who)
    if now <= least or combat.conditions.has(who, "influenced"):
        return combat
    value = least if long else max(least, now - 10)
    source = "EP2 14/04 Easing the Infection"
    key = frame(combat).key
    return (yield RATING.found(key, value, f"{now}, after a recharge", source, who=who))
