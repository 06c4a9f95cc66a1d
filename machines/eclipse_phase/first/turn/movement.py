"""Moving, sprinting and breaking free from a hold."""

from collections.abc import Iterator
from fractions import Fraction

from ledger.events import ActionSpent, ConditionGained, ConditionLost, ModifierApplied, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame
from machines.eclipse_phase.family.d100 import attacker_prevails
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.family.turn import move_combatant
from machines.eclipse_phase.first.actions.actions import holder
from machines.eclipse_phase.first.actions.terms import BreakFreeTerms, MoveTerms
from machines.eclipse_phase.first.sheet.sheet_access import (
    HELD,
    NEXT_PHASE,
    UNABLE,
    gravity,
    needed,
    sheet,
    speed,
)
from machines.eclipse_phase.first.success_tests.success import burdens, prepare, resolve
from projections.combat import Combat
from projections.exchange import Frame

_RATES, _SPRINT = "EP1 191 Movement Rates", "EP1 191 Sprinting"
MOST_SPRINT = 5
"""Most meters that sprinting adds (EP1 191 Sprinting)."""


def phases(combat: Combat) -> int:
    """Returns the Action Phases of this Action Turn: the highest Speed of combatants who can act.

    Source: EP1 188 Action Turns, 191 Movement Rates; Ruling: EP1-N23
    """
    able = (who for who in combat.roster.here() if not combat.conditions.has(who, *UNABLE))
    return max((speed(combat, who) for who in able), default=1)


def allowance(combat: Combat, who: str, how: str) -> int:
    """Returns the whole meters of this Action Phase: the distance due by its end, less that due before it.

    Source: EP1 191 Movement Rates, 198 Gravity; Ruling: EP1-N23

    Args:
        combat: The state.
        who: The moving combatant.
        how: ``walk``, ``run``, ``sprint``, ``swim`` or ``crawl``.
    """
    walking, running = sheet(combat, who).movement
    row = gravity(combat)
    rates = {"walk": walking * Fraction(row.walk), "run": running * Fraction(row.run)}
    rates |= {"sprint": rates["run"], "swim": Fraction(1), "crawl": Fraction(1)}
    each, nth = rates[how] / phases(combat), max(1, combat.clock.number)
    return int(each * nth) - int(each * (nth - 1))


def begin_move(combat: Combat) -> Deed:
    """Begins a move. Walking and running take a Quick Action, sprinting and swimming a Complex one.

    All ways except walking impair other actions.
    """
    now = frame(combat)
    how = typed(now.terms, MoveTerms).how
    combat = yield ActionSpent(now.by, ACTIONS[how], 1)
    if how in SHAKES:
        combat = yield ConditionGained(now.by, "running", None, NEXT_PHASE, now.key, SHAKES[how], HERE)
    if how not in SPRINTS:
        yield from _goes(combat, now, 0)
        return "moved"
    name = gravity(combat).skill
    value, why = needed(combat, now.by, name)
    key = role(now.key, "sprint")
    yield from prepare(combat, key, now.by, value, why, _SPRINT, tuple(burdens(combat, now.by, key)))
    return "sprints"


ACTIONS = {"walk": "quick", "run": "quick", "crawl": "quick", "swim": "complex", "sprint": "complex"}
"""Action that each way of moving takes."""

SPRINTS = ("sprint",)
"""Ways of moving with a test."""
SHAKES = {"run": "runs", "sprint": "sprints", "swim": "swims"}
"""Ways of moving that impair other actions."""
MOVED = FigureName("moved in this phase", int, scope="phase")
"""Figure of the meters that a combatant has moved in an Action Phase."""


def _goes(combat: Combat, now: Frame, more: int) -> Telling:
    terms = typed(now.terms, MoveTerms)
    allowed, share = allowance(combat, now.by, terms.how) + more, f"{phases(combat)} Action Phases in this Action Turn"
    return (yield from move_combatant(combat, terms.how, terms.meters, allowed, share, _RATES))


def sprint_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test: Freerunning, or Free Fall in microgravity."""
    now = frame(combat)
    yield d100_request(combat, role(now.key, "sprint"), now.by, "sprint")


def read_sprint(combat: Combat) -> Deed:
    """Reads the sprinting test."""
    yield resolve(combat, role(frame(combat).key, "sprint"))
    return None


def sprint(combat: Combat) -> Deed:
    """Adds a meter for each 10 of the margin, at most 5."""
    now = frame(combat)
    key = role(now.key, "sprint")
    margin = combat.rolls[key].margin if passed(combat, key) else 0
    yield from _goes(combat, now, min(MOST_SPRINT, max(0, margin) // 10))
    return None


# ------------------------------------------------------------------------------------------------ holds


def prepare_struggle(combat: Combat) -> Deed:
    """Prepares a Complex Action against a hold: Unarmed Combat or SOM x 3, at -30 for the held combatant.

    Without a known holder only the held combatant rolls.

    Ruling: EP1-N21
    """
    now = frame(combat)
    combat = yield ActionSpent(now.by, "complex", 1)
    way = typed(now.terms, BreakFreeTerms).by
    key = role(now.key, "struggle")
    held = (ModifierApplied(key, -30, "held", HERE), *burdens(combat, now.by, key))
    value, why = _grip(combat, now.by, way)
    combat = yield from prepare(combat, key, now.by, value, why, HERE, held)
    by, key = holder(combat, now.by), role(now.key, "hold")
    if by:
        value, why = _grip(combat, by, way)
        yield from prepare(combat, key, by, value, why, HERE, tuple(burdens(combat, by, key)))
    return None


def _grip(combat: Combat, who: str, way: str) -> tuple[int, str]:
    if way != "som":
        return needed(combat, who, way)
    som = sheet(combat, who).aptitudes.som
    return som * 3, f"SOM {som} x 3"


def struggle(combat: Combat) -> Deed:
    """Ends the hold if the held combatant wins the opposed test."""
    now = frame(combat)
    mine, theirs = (combat.rolls[role(now.key, name)] for name in ("struggle", "hold"))
    opposing = (theirs.outcome, theirs.rolled) if theirs.outcome else None
    if not attacker_prevails((mine.outcome, mine.rolled), opposing):
        return "held"
    yield ConditionLost(now.by, HELD, "breaks free")
    return "free"
