"""Initiative of every Combat Turn: the roll, the score, passes, ties, and wounds that lower the score at once."""

from collections.abc import Iterator, Mapping

from ledger.events import Event, InitiativeScored, OrderFixed, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.sheet_access import (
    AT_ONCE,
    CONDITIONS_THEN,
    HARM,
    UNABLE,
    WOUNDS_THEN,
    Base,
    both,
    encumbrance,
    plane,
    sheet,
    stat,
)
from machines.shadowrun_4e.success_tests.edge import EXTRA_PASSES, FIRST_IN, MOST_PASSES, PASSES, attribute
from machines.shadowrun_4e.success_tests.pools import BASE, GLITCH, asked, hits, prepare, resolved
from machines.shadowrun_4e.vocabulary import CRITICAL_GLITCH
from projections.combat import Combat

SCORE = FigureName("score", int)

_INITIATIVE, _ORDER = "SR4S Combat Turn Sequence 1", "SR4S Combat Turn Sequence 2"
TIE = FigureName("tie", int, scope="round")
"""Figure of a combatant for this Combat Turn: how they act in a tie."""
LAST, AFTER, USUAL = 2, 1, 0
"""Values of that figure: last of all (critical glitch), after those with the same score (glitch), as usual."""


def initiative(combat: Combat, who: str) -> Base:
    """Returns the Initiative attribute on a combatant's plane.

    Raises:
        Incomplete: The sheet lacks one of the two attributes.

    Source: SR4S Combat Turn Sequence 1, SR4 Initiative
    """
    here, owner = plane(combat, who), sheet(combat, who)
    if owner.initiative is not None and not here.passes:
        return Base(owner.initiative, f"Initiative {owner.initiative}")
    start = both(combat, who, *here.attributes)
    heavy = encumbrance(combat, who) if "reaction" in start.uses else 0
    if heavy:
        return Base(start.value - heavy, f"{start.why} - {heavy} encumbered by armor", start.uses)
    if not here.bonus:
        return start
    return Base(start.value + here.bonus, f"{start.why} + {here.name} {here.bonus}", start.uses)


def _key(combat: Combat, who: str) -> str:
    return role(f"{combat.clock.period}/{who}", "initiative")


def rollers(combat: Combat) -> tuple[str, ...]:
    """Returns who rolls: each combatant who is here and not dead or destroyed.

    Source: SR4S Combat Turn Sequence 1
    """
    return tuple(who for who in combat.roster.here() if not combat.conditions.has(who, "dead", "destroyed"))


def prepare_initiative(combat: Combat) -> Deed:
    """Prepares the Initiative dice; wounds lower the score, not the dice.

    Ruling: SR4-N11
    """
    for who in rollers(combat):
        combat = yield from prepare(combat, _key(combat, who), who, initiative(combat, who), HERE, ails=False)
    return None


def initiative_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the dice of each combatant."""
    for who in rollers(combat):
        yield from asked(combat, _key(combat, who), who, "initiative")


def read_initiative(combat: Combat) -> Deed:
    """Reads the hits."""
    yield from resolved(combat, *(_key(combat, who) for who in rollers(combat)))
    return None


def score(combat: Combat) -> Deed:
    """Records each Initiative Score (attribute + hits - wounds), the passes and the order."""
    for who in rollers(combat):
        key = _key(combat, who)
        start, found, wounds = BASE.at(combat, key), hits(combat, key), combat.wounds.count(who)
        why = f"Initiative {start} + {found} hits" + (f" - {wounds} wound modifier" if wounds else "")
        combat = yield SCORE.found(key, start + found - wounds, why, HERE, who=who)
        combat = yield from _standing(combat, who, key)
        combat = yield InitiativeScored(who, SCORE.at(combat, key), key, why, HERE)
    yield from in_order(combat)
    return None


def _standing(combat: Combat, who: str, key: str) -> Telling:
    """Records a combatant's passes, and the effect of a glitch."""
    glitch = GLITCH.at(combat, key) if GLITCHES[profile(combat).initiative_glitch] else ""
    tie = TIES.get(glitch, USUAL)
    usual = plane(combat, who).passes or sheet(combat, who).passes
    number = max(1, usual - 1) if tie == LAST else usual
    for name, value in ((PASSES, number), (TIE, tie)):
        combat = yield name.found(key, value, "", _INITIATIVE, who=who)
    return combat


TIES: Mapping[str, int] = {GLITCH.name: AFTER, CRITICAL_GLITCH: LAST}
GLITCHES = {"used": True, "ignored": False}
"""Whether glitches count in Initiative, by the value of `initiative_glitch`."""


