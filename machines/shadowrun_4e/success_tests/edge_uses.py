"""Edge before a roll, for Initiative and burned; and buying hits."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    Chosen,
    ConditionLost,
    DamageHealed,
    Event,
    ResourceOpened,
    RollRequested,
)
from machines.contract.chart import HERE, Deed
from machines.contract.refusals import ActionUsedUp, CannotAct
from machines.contract.ruleset import typed
from machines.contract.toolkit import check_in_a_fight, frame
from machines.shadowrun_4e.actions.terms import BurnTerms, RollTerms
from machines.shadowrun_4e.profile import DEADLY, profile
from machines.shadowrun_4e.sheet.sheet_access import plane, sheet
from machines.shadowrun_4e.success_tests.edge import (
    EDGE,
    EXTRA_PASSES,
    FIRST_IN,
    MOST_PASSES,
    PASSES,
    attribute,
    left,
    paid,
)
from machines.shadowrun_4e.success_tests.pools import (
    BOUGHT,
    BURNED,
    CRITICAL,
    EDGE_DICE,
    EDGE_SPENT,
    EXPLODES,
    POOL,
    TARGET,
    bought,
    buys,
    dice,
    open_roll,
    pool,
    within,
)
from projections.combat import Combat

# ------------------------------------------------------------------------------------------------ before a roll


def check_edge(combat: Combat, by: str, terms: RollTerms) -> None:
    """Rejects Edge before a roll that is not open or already has Edge, or without points left.

    Source: SR4 67 Edge
    """
    key = open_roll(combat, by, terms.roll)
    _check_points(combat, by)
    if EDGE_SPENT.is_at(combat, key):
        raise CannotAct(f"{by} has spent Edge on this roll", where="roll", accepts="roll it")


def _check_points(combat: Combat, by: str) -> None:
    if left(combat, by) < 1:
        raise CannotAct(f"{by} has no Edge left", where="by", accepts="at least 1 point")


def before_roll(combat: Combat) -> Deed:
    """Adds Edge dice, and lets every six be rolled again."""
    now = frame(combat)
    key = open_roll(combat, now.by, typed(now.terms, RollTerms).roll)
    combat = yield paid(now.by, key, "Edge dice")
    combat = yield EDGE_SPENT.found(key, "before", "", HERE)
    combat = yield EXPLODES.found(key, key, "", HERE)
    combat = yield EDGE_DICE.found(key, attribute(combat, now.by), "", HERE)
    combat = yield pool(combat, key, now.by)
    yield RollRequested(key, now.by, dice(combat, key), combat.rolls[key].purpose, within(combat, key))
    return None


def check_buy(combat: Combat, by: str, terms: RollTerms) -> None:
    """Rejects buying hits for a roll that is not open, has Edge, or fewer than four dice.

    Source: SR4S Buying Hits
    """
    key = open_roll(combat, by, terms.roll)
    if not bought(POOL.at(combat, key)) or EDGE_SPENT.is_at(combat, key):
        raise CannotAct(f"{by} cannot buy hits here", where="roll", accepts="4 dice or more, without Edge")


def buy(combat: Combat) -> Deed:
    """Buys one hit for four dice instead of rolling."""
    now = frame(combat)
    key = open_roll(combat, now.by, typed(now.terms, RollTerms).roll)
    yield buys(combat, key, now.by)
    yield Chosen(key, "bought_hits", "")
    return None


# ------------------------------------------------------------------------------------------------ Initiative


def check_extra_pass(combat: Combat, by: str, _: object) -> None:
    """Rejects a further pass without points, beyond four, or for a second time in this turn.

    Source: SR4 67 Edge
    """
    check_in_a_fight(combat)
    _check_points(combat, by)
    usual = plane(combat, by).passes or sheet(combat, by).passes
    if (PASSES.of(combat, by) or usual) >= MOST_PASSES:
        raise CannotAct(f"{by} has four passes already", where="by", accepts="a combatant with fewer")
    if EXTRA_PASSES.of(combat, by):
        raise ActionUsedUp(f"{by} has bought a pass in this turn", where="by", accepts="the next Combat Turn")


def extra_pass(combat: Combat) -> Deed:
    """Adds one Initiative Pass."""
    now = frame(combat)
    combat = yield paid(now.by, now.key, "an Initiative Pass more")
    yield EXTRA_PASSES.found(now.key, 1, "Edge", HERE, who=now.by)
    return None


def check_go_first(combat: Combat, by: str, _: object) -> None:
    """Rejects going first without points, or after acting in this pass.

    Source: SR4 67 Edge
    """
    check_in_a_fight(combat)
    _check_points(combat, by)
    if by in combat.turn.acted or by == combat.turn.who:
        raise ActionUsedUp(f"{by} has had their Action Phase", where="by", accepts="the next pass")


def go_first(combat: Combat) -> Deed:
    """Lets a combatant act first in the current pass."""
    now = frame(combat)
    combat = yield paid(now.by, now.key, "to act first")
    number = max(1, combat.clock.number)
    yield FIRST_IN.found(now.key, number, "Edge", HERE, who=now.by)
    return None


# ------------------------------------------------------------------------------------------------ burning


def check_burn(combat: Combat, by: str, terms: BurnTerms) -> None:
    """Rejects burning Edge without Edge, an open roll, or a death to survive.

    Source: SR4 68 Burning Edge
    """
    if attribute(combat, by) < 1:
        raise CannotAct(f"{by} has no Edge to burn", where="by", accepts="an Edge of 1 or more")
    BURNS[terms.use][0](combat, by, terms)


def _check_survive(combat: Combat, by: str, _: BurnTerms) -> None:
    if not combat.conditions.has(by, "dead"):
        raise CannotAct(f"{by} is not dead", where="use", accepts="critical")


def _check_critical(combat: Combat, by: str, terms: BurnTerms) -> None:
    open_roll(combat, by, terms.roll)


def burn(combat: Combat) -> Deed:
    """Burns a point of Edge for a critical success or for survival.

    Ruling: SR4-N3
    """
    now = frame(combat)
    terms = typed(now.terms, BurnTerms)
    had = combat.resources.resource(now.by, EDGE)
    combat = yield ResourceOpened(now.by, EDGE, max(0, min(had.left, had.of - 1)), had.of - 1)
    yield from BURNS[terms.use][1](combat, now.by, terms)
    return None


def _survive(combat: Combat, by: str, _: BurnTerms) -> Iterator[Event]:
    over = combat.health.track(by, "overflow")
    least = over.taken - (over.capacity + DEADLY[profile(combat).dies_at] - 1)
    if least > 0:
        yield DamageHealed(by, "overflow", least, "", "burned Edge", "SR4 68 Burning Edge")
    yield ConditionLost(by, "dead", "burned Edge")


def _critical(combat: Combat, by: str, terms: BurnTerms) -> Iterator[Event]:
    key = open_roll(combat, by, terms.roll)
    value = TARGET.at(combat, key) + CRITICAL
    yield BOUGHT.found(key, value, "burned Edge", "SR4 68 Burning Edge", who=by)
    yield BURNED.found(key, "yes", "", "SR4 68 Burning Edge")
    yield Chosen(key, "critical_success", "")


BURNS: Mapping[
    str, tuple[Callable[[Combat, str, BurnTerms], None], Callable[[Combat, str, BurnTerms], Iterator[Event]]]
] = {
    "critical": (_check_critical, _critical),
    "survive": (_check_survive, _survive),
}
"""By use: the check, and the effect."""
