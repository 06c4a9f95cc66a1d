"""Pools: available points, and their uses before and after a roll."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ChoiceRequested, Event, FigureFound, Option, ReadingChanged, ResourceSpent
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.refusals import ActionUsedUp, CannotAct, NotOffered
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, emit, frame, one_of
from machines.eclipse_phase.family.d100 import (
    CRITICAL_FAILURE,
    CRITICAL_SUCCESS,
    FAILURE,
    SUCCESS,
    could_succeed,
    flipped,
    outcome,
    succeeds,
)
from machines.eclipse_phase.family.edition import where
from machines.eclipse_phase.family.points import PASS, labels, offer_point, spend_points
from machines.eclipse_phase.family.success import ASIDE, POOL_BONUS, open_test, target
from machines.eclipse_phase.second.actions.terms import PoolTerms
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import sheet
from machines.eclipse_phase.second.success_tests.roles import (
    BETTER_HIGH,
    FAILS_ALIKE,
    SUPERIOR_COUNTS,
    WORSE_LOW,
)
from machines.eclipse_phase.second.success_tests.success import (
    DEFAULTED,
    HOW_BADLY,
    LINKED,
    SPENT,
    degree,
    judged,
    resolve,
    superior,
)
from machines.eclipse_phase.second.tables.tables import POOLS
from machines.secrecy.roll_questions import is_known
from projections.combat import Combat
from projections.rolls import Roll

POOL = "pool"
"""Role of the choice, and suffix of its key."""
BONUS = 20
_POOLS = "EP2 03/05 Using Pools"


# ------------------------------------------------------------------------------------------------ available points


def purse(combat: Combat, who: str) -> dict[str, str]:
    """Returns the pools that a combatant can spend from, by holder: their own, or their group's Threat.

    Source: EP2 03/05 Pools, 18/05 Threat Pool
    """
    held = {pool: who for pool in POOLS if combat.resources.resource(who, pool).left > 0}
    shared = group(combat, who)
    others = (one for one in shared if one != who and combat.resources.resource(one, "threat").left > 0)
    leader = next(others, "")
    return held if "threat" in held or not leader else held | {"threat": leader}


def group(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the members of a combatant's group in the order of joining; without a group, the combatant.

    Source: EP2 12/01 Resolving Combat, 18/05 Threat Pool
    """
    name = sheet(combat, who).group
    return tuple(one for one in combat.roster.here() if sheet(combat, one).group == name) if name else (who,)


def fitting(combat: Combat, who: str, aptitude: str) -> tuple[str, ...]:
    """Returns the pools that a combatant can spend on a test linked to an aptitude.

    Source: EP2 03/05 Using Pools
    """
    return tuple(pool for pool in purse(combat, who) if aptitude in POOLS[pool].aptitudes or not aptitude)


def pay(combat: Combat, who: str, pool: str, key: str, why: str, amount: int = 1) -> Event:  # noqa: PLR0917
    """Returns the event that spends points of a pool."""
    return ResourceSpent(purse(combat, who)[pool], pool, amount, key, why)


# ------------------------------------------------------------------------------------------------ after the roll


def can_spend(combat: Combat) -> bool:
    """Returns whether a combatant could spend a point on a test after its roll."""
    return bool(_next(combat))


def _next(combat: Combat) -> str:
    """Returns the key of the first roll whose pool choice is open; empty if there is none."""
    begin = where(combat) + "/"
    for key, roll in combat.rolls.rolls.items():
        if (
            roll.outcome
            and roll.faces
            and key.startswith(begin)
            and not _is_settled(combat, key)
            and _ways(combat, key, roll)
        ):
            return key
    return ""


def _is_settled(combat: Combat, key: str) -> bool:
    asked = role(key, POOL) in combat.exchange.chosen
    return SPENT.is_at(combat, key) or asked or not LINKED.is_at(combat, key)


def ways_left(combat: Combat, key: str) -> tuple[str, ...]:
    """Returns the ways in which the roller could still spend a point on a roll.

    Source: EP2 03/05 Using Pools
    """
    roll = combat.rolls[key]
    return _ways(combat, key, roll) if roll.outcome and roll.faces and not _is_settled(combat, key) else ()


def _ways(combat: Combat, key: str, roll: Roll) -> tuple[str, ...]:
    """Returns the ways to use a point on this roll, for each pool that fits; ways that cannot help are omitted."""
    pools = fitting(combat, roll.by, LINKED.at(combat, key))
    if not pools:
        return ()
    ways: tuple[str, ...] = ("flip",) if _is_worth_flipping(combat, key, roll) else ()
    if roll.outcome == SUCCESS:
        ways += _worth_raising(key, roll)
    elif roll.outcome == CRITICAL_FAILURE:
        ways += _worth_softening(key)
    return tuple(f"{way}_{pool}" for way in ways for pool in pools)


def _role(key: str) -> str:
    return key.rpartition("/")[2]


def _worth_raising(key: str, roll: Roll) -> tuple[str, ...]:
    return ("raise",) if roll.margin < 2 and _role(key) in SUPERIOR_COUNTS else ()


def _worth_softening(key: str) -> tuple[str, ...]:
    return () if _role(key) in FAILS_ALIKE else ("soften",)


