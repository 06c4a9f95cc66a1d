"""Events of rounds, passes, turns, time, and the boxes of charts."""

from ledger.events.base import Event


class RoundBegan(Event, frozen=True, kw_only=False, tag="round"):
    """A round began, in which every combatant acts: Action Turn, Combat Turn."""

    round: int


class PassBegan(Event, frozen=True, kw_only=False, tag="pass"):
    """A pass within a round began: Action Phase, Initiative Pass."""

    number: int


class InitiativeScored(Event, frozen=True, kw_only=False, tag="initiative"):
    """A combatant's initiative has this score from now on."""

    who: str
    score: int
    key: str
    why: str
    source: str


class OrderFixed(Event, frozen=True, kw_only=False, tag="order"):
    """The acting order was fixed: first to last, ties broken."""

    order: tuple[tuple[str, int], ...]
    """Pairs of (combatant, score)."""


class TurnBegan(Event, frozen=True, kw_only=False, tag="turn"):
    """A combatant's turn began."""

    who: str


class ActionSpent(Event, frozen=True, kw_only=False, tag="action"):
    """A combatant spent actions of this turn."""

    who: str
    action: str
    """The kind of action in the game's words: ``complex``, ``quick``, ``free``, ``simple``."""
    amount: int


class TurnEnded(Event, frozen=True, kw_only=False, tag="done"):
    """A combatant's turn ended."""

    who: str


class TimePassed(Event, frozen=True, kw_only=False, tag="time"):
    """Time passed outside the turns of a fight."""

    amount: int
    unit: str


class StepEntered(Event, frozen=True, kw_only=False, tag="step"):
    """The walk entered a box of a chart."""

    chart: str
    box: str
    depth: int
    """The number of charts that this chart runs inside of."""
