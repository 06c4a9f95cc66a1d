"""The declaration of care being resolved."""

from typing import Generic, TypeVar

import msgspec

from machines.contract.ruleset import typed
from machines.contract.toolkit import frame
from machines.eclipse_phase.first.actions.terms import TherapyTerms, TreatTerms
from projections.combat import Combat

T = TypeVar("T", TreatTerms, TherapyTerms)


class Care(msgspec.Struct, Generic[T], frozen=True):
    """A declaration of care."""

    key: str
    by: str
    terms: T

    @property
    def who(self) -> str:
        """The patient."""
        return self.terms.who


def cared_for(combat: Combat, kind: type[T]) -> Care[T]:
    """Returns the declaration of care being resolved."""
    now = frame(combat)
    return Care(now.key, now.by, typed(now.terms, kind))
