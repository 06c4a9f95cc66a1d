"""Edge: points, the rule of six, and spending a point after a roll."""

from collections.abc import Iterator, Mapping

from ledger.events import (
    ChoiceRequested,
    Option,
    ResourceSpent,
    RollRequested,
)
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import CountNeeded, NotOffered
from machines.shadowrun_4e.success_tests.pools import (
    BOUGHT,
    EDGE_SPENT,
    EXPLODES,
    GLITCH,
    HITS,
    NEGATED,
    ONES,
    SIXES,
    open_tests,
    resolve,
    roller,
    sixes_rolled,
    size_of,
    within,
)
from projections.combat import Combat
from projections.rolls import Roll

EDGE = "edge"
PASS = "pass"  # noqa: S105  it is a word at the table
ADD, AGAIN, NEGATE, LONG_SHOT = "add", "again", "negate", "long_shot"
EXTRA_PASSES = FigureName("extra passes", int, scope="round")
FIRST_IN = FigureName("goes first in pass", int, scope="round")
PASSES = FigureName("passes", int, scope="round")
"""Figure of a combatant: Initiative Passes in this Combat Turn."""
MOST_PASSES = 4
_EDGE = "SR4 67 Edge"


def left(combat: Combat, who: str) -> int:
    """Returns the points of Edge a combatant has left.

    Source: SR4 67 Edge
    """
    return combat.resources.resource(who, EDGE).left


def attribute(combat: Combat, who: str) -> int:
    """Returns the Edge attribute, without burned points.

    Source: SR4 67 Edge, 68 Burning Edge
    """
    return combat.resources.resource(who, EDGE).of


def paid(who: str, key: str, why: str) -> ResourceSpent:
    """Returns the event that spends a point.

    Source: SR4 67 Edge
    """
    return ResourceSpent(who, EDGE, 1, key, why)


# ------------------------------------------------------------------------------------------------ the rule of six


def _sixes(combat: Combat, key: str) -> int:
    """Returns the number of sixes of the last throw that are still to be rolled again."""
    explodes = EXPLODES.at(combat, key)
    if not explodes:
        return 0
    thrown = tuple(sixes_rolled(combat, key))
    return SIXES.of(thrown[-1] if thrown else combat.rolls[explodes])


def any_sixes(combat: Combat) -> bool:
    """Returns whether any sixes are still to be rolled again."""
    return any(_sixes(combat, key) for key in open_tests(combat))


