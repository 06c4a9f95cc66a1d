"""What care, blasts and shocks to the mind share: their frame, dice that are no test, and who may care for whom."""

from typing import Generic, TypeVar

import msgspec

from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.first.actions.terms import TherapyTerms, TreatTerms
from projections.combat import Combat

T = TypeVar("T", TreatTerms, TherapyTerms)


class Care(msgspec.Struct, Generic[T], frozen=True):
    """Who cares for whom."""

    key: str
    by: str
    terms: T

    @property
    def who(self) -> str:
        """The patient."""
        return self.terms.who


def cared_for(combat: Combat, kind: type[T]) -> Care[T]:
    """The care that is taken."""
    now = frame(combat)
    return Care(now.key, now.by, typed(now.terms, kind))


# ------------------------------------------------------------------------------------------------ dice


# ------------------------------------------------------------------------------------------------ checks
