"""The current turn: the acting combatant, spent actions, and who has acted in this pass."""

from collections.abc import Mapping

import msgspec

from ledger.events import ActionSpent, CombatEnded, PassBegan, RoundBegan, SessionClosed, TurnBegan, TurnEnded
from projections.fold import Routes


class Turn(msgspec.Struct, frozen=True, gc=False):
    """The turn of one combatant within a pass."""

    who: str | None = None
    spent: Mapping[str, int] = {}
    """The spent actions of the acting combatant, by the game's word for the kind of action."""
    acted: tuple[str, ...] = ()
    """The combatants whose turn in this pass is over."""
    outer: tuple[tuple[str, Mapping[str, int]], ...] = ()
    """The interrupted turns: combatants with their spent actions."""


def _fresh(_: Turn, __: object) -> Turn:
    return Turn()


def _began(turn: Turn, event: TurnBegan) -> Turn:
    outer = turn.outer if turn.who is None else (*turn.outer, (turn.who, turn.spent))
    return Turn(event.who, {}, turn.acted, outer)


def _spent(turn: Turn, event: ActionSpent) -> Turn:
    if event.who != turn.who:
        return turn
    spent = {**turn.spent, event.action: turn.spent.get(event.action, 0) + event.amount}
    return Turn(turn.who, spent, turn.acted, turn.outer)


def _ended(turn: Turn, event: TurnEnded) -> Turn:
    who, spent = turn.outer[-1] if turn.outer else (None, {})
    return Turn(who, spent, (*turn.acted, event.who), turn.outer[:-1])


ROUTES: Routes = {
    RoundBegan: _fresh, PassBegan: _fresh, CombatEnded: _fresh, SessionClosed: _fresh,
    TurnBegan: _began, ActionSpent: _spent, TurnEnded: _ended,
}  # fmt: skip
