"""The words of both editions, by what they mean."""

from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE, CRITICAL_SUCCESS, FAILURE, SUCCESS
from projections.vocabulary import Outcome, Vocabulary

VOCABULARY = Vocabulary(
    outcomes=(
        Outcome(CRITICAL_SUCCESS, is_success=True),
        Outcome(SUCCESS, is_success=True),
        Outcome(FAILURE),
        Outcome(CRITICAL_FAILURE),
    ),
    counters=("wounds", "traumas"),
    endings_told=("attack",),
)
