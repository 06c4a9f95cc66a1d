"""Initiative scores, and the acting order."""

from collections.abc import Mapping

import msgspec

from ledger.events import Adjusted, CombatantLeft, CombatBegan, InitiativeScored, OrderFixed
from projections.fold import Routes

SCORE = "initiative"
"""The name of the score in an adjustment by the gamemaster."""


class Initiative(msgspec.Struct, frozen=True, gc=False):
    """The scores and the acting order."""

    scores: Mapping[str, int] = {}
    order: tuple[tuple[str, int], ...] = ()
    """Pairs of (combatant, score), first to last; ties are broken."""


def _began(_: Initiative, __: CombatBegan) -> Initiative:
    return Initiative()


def _scored(initiative: Initiative, event: InitiativeScored) -> Initiative:
    return Initiative({**initiative.scores, event.who: event.score}, initiative.order)


def _fixed(initiative: Initiative, event: OrderFixed) -> Initiative:
    return Initiative(initiative.scores, event.order)


def _left(initiative: Initiative, event: CombatantLeft) -> Initiative:
    return Initiative(initiative.scores, tuple(pair for pair in initiative.order if pair[0] != event.who))


def _adjusted(initiative: Initiative, event: Adjusted) -> Initiative:
    if event.what != SCORE or not isinstance(event.after, int):
        return initiative
    return Initiative({**initiative.scores, event.who: event.after}, initiative.order)


ROUTES: Routes = {
    CombatBegan: _began, InitiativeScored: _scored, OrderFixed: _fixed, CombatantLeft: _left, Adjusted: _adjusted,
}  # fmt: skip
