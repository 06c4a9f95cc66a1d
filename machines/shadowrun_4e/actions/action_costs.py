"""Spends and checks the actions of an Action Phase: one Complex or two Simple Actions, and a Free Action."""

from collections.abc import Callable, Mapping

from ledger.events import ActionSpent
from machines.contract.figure_names import FigureName
from machines.contract.refusals import ActionUsedUp
from machines.contract.toolkit import Telling
from projections.combat import Combat

FREE = FigureName("free actions left", int, scope="round")
"""Figure of a combatant: Free Actions left; each of their phases in this Combat Turn adds one."""
COMPLEX, SIMPLE = "complex", "simple"
KEEPS = ("free",)
"""Actions that may be saved for the rest of the Combat Turn."""
_ACTIONS = "SR4S Combat Turn Sequence"


def spend(combat: Combat, by: str, action: str, key: str) -> Telling:
    """Spends an action.

    Source: SR4S Combat Turn Sequence 3
    """
    combat = yield ActionSpent(by, action, 1)
    if action in KEEPS:
        combat = yield FREE.found(key, free_left(combat, by) - 1, "", _ACTIONS, who=by)
    return combat


def earn_free(combat: Combat, who: str, key: str) -> Telling:
    """Adds a Free Action for a phase that begins.

    Source: SR4S Combat Turn Sequence 3
    """
    return (yield FREE.found(key, free_left(combat, who) + 1, "", _ACTIONS, who=who))


def free_left(combat: Combat, who: str) -> int:
    """Returns the Free Actions a combatant has left in this Combat Turn.

    Source: SR4S Combat Turn Sequence 3
    """
    return FREE.of(combat, who)


def simple_left(combat: Combat) -> int:
    """Returns the Simple Actions left in this phase: two at first, none after a Complex Action.

    Source: SR4S Combat Turn Sequence 3
    """
    spent = combat.turn.spent
    return 0 if spent.get("complex") else 2 - spent.get("simple", 0)


def complex_left(combat: Combat) -> bool:
    """Returns whether a Complex Action is left in this phase.

    Source: SR4S Combat Turn Sequence 3
    """
    return simple_left(combat) == 2


def check_left(combat: Combat, by: str, action: str) -> None:
    """Rejects an action that is used up.

    Raises:
        ActionUsedUp: It accepts what is left.

    Source: SR4S Combat Turn Sequence 3
    """
    if not LEFT[action](combat, by):
        accepts = "a Simple Action, or end" if simple_left(combat) else "end"
        raise ActionUsedUp(f"{by} has no {action.capitalize()} Action left", where="kind", accepts=accepts)


LEFT: Mapping[str, Callable[[Combat, str], bool]] = {
    "complex": lambda combat, _: complex_left(combat),
    "simple": lambda combat, _: simple_left(combat) > 0,
    "free": lambda combat, by: free_left(combat, by) > 0 or simple_left(combat) > 0,
}
"""Whether an action of a type is left; a Simple Action may be used as a Free one."""


def spend_free(combat: Combat, by: str, key: str) -> Telling:
    """Spends a Free Action, or a Simple Action in its place.

    Source: SR4S Combat Turn Sequence 3; Ruling: SR4-N6
    """
    kept = free_left(combat, by) > 0 or combat.turn.who != by
    return (yield from spend(combat, by, "free" if kept else "simple", key))


def use(combat: Combat, by: str, action: str, key: str) -> Telling:
    """Spends an action of any type; a Free Action may be a Simple one in its place.

    Source: SR4S Combat Turn Sequence 3
    """
    if action in KEEPS:
        return (yield from spend_free(combat, by, key))
    return (yield from spend(combat, by, action, key))
