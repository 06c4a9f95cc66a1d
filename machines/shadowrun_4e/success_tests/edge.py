"""Edge: points and passes, the rule of six, and what is spent on a roll that lies there."""

from collections.abc import Iterator, Mapping

from ledger.events import (
    ChoiceRequested,
    Option,
    ResourceSpent,
    RollRequested,
)
from ledger.key import role
from machines.contract import refusals as no
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.shadowrun_4e.success_tests.pools import (
    BOUGHT,
    CLOSED,
    EDGE_SPENT,
    EXPLODES,
    GLITCH,
    HIT,
    NEGATED,
    open_tests,
    resolve,
    roller,
    sixes_rolled,
    within,
)
from projections.combat import Combat

EDGE = "edge"
PASS = "pass"  # noqa: S105  it is a word at the table
ADD, AGAIN, NEGATE, LONG_SHOT = "add", "again", "negate", "long_shot"
EXTRA_PASSES = FigureName("extra passes", int, scope="round")
FIRST_IN = FigureName("goes first in pass", int, scope="round")
PASSES = FigureName("passes", int, scope="round")
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
    explodes = EXPLODES.at(combat, key)
    if not explodes:
        return 0
    thrown = tuple(sixes_rolled(combat, key))
    return (thrown[-1] if thrown else combat.rolls[explodes].faces).count(6)


def any_sixes(combat: Combat) -> bool:
    """Does somebody roll sixes again?"""
    return any(_sixes(combat, key) for key in open_tests(combat))


def sixes_rolls(combat: Combat) -> Iterator[RollRequested]:
    """One die for each six."""
    for key in open_tests(combat):
        count = _sixes(combat, key)
        if count:
            nth = len(tuple(sixes_rolled(combat, key))) + 1
            purpose, of = f"{combat.rolls[key].purpose or 'a test'}: sixes again", within(combat, key)
            yield RollRequested(role(key, "sixes", nth), roller(combat, key), f"{count}d6", purpose, of)


def read_sixes(combat: Combat) -> Deed:
    """The tests are read with them."""
    for key in open_tests(combat):
        if EXPLODES.at(combat, key):
            combat = yield from resolve(combat, key)
    return None


# ------------------------------------------------------------------------------------------------ after a roll


def _candidate(combat: Combat) -> str:
    """The next open test whose roller could spend a point on it, and has not passed; empty for none."""
    return next((key for key in open_tests(combat) if _may(combat, key)), "")


def _may(combat: Combat, key: str) -> bool:
    spent = any(name.is_at(combat, key) for name in (EDGE_SPENT, BOUGHT))
    return not spent and left(combat, roller(combat, key)) > 0


def can_spend(combat: Combat) -> bool:
    """Could somebody spend Edge on a roll that lies there?"""
    return bool(_candidate(combat))


def offer_edge(combat: Combat) -> ChoiceRequested:
    """Keep it, add dice, roll what did not hit again, undo a glitch; a long shot where there was no die."""
    key = _candidate(combat)
    who, roll = roller(combat, key), combat.rolls[key]
    options = (Option(PASS, "keep it"), *(Option(name, LABELS[name]) for name in _uses(combat, key)))
    what = f"{roll.rolled} {'hit' if roll.rolled == 1 else 'hits'}, {roll.outcome}" if roll.faces else "no dice"
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
    if GLITCH.at(combat, key, "none") != "none":
        yield NEGATE


def spend(combat: Combat) -> Deed:
    """The point is spent, or kept."""
    asked = (key for key in open_tests(combat) if not EDGE_SPENT.is_at(combat, key))
    key = next(key for key in asked if role(key, EDGE) in combat.exchange.chosen)
    chosen, who = combat.exchange.chosen[role(key, EDGE)], roller(combat, key)
    if chosen != PASS and left(combat, who) < 1:
        raise no.NotOffered(f"{who} has no Edge left", where="option", accepts=PASS)
    if chosen != PASS:
        combat = yield paid(who, key, LABELS[chosen])
    combat = yield EDGE_SPENT.found(key, chosen, "", _EDGE)
    if chosen == NEGATE:
        combat = yield NEGATED.found(key, "yes", "", _EDGE)
        yield from resolve(combat, key)
    return "dice" if chosen in ROLLED else "done"


ROLLED: Mapping[str, str] = {ADD: "edge-dice", LONG_SHOT: "edge-dice", AGAIN: "again"}
"""The role of the dice that a use of Edge calls for."""


def edge_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Edge dice, or the dice that did not hit."""
    key, name = _bought_dice(combat)
    who, faces = roller(combat, key), combat.rolls[key].faces
    count = sum(face < HIT for face in faces) if name == ROLLED[AGAIN] else attribute(combat, who)
    yield RollRequested(
        role(key, name), who, f"{max(1, count)}d6", f"Edge: {LABELS[_use(combat, key)]}", within(combat, key)
    )


def _use(combat: Combat, key: str) -> str:
    return EDGE_SPENT.at(combat, key)


def _bought_dice(combat: Combat) -> tuple[str, str]:
    """The test whose Edge dice are to be rolled, and their role."""
    for key in open_tests(combat):
        name = ROLLED.get(_use(combat, key), "")
        if name and not combat.rolls[role(key, name)].faces:
            return key, name
    raise AssertionError("no Edge dice are to be rolled")


def read_edge(combat: Combat) -> Deed:
    """The test is read with them; sixes among Edge dice are rolled again."""
    for key in open_tests(combat):
        name = ROLLED.get(_use(combat, key), "")
        if name:
            if name == ROLLED[ADD]:
                combat = yield EXPLODES.found(key, role(key, name), "", HERE)
            combat = yield from resolve(combat, key)
    return None


def close(combat: Combat) -> Deed:
    """The rolls stand."""
    for key in open_tests(combat):
        combat = yield CLOSED.found(key, "yes", "", HERE)
    return None
