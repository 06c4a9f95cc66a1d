"""Edge: before a roll, after it, in its place, for Initiative, and burned; and the hits that nobody rolls."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import (
    ChoiceRequested,
    Chosen,
    ConditionLost,
    DamageHealed,
    Event,
    Option,
    ResourceOpened,
    ResourceSpent,
    RollRequested,
)
from ledger.key import role
from machines import refusals as no
from machines.boxes import check_in_a_fight, figure, frame
from machines.chart import Deed
from machines.ruleset import typed
from machines.shadowrun_4e.pools import (
    BOUGHT,
    BURNED,
    CLOSED,
    CRITICAL,
    EDGE_DICE,
    EDGE_SPENT,
    EXPLODES,
    GLITCH,
    HIT,
    NEGATED,
    POOL,
    TARGET,
    bought,
    dice,
    open_roll,
    open_tests,
    pool,
    resolve,
    roller,
    sixes_rolled,
    within,
)
from machines.shadowrun_4e.profile import DEADLY, profile
from machines.shadowrun_4e.terms import BurnTerms, RollTerms
from projections.combat import Combat

EDGE = "edge"
PASS = "pass"  # noqa: S105  it is a word at the table
ADD, AGAIN, NEGATE, LONG_SHOT = "add", "again", "negate", "long_shot"
EXTRA_PASSES, FIRST_IN = "extra passes", "goes first in pass"
PASSES = "passes"
"""The figure of how many Initiative Passes somebody has in this Combat Turn."""
MOST_PASSES = 4
_EDGE = "SR4 67 Edge"


def left(combat: Combat, who: str) -> int:
    """Points of Edge that somebody still has.

    Source: SR4 67 Edge
    """
    return combat.resources.resource(who, EDGE).left


def attribute(combat: Combat, who: str) -> int:
    """The Edge attribute: what was burned is gone from it.

    Source: SR4 67 Edge, 68 Burning Edge
    """
    return combat.resources.resource(who, EDGE).of


def paid(who: str, key: str, why: str) -> ResourceSpent:
    """A point is spent.

    Source: SR4 67 Edge
    """
    return ResourceSpent(who, EDGE, 1, key, why)


# ------------------------------------------------------------------------------------------------ the rule of six


def _sixes(combat: Combat, key: str) -> int:
    """Sixes of the last throw that are still to be rolled again."""
    explodes = combat.figures.word(key, EXPLODES)
    if not explodes:
        return 0
    thrown = tuple(sixes_rolled(combat, key))
    return (thrown[-1] if thrown else combat.rolls[explodes].faces).count(6)


def any_sixes(combat: Combat) -> bool:
    """Does somebody roll sixes again?

    Source: SR4 67 The Rule of Six
    """
    return any(_sixes(combat, key) for key in open_tests(combat))


def sixes_rolls(combat: Combat) -> Iterator[RollRequested]:
    """One die for each six.

    Source: SR4 67 The Rule of Six
    """
    for key in open_tests(combat):
        count = _sixes(combat, key)
        if count:
            nth = len(tuple(sixes_rolled(combat, key))) + 1
            purpose, of = f"{combat.rolls[key].purpose or 'a test'}: sixes again", within(combat, key)
            yield RollRequested(role(key, "sixes", nth), roller(combat, key), f"{count}d6", purpose, of)


def read_sixes(combat: Combat) -> Deed:
    """The tests are read with them.

    Source: SR4 67 The Rule of Six
    """
    for key in open_tests(combat):
        if combat.figures.word(key, EXPLODES):
            combat = yield from resolve(combat, key)
    return None


# ------------------------------------------------------------------------------------------------ after a roll


def _candidate(combat: Combat) -> str:
    """The next open test whose roller could spend a point on it, and has not passed; empty for none."""
    return next((key for key in open_tests(combat) if _may(combat, key)), "")


def _may(combat: Combat, key: str) -> bool:
    spent = any(combat.figures.holds(key, name) for name in (EDGE_SPENT, BOUGHT))
    return not spent and left(combat, roller(combat, key)) > 0


def can_spend(combat: Combat) -> bool:
    """Could somebody spend Edge on a roll that lies there?

    Source: SR4 67 Edge
    """
    return bool(_candidate(combat))


def offer_edge(combat: Combat) -> ChoiceRequested:
    """Keep it, add dice, roll what did not hit again, undo a glitch; a long shot where there was no die.

    Source: SR4 67 Edge
    """
    key = _candidate(combat)
    who, roll = roller(combat, key), combat.rolls[key]
    options = (Option(PASS, "keep it"), *(Option(name, LABELS[name]) for name in _uses(combat, key)))
    what = f"{roll.rolled} hits, {roll.outcome}" if roll.faces else "no dice"
    return ChoiceRequested(role(key, EDGE), who, options, PASS, f"a point of Edge for {what}?")


LABELS: Mapping[str, str] = {
    ADD: "roll Edge dice more",
    AGAIN: "roll what is no hit again",
    NEGATE: "undo the glitch",
    LONG_SHOT: "a long shot: Edge dice only",
}


def _uses(combat: Combat, key: str) -> Iterator[str]:
    faces = combat.rolls[key].faces
    if not faces:
        yield LONG_SHOT
        return
    yield ADD
    if any(face < HIT for face in faces):
        yield AGAIN
    if combat.figures.word(key, GLITCH, "none") != "none":
        yield NEGATE


def spend(combat: Combat) -> Deed:
    """The point is spent, or kept.

    Source: SR4 67 Edge
    """
    asked = (key for key in open_tests(combat) if not combat.figures.holds(key, EDGE_SPENT))
    key = next(key for key in asked if role(key, EDGE) in combat.exchange.chosen)
    chosen, who = combat.exchange.chosen[role(key, EDGE)], roller(combat, key)
    if chosen != PASS and left(combat, who) < 1:
        raise no.NotOffered(f"{who} has no Edge left", where="option", accepts=PASS)
    if chosen != PASS:
        combat = yield paid(who, key, LABELS[chosen])
    combat = yield figure(key, EDGE_SPENT, chosen, "", _EDGE)
    if chosen == NEGATE:
        combat = yield figure(key, NEGATED, "yes", "", _EDGE)
        yield from resolve(combat, key)
    return "dice" if chosen in ROLLED else "done"


ROLLED: Mapping[str, str] = {ADD: "edge", LONG_SHOT: "edge", AGAIN: "again"}
"""The role of the dice that a use of Edge calls for."""


def edge_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Edge dice, or the dice that did not hit.

    Source: SR4 67 Edge
    """
    key, name = _bought_dice(combat)
    who, faces = roller(combat, key), combat.rolls[key].faces
    count = sum(face < HIT for face in faces) if name == ROLLED[AGAIN] else attribute(combat, who)
    yield RollRequested(
        role(key, name), who, f"{max(1, count)}d6", f"Edge: {LABELS[_use(combat, key)]}", within(combat, key)
    )