def _is_worth_flipping(combat: Combat, key: str, roll: Roll) -> bool:
    turned = flipped(roll.rolled)
    after = _after(combat, key, roll, turned)
    if after == CRITICAL_SUCCESS and DEFAULTED.is_at(combat, key):
        after = SUCCESS
    badly = _role(key) in WORSE_LOW or HOW_BADLY.is_at(combat, key)
    before = _worth(key, roll.outcome, roll.rolled, badly=badly)
    return turned != roll.rolled and _worth(key, after, turned, badly=badly) > before


def _after(combat: Combat, key: str, roll: Roll, turned: int) -> str:
    """Returns the outcome of swapped digits; with a hidden target, the best possible one."""
    if is_known(combat, key):
        return outcome(turned, roll.target)
    return SUCCESS if could_succeed(turned, roll.rolled, roll.outcome) else FAILURE


def _worth(key: str, result: str, rolled: int, *, badly: bool) -> tuple[int, int]:
    """Returns the rank of a result and how much its roll matters, for comparison."""
    rank = (CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS).index(result)
    if succeeds(result):
        return rank, rolled if _role(key) in BETTER_HIGH else 0
    return rank, superior(rolled, success=False) if badly else 0


def offer_pool(combat: Combat) -> ChoiceRequested:
    """Asks whether to swap the digits, raise a success, soften a critical failure, or pass."""
    key = _next(combat)
    roll = combat.rolls[key]
    ways = (Option(way, _label(way, roll)) for way in _ways(combat, key, roll))
    return offer_point(combat, key, POOL, "a point", ways)


def _label(way: str, roll: Roll) -> str:
    how, _, pool = way.partition("_")
    return f"{labels(roll, {'raise': 'one superior success more'})[how]}: {pool.title()}"


def spend(combat: Combat) -> Deed:
    """Spends the point and reads the roll again."""
    return (yield from spend_points(combat, POOL, SPENT, _use))


def _use(combat: Combat, key: str, option: str) -> Telling:
    by, (how, _, pool) = combat.rolls[key].by, option.partition("_")
    if pool not in fitting(combat, by, LINKED.at(combat, key)):
        raise NotOffered(f"{by} has no {pool} left", where="option", accepts=PASS)
    combat = yield pay(combat, by, pool, key, how)
    combat = yield SPENT.found(key, 1, "", _POOLS)
    combat = yield from emit(combat, USES[how](combat, key))
    if combat.rolls[key].faces[0] != combat.rolls[key].rolled:
        combat = yield resolve(combat, key)
    combat = yield from emit(combat, degree(combat, key, anew=True))
    return combat


def _flip(combat: Combat, key: str) -> Iterator[Event]:
    before = combat.rolls[key].faces
    yield ReadingChanged(key, before, (flipped(before[0]),), "pool: digits flipped", _POOLS)


def _raise(combat: Combat, key: str) -> Iterator[Event]:
    roll = combat.rolls[key]
    yield judged(combat, key, roll.rolled, SUCCESS, roll.margin + 1)


def _soften(combat: Combat, key: str) -> Iterator[Event]:
    """Yields a plain failure in place of a critical one.

    Source: EP2 03/05 Using Pools; Ruling: EP2-N29
    """
    roll = combat.rolls[key]
    yield judged(combat, key, roll.rolled, FAILURE, roll.margin)


USES: Mapping[str, Callable[[Combat, str], Iterator[Event]]] = {"flip": _flip, "raise": _raise, "soften": _soften}
"""Uses of a point after the roll."""


# ------------------------------------------------------------------------------------------------ before the roll


def check_pool(combat: Combat, by: str, terms: PoolTerms) -> None:
    """Rejects points without a fitting pool, or for a roll that is not the combatant's open test."""
    key = open_test(combat, by, terms.roll, LINKED)
    if SPENT.is_at(combat, key):
        raise ActionUsedUp(f"{by} has spent a point on {key} already", where="roll", accepts="one point a roll")
    pools = fitting(combat, by, LINKED.at(combat, key))
    if not pools:
        raise CannotAct(f"{by} has no pool for this roll", where="by", accepts="a point of a pool that fits")
    one_of(terms.pool, ("", *pools), "pool")


def before_roll(combat: Combat) -> Deed:
    """Sets modifiers aside before the roll, all or the negative ones, or raises the target by 20.

    Ruling: EP2-C15, EP2-N2
    """
    now = frame(combat)
    terms = typed(now.terms, PoolTerms)
    key = open_test(combat, now.by, terms.roll, LINKED)
    pool = terms.pool or fitting(combat, now.by, LINKED.at(combat, key))[0]
    combat = yield pay(combat, now.by, pool, key, terms.use)
    combat = yield SPENT.found(key, 1, "", HERE)
    combat = yield BEFORE[terms.use](combat, key, f"{pool}, before the roll")
    yield target(combat, key, now.by)
    return None


BEFORE: Mapping[str, Callable[[Combat, str, str], FigureFound]] = {
    "ignore": lambda combat, key, why: ASIDE.found(key, profile(combat).pools_ignore, why, HERE),
    "bonus": lambda _, key, why: POOL_BONUS.found(key, BONUS, why, HERE),
}
"""Uses of a point before the roll: a figure of the test."""
