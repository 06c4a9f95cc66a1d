"""The words in the events of GURPS, by meaning."""

from projections.vocabulary import Outcome, Terms, Vocabulary

CRITICAL_SUCCESS, SUCCESS, FAILURE, CRITICAL_FAILURE = OUTCOMES = (
    "critical success",
    "success",
    "failure",
    "critical failure",
)
VOCABULARY = Vocabulary(
    outcomes=tuple(Outcome(word, word in (SUCCESS, CRITICAL_SUCCESS)) for word in OUTCOMES),
    counters=("wounds", "traumas"),
    down=("dead", "unconscious"),
    terms=Terms(unit="yd"),
    taken={"hit_points": "hit points lost"},
    endings_told=("attack",),
)