def _use(combat: Combat, key: str) -> str:
    return combat.figures.word(key, EDGE_SPENT)


def _bought_dice(combat: Combat) -> tuple[str, str]:
    """The test whose Edge dice are to be rolled, and their role."""
    for key in open_tests(combat):
        name = ROLLED.get(_use(combat, key), "")
        if name and not combat.rolls[role(key, name)].faces:
            return key, name
    raise AssertionError("no Edge dice are to be rolled")


def read_edge(combat: Combat) -> Deed:
    """The test is read with them; sixes among Edge dice are rolled again.

    Source: SR4 67 Edge, The Rule of Six
    """
    for key in open_tests(combat):
        name = ROLLED.get(_use(combat, key), "")
        if name:
            if name == ROLLED[ADD]:
                combat = yield figure(key, EXPLODES, role(key, name), "", _EDGE)
            combat = yield from resolve(combat, key)
    return None


def close(combat: Combat) -> Deed:
    """The rolls stand."""
    for key in open_tests(combat):
        combat = yield figure(key, CLOSED, "yes", "", _EDGE)
    return None


# ------------------------------------------------------------------------------------------------ before a roll


def check_edge(combat: Combat, by: str, terms: RollTerms) -> None:
    """Edge before one's own open roll, once for each.

    Source: SR4 67 Edge
    """
    key = open_roll(combat, by, terms.roll)
    _check_points(combat, by)
    if combat.figures.holds(key, EDGE_SPENT):
        raise no.CannotAct(f"{by} has spent Edge on this roll", where="roll", accepts="roll it")


def _check_points(combat: Combat, by: str) -> None:
    if left(combat, by) < 1:
        raise no.CannotAct(f"{by} has no Edge left", where="by", accepts="at least 1 point")


def before_roll(combat: Combat) -> Deed:
    """Edge dice are added, and every six is rolled again.

    Source: SR4 67 Edge, The Rule of Six
    """
    now = frame(combat)
    key = open_roll(combat, now.by, typed(now.terms, RollTerms).roll)
    combat = yield paid(now.by, key, "Edge dice")
    for name, value in ((EDGE_SPENT, "before"), (EXPLODES, key), (EDGE_DICE, attribute(combat, now.by))):
        combat = yield figure(key, name, value, "", _EDGE)
    combat = yield pool(combat, key, now.by)
    yield RollRequested(key, now.by, dice(combat, key), combat.rolls[key].purpose, within(combat, key))
    return None