def sixes_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for one die for each six."""
    for key in open_tests(combat):
        count = _sixes(combat, key)
        if count:
            nth = len(tuple(sixes_rolled(combat, key))) + 1
            purpose, of = f"{combat.rolls[key].purpose or 'a test'}: sixes again", within(combat, key)
            yield RollRequested(role(key, "sixes", nth), roller(combat, key), f"{count}d6", purpose, of)


def read_sixes(combat: Combat) -> Deed:
    """Reads the tests with the new dice."""
    for key in open_tests(combat):
        if EXPLODES.at(combat, key):
            combat = yield from resolve(combat, key)
    return None


# ------------------------------------------------------------------------------------------------ after a roll


def _candidate(combat: Combat) -> str:
    """Returns the next open test on which its roller may still spend a point; empty for none."""
    return next((key for key in open_tests(combat) if _may(combat, key)), "")


def _may(combat: Combat, key: str) -> bool:
    spent = any(name.is_at(combat, key) for name in (EDGE_SPENT, BOUGHT))
    return not spent and left(combat, roller(combat, key)) > 0


def can_spend(combat: Combat) -> bool:
    """Returns whether a roller may spend Edge after a roll."""
    return bool(_candidate(combat))


def offer_edge(combat: Combat) -> ChoiceRequested:
    """Asks whether to keep the roll, add dice, reroll misses, negate a glitch, or take a long shot."""
    key = _candidate(combat)
    who, roll = roller(combat, key), combat.rolls[key]
    options = (Option(PASS, "keep it"), *(Option(name, LABELS[name]) for name in _uses(combat, key)))
    what = f"{roll.rolled} {'hit' if roll.rolled == 1 else 'hits'}, {roll.outcome}" if roll.is_rolled else "no dice"
    return ChoiceRequested(role(key, EDGE), who, options, PASS, f"a point of Edge for {what}?")


LABELS: Mapping[str, str] = {
    ADD: "roll Edge dice more",
    AGAIN: "roll what is no hit again",
    NEGATE: "undo the glitch",
    LONG_SHOT: "a long shot: Edge dice only",
}


def _uses(combat: Combat, key: str) -> Iterator[str]:
    roll = combat.rolls[key]
    if not roll.is_rolled:
        yield LONG_SHOT
        return
    yield ADD
    if _missed(roll):
        yield AGAIN
    if GLITCH.at(combat, key, "none") != "none":
        yield NEGATE


def _missed(roll: Roll) -> int:
    """Returns the number of dice that did not hit."""
    return size_of(roll) - HITS.of(roll)


def _check_ones(roll: Roll) -> None:
    """Rejects dice beside a roll whose ones were not given: together they may be a glitch.

    Raises:
        CountNeeded: The ones were not given.

    Ruling: SR4-N52
    """
    if not ONES.is_known(roll):
        accepts = "amend the roll with its ones, or keep it"
        raise CountNeeded("with more dice the ones of the first roll may be a glitch", where="ones", accepts=accepts)


def spend(combat: Combat) -> Deed:
    """Spends the point, or keeps it.

    Ruling: SR4-N52
    """
    seen = (key for key in open_tests(combat) if roller(combat, key))  # a seat does not see whose roll a hidden one is
    offered = (key for key in seen if not EDGE_SPENT.is_at(combat, key))
    key = next(key for key in offered if role(key, EDGE) in combat.exchange.chosen)
    chosen, who = combat.exchange.chosen[role(key, EDGE)], roller(combat, key)
    if chosen != PASS and left(combat, who) < 1:
        raise NotOffered(f"{who} has no Edge left", where="option", accepts=PASS)
    if chosen == ADD:
        _check_ones(combat.rolls[key])
    if chosen != PASS:
        combat = yield paid(who, key, LABELS[chosen])
    combat = yield EDGE_SPENT.found(key, chosen, "", _EDGE)
    if chosen == NEGATE:
        combat = yield NEGATED.found(key, "yes", "", _EDGE)
        yield from resolve(combat, key)
    return "dice" if chosen in ROLLED else "done"


ROLLED: Mapping[str, str] = {ADD: "edge-dice", LONG_SHOT: "edge-dice", AGAIN: "again"}
"""The role of the dice for each use of Edge."""


def edge_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for Edge dice, or for the dice that did not hit."""
    key, name = _bought_dice(combat)
    who = roller(combat, key)
    count = _missed(combat.rolls[key]) if name == ROLLED[AGAIN] else attribute(combat, who)
    yield RollRequested(
        role(key, name), who, f"{max(1, count)}d6", f"Edge: {LABELS[_use(combat, key)]}", within(combat, key)
    )


def _use(combat: Combat, key: str) -> str:
    return EDGE_SPENT.at(combat, key)


def _bought_dice(combat: Combat) -> tuple[str, str]:
    """Returns the test whose Edge dice are to be rolled, and their role."""
    for key in open_tests(combat):
        name = ROLLED.get(_use(combat, key), "")
        if name and not combat.rolls[role(key, name)].is_rolled:
            return key, name
    raise AssertionError("no Edge dice are to be rolled")


def read_edge(combat: Combat) -> Deed:
    """Reads the test with the new dice; sixes among Edge dice are rolled again."""
    for key in open_tests(combat):
        name = ROLLED.get(_use(combat, key), "")
        if name:
            if name == ROLLED[ADD]:
                combat = yield EXPLODES.found(key, role(key, name), "", HERE)
            combat = yield from resolve(combat, key)
    return None
