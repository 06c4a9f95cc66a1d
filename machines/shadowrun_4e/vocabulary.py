"""The words in the events of Shadowrun, by meaning."""

from projections.vocabulary import Outcome, Sums, Vocabulary

CRITICAL_SUCCESS, SUCCESS, FAILURE, CRITICAL_GLITCH = "critical success", "success", "failure", "critical glitch"
VOCABULARY = Vocabulary(
    outcomes=(
        Outcome(CRITICAL_SUCCESS, is_success=True),
        Outcome(SUCCESS, is_success=True),
        Outcome(FAILURE),
        Outcome(CRITICAL_GLITCH),
    ),
    counters=("wounds", "traumas"),
    down=("dead", "destroyed", "disrupted", "crashed", "unconscious", "incapacitated"),
    sums=Sums(total="pool"),
    endings_told=("attack",),
)