def check_buy(combat: Combat, by: str, terms: RollTerms) -> None:
    """Hits may be bought for an open roll of four dice or more, where the gamemaster lets one.

    Source: SR4S Buying Hits
    """
    key = open_roll(combat, by, terms.roll)
    if not bought(combat.figures.number(key, POOL)) or combat.figures.holds(key, EDGE_SPENT):
        raise no.CannotAct(f"{by} cannot buy hits here", where="roll", accepts="4 dice or more, without Edge")


def buy(combat: Combat) -> Deed:
    """One hit for four dice, and nothing is rolled.

    Source: SR4S Buying Hits
    """
    now = frame(combat)
    key = open_roll(combat, now.by, typed(now.terms, RollTerms).roll)
    count = combat.figures.number(key, POOL)
    combat = yield figure(key, BOUGHT, bought(count), f"{count} dice", "SR4S Buying Hits", who=now.by)
    yield Chosen(key, "bought_hits", "")
    return None


# ------------------------------------------------------------------------------------------------ Initiative


def check_extra_pass(combat: Combat, by: str, _: object) -> None:
    """One pass more in this Combat Turn, of four at the most.

    Source: SR4 67 Edge
    """
    check_in_a_fight(combat)
    _check_points(combat, by)
    if int(combat.figures.of(by, PASSES) or 0) >= MOST_PASSES:
        raise no.CannotAct(f"{by} has four passes already", where="by", accepts="whoever has fewer")
    if combat.figures.of(by, EXTRA_PASSES):
        raise no.ActionUsedUp(f"{by} has bought a pass in this turn", where="by", accepts="the next Combat Turn")


def extra_pass(combat: Combat) -> Deed:
    """One Initiative Pass more.

    Source: SR4 67 Edge
    """
    now = frame(combat)
    combat = yield paid(now.by, now.key, "an Initiative Pass more")
    yield figure(now.key, EXTRA_PASSES, 1, "Edge", _EDGE, scope="round", who=now.by)
    return None


def check_go_first(combat: Combat, by: str, _: object) -> None:
    """Before one has acted in a pass.

    Source: SR4 67 Edge
    """
    check_in_a_fight(combat)
    _check_points(combat, by)
    if by in combat.turn.acted or by == combat.turn.who:
        raise no.ActionUsedUp(f"{by} has had their Action Phase", where="by", accepts="the next pass")


def go_first(combat: Combat) -> Deed:
    """They act first in the pass that goes on.

    Source: SR4 67 Edge
    """
    now = frame(combat)
    combat = yield paid(now.by, now.key, "to act first")
    number = max(1, combat.clock.number)
    yield figure(now.key, FIRST_IN, number, "Edge", _EDGE, scope="round", who=now.by)
    return None


# ------------------------------------------------------------------------------------------------ burning


def check_burn(combat: Combat, by: str, terms: BurnTerms) -> None:
    """Whoever has Edge: for a critical success of an open roll, or to live after all.

    Source: SR4 68 Burning Edge
    """
    if attribute(combat, by) < 1:
        raise no.CannotAct(f"{by} has no Edge to burn", where="by", accepts="an Edge of 1 or more")
    BURNS[terms.use][0](combat, by, terms)


def _check_survive(combat: Combat, by: str, _: BurnTerms) -> None:
    if not combat.conditions.has(by, "dead"):
        raise no.CannotAct(f"{by} is not dead", where="use", accepts="critical")


def _check_critical(combat: Combat, by: str, terms: BurnTerms) -> None:
    open_roll(combat, by, terms.roll)


def burn(combat: Combat) -> Deed:
    """A point of the attribute is gone for good, for a critical success or a life.

    Source: SR4 68 Burning Edge; Ruling: SR4-N3
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
    value = combat.figures.number(key, TARGET) + CRITICAL
    yield figure(key, BOUGHT, value, "burned Edge", "SR4 68 Burning Edge", who=by)
    yield figure(key, BURNED, "yes", "", "SR4 68 Burning Edge")
    yield Chosen(key, "critical_success", "")


BURNS: Mapping[
    str, tuple[Callable[[Combat, str, BurnTerms], None], Callable[[Combat, str, BurnTerms], Iterator[Event]]]
] = {
    "critical": (_check_critical, _critical),
    "survive": (_check_survive, _survive),
}
"""By what it is burned for: what refuses it, and what it does."""