def passes(combat: Combat, who: str) -> int:
    """Returns a combatant's Initiative Passes in this turn, at most four.

    Source: SR4S Combat Turn Sequence 5, SR4 67 Edge
    """
    return min(MOST_PASSES, (PASSES.of(combat, who) or 1) + EXTRA_PASSES.of(combat, who))


def in_order(combat: Combat) -> Iterator[Event]:
    """Yields the order of acting, highest score first.

    Source: SR4S Combat Turn Sequence 2; Ruling: SR4-N12
    """
    scores = combat.initiative.scores
    here = [who for who in combat.roster.here() if who in scores]

    def place(who: str) -> tuple[int, ...]:
        tie = TIE.of(combat, who)
        return (tie == LAST, -scores[who], tie, *BROKEN[profile(combat).initiative_ties](combat, who))

    yield OrderFixed(tuple((who, scores[who]) for who in sorted(here, key=place)))


def _by_figures(combat: Combat, who: str) -> tuple[int, ...]:
    own = BASE.at(combat, _key(combat, who))
    return -attribute(combat, who), -own, -(stat(combat, who, "reaction") or 0)


BROKEN = {"broken": _by_figures, "simultaneous": lambda *_: ()}
"""What breaks a tie, by the value of `initiative_ties`: Edge, Initiative and Reaction; or nothing."""


def follow_wounds(combat: Combat, who: str, more: int, key: str) -> Telling:
    """Lowers or raises the score with the wound modifier at once.

    Source: SR4 153 Wound Modifiers
    """
    if not combat.clock.fighting or who not in combat.initiative.scores:
        return combat
    before = combat.initiative.scores[who]
    why = f"{before} {-more:+d} wound modifier"
    combat = yield InitiativeScored(who, before - more, key, why, "SR4 153 Wound Modifiers")
    combat = yield from emit(combat, in_order(combat))
    return combat


# ------------------------------------------------------------------------------------------------ whose phase


def waiting(combat: Combat) -> tuple[str, ...]:
    """Returns who still acts in this Initiative Pass, in order; a score of 0 or less does not act.

    Source: SR4S Combat Turn Sequence 2, 5, SR4 67 Edge
    """
    number = combat.clock.number

    def is_tied(who: str) -> bool:
        return AT_ONCE.of(combat, who) == number

    mine = [
        who
        for who, points in combat.initiative.order
        if passes(combat, who) >= number
        and who not in combat.turn.acted
        and (is_tied(who) or (points > 0 and not combat.conditions.has(who, *UNABLE)))
    ]
    return tuple(sorted(mine, key=lambda who: (not is_tied(who), FIRST_IN.of(combat, who) != number)))


def tied_with(combat: Combat, who: str) -> Iterator[Event]:
    """Yields the figures by which those with the same score act before the harm of this phase counts.

    Edge to act first and a glitch in Initiative end the tie.

    Source: SR4S Combat Turn Sequence 2; Ruling: SR4-C6, SR4-N42
    """
    rules, number, scores = profile(combat), combat.clock.number, combat.initiative.scores
    if not AT_ONCE_BY[rules.initiative_ties, rules.acts_at_once] or FIRST_IN.of(combat, who) == number:
        return
    standing = (scores[who], TIE.of(combat, who))
    for other in waiting(combat):
        theirs = (scores[other], TIE.of(combat, other))
        if other != who and theirs == standing and AT_ONCE.of(combat, other) != number:
            key = f"{combat.clock.period}/{other}/p{number}"
            for name, value in ((AT_ONCE, number), (WOUNDS_THEN, combat.wounds.count(other))):
                yield name.found(key, value, "", _ORDER, who=other)
            mine = ", ".join(each for each in HARM if combat.conditions.has(other, each))
            yield CONDITIONS_THEN.found(key, mine, "", _ORDER, who=other)


AT_ONCE_BY: Mapping[tuple[str, str], bool] = {
    ("simultaneous", "both"): True,
    ("simultaneous", "first"): False,
    ("broken", "both"): False,
    ("broken", "first"): False,
}
"""Whether harm waits until all in a tie have acted, by the values of `initiative_ties` and `acts_at_once`."""


def any_pass_left(combat: Combat) -> bool:
    """Returns whether any combatant has a further pass in this turn.

    Source: SR4S Combat Turn Sequence 5
    """
    number = combat.clock.number
    able = (who for who, points in combat.initiative.order if points > 0 and not combat.conditions.has(who, *UNABLE))
    return any(passes(combat, who) > number for who in able)
