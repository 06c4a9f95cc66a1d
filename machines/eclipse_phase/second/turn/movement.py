"""Moving: base moves, full moves, rushes, and running without sight."""

from collections.abc import Iterator
from fractions import Fraction

from ledger.events import ConditionGained, ConditionLost, Event, RollRequested
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, frame
from machines.eclipse_phase.family.success import d100_request, passed
from machines.eclipse_phase.family.turn import move_combatant
from machines.eclipse_phase.second.actions.actions import STOOD_UP
from machines.eclipse_phase.second.actions.terms import MoveTerms
from machines.eclipse_phase.second.attack.grappling import DRAGS
from machines.eclipse_phase.second.attack.modifiers import FULL_MOVE, spend
from machines.eclipse_phase.second.sheet.sheet_access import (
    Base,
    encumbered,
    gravity,
    needed,
    overburdened,
    sheet,
    states,
)
from machines.eclipse_phase.second.success_tests.roles import RUSH
from machines.eclipse_phase.second.success_tests.success import SIGHTLESS, prepare, read
from machines.eclipse_phase.second.tables.tables import MOVEMENTS
from projections.combat import Combat
from projections.exchange import Frame

_MOVEMENT, _RUSH = "EP2 12/24 Movement Actions", "EP2 12/24 Rushing"
DROP, FEET = "drop", "feet"
MOVED = FigureName("moved in this turn", int, scope="round")
MOVES = FigureName("moves in this turn", str, scope="round")
"""Figures of a combatant: meters moved so far, and how."""
AIRBORNE = "airborne"
WALKING = "walker"
EFFORTS = ("full", "rush")
"""Ways that impede coordination and must be declared first."""
AT_LENGTH = ("rush", "other")
"""Ways that take a Complex Action."""


def way(combat: Combat, who: str, by: str) -> str:
    """Returns the declared type of movement; otherwise walking, or the first."""
    mine = sheet(combat, who).movement
    return by or (WALKING if WALKING in mine else next(iter(mine), WALKING))


def rates(combat: Combat, who: str, by: str) -> tuple[int, int]:
    """Returns base and full move in whole meters: by gravity, halved after standing up, when dragging and overburdened.

    Source: EP2 12/24 Movement Rate, Standing Up, Movement in Different Gravities, 12/11 Layering Armor
    """
    base, full = (Fraction(meters) for meters in sheet(combat, who).movement[way(combat, who, by)])
    kind, here = MOVEMENTS.get(way(combat, who, by)), gravity(combat)
    if kind is not None and kind.walks:
        base, full = base * Fraction(here.base), full * Fraction(here.full)
    halvings = sum((bool(STOOD_UP.of(combat, who)), bool(DRAGS.of(combat, who)), overburdened(combat, who)))
    if encumbered(combat, who) or any(row.moves == "none" for row in states(combat, who)):
        return 0, 0
    return int(base / 2**halvings), int(full / 2**halvings)


def allowance(combat: Combat, who: str, how: str, by: str, more: int = 0) -> int:
    """Returns the meters of this Action Turn for a way of moving.

    Source: EP2 12/24 Movement Actions

    Args:
        combat: The state.
        who: The moving combatant.
        how: ``base``, ``full``, ``rush`` or ``other``.
        by: Type of movement.
        more: Base moves that a rush adds.
    """
    base, full = rates(combat, who, by)
    return {"base": base, "other": base, "full": full, "rush": full + more * base}[how]


def begin_move(combat: Combat) -> Deed:
    """Begins a move. Base and full moves are automatic; rushing and unusual ways take a Complex Action."""
    now = frame(combat)
    terms = typed(now.terms, MoveTerms)
    if terms.how == DROP:
        yield ConditionGained(now.by, "prone", None, "standing up", now.key, "drops to the ground", HERE)
        return "moved"
    if terms.how in AT_LENGTH:
        combat = yield from spend(combat, now.by, "complex", now.key)
    if terms.how in EFFORTS and not combat.conditions.has(now.by, FULL_MOVE):
        until = combat.clock.ahead(1)
        combat = yield ConditionGained(now.by, FULL_MOVE, None, until, now.key, "moves with effort", HERE)
    kind = MOVEMENTS.get(way(combat, now.by, terms.way))
    if kind is not None and kind.flies:
        combat = yield ConditionGained(now.by, AIRBORNE, None, "landing", now.key, kind.name, kind.source)
    elif combat.conditions.has(now.by, AIRBORNE):
        combat = yield ConditionLost(now.by, AIRBORNE, "lands")
    if terms.how != RUSH:
        combat = yield from _goes(combat, now, 0)
        if not (terms.how in EFFORTS and combat.conditions.has(now.by, *SIGHTLESS)):
            return "moved"
        start = maneuver(combat, now.by, terms.way)
        yield from prepare(combat, role(now.key, FEET), now.by, start, "EP2 12/21 Conditions")
        return "stumbles"
    yield from prepare(combat, role(now.key, RUSH), now.by, maneuver(combat, now.by, terms.way), _RUSH)
    return "rushes"


def maneuver(combat: Combat, who: str, by: str) -> Base:
    """Returns the base of the test for a type of movement; in microgravity Free Fall replaces walking.

    Source: EP2 12/24 Rushing, Movement Types, 12/28 Microgravity
    """
    kind = MOVEMENTS.get(way(combat, who, by))
    name = kind.skill if kind else "athletics"
    here = gravity(combat)
    return needed(combat, who, here.skill if kind is not None and kind.walks and here.weightless else name)


def _goes(combat: Combat, now: Frame, more: int) -> Telling:
    terms = typed(now.terms, MoveTerms)
    by = way(combat, now.by, terms.way)
    allowed = allowance(combat, now.by, terms.how, terms.way, more)
    only = MOVES.found(now.key, terms.how, "", _MOVEMENT, who=now.by)
    return (yield from move_combatant(combat, terms.how, terms.meters, allowed, by, _MOVEMENT, only))


def rush_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the rushing test: Athletics, Free Fall or Pilot."""
    now = frame(combat)
    yield d100_request(combat, role(now.key, RUSH), now.by, "rush")


def read_rush(combat: Combat) -> Deed:
    """Reads the rushing test."""
    yield from read(combat, role(frame(combat).key, RUSH))
    return None


def rush(combat: Combat) -> Deed:
    """Adds a base move and one for each superior success; a failure is a full move."""
    now = frame(combat)
    key = role(now.key, RUSH)
    more = 1 + max(0, combat.rolls[key].margin) if passed(combat, key) else 0
    combat = yield from _goes(combat, now, more)
    if combat.conditions.has(now.by, *SIGHTLESS) and not passed(combat, key):
        yield _trips(now)
    return None


def _trips(now: Frame) -> Event:
    return ConditionGained(now.by, "prone", None, "standing up", now.key, "cannot see", "EP2 12/21 Conditions")


def feet_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test to keep one's feet when running without sight."""
    now = frame(combat)
    yield d100_request(combat, role(now.key, FEET), now.by, "keep their feet without seeing")


def read_feet(combat: Combat) -> Deed:
    """Reads the test to keep one's feet."""
    yield from read(combat, role(frame(combat).key, FEET))
    return None


def trip(combat: Combat) -> Deed:
    """Applies a failure: prone."""
    now = frame(combat)
    if not passed(combat, role(now.key, FEET)):
        yield _trips(now)
    return None
